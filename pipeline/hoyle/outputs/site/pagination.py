"""Where a long document is cut into several pages, so that a page of any book opens at once.

A page is weighed before it is written, by what its markup is made of (see ``site_text``); the
figures are those of the built pages, a little rounded up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from hoyle.document import Clause, Unit
from hoyle.outputs.site.text import Parts

LIMIT = 850_000
"""Bytes that the texts of one page may weigh; with head, contents and foot it stays under 1 MB."""
UNIT = 220
"""Bytes around the text of one unit."""
WORD = 52
"""Bytes around the readings of one changed word."""
MARK = 150
"""Bytes of a tag or a reference: its words marked, its place in the margin."""


def weight(parts: Parts, marks: int) -> int:
    """About how many bytes of HTML a unit makes.

    Args:
        parts: the text of the unit.
        marks: how many tags and references it has.
    """
    total = UNIT + MARK * marks
    for atom in chain.from_iterable(parts):
        readings = {atom.raw, atom.corrected, atom.modern} if atom.changed else {atom.raw}
        total += sum(len(text.encode(errors="replace")) for text in readings) + WORD * atom.changed
    return total


def sheets(units: Sequence[Unit], weights: Sequence[int], limit: int = LIMIT) -> Iterator[list[Unit]]:
    """The units of each page, in order.

    All pages weigh about the same. A page begins with a heading if there is one near the end of the
    last page, else with a clause that is no part of another one; only where neither comes in time, anywhere.

    Args:
        units: of the document, in reading order.
        weights: of each unit.
        limit: what a page may weigh; only a unit heavier than that makes a heavier page.
    """
    total = sum(weights)
    aim = total / max(1, -(-total // limit))
    page: list[Unit] = []
    here = 0
    for unit, begins, heavy in zip(units, _beginnings(units), weights, strict=True):
        wanted = {2: aim * 0.8, 1: aim}.get(begins, limit)
        if page and total > limit and (here + heavy > limit or here + heavy / 2 >= wanted):
            yield page
            total -= here
            page, here = [], 0
        page.append(unit)
        here += heavy
    if page:
        yield page


def _beginnings(units: Sequence[Unit]) -> Iterator[int]:
    """How well a page may begin with each unit: 2 a heading, 1 a clause of its own, 0 anything else."""
    outer: Clause | None = None
    for unit in units:
        if not isinstance(unit, Clause):
            yield 2 if unit.kind == "heading" else 0
        elif outer and holds(outer, unit):
            yield 0
        else:
            outer = unit
            yield 1


def holds(outer: Clause, inner: Clause) -> bool:
    """Whether ``inner`` is numbered as a part of ``outer``."""
    depth = len(outer.number)
    return outer.series == inner.series and len(inner.number) > depth and inner.number[:depth] == outer.number
