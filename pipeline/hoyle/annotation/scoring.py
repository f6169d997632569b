"""Linear models that decide what a passage is and which cue matches are right.

``weights.tsv`` holds them: ``rule`` (is the passage a rule at all?), ``modality`` (its main class), and one
for each of ``actor``, ``offence`` and ``penalty`` (is a match right?). ``certainty.tsv`` turns their scores
into probabilities (Platt 1999) and says from which probability on a tag is asserted. Both are written by
``pipeline/training/fit_tagger.py``; the probabilities are those of works left out of training.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from math import exp, log
from pathlib import Path
from typing import Final, NamedTuple

from hoyle.annotation.features import Features, Passage
from hoyle.annotation.selection import CueMatch, of_facet
from hoyle.tables import read_table

DECIDED: Final = ("actor", "offence", "penalty")
"""Facets whose matches are decided one by one."""
RULE: Final = "rule"
RIGHT: Final = "right"
CLIP: Final = 4.0
"""Largest score of ``rule`` that the other models see, as log odds."""

Weights = Mapping[str, Mapping[str, float]]
"""The weights of a feature by label."""


class Certainty(NamedTuple):
    """Slope and intercept that turn log odds into log odds that hold on unseen works; ``least`` to assert."""

    slope: float
    intercept: float
    least: float

    def of(self, score: float) -> float:
        """Return the probability of a score (log odds)."""
        return _probability(self.slope * score + self.intercept)


class ScoredMatch(NamedTuple):
    """A cue match, its log odds and the probability that its concept is right."""

    match: CueMatch
    score: float
    probability: float


def _probability(score: float) -> float:
    return 1 / (1 + exp(-max(min(score, 30.0), -30.0)))


def log_odds(probability: float) -> float:
    """Return the log odds of a probability."""
    kept = min(max(probability, 1e-6), 1 - 1e-6)
    return log(kept / (1 - kept))


@cache
def models() -> Mapping[str, Weights]:
    """Return the weights of each model."""
    found: defaultdict[str, defaultdict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for row in read_table(Path(__file__).with_name("weights.tsv"), ["model", "label", "feature", "weight"]):
        found[row["model"]][row["feature"]][row["label"]] = row.number("weight")
    return found


@cache
def certainties() -> Mapping[str, Certainty]:
    """Return the calibration of each model."""
    columns = ["model", "slope", "intercept", "least"]
    return {
        row["model"]: Certainty(row.number("slope"), row.number("intercept"), row.number("least"))
        for row in read_table(Path(__file__).with_name("certainty.tsv"), columns)
    }


def scores(weights: Weights, features: Features) -> dict[str, float]:
    """Return the score of each label.

    Args:
        weights: those of one model.
        features: the features of a passage or a match.

    Returns:
        The scores by label; labels without any weight are missing.
    """
    found: defaultdict[str, float] = defaultdict(float)
    for name, value in features.items():
        for label, weight in weights.get(name, {}).items():
            found[label] += weight * value
    return dict(found)


def rule_score(passage: Passage) -> float:
    """Return the log odds that a passage is a rule."""
    score = scores(models()["rule"], passage.words | passage.build).get(RULE, 0.0)
    return max(min(score, CLIP), -CLIP)


def context(own: float, all_: Sequence[float]) -> Features:
    """Return what the models of matches are told of a passage: its log odds to be a rule, and their mean.

    Args:
        own: the log odds of the passage.
        all_: those of all passages of the document.

    Returns:
        Two features.
    """
    return {"rule": own / 2, "rules": sum(all_) / max(len(all_), 1) / 2}


def score_matches(passage: Passage, facet: str, text: Features) -> list[ScoredMatch]:
    """Score the matches of a facet; each concept keeps its best one.

    Args:
        passage: the passage with its matches.
        facet: one of ``DECIDED``.
        text: what :func:`context` returns.

    Returns:
        The best match of each concept, in the order of the text.
    """
    best: dict[str, ScoredMatch] = {}
    for match in of_facet(passage.matches, facet):
        score = scores(models()[facet], passage.of_match(match, text)).get(RIGHT, 0.0)
        rival = best.get(match.cue.concept)
        if rival is None or score > rival.score:
            best[match.cue.concept] = ScoredMatch(match, score, certainties()[facet].of(score))
    return sorted(best.values(), key=lambda one: (one.match.start, one.match.end))


def is_asserted(facet: str, scored: ScoredMatch) -> bool:
    """Return whether a match is sure enough to be a tag.

    Args:
        facet: one of ``DECIDED``.
        scored: the match.
    """
    return scored.probability >= certainties()[facet].least


def with_penalties(passage: Passage, scored: Mapping[str, Sequence[ScoredMatch]]) -> Features:
    """Return the features for the modality: the build of a passage, its surest penalty and offence.

    Args:
        passage: the passage.
        scored: its scored matches by facet.

    Returns:
        The features.
    """
    found = dict(passage.build)
    for facet in ("penalty", "offence"):
        surest = max((one.score for one in scored.get(facet, ())), default=-CLIP)
        found[f"surest {facet}"] = max(min(surest, CLIP), -CLIP)
    return found


def modality(features: Features) -> dict[str, float]:
    """Return the probability of each class of modality.

    Args:
        features: what :func:`with_penalties` returns.

    Returns:
        The probabilities, the surest class first; that of the first is calibrated.
    """
    found = scores(models()["modality"], features)
    top = max(found.values())
    total = sum(exp(score - top) for score in found.values())
    ordered = sorted(((exp(score - top) / total, label) for label, score in found.items()), reverse=True)
    first, best = ordered[0]
    sure = certainties()["modality"].of(log_odds(first))
    rest = {label: value * (1 - sure) / max(1 - first, 1e-6) for value, label in ordered[1:]}
    return {best: sure, **rest}
