"""Cue tables: patterns of words that show a concept, each with an example and a counter-example.

A cue is what NegEx and ConText call a trigger term (Chapman et al. 2001; Harkema et al. 2009).
:mod:`hoyle.annotation.patterns` describes the syntax of patterns. A row with the id ``-`` tags nothing:
it blocks shorter matches of other rows of its table (the longest match wins).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from hoyle.errors import TableError
from hoyle.facets import Facet, facets
from hoyle.languages import Language
from hoyle.tables import Row, vocabulary

NO_CONCEPT: Final = "-"
COLUMNS: Final = ("pattern", "id", "games", "example", "place", "counter")
PRIOR_WEIGHT: Final = 1.0
"""Weight of the facet's precision as a prior, in occurrences."""


@dataclass(frozen=True, slots=True)
class Cue:
    """One row of a cue table.

    Attributes:
        facet: the id of the facet.
        pattern: the pattern of words.
        concept: the id of the concept, or ``-``.
        games: ids of the games in whose texts it is used (with narrower games), or ``none`` for texts
            that are about no game; empty for all texts.
        example: an attested example.
        place: the source of the example: the id of a document, or ``composed``.
        counter: a counter-example.
        where: file and line.
        order: its position in the tables; of matches of equal length the first one wins.
        confidence: the smoothed precision of the row (probability).
        against: the actor who suffers a penalty, if the cue implies one.
        by: the actor who exacts a penalty, if the cue implies one.
        weight: its weight as evidence for a game.
    """

    facet: str
    pattern: str
    concept: str
    games: frozenset[str]
    example: str
    place: str
    counter: str
    where: str
    order: int
    confidence: float
    against: str = ""
    by: str = ""
    weight: float = 1.0

    @property
    def key(self) -> str:
        """The key of the row within its language; it does not depend on line numbers."""
        return f"{self.facet}:{self.concept}:{self.pattern}"


def cues(language: Language) -> tuple[Cue, ...]:
    """Return all cues of a language in the order of the tables.

    Raises:
        TableError: a concept or game is not in its vocabulary, a row lacks example, counter-example
            or place, or a row occurs twice.
    """
    return language.resource(_cues)


def _cues(language: Language) -> tuple[Cue, ...]:
    precision = language.resource(_precision)
    found: dict[str, Cue] = {}
    for facet in facets().values():
        for row in language.table(f"cues_{facet.vocabulary}", [*COLUMNS, *facet.cue_columns]):
            cue = _cue(row, facet, len(found), precision)
            if cue.key in found:
                raise TableError(
                    f"the pattern {cue.pattern!r} occurs twice for {cue.concept!r}", document=row.where
                )
            found[cue.key] = cue
    return tuple(found.values())


def _cue(row: Row, facet: Facet, order: int, precision: Mapping[str, tuple[float, float]]) -> Cue:
    concept, games = row["id"], frozenset(row["games"].split())
    if concept != NO_CONCEPT and concept not in facet.concepts:
        message = f"{concept!r} is not in schemas/vocabulary/{facet.vocabulary}.tsv"
        raise TableError(message, document=row.where)
    for game in games - {"none"}:
        if game not in vocabulary("games"):
            raise TableError(f"{game!r} is not in schemas/vocabulary/games.tsv", document=row.where)
    for column in ("pattern", "example", "place", "counter"):
        if not row[column]:
            raise TableError(f"the column {column!r} is empty; every row must have it", document=row.where)
    cue = Cue(
        facet=facet.id,
        pattern=row["pattern"],
        concept=concept,
        games=games,
        example=row["example"],
        place=row["place"],
        counter=row["counter"],
        where=row.where,
        order=order,
        confidence=0.5,
        against=row.cells.get("against", ""),
        by=row.cells.get("by", ""),
        weight=row.number("weight") if "weight" in row.cells else 1.0,
    )
    return replace(cue, confidence=_smoothed(cue.key, facet.id, precision))


def default_confidence(language: Language, facet: str, concept: str) -> float:
    """Return the confidence of a tag that is assigned without a cue.

    Args:
        language: the language.
        facet: the id of the facet.
        concept: the id of the concept.

    Returns:
        The smoothed precision (probability).
    """
    return _smoothed(f"{facet}:by default:{concept}", facet, language.resource(_precision))


def condition_confidence(language: Language, kind: str) -> float:
    """Return the confidence of a condition.

    Args:
        language: the language.
        kind: the kind of its marker (``if``, ``case``, ``who``).

    Returns:
        The smoothed precision (probability).
    """
    return _smoothed(f"condition:{kind}", "condition", language.resource(_precision))


def _smoothed(key: str, facet: str, precision: Mapping[str, tuple[float, float]]) -> float:
    right, fired = precision.get(key, (0.0, 0.0))
    prior_right, prior_fired = precision.get(facet, (0.0, 0.0))
    prior = (prior_right + 1) / (prior_fired + 2)
    return (right + PRIOR_WEIGHT * prior) / (fired + PRIOR_WEIGHT)


def _precision(language: Language) -> dict[str, tuple[float, float]]:
    """Return how often each row, and each facet, was right on the gold texts, and how often it matched."""
    rows = language.table("cue_precision", ["cue", "right", "fired"])
    return {row["cue"]: (row.number("right"), row.number("fired")) for row in rows}
