"""A text as some edits make it read, and the way back to raw offsets."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hoyle.document import Document, Edit, Layer, Span
from hoyle.errors import StageError

_SPACE = re.compile(r"[ \t\f\v\u00a0]+")
_BREAKS = re.compile(r" *[\r\n\u2028\u2029][\s]*")


class Piece(NamedTuple):
    """A stretch of the reading: where it begins in it, its raw span, its text, and whether unchanged."""

    at: int
    raw: Span
    text: str
    same: bool


class Reading:
    """Parts of a source as ``edits`` make them read, end to end in the order of ``spans``.

    Args:
        source: the raw text.
        edits: disjoint edits, each inside one of ``spans``; any order. ``before`` is checked
            against the raw text except for regularisations (whose ``before`` is corrected text).
        spans: the parts to read, in reading order; the whole text if left out.
        document: id for error messages.

    Raises:
        StageError: an edit overlaps another, leaves its part, or does not match the raw text.
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
        pieces: list[Piece] = []
        at = 0
        ordered = sorted(edits, key=lambda e: e.span)
        starts = [edit.span.start for edit in ordered]
        used: set[int] = set()
        for part in spans if spans is not None else [Span(0, len(source))]:
            first = bisect_right(starts, part.start - 1)
            # An insertion at the very end of a part belongs to it.
            last = bisect_right(starts, part.end - 1)
            while last < len(ordered) and ordered[last].span == (part.end, part.end):
                last += 1
            # … unless the part before it in the text, read earlier, has it already.
            mine = [i for i in range(first, last) if i not in used]
            used.update(mine)
            for raw, text, same in _pieces(source, [ordered[i] for i in mine], part, document):
                pieces.append(Piece(at, raw, text, same))
                at += len(text)
        if len(used) != len(ordered):
            raise StageError("an edit lies outside the parts that are read", document=document)
        self._pieces = pieces
        self._starts = [piece.at for piece in pieces]
        self.text = "".join(piece.text for piece in pieces)

    @property
    def pieces(self) -> Sequence[Piece]:
        """The stretches the reading is made of, in order; an edited one is never split."""
        return self._pieces

    def to_raw(self, span: Span) -> tuple[Span, ...]:
        """Raw spans behind ``span`` (characters of this reading); an edit is never split.

        Text that runs over several parts of the source gives several spans; what an edit deletes
        in between does not part them.

        Raises:
            StageError: if ``span`` is empty or holds only inserted text.
        """
        found: list[Span] = []
        deleted_to = -1  # raw end of the deleted text that follows found[-1] without a gap
        for piece in self._pieces[max(0, bisect_right(self._starts, span.start) - 1) :]:
            if piece.at >= span.end:
                break
            if not piece.text and found and piece.raw.start == deleted_to:
                deleted_to = piece.raw.end
            low, high = max(span.start, piece.at), min(span.end, piece.at + len(piece.text))
            if low >= high:
                continue
            raw = piece.raw
            if piece.same:
                raw = Span(raw.start + low - piece.at, raw.start + high - piece.at)
            if found and raw.start == deleted_to:
                found[-1] = Span(found[-1].start, raw.end)
            else:
                found.append(raw)
            deleted_to = raw.end
        if not found:
            raise StageError(f"no raw text lies behind {span}", document=self._document)
        return tuple(found)


def _pieces(
    source: str, edits: Sequence[Edit], part: Span, document: str
) -> Iterable[tuple[Span, str, bool]]:
    at = part.start
    for edit in edits:
        start, end = edit.span
        if start < at or end > part.end:
            raise StageError(
                f"edit at {start}–{end} overlaps another or leaves its part", document=document, offset=start
            )
        if edit.kind != "regularise" and source[start:end] != edit.before:
            raise StageError(
                f"the text reads {source[start:end]!r}, the edit says {edit.before!r}",
                document=document,
                offset=start,
            )
        if start > at:
            yield Span(at, start), source[at:start], True
        yield edit.span, edit.after, False
        at = end
    if at < part.end:
        yield Span(at, part.end), source[at : part.end], True


def read(document: Document, spans: Sequence[Span], layer: Layer) -> Reading:
    """The reading of ``spans`` of a document in one of its three layers."""
    edits = document.edits_in(spans, layer)
    return Reading(document.source.text, edits, spans, document=document.id)


def plain(text: str) -> str:
    """A layer's text as it goes into tables: spaces single, line breaks single, ends trimmed."""
    return _BREAKS.sub("\n", _SPACE.sub(" ", text)).strip()
