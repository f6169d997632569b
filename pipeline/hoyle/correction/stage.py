"""Stage ``correct``: what OCR and the setting of the print did to the text of each unit, undone.

In order of safety: layout (:mod:`hoyle.correction.line_joins`), signs
(:mod:`hoyle.correction.punctuation`), then words (:mod:`hoyle.correction.word_correction`,
:mod:`hoyle.correction.ranking`), each only where it is sure enough by ``[correct]`` of
``language.toml``. Labels and what earlier stages mended stay as they are. The spelling of the print is
kept: nothing is modernised here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from hoyle.correction.line_joins import Mend, Strip
from hoyle.correction.ranking import sure
from hoyle.correction.units import Considered, consider
from hoyle.correction.word_correction import Correction
from hoyle.document import Document, Edit, Evidence
from hoyle.languages import Language


def correct(document: Document, language: Language) -> Iterator[Edit]:
    """Edits of the kinds ``correct`` and ``layout``, unit by unit, each inside one span of its unit."""
    least = float(language.settings.get("correct", {}).get("least", 2.0))  # more than 1: words are left
    for one in consider(document, language):
        yield from _edits(document.source.text, one, sure(one.view.text, one.proposed, least))


def _edits(source: str, one: Considered, corrections: Sequence[Correction]) -> Iterator[Edit]:
    """The mends and the corrections that are sure enough, as edits of the raw text."""
    made: list[Edit] = []
    covered: list[tuple[int, int]] = []
    for correction in corrections:
        start, end = one.view.back(correction.start, correction.end)
        covered.append((start, end))
        made += _word_edits(source, one, correction)
    for mend in one.mended:
        if any(start <= mend.start and mend.end <= end and start < mend.end for start, end in covered):
            continue
        made += _mend_edits(source, one.strip, mend)
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


def _word_edits(source: str, one: Considered, correction: Correction) -> Iterator[Edit]:
    """A correction as one edit for each part of the unit that the word lies in."""
    seams = set(one.strip.seams)
    pieces: list[tuple[int, int, str]] = []
    at = correction.start
    previous = one.view.back(at, at + 1)[0]
    for change in correction.changes:
        _, end = one.view.back(at, at + change.size)
        if not pieces or any(previous <= s < end for s in seams if s > pieces[-1][0]):
            pieces.append((previous, end, change.after))
        else:
            pieces[-1] = (pieces[-1][0], end, pieces[-1][2] + change.after)
        previous = end
        at += change.size
    for start, end, after in pieces:
        mend = Mend(start, end, after, "correct", correction.by, correction.probability)
        yield from _mend_edits(source, one.strip, mend)
