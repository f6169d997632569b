"""Measure all figures of the project against gold editions.

A gold file is JSON: ``file`` and ``sha256`` (or ``id``) of the source, and ``units`` as the
README of the gold editions describes them. The source is looked for beside the gold file, in
``../raw`` and in ``seeds/``; a corpus document of the same name lends its ``meta.toml``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from hoyle import loading
from hoyle.document import Document, Layer, Span, Unit
from hoyle.document.text_layers import LayerText
from hoyle.errors import SourceError
from hoyle.evaluate.annotations import (
    align_units,
    score_extents,
    score_references,
    score_starts,
    score_tags,
)
from hoyle.evaluate.gold import check_spans, read_gold
from hoyle.evaluate.score import Score
from hoyle.evaluate.tags import GoldUnit, ScoredTag, TagScore, scored_tags
from hoyle.evaluate.text import TextScore, score_text
from hoyle.pipeline import run, stages
from hoyle.tei.verify import verify_bytes
from hoyle.tei.write import tei_bytes


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The figures of one document.

    ``text`` compares corrected text, ``modern`` modernised text with gold over the spans of the gold
    units; ``extent`` is (characters in the right clause, characters in any clause); ``scored_tags``
    are the tags that were compared, with their confidence; ``valid`` says that the TEI passes
    ``verify`` and gives the raw file back.
    """

    document: str
    starts: Score
    extent: tuple[int, int]
    text: TextScore
    modern: TextScore
    tags: Mapping[str, TagScore]
    references: Score
    wrong_links: int
    valid: bool
    lang: str = ""
    scored_tags: tuple[ScoredTag, ...] = ()

    def figures(self) -> dict[str, float]:
        """Return every figure by name, rates in per cent where the name says ``cer``, else 0–1."""
        return {
            "starts_f1": self.starts.f1,
            "extent": self.extent[0] / max(self.extent[1], 1),
            "cer_raw": self.text.cer_before,
            "cer_corrected": self.text.cer_after,
            "words_broken_per_1000": self.text.words_broken_per_1000,
            "cer_modern": self.modern.cer_after,
            **{f"{facet}_f1": score.f1 for facet, score in self.tags.items()},
            "references_f1": self.references.f1,
            "wrong_links": float(self.wrong_links),
            "valid": float(self.valid),
        }


MEASURED_UNITS = ("clause", "paragraph", "heading", "footnote", "caption")
"""Kinds of gold unit whose text is measured."""

WITH_DECISIONS = " with decisions"
"""Suffix of the name of a document whose figures include the editorial decisions."""


def evaluate(gold_file: Path, root: Path) -> dict[str, Evaluation]:
    """Run the pipeline on the source of a gold edition and measure the result.

    The figures of the software are those without editorial decisions (``quinze``); where there are
    decisions, those of the published text follow (``quinze with decisions``).

    Args:
        gold_file: the gold edition.
        root: the folder that holds ``corpus/`` and ``seeds/``.

    Returns:
        The figures by the name of the document.

    Raises:
        SourceError: the gold file is unreadable or its source is not found.
    """
    gold = read_gold(gold_file)
    units: list[GoldUnit] = gold["units"]
    document = loading.load(_request(gold_file, gold, root), root)
    check_spans(units, len(document.source.text), gold_file)
    made = {document.id: measure(run(document, stages("machine")), units)}
    if document.meta.decisions:
        made[document.id + WITH_DECISIONS] = measure(run(document, stages()), units)
    return made


def measure(document: Document, units: list[GoldUnit]) -> Evaluation:
    """Measure an annotated document.

    Args:
        document: a document with all layers.
        units: units of its gold edition.

    Returns:
        The figures.
    """
    references, wrong = score_references(document, units)
    scores = score_tags(document, units)
    return Evaluation(
        document=document.id,
        starts=score_starts(document, units),
        extent=score_extents(document, units),
        text=_text(document, units, "corrected"),
        modern=_text(document, [u for u in units if u.get("modern")], "modern"),
        tags=scores,
        references=references,
        wrong_links=wrong,
        valid=not verify_bytes(tei_bytes(document), name=document.id),
        lang=document.lang,
        scored_tags=tuple(scored_tags(document.tags, scores)),
    )


def _text(document: Document, units: Sequence[GoldUnit], layer: Any) -> TextScore:
    """Score the text over the spans of the gold units, so that wrong extents do not count twice.

    It is measured as it is published: in the reading order of the document, against the gold in its own.
    """
    total = TextScore()
    for unit, partner in zip(units, align_units(document, units), strict=True):
        if not unit["spans"] or unit["type"] not in MEASURED_UNITS:
            continue
        spans = in_reading_order(document, [Span(*span) for span in unit["spans"]])
        raw = "".join(document.source.text[a:b] for a, b in spans)
        total += score_text(
            raw, clipped_reading(document, aligned_spans(document, spans, partner), layer).text, unit[layer]
        )
    return total


def in_reading_order(document: Document, spans: Sequence[Span]) -> list[Span]:
    """Return the text of spans in the order in which the document is read.

    Args:
        document: an annotated document.
        spans: spans of the raw text, in any order.

    Returns:
        Disjoint spans of the same characters; neighbours are one span.
    """
    order = {
        span.start: (position, number)
        for position, unit in enumerate(document.units)
        for number, span in enumerate(unit.spans)
    }
    begins = sorted(order)
    parts: list[tuple[tuple[int, int], Span]] = []
    for whole in _joined(sorted(spans)):
        inside = begins[bisect_right(begins, whole.start) : bisect_left(begins, whole.end)]
        for start, end in pairwise([whole.start, *inside, whole.end]):
            index = bisect_right(begins, start) - 1
            parts.append((order[begins[index]] if index >= 0 else (-1, 0), Span(start, end)))
    return _joined([span for _, span in sorted(parts)])


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Join spans each of which begins where the one before it ends."""
    found: list[Span] = []
    for span in spans:
        if found and found[-1].end == span.start:
            found[-1] = Span(found[-1].start, span.end)
        else:
            found.append(span)
    return found


def aligned_spans(document: Document, spans: Sequence[Span], partner: Unit | None) -> Sequence[Span]:
    """Return the spans of a gold unit as the document has them.

    They may be cut at other places (gold counts the white space between them), which is no error.

    Args:
        document: an annotated document.
        spans: spans of the gold unit, in characters of the raw text.
        partner: the unit of the document that starts at the same place, if any.

    Returns:
        The spans of ``partner`` if it holds the same text, else ``spans``.
    """
    same = partner and _characters(document, spans) == _characters(document, partner.spans)
    return partner.spans if partner and same else spans


def _characters(document: Document, spans: Sequence[Span]) -> list[int]:
    return [at for span in spans for at in range(*span) if not document.source.text[at].isspace()]


def clipped_reading(document: Document, spans: Sequence[Span], layer: Layer) -> LayerText:
    """Read a layer over spans; an edit that crosses their border is left out.

    Args:
        document: an annotated document.
        spans: spans of the raw text.
        layer: the layer to read.

    Returns:
        The reading of the spans.
    """
    inside = [
        edit
        for edit in document.edits_in(spans, layer)
        if any(span.start <= edit.span.start and edit.span.end <= span.end for span in spans)
    ]
    return LayerText(document.source.text, inside, spans, document=document.id)


def _request(gold_file: Path, gold: Mapping[str, Any], root: Path) -> loading.Request:
    settings = root / "corpus" / gold_file.stem / "meta.toml"
    if settings.is_file():
        return loading.Request(settings.parent, settings)
    name = gold.get("file") or f"{gold['id']}.txt"
    for folder in (gold_file.parent, gold_file.parent.parent / "raw", root / "seeds"):
        if (folder / name).is_file():
            return loading.Request(folder / name)
    raise SourceError(
        f"its source {name} is neither beside it nor in ../raw nor in seeds/", document=str(gold_file)
    )
