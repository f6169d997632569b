"""Gutters of a page: upright strips near the middle that hardly any word crosses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

from hoyle.document import Box

LARGEST = 1e7
"""Largest place on a page, in pixels or tenths of a millimetre; a page has some thousands."""


def box_of(*numbers: str) -> Box | None:
    """The box that four numbers of a file give.

    Args:
        numbers: as the file has them, in the order of :class:`Box`.

    Returns:
        The box; ``None`` if one of them is no number, or no place on a page.
    """
    try:
        found = [float(number) for number in numbers]
    except ValueError:
        return None
    return Box(*found) if all(abs(place) <= LARGEST for place in found) else None


class Gutter(NamedTuple):
    """The strip between two columns."""

    left: float
    right: float

    @property
    def middle(self) -> float:
        """Halfway between the two."""
        return (self.left + self.right) / 2


class PlacedWord(NamedTuple):
    """A word: its line, its number in it, its box."""

    line: int
    word: int
    box: Box


_MARGIN = 0.2
"""Share of the width at either side in which no gutter is sought."""
_CROSSING = 0.12
"""Share of the rows that may cross a gutter."""
LEAST_ROWS = 6
_LEAST_WIDTH = 0.45
"""Least width of a gutter in heights of a word."""
_BINS = 1500


def deskew(places: list[PlacedWord]) -> list[PlacedWord]:
    """Correct the skew of a page, estimated as the median slope of its lines."""
    rows: dict[int, list[Box]] = {}
    for place in places:
        rows.setdefault(place.line, []).append(place.box)
    slopes = [
        (row[-1].bottom - row[0].bottom) / (row[-1].left - row[0].left)
        for row in rows.values()
        if len(row) > 3 and row[-1].left > row[0].right
    ]
    slope = median(slopes) if len(slopes) >= LEAST_ROWS else 0.0
    return [
        place._replace(
            box=Box(
                place.box.left + slope * place.box.top,
                place.box.top - slope * place.box.left,
                place.box.right + slope * place.box.top,
                place.box.bottom - slope * place.box.left,
            )
        )
        for place in places
    ]


def find_gutters(places: Sequence[PlacedWord], most: int) -> list[Gutter]:
    """Find the gutters between columns.

    Args:
        places: the words of a page.
        most: the largest number of columns.

    Returns:
        The gutters, from left to right.
    """
    found = _gutter([place.box for place in places]) if most > 1 else None
    if found is None:
        return []
    left = [place for place in places if place.box.right <= found.middle]
    right = [place for place in places if place.box.left >= found.middle]
    return [*find_gutters(left, most // 2), found, *find_gutters(right, most // 2)]


def _gutter(boxes: Sequence[Box]) -> Gutter | None:
    """The widest strip between two columns; ``None`` if there is none."""
    if not boxes:
        return None
    start, end = min(box.left for box in boxes), max(box.right for box in boxes)
    scale = (end - start) / _BINS
    height = median(box.bottom - box.top for box in boxes)
    allowed = max(1.0, _CROSSING * _rows(boxes))
    best: Gutter | None = None
    for first, after in _free(_coverage(boxes, start, scale), allowed):
        strip = Gutter(start + first * scale, start + after * scale)
        sides = [[b for b in boxes if b.right <= strip.middle], [b for b in boxes if b.left >= strip.middle]]
        width = strip.right - strip.left
        if width < _LEAST_WIDTH * height or min(_rows(side) for side in sides) < LEAST_ROWS:
            continue
        if _share_of_height(sides, boxes) and (best is None or width > best.right - best.left):
            best = strip
    return best


def _coverage(boxes: Sequence[Box], start: float, scale: float) -> list[int]:
    """How many words lie over each bin of the width."""
    steps = [0] * (_BINS + 2)
    for box in boxes:
        steps[max(0, int((box.left - start) / scale))] += 1
        steps[min(_BINS, int((box.right - start) / scale)) + 1] -= 1
    total, covered = 0, []
    for step in steps[:_BINS]:
        total += step
        covered.append(total)
    return covered


def _free(covered: Sequence[int], allowed: float) -> Iterator[tuple[int, int]]:
    """The stretches of bins away from the margins over which few words lie."""
    low, high = int(_MARGIN * _BINS), int((1 - _MARGIN) * _BINS)
    first: int | None = None
    for at in range(low, high + 1):
        free = at < high and covered[at] <= allowed
        if free and first is None:
            first = at
        elif not free and first is not None:
            yield first, at
            first = None


def _rows(boxes: Sequence[Box]) -> int:
    """How many rows of words there are, wherever their lines were put."""
    if not boxes:
        return 0
    height = median(box.bottom - box.top for box in boxes)
    count, reached = 0, float("-inf")
    for middle in sorted((box.top + box.bottom) / 2 for box in boxes):
        if middle > reached + 0.6 * height:
            count += 1
            reached = middle
    return count


def _share_of_height(sides: Sequence[Sequence[Box]], boxes: Sequence[Box]) -> bool:
    """Whether both sides stand beside each other for a good part of the page."""
    spans = [(min(b.top for b in side), max(b.bottom for b in side)) for side in sides]
    shared = min(b for _, b in spans) - max(a for a, _ in spans)
    return shared > 0.3 * (max(b.bottom for b in boxes) - min(b.top for b in boxes))
