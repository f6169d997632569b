"""Score the candidates for correction of each unit of a document.

Layout and punctuation are edited first. The tagger (:mod:`hoyle.correction.tagger`) then reads the units
that have a suspicious word, and the lattice of the lexicon (:mod:`hoyle.correction.word_correction`) is
decoded where the tagger is not certain. Units are read in batches, so that memory does not grow with the
document. The channel and the error rate of the document are estimated from a sample of it.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hoyle.correction.candidate import Candidate
from hoyle.correction.channel import Channel
from hoyle.correction.constraints import NEAR_CERTAIN, Constraints
from hoyle.correction.document_profile import SampleText, estimate_channel
from hoyle.correction.features import DocumentEvidence, FeatureExtractor, count_words, rivals
from hoyle.correction.lexical_acceptability import LexicalAcceptability, acceptability_of, has_older_spelling
from hoyle.correction.line_joins import HYPHEN_JOIN, Typesetting, layout_edits, paragraph_edits
from hoyle.correction.punctuation import punctuation_edits
from hoyle.correction.ranking import Ranker, is_suspicious, merge_candidates
from hoyle.correction.tagger import Tagger, Tags, character_profile, tagger
from hoyle.correction.tagger_edits import suspicious_characters, tagger_edits
from hoyle.correction.unit_text import EditedText, UnitEdit, UnitText, join_spans
from hoyle.correction.word_correction import WordCorrector
from hoyle.document import Clause, Document, Edit, Span, Unit
from hoyle.languages import Language
from hoyle.resources import Lexicon

SAMPLE_SIZE = 20_000
"""Characters of a document from which its channel and its error rate are estimated."""

MIN_SAMPLE = 500
"""Characters that a sample must have for its error rate to be told."""

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
        candidates: candidates for words, whatever their probability.
        features: the features of each candidate (:data:`hoyle.correction.features.FEATURES`).
    """

    unit_text: UnitText
    edits: list[UnitEdit]
    edited: EditedText
    spans: list[Span]
    tags: Tags | None = None
    candidates: Sequence[Candidate] = ()
    features: Sequence[Sequence[float]] = ()


def score_units(document: Document, language: Language) -> Iterator[ScoredUnit]:
    """Score the candidates of each unit.

    Args:
        document: a document with the layers before ``correct``.
        language: its language.

    Yields:
        The units of the document, in order.
    """
    yield from _UnitScorer(document, language).score()


class _UnitScorer:
    """Scores the units of one document."""

    def __init__(self, document: Document, language: Language) -> None:
        self._document, self._language = document, language
        self._text = unicodedata.normalize("NFC", document.source.text)
        settings: dict[str, Any] = language.settings.get("correct", {})
        # Without a lexicon words are left alone.
        has_lexicon = language.corrects_words
        self._lexicon: Lexicon | None = language.lexicon if has_lexicon else None
        self._tagger: Tagger | None = language.resource(tagger) if has_lexicon else None
        self._typesetting = Typesetting.estimate(
            document,
            space_before_signs=settings.get("space_before_signs", "never"),
            lexicon=self._lexicon,
        )
        # Markup is deleted already: the text is corrected without it.
        self._markup = sorted(i.span for i in document.layers.get("furniture", ()) if isinstance(i, Edit))
        self._earlier_edits = sorted(
            i.span for i in document.layers.get("clauses", ()) if isinstance(i, Edit)
        )
        self._acceptability: LexicalAcceptability | None = None
        if has_lexicon:
            older = has_older_spelling(self._text[:SPELLING_SAMPLE], language)
            self._acceptability = acceptability_of(language, older=older)
            self._constraints = Constraints(language, self._acceptability, self._text)
        self._error_rate: float | None = None
        self._sampled: dict[int, ScoredUnit] = {}
        if self._tagger:
            self._profile = character_profile([self._text], self._tagger.codes, self._tagger.classes)

    def score(self) -> Iterator[ScoredUnit]:
        """Yield each unit with its candidates; without a lexicon there are none."""
        units = range(len(self._document.units))
        if self._acceptability is None:
            yield from self._tagged(units)
            return
        channel = self._channel()
        corrector = WordCorrector(self._language, channel, self._acceptability)
        evidence = DocumentEvidence(channel, self._error_rate, count_words(self._text))
        extractor = FeatureExtractor(self._language, self._acceptability, evidence)
        ranker = self._language.resource(Ranker)
        for scored in self._tagged(units):
            text = scored.edited.text
            found = [c for c in self._candidates(scored, corrector) if self._constraints.allows(text, c)]
            features = [extractor.features(text, c, r) for c, r in zip(found, rivals(found), strict=True)]
            ranked = [
                self._ranked(text, c, ranker.probability(f)) for c, f in zip(found, features, strict=True)
            ]
            yield replace(scored, candidates=ranked, features=features)

    def _ranked(self, text: str, candidate: Candidate, probability: float) -> Candidate:
        """Return a candidate with its probability, 0 for an uncertain change of a negation."""
        before = text[candidate.start : candidate.end]
        negation = self._constraints.changes_negation(before, candidate.after)
        if negation and probability < NEAR_CERTAIN:
            probability = 0.0
        return replace(candidate, probability=probability, negation=negation)

    def _candidates(self, scored: ScoredUnit, corrector: WordCorrector) -> Iterator[Candidate]:
        text = scored.edited.text
        if self._tagger is None:
            yield from corrector.candidates(text, scored.spans)
        elif scored.tags:
            edits = self._edits(scored, scored.tags)
            places = suspicious_characters(text, scored.tags, edits, self._language)
            found = corrector.candidates(text, scored.spans, places, scored.tags)
            yield from merge_candidates(text, edits, found)

    def _edits(self, scored: ScoredUnit, tags: Tags) -> list[Candidate]:
        by = self._tagger.where if self._tagger else ""
        return list(tagger_edits(scored.edited.text, tags, scored.spans, by))

    def _channel(self) -> Channel:
        """Estimate the channel and the error rate of the document from a sample of it."""
        sample: list[SampleText] = []
        characters = changed_words = 0
        places = self._sample()
        for place, scored in zip(places, self._tagged(places), strict=True):
            self._sampled[place] = scored
            text, characters = scored.edited.text, characters + len(scored.edited.text)
            if scored.tags:
                changed_words += sum(c.tagger >= 0.5 for c in self._edits(scored, scored.tags))
                places_in = suspicious_characters(text, scored.tags, (), self._language)
                sample.append(SampleText(text, scored.spans, places_in, scored.tags))
            elif self._tagger is None:
                sample.append(SampleText(text, scored.spans))
        self._error_rate = 1000 * changed_words / characters if characters >= MIN_SAMPLE else None
        return estimate_channel(self._language, sample, self._acceptability)

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
