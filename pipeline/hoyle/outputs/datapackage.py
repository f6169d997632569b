"""What describes the tables to other programs: ``datapackage.json`` and ``datasette.json``.

The Data Package (https://datapackage.org) lets ``frictionless validate`` check types,
constraints, keys and checksums; the Datasette metadata gives tables and columns their titles.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from hoyle import __version__
from hoyle.facets import vocabularies
from hoyle.outputs.schema import Column, ForeignKey, Table, list_facets, tables

_SPANS = r"^\d+-\d+(;\d+-\d+)*$"
_MEDIA = {
    "csv": "text/csv",
    "jsonl": "application/jsonl",
    "parquet": "application/vnd.apache.parquet",
    "sqlite": "application/vnd.sqlite3",
}
_FACETS = {
    "clauses": ["doc", "game", "modality"],
    "blocks": ["doc", "kind"],
    "tags": ["facet", "value", "doc"],
    "conditions": ["doc"],
    "amounts": ["measure", "penalty", "doc"],
    "references": ["status", "doc"],
    "edits": ["kind", "doc"],
    "findings": ["topic", "doubt"],
    "documents": ["lang"],
    "tokens": ["doc", "pos"],
    "provenance": ["kind"],
}


def package(folder: Path) -> dict[str, Any]:
    """The Data Package of the finished files in ``folder``.

    The CSV files are its tables; the other forms of each are listed with size and checksum.
    """
    files = [
        _file(folder, f"{table.name}.{form}", f"{table.name}-{form}", table.title)
        for table in tables().values()
        for form in ("jsonl", "parquet")
    ]
    database = _file(folder, "hoyle.sqlite", "hoyle-sqlite", "All tables in one database")
    return {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "hoyle-tables",
        "title": "Rules of games: clauses, tags, references and changes",
        "description": "Tables of an annotated edition of historical rulebooks. "
        "Offsets count characters (code points) of the source texts, from 0, end exclusive.",
        "version": __version__,
        "resources": [*(_resource(folder, table) for table in tables().values()), *files, database],
    }


def _file(folder: Path, path: str, name: str, title: str) -> dict[str, Any]:
    form = path.rpartition(".")[2]
    with (folder / path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "name": name,
        "title": title,
        "type": "file",
        "path": path,
        "format": form,
        "mediatype": _MEDIA[form],
        "bytes": (folder / path).stat().st_size,
        "hash": f"sha256:{digest}",
    }


def _resource(folder: Path, table: Table) -> dict[str, Any]:
    return {
        **_file(folder, f"{table.name}.csv", table.name, table.title),
        "description": table.text,
        "type": "table",
        "encoding": "utf-8",
        "dialect": {"delimiter": ",", "lineTerminator": "\r\n", "quoteChar": '"', "doubleQuote": True},
        "schema": {
            "fields": [_field(column) for column in table.shared],
            **_keys(table),
        },
    }


def _field(column: Column) -> dict[str, Any]:
    made: dict[str, Any] = {
        "name": column.name,
        "type": "string" if column.is_list else column.type,
        "title": column.title,
        "description": column.description,
    }
    if column.is_list:
        made["description"] += "; a list, joined by ';'"
    if constraints := _constraints(column):
        made["constraints"] = constraints
    return made


def _constraints(column: Column) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if column.required and not column.blank:
        made["required"] = True
    if column.values:
        made["enum"] = list(column.values)
    if column.type == "spans":
        made["pattern"] = _SPANS
    if column.unit == "0 to 1":
        made |= {"minimum": 0, "maximum": 1}
    return made


def _keys(table: Table) -> dict[str, Any]:
    """Primary and foreign keys, without those of several columns that may be half empty.

    SQL lets such a key pass; Data Package validators do not agree on it.
    """
    free = {column.name for column in table.columns if not column.required}
    foreign = [
        _foreign(table, key) for key in table.foreign if len(key.columns) == 1 or not free & {*key.columns}
    ]
    made: dict[str, Any] = {"primaryKey": list(table.key)} if table.key else {}
    return {**made, "foreignKeys": foreign} if foreign else made


def _foreign(table: Table, key: ForeignKey) -> dict[str, Any]:
    target = "" if key.table == table.name else key.table
    return {"fields": list(key.columns), "reference": {"resource": target, "fields": list(key.keys)}}


def datasette() -> dict[str, Any]:
    """Metadata for Datasette: titles, what columns hold, facets, and a search that folds nothing."""
    described: dict[str, Any] = {}
    for table in tables().values():
        described[table.name] = {
            "title": table.title,
            "description": table.text,
            "columns": {column.name: column.description for column in table.columns},
        }
        if facets := _FACETS.get(table.name):
            arrays = (
                [{"array": facet.vocabulary} for facet in list_facets()] if table.name == "clauses" else []
            )
            described[table.name]["facets"] = [*facets, *arrays]
        if table.name in ("clauses", "blocks"):
            described[table.name] |= {"fts_table": "search", "fts_pk": "nr", "sort": "nr"}
        if table.name in vocabularies():
            described[table.name]["label_column"] = "label_en"
    search = (
        "SELECT id, doc, kind, snippet(search, 5, '[', ']', '…', 16) AS words "
        "FROM search WHERE search MATCH :words ORDER BY rank"
    )
    query = {"title": "Search all spellings", "sql": search}
    hoyle = {"tables": described, "queries": {"search_all": query}}
    return {"title": "Hoyle: rules of games", "databases": {"hoyle": hoyle}}
