"""Generate the arcs of the lattice: words of the lexicon that OCR may have read as the text has it.

A best-first search walks through the prefixes of the lexicon. Most of it is done once for each distinct
token: what may begin at a character and end before the next space. Only where words are split or
letterspaced does the search go on over spaces.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from heapq import heappop, heappush
from typing import NamedTuple, Protocol, TypeAlias

from hoyle.correction.candidate import Change
from hoyle.correction.channel import Channel
from hoyle.correction.lattice import PRUNE_MARGIN, Arc, Window
from hoyle.correction.model_scores import MODEL_ONLY_COST, ModelScores
from hoyle.correction.tokens import EDGE_PUNCTUATION, core_end, is_initial, is_number
from hoyle.correction.transitions import Transition, Transitions
from hoyle.correction.unit_text import HYPHENS
from hoyle.resources import Lexicon

MAX_STATES = 200
"""Prefixes that the search visits from one character at most."""

MAX_RIVALS = 6
"""Words that are kept for the same stretch of text."""

SEARCH_MARGIN = 0.0
"""How far (natural log) the channel may fall behind the best word found. That word's own probability is
compared with that of a common word, so the true margin is about 5.
"""

POOR_SCORE = -17.0
"""A token none of whose words is more probable (natural log) than this may be split, or two words in one."""

_LETTERSPACED_RATE = -5.5
"""Natural log rate of inserted spaces above which any two words of a document may be one."""


_Changes: TypeAlias = tuple[object, ...]
_State: TypeAlias = tuple[float, int, str, _Changes]
"""Cost so far (negative natural log), place, prefix, changes as a linked list."""


class UnlistedScore(Protocol):
    """Estimates the probability of an unlisted word."""

    def __call__(self, word: str) -> float:
        """Return the natural log probability of the word (as it stands, capitals included)."""


class _Token(NamedTuple):
    """The arcs of a token (up to the next space) from its first character, and the best score among them."""

    arcs: tuple[Arc, ...]
    best: float


class LexiconArcGenerator:
    """Generates arcs for the words of a lexicon that the channel may have turned into the text.

    Args:
        lexicon: the words of the orthography.
        channel: the channel of the document.
        letters: the alphabet of the orthography, in lower case.
        unlisted_score: gives the natural log probability of an unlisted word.
        max_cost: cost of the channel (negative natural log probability) above which no word is generated.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        channel: Channel,
        letters: frozenset[str],
        unlisted_score: UnlistedScore,
        max_cost: float = 13.0,
    ) -> None:
        self._lexicon = lexicon
        self._channel = channel
        self._letters = letters
        self._unlisted_score = unlisted_score
        self._max_cost = max_cost
        self._tokens: dict[str, _Token] = {}
        self._transitions = Transitions(channel, max_cost)

    @property
    def is_letterspaced(self) -> bool:
        """Whether the document is letterspaced so often that any two of its words may be one."""
        return self._channel.space_inserted > _LETTERSPACED_RATE

    def arcs(self, window: Window, start: int) -> list[Arc]:
        """Generate the arcs that begin at a character (see :class:`hoyle.correction.lattice.ArcGenerator`).

        Args:
            window: the stretch that is decoded.
            start: offset of the character in the text of the window.

        Returns:
            The arcs; the word as it stands is always among them at the head of a token.
        """
        text, _, stop, fixed, model_scores = window
        end = _space_after(text, start, stop)
        if start in fixed:
            return [self._fixed_arc(text, start, end, stop)]
        if is_number(text[start:end]) or self._is_excluded(text, start, end):
            return [self._literal_arc(text, start, end, stop, model_scores)]
        if end < stop and self._may_continue(text, start, end, stop, model_scores):
            arcs = self._most_probable(self._search(text, start, min(stop, start + MAX_LENGTH), model_scores))
        elif model_scores:
            arcs = self._most_probable(self._search(text[:end], start, end, model_scores))
        else:
            found = self.token(text[start:end]).arcs
            arcs = [replace(a, start=a.start + start, end=a.end + start) for a in found]
        if start == 0 or not text[start - 1].isalnum():
            literal = self._literal_arc(text, start, end, stop, model_scores)
            others = [literal, *self._model_arcs(text, start, literal.end, model_scores)]
            there = {(arc.end, arc.word) for arc in arcs}
            arcs += [arc for arc in others if (arc.end, arc.word) not in there]
        return arcs

    def _is_excluded(self, text: str, start: int, end: int) -> bool:
        """Tell whether a token is not searched for: half a word before a hyphen, or another script."""
        core = text[start:end].rstrip(EDGE_PUNCTUATION)
        if core[-1:] in HYPHENS or is_initial(text[start:end]):
            return True
        if not self._is_other_script(core):
            return False
        before = text[:start].rstrip()[-1:]
        after = text[end:].lstrip()[:1]
        return _is_tidy(core) or self._is_other_script(before) or self._is_other_script(after)

    def _is_other_script(self, text: str) -> bool:
        """Tell whether there are letters and all are of another script."""
        letters = [c for c in text.lower() if c.isalpha()]
        return bool(letters) and not any(c in self._letters for c in letters)

    def token(self, text: str) -> _Token:
        """Return the arcs of a token taken by itself."""
        known = self._tokens.get(text)
        if known is None:
            arcs = self._most_probable(self._search(text, 0, len(text), None))
            best = max((self._weight(arc) for arc in arcs if arc.word[-1] != "'"), default=-math.inf)
            known = self._tokens[text] = _Token(tuple(arcs), best)
        return known

    def _may_continue(
        self, text: str, start: int, end: int, stop: int, model_scores: ModelScores | None
    ) -> bool:
        """Tell whether the token and the next one may be parts of one word."""
        if self.is_letterspaced:
            return True
        if model_scores:
            return any(not read or read.isalpha() for read in model_scores.alternatives(end))
        if self.token(text[start:end]).best < POOR_SCORE:
            return True
        after = end + 1
        following = text[after : _space_after(text, after, stop)]
        if not following or not following[0].isalpha():
            return False
        return (end - start == 1 and len(following) == 1) or self.token(following).best < POOR_SCORE

    def _weight(self, arc: Arc) -> float:
        return arc.channel + self._lexicon.log_probability(arc.word)

    def _most_probable(self, arcs: Iterable[Arc]) -> list[Arc]:
        """Keep, for each end, the arcs that do not fall far behind the best one."""
        by_end: dict[int, dict[str, Arc]] = defaultdict(dict)
        for arc in arcs:
            known = by_end[arc.end].get(arc.word)
            if known is None or known.channel < arc.channel:
                by_end[arc.end][arc.word] = arc
        kept: list[Arc] = []
        for words in by_end.values():
            weighed = sorted(((-self._weight(arc), word) for word, arc in words.items()))[:MAX_RIVALS]
            kept += [words[word] for loss, word in weighed if loss < weighed[0][0] + PRUNE_MARGIN]
        return kept

    def _search(self, text: str, start: int, stop: int, model_scores: ModelScores | None) -> Iterator[Arc]:
        """Search best-first through the prefixes of the lexicon; a place and prefix is visited once.

        The search ends where the cost is so high that even a common word would fall far behind the best word
        found for the whole token.
        """
        lexicon, max_cost = self._lexicon, self._max_cost
        transitions: dict[int, list[Transition]] = {}
        token_end = start + core_end(text[start : _space_after(text, start, stop)])
        heap: list[_State] = [(0.0, start, "", ())]
        seen: set[tuple[int, str]] = set()
        while heap and len(seen) < MAX_STATES:
            loss, at, prefix, changes = heappop(heap)
            if loss > max_cost:
                return
            if (at, prefix) in seen:
                continue
            seen.add((at, prefix))
            if prefix in lexicon and _may_end(text, at, prefix):
                arc = Arc(start, at, prefix, self._log_word_end(text, at) - loss, _unlink(changes))
                yield arc
                if at >= token_end:
                    max_cost = min(max_cost, SEARCH_MARGIN - self._weight(arc))
            if at not in transitions:
                transitions[at] = self._transitions.at(text, at, stop, model_scores)
            for cost, longer, change in self._longer(prefix, transitions[at], max_cost - loss):
                heappush(heap, (loss + cost, at + change.size, longer, (change, changes)))

    def _longer(
        self, prefix: str, transitions: Iterable[Transition], max_cost: float
    ) -> Iterator[tuple[float, str, Change]]:
        """Yield longer prefixes with the costs and changes of their transitions, up to ``max_cost``."""
        follows = self._lexicon.follows(prefix)
        for cost, letter, change in transitions:
            if cost > max_cost:
                return
            if letter not in follows:
                continue
            longer = prefix + change.after
            if longer and (len(change.after) < 2 or self._lexicon.starts_a_word(longer)):
                yield cost, longer, change

    def _log_word_end(self, text: str, at: int) -> float:
        """Return the natural log probability that a word ends before ``text[at]``, whatever begins there."""
        if at + 1 >= len(text) or text[at] != " " or text[at + 1] in EDGE_PUNCTUATION:
            return 0.0
        return math.log1p(-math.exp(min(-0.05, self._transitions.log_space_inserted(text, at))))

    def _fixed_arc(self, text: str, start: int, end: int, stop: int) -> Arc:
        """Return the arc of the word as it stands, scored as a listed word if it is one."""
        arc = self._literal_arc(text, start, end, stop)
        return replace(arc, unlisted_score=None) if arc.word in self._lexicon else arc

    def _literal_arc(
        self, text: str, start: int, end: int, stop: int, model_scores: ModelScores | None = None
    ) -> Arc:
        """Return the arc of the word as it stands, scored as an unlisted word."""
        end = start + max(1, core_end(text[start:end]))
        piece = text[start:end]
        change = Change(end - start, piece, None)
        cost = model_scores.cost(start, end - start, piece.lower()) if model_scores else 0.0
        channel = self._log_word_end(text[:stop], end) - cost
        return Arc(start, end, piece.lower(), channel, (change,), self._unlisted_score(piece))

    def _model_arcs(self, text: str, start: int, end: int, model_scores: ModelScores | None) -> Iterator[Arc]:
        """Yield the reading of the tagger for the word as it stands, if it is another; it may be unlisted."""
        if model_scores is None:
            return
        pieces = [model_scores.most_probable(i) for i in range(start, end)]
        word = "".join(pieces)
        if word == text[start:end] or not word.isalpha():
            return
        cost, changes = 0.0, []
        for i, piece in enumerate(pieces, start):
            changed = piece != text[i]
            cost += model_scores.cost(i, 1, piece.lower()) + MODEL_ONLY_COST * changed
            changes.append(Change(1, piece, self._transitions.by_model if changed else None))
        unlisted_score = None if word.lower() in self._lexicon else self._unlisted_score(word)
        yield Arc(start, end, word.lower(), -cost, tuple(changes), unlisted_score)


MAX_LENGTH = 40
"""Characters of the longest word searched for over spaces."""


def _is_tidy(word: str) -> bool:
    """Tell whether a word looks as it was set: Latin letters, capitals only where they belong."""
    return word.isascii() and (word.islower() or word.isupper() or word.istitle())


def _space_after(text: str, start: int, stop: int) -> int:
    end = start
    while end < stop and not text[end].isspace():
        end += 1
    return end


def _unlink(changes: _Changes) -> tuple[Change, ...]:
    out: list[Change] = []
    while changes:
        change, changes = changes  # type: ignore[assignment]
        out.append(change)  # type: ignore[arg-type]
    return tuple(reversed(out))


def _may_end(text: str, at: int, word: str) -> bool:
    """Tell whether a word may end before ``text[at]``: no space before, nothing after without a space."""
    if text[at - 1].isspace():
        return False
    return word[-1] == "'" or not text[at : at + 1].isalnum()
