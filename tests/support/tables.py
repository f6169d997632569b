"""Documents for the tests of the tables, and what reads the tables back."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from hoyle.document import (
    Amount,
    Block,
    Clause,
    Condition,
    Document,
    Edit,
    Evidence,
    Finding,
    Meta,
    Reference,
    Source,
    Span,
    Tag,
)
from hoyle.outputs.csv_cells import decode
from hoyle.outputs.schema import tables
from hoyle.outputs.tables import Tables
from support import gold

RULE = Evidence("tests/rule.tsv:1", 0.9)


def editions() -> list[Document]:
    """The five gold editions."""
    return [gold.document(name) for name in gold.EDITIONS]


KIT = "7\n12. On étoit =mal\n13. Il doit 1; 2\nFin"


def kit(text: str = KIT) -> Document:
    """A page number, two clauses and a paragraph, a line each, with all that a document can have."""
    data = text.encode()
    source = Source("kit", "kit.txt", text, hashlib.sha256(data).hexdigest(), len(data))
    page_at, first_at, second_at, end_at = _lines(text)
    page = Block("kit.pn1", "page-number", (page_at,), RULE, n="7")
    label = Span(first_at.start, first_at.start + 3)
    first = Clause("kit.12", "12.", ("12",), (first_at,), RULE, label, "arabic")
    label = Span(second_at.start, second_at.start + 3)
    second = Clause("kit.13", "13.", ("13",), (second_at,), RULE, label, "arabic", flags=("odd",))
    end = Block("kit.p1", "paragraph", (end_at,), RULE)
    doubt = Finding("sequence", "a jump", RULE, label, doubt=True)
    misread = Edit(end_at, text[slice(*end_at)], "FIN", "correct", Evidence("x", 0.5))
    old = [
        Edit(Span(at, at + 5), "étoit", "était", "regularise", Evidence("y", 0.70004))
        for at in _find(text, "étoit")
    ]
    word = Span(first_at.start + 4, first_at.start + 6)
    tags = [
        Tag(first.id, "actor", "player", (word,), "On", RULE, part="may"),
        Tag(first.id, "penalty", "new-deal", (), "mal", RULE, against="dealer", exacted_by="opponent"),
        Tag(first.id, "offence", "misdeal", (), "", RULE),
        Tag(first.id, "modality", "permission", (), "", RULE),
        Tag(first.id, "modality", "obligation", (), "", RULE, main=True),
    ]
    tags[2] = Tag(first.id, "offence", "misdeal", (word,), "On", RULE)
    rest = (Span(word.end + 1, first_at.end),)
    tags[1] = replace(tags[1], spans=rest)
    cases = [
        Condition(first.id, (word,), "On", rest, "étoit =mal", RULE),
        Condition(second.id, (word,), "", (), "", RULE),
    ]
    tail = (Span(second_at.end - 4, second_at.end),)
    refs = [
        Reference(second.id, tail, "1; 2", ("12",), first.id, "exact", RULE),
        Reference(second.id, tail, "a|b\\", ("9", "a"), "", "outside", RULE),
    ]
    layers = {
        "furniture": (page,),
        "clauses": (first, second, end, doubt),
        "correct": (misread,),
        "regularise": tuple(old),
        "tag": (*tags, *cases, Amount(second.id, tail, "1; 2", 1.0, 2.0, "point", RULE)),
        "references": tuple(refs),
    }
    return Document(source, Meta("kit", title="Kit", lang="fr", games=("whist",)), layers)


def _lines(text: str) -> list[Span]:
    ends = [*_find(text, "\n"), len(text)]
    return [Span(start, end) for start, end in zip([0, *(end + 1 for end in ends)], ends, strict=False)]


def _find(text: str, words: str) -> list[int]:
    return [match.start() for match in re.finditer(words, text)]


def renamed(document: Document, name: str) -> Document:
    """``document`` under another id."""
    layers: dict[str, Any] = {}
    for layer, items in document.layers.items():
        layers[layer] = tuple(
            replace(
                item,
                **{
                    field: name + value.removeprefix(document.id)
                    for field in ("id", "unit", "target", "under", "parent")
                    if (value := getattr(item, field, ""))
                },
            )
            for item in items
        )
    return replace(
        document,
        source=replace(document.source, id=name),
        meta=replace(document.meta, id=name),
        layers=layers,
    )


def build(folder: Path, documents: Iterable[Document]) -> Path:
    """The folder of the tables of ``documents``."""
    output = Tables(folder)
    for document in documents:
        output.add(document)
    output.close()
    return folder / "tables"


def from_jsonl(folder: Path, table: str) -> list[dict[str, Any]]:
    lines = (folder / f"{table}.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def from_parquet(folder: Path, table: str) -> list[dict[str, Any]]:
    return pq.read_table(folder / f"{table}.parquet").to_pylist()


def from_csv(folder: Path, table: str) -> list[dict[str, Any]]:
    columns = {column.name: column for column in tables()[table].columns}
    with (folder / f"{table}.csv").open(encoding="utf-8-sig", newline="") as file:
        return [
            {name: decode(columns[name], cell) for name, cell in row.items()} for row in csv.DictReader(file)
        ]


def from_sqlite(folder: Path, table: str) -> list[dict[str, Any]]:
    columns = tables()[table].shared
    names = ", ".join(f'"{column.name}"' for column in columns)
    with closing(sqlite3.connect(folder / "hoyle.sqlite")) as db:
        rows = db.execute(f'SELECT {names} FROM "{table}" ORDER BY rowid').fetchall()
    readers = {"boolean": bool, "strings": json.loads, "spans": json.loads, "refs": json.loads}
    return [
        {c.name: readers.get(c.type, lambda v: v)(value) for c, value in zip(columns, row, strict=True)}
        for row in rows
    ]
