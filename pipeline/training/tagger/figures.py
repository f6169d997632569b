"""Figures of a tagger on pairs: CER, and words mended and broken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pairs import Pair
from rapidfuzz.distance import Levenshtein

from hoyle.evaluate.text import kept_words, tidy


@dataclass
class Figures:
    """Sums over passages; white space counts as one space, apostrophes as alike."""

    characters: int = 0
    before: int = 0
    after: int = 0
    right: int = 0
    broken: int = 0
    mended: int = 0

    def add(self, pair: Pair, corrected: str) -> None:
        """Count one passage."""
        ocr, gold, out = (tidy(text) for text in (*pair, corrected))
        self.characters += len(gold)
        self.before += Levenshtein.distance(ocr, gold)
        self.after += Levenshtein.distance(out, gold)
        words = gold.split()
        had, has = kept_words(words, ocr.split()), kept_words(words, out.split())
        self.right += len(had)
        self.broken += len(had - has)
        self.mended += len(has - had)

    @property
    def cer(self) -> float:
        """Per cent of characters that are still wrong."""
        return 100 * self.after / max(1, self.characters)

    def __str__(self) -> str:
        n, right = max(1, self.characters), max(1, self.right)
        return (
            f"CER {100 * self.before / n:.2f} → {self.cer:.2f}, mended {1000 * self.mended / right:.1f},"
            f" broken {1000 * self.broken / right:.2f} per 1000"
        )


def measure(pairs: Sequence[Pair], correct: Callable[[str], str]) -> Figures:
    """Figures of ``correct`` on pairs."""
    figures = Figures()
    for pair in pairs:
        figures.add(pair, correct(pair.ocr))
    return figures
