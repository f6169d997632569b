"""The SQL that makes and fills the tables of ``schemas/tables.toml``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hoyle.outputs.schema import Column, Table

SQL_TYPES = {"integer": "INTEGER", "number": "REAL", "boolean": "INTEGER"}
"""The types that are not TEXT; a list is JSON text."""


def create_table(table: Table) -> str:
    """The statement that creates ``table``, with the description of each column as a comment."""
    lines = [_defined(column) for column in table.columns]
    comments = [f" -- {column.description}" for column in table.columns]
    if table.key:
        lines.append(f"PRIMARY KEY ({names(table.key)})")
    lines += [
        f'FOREIGN KEY ({names(key.columns)}) REFERENCES "{key.table}" ({names(key.keys)})'
        for key in table.foreign
    ]
    commas = [","] * (len(lines) - 1) + [""]
    comments += [""] * (len(lines) - len(comments))
    body = "".join(
        f"  {line}{comma}{note}\n" for line, comma, note in zip(lines, commas, comments, strict=True)
    )
    return f'CREATE TABLE "{table.name}" ( -- {table.text}\n{body})'


def _defined(column: Column) -> str:
    rules = " NOT NULL" * column.required + " UNIQUE" * (column.name == "nr")
    check = _check(column)
    return f'"{column.name}" {SQL_TYPES.get(column.type, "TEXT")}{rules}' + (
        f" CHECK ({check})" if check else ""
    )


def _check(column: Column) -> str:
    name = f'"{column.name}"'
    if column.values:
        return f"{name} IN ({', '.join(repr(value) for value in column.values)})"
    if column.unit == "0 to 1":
        return f"{name} BETWEEN 0 AND 1"
    if column.type == "boolean":
        return f"{name} IN (0, 1)"
    return f"json_valid({name})" if column.is_list else ""


def create_indexes(table: Table) -> Iterator[str]:
    """The statements that index the foreign keys of ``table`` which its primary key does not."""
    for key in table.foreign:
        if key.columns != table.key[: len(key.columns)]:
            name = f"{table.name}_{'_'.join(key.columns)}"
            optional = [c.name for c in table.columns if c.name in key.columns and not c.required]
            only = " WHERE " + " AND ".join(f'"{c}" IS NOT NULL' for c in optional) if optional else ""
            yield f'CREATE INDEX "{name}" ON "{table.name}" ({names(key.columns)}){only}'


def insert(table: Table) -> str:
    """The statement that adds one row, a ``?`` a column."""
    marks = ", ".join("?" * len(table.columns))
    columns = names(column.name for column in table.columns)
    return f'INSERT INTO "{table.name}" ({columns}) VALUES ({marks})'  # noqa: S608 - our own names


def names(columns: Iterable[str]) -> str:
    """Column names, quoted and joined."""
    return ", ".join(f'"{column}"' for column in columns)
