"""The tables that Hoyle writes, as ``schemas/tables.toml`` describes them.

Headings, SQL, Parquet schema, ``datapackage.json`` and the lists in ``docs/tables.md`` are
made from these descriptions, so that they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from hoyle.errors import TableError
from hoyle.facets import Facet, facets, vocabularies
from hoyle.tables import data_file, read_toml

_FILE = "schemas/tables.toml"
LISTS = ("strings", "spans", "refs")
TYPES = ("string", "integer", "number", "boolean", *LISTS)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: see the head of ``schemas/tables.toml`` for what the keys mean."""

    name: str
    type: str
    title: str
    text: str
    unit: str = ""
    required: bool = False
    blank: bool = False
    to: str = ""
    values: tuple[str, ...] = ()
    only: str = ""

    @property
    def is_list(self) -> bool:
        """Whether a value is a list."""
        return self.type in LISTS

    @property
    def description(self) -> str:
        """What it holds, with its unit."""
        return f"{self.text} ({self.unit})" if self.unit else self.text


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """``columns`` of a table take their values from ``keys`` of ``table``."""

    columns: tuple[str, ...]
    table: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """One table: ``columns`` in order, ``key`` its primary key, ``foreign`` its foreign keys."""

    name: str
    title: str
    text: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    foreign: tuple[ForeignKey, ...]

    @property
    def shared(self) -> tuple[Column, ...]:
        """The columns that every format has."""
        return tuple(column for column in self.columns if not column.only)


@cache
def tables() -> Mapping[str, Table]:
    """All tables by name, the vocabularies last.

    Raises:
        TableError: a type that is unknown, or a foreign key that points nowhere.
    """
    found = {name: _table(name, raw) for name, raw in _described_in_file().items() if name != "version"}
    pattern = found.pop("vocabulary")
    for name in vocabularies():
        own = ForeignKey(("broader",), name, ("id",))
        text = pattern.text.replace("the vocabulary", f"the vocabulary of {name}")
        found[name] = Table(name, name.capitalize(), text, pattern.key, pattern.columns, (own,))
    for table in found.values():
        for key in table.foreign:
            there = {c.name for c in found[key.table].columns} if key.table in found else set()
            if not there.issuperset(key.keys):
                message = f"{table.name}: {key.table}({', '.join(key.keys)}) is no column"
                raise TableError(message, document=_FILE)
    return found


def _described_in_file() -> dict[str, Any]:
    return read_toml(data_file(*_FILE.split("/")))


def _table(name: str, raw: Mapping[str, Any]) -> Table:
    columns = []
    for column, about in _columns(raw["columns"]):
        rest = {k: v for k, v in about.items() if k not in ("is", "values")}
        values = facets() if about.get("values") == "facets" else about.get("values", ())
        made = Column(column, text=about["is"], values=tuple(values), **rest)
        if made.type not in TYPES:
            raise TableError(f"{name}.{column}: the type {made.type!r} is unknown", document=_FILE)
        columns.append(made)
    foreign = [_single(column) for column in columns if column.to]
    foreign += [
        ForeignKey(tuple(key["columns"]), key["to"], tuple(key["keys"])) for key in raw.get("foreign", ())
    ]
    return Table(name, raw["title"], raw["is"], tuple(raw["key"]), tuple(columns), tuple(foreign))


def _columns(raw: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The columns as described; ``facets = "lists"`` stands for a list column for each facet that has one."""
    for column, about in raw.items():
        if about != "lists":
            yield column, about
            continue
        for facet in list_facets():
            name = facet.vocabulary
            text = f"ids of the table {name}, each once, in order of appearance"
            yield name, {"type": "strings", "title": name.capitalize(), "is": text}


def list_facets() -> list[Facet]:
    """The facets that have a list column in the table ``clauses``, in the order of the columns."""
    ranked = [facet for facet in facets().values() if facet.clauses_column]
    return sorted(ranked, key=lambda facet: facet.clauses_column)


def _single(column: Column) -> ForeignKey:
    table, key = column.to.split(".")
    return ForeignKey((column.name,), table, (key,))


def version() -> int:
    """The version of the description; ``PRAGMA user_version`` of the database."""
    return int(_described_in_file()["version"])


def describe() -> str:
    """The tables and their columns in Markdown, as ``docs/tables.md`` shows them."""
    return "\n".join(_described(name) for name in tables() if name not in vocabularies()) + _vocabularies()


def _described(name: str) -> str:
    table = tables()[name]
    rows = "\n".join(_row(table, column) for column in table.columns)
    return f"### {name}\n\n{table.text}\n\n| column | type | holds |\n|---|---|---|\n{rows}\n"


def _row(table: Table, column: Column) -> str:
    mark = "\\*" if column.name in table.key else ""
    notes = [column.description]
    notes += [f"one of {', '.join(column.values)}"] if column.values else []
    notes += [f"→ {column.to}"] if column.to else []
    notes += [f"only in {column.only}"] if column.only else []
    kind = column.type if column.required else f"{column.type}, may be empty"
    return f"| {column.name}{mark} | {kind} | {'; '.join(notes)} |"


def _vocabularies() -> str:
    columns = ", ".join(column.name for column in tables()[vocabularies()[0]].columns)
    return f"\n### {', '.join(vocabularies())}\n\nOne concept of the vocabulary. Columns: {columns}.\n"


def list_columns() -> Iterator[tuple[str, Column]]:
    """Every list column with the name of its table."""
    for table in tables().values():
        for column in table.columns:
            if column.is_list:
                yield table.name, column
