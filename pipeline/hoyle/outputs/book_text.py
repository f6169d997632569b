"""The text of a unit in one layer, for books: paragraphs of runs, with label, heading and links.

White space is that of :func:`hoyle.document.text_layers.normalise_whitespace`: single spaces, and a new
paragraph where the print begins one.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from typing import Literal

from hoyle.document import Block, Clause, Document, Layer, Span, Unit
from hoyle.document.text_layers import LayerText, layer_text

Role = Literal["", "label", "heading", "ref", "note"]

_BREAK = re.compile(r"[\r\n\u2028\u2029]")
_BLANK = re.compile(r"[ \t\f\v\u00a0]+")


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text of one role; ``target`` is the id of the unit a ``ref`` or ``note`` leads to."""

    text: str
    role: Role = ""
    target: str = ""


Paragraph = list[Run]


@dataclass(frozen=True, slots=True)
class _Mark:
    spans: tuple[Span, ...]
    role: Role
    target: str = ""


class Passages:
    """The texts of one document.

    Args:
        document: with all its layers.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.ids = frozenset(unit.id for unit in document.units)

    def paragraphs(self, unit: Unit, layer: Layer) -> list[Paragraph]:
        """Return the text of a unit in one layer; none where it has no text.

        Args:
            unit: a clause or block of the document.
            layer: ``raw``, ``corrected`` or ``modern``.
        """
        marks = self._marks(unit)
        pieces = list(self._pieces(unit, layer_text(self.document, unit.spans, layer), marks))
        found: list[Paragraph] = [[]]
        for mark, text in pieces:
            role, target = (mark.role, mark.target) if mark else ("", "")
            for number, line in enumerate(_BREAK.split(text)):
                if number:
                    found.append([])
                if line:
                    found[-1].append(Run(_BLANK.sub(" ", line), role, target))
        return [tidy for paragraph in found if (tidy := _tidy(paragraph))]

    def line(self, unit: Unit, layer: Layer) -> str:
        """Return the text of a unit in one layer, on one line.

        Args:
            unit: a clause or block of the document.
            layer: ``raw``, ``corrected`` or ``modern``.
        """
        return " ".join("".join(run.text for run in p if run.role != "note") for p in
                        self.paragraphs(unit, layer)).strip()  # fmt: skip

    def _marks(self, unit: Unit) -> list[_Mark]:
        marks: list[_Mark] = []
        if isinstance(unit, Clause):
            marks += [_Mark((unit.label_span,), "label")] if unit.label_span else []
            marks += [_Mark((unit.heading,), "heading")] if unit.heading else []
        marks += self._links.get(unit.id, [])
        return marks

    @cached_property
    def _links(self) -> Mapping[str, list[_Mark]]:
        found: dict[str, list[_Mark]] = {}
        for ref in self.document.references:
            if ref.target in self.ids:
                found.setdefault(ref.unit, []).append(_Mark(ref.spans, "ref", ref.target))
        return found

    def _pieces(
        self, unit: Unit, reading: LayerText, marks: Sequence[_Mark]
    ) -> Iterator[tuple[_Mark | None, str]]:
        """The reading cut where a mark begins or ends, with the note marks that stand in the print there."""
        notes = sorted(self._notes.get(unit.id, []))
        cuts = sorted({at for mark in marks for span in mark.spans for at in span})
        ends = {span.end for span in unit.spans}
        for piece in reading.segments:
            start, end = piece.raw
            bounds = [start, end]
            if piece.unchanged:
                bounds = [start, *cuts[bisect_right(cuts, start) : bisect_left(cuts, end)], end]
            for low, high in pairwise(bounds):
                text = piece.text[low - start : high - start] if piece.unchanged else piece.text
                yield _mark(marks, Span(low, high)), text
            if end in ends:
                while notes and notes[0][0] <= end:
                    yield _Mark((), "note", notes[0][2]), notes.pop(0)[1]
        for _, text, target in notes:
            yield _Mark((), "note", target), text

    @cached_property
    def _notes(self) -> Mapping[str, list[tuple[int, str, str]]]:
        """Note marks by unit: the end of the part they follow, the mark, and the id of the footnote."""
        units = [
            unit for unit in self.document.units if not isinstance(unit, Block) or unit.kind != "footnote"
        ]
        places = sorted((span.end, unit.id) for unit in units for span in unit.spans)
        ends = [end for end, _ in places]
        footnotes = [
            u for u in self.document.units if isinstance(u, Block) and u.kind == "footnote" and u.spans
        ]
        found: dict[str, list[tuple[int, str, str]]] = {}
        for block in self.document.furniture:
            if block.kind != "note-ref":
                continue
            goal = next((f.id for f in footnotes if f.n == block.n and f.spans[0] > block.spans[0]), "")
            at = bisect_right(ends, block.spans[0].start) - 1
            if goal and at >= 0:
                found.setdefault(places[at][1], []).append((ends[at], block.n or "*", goal))
        return found


def _mark(marks: Sequence[_Mark], at: Span) -> _Mark | None:
    """The first mark that has a share in the raw text ``at``."""
    for mark in marks:
        if any(s.start < at.end and at.start < s.end for s in mark.spans):
            return mark
    return None


def _tidy(paragraph: Paragraph) -> Paragraph:
    """Neighbours of one role joined, spaces single, none at the ends."""
    found: Paragraph = []
    for (role, target), same in groupby(paragraph, key=lambda run: (run.role, run.target)):
        text = "".join(run.text for run in same)
        if not found or found[-1].text.endswith(" "):
            text = text.lstrip(" ")
        if text := re.sub(" +", " ", text):
            found.append(Run(text, role, target))
    while found:
        last = found.pop()
        if text := last.text.rstrip(" "):
            return [*found, Run(text, last.role, last.target)]
    return found
