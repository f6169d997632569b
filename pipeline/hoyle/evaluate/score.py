"""Precision, recall and F1."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Score:
    """True positives, predicted and gold counts of one thing."""

    true_positives: int = 0
    predicted: int = 0
    gold: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(
            self.true_positives + other.true_positives,
            self.predicted + other.predicted,
            self.gold + other.gold,
        )

    @property
    def precision(self) -> float:
        """Share of what was predicted that is right; 1 if nothing was."""
        return self.true_positives / self.predicted if self.predicted else 1.0

    @property
    def recall(self) -> float:
        """Share of the gold that was found; 1 if there is none."""
        return self.true_positives / self.gold if self.gold else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0
