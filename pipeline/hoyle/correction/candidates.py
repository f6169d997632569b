"""Proposes words of a lexicon for damaged text, by a search through its prefixes.

Most of the work is done once for each kind of token: what may begin at a character and end before the
next space. Only where words are torn or letterspaced does the search go on over the spaces.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from heapq import heappop, heappush
from typing import NamedTuple, Protocol, TypeAlias

from hoyle.correction.channel import Channel
from hoyle.correction.lattice import EDGES, HOPELESS, Arc, Change, Window
from hoyle.correction.model_scores import STRANGE, Witness
from hoyle.correction.transitions import Step, Steps
from hoyle.resources import Lexicon

MOST_STATES = 200
"""How many prefixes are looked at from one character."""

RIVALS = 6
"""How many words are proposed for the same stretch of text."""

REACH = 0.0
"""How far (log) the channel may stay behind the best word found; that word's own probability is set
against the one of a common word, so the true reach is some 5."""

POOR = -17.0
"""A token none of whose readings is more probable (log) than this may be torn, or two words run on."""

_OFTEN = -5.5
"""Log rate of inserted spaces above which any two words of a document may be one."""

_INITIALS = re.compile(r"[^\W\d_]\.(?:[^\W\d_]\.)*[^\W\d_]?")
_ORDINAL = "er|ère|re|e|ème|me|nd|o"
_NUMBER = re.compile(
    rf"\d[\d.,:/-]*(?:-[^\W\d_]{{1,3}}|{_ORDINAL})?°?"
    rf"|[IVXLCDMІ]+|[IVXLCDM]{{2,}}(?:{_ORDINAL})|I(?:er|re)|[ivxlcdm]{{2,}}"
)

_Changes: TypeAlias = tuple[object, ...]
_State: TypeAlias = tuple[float, int, str, _Changes]
"""Loss so far (negative log), place, prefix, changes as a linked list."""


class Unlisted(Protocol):
    """Weighs a word that is in no list."""

    def __call__(self, word: str) -> float:
        """Natural log probability of the word (as it stands, capitals and all)."""


class _Token(NamedTuple):
    """What a token (up to the next space) can be: arcs from its first character, and the best weight."""

    arcs: tuple[Arc, ...]
    best: float


class LexiconProposer:
    """Proposes the words of the lexicon that the channel can have turned into the text.

    Args:
        lexicon: the words of the orthography.
        channel: the channel of the document.
        letters: the alphabet of the orthography, small letters.
        unlisted: gives the log probability of a word that is in no list.
        most: negative log probability of the channel above which no word is proposed.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        channel: Channel,
        letters: frozenset[str],
        unlisted: Unlisted,
        most: float = 13.0,
    ) -> None:
        self._lexicon = lexicon
        self._channel = channel
        self._letters = letters
        self._unlisted = unlisted
        self._most = most
        self._tokens: dict[str, _Token] = {}
        self._steps = Steps(channel, most)

    @property
    def is_letterspaced(self) -> bool:
        """Whether the document sets letters apart so often that any two of its words may be one."""
        return self._channel.space_inserted > _OFTEN

    def propose(self, window: Window, start: int) -> list[Arc]:
        """See :class:`hoyle.correction.lattice.Proposer`; the word as it stands is always proposed."""
        text, _, stop, firm, witness = window
        end = _space_after(text, start, stop)
        if start in firm:
            return [self._firm(text, start, end, stop)]
        if is_number(text[start:end]) or self._stays(text, start, end):
            return [self._literal(text, start, end, stop, witness)]
        if end < stop and self._may_be_torn(text, start, end, stop, witness):
            arcs = self._likeliest(self._search(text, start, min(stop, start + LONGEST), witness))
        elif witness:
            arcs = self._likeliest(self._search(text[:end], start, end, witness))
        else:
            found = self.token(text[start:end]).arcs
            arcs = [replace(a, start=a.start + start, end=a.end + start) for a in found]
        if start == 0 or not text[start - 1].isalnum():
            literal = self._literal(text, start, end, stop, witness)
            others = [literal, *self._read(text, start, literal.end, witness)]
            there = {(arc.end, arc.word) for arc in arcs}
            arcs += [arc for arc in others if (arc.end, arc.word) not in there]
        return arcs

    def _stays(self, text: str, start: int, end: int) -> bool:
        """Whether a token is beyond this lexicon: half a word before a hyphen, or a foreign word."""
        core = text[start:end].rstrip(EDGES)
        if core[-1:] in HYPHENS or is_initial(text[start:end]):
            return True
        if not self._is_foreign(core):
            return False
        before = text[:start].rstrip()[-1:]
        after = text[end:].lstrip()[:1]
        return _is_tidy(core) or self._is_foreign(before) or self._is_foreign(after)

    def _is_foreign(self, text: str) -> bool:
        """Whether there are letters and all are of another alphabet."""
        letters = [c for c in text.lower() if c.isalpha()]
        return bool(letters) and not any(c in self._letters for c in letters)

    def token(self, text: str) -> _Token:
        """What a token, taken by itself, can be."""
        known = self._tokens.get(text)
        if known is None:
            arcs = self._likeliest(self._search(text, 0, len(text), None))
            best = max((self._weight(arc) for arc in arcs if arc.word[-1] != "'"), default=-math.inf)
            known = self._tokens[text] = _Token(tuple(arcs), best)
        return known

    def _may_be_torn(self, text: str, start: int, end: int, stop: int, witness: Witness | None) -> bool:
        """Whether the token and the next one may be parts of one word."""
        if self.is_letterspaced:
            return True
        if witness:
            return any(not read or read.isalpha() for read in witness.named(end))
        if self.token(text[start:end]).best < POOR:
            return True
        after = end + 1
        following = text[after : _space_after(text, after, stop)]
        if not following or not following[0].isalpha():
            return False
        return (end - start == 1 and len(following) == 1) or self.token(following).best < POOR

    def _weight(self, arc: Arc) -> float:
        return arc.channel + self._lexicon.log_probability(arc.word)

    def _likeliest(self, arcs: Iterable[Arc]) -> list[Arc]:
        """For each end, the arcs that do not fall far behind the best one."""
        by_end: dict[int, dict[str, Arc]] = defaultdict(dict)
        for arc in arcs:
            known = by_end[arc.end].get(arc.word)
            if known is None or known.channel < arc.channel:
                by_end[arc.end][arc.word] = arc
        kept: list[Arc] = []
        for words in by_end.values():
            weighed = sorted(((-self._weight(arc), word) for word, arc in words.items()))[:RIVALS]
            kept += [words[word] for loss, word in weighed if loss < weighed[0][0] + HOPELESS]
        return kept

    def _search(self, text: str, start: int, stop: int, witness: Witness | None) -> Iterator[Arc]:
        """Best-first search through the prefixes of the lexicon; a place and prefix is seen once.

        It ends where the loss is so high that even a common word would fall far behind the best word
        found for the whole token.
        """
        lexicon, most = self._lexicon, self._most
        steps: dict[int, list[Step]] = {}
        token_end = start + _core_end(text[start : _space_after(text, start, stop)])
        heap: list[_State] = [(0.0, start, "", ())]
        seen: set[tuple[int, str]] = set()
        while heap and len(seen) < MOST_STATES:
            loss, at, prefix, changes = heappop(heap)
            if loss > most:
                return
            if (at, prefix) in seen:
                continue
            seen.add((at, prefix))
            if prefix in lexicon and _may_end(text, at, prefix):
                arc = Arc(start, at, prefix, self._end(text, at) - loss, _unlink(changes))
                yield arc
                if at >= token_end:
                    most = min(most, REACH - self._weight(arc))
            if at not in steps:
                steps[at] = self._steps.at(text, at, stop, witness)
            for cost, longer, change in self._longer(prefix, steps[at], most - loss):
                heappush(heap, (loss + cost, at + change.size, longer, (change, changes)))

    def _longer(self, prefix: str, steps: Iterable[Step], most: float) -> Iterator[tuple[float, str, Change]]:
        """The prefixes that the steps make of one, with what they cost and do, up to a cost of ``most``."""
        follows = self._lexicon.follows(prefix)
        for cost, letter, change in steps:
            if cost > most:
                return
            if letter not in follows:
                continue
            longer = prefix + change.after
            if longer and (len(change.after) < 2 or self._lexicon.starts_a_word(longer)):
                yield cost, longer, change

    def _end(self, text: str, at: int) -> float:
        """Log probability that a word ends before ``text[at]``, whatever begins there."""
        if at + 1 >= len(text) or text[at] != " " or text[at + 1] in EDGES:
            return 0.0
        return math.log1p(-math.exp(min(-0.05, self._steps.space(text, at))))

    def _firm(self, text: str, start: int, end: int, stop: int) -> Arc:
        """What stands there, weighed like any other word if it is one of the list."""
        arc = self._literal(text, start, end, stop)
        return replace(arc, own=None) if arc.word in self._lexicon else arc

    def _literal(self, text: str, start: int, end: int, stop: int, witness: Witness | None = None) -> Arc:
        """What stands there, as a word of no list."""
        end = start + max(1, _core_end(text[start:end]))
        piece = text[start:end]
        change = Change(end - start, piece, None)
        cost = witness.cost(start, end - start, piece.lower()) if witness else 0.0
        channel = self._end(text[:stop], end) - cost
        return Arc(start, end, piece.lower(), channel, (change,), self._unlisted(piece))

    def _read(self, text: str, start: int, end: int, witness: Witness | None) -> Iterator[Arc]:
        """What the net makes of the word that stands there, if it is another; it may be in no list."""
        if witness is None:
            return
        pieces = [witness.reading(i) for i in range(start, end)]
        word = "".join(pieces)
        if word == text[start:end] or not word.isalpha():
            return
        cost, changes = 0.0, []
        for i, piece in enumerate(pieces, start):
            changed = piece != text[i]
            cost += witness.cost(i, 1, piece.lower()) + STRANGE * changed
            changes.append(Change(1, piece, self._steps.by_net if changed else None))
        own = None if word.lower() in self._lexicon else self._unlisted(word)
        yield Arc(start, end, word.lower(), -cost, tuple(changes), own)


HYPHENS = "-¬\u00ad"
LONGEST = 40
"""Characters of the longest word looked for over spaces."""


def is_initial(token: str) -> bool:
    """Whether a token is letters with a point each, as of a name or an abbreviation (``M.``, ``P.T.T.``)."""
    return bool(_INITIALS.fullmatch(token))


def _is_tidy(word: str) -> bool:
    """Whether a word looks like one that was set so: Latin letters, capitals only where they belong."""
    return word.isascii() and (word.islower() or word.isupper() or word.istitle())


def is_number(token: str) -> bool:
    """Whether a token is a number, with an ending (``5-ти``) or a Roman one, and no word."""
    return bool(_NUMBER.fullmatch(token.strip(EDGES)))


def _space_after(text: str, start: int, stop: int) -> int:
    end = start
    while end < stop and not text[end].isspace():
        end += 1
    return end


def _core_end(token: str) -> int:
    """Where the signs at the end of a token begin."""
    return len(token.rstrip(EDGES))


def _unlink(changes: _Changes) -> tuple[Change, ...]:
    out: list[Change] = []
    while changes:
        change, changes = changes  # type: ignore[assignment]
        out.append(change)  # type: ignore[arg-type]
    return tuple(reversed(out))


def _may_end(text: str, at: int, word: str) -> bool:
    """Whether a word may end before ``text[at]``: nothing follows it there without a space."""
    return word[-1] == "'" or not text[at : at + 1].isalnum()
