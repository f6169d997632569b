"""Cue tables: which words show which concept, each with an example and a counter-example.

How a pattern is written: :mod:`hoyle.annotation.patterns`. A row whose id is ``-`` tags nothing:
it is a place where the other rows of its table must not fire (the longest match wins).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from hoyle.errors import TableError
from hoyle.facets import Facet, facets
from hoyle.languages import Language
from hoyle.tables import Row, vocabulary

NOTHING: Final = "-"
COLUMNS: Final = ("pattern", "id", "games", "example", "place", "counter")
PRIOR_WEIGHT: Final = 1.0
"""How many occurrences the precision of the facet counts against those of a row."""


@dataclass(frozen=True, slots=True)
class Cue:
    """One row of a cue table.

    ``games`` are ids of games (the narrower ones included) or ``none`` for texts that are about no
    game; empty: everywhere. ``place`` says where ``example`` stands: id of a document, or
    ``composed``. of cues of one length the one whose ``order`` in the tables is first
    stands; ``confidence`` is the smoothed precision of the row.
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
        """What names the row within its language, line numbers aside."""
        return f"{self.facet}:{self.concept}:{self.pattern}"


def cues(language: Language) -> tuple[Cue, ...]:
    """All cues of a language in the order of the tables.

    Raises:
        TableError: a concept or game that no vocabulary has, a row without example, counter-example
            or place, a row given twice.
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
                    f"the pattern {cue.pattern!r} is given twice for {cue.concept!r}", document=row.where
                )
            found[cue.key] = cue
    return tuple(found.values())


def _cue(row: Row, facet: Facet, order: int, precision: Mapping[str, tuple[float, float]]) -> Cue:
    concept, games = row["id"], frozenset(row["games"].split())
    if concept != NOTHING and concept not in facet.concepts:
        message = f"{concept!r} is not in schemas/vocabulary/{facet.vocabulary}.tsv"
        raise TableError(message, document=row.where)
    for game in games - {"none"}:
        if game not in vocabulary("games"):
            raise TableError(f"{game!r} is not in schemas/vocabulary/games.tsv", document=row.where)
    for column in ("pattern", "example", "place", "counter"):
        if not row[column]:
            raise TableError(f"the column {column!r} is empty; every row needs it", document=row.where)
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


def by_default(language: Language, facet: str, concept: str) -> float:
    """How sure a tag is that no cue shows (probability)."""
    return _smoothed(f"{facet}:by default:{concept}", facet, language.resource(_precision))


def of_conditions(language: Language, kind: str) -> float:
    """How sure a condition of a kind is (probability)."""
    return _smoothed(f"condition:{kind}", "condition", language.resource(_precision))


def _smoothed(key: str, facet: str, precision: Mapping[str, tuple[float, float]]) -> float:
    right, fired = precision.get(key, (0.0, 0.0))
    prior_right, prior_fired = precision.get(facet, (0.0, 0.0))
    prior = (prior_right + 1) / (prior_fired + 2)
    return (right + PRIOR_WEIGHT * prior) / (fired + PRIOR_WEIGHT)


def _precision(language: Language) -> dict[str, tuple[float, float]]:
    """How often each row (and each facet) fired on gold, and how often it was right."""
    rows = language.table("cue_precision", ["cue", "right", "fired"])
    return {row["cue"]: (row.number("right"), row.number("fired")) for row in rows}
