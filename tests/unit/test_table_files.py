import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import frictionless
import pyarrow.parquet as pq
import pytest

from hoyle import __version__
from hoyle.document import Reference, Span, Tag
from hoyle.errors import OutputError, TableError
from hoyle.facets import vocabularies
from hoyle.outputs import schema
from hoyle.outputs.records import records, token_records
from hoyle.outputs.schema import describe, tables
from hoyle.outputs.tables import Tables
from hoyle.tables import data_file
from support import gold
from support.tables import (
    RULE,
    build,
    editions,
    from_csv,
    from_jsonl,
    from_parquet,
    from_sqlite,
    kit,
    renamed,
)

GOLDEN = gold.GOLD / "tables"
DOCS = gold.GOLD.parent.parent / "docs" / "tables.md"
HOSTILE = "12. =1+1 \0 \"a\",'b'; ]]> <script>&amp; \\;|\u2028\x0b\x85 \U0001f0a1 \u202eabc\r\n+x"


def hostile():
    """A document whose every text breaks CSV, SQL, JSON or spreadsheets."""
    text = f"{HOSTILE}\n"
    whole = (Span(0, len(HOSTILE)),)
    document = renamed(kit(), "h")
    clause = replace(document.clauses[0], spans=whole, label=HOSTILE, flags=("a;b", "=c", "\\"))
    tag = Tag(clause.id, "actor", "player", whole, HOSTILE, RULE, amount="@x")
    ref = Reference(clause.id, whole, HOSTILE, ("=1", "a;b"), "", "outside", RULE)
    meta = replace(document.meta, title="=cmd|'/c calc'!A1", author="\u202e\t=2")
    layers = {"clauses": (clause,), "tag": (tag,), "references": (ref,)}
    return replace(document, source=replace(document.source, text=text), meta=meta, layers=layers)


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """The tables of the gold editions, the kit and the hostile document."""
    return build(tmp_path_factory.mktemp("tables"), [*editions(), kit(), hostile()])


def exact(table):
    """The rows themselves, as Python made them."""
    return [row for document in [*editions(), kit(), hostile()] for row in dict(records(document))[table]]


DATA = [name for name in tables() if name in dict(records(kit()))]


@pytest.mark.parametrize("table", DATA)
def test_json_lines_and_parquet_are_exact(everything, table):
    assert from_jsonl(everything, table) == exact(table)
    assert from_parquet(everything, table) == exact(table)


def pictured(value, signs):
    """``value`` with its control characters shown as pictures."""
    if isinstance(value, dict):
        return {name: pictured(part, signs) for name, part in value.items()}
    if isinstance(value, list):
        return [pictured(part, signs) for part in value]
    return value.translate({ord(c): 0x2400 + ord(c) for c in signs}) if isinstance(value, str) else value


@pytest.mark.parametrize("table", DATA)
def test_csv_and_sqlite_lose_only_controls(everything, table):
    assert from_csv(everything, table) == pictured(exact(table), "\0\x0b")
    assert from_sqlite(everything, table) == [
        # In a list JSON escapes the NUL, so that it survives.
        {name: value if isinstance(value, list) else pictured(value, "\0") for name, value in row.items()}
        for row in exact(table)
    ]


@pytest.mark.parametrize("table", ["concepts", *vocabularies()])
def test_vocabularies_are_the_same_in_every_form(everything, table):
    rows = from_jsonl(everything, table)
    assert rows
    assert (
        rows
        == from_csv(everything, table)
        == from_parquet(everything, table)
        == from_sqlite(everything, table)
    )


def test_one_line_one_row(everything):
    lines = (everything / "clauses.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(exact("clauses"))


def test_csv_opens_in_spreadsheets(everything):
    data = (everything / "clauses.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfdoc,clause,")
    assert b"\r\n" in data
    assert b",=" not in data
    assert b'"=' not in data


def test_parquet_says_what_its_columns_are(everything):
    table = pq.read_schema(everything / "clauses.parquet")
    assert table.metadata[b"title"] == b"Clauses"
    assert table.field("spans").metadata[b"description"].startswith(b"its parts in reading order")
    assert not table.field("clause").nullable


def test_frictionless_validates(everything, tmp_path):
    report = frictionless.validate(str(everything / "datapackage.json"))
    assert report.valid, report.flatten(["name", "type", "message"])[:5]
    assert {task.name for task in report.tasks if task.type == "table"} == set(tables())


WRONG = [
    ("tags.csv", ",player,", ",nobody,", "foreign-key"),
    ("references.csv", ",outside,", ",inside,", "constraint-error"),
    ("edits.csv", ",0.5\r\n", ",1.5\r\n", "constraint-error"),
    ("units.csv", "kit.13,kit", "kit.12,kit", "primary-key"),
    ("findings.csv", ",true,", ",maybe,", "type-error"),
    ("tags.parquet", "PAR1", "PAR2", "hash-count"),
]


def test_frictionless_finds_what_is_wrong(tmp_path):
    folder = build(tmp_path, [kit()])
    for file, old, new, _ in WRONG:
        data = (folder / file).read_bytes()
        assert old.encode() in data
        (folder / file).write_bytes(data.replace(old.encode(), new.encode()))
    report = frictionless.validate(str(folder / "datapackage.json"))
    found = {(Path(task.place).name, error.type) for task in report.tasks for error in task.errors}
    assert found >= {(file, error) for file, _, _, error in WRONG}


def test_the_same_documents_give_the_same_bytes(everything, tmp_path):
    again = build(tmp_path, [*editions(), kit(), hostile()])
    names = sorted(path.name for path in everything.iterdir())
    assert sorted(path.name for path in again.iterdir()) == names
    for name in names:
        assert (again / name).read_bytes() == (everything / name).read_bytes(), name


def test_tokens_are_written_when_asked_for(everything, tmp_path):
    output = Tables(tmp_path, tokens=True)
    output.add(kit())
    output.close()
    made = [row for rows in token_records(kit()) for row in rows]
    for read in (from_jsonl, from_csv, from_parquet, from_sqlite):
        assert read(tmp_path / "tables", "tokens") == made
        assert read(everything, "tokens") == []
    assert [row["text"] for row in made if row["unit"] == "kit.12"] == ["12", ".", "On", "étoit", "=mal"]


def test_provenance_names_program_models_and_rules(everything):
    made = from_jsonl(everything, "provenance")
    for read in (from_csv, from_parquet, from_sqlite):
        assert read(everything, "provenance") == made
    rows = {(row["kind"], row["name"]): row for row in made}
    assert rows["program", "hoyle"]["value"] == __version__
    path = data_file("resources", "tagger_fr.onnx")
    model = rows["model", "resources/tagger_fr.onnx"]
    assert model["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert model["size"] == path.stat().st_size
    assert ("rules", "schemas/vocabulary/penalties.tsv") in rows
    assert ("rules", "languages/fr/cues.tsv") in rows
    assert rows["setting", "tokens"]["value"] == "no"


def test_a_build_of_nothing_is_whole(tmp_path):
    folder = build(tmp_path, [])
    assert (
        from_jsonl(folder, "clauses") == from_csv(folder, "clauses") == from_parquet(folder, "clauses") == []
    )
    assert frictionless.validate(str(folder / "datapackage.json")).valid


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"value": "nobody"}, "tags: facet 'actor', value 'nobody' is not in the table concepts"),
        ({"unit": "kit.99"}, "tags: unit 'kit.99' is not in the table units"),
        ({"against": "nobody"}, "tags: against 'nobody' is not in the table actors"),
        ({"part": "sings"}, "CHECK constraint failed"),
        ({"why": replace(RULE, confidence=2.0)}, "CHECK constraint failed"),
    ],
)
def test_a_row_that_fits_nowhere_is_refused_with_its_document(tmp_path, change, message):
    document = kit()
    broken = (*document.tags[1:], replace(document.tags[0], **change))
    output = Tables(tmp_path)
    with pytest.raises(OutputError, match=message) as caught:
        output.add(replace(document, layers={**document.layers, "tag": broken}))
    assert caught.value.document == "kit"
    output.add(renamed(kit(), "other"))
    output.close()
    for read in (from_jsonl, from_csv, from_parquet, from_sqlite):
        assert [row["id"] for row in read(tmp_path / "tables", "documents")] == ["other"]


MEMORY = """
import resource, sys
from dataclasses import replace
from pathlib import Path
from hoyle.outputs.tables import Tables
from support.tables import kit, renamed

output = Tables(Path(sys.argv[1]))
for nth in range(1000):
    document = renamed(kit(), f"d{nth}")
    output.add(replace(document, source=replace(document.source, text=document.source.text + " " * 50_000)))
    if nth + 1 in (300, 1000):
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
output.close()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_two_units_of_one_id_are_named(tmp_path):
    document = kit()
    first, second, *rest = document.layers["clauses"]
    clauses = (first, replace(second, id=first.id), *rest)
    output = Tables(tmp_path)
    with pytest.raises(OutputError, match=r"kit: units: there is 'kit\.12' twice"):
        output.add(replace(document, layers={**document.layers, "clauses": clauses}))


def test_memory_does_not_grow_with_the_number_of_documents(tmp_path):
    path = [str(gold.GOLD.parent), *sys.path]
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
        capture_output=True,
        text=True,
        check=True,
    )
    at_300, at_1000, at_the_end = map(int, done.stdout.split())
    assert at_1000 < 1.05 * at_300
    assert at_the_end < 1.05 * at_300
    assert len(from_jsonl(tmp_path / "tables", "documents")) == 1000


@pytest.mark.parametrize(
    "name", ["clauses.csv", "clauses.jsonl", "edits.csv", "tags.csv", "conditions.csv", "references.csv"]
)
def test_golden(tmp_path, name):
    assert (build(tmp_path, [kit()]) / name).read_bytes() == (GOLDEN / name).read_bytes()


def test_the_sql_of_the_tables(everything):
    with closing(sqlite3.connect(everything / "hoyle.sqlite")) as db:
        statements = db.execute(
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name IN ('clauses', 'tags')"
        )
        assert "\n".join(sql for (sql,) in statements) + "\n" == (GOLDEN / "tables.sql").read_text(
            encoding="utf-8"
        )


def test_sqlite_is_sound(everything, tmp_path):
    shutil.copy(everything / "hoyle.sqlite", tmp_path)
    with closing(sqlite3.connect(tmp_path / "hoyle.sqlite", isolation_level=None)) as db:
        db.execute("VACUUM")
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        # rank 1: the index agrees with the texts; raises if it does not.
        db.execute("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
        assert db.execute("PRAGMA user_version").fetchone() == (schema.version(),)


def test_the_docs_list_the_columns():
    assert describe() in DOCS.read_text(encoding="utf-8")


def test_datasette_is_told_about_every_table(everything):
    told = json.loads((everything / "datasette.json").read_text(encoding="utf-8"))["databases"]["hoyle"]
    assert set(told["tables"]) == set(tables())
    for name, about in told["tables"].items():
        assert set(about["columns"]) == {column.name for column in tables()[name].columns}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('type = "spans"', 'type = "ranges"', "blocks.spans: the type 'ranges' is unknown"),
        ('to = "games.id"', 'to = "games.nr"', r"clauses: games\(nr\) is no column"),
    ],
)
def test_a_broken_description_is_refused(tmp_path, monkeypatch, old, new, message):
    text = schema.data_file("schemas", "tables.toml").read_text(encoding="utf-8")
    path = tmp_path / "tables.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    monkeypatch.setattr(schema, "data_file", lambda *_: path)
    with pytest.raises(TableError, match=message):
        schema.tables.__wrapped__()
