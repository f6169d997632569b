"""What a document tells of its own scan."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hoyle.correction.channel import LETTERS, Channel, general_channel
from hoyle.correction.lexical_acceptability import Credible
from hoyle.correction.tagger import Tags
from hoyle.correction.word_correction import Correction, Corrector
from hoyle.document import Span
from hoyle.languages import Language


class Text(NamedTuple):
    """A text, its parts that may be corrected, what the net says of it (:meth:`Corrector.corrections`)."""

    text: str
    parts: Sequence[Span]
    doubts: Sequence[int] | None = None
    tags: Tags | None = None


SURE = 0.5
"""Posterior from which a correction is believed when a document is profiled."""

SPACE_WEIGHT = 1000.0
"""A document must have about this many letters before its own rates of spaces outweigh the general ones."""


@dataclass
class _Faults:
    """What was mended in a document: confusions, closed gaps."""

    used: Counter[tuple[str, str]] = field(default_factory=Counter)
    printed: Counter[str] = field(default_factory=Counter)
    closed: int = 0

    def add(self, correction: Correction) -> None:
        """Count a correction, if it can be believed."""
        if correction.probability < SURE or correction.sort == "known":
            return  # a listed word may be right: it tells nothing sure of the scan
        for change in correction.changes:
            rule = change.rule
            if rule is not None and rule.ocr == " ":
                self.closed += 1
            elif rule is not None:
                self.used[rule.ocr, rule.print] += 1
                self.printed[rule.print] += 1


def profile(lang: Language, texts: Sequence[Text], judge: Credible | None = None) -> Channel:
    """The channel of a document, estimated from its own doubtful words.

    Args:
        lang: its language; there must be a lexicon for it.
        texts: a sample of it.
        judge: tells what is a word or a spelling of its own; the general one if left out.
    """
    general, shown = lang.resource(general_channel), _printed(texts)
    corrector = Corrector(lang, general, judge)
    faults = _Faults(printed=Counter(shown))
    for text in texts:
        for correction in corrector.corrections(*text):
            faults.add(correction)
    inserted = _mixed(faults.closed, shown[LETTERS], general.space_inserted)
    return general.adapted(faults.used, faults.printed, inserted)


def _printed(texts: Sequence[Text]) -> Counter[str]:
    """How often letters and groups of up to three stand in the texts."""
    shown: Counter[str] = Counter()
    for text, parts, *_ in texts:
        for start, end in parts:
            small = text[start:end].lower()
            for size in (1, 2, 3):
                shown.update(small[i : i + size] for i in range(len(small) - size + 1))
    shown[LETTERS] = max(1, sum(n for t, n in shown.items() if len(t) == 1 and t.isalpha()))
    return shown


def _mixed(seen: int, letters: int, log_prior: float) -> float:
    return (seen + SPACE_WEIGHT * math.exp(log_prior)) / (letters + SPACE_WEIGHT)
