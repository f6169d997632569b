"""Cuts a source text into tiles: who owns which characters, and where furniture stands in reading order.

Units and furniture leave out the white space at their ends; a TEI file must hold all of it.
So each tile takes the white space that follows its own text, and text that nobody claimed
becomes a tile without an owner. Together the tiles are the file, without a gap or an overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hoyle.document import FURNITURE, Block, Document, Span, Unit
from hoyle.errors import OutputError

BYTE_ORDER_MARK = "\ufeff"


@dataclass(slots=True)
class Tile:
    """One stretch of the source.

    Attributes:
        span: the characters its owner claims.
        range: these, and the white space that goes with them.
        owner: the unit or furniture it is of; ``None`` for text that nobody claimed.
        first: whether it holds the first of its owner's spans.
        followers: furniture and unclaimed text that stand right after it in the raw text.
    """

    span: Span
    range: Span
    owner: Unit | None
    first: bool = True
    followers: list[Tile] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Tiling:
    """All tiles of a document: ``opening`` come before the first unit, ``units`` are in reading order."""

    opening: list[Tile]
    units: list[tuple[Unit, list[Tile]]]

    def __iter__(self) -> Iterator[Tile]:
        """Every tile, in the order of the TEI file."""
        yield from self.opening
        for _, tiles in self.units:
            for tile in tiles:
                yield tile
                yield from tile.followers


def tile(document: Document) -> Tiling:
    """The tiles of ``document``.

    Raises:
        OutputError: two owners claim the same characters, or a span leaves the text.
    """
    units = [(u, _tiles(u, u.spans)) for u in document.units if not _is_furniture(u)]
    claimed = [t for _, tiles in units for t in tiles]
    for block in document.furniture:
        claimed += _tiles(block, sorted(block.spans)) or [Tile(Span(0, 0), Span(0, 0), block)]
    order = _fill(document, [t for t in claimed if t.span.start < t.span.end])
    opening = [t for t in claimed if t.span.start == t.span.end and _is_furniture(t.owner)]
    followers = opening
    for found in order:
        if found.owner is None or _is_furniture(found.owner):
            followers.append(found)
        else:
            followers = found.followers
    return Tiling(opening, units)


def _is_furniture(owner: Unit | None) -> bool:
    return isinstance(owner, Block) and owner.kind in FURNITURE


def _tiles(owner: Unit, spans: Iterable[Span]) -> list[Tile]:
    return [Tile(span, span, owner, first=n == 0) for n, span in enumerate(spans)]


def _fill(document: Document, claimed: Sequence[Tile]) -> list[Tile]:
    """The tiles in raw order, grown over the white space between them; what is left over gets tiles too."""
    text = document.source.text
    order: list[Tile] = []
    at = 0
    for found in sorted(claimed, key=lambda t: t.span):
        start, end = found.span
        if start < at or end > len(text):
            claims = f"characters {start}–{end} are claimed by {_name(found)}"
            other = f", but also by {_name(order[-1])}" if start < at else f", but there are only {len(text)}"
            raise OutputError(claims + other, document=document.id, offset=start)
        _bridge(text, Span(at, start), order)
        found.range = Span(order[-1].range.end if order else 0, end)
        order.append(found)
        at = end
    _bridge(text, Span(at, len(text)), order)
    return order


def _bridge(text: str, gap: Span, order: list[Tile]) -> None:
    """Give the white space of ``gap`` to the tile before it, and make a tile of anything else in it.

    Before the first tile there is none: white space and a byte-order mark there go to what follows.
    """
    rest = text[gap.start : gap.end]
    if order:
        rest = rest.lstrip()
        order[-1].range = Span(order[-1].range.start, gap.end - len(rest))
    elif gap.end < len(text) and not _lstrip(rest):
        return
    if rest:
        span = Span(gap.end - len(rest), gap.end)
        order.append(Tile(span, span, None))


def _name(tile_: Tile) -> str:
    return tile_.owner.id if tile_.owner else "nobody"


def trimmed(text: str, span: Span) -> Span:
    """``span`` without white space at its ends (and without a byte-order mark at the start of the file)."""
    held = text[span.start : span.end]
    start = span.start + len(held) - len(_lstrip(held) if span.start == 0 else held.lstrip())
    return Span(start, max(start, span.start + len(held.rstrip())))


def _lstrip(text: str) -> str:
    return text.lstrip().removeprefix(BYTE_ORDER_MARK).lstrip()
