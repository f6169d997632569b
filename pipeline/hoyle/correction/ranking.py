"""Merge the candidates of the tagger and of the lattice, calibrate and select them.

The two generators err in different ways: the tagger knows contexts and the habits of OCR engines, the
lattice words and letters. A candidate that both give is nearly always right. The probability of a
candidate is the share of candidates of its change type and score that were right on passages that
neither model was trained on (``calibration.tsv``; Zadrozny & Elkan 2002, Guo et al. 2017).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import regex
from rapidfuzz.distance import Levenshtein

from hoyle.correction import tagger_edits as tagger_types
from hoyle.correction import word_correction as lattice_types
from hoyle.correction.tagger import Tags, normalise_signs
from hoyle.correction.tagger_edits import TaggerEdit
from hoyle.correction.word_correction import Candidate
from hoyle.languages import Language

MIN_CHANGE = 0.05
"""Probability of a change (tagger) below which a character is not suspicious."""

CERTAIN = 0.95
"""Probability (tagger) from which a word that becomes a listed one is not decoded by the lattice."""

BOTH = "both"
"""Change type of candidates that tagger and lattice both give."""

SEPARATE_TYPES = ("single_letter", "to_unlisted", "acceptable", "listed_to_listed")
"""Change types of the lattice that are calibrated separately among candidates of both generators."""

RISKY_TYPES = {"listed_to_listed", "acceptable", "to_more_frequent", "mark_replaced"}
"""Change types, whatever their generator, whose words or marks may well be right as they stand."""

CHANGE_TYPES = (
    BOTH,
    *(f"{BOTH} {change_type}" for change_type in SEPARATE_TYPES),
    *(f"tagger {change_type}" for change_type in tagger_types.CHANGE_TYPES),
    *(f"lattice {change_type}" for change_type in lattice_types.CHANGE_TYPES),
)
"""Change types: the generator, and what the candidate does."""

QUALITY_BANDS = {"clean": 0.0, "fair": 3.0, "bad": 15.0}
"""Bands of OCR quality, with the number of words in 1000 characters that the tagger changes from which a
document is in the band.
"""

MIN_SAMPLE = 500
"""Characters that a sample must have for its OCR quality to be told."""

ANY_QUALITY = "any"
"""Stands for all bands of OCR quality together."""

SKIPPED_TYPES = {"modernised", "number", "other_script"}
"""Change types that no language considers. Numbers are left to the decoder of numbering."""


def skipped_types(language: Language) -> set[str]:
    """Return the change types skipped in a language: :data:`SKIPPED_TYPES` and its own."""
    return SKIPPED_TYPES | set(language.settings["correct"].get("skip_change_types", ()))


_WORD = regex.compile(r"\p{L}+")
_SUSPICIOUS = (
    r"[^\p{L}\p{N}\s.,;:!?()«»„“”\"'’—–-]|\p{L}\p{N}|\p{N}\p{L}|\s[.,;:]|\s\p{L}\s\p{L}\s|\p{Ll}\p{Lu}"
)
_STRAY_CAPITAL = regex.compile(r"(?<=\p{Ll})\p{Lu}")


def is_suspicious(text: str, language: Language) -> bool:
    """Tell whether a text has an unlisted word or a suspicious sequence of characters.

    Args:
        text: the edited text of a unit.
        language: its language, with a lexicon; ``suspicious`` of ``[correct]`` adds a pattern.

    Returns:
        Whether the tagger has to read the text.
    """
    if language.resource(_suspicious_pattern).search(text):
        return True
    known = language.lexicon
    return any(m.group().lower() not in known for m in _WORD.finditer(normalise_signs(text)))


def _suspicious_pattern(language: Language) -> regex.Pattern[str]:
    more = language.settings["correct"].get("suspicious")
    return regex.compile(f"{_SUSPICIOUS}|{more}" if more else _SUSPICIOUS)


def suspicious_characters(text: str, tags: Tags, edits: Iterable[TaggerEdit] = ()) -> list[int]:
    """Find the characters that the tagger may change, and stray capitals.

    Args:
        text: the edited text of a unit.
        tags: the predictions of the tagger for it.
        edits: edits of the tagger; words that one makes listed ones with :data:`CERTAIN` probability are
            left out.

    Returns:
        Offsets in ``text``, in order.
    """
    suspicious = tags.change_probability() >= MIN_CHANGE
    suspicious[[m.start() for m in _STRAY_CAPITAL.finditer(text)]] = True
    for r in edits:
        if r.change_type == "unlisted_to_listed" and r.probability >= CERTAIN:
            suspicious[r.start : r.end] = False
    places: list[int] = np.flatnonzero(suspicious).tolist()
    return places


def merge_candidates(
    text: str,
    edits: Sequence[TaggerEdit],
    candidates: Iterable[Candidate],
    by: str,
    skipped: Container[str] = SKIPPED_TYPES,
) -> Iterator[Candidate]:
    """Merge the edits of the tagger and the candidates of the lattice for one text.

    Args:
        text: the edited text of a unit.
        edits: edits of the tagger.
        candidates: candidates of the lattice, in order.
        by: evidence of the tagger.
        skipped: change types that are left out.

    Yields:
        Candidates with a change type of :data:`CHANGE_TYPES` and the score of their generator, not
        calibrated. Two that give the same reading are one.
    """
    remaining = [r for r in edits if r.change_type not in skipped]
    for candidate in (c for c in candidates if c.change_type not in skipped):
        twin = next((r for r in remaining if same_reading(text, candidate, r)), None)
        if twin:
            remaining.remove(twin)
            yield _agreed(candidate, twin)
        else:
            yield replace(candidate, change_type=f"lattice {candidate.change_type}")
    for r in remaining:
        yield Candidate(r.start, r.end, r.changes, r.probability, by, f"tagger {r.change_type}")


def _agreed(lattice: Candidate, edit: TaggerEdit) -> Candidate:
    """Return the candidate of the lattice that the tagger gives too.

    It keeps the posterior of the lattice, which has used the scores of the tagger. Where a listed word
    changes, it has the lower of the two scores.
    """
    change_type = f"{BOTH} {lattice.change_type}" if lattice.change_type in SEPARATE_TYPES else BOTH
    probability = (
        min(lattice.probability, edit.probability)
        if lattice.change_type == "listed_to_listed"
        else lattice.probability
    )
    return replace(lattice, change_type=change_type, probability=probability)


def ocr_quality(changed_words: int, characters: int) -> str:
    """Estimate the OCR quality of a document from a sample.

    Args:
        changed_words: number of edits in the sample to which the tagger gives a probability of 0.5 or more.
        characters: size of the sample.

    Returns:
        A key of :data:`QUALITY_BANDS`; :data:`ANY_QUALITY` for a sample of fewer than :data:`MIN_SAMPLE`
        characters.
    """
    if characters < MIN_SAMPLE:
        return ANY_QUALITY
    rate = 1000 * changed_words / characters
    return next(quality for quality, min_rate in reversed(QUALITY_BANDS.items()) if rate >= min_rate)


def calibrated(language: Language, quality: str, candidate: Candidate) -> Candidate:
    """Calibrate the probability of a candidate.

    Args:
        language: the language, with ``calibration.tsv``.
        quality: OCR quality of the document. If it is not known, changes of words that may well be right
            (:data:`RISKY_TYPES`) are calibrated as in a clean document.
        candidate: a candidate with the score of its generator.

    Returns:
        The candidate with its calibrated probability; 0 if no step of the table applies.
    """
    if quality == ANY_QUALITY and candidate.change_type.rpartition(" ")[2] in RISKY_TYPES:
        quality = "clean"
    table = language.resource(_calibration)
    steps = table.get((candidate.change_type, quality)) or table.get((candidate.change_type, ANY_QUALITY), [])
    probabilities = [p for score, p in steps if candidate.probability >= score]
    return replace(candidate, probability=probabilities[-1] if probabilities else 0.0)


def select(text: str, candidates: Iterable[Candidate], min_probability: float) -> list[Candidate]:
    """Select the candidates to carry out.

    Of candidates that overlap, the one with the highest expected gain is kept: the characters that it
    changes (at least one a word), right with its probability and wrong otherwise.

    Args:
        text: the edited text of a unit.
        candidates: calibrated candidates.
        min_probability: calibrated probability from which a candidate is carried out.

    Returns:
        Candidates that do not overlap, in order.
    """

    def gain(candidate: Candidate) -> float:
        before = text[candidate.start : candidate.end]
        changed = max(Levenshtein.distance(before, candidate.after), len(before.split()))
        return (2 * candidate.probability - 1) * changed

    chosen: list[Candidate] = []
    likely = [candidate for candidate in candidates if candidate.probability >= min_probability]
    for candidate in sorted(likely, key=lambda c: (-gain(c), c.start, -c.end)):
        if not any(overlaps(candidate, other) for other in chosen):
            chosen.append(candidate)
    return sorted(chosen, key=lambda c: c.start)


def overlaps(a: Candidate, b: Candidate | TaggerEdit) -> bool:
    """Tell whether two candidates share a character.

    Args:
        a: a candidate.
        b: a candidate or an edit of the tagger for the same text.

    Returns:
        Whether they overlap.
    """
    return a.start < b.end and b.start < a.end


def same_reading(text: str, a: Candidate, b: TaggerEdit) -> bool:
    """Tell whether two candidates overlap and give the same text (shapes of apostrophe aside).

    Args:
        text: the text that both are offsets in.
        a: a candidate of the lattice.
        b: an edit of the tagger.

    Returns:
        Whether the text reads the same after either.
    """
    if not overlaps(a, b):
        return False
    start, end = min(a.start, b.start), max(a.end, b.end)
    first, second = (text[start : x.start] + x.after + text[x.end : end] for x in (a, b))
    return first.replace("’", "'") == second.replace("’", "'")


def _calibration(language: Language) -> dict[tuple[str, str], list[tuple[float, float]]]:
    """Read the steps of the table: by change type and OCR quality, the scores with their probabilities."""
    table: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in language.table("calibration", ["change_type", "quality", "score", "probability", "count"]):
        step = row.number("score"), row.number("probability")
        table.setdefault((row["change_type"], row["quality"]), []).append(step)
    return table
