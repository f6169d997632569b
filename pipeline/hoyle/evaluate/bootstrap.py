"""How far a figure may be trusted: intervals by the bootstrap, over passages.

Passages are drawn anew, with replacement, as many as there are; how the figure varies from draw to draw
is how it would vary from sample to sample.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]

RESAMPLES = 1000
INTERVAL = (2.5, 97.5)
"""Percentiles between which a figure lies in 95 of 100 draws."""

_SEED = 1742
_AT_ONCE = 5_000_000
"""Numbers drawn together at most (memory)."""


class Estimate(NamedTuple):
    """A figure, and between which two values it lies with 95 % confidence."""

    value: float
    low: float
    high: float


class Rate(NamedTuple):
    """A figure as ``times`` × (sum of ``plus`` - sum of ``minus``) / sum of ``over``, names of counts."""

    times: float
    plus: str
    over: str
    minus: str = ""

    def of(self, sums: Mapping[str, Numbers]) -> Numbers:
        """The figure for one set of sums or many; 0 where there is nothing to divide by."""
        above = sums[self.plus] - (sums[self.minus] if self.minus else 0.0)
        below = sums[self.over]
        return self.times * np.divide(above, below, out=np.zeros_like(below), where=below > 0)


def estimates(counts: Mapping[str, Numbers], rates: Mapping[str, Rate]) -> dict[str, Estimate]:
    """Every rate with its interval; the same counts give the same intervals.

    Args:
        counts: for each name one count a passage.
        rates: what to estimate from them.
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
    """The sums of each resample, a row each."""
    size = len(table)
    random = np.random.default_rng(_SEED)
    step = max(1, _AT_ONCE // size)
    sums = []
    for done in range(0, RESAMPLES, step):
        times = min(step, RESAMPLES - done)
        sums.append(random.multinomial(size, np.full(size, 1 / size), times) @ table)
    return np.concatenate(sums)
