"""Cuts the text between labels into clauses, headings, captions, footnotes and paragraphs.

The text falls into segments: one from each label to the next, and what stands before the first
label of a text or of an excerpt. Each line of a segment gets a role, then lines of one role are
put together; every line has one, so nothing is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Literal, TypeAlias

from hoyle.document import BlockKind, Span
from hoyle.layout.blocks import Footnote, Layout
from hoyle.numbering.series import Label

Role: TypeAlias = Literal["clause", "heading", "caption", "paragraph"]
Kind: TypeAlias = BlockKind | Literal["clause"]
_LONGEST_TITLE = 80
_LONGEST_STOPPED_TITLE = 60
_LONGEST_LAW_TITLE = 100
_LEAST_SERIES = 2
"""Labels in turn after the first that an excerpt needs for its beginning to count as a clause's end."""
_LEAST_WORDS = 8
_SENTENCE = re.compile(r"[.!?]\s+(?=[^\W\d_])")
_IN_ONE = frozenset({"title-page", "contents", "index", "errata", "catalogue", "table"})
"""Parts of a book that are one block each."""
_COUNTED = frozenset({"arabic", "section", "article", "law", "roman"})


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

    kind: Kind
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
        self._text = layout.text
        self._labels = found
        self._stops = stops
        self._notes = layout.footnotes()
        self._single = self._single_paragraphs()

    def pieces(self) -> Iterator[Piece]:
        """Every unit of the text in reading order."""
        labels = {label.at: at for at, label in enumerate(self._labels)}
        bounds = sorted({0, *labels, *self._stops, len(self._text)})
        for start, end in pairwise(bounds):
            span = Span(start, end)
            if start in labels:
                found = self._labelled(labels[start], span)
            else:
                found = self._unlabelled(span, labels.get(end) if end not in self._stops else None)
            notes = [note for note in self._notes if start <= note.span.start < end]
            cut = [self._without(piece, notes) for piece in found]
            cut += [
                Piece("footnote", [Span(note.span.start, min(note.span.end, end))], mark=note.mark)
                for note in notes
            ]
            yield from sorted((piece for piece in cut if piece.spans), key=lambda piece: piece.spans[0])

    # --- a segment that begins with a label ---------------------------------------------------------

    def _labelled(self, at: int, span: Span) -> list[Piece]:
        rows = self._layout.touching(span)
        roles = self._roles(at, span, rows)
        found = self._joined(span, rows, roles)
        body = found[0]
        body.label = self._labels[at]
        if self._is_law_heading(at, body):
            body.kind = "heading"
        else:
            body.heading = self._own_title(at, body)
        return found

    def _roles(self, at: int, span: Span, rows: range) -> list[Role]:
        """The role of each line of a clause's segment; the first is always the clause's."""
        roles: list[Role] = ["clause"] * len(rows)
        last = len(rows)
        # Headings stand directly before the next label, several perhaps.
        while last > 1 and self._heads_next(at, rows[last - 1], span):
            last -= 1
            roles[last] = "heading"
        ended = False
        for place in range(1, last):
            index = rows[place]
            if not self._whole(index, span):
                roles[place] = "paragraph" if ended else "clause"
            elif self._astray(at, index, last=place == last - 1):
                roles[place] = "caption"
            elif self._breaks_off(index, place):
                ended = True
                roles[place] = "heading"
            elif ended or self._ends_before(at, index):
                ended = True
                roles[place] = "paragraph"
        return roles

    def _heads_next(self, at: int, index: int, span: Span) -> bool:
        followed = at + 1 < len(self._labels) or self._layout.division(index)
        return self._whole(index, span) and self._layout.heading(index, apart=not followed)

    def _breaks_off(self, index: int, place: int) -> bool:
        """Whether a heading in the middle of a segment ends the clause."""
        titled = place == 1 and not self._layout.lines[index].first
        return not titled and self._layout.heading(index, apart=True)

    def _ends_before(self, at: int, index: int) -> bool:
        """Whether a paragraph after the last clause of a series no longer belongs to it."""
        after = self._labels[at + 1] if at + 1 < len(self._labels) else None
        if after is not None and after.runs[0] == self._labels[at].runs[0]:
            return False
        return self._single.get(self._labels[at].runs[0], False) and self._layout.paragraph_starts(index)

    def _astray(self, at: int, index: int, *, last: bool) -> bool:
        follows = at + 1 < len(self._labels) and self._labels[at + 1].value == self._labels[at].value + 1
        return self._layout.caption(index, between=follows and last)

    def _single_paragraphs(self) -> dict[int, bool]:
        """For each top-level run with more than one clause: is each of them one paragraph?"""
        single: dict[int, bool] = {}
        layout = self._layout
        for one, other in pairwise(self._labels):
            if one.runs[0] == other.runs[0]:
                inner = any(
                    layout.paragraph_starts(i)
                    and not layout.heading(i, apart=False)
                    and not layout.caption(i, between=True)
                    for i in layout.beginning(Span(one.span.end, other.at))
                )
                single[one.runs[0]] = single.get(one.runs[0], True) and not inner
        return single

    def _is_law_heading(self, at: int, body: Piece) -> bool:
        """``Правило 45. Игра картой``, ``2. Судейство`` above 2.1: the title of a law or part."""
        label = self._labels[at]
        if not self._has_below(at) or len(body.spans) != 1:
            return False
        title = self._text[body.spans[0].start : body.spans[0].end].strip()
        if "\n" in title or len(title) > _LONGEST_LAW_TITLE or title[-1] in ":;":
            return False
        below = self._labels[at + 1]
        part = label.scheme in {"arabic", "roman"} and below.scheme == "decimal" and len(label.path) == 1
        part = part and title[-1] not in ".!?" and len(title) > label.span.end - label.span.start
        return label.scheme == "law" or part

    def _has_below(self, at: int) -> bool:
        return at + 1 < len(self._labels) and len(self._labels[at + 1].path) > len(self._labels[at].path)

    def _own_title(self, at: int, body: Piece) -> Span | None:
        """The title on the label's line: short, without a stop, and with text below it."""
        start, end = self._labels[at].span.end, body.spans[0].end
        line_end = self._text.find("\n", start, end)
        line_end = end if line_end < 0 else line_end
        title = self._text[start:line_end].strip()
        if not title or not title[0].isupper() or len(title) > _LONGEST_TITLE or title[-1] in ",;:!?-":
            return None
        below = self._text[line_end:end].strip()
        stopped = title[-1] == "."
        alone = self._text[line_end : line_end + 4].count("\n") > 1
        if stopped and not (alone and below and len(title) <= _LONGEST_STOPPED_TITLE):
            return None
        begins = self._text.find(title, start)
        if below[:1].isupper() or (self._has_below(at) and not below):
            return Span(begins, begins + len(title))
        return None

    # --- text without a label -------------------------------------------------------------------------

    def _unlabelled(self, span: Span, following: int | None) -> list[Piece]:
        rows = self._layout.touching(span)
        path = self._path_of_tail(span, following)
        roles: list[Role] = ["clause" if path else "paragraph"] * len(rows)
        last = len(rows)
        while last and following is not None and self._whole(rows[last - 1], span):
            if (last == 1 and path) or not self._layout.heading(rows[last - 1], apart=False):
                break
            last -= 1
            roles[last] = "heading"
        if not path:
            for place in range(last):
                if self._whole(rows[place], span) and self._layout.heading(rows[place], apart=True):
                    roles[place] = "heading"
        found = self._joined(span, rows, roles)
        for piece in found:
            piece.path = path if piece.kind == "clause" else ()
        return found

    def _path_of_tail(self, span: Span, following: int | None) -> tuple[str, ...]:
        """The number of the clause whose end begins an excerpt; empty if text before a label is no such end.

        What stands before the first label is a title or a foreword as a rule. It is the end of the
        clause before if it goes on a sentence, or if it is one short paragraph in the manner of the
        clauses after it; or an editor states of which clause it is the end.
        """
        stated = self._stops.get(span.start, ())
        if stated:
            label = self._labels[following] if following is not None else None
            below = label is not None and len(label.path) > len(stated) and label.value > 1
            return label.before if label is not None and below else stated
        rows = [i for i in self._layout.touching(span) if self._whole(i, span)]
        if following is None or following or len(self._labels) <= _LEAST_SERIES:
            return ()
        first, text = self._labels[0], self._text[span.start : span.end].strip()
        in_turn = [label.value for label in self._labels[: _LEAST_SERIES + 1]]
        if not text or first.value == 1 or first.scheme not in _COUNTED or text[-1] not in ".!?»*:;":
            return ()
        if in_turn != list(range(first.value, first.value + len(in_turn))):
            return ()
        alike = max(b.at - a.at for a, b in pairwise(self._labels[: _LEAST_SERIES + 1]))
        titled = any(self._layout.heading(i, apart=i != rows[-1]) for i in rows)
        if titled or len(text) > 2 * alike:
            return ()
        paragraphs = sum(self._layout.lines[i].first for i in rows[1:])
        sentences = len(_SENTENCE.findall(text))
        begins = next((sign for sign in text if sign.isalpha()), "")
        whole = span.start == 0 and not paragraphs and sentences <= 1 and text.count(" ") >= _LEAST_WORDS
        return first.before if begins.islower() or whole else ()

    # --- helpers ----------------------------------------------------------------------------------------

    def _joined(self, span: Span, rows: range, roles: Sequence[Role]) -> list[Piece]:
        """Pieces of lines: all of the clause's in one, the others paragraph by paragraph."""
        found: list[Piece] = []
        clause: Piece | None = None
        before: Kind | None = None
        for index, role in zip(rows, roles, strict=True):
            line = self._layout.lines[index].span
            part = Span(max(line.start, span.start), min(line.end, span.end))
            kind = self._kind(index, role)
            if role == "clause" and clause is not None:
                if before == role:
                    clause.spans[-1] = Span(clause.spans[-1].start, part.end)
                else:
                    clause.spans.append(part)
            elif found and role != "clause" and self._goes_on(index, role, before, kind):
                found[-1].spans = [Span(found[-1].spans[0].start, part.end)]
            else:
                found.append(Piece(kind, [part]))
                clause = found[-1] if role == "clause" else clause
            before = kind
        return found

    def _kind(self, index: int, role: Role) -> Kind:
        """What a line makes the piece that it begins: a rule, a part of a book, or what its role says."""
        part = self._layout.part(index)
        if part is not None and role != "clause" and (part != "foreword" or role == "paragraph"):
            return part
        return "rule" if role == "paragraph" and self._layout.side_head(index) else role

    def _goes_on(self, index: int, role: Role, before: Kind | None, kind: Kind) -> bool:
        """Whether a line goes on the paragraph, rule or heading before it."""
        if before != kind and (before, kind) != ("rule", "paragraph"):
            return False
        if role == "caption" or self._layout.side_head(index):
            return False
        if self._layout.part(index) in _IN_ONE:
            return True
        if self._layout.side_head(index - 1) and not self._layout.lines[index].first:
            return True
        if role == "heading" and self._layout.division(index):
            return False
        title_of_part = role == "heading" and self._layout.division(index - 1)
        return title_of_part or not self._layout.paragraph_starts(index)

    def _whole(self, index: int, span: Span) -> bool:
        """Whether a line lies in a segment from end to end, and is no footnote."""
        line = self._layout.lines[index].span
        noted = any(note.span.start <= line.start < note.span.end for note in self._notes_near(line))
        return span.start <= line.start and line.end <= span.end and not noted

    def _notes_near(self, line: Span) -> list[Footnote]:
        return [note for note in self._notes if note.span.start < line.end and line.start < note.span.end]

    def _without(self, piece: Piece, notes: Sequence[Footnote]) -> Piece:
        """A piece less the footnotes that stand in it."""
        parts: list[Span] = []
        for span in piece.spans:
            at = span.start
            for note in notes:
                if at < note.span.end and note.span.start < span.end:
                    parts.append(Span(at, note.span.start))
                    at = note.span.end
            parts.append(Span(at, span.end))
        piece.spans = [
            part for part in parts if part.start < part.end and self._text[part.start : part.end].strip()
        ]
        return piece
