"""What a document tells of its own scan, and what a posterior is worth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TypeAlias

from hoyle.languages import Language, language
from hoyle.model import Span
from hoyle.stages.channel import LETTERS, Channel, channel
from hoyle.stages.words import Correction, Corrector

Text: TypeAlias = tuple[str, Sequence[Span]]
"""A text and the parts of it that may be corrected."""

SURE = 0.5
"""Posterior from which a correction is believed when a document is profiled."""

SPACE_WEIGHT = 1000.0
"""A document must have about this many letters before its own rates of spaces outweigh the general ones."""


@dataclass
class _Faults:
    """What was mended in a document: confusions, closed gaps, words parted."""

    used: Counter[tuple[str, str]] = field(default_factory=Counter)
    printed: Counter[str] = field(default_factory=Counter)
    closed: int = 0
    parted: int = 0

    def add(self, correction: Correction) -> None:
        """Count a correction, if it can be believed."""
        if correction.probability < SURE or correction.sort == "known":
            return  # a listed word may be right: it tells nothing sure of the scan
        self.parted += correction.sort == "parted"
        for change in correction.changes:
            rule = change.rule
            if rule is not None and rule.ocr == " ":
                self.closed += 1
            elif rule is not None:
                self.used[rule.ocr, rule.print] += 1
                self.printed[rule.print] += 1


def profile(lang: Language, texts: Sequence[Text], rounds: int, sample: int) -> Channel:
    """The channel of a document, estimated from its own doubtful words.

    Args:
        lang: its language; there must be a lexicon for it.
        texts: texts and the parts of them that may be corrected.
        rounds: how often to estimate anew with the last estimate.
        sample: how many characters to look at.
    """
    general = adapted = channel(lang.tag)
    chosen = list(_sample(texts, sample))
    shown = _printed(chosen)
    for _ in range(rounds):
        corrector = Corrector(lang, adapted)
        faults = _Faults(printed=Counter(shown))
        for text, parts in chosen:
            for correction in corrector.corrections(text, parts):
                faults.add(correction)
        letters = shown[LETTERS]
        spaces = (
            _mixed(faults.closed, letters, general.space_inserted),
            _mixed(faults.parted, letters, general.space_lost),
        )
        adapted = general.adapted(faults.used, faults.printed, spaces)
    return adapted


def _printed(texts: Sequence[Text]) -> Counter[str]:
    """How often letters and groups of up to three stand in the texts."""
    shown: Counter[str] = Counter()
    for text, parts in texts:
        for start, end in parts:
            small = text[start:end].lower()
            for size in (1, 2, 3):
                shown.update(small[i : i + size] for i in range(len(small) - size + 1))
    shown[LETTERS] = max(1, sum(n for t, n in shown.items() if len(t) == 1 and t.isalpha()))
    return shown


def _mixed(seen: int, letters: int, log_prior: float) -> float:
    return (seen + SPACE_WEIGHT * math.exp(log_prior)) / (letters + SPACE_WEIGHT)


def _sample(texts: Sequence[Text], size: int) -> Iterator[Text]:
    """Texts spread evenly over the document, about ``size`` characters of them."""
    total = sum(len(text) for text, _ in texts)
    step = max(1, total // max(1, size))
    taken = 0
    for i, (text, parts) in enumerate(texts):
        if i % step == 0 and taken < size:
            taken += len(text)
            yield text, parts


@cache
def _calibration(tag: str) -> dict[str, list[tuple[float, float]]]:
    """For each sort of correction, from which posterior on it is worth which probability."""
    table: dict[str, list[tuple[float, float]]] = {}
    for row in language(tag).table("calibration", ["sort", "posterior", "p", "n"]):
        table.setdefault(row["sort"], []).append((row.number("posterior"), row.number("p")))
    return table


def calibrate(tag: str, correction: Correction) -> Correction:
    """The correction with the probability that its posterior has been found to be worth."""
    steps = _calibration(tag).get(correction.sort)
    if not steps:
        return correction
    worth = [p for posterior, p in steps if correction.probability >= posterior]
    return replace(correction, probability=worth[-1] if worth else 0.0)
