"""The cross-references of a document as a picture: clauses down the page, an arc a reference.

References onward (to a later clause) are drawn at the right, references back at the left, so that
the direction is seen without colour; the table under the picture says the same in words.
"""

from __future__ import annotations

from dataclasses import dataclass

from hoyle.outputs.site.document import Edition

ROW = 26
"""Height of a clause's row, in units of the picture."""
HALF = 34
"""Half the width of the column of numbers."""
WORDS = 460
"""Room for the first words of a clause at the right."""
REACH = 250
"""How far the widest arc may bulge."""


@dataclass(frozen=True, slots=True)
class Node:
    """A clause that refers or is referred to, and the place of its number."""

    id: str
    n: str
    href: str
    preview: str
    y: int


@dataclass(frozen=True, slots=True)
class Arc:
    """A reference between two clauses: its path in the picture, and what it says."""

    path: str
    status: str
    label: str


@dataclass(frozen=True, slots=True)
class Network:
    """The picture and its view box; ``middle`` and ``words`` are where numbers and first words stand."""

    nodes: tuple[Node, ...]
    arcs: tuple[Arc, ...]
    width: int
    height: int
    middle: int
    words: int


def network(edition: Edition) -> Network | None:
    """The picture of a document's references; None where no two clauses refer to one another."""
    links = dict.fromkeys(
        (ref.unit, ref.target, ref.status)
        for ref in edition.document.references
        if ref.unit in edition.units and ref.target in edition.units
    )
    ends = {end for source, target, _ in links for end in (source, target)}
    order = [unit.id for unit in edition.document.units if unit.id in ends]
    if not order:
        return None
    row = {name: number for number, name in enumerate(order)}
    left = max((_bulge(row[s] - row[t]) for s, t, _ in links if row[s] >= row[t]), default=0)
    right = max((_bulge(row[t] - row[s]) for s, t, _ in links if row[t] > row[s]), default=0)
    middle = left + HALF + 12
    nodes = tuple(
        Node(name, edition.number(name), edition.href(name), edition.preview(name, 60), _y(row[name]))
        for name in order
    )
    arcs = tuple(
        Arc(_path(row[s], row[t], middle), status, f"{edition.number(s)} → {edition.number(t)}")
        for s, t, status in links
    )
    words = middle + HALF + right + 12
    return Network(nodes, arcs, words + WORDS, ROW * len(order), middle, words)


def _y(row: int) -> int:
    return ROW * row + ROW // 2


def _bulge(rows: int) -> int:
    """How far an arc over so many rows bulges: nearly as its length at first, ever less then."""
    return round(REACH * (rows + 1) / (rows + 12))


def _path(source: int, target: int, middle: int) -> str:
    """A cubic curve from the number of one clause to that of another; it ends short for the arrow head."""
    side = 1 if target > source else -1
    x = middle + side * HALF
    start, end = _y(source) + (4 if target == source else 0), _y(target) - (4 if target == source else 0)
    # A cubic reaches three quarters of the way to its control points.
    control = x + side * round(_bulge(abs(target - source)) * 4 / 3)
    return f"M{x} {start}C{control} {start} {control} {end} {x + side * 5} {end}"
