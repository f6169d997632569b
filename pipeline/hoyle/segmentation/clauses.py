"""Decodes the numbering and cuts the text into clauses, headings, paragraphs and notes.

The work is done in the reading order that the columns stage found, with furniture taken out:
labels are decoded (``hoyle.numbering``), the text between them is cut (``structure.cutting``), and what
comes out is led back to raw spans.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hoyle.document import Block, BlockKind, Clause, Document, Evidence, Finding, Item, Span
from hoyle.languages import Language
from hoyle.layout.blocks import Layout, openings
from hoyle.layout.flow import Flow
from hoyle.numbering import public_name, resolve
from hoyle.numbering.candidates import Candidate, candidates
from hoyle.numbering.context import Surroundings
from hoyle.numbering.cues import CueWords
from hoyle.numbering.decoder import Choice, Start, anchor, decode
from hoyle.numbering.mention import mentioned
from hoyle.numbering.missing import gaps, restored
from hoyle.numbering.parts import titles_of_parts
from hoyle.numbering.series import Label, labels
from hoyle.numbering.tail import tails
from hoyle.segmentation.labels import label_edits
from hoyle.segmentation.segmenter import Cutter, Piece

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
_COMMENTARY = 4
"""A text that names so many more rules in turn than it labels is a commentary on them."""
_TAIL_CONFIDENCE = 0.8
_BLOCK_CONFIDENCE = {"caption": 0.8, "footnote": 0.9, "gap": 1.0}
_USUAL_CONFIDENCE = 0.85


@dataclass(frozen=True, slots=True)
class Decoded:
    """A document's labels and the text they were found in."""

    flow: Flow
    layout: Layout
    found: list[Label]
    starts: list[Start]
    stops: Mapping[int, tuple[str, ...]]


def decoded(document: Document, language: Language) -> Decoded:
    """The labels of a document, lost ones proposed, with all that was considered for each.

    Args:
        document: with the layers before this stage.
        language: its language.
    """
    flow, cues = Flow(document), language.resource(CueWords)
    stops = {flow.offset(e.at): e.number for e in document.meta.excerpts}
    layout = Layout(flow, cues)
    starts = _starts(document, flow, layout, cues)
    shown = labels(starts, flow.text, tuple(stops))
    if titles := titles_of_parts(shown, flow.text, cues):
        layout = Layout(flow, cues, titles)
        starts = _starts(document, flow, layout, cues)
        shown = labels(starts, flow.text, tuple(stops))
    if "detect" in document.meta.numbering:
        behind = tails(flow.text, cues)
        if behind and len(behind) >= len(shown):
            return Decoded(flow, layout, behind, starts, stops)
        named = mentioned(flow.text, cues)
        if named and len(named) >= _COMMENTARY * len(shown):
            return Decoded(flow, layout, named, starts, stops)
    found = restored(shown, openings(layout, shown), flow.text)
    return Decoded(flow, layout, found, starts, stops)


def _starts(document: Document, flow: Flow, layout: Layout, cues: CueWords) -> list[Start]:
    """What the decoder makes of the labels in a text whose parts are known."""
    anchors = sorted(
        (anchor(flow.offset(e.at), e.number) for e in document.meta.excerpts), key=lambda a: a.at
    )
    return decode(*gathered(document, flow, layout, cues), anchors)


def gathered(
    document: Document, flow: Flow, layout: Layout, cues: CueWords
) -> tuple[list[tuple[Candidate, ...]], Surroundings]:
    """Where labels may stand in a text, and what stands around them: what the decoder is given.

    Args:
        document: the document.
        flow: its text in reading order.
        layout: the lines of that text.
        cues: words that stand at numbers in its language.
    """
    parts = [span for span, _ in layout.divisions]
    heads = sorted({*(span.start for span in parts), *flow.headings})
    surroundings = Surroundings(flow.text, cues, flow.interruptions, heads, flow.headings)
    notes = [note.span for note in layout.footnotes() if note.span.start in flow.notes]
    closed = [*parts, *flow.tables, *notes, *layout.closed()]
    return candidates(flow.text, surroundings, resolve(document.meta.numbering), closed), surroundings


def considered(document: Document, language: Language, clause: Clause) -> tuple[Choice, ...]:
    """Every way in which the label of a clause could be taken, with what each gains.

    The way that was taken comes first, then the others from the best.

    Args:
        document: with the layers before this stage (later ones do no harm).
        language: its language.
        clause: one of its clauses.

    Returns:
        What the decoder weighed on its best path; empty where the text shows no label.
    """
    reading = decoded(document, language)
    for start in reading.starts:
        spans = reading.flow.raw(start.candidate.sighting.label)
        if clause.label_span is not None and spans and spans[0] == clause.label_span:
            taken = (start.value, start.levels)
            return tuple(
                sorted(start.choices, key=lambda c: ((c.option.value, c.option.stack) != taken, -c.gain))
            )
    return ()


def segment(document: Document, language: Language) -> Iterable[Item]:
    """Clauses and blocks in reading order, then the edits that correct labels, then findings.

    Args:
        document: with the layers language, furniture and columns.
        language: its language, whose words at numbers are looked for.
    """
    reading = decoded(document, language)
    builder = _Builder(document, reading)
    for piece in Cutter(reading.layout, reading.found, reading.stops).pieces():
        builder.add(piece)
    yield from builder.units()
    yield from label_edits(document.source.text, builder.labelled)
    yield from _findings(reading, builder)


@dataclass
class _Builder:
    """Makes units of pieces, one after the other."""

    document: Document
    reading: Decoded
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
        text = self.reading.flow.text
        parents: dict[str, str] = {}
        last: dict[str, int] = {}
        called = self._called()
        for at, mark, note in self.notes:
            if at in called:
                parents[note] = called[at]
                continue
            floor = max([last.get(mark, 0), *(s for s in self.reading.stops if s <= at)])
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
        for at, mark in self.reading.flow.notes.items():
            raw = self.reading.flow.raw(Span(at, at + len(mark)))
            calls = [b.spans[0] for b in refs if raw and b.n == _shown(mark) and b.spans[0] < raw[0]]
            place = self.reading.flow.offset(calls[-1].start) - 1 if calls else -1
            found[at] = next((i for span, i in self.where if span.start <= place <= span.end), "")
        return found

    def _raw(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        return tuple(raw for span in spans for raw in self.reading.flow.owned(span))

    def _clause(self, piece: Piece, label: Label) -> None:
        spans = self._raw(piece.spans)
        if not spans:
            return
        raw_label = self.reading.flow.raw(label.span)
        label_span = raw_label[0] if len(raw_label) == 1 and spans[0].covers(raw_label[0]) else None
        heading = self.reading.flow.raw(piece.heading) if piece.heading else ()
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
        passed = [s for s in self.reading.stops if self.reached < s <= start]
        self.reached = start
        if passed and self.made:
            at = self._raw(piece.spans)[0].start
            self.made.append(Block(self._block_id("gap"), "gap", (Span(at, at),), Evidence(LAYOUT, 1.0)))


def _findings(reading: Decoded, builder: _Builder) -> Iterator[Finding]:
    """Which numberings were found, which numbers are missing, which come twice."""
    flow = reading.flow
    series: dict[int, list[Label]] = {}
    for label in reading.found:
        series.setdefault(label.runs[-1], []).append(label)
    why = Evidence(DECODER, 1.0)
    if not series:
        yield Finding("numbering", "none", why)
    for group in series.values():
        shown = (
            f"{group[0].path[-1]}"
            if len(group) == 1
            else f"{'.'.join(group[0].path)}–{'.'.join(group[-1].path)}"
        )
        sure = sum(label.confidence for label in group) / len(group)
        yield Finding(
            "numbering",
            f"{public_name(group[0].scheme)}: {shown}",
            Evidence(DECODER, round(sure, 3)),
            _first(flow, group[0]),
        )
    for before, after, lost in gaps(reading.found):
        a, b = reading.found[before], reading.found[after]
        numbers = f"{lost[0]}" if len(lost) == 1 else f"{lost[0]}–{lost[-1]}"
        value = f"{numbers} missing between {'.'.join(a.path)} and {'.'.join(b.path)}"
        yield Finding("sequence", value, why, _first(flow, b), doubt=True)
    for clause, label in builder.labelled:
        for flag in label.flags:
            yield Finding("sequence", f"{clause.n}: {flag}", clause.why, clause.label_span, doubt=True)


def _shown(mark: str) -> str:
    """The sign that a note and its call share: without brackets if it is a number or letter."""
    bare = mark.strip("[]^():")
    return bare if bare.isalnum() else mark


def _first(flow: Flow, label: Label) -> Span | None:
    spans = flow.raw(label.span)
    return spans[0] if spans else None
