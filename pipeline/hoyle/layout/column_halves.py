"""Printed lines read across two columns, line ends kept: each is cut into its two halves.

Every line of such a page is a line of the left column and one of the right. Where one ends and
the other begins is found for the whole page at once (Viterbi): each half must go on from the half
above it (sequences of letters; a hyphen joins), what is cut apart must not belong together, and
the halves of full lines are about as long from line to line.
"""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from hoyle.document import Span
from hoyle.resources.letters import LONGEST, Letters

_WORD = re.compile(r"\S+")
_AHEAD = 10
"""Symbols of a half that are judged against the end of the half above it."""
_STATES = 8
_ROUNDS = 3
"""Times the widths of the columns are taken anew from the halves found."""
_WORST_FIT, _EMPTY, _SHORT = -40.0, -7.0, -3.0
"""Bounds (natural log) on what a half's length costs: any, an empty one, a paragraph's last line."""
_CASE = -1.0
"""A capital after no stop, or a small letter after one."""
_SIGNS = frozenset("§№")
"""They stand before a number, on its line."""
_RULE = "|¦ "
_AFTER_RULE = 30.0
"""Gain of a cut where the rule between the columns was read: more than two unlikely joins."""
_NARROWEST_SPREAD = 2.5
_ENDS_SENTENCE = frozenset(".!?…:»—")


class Halves(NamedTuple):
    """Where the right half of each line begins (raw offset; the line's end if it has none).

    ``gain`` is natural log a line, against the lines as they stand.
    """

    cuts: tuple[int, ...]
    gain: float

    @property
    def confidence(self) -> float:
        """How sure the order is, as a probability."""
        return round(1 - math.exp(-self.gain / 4), 2)


class _Widths(NamedTuple):
    left: float
    right: float
    spread: float


class _Way(NamedTuple):
    """A way to cut the lines so far: its score, the last half of each column, the cuts."""

    score: float
    left: str
    right: str
    cuts: tuple[int, ...]


class _Page:
    def __init__(self, text: str, lines: Sequence[Span], letters: Letters) -> None:
        self._letters = letters
        self.lines = lines
        self.texts = [text[slice(*line)] for line in lines]
        self.words = [[m.span() for m in _WORD.finditer(t)] for t in self.texts]
        lengths = sorted(map(len, self.texts))
        self.width = float(lengths[len(lengths) * 4 // 5])
        self._joins: dict[tuple[str, str], float] = {}

    def join(self, before: str, after: str) -> float:
        """Natural log score of ``after`` going on from ``before``."""
        key = (before[-2 * LONGEST :], after[: 2 * _AHEAD])
        if key not in self._joins:
            self._joins[key] = self._join(*key)
        return self._joins[key]

    def _join(self, before: str, after: str) -> float:
        head = self._letters.fold(after).strip()[:_AHEAD]
        tail = self._letters.fold(before).strip()[-LONGEST:]
        if not head or not tail:
            return 0.0
        if before[-1] == "-":
            return self._letters.log_probability(head, tail) * _AHEAD / len(head)
        score = self._letters.log_probability(head, tail + " ") * _AHEAD / len(head)
        opens = after[0].isupper() or after[0] in _SIGNS
        return score + (_CASE if opens != (before[-1] in _ENDS_SENTENCE) else 0.0)

    def halves(self, line: int, cut: int) -> tuple[str, str]:
        """A line cut before its word number ``cut``."""
        text, words = self.texts[line], self.words[line]
        left = text[: words[cut - 1][1]].rstrip(_RULE) if cut else ""
        right = text[words[cut][0] :] if cut < len(words) else ""
        return left, right

    def rule_before(self, line: int, cut: int) -> bool:
        """Whether the rule between the columns was read before word number ``cut``."""
        return self.texts[line][slice(*self.words[line][cut - 1])] in _RULE


def cut_lines(text: str, lines: Sequence[Span], letters: Letters) -> Halves:
    """Cut each line of a page into its two halves.

    Args:
        text: the raw text.
        lines: spans of the page's lines, ends trimmed, none empty.
        letters: of the language.
    """
    page = _Page(text, lines, letters)
    widths = _Widths(page.width / 2, page.width / 2, page.width / 10)
    for _ in range(_ROUNDS):
        way = _best(page, widths)
        widths = _measured(page, way.cuts, widths)
    way = _best(page, widths)
    stands = sum(page.join(a, b) for a, b in zip(page.texts, page.texts[1:], strict=False))
    starts = [
        line.start + words[cut][0] if cut < len(words) else line.end
        for line, words, cut in zip(lines, page.words, way.cuts, strict=True)
    ]
    return Halves(tuple(starts), (way.score - stands) / len(lines))


def _best(page: _Page, widths: _Widths) -> _Way:
    ways = [_Way(0.0, "", "", ())]
    for line in range(len(page.lines)):
        reached: list[_Way] = []
        for cut in range(len(page.words[line]) + 1):
            left, right = page.halves(line, cut)
            own = _fit(left, widths.left, widths.spread) + _fit(right, widths.right, widths.spread)
            if left and right:
                own += _AFTER_RULE if page.rule_before(line, cut) else -page.join(left, right)
            reached.append(
                max((_onward(page, way, left, right, own, cut) for way in ways), key=lambda w: w.score)
            )
        ways = sorted(reached, key=lambda way: -way.score)[:_STATES]
    return ways[0]


def _onward(page: _Page, way: _Way, left: str, right: str, own: float, cut: int) -> _Way:
    score = way.score + own
    score += page.join(way.left, left) if left and way.left else 0.0
    score += page.join(way.right, right) if right and way.right else 0.0
    return _Way(score, left or way.left, right or way.right, (*way.cuts, cut))


def _fit(half: str, width: float, spread: float) -> float:
    score = -0.5 * ((len(half) - width) / spread) ** 2
    if not half:
        return max(score, _EMPTY)
    if half[-1] in _SIGNS:
        return _WORST_FIT
    if len(half) < width and half[-1] in _ENDS_SENTENCE:
        return max(score, _SHORT)
    return max(score, _WORST_FIT)


def _measured(page: _Page, cuts: Sequence[int], widths: _Widths) -> _Widths:
    """The widths of the columns by the full lines that are cut."""
    halves = [page.halves(line, cut) for line, cut in enumerate(cuts)]
    full = [(len(a), len(b)) for a, b in halves if a and b and len(a) + len(b) > 0.8 * page.width]
    if not full:
        return widths
    left, right = (statistics.median(column) for column in zip(*full, strict=True))
    spread = 1 + 1.5 * statistics.median(abs(a - left) for a, _ in full)
    return _Widths(left, right, max(_NARROWEST_SPREAD, min(widths.spread, spread)))
