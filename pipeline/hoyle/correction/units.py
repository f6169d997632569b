"""Score the candidates for correction of each unit of a document.

Layout and punctuation are edited first. The tagger (:mod:`hoyle.correction.tagger`) then reads the units
that have a suspicious word, and the lattice of the lexicon (:mod:`hoyle.correction.word_correction`) is
decoded where the tagger is not certain. Units are read in batches, so that memory does not grow with the
document. The channel and the OCR quality of the document are estimated from a sample of it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hoyle.correction.document_profile import SampleText, estimate_channel
from hoyle.correction.lexical_acceptability import LexicalAcceptability, acceptability_of, has_older_spelling
from hoyle.correction.line_joins import HYPHEN_JOIN, Typesetting, layout_edits, paragraph_edits
from hoyle.correction.punctuation import punctuation_edits
from hoyle.correction.ranking import (
    ANY_QUALITY,
    calibrated,
    is_suspicious,
    merge_candidates,
    ocr_quality,
    skipped_types,
    suspicious_characters,
)
from hoyle.correction.tagger import Tagger, Tags, character_profile, tagger
from hoyle.correction.tagger_edits import tagger_edits
from hoyle.correction.unit_text import EditedText, UnitEdit, UnitText, join_spans
from hoyle.correction.word_correction import Candidate, WordCorrector
from hoyle.document import Clause, Document, Edit, Span, Unit
from hoyle.languages import Language
from hoyle.resources import Lexicon

SAMPLE_SIZE = 20_000
"""Characters of a document from which its channel and its OCR quality are estimated."""

SPELLING_SAMPLE = 200_000
"""Characters of a document from which the age of its spelling is told."""

BATCH = 64
"""Units that the tagger reads together."""


@dataclass(frozen=True)
class ScoredUnit:
    """One unit with its candidates.

    Attributes:
        unit_text: its spans, joined.
        edits: edits of layout and punctuation, of ``unit_text``.
        edited: the text with these edits; candidates are offsets in it.
        spans: stretches of ``edited`` in which words may be corrected.
        tags: the predictions of the tagger for ``edited``; ``None`` without a tagger or a suspicious word.
        quality: OCR quality of the document (:func:`hoyle.correction.ranking.ocr_quality`).
        candidates: candidates for words, whatever their probability.
    """

    unit_text: UnitText
    edits: list[UnitEdit]
    edited: EditedText
    spans: list[Span]
    tags: Tags | None = None
    quality: str = ANY_QUALITY
    candidates: Sequence[Candidate] = ()


def score_units(document: Document, language: Language, *, calibrate: bool = True) -> Iterator[ScoredUnit]:
    """Score the candidates of each unit.

    Args:
        document: a document with the layers before ``correct``.
        language: its language.
        calibrate: whether ``probability`` of a candidate is calibrated; if not, it is the raw score of its
            generator (posterior of the lattice or probability of the tagger).

    Yields:
        The units of the document, in order.
    """
    scorer = _UnitScorer(document, language)
    corrector = scorer.corrector()
    for scored in scorer.score(corrector):
        ranked = scored.candidates
        if calibrate:
            ranked = [calibrated(language, scored.quality, c) for c in scored.candidates]
        yield replace(scored, candidates=ranked)


class _UnitScorer:
    """Scores the units of one document."""

    def __init__(self, document: Document, language: Language) -> None:
        self._document, self._language = document, language
        settings: dict[str, Any] = language.settings.get("correct", {})
        # Without a lexicon words are left alone.
        has_lexicon = language.corrects_words
        self._lexicon: Lexicon | None = language.lexicon if has_lexicon else None
        self._tagger: Tagger | None = language.resource(tagger) if has_lexicon else None
        self._typesetting = Typesetting.estimate(
            document, space_before_signs=settings.get("space_before_signs", "never")
        )
        # Markup is deleted already: the text is corrected without it.
        self._markup = sorted(i.span for i in document.layers.get("furniture", ()) if isinstance(i, Edit))
        self._earlier_edits = sorted(
            i.span for i in document.layers.get("clauses", ()) if isinstance(i, Edit)
        )
        self._skipped = skipped_types(language) if has_lexicon else set[str]()
        self._acceptability: LexicalAcceptability | None = None
        if has_lexicon:
            older = has_older_spelling(document.source.text[:SPELLING_SAMPLE], language)
            self._acceptability = acceptability_of(language, older=older)
        self._quality = ANY_QUALITY
        self._sampled: dict[int, ScoredUnit] = {}
        if self._tagger:
            self._profile = character_profile(
                [document.source.text], self._tagger.codes, self._tagger.classes
            )

    def score(self, corrector: WordCorrector | None) -> Iterator[ScoredUnit]:
        """Yield each unit with its candidates; without a ``corrector`` there are none."""
        for scored in self._tagged(range(len(self._document.units))):
            candidates = list(self._candidates(scored, corrector)) if corrector else ()
            yield replace(scored, quality=self._quality, candidates=candidates)

    def _candidates(self, scored: ScoredUnit, corrector: WordCorrector) -> Iterator[Candidate]:
        text = scored.edited.text
        if self._tagger is None or self._lexicon is None or self._acceptability is None:
            yield from merge_candidates(text, [], corrector.candidates(text, scored.spans), "", self._skipped)
        elif scored.tags:
            edits = list(tagger_edits(text, scored.tags, scored.spans, self._lexicon, self._acceptability))
            found = corrector.candidates(
                text, scored.spans, suspicious_characters(text, scored.tags, edits), scored.tags
            )
            yield from merge_candidates(text, edits, found, self._tagger.where, self._skipped)

    def corrector(self) -> WordCorrector | None:
        """Return the corrector adapted to a sample of the document; ``None`` without a lexicon."""
        if self._lexicon is None or self._acceptability is None:
            return None
        sample: list[SampleText] = []
        characters = changed_words = 0
        places = self._sample()
        for place, scored in zip(places, self._tagged(places), strict=True):
            self._sampled[place] = scored
            text, characters = scored.edited.text, characters + len(scored.edited.text)
            if scored.tags:
                edits = tagger_edits(text, scored.tags, scored.spans, self._lexicon, self._acceptability)
                changed_words += sum(r.probability >= 0.5 for r in edits)
                sample.append(
                    SampleText(text, scored.spans, suspicious_characters(text, scored.tags), scored.tags)
                )
            elif self._tagger is None:
                sample.append(SampleText(text, scored.spans))
        if self._tagger:
            self._quality = ocr_quality(changed_words, characters)
        return WordCorrector(
            self._language, estimate_channel(self._language, sample, self._acceptability), self._acceptability
        )

    def _sample(self) -> list[int]:
        """Choose units spread evenly over the document, about :data:`SAMPLE_SIZE` characters of them."""
        sizes = [sum(end - start for start, end in unit.spans) for unit in self._document.units]
        step = max(1, sum(sizes) // SAMPLE_SIZE)
        chosen, taken = [], 0
        for place in range(0, len(sizes), step):
            if taken < SAMPLE_SIZE:
                chosen.append(place)
                taken += sizes[place]
        return chosen

    def _with_layout(self, unit: Unit) -> ScoredUnit:
        inside = [s for start, end in unit.spans for s in self._markup[slice(*self._places(start, end))]]
        unit_text = join_spans(self._document.source.text, unit, sorted(inside))
        label = [unit.label_span] if isinstance(unit, Clause) and unit.label_span else []
        protected = _protected(unit_text, [*label, *self._earlier_edits_in(unit)])
        found = _outside(layout_edits(unit_text.text, self._typesetting, self._lexicon), protected)
        found = _merged(
            found, _outside(punctuation_edits(unit_text.text, self._language, self._lexicon), protected)
        )
        found = sorted([*found, *paragraph_edits(unit_text, found)])
        edited = EditedText(unit_text.text, found)
        return ScoredUnit(unit_text, found, edited, edited.spans_outside(protected))

    def _places(self, start: int, end: int) -> tuple[int, int]:
        return bisect_left(self._markup, Span(start, start)), bisect_left(self._markup, Span(end, end))

    def _earlier_edits_in(self, unit: Unit) -> Iterator[Span]:
        """Yield the spans of a unit that earlier stages have edited."""
        for start, end in unit.spans:
            first = bisect_left(self._earlier_edits, Span(start, start))
            last = bisect_right(self._earlier_edits, Span(end, end))
            yield from self._earlier_edits[max(0, first - 1) : last]

    def _tagged(self, places: Sequence[int]) -> Iterator[ScoredUnit]:
        """Yield the units at these places with their tags; those of the sample are not read again."""
        units = self._document.units
        for first in range(0, len(places), BATCH):
            batch = places[first : first + BATCH]
            fresh = self._run_tagger([self._with_layout(units[i]) for i in batch if i not in self._sampled])
            for place in batch:
                known = self._sampled.pop(place, None)
                yield known or next(fresh)

    def _run_tagger(self, units: Sequence[ScoredUnit]) -> Iterator[ScoredUnit]:
        """Yield the units, with tags where the text is suspicious and the language has a tagger."""
        if self._tagger is None or self._lexicon is None:
            yield from units
            return
        suspicious = [is_suspicious(unit.edited.text, self._language) for unit in units]
        texts = [unit.edited.text for unit, needs_tags in zip(units, suspicious, strict=True) if needs_tags]
        tags = self._tagger.predict(texts, self._profile)
        for unit, needs_tags in zip(units, suspicious, strict=True):
            yield replace(unit, tags=next(tags)) if needs_tags else unit


def _protected(unit_text: UnitText, spans: Sequence[Span]) -> list[tuple[int, int]]:
    """Return the ranges of the unit's text that must not change."""
    places = {raw: i for i, raw in enumerate(unit_text.raw) if raw >= 0} if spans else {}
    protected = []
    for span in spans:
        inside = [places[at] for at in range(span.start, max(span.end, span.start + 1)) if at in places]
        if inside:
            protected.append((min(inside), max(inside) + 1))
    return sorted(protected)


def _outside(found: Iterable[UnitEdit], protected: Sequence[tuple[int, int]]) -> list[UnitEdit]:
    return [m for m in found if not any(m.start < end and m.end > start for start, end in protected)]


def _merged(first: list[UnitEdit], second: list[UnitEdit]) -> list[UnitEdit]:
    """Merge two lists of edits. Where they overlap, a hyphen of the first wins, else the second."""
    hyphens = [m for m in first if m.by == HYPHEN_JOIN]
    second = [s for s in second if not any(m.start < s.end and s.start < m.end for m in hyphens)]
    kept = [m for m in first if not any(m.start <= s.end and m.end >= s.start for s in second)]
    return sorted(kept + second)
