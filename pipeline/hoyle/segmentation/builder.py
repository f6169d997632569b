"""From pieces of text to clauses and blocks, with ids, headings and the calls of notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hoyle.document import Block, BlockKind, Clause, Document, Evidence, Span
from hoyle.layout.flow import Flow
from hoyle.numbering import public_name
from hoyle.numbering.series import Label
from hoyle.segmentation.segmenter import Piece

DECODER = "numbering/decoder"
LAYOUT = "segmentation/clauses"
_INITIALS = {
    "heading": "h",
    "paragraph": "p",
    "rule": "r",
    "caption": "c",
    "footnote": "f",
    "gap": "g",
    "title-page": "title",
    "foreword": "fore",
    "contents": "toc",
    "index": "index",
    "errata": "errata",
    "catalogue": "cat",
    "table": "table",
}
"""What the ids of the kinds of block are made of."""
_TAIL_CONFIDENCE = 0.8
_BLOCK_CONFIDENCE = {"caption": 0.8, "footnote": 0.9, "gap": 1.0}
_USUAL_CONFIDENCE = 0.85


@dataclass
class UnitBuilder:
    """Makes units of pieces, one after the other.

    Attributes:
        document: the document.
        flow: its text in reading order.
        stops: offsets into it where an excerpt begins, with the number that an editor states for it.
        labelled: the clauses made so far that have a label, with their labels.
    """

    document: Document
    flow: Flow
    stops: Mapping[int, tuple[str, ...]]
    made: list[Clause | Block] = field(default_factory=list)
    labelled: list[tuple[Clause, Label]] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    heading: str = ""
    laws: dict[tuple[int, ...], str] = field(default_factory=dict)
    notes: list[tuple[int, str, str]] = field(default_factory=list)
    reached: int = 0
    where: list[tuple[Span, str]] = field(default_factory=list)

    def add(self, piece: Piece) -> None:
        """Appends the unit that a piece makes, and a gap before it where an excerpt jumps."""
        self._gap_before(piece)
        if piece.kind == "clause" and piece.label is not None:
            self._clause(piece, piece.label)
        elif piece.kind == "clause":
            self._tail(piece)
        elif piece.kind in _INITIALS:
            self._block(piece)

    def units(self) -> Iterator[Clause | Block]:
        """The units in reading order, footnotes tied to the unit that calls them."""
        text = self.flow.text
        parents: dict[str, str] = {}
        last: dict[str, int] = {}
        called = self._called()
        for at, mark, note in self.notes:
            if at in called:
                parents[note] = called[at]
                continue
            floor = max([last.get(mark, 0), *(s for s in self.stops if s <= at)])
            call = text.rfind(mark, floor, at)
            last[mark] = at + len(mark)
            parents[note] = next((i for span, i in self.where if span.start <= call < span.end), "")
        for unit in self.made:
            if isinstance(unit, Block) and unit.id in parents:
                yield Block(unit.id, unit.kind, unit.spans, unit.why, n=unit.n, parent=parents[unit.id])
            else:
                yield unit

    def _called(self) -> dict[int, str]:
        """For each note that a mark in the text calls, the unit that the mark stands in."""
        refs = [b for b in self.document.furniture if b.kind == "note-ref"]
        found: dict[int, str] = {}
        for at, mark in self.flow.notes.items():
            raw = self.flow.raw(Span(at, at + len(mark)))
            calls = [b.spans[0] for b in refs if raw and b.n == _shown(mark) and b.spans[0] < raw[0]]
            place = self.flow.offset(calls[-1].start) - 1 if calls else -1
            found[at] = next((i for span, i in self.where if span.start <= place <= span.end), "")
        return found

    def _raw(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        return tuple(raw for span in spans for raw in self.flow.owned(span))

    def _clause(self, piece: Piece, label: Label) -> None:
        spans = self._raw(piece.spans)
        if not spans:
            return
        raw_label = self.flow.raw(label.span)
        label_span = raw_label[0] if len(raw_label) == 1 and spans[0].covers(raw_label[0]) else None
        heading = self.flow.raw(piece.heading) if piece.heading else ()
        source = self.document.source.text
        clause = Clause(
            id=self._clause_id(label.path, label.series),
            label=source[label_span.start : label_span.end] if label_span else "",
            number=label.path,
            spans=spans,
            why=Evidence(DECODER, label.confidence),
            label_span=label_span,
            scheme=public_name(label.scheme),
            series=label.series,
            heading=heading[0] if len(heading) == 1 else None,
            under=self._under(label),
            flags=label.flags,
        )
        self._keep(clause, piece)
        self.labelled.append((clause, label))

    def _tail(self, piece: Piece) -> None:
        """The end of a clause whose label is not in the text."""
        spans = self._raw(piece.spans)
        if spans:
            clause = Clause(
                id=self._clause_id(piece.path, 1),
                label="",
                number=piece.path,
                spans=spans,
                why=Evidence(DECODER, _TAIL_CONFIDENCE),
                under=self.heading,
                incomplete="start",
                flags=("label-missing",),
            )
            self._keep(clause, piece)

    def _keep(self, unit: Clause | Block, piece: Piece) -> None:
        self.made.append(unit)
        self.where += [(span, unit.id) for span in piece.spans]

    def _clause_id(self, path: tuple[str, ...], series: int) -> str:
        number = ".".join(path)
        base = f"{self.document.id}.{number}" if series == 1 else f"{self.document.id}.s{series}.{number}"
        name, nth = base, 1
        while name in self.ids:
            nth += 1
            name = f"{base}-{nth}"
        self.ids.add(name)
        return name

    def _under(self, label: Label) -> str:
        """The heading of the law that the clause is a section of, else the last heading."""
        return next(
            (
                self.laws[run]
                for run in (label.runs[:n] for n in range(len(label.runs), 0, -1))
                if run in self.laws
            ),
            self.heading,
        )

    def _block(self, piece: Piece) -> None:
        spans = self._raw(piece.spans)
        if not spans:
            return
        kind: BlockKind = piece.kind  # type: ignore[assignment]
        n = _shown(piece.mark) if kind == "footnote" else ""
        if piece.label is not None:
            n = ".".join(piece.label.path)
        block = Block(
            self._block_id(kind),
            kind,
            spans,
            Evidence(LAYOUT, _BLOCK_CONFIDENCE.get(kind, _USUAL_CONFIDENCE)),
            n=n,
        )
        self._keep(block, piece)
        if kind == "heading":
            self.heading = block.id
        if kind == "footnote":
            self.notes.append((piece.spans[0].start, piece.mark, block.id))

    def _block_id(self, kind: str) -> str:
        self.counts[kind] = self.counts.get(kind, 0) + 1
        return f"{self.document.id}.{_INITIALS[kind]}{self.counts[kind]}"

    def _gap_before(self, piece: Piece) -> None:
        """A gap where an editor says that text is left out between two excerpts."""
        start = piece.spans[0].start
        passed = [s for s in self.stops if self.reached < s <= start]
        self.reached = start
        if passed and self.made:
            at = self._raw(piece.spans)[0].start
            self.made.append(Block(self._block_id("gap"), "gap", (Span(at, at),), Evidence(LAYOUT, 1.0)))


def _shown(mark: str) -> str:
    """The sign that a note and its call share: without brackets if it is a number or letter."""
    bare = mark.strip("[]^():")
    return bare if bare.isalnum() else mark
