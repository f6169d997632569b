"""Estimate the channel of a document from a sample of its own text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hoyle.correction.candidate import Candidate
from hoyle.correction.channel import LETTERS, Channel, general_channel
from hoyle.correction.lexical_acceptability import LexicalAcceptability
from hoyle.correction.tagger import Tags
from hoyle.correction.word_correction import WordCorrector
from hoyle.document import Span
from hoyle.languages import Language


class SampleText(NamedTuple):
    """A text of the sample with the arguments of :meth:`WordCorrector.candidates`."""

    text: str
    spans: Sequence[Span]
    suspicious: Sequence[int] | None = None
    tags: Tags | None = None


MIN_POSTERIOR = 0.5
"""Posterior from which a candidate counts as an error of the document."""

SPACE_WEIGHT = 1000.0
"""Letters at which the document's own rate of inserted spaces outweighs the general one."""


@dataclass
class _ErrorCounts:
    """Errors of a document: confusions and inserted spaces."""

    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    printed: Counter[str] = field(default_factory=Counter)
    spaces_removed: int = 0

    def add(self, candidate: Candidate) -> None:
        """Count the errors of a candidate that is probable enough."""
        if candidate.lattice < MIN_POSTERIOR:
            return
        for change in candidate.changes:
            confusion = change.confusion
            if confusion is not None and confusion.ocr == " ":
                self.spaces_removed += 1
            elif confusion is not None:
                self.confusions[confusion.ocr, confusion.print] += 1
                self.printed[confusion.print] += 1


def estimate_channel(
    language: Language, texts: Sequence[SampleText], acceptability: LexicalAcceptability | None = None
) -> Channel:
    """Estimate the channel of a document from its suspicious words.

    The general channel of the language corrects the sample; the confusions of these corrections adapt it.

    Args:
        language: the language, with a lexicon.
        texts: a sample of the document.
        acceptability: lexical acceptability for the document; the general one if left out.

    Returns:
        The adapted channel.
    """
    general, shown = language.resource(general_channel), _printed(texts)
    corrector = WordCorrector(language, general, acceptability)
    errors = _ErrorCounts(printed=Counter(shown))
    for text in texts:
        for candidate in corrector.candidates(*text):
            # A listed word may be right: it is no evidence of an error.
            if text.text[candidate.start : candidate.end].lower() not in language.lexicon:
                errors.add(candidate)
    inserted = _mixed(errors.spaces_removed, shown[LETTERS], general.space_inserted)
    return general.adapted(errors.confusions, errors.printed, inserted)


def _printed(texts: Sequence[SampleText]) -> Counter[str]:
    """Count the letters and groups of up to three in the texts."""
    shown: Counter[str] = Counter()
    for text, spans, *_ in texts:
        for start, end in spans:
            small = text[start:end].lower()
            for size in (1, 2, 3):
                shown.update(small[i : i + size] for i in range(len(small) - size + 1))
    shown[LETTERS] = max(1, sum(n for t, n in shown.items() if len(t) == 1 and t.isalpha()))
    return shown


def _mixed(seen: int, letters: int, log_prior: float) -> float:
    return (seen + SPACE_WEIGHT * math.exp(log_prior)) / (letters + SPACE_WEIGHT)
