"""What is considered for the text of each unit before the stage ``correct`` decides.

Layout and signs are mended first; then the net of the orthography (:mod:`hoyle.correction.tagger`) reads
the units that have a doubtful word, and the lattice of the lexicon
(:mod:`hoyle.correction.word_correction`) weighs the words that the net is not sure of. Units are taken
some at a time, so that memory does not grow with the document; what the scan as a whole tells (its
profile) is asked of a sample of it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hoyle.correction.document_profile import Text, profile
from hoyle.correction.lexical_acceptability import Credible, credible, is_older
from hoyle.correction.line_joins import HYPHEN, Mend, Setting, Strip, View, mends, seam_mends, strip
from hoyle.correction.punctuation import sign_mends
from hoyle.correction.ranking import ANY, calibrated, doubts, is_doubtful, left, proposals, scan_of
from hoyle.correction.tagger import Tagger, Tags, profile_of, tagger
from hoyle.correction.tagger_edits import rewritings
from hoyle.correction.word_correction import Correction, Corrector
from hoyle.document import Clause, Document, Edit, Span, Unit
from hoyle.languages import Language
from hoyle.resources import Lexicon

SAMPLE = 20_000
"""Characters of a document from which its profile is estimated."""

SEEN = 200_000
"""Characters of a document that tell how old its spelling is."""

TOGETHER = 64
"""Units that go through the net together."""


@dataclass(frozen=True)
class Considered:
    """One unit on its way through the stage.

    Attributes:
        strip: its text laid end to end.
        mended: what layout and signs mend of it.
        view: how it reads then; words are corrected in this reading.
        parts: where they may be (characters of the reading).
        tags: what the net says of the reading; ``None`` where there is no net or no doubtful word.
        scan: how bad the scan of the document is (:func:`hoyle.correction.ranking.scan_of`).
        proposed: corrections of words, sure or not.
    """

    strip: Strip
    mended: list[Mend]
    view: View
    parts: list[Span]
    tags: Tags | None = None
    scan: str = ANY
    proposed: Sequence[Correction] = ()


def consider(document: Document, language: Language, *, calibrate: bool = True) -> Iterator[Considered]:
    """What is considered for each unit; scores of their makers, no probabilities, if not ``calibrate``."""
    reader = _Reader(document, language)
    corrector = reader.corrector()
    for one in reader.read(corrector):
        weighed = one.proposed
        if calibrate:
            weighed = [calibrated(language, one.scan, c) for c in one.proposed]
        yield replace(one, proposed=weighed)


class _Reader:
    """Reads units of one document."""

    def __init__(self, document: Document, lang: Language) -> None:
        self._document, self._lang = document, lang
        settings: dict[str, Any] = lang.settings.get("correct", {})
        # Without a lexicon words are left alone.
        has_lexicon = lang.corrects_words
        self._words: Lexicon | None = lang.lexicon if has_lexicon else None
        self._net: Tagger | None = lang.resource(tagger) if has_lexicon else None
        self._setting = Setting.of(document, signs_apart=settings.get("signs_apart", "never"))
        self._touched = sorted(i.span for i in document.layers.get("clauses", ()) if isinstance(i, Edit))
        self._left = left(lang) if has_lexicon else set[str]()
        self._judge: Credible | None = None
        if has_lexicon:
            older = is_older(document.source.text[:SEEN], lang)
            self._judge = credible(lang, older=older)
        self._scan = ANY
        self._sampled: dict[int, Considered] = {}
        if self._net:
            self._profile = profile_of([document.source.text], self._net.codes, self._net.classes)

    def read(self, corrector: Corrector | None) -> Iterator[Considered]:
        """What is considered for each unit; of words nothing if there is no ``corrector``."""
        for one in self._tagged(range(len(self._document.units))):
            proposed = list(self._proposed(one, corrector)) if corrector else ()
            yield replace(one, scan=self._scan, proposed=proposed)

    def _proposed(self, one: Considered, corrector: Corrector) -> Iterator[Correction]:
        text = one.view.text
        if self._net is None or self._words is None or self._judge is None:
            yield from proposals(text, [], corrector.corrections(text, one.parts), "", self._left)
        elif one.tags:
            made = list(rewritings(text, one.tags, one.parts, self._words, self._judge))
            found = corrector.corrections(text, one.parts, doubts(text, one.tags, made), one.tags)
            yield from proposals(text, made, found, self._net.where, self._left)

    def corrector(self) -> Corrector | None:
        """The corrector of the document's words, bent to what a sample of it shows of its scan."""
        if self._words is None or self._judge is None:
            return None
        sample: list[Text] = []
        characters = rewritten = 0
        places = self._sample()
        for place, one in zip(places, self._tagged(places), strict=True):
            self._sampled[place] = one
            text, characters = one.view.text, characters + len(one.view.text)
            if one.tags:
                made = rewritings(text, one.tags, one.parts, self._words, self._judge)
                rewritten += sum(r.probability >= 0.5 for r in made)
                sample.append(Text(text, one.parts, doubts(text, one.tags), one.tags))
            elif self._net is None:
                sample.append(Text(text, one.parts))
        if self._net:
            self._scan = scan_of(rewritten, characters)
        return Corrector(self._lang, profile(self._lang, sample, self._judge), self._judge)

    def _sample(self) -> list[int]:
        """Which units to sample: spread evenly over the document, about :data:`SAMPLE` characters of them."""
        sizes = [sum(end - start for start, end in unit.spans) for unit in self._document.units]
        step = max(1, sum(sizes) // SAMPLE)
        chosen, taken = [], 0
        for place in range(0, len(sizes), step):
            if taken < SAMPLE:
                chosen.append(place)
                taken += sizes[place]
        return chosen

    def _laid_out(self, unit: Unit) -> Considered:
        laid = strip(self._document.source.text, unit)
        label = [unit.label_span] if isinstance(unit, Clause) and unit.label_span else []
        kept = _kept(laid, [*label, *self._touched_in(unit)])
        found = _free(mends(laid.text, self._setting, self._words), kept)
        found = _merged(found, _free(sign_mends(laid.text, self._lang, self._words), kept))
        found = sorted([*found, *seam_mends(laid, found)])
        view = View(laid.text, found)
        return Considered(laid, found, view, view.parts(kept))

    def _touched_in(self, unit: Unit) -> Iterator[Span]:
        """What earlier stages mended in a unit."""
        for start, end in unit.spans:
            first = bisect_left(self._touched, Span(start, start))
            last = bisect_right(self._touched, Span(end, end))
            yield from self._touched[max(0, first - 1) : last]

    def _tagged(self, places: Sequence[int]) -> Iterator[Considered]:
        """The units at these places, laid out and read by the net; those of the sample have been."""
        units = self._document.units
        for first in range(0, len(places), TOGETHER):
            some = places[first : first + TOGETHER]
            fresh = self._by_net([self._laid_out(units[i]) for i in some if i not in self._sampled])
            for place in some:
                known = self._sampled.pop(place, None)
                yield known or next(fresh)

    def _by_net(self, works: Sequence[Considered]) -> Iterator[Considered]:
        """The units, each with its tags if it has a doubtful word and the language a net."""
        if self._net is None or self._words is None:
            yield from works
            return
        doubtful = [is_doubtful(work.view.text, self._lang) for work in works]
        texts = [work.view.text for work, is_so in zip(works, doubtful, strict=True) if is_so]
        tags = self._net.tags(texts, self._profile)
        for work, is_so in zip(works, doubtful, strict=True):
            yield replace(work, tags=next(tags)) if is_so else work


def _kept(laid: Strip, spans: Sequence[Span]) -> list[tuple[int, int]]:
    """Characters of the strip that must stay as they are."""
    places = {raw: i for i, raw in enumerate(laid.raw) if raw >= 0} if spans else {}
    kept = []
    for span in spans:
        inside = [places[at] for at in range(span.start, max(span.end, span.start + 1)) if at in places]
        if inside:
            kept.append((min(inside), max(inside) + 1))
    return sorted(kept)


def _free(found: Iterable[Mend], kept: Sequence[tuple[int, int]]) -> list[Mend]:
    return [m for m in found if not any(m.start < end and m.end > start for start, end in kept)]


def _merged(first: list[Mend], second: list[Mend]) -> list[Mend]:
    """Both lists in order; where they overlap, a hyphen of the first wins, else the second (of signs)."""
    hyphens = [m for m in first if m.by == HYPHEN]
    second = [s for s in second if not any(m.start < s.end and s.start < m.end for m in hyphens)]
    kept = [m for m in first if not any(m.start <= s.end and m.end >= s.start for s in second)]
    return sorted(kept + second)
