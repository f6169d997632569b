"""The tables of a build: every row as JSON Lines, CSV, Parquet and SQLite, and what describes them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from hoyle.document import Document
from hoyle.outputs.csv_cells import Cell, csv_rows, encode
from hoyle.outputs.datapackage import datasette, package
from hoyle.outputs.provenance import provenance_records
from hoyle.outputs.records import Record, records, token_records, vocabulary_records
from hoyle.outputs.schema import Column, Table, tables
from hoyle.outputs.sqlite import Sqlite

_BATCH_BYTES = 2 * 2**20
_BATCHES = 200
"""A Parquet row group holds about 2 MiB of values, of 200 documents at most."""


class Tables:
    """The folder ``tables`` of a build: each table in four formats, and ``datapackage.json``.

    A document's rows are written as it comes. What stays in memory is one document and, for
    Parquet, at most one row group a table.

    Args:
        folder: the folder of the build.
        tokens: whether to fill the table ``tokens``.
    """

    def __init__(self, folder: Path, *, tokens: bool = False) -> None:
        self._tokens = tokens
        self._folder = folder / "tables"
        self._folder.mkdir(parents=True, exist_ok=True)
        self._sqlite = Sqlite(self._folder / "hoyle.sqlite")
        self._files: dict[str, tuple[_File, ...]] = {
            table.name: tuple(make(self._folder, table) for make in (_JsonLines, _Csv, _Parquet))
            for table in tables().values()
        }
        settings = {"tokens": "yes" if tokens else "no"}
        made = [*vocabulary_records(), ("provenance", list(provenance_records(settings)))]
        self._sqlite.add(made)
        for name, rows in made:
            self._write(name, rows)

    def add(self, document: Document) -> None:
        """Write the rows of ``document``; if the database refuses them, none is written.

        Raises:
            OutputError: a tag, reference or parent names something that is not there.
        """
        made = list(records(document))
        self._sqlite.add(made, document=document.id)
        for name, rows in made:
            self._write(name, rows)
        for rows in token_records(document) if self._tokens else ():
            self._sqlite.add([("tokens", rows)], document=document.id)
            self._write("tokens", rows)

    def close(self) -> None:
        """Finish the files, build the full-text index and describe all files."""
        for files in self._files.values():
            for file in files:
                file.close()
        self._sqlite.close()
        _write_json(self._folder / "datasette.json", datasette())
        _write_json(self._folder / "datapackage.json", package(self._folder))

    def _write(self, name: str, rows: Iterable[Record]) -> None:
        rows = list(rows)
        for file in self._files[name]:
            file.write(rows)


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


_LINE_ENDS = "\u0085\u2028\u2029"
_LINE_ENDS_ESCAPED = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in _LINE_ENDS})
"""Unicode's own line ends: JSON may hold them as they are, but some readers of lines stop there."""


class _File(Protocol):
    """One table in one format."""

    def write(self, rows: list[Record]) -> None:
        """Append ``rows``."""

    def close(self) -> None:
        """Finish the file."""


class _JsonLines:
    """One JSON object a line, UTF-8, exact; line separators of Unicode are escaped."""

    def __init__(self, folder: Path, table: Table) -> None:
        self._path = folder / f"{table.name}.jsonl"
        self._names = [column.name for column in table.shared]
        self._path.write_bytes(b"")

    def write(self, rows: list[Record]) -> None:
        """Append ``rows``."""
        with self._path.open("a", encoding="utf-8", newline="\n") as file:
            for row in rows:
                line = json.dumps({name: row[name] for name in self._names}, ensure_ascii=False)
                if any(sign in line for sign in _LINE_ENDS):
                    line = line.translate(_LINE_ENDS_ESCAPED)
                file.write(line + "\n")

    def close(self) -> None:
        """The file is complete after each row."""


class _Csv:
    """RFC 4180 with a byte-order mark, so that spreadsheets see that it is UTF-8."""

    def __init__(self, folder: Path, table: Table) -> None:
        self._path = folder / f"{table.name}.csv"
        self._columns = table.shared
        self._path.write_bytes(b"\xef\xbb\xbf")
        self._append([[column.name for column in self._columns]])

    def write(self, rows: list[Record]) -> None:
        """Append ``rows``."""
        self._append([encode(column, row[column.name]) for column in self._columns] for row in rows)

    def close(self) -> None:
        """The file is complete after each row."""

    def _append(self, rows: Iterable[Iterable[Cell]]) -> None:
        with self._path.open("a", encoding="utf-8", newline="") as file:
            file.writelines(csv_rows(rows))


class _Writer(pq.ParquetWriter):  # type: ignore[misc]  # pyarrow has no types
    """A writer that leaves a file as it is when nobody closes it: the build is thrown away then."""

    def __del__(self) -> None:
        """Write no footer, which on a full disk would fail where nobody can catch it."""


class _Parquet:
    """Parquet, compressed with zstd; row groups of a few MiB, so that memory stays bounded."""

    def __init__(self, folder: Path, table: Table) -> None:
        about = {"title": table.title, "description": table.text}
        self._schema = pa.schema([_field(column) for column in table.shared], metadata=about)
        path = folder / f"{table.name}.parquet"
        self._writer = _Writer(path, self._schema, compression="zstd")
        self._batches: list[pa.RecordBatch] = []
        self._bytes = 0

    def write(self, rows: list[Record]) -> None:
        """Append ``rows``, on disk once there are enough of them."""
        if not rows:
            return
        batch = pa.RecordBatch.from_pylist(rows, schema=self._schema)
        self._batches.append(batch)
        self._bytes += batch.nbytes
        if self._bytes >= _BATCH_BYTES or len(self._batches) >= _BATCHES:
            self._flush()

    def close(self) -> None:
        """Write what is left, and the footer."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._batches:
            self._writer.write_table(pa.Table.from_batches(self._batches, self._schema))
        self._batches, self._bytes = [], 0


_ARROW = {
    "string": pa.string(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "boolean": pa.bool_(),
    "strings": pa.list_(pa.string()),
    "spans": pa.list_(pa.list_(pa.int64())),
    "refs": pa.list_(pa.struct([("text", pa.string()), ("target", pa.string()), ("status", pa.string())])),
}


def _field(column: Column) -> pa.Field:
    about = {"title": column.title, "description": column.description}
    return pa.field(column.name, _ARROW[column.type], nullable=not column.required, metadata=about)
