"""All tables in one SQLite file, with foreign keys, views and a full-text index.

The index holds the three layers unchanged, and in addition the search spelling of every
word (:mod:`hoyle.orthography.search_key`) and every spelling of it that occurs anywhere in the build: a
program that knows nothing of folding (Datasette, the sqlite3 shell) finds ``место`` by ``мѣсто`` too.
"""

from __future__ import annotations

import errno
import json
import sqlite3
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from hoyle.errors import OutputError
from hoyle.orthography.search_key import fold_word, tokens
from hoyle.outputs.ddl import SQL_TYPES, create_indexes, create_table, insert
from hoyle.outputs.records import Record
from hoyle.outputs.schema import Column, Table, tables, version
from hoyle.tables import data_file

APPLICATION_ID = 0x486F796C
"""``Hoyl``: marks the file as one of ours (``PRAGMA application_id``)."""

_LAYERS = ("raw", "corrected", "modern")
_NUL = {0: 0x2400}
_CHUNK = 500  # units indexed at a time
_FORMS = 50_000  # search spellings whose forms are cached


@contextmanager
def _of_the_disk() -> Iterator[None]:
    """Makes what SQLite says of the file an error of the system, as other files have it."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise OSError(errno.EIO, f"SQLite: {error}") from error


class Sqlite:
    """Writes the database: rows as they come, indexes and full text at the end."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._finish = weakref.finalize(self, self._db.close)
        self._nr = 0
        self._numbers: dict[str, int] = {}
        with _of_the_disk():
            # The build folder appears whole or not at all, so a crash leaves nothing to recover.
            for pragma in ("journal_mode = MEMORY", "synchronous = OFF", "foreign_keys = ON",
                           f"application_id = {APPLICATION_ID}", f"user_version = {version()}"):  # fmt: skip
                self._db.execute(f"PRAGMA {pragma}")
            for table in tables().values():
                self._db.execute(create_table(table))
            self._db.executescript(data_file("schemas", "sqlite.sql").read_text(encoding="utf-8"))

    def add(self, made: Iterable[tuple[str, list[Record]]], *, document: str = "") -> None:
        """Write the rows of one document (or of the vocabularies): all of them or none.

        Args:
            made: the rows of each table, tables that others refer to first.
            document: id of the document, for messages.

        Raises:
            OutputError: a row points at something that is not there, or breaks another constraint.
            OSError: the file cannot be written.
        """
        with _of_the_disk():
            self._db.execute("BEGIN")
            try:
                for name, rows in made:
                    self._insert(tables()[name], self._numbered(name, rows), document)
            except BaseException:
                if self._db.in_transaction:  # SQLite itself rolls back where the disk is full
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def close(self) -> None:
        """Index the foreign keys and the full text, and close the file.

        Raises:
            OSError: the file cannot be written.
        """
        with _of_the_disk():
            # Nothing is rolled back from here on, and a journal in memory would grow with the corpus.
            self._db.execute("PRAGMA journal_mode = OFF")
            for table in tables().values():
                for statement in create_indexes(table):
                    self._db.execute(statement)
            self._db.execute("BEGIN")
            self._index_texts()
            self._db.execute("COMMIT")
            self._db.execute("INSERT INTO search (search) VALUES ('optimize')")
            self._db.execute("ANALYZE")
            self._finish()

    def _numbered(self, name: str, rows: list[Record]) -> list[Record]:
        """The rows of units, blocks and clauses with their running number."""
        if name == "units":
            made = [{"nr": self._nr + nth, **row} for nth, row in enumerate(rows, 1)]
            self._nr += len(rows)
            self._numbers = {row["id"]: row["nr"] for row in made}
            return made
        if name not in ("clauses", "blocks"):
            return rows
        (id_,) = tables()[name].key
        self._gather_spellings(row for row in rows if row["corrected"] is not None)
        return [{"nr": self._numbers[row[id_]], **row} for row in rows]

    def _insert(self, table: Table, rows: list[Record], document: str) -> None:
        cells = ([_value(column, row[column.name]) for column in table.columns] for row in rows)
        try:
            self._db.executemany(insert(table), cells)
        except (sqlite3.IntegrityError, OverflowError, UnicodeEncodeError) as error:
            what = next(filter(None, (self._dangling(table, row) for row in rows)), "")
            what = what or _repeated(table, rows) or str(error)
            raise OutputError(f"{table.name}: {what}", document=document) from error

    def _dangling(self, table: Table, row: Record) -> str:
        """Which foreign key of ``row`` points nowhere, if one does."""
        for key in table.foreign:
            values = [row[column] for column in key.columns]
            where = " AND ".join(f'"{column}" = ?' for column in key.keys)
            there = f'SELECT 1 FROM "{key.table}" WHERE {where}'  # noqa: S608 - our own names
            if None not in values and not self._db.execute(there, values).fetchone():
                shown = {name: value for name, value in row.items() if value not in (None, [], "")}
                named = ", ".join(f"{c} {v!r}" for c, v in zip(key.columns, values, strict=True))
                return f"{named} is not in the table {key.table} (row {shown})"
        return ""

    def _gather_spellings(self, rows: Iterable[Record]) -> None:
        """Note every word form of the texts."""
        found: set[str] = set()
        for row in rows:
            for layer in _LAYERS:
                found.update(tokens(row[layer]))
        forms = {_form(word): fold_word(word) for word in found}
        self._db.executemany("INSERT OR IGNORE INTO spellings VALUES (?, ?)", sorted(forms.items()))

    def _index_texts(self) -> None:
        texts = "SELECT nr, id, doc, kind, raw, corrected, modern FROM texts WHERE nr > ? ORDER BY nr LIMIT ?"
        columns = "rowid, id, doc, kind, raw, corrected, modern, folded"
        into = f"INSERT INTO search ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
        spelt = _spellings(self._db)
        last = 0
        while chunk := self._db.execute(texts, (last, _CHUNK)).fetchall():
            made = [(*row, search_spelling(row[4:], spelt)) for row in chunk]
            self._db.executemany("INSERT INTO search_spelling VALUES (?, ?)", [(r[0], r[-1]) for r in made])
            self._db.executemany(into, made)
            last = chunk[-1][0]


def _repeated(table: Table, rows: list[Record]) -> str:
    """Which primary key two of the rows share, if they do."""
    keys = Counter(tuple(row[name] for name in table.key) for row in rows if table.key)
    return "".join(f"there is {' '.join(key)!r} twice" for key, times in keys.most_common(1) if times > 1)


def _spellings(db: sqlite3.Connection) -> Callable[[str], tuple[str, ...]]:
    """All forms of the build that have a given search spelling."""

    @lru_cache(maxsize=_FORMS)
    def spelt(folded: str) -> tuple[str, ...]:
        found = db.execute("SELECT form FROM spellings WHERE folded = ? ORDER BY form", (folded,))
        return tuple(form for (form,) in found)

    return spelt


def search_spelling(layers: tuple[str, str, str], spelt: Callable[[str], Iterable[str]]) -> str:
    """Make the text that the index holds of a unit in addition to its layers.

    Args:
        layers: its raw, corrected and modern text.
        spelt: gives the forms that have a search spelling.

    Returns:
        Three lines: the modern text folded word by word, so that phrases are found; the folded
        words of the other layers that it lacks; the spellings that no layer has.
    """
    raw, corrected, modern = map(tokens, layers)
    folded = [fold_word(word) for word in modern]
    there = dict.fromkeys([*corrected, *raw])
    every = dict.fromkeys([*folded, *map(fold_word, there)])
    others = list(every)[len(set(folded)) :]
    known = {*every, *map(_form, there), *map(_form, modern)}
    forms = [form for word in every for form in spelt(word) if form not in known]
    return "\n".join(" ".join(part) for part in (folded, others, forms))


def _form(word: str) -> str:
    return word.lower().replace("\u00ad", "")


def _value(column: Column, value: Any) -> Any:
    if value is None or column.type in SQL_TYPES:
        return value
    text = json.dumps(value, ensure_ascii=False) if column.is_list else value
    return text.translate(_NUL) if "\0" in text else text  # SQLite's own functions stop at a NUL
