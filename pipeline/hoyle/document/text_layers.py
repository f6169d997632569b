"""The text of a layer, with the mapping of its offsets to the raw text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hoyle.document import Document, Edit, Layer, Span
from hoyle.errors import StageError

_SPACE = re.compile(r"[ \t\f\v\u00a0]+")
_BREAKS = re.compile(r" *[\r\n\u2028\u2029][\s]*")


class LayerSegment(NamedTuple):
    """A stretch of a layer's text that one edit, or none, produced.

    Attributes:
        at: its first character (offset in the layer's text).
        raw: its span in the raw text.
        text: its text in the layer.
        unchanged: whether the text is the raw text.
    """

    at: int
    raw: Span
    text: str
    unchanged: bool


class LayerText:
    """The text of some spans after ``edits``, joined in the order of ``spans``.

    Args:
        source: the raw text.
        edits: disjoint edits, each inside one of ``spans``, in any order. ``before`` is compared with
            the raw text except for regularisations (their ``before`` is corrected text).
        spans: characters of the raw text, in reading order; the whole text if left out.
        document: the id of the document, for error messages.

    Raises:
        StageError: an edit overlaps another, extends beyond its span, or does not match the raw text.

    Attributes:
        text: the text of the layer.
    """

    def __init__(
        self,
        source: str,
        edits: Iterable[Edit] = (),
        spans: Sequence[Span] | None = None,
        *,
        document: str = "",
    ) -> None:
        self._document = document
        segments: list[LayerSegment] = []
        at = 0
        ordered = sorted(edits, key=lambda e: e.span)
        starts = [edit.span.start for edit in ordered]
        used: set[int] = set()
        for part in spans if spans is not None else [Span(0, len(source))]:
            first = bisect_right(starts, part.start - 1)
            # An insertion at the end of a span belongs to it …
            last = bisect_right(starts, part.end - 1)
            while last < len(ordered) and ordered[last].span == (part.end, part.end):
                last += 1
            # … unless an earlier span of the reading order has it already.
            mine = [i for i in range(first, last) if i not in used]
            used.update(mine)
            for raw, text, unchanged in _pieces(source, [ordered[i] for i in mine], part, document):
                segments.append(LayerSegment(at, raw, text, unchanged))
                at += len(text)
        if len(used) != len(ordered):
            raise StageError("an edit lies outside the given spans", document=document)
        self._pieces = segments
        self._starts = [segment.at for segment in segments]
        self.text = "".join(segment.text for segment in segments)

    @property
    def segments(self) -> Sequence[LayerSegment]:
        """The segments of the text, in order; the result of an edit is one segment."""
        return self._pieces

    def to_raw(self, span: Span) -> tuple[Span, ...]:
        """Map a span of this text to spans of the raw text; an edit is never split.

        A span that covers several parts of the source gives several raw spans; deleted text between two
        of them joins them.

        Args:
            span: characters of ``text``.

        Returns:
            Spans of the raw text, in reading order.

        Raises:
            StageError: ``span`` is empty or covers only inserted text.
        """
        found: list[Span] = []
        deleted_to = -1  # raw end of the deleted text that follows found[-1] without a gap
        for segment in self._pieces[max(0, bisect_right(self._starts, span.start) - 1) :]:
            if segment.at >= span.end:
                break
            if not segment.text and found and segment.raw.start == deleted_to:
                deleted_to = segment.raw.end
            low, high = max(span.start, segment.at), min(span.end, segment.at + len(segment.text))
            if low >= high:
                continue
            raw = segment.raw
            if segment.unchanged:
                raw = Span(raw.start + low - segment.at, raw.start + high - segment.at)
            if found and raw.start == deleted_to:
                found[-1] = Span(found[-1].start, raw.end)
            else:
                found.append(raw)
            deleted_to = raw.end
        if not found:
            raise StageError(f"no raw text corresponds to {span}", document=self._document)
        return tuple(found)


def _pieces(
    source: str, edits: Sequence[Edit], part: Span, document: str
) -> Iterable[tuple[Span, str, bool]]:
    at = part.start
    for edit in edits:
        start, end = edit.span
        if start < at or end > part.end:
            raise StageError(
                f"the edit at {start}–{end} overlaps another or extends beyond its span",
                document=document,
                offset=start,
            )
        if edit.kind != "regularise" and source[start:end] != edit.before:
            raise StageError(
                f"the raw text is {source[start:end]!r}, but the edit expects {edit.before!r}",
                document=document,
                offset=start,
            )
        if start > at:
            yield Span(at, start), source[at:start], True
        yield edit.span, edit.after, False
        at = end
    if at < part.end:
        yield Span(at, part.end), source[at : part.end], True


def layer_text(document: Document, spans: Sequence[Span], layer: Layer) -> LayerText:
    """Return the text of some spans of a document in one of its three layers.

    Args:
        document: the document.
        spans: characters of the raw text, in reading order.
        layer: ``raw``, ``corrected`` or ``modern``.

    Returns:
        The text, with its offset mapping.

    Raises:
        StageError: the edits of the document overlap or do not match the raw text.
    """
    edits = document.edits_in(spans, layer)
    return LayerText(document.source.text, edits, spans, document=document.id)


def normalise_whitespace(text: str) -> str:
    """Collapse runs of spaces and of line breaks, and strip white space at the ends."""
    return _BREAKS.sub("\n", _SPACE.sub(" ", text)).strip()
