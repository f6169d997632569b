"""What the site must remember of documents gone by: small rows in a temporary database on disk.

The home page, the indexes and the search need all documents together, but memory may not
grow with their number; SQLite deletes the file when the connection is closed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

_SCHEMA = """
CREATE TABLE document (ord INTEGER PRIMARY KEY, id TEXT, title TEXT, author TEXT, date TEXT, lang TEXT,
    href TEXT, clauses INTEGER, changes INTEGER, doubtful INTEGER, characters INTEGER, tei TEXT);
CREATE TABLE unit (ord INTEGER PRIMARY KEY, document INTEGER, id TEXT, n TEXT, href TEXT, text TEXT);
CREATE TABLE tag (facet TEXT, value TEXT, game TEXT, unit INTEGER, words TEXT, confidence REAL);
CREATE TABLE posting (form TEXT, unit INTEGER, places TEXT);
"""


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document in the table of the home page; ``href`` and ``tei`` are relative to the site."""

    ord: int
    id: str
    title: str
    author: str
    date: str
    lang: str
    href: str
    clauses: int
    changes: int
    doubtful: int
    characters: int
    tei: str


class UnitRow(NamedTuple):
    """A clause or block: its number (or what it is), its address in the site, its corrected text."""

    ord: int
    document: int
    id: str
    n: str
    href: str
    text: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A unit in a list: where it is, how it begins, and the words that brought it there."""

    document: int
    title: str
    lang: str
    date: str
    unit: int
    id: str
    n: str
    href: str
    text: str
    words: str
    confidence: float
    game: str


class Spool:
    """The temporary database; each method is one question that a page asks."""

    def __init__(self) -> None:
        self.db = sqlite3.connect("")  # a private file on disk, gone when closed
        self.db.executescript(_SCHEMA)

    def close(self) -> None:
        """Forget everything."""
        self.db.close()

    def index(self) -> None:
        """Make the questions quick, once all rows are in."""
        self.db.executescript(
            "CREATE INDEX tag_value ON tag (facet, value, game, unit);"
            "CREATE INDEX tag_unit ON tag (unit, facet);"
            "CREATE INDEX posting_form ON posting (form, unit);"
        )

    def add_document(self, row: DocumentRow) -> None:
        """One more document."""
        values = [getattr(row, name) for name in DocumentRow.__slots__]
        self.db.execute("INSERT INTO document VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", values)

    def add_unit(
        self,
        row: UnitRow,
        tags: Iterable[tuple[str, str, str, float]],
        words: Mapping[str, Iterable[int]],
    ) -> None:
        """One more clause or block.

        Args:
            row: the unit.
            tags: its tags (facet, value, words, confidence).
            words: folded word forms in any of its layers, and the places (count of words) they stand at.
        """
        self.db.execute("INSERT INTO unit VALUES (?,?,?,?,?,?)", row)
        found = list(tags)
        game = min((value for facet, value, *_ in found if facet == "game"), default="")
        rows = [(facet, value, game, row.ord, text, sure) for facet, value, text, sure in found]
        self.db.executemany("INSERT INTO tag VALUES (?,?,?,?,?,?)", rows)
        postings = ((form, row.ord, ",".join(map(str, places))) for form, places in words.items())
        self.db.executemany("INSERT INTO posting VALUES (?,?,?)", postings)

    def units(self) -> Iterator[UnitRow]:
        """All units in the order in which they came."""
        for row in self.db.execute("SELECT * FROM unit ORDER BY ord"):
            yield UnitRow(*row)

    def postings(self) -> Iterator[tuple[str, int, str]]:
        """Folded form, unit and places, form by form."""
        yield from self.db.execute("SELECT form, unit, places FROM posting ORDER BY form, unit")

    def documents(self) -> Iterator[DocumentRow]:
        """All documents in the order in which they came."""
        for row in self.db.execute("SELECT * FROM document ORDER BY ord"):
            yield DocumentRow(*row)

    def values(self, facet: str) -> list[tuple[str, int, int]]:
        """Values of a facet that occur, with the number of units and of documents."""
        return self.db.execute(
            "SELECT value, count(DISTINCT unit), count(DISTINCT document) FROM tag JOIN unit "
            "ON unit.ord = tag.unit WHERE facet = ? GROUP BY value ORDER BY value",
            (facet,),
        ).fetchall()

    def hits(self, facet: str, value: str) -> Iterator[Hit]:
        """The units tagged with one concept, game by game, in the order of the documents."""
        query = """
            SELECT d.ord, d.title, d.lang, d.date, u.ord, u.id, u.n, u.href, u.text, t.words,
                t.confidence, t.game
            FROM tag t JOIN unit u ON u.ord = t.unit JOIN document d ON d.ord = u.document
            WHERE t.facet = ? AND t.value = ? ORDER BY t.game, t.unit"""
        for row in self.db.execute(query, (facet, value)):
            yield Hit(*row)

    def units_of(self, facet: str, value: str) -> Iterator[int]:
        """Ordinals of the units tagged with one concept, ascending."""
        query = "SELECT DISTINCT unit FROM tag WHERE facet = ? AND value = ? ORDER BY unit"
        for (unit,) in self.db.execute(query, (facet, value)):
            yield unit

    def matrix(self, down: str, across: str) -> list[tuple[str, str, int]]:
        """How many units carry a value of the facet ``down`` and one of ``across``, pair by pair."""
        return self.db.execute(
            "SELECT a.value, b.value, count(DISTINCT a.unit) FROM tag a "
            "JOIN tag b ON a.unit = b.unit WHERE a.facet = ? AND b.facet = ? GROUP BY 1, 2 ORDER BY 1, 2",
            (down, across),
        ).fetchall()

    def totals(self) -> tuple[int, int, int, int]:
        """Documents, clauses, changed words and doubtful ones in all."""
        row = self.db.execute(
            "SELECT count(*), coalesce(sum(clauses), 0), coalesce(sum(changes), 0), "
            "coalesce(sum(doubtful), 0) FROM document"
        ).fetchone()
        return (row[0], row[1], row[2], row[3])
