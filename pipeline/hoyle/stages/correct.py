"""Stage ``correct``: what OCR and the setting of the print did to the text of each unit, undone.

In order of safety: layout (:mod:`hoyle.stages.layout`), signs (:mod:`hoyle.stages.signs`), then words
(:mod:`hoyle.stages.words`), each only where it is sure enough by ``[correct]`` of ``language.toml``.
Labels and what earlier stages mended stay as they are. The spelling of the print is kept: nothing
is modernised here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from hoyle.languages import Language, known, language
from hoyle.model import Clause, Document, Edit, Evidence, Span
from hoyle.resources import Lexicon, lexicon
from hoyle.stages.layout import HYPHEN, Mend, Setting, Strip, View, mends, seam_mends, strip
from hoyle.stages.profile import calibrate, profile
from hoyle.stages.signs import sign_mends
from hoyle.stages.words import SORTS, Correction, Corrector

SAMPLE = 20_000
"""Characters of a document from which its profile is estimated."""

ROUNDS = 2
"""How often the profile is estimated anew."""


@dataclass(frozen=True)
class _Work:
    """One unit on its way through the stage."""

    strip: Strip
    mended: list[Mend]
    view: View
    parts: list[Span]


def find(document: Document) -> Iterator[Edit]:
    """Edits of the kinds ``correct`` and ``layout``, unit by unit, each inside one span of its unit."""
    lang = language(document.lang) if document.lang in known() else None
    least = _thresholds(lang)
    for work, corrections in _considered(document, lang):
        sure = [c for c in corrections if c.probability >= least[c.sort]]
        yield from _edits(document.source.text, work, sure)


def considered(document: Document) -> Iterator[tuple[str, list[Correction]]]:
    """Every word correction that is considered, sure or not, with the reading it counts in, by unit.

    Probabilities are posteriors, not yet calibrated.
    """
    lang = language(document.lang) if document.lang in known() else None
    for work, corrections in _considered(document, lang, calibrated=False):
        yield work.view.text, corrections


def readings(document: Document) -> Iterator[tuple[str, list[Span], list[Correction]]]:
    """The reading of each unit in which words are corrected, the parts of it that may be, what is considered.

    Probabilities are calibrated.
    """
    lang = language(document.lang) if document.lang in known() else None
    for work, corrections in _considered(document, lang):
        yield work.view.text, work.parts, corrections


def _considered(
    document: Document, lang: Language | None, *, calibrated: bool = True
) -> Iterator[tuple[_Work, list[Correction]]]:
    works = _works(document, lang)
    corrector = _corrector(lang, works)
    for work in works:
        found = list(corrector.corrections(work.view.text, work.parts)) if corrector else []
        yield work, [calibrate(lang.tag, c) for c in found] if lang and calibrated else found


def _settings(lang: Language | None) -> dict[str, Any]:
    return dict(lang.settings.get("correct", {})) if lang else {}


def _thresholds(lang: Language | None) -> Mapping[str, float]:
    """From which probability a correction of each sort is made (``[correct.thresholds]``)."""
    table = _settings(lang).get("thresholds", {})
    return {sort: float(table.get(sort, 2.0)) for sort in SORTS}


def _words(lang: Language | None) -> Lexicon | None:
    """The lexicon, if the language has one; without it words are left alone."""
    return lexicon(lang.tag) if lang and _settings(lang).get("lexicon", bool(_settings(lang))) else None


def _works(document: Document, lang: Language | None) -> list[_Work]:
    settings = _settings(lang)
    setting = Setting.of(document, signs_apart=bool(settings.get("signs_apart")))
    words = _words(lang)
    touched = [i.span for i in document.layers.get("clauses", ()) if isinstance(i, Edit)]
    works: list[_Work] = []
    for unit in document.units:
        laid = strip(document.source.text, unit)
        label = [unit.label_span] if isinstance(unit, Clause) and unit.label_span else []
        kept = _kept(laid, [*label, *touched])
        found = _free(mends(laid.text, setting, words), kept)
        if lang:
            found = _merged(found, _free(sign_mends(laid.text, lang, words), kept))
        found = sorted([*found, *seam_mends(laid, found)])
        view = View(laid.text, found)
        works.append(_Work(laid, found, view, view.parts(kept)))
    return works


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


def _corrector(lang: Language | None, works: Sequence[_Work]) -> Corrector | None:
    if lang is None or _words(lang) is None:
        return None
    texts = [(work.view.text, work.parts) for work in works]
    return Corrector(lang, profile(lang, texts, ROUNDS, SAMPLE))


def _edits(source: str, work: _Work, corrections: Sequence[Correction]) -> Iterator[Edit]:
    """The mends and the corrections that are sure enough, as edits of the raw text."""
    made: list[Edit] = []
    covered: list[tuple[int, int]] = []
    for correction in corrections:
        start, end = work.view.back(correction.start, correction.end)
        covered.append((start, end))
        made += _word_edits(source, work, correction)
    for mend in work.mended:
        if any(start <= mend.start and mend.end <= end and start < mend.end for start, end in covered):
            continue
        made += _mend_edits(source, work.strip, mend)
    yield from sorted(made, key=lambda e: e.span)


def _mend_edits(source: str, laid: Strip, mend: Mend) -> Iterator[Edit]:
    """A mend as edits, cut where a seam runs through it."""
    cuts = [mend.start, *(s for s in laid.seams if mend.start < s < mend.end), mend.end]
    after = mend.after
    for start, end in pairwise(cuts):
        span = laid.raw_span(start, end)
        before = source[span.start : span.end]
        if before != after:
            yield Edit(span, before, after, mend.kind, Evidence(mend.by, mend.probability))
        after = ""


def _word_edits(source: str, work: _Work, correction: Correction) -> Iterator[Edit]:
    """A correction as one edit for each part of the unit that the word lies in."""
    seams = set(work.strip.seams)
    pieces: list[tuple[int, int, str]] = []
    at = correction.start
    previous = work.view.back(at, at + 1)[0]
    for change in correction.changes:
        _, end = work.view.back(at, at + change.size)
        if not pieces or any(previous <= s < end for s in seams if s > pieces[-1][0]):
            pieces.append((previous, end, change.after))
        else:
            pieces[-1] = (pieces[-1][0], end, pieces[-1][2] + change.after)
        previous = end
        at += change.size
    for start, end, after in pieces:
        mend = Mend(start, end, after, "correct", correction.by, correction.probability)
        yield from _mend_edits(source, work.strip, mend)
