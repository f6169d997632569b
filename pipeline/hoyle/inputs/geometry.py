"""Columns of a page, from the boxes of its words.

A gutter is an upright strip near the middle that hardly any word crosses. Words are put right for
the skew of the page first. What crosses a gutter on purpose (a heading over both columns, a page
number at the head) parts the page into bands, read one after the other; a single full line that
crosses it is two words of two columns run together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from hoyle.document import Box
from hoyle.inputs.gutters import LEAST_ROWS, PlacedWord, deskew, find_gutters


class LineSegment(NamedTuple):
    """Words ``first`` to ``after`` (excluded) of line ``line``, and the column they stand in."""

    line: int
    first: int
    after: int
    column: str


class PageOrder(NamedTuple):
    """The parts of a page in reading order; line and word of each rule between columns."""

    parts: list[LineSegment]
    rules: frozenset[tuple[int, int]]


_FULL = 0.7
"""Share of the width from which on a line that crosses a gutter belongs to both columns."""
_MOST_COLUMNS = 4
_HEAD_GAP = 1.6
"""Distance between a head and the first row of text, in usual distances of rows."""
_SIDES = ("left", "right")


def reading_order(
    lines: Sequence[Sequence[Box | None]], signs: Collection[tuple[int, int]] = ()
) -> PageOrder:
    """The words of a page in reading order.

    Args:
        lines: the boxes of the words, line by line, as the file has them.
        signs: line and word of what may be the rule between two columns, read as a sign.

    Returns:
        Every word once; whole lines in the order given where the page has one column, or where
        the boxes of some words are missing.
    """
    whole = PageOrder([LineSegment(at, 0, len(line), "") for at, line in enumerate(lines)], frozenset())
    places = [
        PlacedWord(at, n, box)
        for at, line in enumerate(lines)
        for n, box in enumerate(line)
        if box is not None and box.right > box.left and box.bottom > box.top
    ]
    if len(places) < sum(map(len, lines)) or not places:
        return whole
    places = deskew(places)
    words = [place for place in places if (place.line, place.word) not in signs]
    gutters = find_gutters(words, _MOST_COLUMNS)
    if not gutters:
        return whole
    height = median(place.box.bottom - place.box.top for place in words)
    rules = {
        (place.line, place.word): gutter.middle
        for place in places
        for gutter in gutters
        if (place.line, place.word) in signs
        and gutter.left - height / 2 < _centre(place.box) < gutter.right + height / 2
    }
    # A rule goes with the line to its left.
    placed = [_left_of(place, rules.get((place.line, place.word))) for place in places]
    return PageOrder([*_parts(_bands(placed, [gutter.middle for gutter in gutters]))], frozenset(rules))


def _left_of(place: PlacedWord, cut: float | None) -> PlacedWord:
    if cut is None:
        return place
    return place._replace(box=place.box._replace(left=cut - 1, right=cut))


def _centre(box: Box) -> float:
    return (box.left + box.right) / 2


# --- bands -------------------------------------------------------------------------------------


def _bands(
    places: Sequence[PlacedWord], gutters: Sequence[float]
) -> list[list[tuple[str, list[PlacedWord]]]]:
    """The words band by band, column by column; what crosses the gutters is a band of its own."""
    across = _across(places, gutters) | _head_and_foot(places)
    wide = [place for place in places if place.line in across]
    narrow = [place for place in places if place.line not in across]
    cuts = sorted({_middle(place.box) for place in wide})
    bands: list[list[tuple[str, list[PlacedWord]]]] = []
    groups: list[tuple[float, float]] = []
    for cut in cuts:
        # Crossing rows with nothing between them are one band.
        between = [p for p in narrow if groups and groups[-1][1] < _middle(p.box) < cut]
        if groups and not between:
            groups[-1] = (groups[-1][0], cut)
        else:
            groups.append((cut, cut))
    floor = float("-inf")
    for first, last in [*groups, (float("inf"), float("inf"))]:
        beside = [place for place in narrow if floor < _middle(place.box) <= first]
        if beside:
            bands.append(_split(beside, gutters))
        if over := [place for place in wide if first <= _middle(place.box) <= last]:
            bands.append([("", over)])
        floor = last
    return bands


def _split(places: Sequence[PlacedWord], gutters: Sequence[float]) -> list[tuple[str, list[PlacedWord]]]:
    names = _SIDES if len(gutters) == 1 else tuple(str(n) for n in range(1, len(gutters) + 2))
    ends = [*gutters, float("inf")]
    found: list[tuple[str, list[PlacedWord]]] = []
    for name, start, end in zip(names, [float("-inf"), *gutters], ends, strict=True):
        mine = [p for p in places if start <= _centre(p.box) < end]
        if mine:
            found.append((name, mine))
    return found


def _across(places: Sequence[PlacedWord], gutters: Sequence[float]) -> set[int]:
    """The lines that cross a gutter on purpose: not full, or next to others that cross it."""
    crossing: dict[int, list[Box]] = {}
    height = median(place.box.bottom - place.box.top for place in places)
    for place in places:
        margin = 0.25 * height
        if any(place.box.left + margin < cut < place.box.right - margin for cut in gutters):
            crossing.setdefault(place.line, []).append(place.box)
    width = max(p.box.right for p in places) - min(p.box.left for p in places)
    found: set[int] = set()
    for line in crossing:
        row = [place.box for place in places if place.line == line]
        full = max(b.right for b in row) - min(b.left for b in row) >= _FULL * width
        if not full or line - 1 in crossing or line + 1 in crossing:
            found.add(line)
    return found


def _head_and_foot(places: Sequence[PlacedWord]) -> set[int]:
    """The lines of the first and the last row where they stand apart from the rest."""
    rows: list[list[PlacedWord]] = []
    height = median(place.box.bottom - place.box.top for place in places)
    for place in sorted(places, key=lambda p: _middle(p.box)):
        if rows and _middle(place.box) - _middle(rows[-1][0].box) < 0.6 * height:
            rows[-1].append(place)
        else:
            rows.append([place])
    tops = [median(_middle(p.box) for p in row) for row in rows]
    steps = [b - a for a, b in pairwise(tops)]
    if len(steps) < LEAST_ROWS:
        return set()
    apart = _HEAD_GAP * median(steps)
    found: set[int] = set()
    for row, step in ((rows[0], steps[0]), (rows[-1], steps[-1])):
        if step >= apart:
            found |= {place.line for place in row}
    return found


def _middle(box: Box) -> float:
    return (box.top + box.bottom) / 2


# --- reading order -----------------------------------------------------------------------------


def _parts(bands: Sequence[Sequence[tuple[str, list[PlacedWord]]]]) -> Iterator[LineSegment]:
    for band in bands:
        for column, places in band:
            yield from _rows_of(places, column)


def _rows_of(places: Sequence[PlacedWord], column: str) -> Iterator[LineSegment]:
    """The words of one column row by row; what the file has in one line stays together."""
    runs: list[list[PlacedWord]] = []
    for place in sorted(places, key=lambda p: (p.line, p.word)):
        if runs and runs[-1][-1].line == place.line and runs[-1][-1].word + 1 == place.word:
            runs[-1].append(place)
        else:
            runs.append([place])
    height = median(place.box.bottom - place.box.top for place in places)
    runs.sort(key=lambda run: median(_middle(place.box) for place in run))
    rows: list[list[list[PlacedWord]]] = []
    for run in runs:
        middle = median(_middle(place.box) for place in run)
        if rows and middle - median(_middle(p.box) for p in rows[-1][0]) < 0.5 * height:
            rows[-1].append(run)
        else:
            rows.append([run])
    for row in rows:
        for run in sorted(row, key=lambda run: run[0].box.left):
            yield LineSegment(run[0].line, run[0].word, run[-1].word + 1, column)
