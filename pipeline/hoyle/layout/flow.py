"""The text in reading order with furniture taken out, and the way back to raw offsets."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from hoyle.document import Document, Span
from hoyle.layout.lines import trimmed


class Flow:
    """What the numbering is decoded in.

    Attributes:
        text: the fragments of ``document.flow`` end to end, without furniture. Where two
            pieces meet with no white space between them a space stands for the seam.
        seams: sorted offsets into ``text`` where furniture was taken out.
        joints: sorted offsets into ``text`` where one fragment ends and another begins.
    """

    def __init__(self, document: Document) -> None:
        source = document.source.text
        self._source = source
        self._raw: list[Span] = []
        self._at: list[int] = []
        self.seams: list[int] = []
        self.joints: list[int] = []
        pieces: list[str] = []
        length = 0
        for span, new_fragment in _pieces(document):
            if pieces and new_fragment and pieces[-1][-1:] == " ":
                # Where a column goes on, a line ended in the print.
                pieces[-1] = pieces[-1][:-1] + "\n"
            if pieces:
                if not (pieces[-1][-1:].isspace() or source[span.start : span.start + 1].isspace()):
                    pieces.append(" ")
                    length += 1
                (self.joints if new_fragment else self.seams).append(length)
            self._raw.append(span)
            self._at.append(length)
            pieces.append(source[span.start : span.end])
            length += span.end - span.start
        self.text = "".join(pieces)

    def raw(self, span: Span) -> tuple[Span, ...]:
        """The raw spans behind a span of ``text``, in reading order, white space at ends cut off."""
        found: list[Span] = []
        for index in range(max(0, bisect_right(self._at, span.start) - 1), len(self._raw)):
            at, raw = self._at[index], self._raw[index]
            if at >= span.end:
                break
            start = raw.start + max(0, span.start - at)
            end = min(raw.end, raw.start + span.end - at)
            if start >= end:
                continue
            if found and found[-1].end == start:
                found[-1] = Span(found[-1].start, end)
            else:
                found.append(Span(start, end))
        bare = (trimmed(self._source, part) for part in found)
        return tuple(part for part in bare if part.start < part.end)

    def offset(self, raw: int) -> int:
        """The offset into ``text`` of a raw offset, or of the next text after it in raw order."""
        best: tuple[int, int] | None = None
        for at, span in zip(self._at, self._raw, strict=True):
            if span.start <= raw < span.end:
                return at + raw - span.start
            if span.start >= raw and (best is None or span.start < best[0]):
                best = (span.start, at)
        return best[1] if best else len(self.text)


def _pieces(document: Document) -> Iterator[tuple[Span, bool]]:
    """The raw spans of the flow between pieces of furniture; whether each begins a fragment."""
    taken = sorted(span for block in document.furniture for span in block.spans)
    starts = [span.start for span in taken]
    for fragment in document.flow:
        at, end = fragment.span
        new = True
        for span in taken[max(0, bisect_right(starts, at) - 1) :]:
            if span.start >= end:
                break
            if span.end <= at:
                continue
            if span.start > at:
                yield Span(at, span.start), new
                new = False
            at = max(at, span.end)
        if at < end:
            yield Span(at, end), new
