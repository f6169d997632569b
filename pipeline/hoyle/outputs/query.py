"""Questions in SQL to the built tables: reading only, and within bounds of time and memory."""

from __future__ import annotations

import math
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, count
from pathlib import Path
from typing import Any, TypeAlias

from hoyle.errors import HoyleError, OutputError
from hoyle.orthography.search_key import fold

_ALLOWED = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
_PRAGMAS = {
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
    "foreign_key_list", "foreign_key_check", "integrity_check", "quick_check", "database_list",
    "compile_options", "function_list", "data_version", "user_version", "application_id", "encoding",
}  # fmt: skip
_SETTABLE = {"user_version", "application_id", "encoding", "data_version"}
_NEVER = {"load_extension", "fts3_tokenizer"}
_MESSAGES = (
    ("^MemoryError$", "the question takes too much memory; ask for less"),
    ("^interrupted$", "the question takes too long; ask for less, or give it more time with --timeout"),
    (
        "not authorized|authorization denied|prohibited|readonly|may not be modified",
        "the tables can only be read; ask with SELECT ({})",
    ),
    ("one statement at a time", "ask one question at a time: one statement, no ';' inside"),
    ('near "references"', '{}; references is a word of SQL: ask the view refs, or write "references"'),
    ("^no such table", "{}; docs/tables.md lists the tables and views, as does PRAGMA table_list"),
)
"""What SQLite says (a pattern), and what to tell the user."""
_STEPS = 100_000  # virtual machine steps between two looks at the clock (and whether the user pressed Ctrl-C)
_HEAP = 256 * 2**20
"""Bytes that SQLite may take up, in this process; further ones cannot be had once this is set."""
_LIMITS = {
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LENGTH: 64 * 2**20,  # bytes of a text or row: the largest source is smaller
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,  # matching takes exponential time
}


Rows: TypeAlias = Iterator[tuple[Any, ...]]


def query(
    path: Path, sql: str, parameters: Sequence[Any] = (), *, seconds: float = 60
) -> tuple[tuple[str, ...], Rows]:
    """Ask the database at ``path`` one question.

    The file is opened read-only, other files cannot be attached, and only statements that read
    are let through. Beside SQLite's own functions there is ``fold(text)``, the search spelling
    (:func:`hoyle.orthography.search_key.fold`): ``… WHERE search MATCH fold('мѣсто')``.

    Args:
        path: ``hoyle.sqlite`` of a build.
        sql: one SELECT (or WITH, VALUES, EXPLAIN, reading PRAGMA) statement.
        parameters: values for ``?`` in it.
        seconds: how long SQLite may work on it, from now until the last row is read.

    Returns:
        The names of the columns, and the rows as they are asked for. The file is closed
        with the last one.

    Raises:
        OutputError: no database there.
        HoyleError: the statement has a fault, would change something, or takes too much time or memory.
            (What shows only while rows are read is raised there.)
    """
    if not path.is_file():
        raise OutputError("there are no tables; run hoyle build first", document=str(path))
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        db.execute("PRAGMA query_only = ON")
        db.create_function("fold", 1, _fold, deterministic=True)
        db.execute(f"PRAGMA hard_heap_limit = {_HEAP}")
        for limit, value in _LIMITS.items():
            db.setlimit(limit, value)
        end = time.monotonic() + seconds
        db.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
        db.set_authorizer(_authorize)
        cursor = db.execute(sql, parameters)
    except (sqlite3.Error, sqlite3.Warning, MemoryError) as error:
        db.close()
        raise _explained(error, path) from error
    if not cursor.description:
        db.close()
        raise HoyleError("that asks for nothing; ask as in: SELECT clause, corrected FROM clauses")
    columns = tuple(name for name, *_ in cursor.description)
    return columns, _rows(db, cursor, path)


def _rows(db: sqlite3.Connection, cursor: sqlite3.Cursor, path: Path) -> Rows:
    with closing(db):
        try:
            yield from cursor
        except (sqlite3.Error, MemoryError) as error:
            raise _explained(error, path) from error


def as_json(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Make rows of an answer objects that JSON can hold.

    Args:
        columns: their names.
        rows: their values.

    Yields:
        The row by column. Of columns of one name the second is called ``name_2``; bytes are in hexadecimal;
        what is no number in JSON (``Infinity``) is ``null``.
    """
    names: list[str] = []
    for column in columns:
        others = (f"{column}_{n}" for n in count(2))
        names.append(next(name for name in chain([column], others) if name not in names))
    for row in rows:
        yield dict(zip(names, map(_json_value, row), strict=True))


def _json_value(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _fold(text: object) -> str | None:
    return None if text is None else fold(str(text))


def _authorize(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    """SQLite asks for each thing a statement would do."""
    if action == sqlite3.SQLITE_PRAGMA:
        allowed = first in _PRAGMAS and not (second and first in _SETTABLE)
    elif action == sqlite3.SQLITE_UPDATE:
        # A virtual table (search, json_each) declares its columns like this. A statement that
        # really wants to change sqlite_master is refused by SQLite itself.
        allowed = first == "sqlite_master"
    else:
        allowed = action in _ALLOWED and not (action == sqlite3.SQLITE_FUNCTION and second in _NEVER)
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _explained(error: Exception, path: Path) -> HoyleError:
    text = str(error) or type(error).__name__  # MemoryError says nothing
    if "not a database" in text:
        return OutputError("is no SQLite database; run hoyle build again", document=str(path))
    known = (message for pattern, message in _MESSAGES if re.search(pattern, text, re.IGNORECASE))
    return HoyleError(next(known, "SQLite does not understand the question: {}").replace("{}", text))
