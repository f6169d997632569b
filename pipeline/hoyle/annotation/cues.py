"""The cue table of a language: patterns of words that show a concept, each with an attested example.

A cue is what NegEx and ConText call a trigger term (Chapman et al. 2001; Harkema et al. 2009).
:mod:`hoyle.annotation.patterns` describes the syntax of patterns. A match only proposes its concept:
:mod:`hoyle.annotation.scoring` decides. A row with the concept ``-`` proposes nothing: it blocks matches of
its facet that it covers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hoyle.errors import TableError
from hoyle.facets import facets
from hoyle.languages import Language
from hoyle.tables import Row, vocabulary

NO_CONCEPT: Final = "-"
COLUMNS: Final = (
    "facet", "concept", "pattern", "games", "weight", "against", "by", "example", "place", "counter"
)  # fmt: skip


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
        counter: a counter-example; empty where none is needed.
        where: file and line.
        order: its position in the table; of matches of equal length the first one wins.
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
    against: str = ""
    by: str = ""
    weight: float = 1.0

    @property
    def key(self) -> str:
        """The key of the row within its language; it does not depend on line numbers."""
        return f"{self.facet}:{self.concept}:{self.pattern}"


def cues(language: Language) -> tuple[Cue, ...]:
    """Return all cues of a language in the order of the table.

    Raises:
        TableError: a facet, concept or game is unknown, a row lacks example or place, or occurs twice.
    """
    return language.resource(_cues)


def _cues(language: Language) -> tuple[Cue, ...]:
    found: dict[str, Cue] = {}
    for row in language.table("cues", COLUMNS):
        cue = _cue(row, len(found))
        if cue.key in found:
            raise TableError(
                f"the pattern {cue.pattern!r} occurs twice for {cue.concept!r}", document=row.where
            )
        found[cue.key] = cue
    return tuple(found.values())


def _cue(row: Row, order: int) -> Cue:
    facet, concept, games = facets().get(row["facet"]), row["concept"], frozenset(row["games"].split())
    if facet is None:
        raise TableError(f"{row['facet']!r} is no facet of schemas/facets.toml", document=row.where)
    if concept != NO_CONCEPT and concept not in facet.concepts:
        message = f"{concept!r} is not in schemas/vocabulary/{facet.vocabulary}.tsv"
        raise TableError(message, document=row.where)
    for game in games - {"none"}:
        if game not in vocabulary("games"):
            raise TableError(f"{game!r} is not in schemas/vocabulary/games.tsv", document=row.where)
    for column in ("pattern", "example", "place"):
        if not row[column]:
            raise TableError(f"the column {column!r} is empty; every row must have it", document=row.where)
    return Cue(
        facet=facet.id,
        pattern=row["pattern"],
        concept=concept,
        games=games,
        example=row["example"],
        place=row["place"],
        counter=row["counter"],
        where=row.where,
        order=order,
        against=row["against"],
        by=row["by"],
        weight=row.number("weight") if row["weight"] else 1.0,
    )
