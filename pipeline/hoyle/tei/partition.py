"""Partitions a source text into segments, so that a TEI file contains each character exactly once.

The spans of units and page furniture exclude the white space at their ends, but the TEI file contains it.
Each segment therefore includes the white space after its own text, and text that belongs to no
unit becomes a segment without an owner. The segments cover the text without gap or overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hoyle.document import FURNITURE, Block, Document, Span, Unit
from hoyle.errors import OutputError

BYTE_ORDER_MARK = "\ufeff"


@dataclass(slots=True)
class Segment:
    """One stretch of the source.

    Attributes:
        span: a span of its owner (characters of the raw text).
        padded_span: the span with the white space after it.
        owner: the unit or furniture block; ``None`` for text that belongs to no unit.
        first: whether it is the first span of its owner.
        followers: the segments of furniture and of unowned text that follow it in the raw text.
    """

    span: Span
    padded_span: Span
    owner: Unit | None
    first: bool = True
    followers: list[Segment] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Partition:
    """The segments of a document: ``opening`` precede the first unit, ``units`` are in reading order."""

    opening: list[Segment]
    units: list[tuple[Unit, list[Segment]]]

    def __iter__(self) -> Iterator[Segment]:
        """Yield every segment, in the order of the TEI file."""
        yield from self.opening
        for _, segments in self.units:
            for segment in segments:
                yield segment
                yield from segment.followers


def partition_text(document: Document) -> Partition:
    """Partition the source text of ``document``.

    Raises:
        OutputError: two units overlap, or a span extends beyond the text.
    """
    units = [(u, _segments(u, u.spans)) for u in document.units if not _is_furniture(u)]
    claimed = [t for _, segments in units for t in segments]
    for block in document.furniture:
        claimed += _segments(block, sorted(block.spans)) or [Segment(Span(0, 0), Span(0, 0), block)]
    order = _fill(document, [t for t in claimed if t.span.start < t.span.end])
    opening = [t for t in claimed if t.span.start == t.span.end and _is_furniture(t.owner)]
    followers = opening
    for found in order:
        if found.owner is None or _is_furniture(found.owner):
            followers.append(found)
        else:
            followers = found.followers
    return Partition(opening, units)


def _is_furniture(owner: Unit | None) -> bool:
    return isinstance(owner, Block) and owner.kind in FURNITURE


def _segments(owner: Unit, spans: Iterable[Span]) -> list[Segment]:
    return [Segment(span, span, owner, first=n == 0) for n, span in enumerate(spans)]


def _fill(document: Document, claimed: Sequence[Segment]) -> list[Segment]:
    """Return the segments in the order of the raw text, with the white space and text between them."""
    text = document.source.text
    order: list[Segment] = []
    at = 0
    for found in sorted(claimed, key=lambda t: t.span):
        start, end = found.span
        if start < at or end > len(text):
            claims = f"characters {start}–{end} are claimed by {_name(found)}"
            other = f", but also by {_name(order[-1])}" if start < at else f", but there are only {len(text)}"
            raise OutputError(claims + other, document=document.id, offset=start)
        _bridge(text, Span(at, start), order)
        found.padded_span = Span(order[-1].padded_span.end if order else 0, end)
        order.append(found)
        at = end
    _bridge(text, Span(at, len(text)), order)
    return order


def _bridge(text: str, gap: Span, order: list[Segment]) -> None:
    """Add the white space of ``gap`` to the segment before it, and a segment for any other text in it.

    White space and a byte-order mark before the first segment belong to the first segment.
    """
    rest = text[gap.start : gap.end]
    if order:
        rest = rest.lstrip()
        order[-1].padded_span = Span(order[-1].padded_span.start, gap.end - len(rest))
    elif gap.end < len(text) and not _lstrip(rest):
        return
    if rest:
        span = Span(gap.end - len(rest), gap.end)
        order.append(Segment(span, span, None))


def _name(tile_: Segment) -> str:
    return tile_.owner.id if tile_.owner else "nobody"


def strip_span(text: str, span: Span) -> Span:
    """Strip white space at the ends of a span, and a byte-order mark at the start of the text.

    Args:
        text: the raw text.
        span: characters of it.

    Returns:
        The shorter span; empty if it contained white space only.
    """
    held = text[span.start : span.end]
    start = span.start + len(held) - len(_lstrip(held) if span.start == 0 else held.lstrip())
    return Span(start, max(start, span.start + len(held.rstrip())))


def _lstrip(text: str) -> str:
    return text.lstrip().removeprefix(BYTE_ORDER_MARK).lstrip()
