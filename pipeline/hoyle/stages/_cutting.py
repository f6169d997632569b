"""Cuts the text between labels into clauses, headings, captions, footnotes and paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType

from hoyle.model import BlockKind, Span
from hoyle.numbering.series import Label
from hoyle.stages._blocks import Footnote, Layout


@dataclass(slots=True)
class Piece:
    """A unit in the making.

    Attributes:
        kind: of the block, or ``clause``.
        spans: its parts in the flow.
        label: of a clause, or of the law a heading names.
        mark: of a footnote.
        heading: a clause's own title, in the flow.
        path: number of a clause whose label is not in the text.
    """

    kind: BlockKind | str
    spans: list[Span] = field(default_factory=list)
    label: Label | None = None
    mark: str = ""
    heading: Span | None = None
    path: tuple[str, ...] = ()


class Cutter:
    """Cuts one text.

    Args:
        layout: its lines.
        found: its labels in order.
        stops: offsets where an excerpt begins, with the number that an editor states for it; no
            clause runs over one.
    """

    def __init__(
        self,
        layout: Layout,
        found: Sequence[Label],
        stops: Mapping[int, tuple[str, ...]] = MappingProxyType({}),
    ) -> None:
        self._layout = layout
        self._labels = found
        self._stops = stops
        self._notes = layout.footnotes()
        self._single = self._single_paragraphs()

    def pieces(self) -> Iterator[Piece]:
        """Every unit of the text in reading order."""
        starts = [label.at for label in self._labels]
        bounds = sorted({0, *starts, *self._stops, len(self._layout.text)})
        labels = {label.at: at for at, label in enumerate(self._labels)}
        for start, end in pairwise(bounds):
            if start in labels:
                yield from self._segment(labels[start], Span(start, end))
            else:
                following = labels.get(end) if end not in self._stops else None
                yield from self._before_label(Span(start, end), following)

    # --- a segment that begins with a label -----------------------------------------------------

    def _segment(self, at: int, span: Span) -> Iterator[Piece]:
        label = self._labels[at]
        notes = self._notes_in(span)
        rows = [i for i in self._layout.inside(Span(label.span.end, span.end)) if not self._is_note(i, notes)]
        end, loose = self._end_of_clause(at, span, rows)
        captions = [i for i in rows if i < end and self._astray(at, i, span)]
        cut_at = self._start(end, span)
        body = Piece("clause", self._without(Span(span.start, cut_at), captions, notes), label)
        if self._is_law_heading(at, body):
            body.kind = "heading"
        elif body.spans:
            body.heading = self._own_title(body, at)
        following = [body, *(Piece("caption", [self._layout.lines[i].span]) for i in captions)]
        following += [Piece("footnote", [note.span], mark=note.mark) for note in notes]
        following += self._loose(loose)
        yield from sorted((p for p in following if p.spans), key=lambda p: p.spans[0])

    def _end_of_clause(self, at: int, span: Span, rows: list[int]) -> tuple[int, list[int]]:
        """Index of the first line that is no longer the clause's, and the lines from there on."""
        layout = self._layout
        end = rows[-1] + 1 if rows else layout.inside(Span(0, span.end)).stop
        # Headings that stand directly before the next label, from the last line upwards.
        while rows and self._leads_on(at, rows[-1], last=end == rows[-1] + 1):
            end = rows.pop()
        first = end
        for index in rows:
            own = index == rows[0] and not layout.lines[index].first
            if not own and not self._is_list_line(at, index) and layout.heading(index, apart=True):
                first = index
                break
            if self._closes_series(at) and self._ends_here(at, index):
                first = index
                break
        return first, [i for i in layout.inside(Span(self._start(first, span), span.end)) if i >= first]

    def _leads_on(self, at: int, index: int, *, last: bool) -> bool:
        layout = self._layout
        more = at + 1 < len(self._labels) or layout.division(index)
        # A line whose end is not the end of its segment holds the next label itself.
        after = self._labels[at + 1].at if at + 1 < len(self._labels) else len(layout.text)
        if not last or layout.lines[index].span.end > after:
            return False
        return layout.heading(index, apart=not more)

    def _is_list_line(self, at: int, index: int) -> bool:
        """Whether a line is the title of a section whose label heads the line before."""
        return self._layout.lines[index].span.start <= self._labels[at].span.end

    def _closes_series(self, at: int) -> bool:
        after = self._labels[at + 1] if at + 1 < len(self._labels) else None
        return after is None or after.runs[0] != self._labels[at].runs[0]

    def _ends_here(self, at: int, index: int) -> bool:
        """Whether a paragraph after the last clause of a series no longer belongs to it."""
        return self._single.get(self._labels[at].runs[0], False) and self._layout.paragraph_starts(index)

    def _single_paragraphs(self) -> dict[int, bool]:
        """For each top-level run with more than one clause: is each of them one paragraph?"""
        single: dict[int, bool] = {}
        layout = self._layout
        for one, other in pairwise(self._labels):
            if one.runs[0] != other.runs[0]:
                continue
            rows = [
                i for i in layout.inside(Span(one.span.end, other.at)) if not self._is_note(i, self._notes)
            ]
            inner = [
                i
                for i in rows
                if layout.paragraph_starts(i)
                and not layout.heading(i, apart=False)
                and not layout.caption(i, between=True)
            ]
            single[one.runs[0]] = single.get(one.runs[0], True) and not inner
        return single

    def _astray(self, at: int, index: int, span: Span) -> bool:
        follows = at + 1 < len(self._labels) and self._labels[at + 1].value == self._labels[at].value + 1
        last = self._layout.inside(span).stop == index + 1
        return self._layout.caption(index, between=follows and last)

    def _is_law_heading(self, at: int, body: Piece) -> bool:
        """``Правило 45. Игра картой``: the title of a law with sections is a heading of its own."""
        label = self._labels[at]
        below = at + 1 < len(self._labels) and len(self._labels[at + 1].path) > len(label.path)
        if label.scheme not in {"law", "article"} or not below or len(body.spans) != 1:
            return False
        text = self._layout.text[body.spans[0].start : body.spans[0].end].strip()
        return "\n" not in text and len(text) <= 100 and not text.rstrip().endswith((":", ";"))

    def _own_title(self, body: Piece, at: int) -> Span | None:
        """The title on the label's line: short, without a stop, and with text below it."""
        label = self._labels[at]
        span = Span(*body.spans[0])
        line_end = self._layout.text.find("\n", label.span.end)
        end = span.end if line_end < 0 or line_end > span.end else line_end
        title = self._layout.text[label.span.end : end].strip()
        begins = self._layout.text.find(title, label.span.end) if title else -1
        titled = Span(begins, begins + len(title))
        if not title or not title[0].isupper() or len(title) > 80 or title[-1] in ",;:!?-":
            return None
        deeper = at + 1 < len(self._labels) and len(self._labels[at + 1].path) > len(label.path)
        below = self._layout.text[end : body.spans[-1].end].strip() if end < body.spans[-1].end else ""
        alone = self._layout.text[end : end + 3].replace("\r", "").startswith("\n\n")
        if title[-1] == "." and not (alone and below and len(title) <= 60):
            return None
        return titled if (below and below[0].isupper()) or (deeper and not below) else None

    # --- text without a label -------------------------------------------------------------------

    def _before_label(self, span: Span, following: int | None) -> Iterator[Piece]:
        layout = self._layout
        notes = self._notes_in(span)
        rows = [i for i in layout.inside(span) if not self._is_note(i, notes)]
        path = self._path_of_tail(span.start, self._labels[following] if following is not None else None)
        if path and rows:
            headings = [
                i for i in rows if layout.heading(i, apart=False) and self._only_headings_after(i, rows)
            ]
            end = self._start(headings[0], span) if headings else span.end
            piece = Piece("clause", self._without(Span(span.start, end), [], notes), path=path)
            found = [piece, *(Piece("heading", [layout.lines[i].span]) for i in headings)]
        else:
            found = self._loose(rows, span)
        found += [Piece("footnote", [note.span], mark=note.mark) for note in notes]
        yield from sorted((p for p in found if p.spans), key=lambda p: p.spans[0])

    def _path_of_tail(self, at: int, label: Label | None) -> tuple[str, ...]:
        """The number of the clause that unlabelled text is the end of; empty if it is of none.

        It is the one before the label that follows, or the one an editor states.
        """
        stated = self._stops.get(at, ())
        if label is None or (stated and len(label.path) <= len(stated)):
            return stated
        if label.value > 1 and label.scheme != "ordinal":
            return label.before
        return stated

    def _only_headings_after(self, index: int, rows: list[int]) -> bool:
        return all(self._layout.heading(i, apart=False) for i in rows if i > index) and index != rows[0]

    def _loose(self, rows: Sequence[int], within: Span | None = None) -> list[Piece]:
        """Headings and paragraphs of lines that belong to no clause."""
        layout = self._layout
        found: list[Piece] = []
        for index in rows:
            span = layout.lines[index].span
            if within is not None:
                span = Span(max(span.start, within.start), min(span.end, within.end))
            kind: BlockKind = "heading" if self._loose_heading(index, rows) else "paragraph"
            last = found[-1] if found else None
            joined = (
                last is not None
                and last.kind == kind
                and (not layout.paragraph_starts(index) or (kind == "heading" and layout.division(index - 1)))
            )
            if joined and last is not None:
                last.spans = [Span(last.spans[0].start, span.end)]
            else:
                found.append(Piece(kind, [span]))
        return found

    def _loose_heading(self, index: int, rows: Sequence[int]) -> bool:
        followed = index == rows[-1] and self._layout.lines[index].span.end < len(self._layout.text.rstrip())
        return self._layout.heading(index, apart=not followed)

    # --- helpers ----------------------------------------------------------------------------------

    def _start(self, index: int, span: Span) -> int:
        """Where a line starts, kept inside a segment."""
        if index >= len(self._layout.lines):
            return span.end
        return min(max(self._layout.lines[index].span.start, span.start), span.end)

    def _notes_in(self, span: Span) -> list[Footnote]:
        return [
            Footnote(Span(note.span.start, min(note.span.end, span.end)), note.mark)
            for note in self._notes
            if span.start <= note.span.start < span.end
        ]

    def _is_note(self, index: int, notes: Sequence[Footnote]) -> bool:
        start = self._layout.lines[index].span.start
        return any(note.span.start <= start < note.span.end for note in notes)

    def _without(self, span: Span, captions: Sequence[int], notes: Sequence[Footnote]) -> list[Span]:
        """``span`` less the lines and notes that stand in it."""
        out = sorted([self._layout.lines[i].span for i in captions] + [note.span for note in notes])
        parts: list[Span] = []
        at = span.start
        for start, end in out:
            if start >= span.end:
                break
            parts.append(Span(at, start))
            at = max(at, end)
        parts.append(Span(at, span.end))
        return [part for part in parts if self._layout.text[part.start : part.end].strip()]
