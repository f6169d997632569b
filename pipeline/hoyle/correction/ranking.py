"""Rank the candidates of tagger and lattice, calibrate their probabilities, and select those to carry out.

A candidate that both generators give is one candidate with two scores. Gradient-boosted trees on its
features (:mod:`hoyle.correction.features`) give the probability that it is right. They are fitted on works
that the tagger was not trained on, and the slope of their score is calibrated on works that they were not
fitted on (``ranker.tsv`` of the language; Platt 1999, Guo et al. 2017).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import regex
from rapidfuzz.distance import Levenshtein

from hoyle.correction.candidate import Candidate, overlaps
from hoyle.correction.features import FEATURES
from hoyle.correction.tagger import normalise_signs
from hoyle.errors import TableError
from hoyle.languages import Language
from hoyle.tables import Row

MAX_PROBABILITY = 0.998
"""Upper limit of a probability, as so few documents were counted."""

_WORD = regex.compile(r"\p{L}+")
_SUSPICIOUS = (
    r"[^\p{L}\p{N}\s.,;:!?()«»„“”\"'’—–-]|\p{L}\p{N}|\p{N}\p{L}|\s[.,;:]|\s\p{L}\s\p{L}\s|\p{Ll}\p{Lu}"
)


def is_suspicious(text: str, language: Language) -> bool:
    """Tell whether a text has an unlisted word or a suspicious sequence of characters.

    Args:
        text: the edited text of a unit.
        language: its language, with a lexicon; ``suspicious`` of ``[correct]`` adds a pattern.

    Returns:
        Whether the tagger has to read the text.
    """
    if language.resource(_suspicious_pattern).search(text):
        return True
    known = language.lexicon
    return any(m.group().lower() not in known for m in _WORD.finditer(normalise_signs(text)))


def _suspicious_pattern(language: Language) -> regex.Pattern[str]:
    more = language.settings["correct"].get("suspicious")
    return regex.compile(f"{_SUSPICIOUS}|{more}" if more else _SUSPICIOUS)


def merge_candidates(
    text: str, edits: Sequence[Candidate], candidates: Iterable[Candidate]
) -> Iterator[Candidate]:
    """Merge the candidates of the tagger and of the lattice for one text.

    Args:
        text: the edited text of a unit.
        edits: candidates of the tagger.
        candidates: candidates of the lattice, in order.

    Yields:
        Candidates; two that give the same reading are one, with both scores.
    """
    remaining = list(edits)
    for candidate in candidates:
        twin = next((r for r in remaining if same_reading(text, candidate, r)), None)
        if twin:
            remaining.remove(twin)
            yield replace(candidate, tagger=twin.tagger)
        else:
            yield candidate
    yield from remaining


class Ranker:
    """The ranking model of one language: a sum of small decision trees (Friedman 2001).

    Args:
        language: the language. A row of its ``ranker.tsv`` is a node: where the ``feature`` is not above
            the ``value``, the node ``left`` follows, else ``right``; a leaf has no feature, its ``value`` is
            added to the score. The rows ``bias`` and ``slope`` are not of a tree.

    Raises:
        TableError: the table names no feature of :data:`hoyle.correction.features.FEATURES`.
    """

    def __init__(self, language: Language) -> None:
        self._trees: list[list[_Node]] = []
        self._bias, self._slope = 0.0, 1.0
        for row in language.table("ranker", ["tree", "node", "feature", "value", "left", "right"]):
            value = row.number("value")
            if row["tree"] == "bias":
                self._bias = value
            elif row["tree"] == "slope":
                self._slope = value
            else:
                if row["node"] == "0":
                    self._trees.append([])
                self._trees[-1].append(_node(row, value))

    def probability(self, features: Sequence[float]) -> float:
        """Return the calibrated probability that a candidate with these features is right."""
        score = self._bias
        for tree in self._trees:
            feature, value, left, right = tree[0]
            while feature >= 0:
                feature, value, left, right = tree[left if features[feature] <= value else right]
            score += value
        return min(MAX_PROBABILITY, 1 / (1 + math.exp(-self._slope * score)))


class _Node(NamedTuple):
    feature: int
    value: float
    left: int
    right: int


def _node(row: Row, value: float) -> _Node:
    if not row["feature"]:
        return _Node(-1, value, 0, 0)
    if row["feature"] not in FEATURES:
        raise TableError(f"no feature is called {row['feature']!r}", document=row.where)
    return _Node(FEATURES.index(row["feature"]), value, int(row["left"]), int(row["right"]))


def select(text: str, candidates: Iterable[Candidate], min_probability: float) -> list[Candidate]:
    """Select the candidates to carry out.

    Of candidates that overlap, the one with the highest expected gain is kept. It grows with the square root
    of the characters that a candidate changes (at least one a word): of two that are nearer to the print the
    one that changes more mends more, but is the likelier to be right in part only.

    Args:
        text: the edited text of a unit.
        candidates: calibrated candidates.
        min_probability: calibrated probability from which a candidate is carried out.

    Returns:
        Candidates that do not overlap, in order.
    """

    def gain(candidate: Candidate) -> float:
        before = text[candidate.start : candidate.end]
        changed = max(Levenshtein.distance(before, candidate.after), len(before.split()), 1)
        return (2 * candidate.probability - 1) * math.sqrt(changed)

    chosen: list[Candidate] = []
    likely = [candidate for candidate in candidates if candidate.probability >= min_probability]
    for candidate in sorted(likely, key=lambda c: (-gain(c), c.start, -c.end)):
        if not any(overlaps(candidate, other) for other in chosen):
            chosen.append(candidate)
    return sorted(chosen, key=lambda c: c.start)


def same_reading(text: str, a: Candidate, b: Candidate) -> bool:
    """Tell whether two candidates overlap and give the same text (shapes of apostrophe aside).

    Args:
        text: the text that both are offsets in.
        a: a candidate.
        b: another candidate.

    Returns:
        Whether the text reads the same after either.
    """
    if not overlaps(a, b):
        return False
    start, end = min(a.start, b.start), max(a.end, b.end)
    first, second = (text[start : x.start] + x.after + text[x.end : end] for x in (a, b))
    return first.replace("’", "'") == second.replace("’", "'")
