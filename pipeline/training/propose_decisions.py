"""Write editorial decisions where a gold edition differs from the pipeline or the pipeline is not sure.

    python pipeline/training/propose_decisions.py [--editor NAME] [--date DATE] [--sure 0.9] GOLD.json...

For each gold edition of a corpus document, rows are added to ``corpus/<id>/decisions.tsv``: readings
word by word, then tags. Existing decisions are applied first, so a second run adds nothing; after a change
of the pipeline it adds what has become necessary. Run it in the folder that holds ``corpus/``.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from rapidfuzz.distance import Levenshtein

from hoyle import loading
from hoyle.document import Clause, Document, Span, Unit
from hoyle.document.text_layers import LayerSegment, LayerText, layer_text
from hoyle.editorial import decisions
from hoyle.errors import StageError
from hoyle.evaluate import MEASURED_UNITS, aligned_spans, clipped_reading
from hoyle.evaluate.annotations import align_units
from hoyle.pipeline import run, stages


class Proposal(NamedTuple):
    """A row to add to ``decisions.tsv``."""

    span: Span
    kind: str
    value: str
    reason: str


class Segment(NamedTuple):
    """Words of the corrected text, from ``start`` to ``end``, and the gold text of the same place."""

    start: int
    end: int
    gold: str


def readings(document: Document, units: Sequence[Mapping[str, Any]], sure: float) -> Iterator[Proposal]:
    """Propose decisions on words that gold reads otherwise, or whose correction is not sure.

    Args:
        document: an annotated document.
        units: units of its gold edition.
        sure: probability from which an edit needs no confirmation.

    Yields:
        Decisions in the order of the gold.
    """
    borders = {at for unit in document.units for span in unit.spans for at in span}
    for unit, partner in zip(units, align_units(document, units), strict=True):
        spans = aligned_spans(document, [Span(*span) for span in unit["spans"]], partner)
        if unit["type"] not in MEASURED_UNITS or not spans:
            continue
        reading = clipped_reading(document, spans, "corrected")
        edits = document.edits_in(spans, "corrected")
        doubtful = [e.span for e in edits if e.why.confidence < sure and e.kind != "layout"]
        for segment in segments(reading, unit["corrected"]):
            mine = reading.text[segment.start : segment.end]
            for row, now, gold in _rows(document, reading, segment, borders):
                raw = document.source.text[slice(*row)]
                if now != gold or any(row.covers(span) for span in doubtful):
                    yield _reading(row, raw, gold, _reason(raw, mine, segment.gold, unit.get("cruxes") or ()))


def _reading(span: Span, raw: str, gold: str, reason: str) -> Proposal:
    if raw == gold:
        return Proposal(span, "reject", "", reason)
    return Proposal(span, "read-as", gold, reason)


def segments(reading: LayerText, gold: str) -> Iterator[Segment]:
    """Cut the reading and the gold at the spaces that both have.

    Spaces that were inserted or are part of an edit are not cut at.

    Args:
        reading: the corrected text of a unit.
        gold: its gold text.

    Yields:
        The segments in order.
    """
    mine, gold = (re.sub(r"\s", " ", text) for text in (reading.text, gold.strip()))
    cuttable = _spaces(reading.segments)
    at, there = 0, 0
    for op in Levenshtein.opcodes(mine, gold):
        if op.tag != "equal":
            continue
        for n in range(op.src_end - op.src_start):
            i, j = op.src_start + n, op.dest_start + n
            if mine[i] == " " and i in cuttable:
                yield Segment(at, i, gold[there:j])
                at, there = i + 1, j + 1
    yield Segment(at, len(mine), gold[there:])


def _spaces(pieces: Sequence[LayerSegment]) -> set[int]:
    found: set[int] = set()
    for piece in pieces:
        if piece.unchanged:
            found |= {piece.at + n for n, c in enumerate(piece.text) if c.isspace()}
        elif piece.text == " " and piece.raw.start < piece.raw.end:
            found.add(piece.at)
    return found


def _rows(
    document: Document, reading: LayerText, segment: Segment, borders: set[int]
) -> Iterator[tuple[Span, str, str]]:
    """Yield the raw spans of a segment, cut at the ends of units and spans, with both texts of each."""
    if segment.start == segment.end:
        return
    mine = re.sub(r"\s", " ", reading.text[segment.start : segment.end])
    try:
        spans = reading.to_raw(Span(segment.start, segment.end))
    except StageError:  # nothing but inserted text
        return
    parts: list[Span] = []
    for span in spans:
        cuts = [span.start, *sorted(b for b in borders if span.start < b < span.end), span.end]
        parts += [Span(a, b) for a, b in pairwise(cuts) if document.source.text[a:b].strip()]
    at = there = 0
    for n, part in enumerate(parts):
        end, until = len(mine), len(segment.gold)
        if n + 1 < len(parts):
            end = _place(reading, parts[n + 1].start) - segment.start
            until = _aligned(mine, segment.gold, end)
        yield part, mine[at:end], segment.gold[there:until]
        at, there = end, until


def _place(reading: LayerText, raw: int) -> int:
    """Return the offset in the reading of a character of the raw text."""
    for piece in reading.segments:
        if piece.raw.start <= raw < piece.raw.end:
            return piece.at + (raw - piece.raw.start if piece.unchanged else 0)
    raise ValueError(raw)


def _aligned(mine: str, gold: str, at: int) -> int:
    for op in Levenshtein.opcodes(mine, gold):
        if op.src_start <= at < op.src_end or (op.src_start == at == op.src_end):
            return min(op.dest_start + at - op.src_start, op.dest_end)
    return len(gold)


def _reason(raw: str, mine: str, gold: str, cruxes: Sequence[Mapping[str, Any]]) -> str:
    """Name the kind of difference."""
    for crux in cruxes:
        if gold and gold in crux.get("corrected", "") and crux.get("why") and len(gold) > 2:
            return "doubtful in the scan: " + re.split(r"(?<=\w)[.;] ", crux["why"])[0].strip(" .")
    if gold in (mine, raw):
        return "confirmed: the machine was less than sure" if mine == gold else "the scan is right"
    letters = ["".join(c for c in text if c.isalpha()) for text in (mine, gold)]
    if mine.replace(" ", "") == gold.replace(" ", ""):
        return "spacing"
    if letters[0] == letters[1]:
        return "signs or figures misread"
    if letters[0].lower() == letters[1].lower():
        return "capital or small letter"
    return "letters lost in the scan" if len(letters[0]) < len(letters[1]) else "letters misread"


# Tags


def tags(document: Document, units: Sequence[Mapping[str, Any]]) -> Iterator[Proposal]:
    """Propose decisions on tags that only the gold, or only the document has.

    Args:
        document: an annotated document.
        units: units of its gold edition.

    Yields:
        Decisions in the order of the gold.
    """
    for unit, partner in zip(units, align_units(document, units), strict=True):
        if unit["type"] != "clause" or not isinstance(partner, Clause):
            continue
        mine: dict[str, set[str]] = {}
        for tag in document.tags:
            if tag.unit == partner.id and (tag.facet != "modality" or tag.main):
                mine.setdefault(tag.facet, set()).add(tag.value)
        yield from _tag_rows(document, unit, partner, mine)


def _tag_rows(
    document: Document, unit: Mapping[str, Any], clause: Clause, mine: Mapping[str, set[str]]
) -> Iterator[Proposal]:
    there = clause.label_span or Span(clause.spans[0].start, clause.spans[0].start)
    true: dict[str, dict[str, Mapping[str, Any]]] = {
        "game": {unit["game"]: {}} if unit.get("game") else {},
        "actor": {a["id"]: a for a in reversed(unit.get("actors") or [])},
        "penalty": {p["type"]: p for p in reversed(unit.get("penalties") or [])},
        "modality": {unit["modality"]: {}} if unit.get("modality") else {},
    }
    for facet, values in true.items():
        for value in sorted(mine.get(facet, set()) - values.keys()):
            if facet != "modality" or not values:
                yield Proposal(there, "tag", f"-{facet}:{value}", "the clause does not say so")
        for value in sorted(values.keys() - mine.get(facet, set())):
            said = values[value]
            span = _words(document, clause, said.get("text") or "") or there
            details = [f"against={said['against']}"] if said.get("against") else []
            details += [f"exacted_by={said['by']}"] if said.get("by") else []
            yield Proposal(
                span, "tag", " ".join([f"{facet}:{value}", *details]), "the clause says so, no rule finds it"
            )


def _words(document: Document, unit: Unit, words: str) -> Span | None:
    """Return the raw span of ``words`` of the corrected text, if they are one span."""
    reading = layer_text(document, unit.spans, "corrected")
    at = reading.text.replace("\n", " ").find(words) if words else -1
    if at < 0:
        return None
    spans = reading.to_raw(Span(at, at + len(words)))
    return spans[0] if len(spans) == 1 else None


# The table


def _row(document: Document, made: Proposal, editor: str, date: str) -> str:
    cells = [document.source.text[slice(*made.span)], made.kind, made.value, editor, date, made.reason]
    shown = [re.sub(r"^ | $", "␣", cell.replace("\n", "␤")) for cell in cells]
    return "\t".join([str(made.span.start), str(made.span.end), *shown])


def _decided(row: str) -> tuple[str, ...]:
    """Return the place, words, kind and value of a row."""
    return tuple(row.split("\t")[:5])


def _annotated(ident: str) -> Document:
    [request] = loading.requests(ident, Path())
    return run(loading.load(request, Path()), stages())


def add(gold_file: Path, editor: str, date: str, sure: float) -> int:
    """Add the decisions that a gold edition requires.

    Args:
        gold_file: the gold edition.
        editor: name of the editor.
        date: date of the decisions (ISO 8601).
        sure: probability from which an edit needs no confirmation.

    Returns:
        The number of rows added.
    """
    units = json.loads(gold_file.read_text(encoding="utf-8"))["units"]
    path = Path("corpus", gold_file.stem, decisions.FILE)
    if not path.is_file():
        path.write_text("\t".join(decisions.COLUMNS) + "\n", encoding="utf-8")
    added = 0
    for of_text in (True, False):
        document = _annotated(gold_file.stem)
        proposed = readings(document, units, sure) if of_text else tags(document, units)
        there = set(map(_decided, path.read_text(encoding="utf-8").splitlines()))
        rows = [_row(document, p, editor, date) for p in proposed]
        rows = [row for row in rows if _decided(row) not in there]
        with path.open("a", encoding="utf-8", newline="\n") as table:
            table.writelines(f"{row}\n" for row in rows)
        added += len(rows)
    for finding in _annotated(gold_file.stem).findings:
        if finding.doubt and finding.topic == "decision":
            print(f"  {gold_file.stem}: {finding.value}")
    return added


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("gold", nargs="+", type=Path)
    parser.add_argument("--editor", default="Hoyle editors")
    parser.add_argument("--date", default="2026-11-29")
    parser.add_argument("--sure", type=float, default=0.9, help="confirm edits that are less probable")
    options = parser.parse_args()
    for gold_file in options.gold:
        added = add(gold_file, options.editor, options.date, options.sure)
        print(f"{gold_file.stem}: {added} decisions added")


if __name__ == "__main__":
    main()
