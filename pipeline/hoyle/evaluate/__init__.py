"""All figures of the project, measured against gold editions.

A gold file is JSON: ``file`` and ``sha256`` (or ``id``) of the source, and ``units`` as the
README of the gold editions describes them. The source is looked for beside the gold file, in
``../raw`` and in ``seeds/``; a corpus document of the same name lends its ``meta.toml``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hoyle import store
from hoyle.document import Document, Layer, Span, Unit
from hoyle.document.text_layers import Reading
from hoyle.errors import SourceError
from hoyle.evaluate.annotations import (
    matches,
    score_references,
    score_starts,
    score_tags,
    share_in_right_clause,
)
from hoyle.evaluate.score import Score
from hoyle.evaluate.tags import GoldUnit, Judgement, TagScore, judgements
from hoyle.evaluate.text import TextScore, score_text
from hoyle.pipeline import run, stages
from hoyle.tei.verify import verify_bytes
from hoyle.tei.write import tei_bytes


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The figures of one document.

    ``text`` compares corrected text, ``modern`` regularised text with gold over the gold units'
    own spans; ``extent`` is (characters in the right clause, characters in any clause);
    ``judgements`` are the tags that were judged, with their confidence; ``valid`` says that the
    TEI passes ``verify`` and gives the raw file back.
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
    judgements: tuple[Judgement, ...] = ()

    def figures(self) -> dict[str, float]:
        """Every figure by name, rates in per cent where the name says ``cer``, else 0–1."""
        return {
            "starts_f1": self.starts.f1,
            "extent": self.extent[0] / max(self.extent[1], 1),
            "cer_raw": self.text.cer_before,
            "cer_corrected": self.text.cer_after,
            "broken_per_1000": self.text.broken_per_1000,
            "cer_modern": self.modern.cer_after,
            **{f"{facet}_f1": score.f1 for facet, score in self.tags.items()},
            "references_f1": self.references.f1,
            "wrong_links": float(self.wrong_links),
            "valid": float(self.valid),
        }


TEXTS = ("clause", "paragraph", "heading", "footnote", "caption")
"""Kinds of gold unit whose text is measured."""

WITH_DECISIONS = " with decisions"
"""What follows the name of a document whose figures are those of the text as its editors decided."""


def evaluate(gold_file: Path, root: Path) -> dict[str, Evaluation]:
    """Run the pipeline on the source of a gold edition and measure what comes out.

    Claims rest on the figures without editors' decisions (``quinze``); where there are decisions, those
    of the published text follow (``quinze with decisions``).

    Args:
        gold_file: the gold edition.
        root: the folder that holds ``corpus/`` and ``seeds/``.

    Raises:
        SourceError: gold file unreadable or its source not found.
    """
    try:
        gold = json.loads(gold_file.read_text(encoding="utf-8"))
        units: list[GoldUnit] = gold["units"]
    except (OSError, ValueError, KeyError) as error:
        raise SourceError(f"is no gold edition ({error!r})", document=str(gold_file)) from error
    document = store.load(_request(gold_file, gold, root), root)
    made = {document.id: measure(run(document, stages("machine")), units)}
    if document.meta.decisions:
        made[document.id + WITH_DECISIONS] = measure(run(document, stages()), units)
    return made


def measure(document: Document, units: list[GoldUnit]) -> Evaluation:
    """The figures of an annotated document against gold units."""
    references, wrong = score_references(document, units)
    scores = score_tags(document, units)
    return Evaluation(
        document=document.id,
        starts=score_starts(document, units),
        extent=share_in_right_clause(document, units),
        text=_text(document, units, "corrected"),
        modern=_text(document, [u for u in units if u.get("modern")], "modern"),
        tags=scores,
        references=references,
        wrong_links=wrong,
        valid=not verify_bytes(tei_bytes(document), name=document.id),
        lang=document.lang,
        judgements=tuple(judgements(document.tags, scores)),
    )


def _text(document: Document, units: Sequence[GoldUnit], layer: Any) -> TextScore:
    """Text over the spans of the gold units, so that wrong extents do not count twice."""
    total = TextScore()
    for unit, partner in zip(units, matches(document, units), strict=True):
        spans = [Span(*span) for span in unit["spans"]]
        if not spans or unit["type"] not in TEXTS:
            continue
        raw = "".join(document.source.text[a:b] for a, b in spans)
        total += score_text(
            raw, clipped(document, own_spans(document, spans, partner), layer).text, unit[layer]
        )
    return total


def own_spans(document: Document, spans: Sequence[Span], partner: Unit | None) -> Sequence[Span]:
    """``spans`` of a gold unit as the document has them, if its unit ``partner`` holds the same text.

    They may part at other places (gold counts the white space between them), which is no fault.
    """
    same = partner and _characters(document, spans) == _characters(document, partner.spans)
    return partner.spans if partner and same else spans


def _characters(document: Document, spans: Sequence[Span]) -> list[int]:
    return [at for span in spans for at in range(*span) if not document.source.text[at].isspace()]


def clipped(document: Document, spans: Sequence[Span], layer: Layer) -> Reading:
    """The layer's reading of ``spans``; an edit that crosses their border is left out."""
    inside = [
        edit
        for edit in document.edits_in(spans, layer)
        if any(span.start <= edit.span.start and edit.span.end <= span.end for span in spans)
    ]
    return Reading(document.source.text, inside, spans, document=document.id)


def _request(gold_file: Path, gold: Mapping[str, Any], root: Path) -> store.Request:
    settings = root / "corpus" / gold_file.stem / "meta.toml"
    if settings.is_file():
        return store.Request(settings.parent, settings)
    name = gold.get("file") or f"{gold['id']}.txt"
    for folder in (gold_file.parent, gold_file.parent.parent / "raw", root / "seeds"):
        if (folder / name).is_file():
            return store.Request(folder / name)
    raise SourceError(
        f"its source {name} is neither beside it nor in ../raw nor in seeds/", document=str(gold_file)
    )
