"""Measure the corrector on passages of OCR, by stratum and by confidence band.

Every change of the text is in one band. ``sure`` and ``flagged`` changes are made (``cert="high"`` and less
in TEI), ``proposed`` ones are candidates that are not made; joined hyphens are counted separately. A change
is right if the text is nearer to the gold with it than without it, all else as it is, and wrong if it is
farther from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from hoyle.correction.candidate import Candidate
from hoyle.correction.line_joins import HYPHEN_JOIN
from hoyle.correction.stage import correct
from hoyle.correction.units import score_units
from hoyle.document import Document, Edit
from hoyle.document.text_layers import LayerText, layer_text
from hoyle.evaluate.bootstrap import Estimate, Numbers, Rate, estimates
from hoyle.evaluate.passages import Passage
from hoyle.evaluate.text import TextScore, broken_words, score_text
from hoyle.languages import language
from hoyle.tei.names import certainty_level

BANDS = ("hyphens", "sure", "flagged", "proposed")
"""Confidence bands of changes, and the joined hyphens."""
STEPS = ("sure", "flagged", "proposed")
"""The text is scored with the sure changes alone, with all that are made, and with the proposed ones too."""

ALL = "all"
"""Name of all strata together."""

RATES: Mapping[str, Rate] = {
    "cer_before": Rate(100, "errors_before", "characters"),
    "cer_after": Rate(100, "errors_after", "characters"),
    "errors_removed": Rate(100, "errors_before", "errors_before", subtracted="errors_after"),
    "wer_before": Rate(100, "word_errors_before", "words"),
    "wer_after": Rate(100, "word_errors_after", "words"),
    "words_corrected_per_1000": Rate(1000, "words_corrected", "words_right_before"),
    "words_broken_per_1000": Rate(1000, "words_broken", "words_right_before"),
    "hyphens_joined_per_1000": Rate(1000, "hyphens_joined", "words_right_before"),
    "words_broken_unhyphenated_per_1000": Rate(1000, "unhyphenated_words_broken", "words_right_before"),
    "cer_unhyphenated_before": Rate(100, "unhyphenated_before", "characters"),
    "cer_unhyphenated_after": Rate(100, "unhyphenated_after", "characters"),
    "false_changes_per_10000": Rate(10_000, "false_changes", "characters"),
}
"""Figures of a text. ``errors_removed`` is the share of its character errors, in per cent; figures of words
are per 1000 words that were right in the raw text.
"""

_CONTEXT = 12
"""Characters on either side of a change that are compared with the gold to judge it."""

_STEP_RATES = ("cer_after", "wer_after", "words_corrected_per_1000", "words_broken_per_1000")


class Change(NamedTuple):
    """A stretch of a text that could read otherwise: as it did before, or as is proposed."""

    start: int
    end: int
    alternative: str
    band: str


@dataclass(frozen=True, slots=True)
class PassageResult:
    """The result for one passage.

    Attributes:
        stratum: stratum of the passage.
        scores: counts of the text up to each of :data:`STEPS`.
        changes: for each band the number of changes, of right ones and of wrong ones.
        broken: words that the raw text has right and the corrected one has not.
    """

    stratum: str
    scores: Mapping[str, TextScore]
    changes: Mapping[str, tuple[int, int, int]]
    broken: Sequence[str]


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of a stratum.

    Attributes:
        passages: number of passages.
        characters: of the gold (grapheme clusters).
        figures: :data:`RATES` of the corrected text.
        bands: for each band the share of its changes that is ``right`` and ``wrong`` (per cent), their number
            per 1000 words (``changes_per_1000``), and for :data:`STEPS` the figures of the text up to it.
    """

    passages: int
    characters: int
    figures: Mapping[str, Estimate]
    bands: Mapping[str, Mapping[str, Estimate]]


def correct_document(document: Document) -> Document:
    """Return the document with the layer ``correct``."""
    return document.with_layer("correct", correct(document, language(document.lang)))


def score_passages(done: Document, passages: Sequence[Passage]) -> Iterator[PassageResult]:
    """Score each passage of a corrected document.

    Args:
        done: a document with the layer ``correct``.
        passages: the gold of its units, in order.

    Yields:
        The result for each passage.
    """
    source = done.source.text
    for unit, passage, scored in zip(
        done.units, passages, score_units(done, language(done.lang)), strict=True
    ):
        edits = done.edits_in(unit.spans, "corrected")
        made = layer_text(done, unit.spans, "corrected")
        sure = LayerText(source, [e for e in edits if _band(e) != "flagged"], unit.spans)
        proposed = list(_proposed_changes(made.text, scored.edited.text, scored.candidates))
        raw = "".join(source[a:b] for a, b in unit.spans)
        texts = (sure.text, made.text, _apply(made.text, proposed))
        yield PassageResult(
            passage.stratum,
            {step: score_text(raw, text, passage.gold) for step, text in zip(STEPS, texts, strict=True)},
            _tally(made.text, [*_made_changes(made, edits), *proposed], passage.gold),
            broken_words(raw, made.text, passage.gold),
        )


def _band(edit: Edit) -> str:
    if edit.why.by == HYPHEN_JOIN:
        return "hyphens"
    return "sure" if certainty_level(edit.why.confidence) == "high" else "flagged"


def _made_changes(made: LayerText, edits: Iterable[Edit]) -> Iterator[Change]:
    """Yield the changes that were made, without line ends that became spaces."""
    by_span = {edit.span: edit for edit in edits}
    for piece in made.segments:
        edit = None if piece.unchanged else by_span[piece.raw]
        if edit and not (edit.before.isspace() and edit.after.isspace()):
            yield Change(piece.at, piece.at + len(piece.text), edit.before, _band(edit))


def _proposed_changes(made: str, text: str, candidates: Iterable[Candidate]) -> list[Change]:
    """Return the candidates that were not made, most probable first where they overlap, at their places."""
    places = _boundaries(text, made)
    found: list[Change] = []
    for candidate in sorted(candidates, key=lambda c: -c.probability):
        start, before = places[candidate.start], text[candidate.start : candidate.end]
        end = start + len(before)
        is_free = all(end <= other.start or other.end <= start for other in found)
        if is_free and made.startswith(before, start) and candidate.after != before:
            found.append(Change(start, end, candidate.after, "proposed"))
    return sorted(found)


def _apply(text: str, changes: Iterable[Change]) -> str:
    out, at = [], 0
    for change in changes:
        out += [text[at : change.start], change.alternative]
        at = change.end
    return "".join([*out, text[at:]])


def _tally(text: str, changes: Iterable[Change], gold: str) -> dict[str, tuple[int, int, int]]:
    """Count for each band its changes, the right ones and the wrong ones."""
    text, gold = _normalised(text), " ".join(_normalised(gold).split())
    places = _boundaries(text, gold)
    found = {band: [0, 0, 0] for band in BANDS}
    for change in changes:
        start, end = max(0, change.start - _CONTEXT), min(len(text), change.end + _CONTEXT)
        goal = gold[places[start] : places[end]]
        alternative = text[start : change.start] + _normalised(change.alternative) + text[change.end : end]
        gain = Levenshtein.distance(text[start:end], goal) - Levenshtein.distance(alternative, goal)
        if change.band != "proposed":  # here the other reading is the one before the change
            gain = -gain
        found[change.band][0] += 1
        found[change.band][1] += gain > 0
        found[change.band][2] += gain < 0
    return {band: (counts[0], counts[1], counts[2]) for band, counts in found.items()}


def _normalised(text: str) -> str:
    """Replace white space and apostrophes by one form each; every character keeps its place."""
    return re.sub(r"\s", " ", text).replace("’", "'")


def _boundaries(text: str, gold: str) -> list[int]:
    """Map each place in a text, its end included, to the place in another one."""
    places = [0] * (len(text) + 1)
    for op in Levenshtein.opcodes(text, gold):
        for i in range(op.src_start, op.src_end):
            places[i] = min(op.dest_start + i - op.src_start, op.dest_end)
    places[len(text)] = len(gold)
    return places


def report(found: Iterable[PassageResult]) -> dict[str, Report]:
    """Summarise the results by stratum.

    Args:
        found: results of passages.

    Returns:
        The figures of each stratum, in the order of the passages, and of :data:`ALL` together; only the
        latter if there is one stratum, and nothing if there is no passage.
    """
    strata: dict[str, list[PassageResult]] = {}
    for result in found:
        strata.setdefault(result.stratum, []).append(result)
    together = [result for some in strata.values() for result in some]
    made = {name or "(none)": _report(some) for name, some in strata.items()} if len(strata) > 1 else {}
    return made | ({ALL: _report(together)} if together else {})


def _report(some: Sequence[PassageResult]) -> Report:
    counts = _counts(some)
    return Report(
        passages=len(some),
        characters=int(counts["characters"].sum()),
        figures=estimates(counts, RATES),
        bands={band: estimates(counts, _band_rates(band)) for band in BANDS},
    )


def _band_rates(band: str) -> dict[str, Rate]:
    rates = {
        "changes_per_1000": Rate(1000, f"{band}.changes", "words"),
        "right": Rate(100, f"{band}.right", f"{band}.changes"),
        "wrong": Rate(100, f"{band}.wrong", f"{band}.changes"),
    }
    if band in STEPS:
        for name in _STEP_RATES:
            rate = RATES[name]
            rates[name] = rate._replace(numerator=f"{band}.{rate.numerator}")
    return rates


def _counts(some: Sequence[PassageResult]) -> dict[str, Numbers]:
    """Return every count by name, a number for each passage."""
    rows = []
    for result in some:
        row = asdict(result.scores["flagged"])
        for step in STEPS:
            row |= {f"{step}.{name}": count for name, count in asdict(result.scores[step]).items()}
        for band, counted in result.changes.items():
            names = (f"{band}.changes", f"{band}.right", f"{band}.wrong")
            row |= dict(zip(names, counted, strict=True))
        row["false_changes"] = sum(result.changes[band][2] for band in BANDS if band != "proposed")
        rows.append(row)
    return {name: np.array([row[name] for row in rows], dtype=np.float64) for name in rows[0]}
