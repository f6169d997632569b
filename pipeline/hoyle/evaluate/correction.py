"""What the corrector does to passages of OCR, by stratum and by how sure it was of each change.

Every change of the text falls into one zone: ``sure`` and ``flagged`` are made (TEI tells them apart as
``cert="high"`` and less), ``proposed`` was considered and not made; hyphens that are joined are
counted apart. A change is right if the text is nearer to the gold with it than without it, all
else as it is; wrong if it is farther from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from hoyle.correction.line_joins import HYPHEN_JOIN
from hoyle.correction.stage import correct
from hoyle.correction.units import score_units
from hoyle.correction.word_correction import Candidate
from hoyle.document import Document, Edit
from hoyle.document.text_layers import Reading, read
from hoyle.evaluate.bootstrap import Estimate, Numbers, Rate, estimates
from hoyle.evaluate.passages import Passage
from hoyle.evaluate.text import TextScore, broken_words, score_text
from hoyle.languages import language
from hoyle.tei.names import certainty

ZONES = ("hyphens", "sure", "flagged", "proposed")
STEPS = ("sure", "flagged", "proposed")
"""The text is measured with what is sure alone, with all that is made, and with what is proposed too."""

ALL = "all"
"""The name of all strata together."""

RATES: Mapping[str, Rate] = {
    "cer_before": Rate(100, "errors_before", "characters"),
    "cer_after": Rate(100, "errors_after", "characters"),
    "gain": Rate(100, "errors_before", "errors_before", minus="errors_after"),
    "wer_before": Rate(100, "word_errors_before", "words"),
    "wer_after": Rate(100, "word_errors_after", "words"),
    "fixed_per_1000": Rate(1000, "fixed", "right_before"),
    "broken_per_1000": Rate(1000, "broken", "right_before"),
    "joined_per_1000": Rate(1000, "joined", "right_before"),
    "broken_unhyphened_per_1000": Rate(1000, "unhyphened_broken", "right_before"),
    "cer_unhyphened_before": Rate(100, "unhyphened_before", "characters"),
    "cer_unhyphened_after": Rate(100, "unhyphened_after", "characters"),
    "wrong_changes_per_10000": Rate(10_000, "wrong_changes", "characters"),
}
"""Figures of a text; ``gain`` is the share of character errors that is gone, words are of 1000 right ones."""

_CONTEXT = 12
"""Characters on either side of a change that are looked at to judge it."""

_STEP_RATES = ("cer_after", "wer_after", "fixed_per_1000", "broken_per_1000")


class Change(NamedTuple):
    """A stretch of a text that could read otherwise: as it did before, or as is proposed."""

    start: int
    end: int
    other: str
    zone: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was made of one passage.

    ``scores`` are those of the text up to each of :data:`STEPS`; ``changes`` are, for each zone,
    how many there are, how many are right and how many wrong; ``broken`` are the words that were.
    """

    stratum: str
    scores: Mapping[str, TextScore]
    changes: Mapping[str, tuple[int, int, int]]
    broken: Sequence[str]


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of a stratum: of the text, and for each zone of the changes in it.

    A zone has the share of its changes that is ``right`` and ``wrong`` (per cent) and how many there are
    for 1000 words (``changes_per_1000``); a step of :data:`STEPS` also what the text is worth with
    all up to it.
    """

    passages: int
    characters: int
    figures: Mapping[str, Estimate]
    zones: Mapping[str, Mapping[str, Estimate]]


def corrected(document: Document) -> Document:
    """The document with its layout and words mended, as the stage ``correct`` does."""
    return document.with_layer("correct", correct(document, language(document.lang)))


def outcomes(done: Document, passages: Sequence[Passage]) -> Iterator[Outcome]:
    """What was made of each passage.

    Args:
        done: a corrected document.
        passages: the gold of its units, in order.
    """
    source = done.source.text
    for unit, passage, one in zip(done.units, passages, score_units(done, language(done.lang)), strict=True):
        edits = done.edits_in(unit.spans, "corrected")
        made = read(done, unit.spans, "corrected")
        sure = Reading(source, [e for e in edits if _zone(e) != "flagged"], unit.spans)
        proposed = list(_proposed(made.text, one.edited.text, one.candidates))
        raw = "".join(source[a:b] for a, b in unit.spans)
        texts = (sure.text, made.text, _with(made.text, proposed))
        yield Outcome(
            passage.stratum,
            {step: score_text(raw, text, passage.gold) for step, text in zip(STEPS, texts, strict=True)},
            _tally(made.text, [*_made(made, edits), *proposed], passage.gold),
            broken_words(raw, made.text, passage.gold),
        )


def _zone(edit: Edit) -> str:
    if edit.why.by == HYPHEN_JOIN:
        return "hyphens"
    return "sure" if certainty(edit.why.confidence) == "high" else "flagged"


def _made(made: Reading, edits: Iterable[Edit]) -> Iterator[Change]:
    """The changes that were made; that a line goes on is none."""
    by_span = {edit.span: edit for edit in edits}
    for piece in made.pieces:
        edit = None if piece.same else by_span[piece.raw]
        if edit and not (edit.before.isspace() and edit.after.isspace()):
            yield Change(piece.at, piece.at + len(piece.text), edit.before, _zone(edit))


def _proposed(made: str, text: str, proposals: Iterable[Candidate]) -> list[Change]:
    """The proposals for ``text`` that were not made, surest first where they overlap, at their places."""
    places = _boundaries(text, made)
    found: list[Change] = []
    for one in sorted(proposals, key=lambda proposal: -proposal.probability):
        start, before = places[one.start], text[one.start : one.end]
        end = start + len(before)
        is_free = all(end <= other.start or other.end <= start for other in found)
        if is_free and made.startswith(before, start) and one.after != before:
            found.append(Change(start, end, one.after, "proposed"))
    return sorted(found)


def _with(text: str, changes: Iterable[Change]) -> str:
    out, at = [], 0
    for change in changes:
        out += [text[at : change.start], change.other]
        at = change.end
    return "".join([*out, text[at:]])


def _tally(text: str, changes: Iterable[Change], gold: str) -> dict[str, tuple[int, int, int]]:
    """For each zone: changes, right ones, wrong ones."""
    text, gold = _levelled(text), " ".join(_levelled(gold).split())
    places = _boundaries(text, gold)
    found = {zone: [0, 0, 0] for zone in ZONES}
    for change in changes:
        start, end = max(0, change.start - _CONTEXT), min(len(text), change.end + _CONTEXT)
        goal = gold[places[start] : places[end]]
        other = text[start : change.start] + _levelled(change.other) + text[change.end : end]
        nearer = Levenshtein.distance(text[start:end], goal) - Levenshtein.distance(other, goal)
        if change.zone != "proposed":  # here the other reading is the one before the change
            nearer = -nearer
        found[change.zone][0] += 1
        found[change.zone][1] += nearer > 0
        found[change.zone][2] += nearer < 0
    return {zone: (one[0], one[1], one[2]) for zone, one in found.items()}


def _levelled(text: str) -> str:
    """White space and apostrophes made alike; every character keeps its place."""
    return re.sub(r"\s", " ", text).replace("’", "'")


def _boundaries(text: str, gold: str) -> list[int]:
    """For each place in a text, its end included, the place in another one."""
    places = [0] * (len(text) + 1)
    for op in Levenshtein.opcodes(text, gold):
        for i in range(op.src_start, op.src_end):
            places[i] = min(op.dest_start + i - op.src_start, op.dest_end)
    places[len(text)] = len(gold)
    return places


def report(found: Iterable[Outcome]) -> dict[str, Report]:
    """The figures of each stratum, in the order of the passages, and of :data:`ALL` together.

    Nothing in, nothing out. A set without strata has only :data:`ALL`.
    """
    strata: dict[str, list[Outcome]] = {}
    for outcome in found:
        strata.setdefault(outcome.stratum, []).append(outcome)
    together = [outcome for some in strata.values() for outcome in some]
    made = {name or "(none)": _report(some) for name, some in strata.items()} if len(strata) > 1 else {}
    return made | ({ALL: _report(together)} if together else {})


def _report(some: Sequence[Outcome]) -> Report:
    counts = _counts(some)
    return Report(
        passages=len(some),
        characters=int(counts["characters"].sum()),
        figures=estimates(counts, RATES),
        zones={zone: estimates(counts, _zone_rates(zone)) for zone in ZONES},
    )


def _zone_rates(zone: str) -> dict[str, Rate]:
    rates = {
        "changes_per_1000": Rate(1000, f"{zone}.changes", "words"),
        "right": Rate(100, f"{zone}.right", f"{zone}.changes"),
        "wrong": Rate(100, f"{zone}.wrong", f"{zone}.changes"),
    }
    if zone in STEPS:
        for name in _STEP_RATES:
            rate = RATES[name]
            rates[name] = rate._replace(plus=f"{zone}.{rate.plus}")
    return rates


def _counts(some: Sequence[Outcome]) -> dict[str, Numbers]:
    """Every count by name, a number a passage."""
    rows = []
    for outcome in some:
        row = asdict(outcome.scores["flagged"])
        for step in STEPS:
            row |= {f"{step}.{name}": count for name, count in asdict(outcome.scores[step]).items()}
        for zone, counted in outcome.changes.items():
            names = (f"{zone}.changes", f"{zone}.right", f"{zone}.wrong")
            row |= dict(zip(names, counted, strict=True))
        row["wrong_changes"] = sum(outcome.changes[zone][2] for zone in ZONES if zone != "proposed")
        rows.append(row)
    return {name: np.array([row[name] for row in rows], dtype=np.float64) for name in rows[0]}
