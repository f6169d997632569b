"""Compare tags with a gold edition: by facet and language, with confusions and reliability of confidences.

Pairs of unit and concept are compared: a concept counts once a unit; of the modalities only the main one
does. Offences are in no gold edition and are not scored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

from hoyle.annotation.penalties_by_reference import SAME_AS
from hoyle.document import Tag
from hoyle.evaluate.score import Score
from hoyle.facets import Gold, facets

GoldUnit: TypeAlias = Mapping[str, Any]
Pair: TypeAlias = tuple[str, str]
Pairs: TypeAlias = dict[str, set[Pair]]
"""For each facet, pairs of unit and concept."""

TAGGED_UNITS: Final = ("clause", "paragraph", "footnote")
"""Kinds of unit whose tags are scored."""
BINS: Final = 5


def scored_facets() -> dict[str, Gold]:
    """Return the facets that gold editions state, in the order of the registry, and how they state each."""
    return {id_: facet.gold for id_, facet in facets().items() if facet.gold}


class ScoredTag(NamedTuple):
    """A predicted concept of a unit: its confidence (probability) and whether it is correct."""

    facet: str
    confidence: float
    correct: bool


class ReliabilityBin(NamedTuple):
    """Tags of similar confidence: bounds, number, mean confidence, and the share that is correct."""

    low: float
    high: float
    tags: int
    confidence: float
    precision: float


@dataclass(frozen=True, slots=True)
class TagScore:
    """Pairs in both, only predicted (``extra``) and only in the gold (``missed``), sorted."""

    both: tuple[Pair, ...] = ()
    extra: tuple[Pair, ...] = ()
    missed: tuple[Pair, ...] = ()

    def __add__(self, other: TagScore) -> TagScore:
        return TagScore(self.both + other.both, self.extra + other.extra, self.missed + other.missed)

    @property
    def score(self) -> Score:
        """The counts."""
        both = len(self.both)
        return Score(both, both + len(self.extra), both + len(self.missed))

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 1 where there is nothing to find and nothing found."""
        return self.score.f1


def gold_pairs(units: Iterable[GoldUnit], ids: Iterable[str | None]) -> Pairs:
    """Collect the pairs of a gold edition.

    Args:
        units: its units.
        ids: for each of them the id of the unit of the document that it is compared with; None for none.

    Returns:
        The pairs by facet.
    """
    found: Pairs = {facet: set() for facet in scored_facets()}
    for unit, name in zip(units, ids, strict=True):
        if name is not None and unit["type"] in TAGGED_UNITS:
            for facet, gold in scored_facets().items():
                found[facet] |= {(name, value) for value in gold_values(unit, gold)}
    return found


def gold_values(unit: GoldUnit, gold: Gold) -> set[str]:
    """Collect the concepts of one facet that gold gives a unit.

    Args:
        unit: a unit of a gold edition.
        gold: how gold editions state the facet.

    Returns:
        Ids of concepts.
    """
    given = unit.get(gold.field)
    items = [given] if gold.one and given else given or []
    return {item if isinstance(item, str) else item[gold.id] for item in items}


def is_scored(tag: Tag) -> bool:
    """Tell whether a tag is scored.

    Of a facet with a main tag only that one is; a penalty taken over is not (gold has only the reference).
    """
    return (tag.main or not facets()[tag.facet].main) and not tag.why.by.startswith(SAME_AS)


def compare(tags: Iterable[Tag], gold: Pairs, scored: Iterable[str]) -> dict[str, TagScore]:
    """Compare predicted tags with gold pairs, facet by facet.

    Args:
        tags: predicted tags.
        gold: the gold pairs by facet.
        scored: ids of the units that the gold speaks of; others are left out. Of a facet with one
            concept a unit (game, modality), units for which it states none are left out too.

    Returns:
        The score of each facet.
    """
    units = {facet: set(scored) for facet in gold}
    for facet, how in scored_facets().items():
        if how.one:
            units[facet] = {unit for unit, _ in gold[facet]}
    predicted: Pairs = {facet: set() for facet in gold}
    for tag in tags:
        if tag.facet in predicted and is_scored(tag) and tag.unit in units[tag.facet]:
            predicted[tag.facet].add((tag.unit, tag.value))
    return {
        facet: TagScore(
            tuple(sorted(predicted[facet] & gold[facet])),
            tuple(sorted(predicted[facet] - gold[facet])),
            tuple(sorted(gold[facet] - predicted[facet])),
        )
        for facet in gold
    }


def scored_tags(tags: Iterable[Tag], scores: Mapping[str, TagScore]) -> list[ScoredTag]:
    """Return every scored pair with the confidence of its most confident tag, in the order of the text.

    Args:
        tags: predicted tags.
        scores: their scores by facet.

    Returns:
        The pairs that are in both or extra.
    """
    correct = {(facet, *pair): True for facet, score in scores.items() for pair in score.both}
    correct |= {(facet, *pair): False for facet, score in scores.items() for pair in score.extra}
    surest: dict[tuple[str, str, str], float] = {}
    for tag in tags:
        pair = (tag.facet, tag.unit, tag.value)
        if pair in correct and is_scored(tag):
            surest[pair] = max(surest.get(pair, 0.0), tag.why.confidence)
    return [ScoredTag(pair[0], confidence, correct[pair]) for pair, confidence in surest.items()]


def confusions(scores: Mapping[str, TagScore]) -> list[tuple[str, str, str, int]]:
    """Count confusions: facet, concept in gold, concept predicted, times; most frequent first.

    In a unit that misses one concept of a facet and has another too many, one is taken for the
    other; otherwise one side is empty.
    """
    found: Counter[tuple[str, str, str]] = Counter()
    for facet, score in scores.items():
        units = {unit for unit, _ in (*score.missed, *score.extra)}
        for unit in units:
            missed, extra = (sorted(v for u, v in side if u == unit) for side in (score.missed, score.extra))
            if len(missed) == len(extra) == 1:
                found[facet, missed[0], extra[0]] += 1
                continue
            found.update((facet, value, "") for value in missed)
            found.update((facet, "", value) for value in extra)
    rows = [(*confusion, times) for confusion, times in found.items()]
    return sorted(rows, key=lambda row: (-row[3], row))


def reliability(predicted: Sequence[ScoredTag], bins: int = BINS) -> list[ReliabilityBin]:
    """Compare confidences with the share of correct tags, in bins of equal size (Guo et al. 2017).

    Args:
        predicted: scored tags.
        bins: number of bins.

    Returns:
        The bins that are not empty, the least confident first.
    """
    ordered = sorted(predicted)
    ordered.sort(key=lambda one: one.confidence)
    cuts = [round(len(ordered) * i / bins) for i in range(bins + 1)]
    table = []
    for low, high in pairwise(cuts):
        part = ordered[low:high]
        if part:
            mean = sum(one.confidence for one in part) / len(part)
            share = sum(one.correct for one in part) / len(part)
            table.append(ReliabilityBin(part[0].confidence, part[-1].confidence, len(part), mean, share))
    return table


class TagReport(NamedTuple):
    """The figures of the tags of some documents, as rows for JSON.

    ``facets``: language (``all`` for all together), facet, precision, recall, F1, pairs in gold;
    ``confusions``: see :func:`confusions`; ``reliability``: see :func:`reliability`.
    """

    facets: list[tuple[str, str, float, float, float, int]]
    confusions: list[tuple[str, str, str, int]]
    reliability: list[ReliabilityBin]


def tag_report(documents: Iterable[tuple[str, Mapping[str, TagScore], Sequence[ScoredTag]]]) -> TagReport:
    """Summarise the tags of documents.

    Args:
        documents: of each its language, scores and scored tags.

    Returns:
        The figures by language and facet, confusions and reliability.
    """
    by_lang: dict[str, dict[str, TagScore]] = {}
    scored: list[ScoredTag] = []
    for lang, scores, scored_here in documents:
        scored += scored_here
        for name in (lang, "all"):
            total = by_lang.setdefault(name, {})
            for facet, score in scores.items():
                total[facet] = total.get(facet, TagScore()) + score
    rows = [
        (lang, facet, one.score.precision, one.score.recall, one.f1, one.score.gold)
        for lang in sorted(by_lang, key=lambda name: (name == "all", name))
        for facet, one in by_lang[lang].items()
    ]
    return TagReport(rows, confusions(by_lang.get("all", {})), reliability(scored))
