"""The text in reading order with furniture taken out, and the way back to raw offsets."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from hoyle.document import Document, Edit, Span
from hoyle.layout.lines import trimmed
from hoyle.layout.markup import MARKUP, heading_level, table_rows
from hoyle.layout.notes import Note, notes


class Flow:
    """What the numbering is decoded in.

    Attributes:
        text: the fragments of ``document.flow`` end to end, without furniture. Where two
            pieces meet with no white space between them a space stands for the interruption.
        interruptions: sorted offsets into ``text`` where furniture was taken out.
        joints: sorted offsets into ``text`` where one fragment ends and another begins.
        headings: offset into ``text`` of each line that markup sets as a heading, and its level.
        tables: spans of ``text`` that are rows of tables.
        emphasis: start and end in ``text`` of what markup sets in italics or bold where a line begins.
        notes: offset into ``text`` of each note that a mark calls, and its mark.
    """

    def __init__(self, document: Document) -> None:
        source = document.source.text
        self._source = source
        self._raw: list[Span] = []
        self._at: list[int] = []
        self.interruptions: list[int] = []
        self.joints: list[int] = []
        pieces: list[str] = []
        length = 0
        self._marks = {
            e.span.start: e for e in document.edits if e.kind == "layout" and e.why.by.startswith(MARKUP)
        }
        self._mark_ends = {edit.span.end: edit for edit in self._marks.values()}
        for span, new_fragment, marked in _pieces(document, self._marks.values()):
            if pieces and new_fragment and pieces[-1][-1:] == " ":
                # Where a column goes on, a line ended in the print.
                pieces[-1] = pieces[-1][:-1] + "\n"
            if pieces and not marked:
                if not (pieces[-1][-1:].isspace() or source[span.start : span.start + 1].isspace()):
                    pieces.append(" ")
                    length += 1
                (self.joints if new_fragment else self.interruptions).append(length)
            self._raw.append(span)
            self._at.append(length)
            pieces.append(source[span.start : span.end])
            length += span.end - span.start
        self.text = "".join(pieces)
        self._by_raw = sorted(zip(self._raw, self._at, strict=True))
        self._raw_starts = [span.start for span, _ in self._by_raw]
        self.emphasis = dict(self._emphasised())
        self.headings = dict([*self._underlined(document), *self._headings(document)])
        self.notes = {
            self.offset(note.at): note.mark for note in notes(source) if self._is_called(document, note)
        }
        self.tables = [Span(self.offset(row.start), self.offset(row.end)) for row in table_rows(source)]

    def _headings(self, document: Document) -> Iterator[tuple[int, int]]:
        for block in document.furniture:
            start, end = block.spans[0]
            level = heading_level(self._source[start:end]) if block.kind == "separator" else 0
            line = self._source.rfind("\n", 0, start) + 1
            if level and not self._source[line:start].strip(" \t>"):
                at = self.offset(end)
                yield at + len(self.text[at : at + 8]) - len(self.text[at : at + 8].lstrip()), level

    def _emphasised(self) -> Iterator[tuple[int, int]]:
        opened: Edit | None = None
        for edit in sorted(self._marks.values(), key=lambda edit: edit.span):
            if edit.before.strip("*_"):
                continue
            if edit.why.by.endswith("open"):
                line = self._source[self._source.rfind("\n", 0, edit.span.start) + 1 : edit.span.start]
                opened = None if line.strip() else edit
            elif opened and opened.before == edit.before:
                yield self.offset(opened.span.end), self.offset(edit.span.start)
                opened = None

    @staticmethod
    def _is_called(document: Document, note: Note) -> bool:
        return any(block.spans[0] == note.call for block in document.furniture if block.kind == "note-ref")

    def _underlined(self, document: Document) -> Iterator[tuple[int, int]]:
        """Lines over a rule of about their own length (reStructuredText)."""
        for block in document.furniture:
            start, end = block.spans[0]
            if block.kind != "separator" or len(set(self._source[start:end].strip())) != 1:
                continue
            above = self._source.rfind("\n", 0, start)
            line = self._source.rfind("\n", 0, above) + 1
            title = self._source[line:above].strip() if above > 0 else ""
            if (
                title
                and self._source[above:start].isspace()
                and len(title) <= end - start + 1 <= len(title) + 4
            ):
                yield self.offset(line + self._source[line:above].index(title[0])), 1

    def owned(self, span: Span) -> tuple[Span, ...]:
        """Like :meth:`raw`, with the markup that goes with the text at either end of each part."""
        return tuple(Span(self._opened(part.start), self._closed(part.end)) for part in self.raw(span))

    def _opened(self, at: int) -> int:
        bare = len(self._source[:at].rstrip(" \t")) if at and self._source[at - 1] in " \t" else at
        edit = self._mark_ends.get(at) or self._mark_ends.get(bare)
        return self._opened(edit.span.start) if edit and edit.why.by.endswith("open") else at

    def _closed(self, at: int) -> int:
        bare = at
        while self._source[bare : bare + 1] in {" ", "\t"}:
            bare += 1
        edit = self._marks.get(at) or self._marks.get(bare)
        return self._closed(edit.span.end) if edit and edit.why.by.endswith("close") else at

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
            if found and self._past_marks(found[-1].end) == start:
                found[-1] = Span(found[-1].start, end)
            else:
                found.append(Span(start, end))
        bare = (trimmed(self._source, part) for part in found)
        return tuple(part for part in bare if part.start < part.end)

    def _past_marks(self, at: int) -> int:
        while at in self._marks:
            at = self._marks[at].span.end
        return at

    def offset(self, raw: int) -> int:
        """The offset into ``text`` of a raw offset, or of the next text after it in raw order."""
        index = bisect_right(self._raw_starts, raw)
        if index and raw < self._by_raw[index - 1][0].end:
            span, at = self._by_raw[index - 1]
            return at + raw - span.start
        return self._by_raw[index][1] if index < len(self._by_raw) else len(self.text)


def _pieces(document: Document, marks: Iterable[Edit]) -> Iterator[tuple[Span, bool, bool]]:
    """The raw spans of the flow between pieces of furniture and of markup.

    With each: whether it begins a fragment, and whether only markup stands before it.
    """
    inline = {edit.span for edit in marks}
    taken = sorted([*(span for block in document.furniture for span in block.spans), *inline])
    starts = [span.start for span in taken]
    for fragment in document.flow:
        at, end = fragment.span
        new, marked = True, False
        for span in taken[max(0, bisect_right(starts, at) - 1) :]:
            if span.start >= end:
                break
            if span.end <= at:
                continue
            if span.start > at:
                yield Span(at, span.start), new, marked
                new, marked = False, True
            marked = marked and span in inline
            at = max(at, span.end)
        if at < end:
            yield Span(at, end), new, marked
