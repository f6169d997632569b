"""The tables in other programs: DuckDB, pandas, polars, Datasette and Frictionless open what was built."""

from __future__ import annotations

import json
import subprocess
import sys

import duckdb
import pandas as pd
import polars as pl
import pytest

from hoyle.outputs.tables import Tables
from support import gold


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("build")
    output = Tables(folder)
    for name in ("quinze", "bridge-laws"):
        output.add(gold.document(name))
    output.close()
    return folder / "tables"


def command(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", *map(str, words)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_duckdb_reads_parquet_csv_and_json_lines_alike(tables):
    counts = {
        ending: duckdb.sql(
            f"SELECT count(*), min(clause), max(clause) FROM '{tables}/clauses.{ending}'"
        ).fetchall()
        for ending in ("parquet", "csv", "jsonl")
    }
    assert counts["parquet"] == counts["csv"] == counts["jsonl"]
    assert counts["parquet"][0][0] == 22 + 13


def test_duckdb_opens_lists_and_joins_tables(tables):
    found = duckdb.sql(
        f"SELECT c.number, t.value FROM '{tables}/clauses.parquet' c JOIN '{tables}/tags.parquet' t "
        f"ON t.unit = c.clause WHERE list_contains(c.actors, t.value) AND c.doc = 'quinze' ORDER BY ALL"
    ).fetchall()
    assert ("42", "last-player") in found
    unnested = duckdb.sql(f"SELECT number, unnest(actors) FROM '{tables}/clauses.parquet'").fetchall()
    assert ("42", "last-player") in unnested


def test_pandas_reads_the_lists(tables):
    clauses = pd.read_parquet(tables / "clauses.parquet")
    assert [list(a) for a in clauses[clauses["number"] == "42"]["actors"]] == [["player", "last-player"]]
    assert clauses["confidence"].dtype == "float64"


def test_polars_reads_the_lists(tables):
    clauses = pl.read_parquet(tables / "clauses.parquet")
    assert clauses.filter(pl.col("number") == "42")["actors"].to_list() == [["player", "last-player"]]
    assert clauses.equals(pl.read_parquet(tables / "clauses.parquet"))
    assert clauses.schema["confidence"] == pl.Float64


def test_frictionless_finds_the_whole_package_valid(tables):
    done = command("frictionless", "validate", "--trusted", "--json", tables / "datapackage.json")
    told = json.loads(done.stdout)
    assert done.returncode == 0, done.stdout
    assert told["valid"] is True
    assert told["stats"]["errors"] == 0
    assert len(told["tasks"]) > 8


def test_datasette_opens_the_database_with_its_description(tables):
    def ask(path: str):
        done = command(
            "datasette", tables / "hoyle.sqlite", "--metadata", tables / "datasette.json", "--get", path
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    rows = ask("/hoyle/clauses.json?doc__exact=quinze&_shape=array&_size=50&_col=clause")
    assert len(rows) == 22
    facets = ask("/hoyle/tags.json?_size=0&_facet=facet")["facet_results"]
    assert {f["value"] for f in facets["facet"]["results"]} >= {"actor", "penalty", "modality"}
    described = ask("/hoyle/clauses.json?_size=0&_extra=metadata&_size=1")
    assert described["table"] == "clauses"
