"""Stage ``correct``: corrects the OCR errors and undoes the line layout of each unit.

In order of reliability: layout (:mod:`hoyle.correction.line_joins`), punctuation
(:mod:`hoyle.correction.punctuation`), words (:mod:`hoyle.correction.word_correction`,
:mod:`hoyle.correction.tagger_edits`, ranked by :mod:`hoyle.correction.ranking`). A word is corrected from
the probability ``min_probability`` of ``[correct]`` in ``language.toml``. Labels and the edits of earlier
stages stay. The spelling of the print is kept; modernisation is another stage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from hoyle.correction.candidate import Candidate
from hoyle.correction.ranking import select
from hoyle.correction.unit_text import UnitEdit, UnitText
from hoyle.correction.units import ScoredUnit, score_units
from hoyle.document import Document, Edit, Evidence
from hoyle.languages import Language


def correct(document: Document, language: Language) -> Iterator[Edit]:
    """Correct a document.

    Args:
        document: a document with units.
        language: its language; words are left alone if it has no lexicon or no ``min_probability``.

    Yields:
        Edits of the kinds ``correct`` and ``layout``, unit by unit, each inside one span of its unit. Their
        confidence is the calibrated probability.
    """
    # Without the setting no candidate is carried out: no probability is 2.
    min_probability = float(language.settings.get("correct", {}).get("min_probability", 2.0))
    for scored in score_units(document, language):
        yield from _edits(
            document.source.text, scored, select(scored.edited.text, scored.candidates, min_probability)
        )


def _edits(source: str, scored: ScoredUnit, candidates: Sequence[Candidate]) -> Iterator[Edit]:
    """Yield the edits of layout and punctuation and the selected candidates as edits of the raw text."""
    edits: list[Edit] = []
    covered: list[tuple[int, int]] = []
    for candidate in candidates:
        start, end = scored.edited.to_unit(candidate.start, candidate.end)
        covered.append((start, end))
        edits += _word_edits(source, scored, candidate)
    for edit in scored.edits:
        if any(start <= edit.start and edit.end <= end and start < edit.end for start, end in covered):
            continue
        edits += _unit_edits(source, scored.unit_text, edit)
    yield from sorted(edits, key=lambda e: e.span)


def _unit_edits(source: str, unit_text: UnitText, edit: UnitEdit) -> Iterator[Edit]:
    """Yield an edit of the unit's text as edits of the raw text, cut at the joins of spans."""
    cuts = [edit.start, *(s for s in unit_text.joins if edit.start < s < edit.end), edit.end]
    after = edit.after
    for start, end in pairwise(cuts):
        span = unit_text.raw_span(start, end)
        before = source[span.start : span.end]
        if before != after:
            yield Edit(span, before, after, edit.kind, Evidence(edit.by, edit.probability))
        after = ""


def _word_edits(source: str, scored: ScoredUnit, candidate: Candidate) -> Iterator[Edit]:
    """Yield a candidate as one edit for each span of the unit that the word lies in."""
    joins = set(scored.unit_text.joins)
    pieces: list[tuple[int, int, str]] = []
    at = candidate.start
    previous = scored.edited.to_unit(at, at + 1)[0]
    for change in candidate.changes:
        _, end = scored.edited.to_unit(at, at + change.size)
        if not pieces or any(previous <= s < end for s in joins if s > pieces[-1][0]):
            pieces.append((previous, end, change.after))
        else:
            pieces[-1] = (pieces[-1][0], end, pieces[-1][2] + change.after)
        previous = end
        at += change.size
    for start, end, after in pieces:
        edit = UnitEdit(start, end, after, "correct", candidate.by, candidate.probability)
        yield from _unit_edits(source, scored.unit_text, edit)
