"""Questions in SQL to the built tables: reading only, whatever the question says."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
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
_REFUSALS = ("not authorized", "authorization denied", "prohibited", "readonly", "may not be modified")
_STEPS = 100_000  # virtual machine steps between two looks at whether the user pressed Ctrl-C


Rows: TypeAlias = Iterator[tuple[Any, ...]]


def query(path: Path, sql: str, parameters: Sequence[Any] = ()) -> tuple[tuple[str, ...], Rows]:
    """The answer of the database at ``path`` to one question.

    The file is opened read-only, other files cannot be attached, and only statements that read
    are let through. Beside SQLite's own functions there is ``fold(text)``, the search spelling
    (:func:`hoyle.orthography.search_key.fold`): ``… WHERE search MATCH fold('мѣсто')``.

    Args:
        path: ``hoyle.sqlite`` of a build.
        sql: one SELECT (or WITH, VALUES, EXPLAIN, reading PRAGMA) statement.
        parameters: values for ``?`` in it.

    Returns:
        The names of the columns, and the rows as they are asked for. The file is closed
        with the last one.

    Raises:
        OutputError: no database there.
        HoyleError: the statement has a fault or would change something. (A fault that shows only
            while rows are read is raised there.)
    """
    if not path.is_file():
        raise OutputError("there are no tables; run hoyle build first", document=str(path))
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        db.execute("PRAGMA query_only = ON")
        db.create_function("fold", 1, _fold, deterministic=True)
        db.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        db.set_progress_handler(lambda: 0, _STEPS)
        db.set_authorizer(_authorize)
        cursor = db.execute(sql, parameters)
    except (sqlite3.Error, sqlite3.Warning) as error:
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
        except sqlite3.Error as error:
            raise _explained(error, path) from error


def _fold(text: object) -> str | None:
    return None if text is None else fold(str(text))


def _authorize(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    """SQLite asks for each thing a statement would do."""
    if action == sqlite3.SQLITE_PRAGMA:
        allowed = first in _PRAGMAS and not (second and first in _SETTABLE)
    elif action == sqlite3.SQLITE_UPDATE:
        # So it looks when a virtual table (search, json_each) tells its columns. A statement that
        # really wants to change sqlite_master is refused by SQLite itself.
        allowed = first == "sqlite_master"
    else:
        allowed = action in _ALLOWED and not (action == sqlite3.SQLITE_FUNCTION and second in _NEVER)
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _explained(error: Exception, path: Path) -> HoyleError:
    text = str(error)
    if any(word in text for word in _REFUSALS):
        return HoyleError(f"the tables can only be read; ask with SELECT ({text})")
    if "one statement at a time" in text:
        return HoyleError("ask one question at a time: one statement, no ';' inside")
    if "not a database" in text:
        return OutputError("is no SQLite database; run hoyle build again", document=str(path))
    if text.startswith("no such table"):
        return HoyleError(f"{text}; docs/tables.md lists the tables and views, as does PRAGMA table_list")
    return HoyleError(f"SQLite does not understand the question: {text}")
