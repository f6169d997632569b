"""Decodes the numbering and cuts the text into clauses, headings, paragraphs and notes.

The work is done in the reading order that the columns stage found, with furniture taken out:
labels are decoded (``hoyle.numbering``), the text between them is cut (``segmentation.segmenter``), and what
comes out is led back to raw spans.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from hoyle.document import Clause, Document, Evidence, Finding, Item, Span
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
from hoyle.segmentation.builder import DECODER, UnitBuilder
from hoyle.segmentation.labels import label_edits
from hoyle.segmentation.segmenter import Cutter

_COMMENTARY = 4
"""A text that names so many more rules in turn than it labels is a commentary on them."""


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
    builder = UnitBuilder(document, reading.flow, reading.stops)
    for piece in Cutter(reading.layout, reading.found, reading.stops).pieces():
        builder.add(piece)
    yield from builder.units()
    yield from label_edits(document.source.text, builder.labelled)
    yield from _findings(reading, builder)


def _findings(reading: Decoded, builder: UnitBuilder) -> Iterator[Finding]:
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


def _first(flow: Flow, label: Label) -> Span | None:
    spans = flow.raw(label.span)
    return spans[0] if spans else None
