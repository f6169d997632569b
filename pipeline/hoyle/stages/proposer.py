"""Proposes words of a lexicon for damaged text, by a search through its prefixes.

Most of the work is done once for each kind of token: what may begin at a character and end before the
next space. Only where words are torn or letterspaced does the search go on over the spaces.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from heapq import heappop, heappush
from operator import itemgetter
from typing import NamedTuple, Protocol, TypeAlias

from hoyle.resources import Lexicon
from hoyle.stages.channel import Channel, Rule
from hoyle.stages.lattice import EDGES, HOPELESS, Arc, Change

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

_NUMBER = re.compile(r"\d[\d.,:/-]*(?:-[^\W\d_]{1,3}|er|ère|re|e|ème|me|nd|o)?°?|[IVXLCDMІ]+|[ivxlcdm]{2,}")
_CLOSED = Rule(" ", "", 0.0, "")

_Changes: TypeAlias = tuple[object, ...]
_State: TypeAlias = tuple[float, int, str, _Changes]
"""Loss so far (negative log), place, prefix, changes as a linked list."""


_Step: TypeAlias = tuple[float, str, Change]
"""Cost (negative log), the first letter it adds ("" if none), what it does."""


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
        self._chars: dict[str, tuple[list[_Step], list[tuple[str, _Step]]]] = {}

    @property
    def is_letterspaced(self) -> bool:
        """Whether the document sets letters apart so often that any two of its words may be one."""
        return self._channel.space_inserted > _OFTEN

    def propose(self, text: str, start: int, stop: int, firm: Container[int] = ()) -> list[Arc]:
        """See :class:`hoyle.stages.lattice.Proposer`; the word as it stands is always proposed."""
        end = _space_after(text, start, stop)
        if start in firm:
            return [self._firm(text, start, end, stop)]
        if is_number(text[start:end]) or self._stays(text, start, end):
            return [self._literal(text, start, end, stop)]
        token = self.token(text[start:end])
        if end < stop and self._may_be_torn(text, start, end, stop, token):
            arcs = self._likeliest(self._search(text, start, min(stop, start + LONGEST)))
        else:
            arcs = [replace(a, start=a.start + start, end=a.end + start) for a in token.arcs]
        if start == 0 or not text[start - 1].isalnum():
            literal = self._literal(text, start, end, stop)
            if all((arc.end, arc.word) != (literal.end, literal.word) for arc in arcs):
                arcs.append(literal)
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
            arcs = self._likeliest(self._search(text, 0, len(text)))
            best = max((self._weight(arc) for arc in arcs if arc.word[-1] != "'"), default=-math.inf)
            known = self._tokens[text] = _Token(tuple(arcs), best)
        return known

    def _may_be_torn(self, text: str, start: int, end: int, stop: int, token: _Token) -> bool:
        """Whether the token and the next one may be parts of one word."""
        if token.best < POOR or self.is_letterspaced:
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

    def _search(self, text: str, start: int, stop: int) -> Iterator[Arc]:
        """Best-first search through the prefixes of the lexicon; a place and prefix is seen once.

        It ends where the loss is so high that even a common word would fall far behind the best word
        found for the whole token.
        """
        lexicon, most = self._lexicon, self._most
        steps: dict[int, list[_Step]] = {}
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
                steps[at] = self._steps(text, at, stop)
            for cost, longer, change in self._longer(prefix, steps[at], most - loss):
                heappush(heap, (loss + cost, at + change.size, longer, (change, changes)))

    def _longer(
        self, prefix: str, steps: Iterable[_Step], most: float
    ) -> Iterator[tuple[float, str, Change]]:
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

    def _steps(self, text: str, at: int, stop: int) -> list[_Step]:
        """What may stand behind ``text[at]``, cheapest first: itself, a closed gap, every confusion."""
        if at >= stop:
            return []
        char = text[at]
        if char == " ":
            closable = at + 1 < stop and text[at + 1] not in EDGES and not text[at + 1].isspace()
            return [(-_space(text, at, self._channel), "", Change(1, "", _CLOSED))] if closable else []
        always, longer = self._of_char(char)
        met = [step for ocr, step in longer if _matches(text, at, ocr, stop)]
        return sorted([*always, *met], key=itemgetter(0)) if met else always

    def _of_char(self, char: str) -> tuple[list[_Step], list[tuple[str, _Step]]]:
        """Steps for the character alone, cheapest first, and each group that begins with it with its step."""
        known = self._chars.get(char)
        if known is None:
            small = char.lower()
            rules = self._channel.rules
            found = [*rules.get(char, ()), *(rules.get(small, ()) if small != char else ())]
            steps = [
                (rule.ocr, (-rule.log_rate, rule.print[:1], Change(len(rule.ocr), rule.print, rule)))
                for rule in found
                if -rule.log_rate <= self._most
            ]
            alone = [step for ocr, step in steps if len(ocr) == 1]
            if char.isalnum() or char in "'’":
                itself = "'" if char == "’" else small
                alone.append((0.0, itself[:1], Change(1, itself, None)))
            longer = [(ocr, step) for ocr, step in steps if len(ocr) > 1]
            known = self._chars[char] = (sorted(alone, key=itemgetter(0)), longer)
        return known

    def _end(self, text: str, at: int) -> float:
        """Log probability that a word ends before ``text[at]``, whatever begins there."""
        if at + 1 >= len(text) or text[at] != " " or text[at + 1] in EDGES:
            return 0.0
        return math.log1p(-math.exp(min(-0.05, _space(text, at, self._channel))))

    def _firm(self, text: str, start: int, end: int, stop: int) -> Arc:
        """What stands there, weighed like any other word if it is one of the list."""
        arc = self._literal(text, start, end, stop)
        return replace(arc, own=None) if arc.word in self._lexicon else arc

    def _literal(self, text: str, start: int, end: int, stop: int) -> Arc:
        """What stands there, as a word of no list."""
        end = start + max(1, _core_end(text[start:end]))
        piece = text[start:end]
        change = Change(end - start, piece, None)
        return Arc(start, end, piece.lower(), self._end(text[:stop], end), (change,), self._unlisted(piece))


HYPHENS = "-¬\u00ad"
LONGEST = 40
"""Characters of the longest word looked for over spaces."""


def is_initial(token: str) -> bool:
    """Whether a token is a letter with a point, as of a name or an abbreviation (``M.``)."""
    return len(token) == 2 and token[0].isalpha() and token[1] == "."


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


def _matches(text: str, at: int, ocr: str, stop: int) -> bool:
    return at + len(ocr) <= stop and (text.startswith(ocr, at) or text[at : at + len(ocr)].lower() == ocr)


def _space(text: str, at: int, channel: Channel) -> float:
    """Log probability that the space at ``at`` was put into a word."""
    left, right = _run(text, at, -1), _run(text, at, 1)
    if left == 1 and right == 1:
        return -0.35
    if left <= 2 and right <= 2:
        return -1.2
    if left <= 1 or right <= 1:
        return max(-3.0, channel.space_inserted)
    return channel.space_inserted


def _run(text: str, at: int, step: int) -> int:
    """How many letters stand next to the space at ``at`` on one side (4 stands for more)."""
    size = 0
    at += step
    while 0 <= at < len(text) and size < 4 and text[at].isalnum():
        size += 1
        at += step
    return size
