"""The temporary store: what indexes and search need of all documents, in a database on disk.

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
    href TEXT, clauses INTEGER, changes INTEGER, doubtful INTEGER, characters INTEGER, files TEXT,
    sha256 TEXT);
CREATE TABLE edit (document INTEGER, kind TEXT, count INTEGER);
CREATE TABLE unit (ord INTEGER PRIMARY KEY, document INTEGER, id TEXT, n TEXT, href TEXT, text TEXT);
CREATE TABLE tag (facet TEXT, value TEXT, unit INTEGER, words TEXT, confidence REAL);
CREATE TABLE posting (form TEXT, unit INTEGER, places TEXT);
"""


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document in the tables of home page and timeline.

    ``href`` is relative to the site; ``files`` are the addresses of its downloads, one a line.
    """

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
    files: str
    sha256: str


class UnitRow(NamedTuple):
    """A clause or block: its number (or what it is), its address in the site, its corrected text."""

    ord: int
    document: int
    id: str
    n: str
    href: str
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A unit in a list: where it is, what it says, and the words that brought it there.

    ``group`` is the value of a second facet under which the list has it (empty: it has none).
    """

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
    group: str


class TemporaryStore:
    """The temporary database; each method is one question that a page asks."""

    def __init__(self) -> None:
        self.db = sqlite3.connect("")  # a private file on disk, gone when closed
        self.db.executescript(_SCHEMA)

    def close(self) -> None:
        """Close the database, which deletes it."""
        self.db.close()

    def index(self) -> None:
        """Create the indexes, once all rows are in."""
        self.db.executescript(
            "CREATE INDEX tag_value ON tag (facet, value, unit);"
            "CREATE INDEX tag_unit ON tag (unit, facet);"
            "CREATE INDEX posting_form ON posting (form, unit);"
        )

    def add_document(self, row: DocumentRow, edits: Mapping[str, int]) -> None:
        """Add a document.

        Args:
            row: the document.
            edits: number of its edits by kind.
        """
        values = [getattr(row, name) for name in DocumentRow.__slots__]
        self.db.execute("INSERT INTO document VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", values)
        self.db.executemany("INSERT INTO edit VALUES (?,?,?)", [(row.ord, k, n) for k, n in edits.items()])

    def add_unit(
        self,
        row: UnitRow,
        tags: Iterable[tuple[str, str, str, float]],
        words: Mapping[str, Iterable[int]],
    ) -> None:
        """Add a clause or block.

        Args:
            row: the unit.
            tags: its tags (facet, value, words, confidence).
            words: folded word forms in any of its layers, and the places (count of words) they stand at.
        """
        self.db.execute("INSERT INTO unit VALUES (?,?,?,?,?,?)", row)
        rows = [(facet, value, row.ord, text, sure) for facet, value, text, sure in tags]
        self.db.executemany("INSERT INTO tag VALUES (?,?,?,?,?)", rows)
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

    def passages(self, facet: str, value: str, by: str = "") -> Iterator[Passage]:
        """The units tagged with one concept, in the order of the documents.

        Args:
            facet: of the concept.
            value: the concept.
            by: a second facet: the list is parted by its values, and a unit that has several of them
                stands under each.
        """
        query = """
            SELECT d.ord, d.title, d.lang, d.date, u.ord, u.id, u.n, u.href, u.text, t.words,
                t.confidence, coalesce(g.value, '') AS part
            FROM tag t JOIN unit u ON u.ord = t.unit JOIN document d ON d.ord = u.document
            LEFT JOIN tag g ON g.unit = t.unit AND g.facet = ?
            WHERE t.facet = ? AND t.value = ? ORDER BY part, t.unit"""
        for row in self.db.execute(query, (by, facet, value)):
            yield Passage(*row)

    def parts(self, facet: str, value: str, by: str) -> list[tuple[str, int]]:
        """The parts of the list that :meth:`passages` gives, with the number of units in each.

        Args:
            facet: of the concept.
            value: the concept.
            by: the facet that parts the list.
        """
        query = """
            SELECT coalesce(g.value, '') AS part, count(*) FROM tag t
            LEFT JOIN tag g ON g.unit = t.unit AND g.facet = ?
            WHERE t.facet = ? AND t.value = ? GROUP BY part ORDER BY part"""
        return self.db.execute(query, (by, facet, value)).fetchall()

    def tags_of(self, unit: int, facet: str) -> list[tuple[str, str]]:
        """Return the concepts of one facet that a unit has, with the words that show them.

        Args:
            unit: ordinal of the unit.
            facet: id of the facet.
        """
        query = "SELECT value, words FROM tag WHERE unit = ? AND facet = ? ORDER BY value"
        return self.db.execute(query, (unit, facet)).fetchall()

    def units_of(self, facet: str, value: str) -> Iterator[int]:
        """Iterate over the ordinals of the units tagged with one concept, ascending.

        Args:
            facet: of the concept.
            value: the concept.
        """
        query = "SELECT DISTINCT unit FROM tag WHERE facet = ? AND value = ? ORDER BY unit"
        for (unit,) in self.db.execute(query, (facet, value)):
            yield unit

    def matrix(self, down: str, across: str) -> list[tuple[str, str, int]]:
        """Count the units that have a concept of both facets, pair by pair.

        Args:
            down: id of one facet.
            across: id of the other facet.

        Returns:
            Concept of ``down``, concept of ``across``, number of units.
        """
        return self.db.execute(
            "SELECT a.value, b.value, count(DISTINCT a.unit) FROM tag a "
            "JOIN tag b ON a.unit = b.unit WHERE a.facet = ? AND b.facet = ? GROUP BY 1, 2 ORDER BY 1, 2",
            (down, across),
        ).fetchall()

    def edits(self) -> Mapping[int, Mapping[str, int]]:
        """Number of edits by document and kind."""
        found: dict[int, dict[str, int]] = {}
        for document, kind, count in self.db.execute("SELECT * FROM edit ORDER BY document, kind"):
            found.setdefault(document, {})[kind] = count
        return found

    def totals(self) -> tuple[int, int, int, int]:
        """Documents, clauses, changed words and doubtful ones in all."""
        row = self.db.execute(
            "SELECT count(*), coalesce(sum(clauses), 0), coalesce(sum(changes), 0), "
            "coalesce(sum(doubtful), 0) FROM document"
        ).fetchone()
        return (row[0], row[1], row[2], row[3])
