"""Confidence intervals by the bootstrap over passages (Efron 1979; Bisani & Ney 2004).

Passages are drawn with replacement, as many as there are. The spread of a figure over the draws estimates
its spread over samples of the same size.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]

RESAMPLES = 1000
INTERVAL = (2.5, 97.5)
"""Percentiles of the draws that bound a 95 % interval."""

_SEED = 1742
_AT_ONCE = 5_000_000
"""Numbers drawn together at most (memory)."""


class Estimate(NamedTuple):
    """A figure with the bounds of its 95 % interval."""

    value: float
    low: float
    high: float


class Rate(NamedTuple):
    """A figure computed from sums of counts.

    It is ``scale`` × (``numerator`` - ``subtracted``) / ``denominator``; all three name counts.
    """

    scale: float
    numerator: str
    denominator: str
    subtracted: str = ""

    def of(self, sums: Mapping[str, Numbers]) -> Numbers:
        """Compute the figure for one set of sums or many; 0 where the denominator is 0."""
        above = sums[self.numerator] - (sums[self.subtracted] if self.subtracted else 0.0)
        below = sums[self.denominator]
        return self.scale * np.divide(above, below, out=np.zeros_like(below), where=below > 0)


def estimates(counts: Mapping[str, Numbers], rates: Mapping[str, Rate]) -> dict[str, Estimate]:
    """Estimate every rate with its interval; the same counts give the same intervals.

    Args:
        counts: for each name one count a passage.
        rates: the figures to estimate from them.

    Returns:
        For each rate its value and interval.
    """
    table = np.stack(list(counts.values()), axis=1)
    whole = _named(counts, table.sum(axis=0, keepdims=True))
    drawn = _named(counts, _resampled(table))
    found = {}
    for name, rate in rates.items():
        low, high = np.percentile(rate.of(drawn), INTERVAL)
        found[name] = Estimate(float(rate.of(whole)[0]), float(low), float(high))
    return found


def _named(counts: Mapping[str, Numbers], sums: Numbers) -> dict[str, Numbers]:
    return dict(zip(counts, sums.T, strict=True))


def _resampled(table: Numbers) -> Numbers:
    """Return the sums of each resample, a row each."""
    size = len(table)
    random = np.random.default_rng(_SEED)
    step = max(1, _AT_ONCE // size)
    sums = []
    for done in range(0, RESAMPLES, step):
        times = min(step, RESAMPLES - done)
        sums.append(random.multinomial(size, np.full(size, 1 / size), times) @ table)
    return np.concatenate(sums)
