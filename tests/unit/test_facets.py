"""The registry of facets: a facet of one's own is one entry, one vocabulary and one cue table."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from hoyle import facets as registry
from hoyle.annotation.cues import cues
from hoyle.errors import TableError
from hoyle.facets import facets, interface_texts, matrices, vocabularies
from hoyle.languages import language
from hoyle.tables import data_file

ENTRY = """
[facet.equipment]
vocabulary = "equipment"
clauses_column = 4
margin = 6
parted_by = "game"
colour = { light = "#123456", dark = "#abcdef" }
name = { en = "equipment", fr = "matériel", ru = "принадлежность" }
plural = { en = "Equipment", fr = "Matériel", ru = "Принадлежности" }
lead = { en = "What is on the table.", fr = "Ce qui est sur la table.", ru = "Что лежит на столе." }

[[matrix]]
down = "equipment"
across = "game"
title = { en = "Equipment by game", fr = "Matériel par jeu", ru = "Принадлежности по играм" }
"""
VOCABULARY = """\
id\tbroader\tlabel_en\tlabel_fr\tlabel_ru\tlabel_ru_petr1708\tscope_en
deck\t\tpack of cards\tpaquet\tколода\tколода\t
stock\tdeck\tundealt cards\ttalon\tталон\tталонъ\tWhat is left after the deal.
"""
CUES = "equipment\tstock\ttalon\t\t\t\t\ton tire du talon\tcomposed\tétalon\n"
TEXT = "1. Au jeu du quinze, on tire une carte du talon.\n2. Le donneur doit mêler les cartes.\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A copy of Hoyle with one more facet, what it makes of a text, and what it makes of its own TEI."""
    root = tmp_path_factory.mktemp("hoyle")
    package = root / "pipeline" / "hoyle"
    big = shutil.ignore_patterns("__pycache__", "*.marisa", "*.counts", "*.onnx")
    shutil.copytree(data_file("cli").parent, package, ignore=big)
    for path in data_file("resources").rglob("*"):
        target = package / "resources" / path.relative_to(data_file("resources"))
        if path.is_file() and not target.exists() and "__pycache__" not in path.parts:
            target.symlink_to(path)
    for name in ("schemas", "site"):
        shutil.copytree(data_file(name), root / name)
    with (root / "schemas" / "facets.toml").open("a", encoding="utf-8") as file:
        file.write(ENTRY)
    (root / "schemas" / "vocabulary" / "equipment.tsv").write_text(VOCABULARY, encoding="utf-8")
    with (package / "languages" / "fr" / "cues.tsv").open("a", encoding="utf-8") as file:
        file.write(CUES)
    source = root / "quinze.txt"
    source.write_text(TEXT, encoding="utf-8")
    _hoyle(root, "build", source, "--lang", "fr", "--check", "--out", root / "out")
    _hoyle(root, "build", "--from-tei", root / "out" / "tei", "--out", root / "again")
    return root / "out"


def _hoyle(root: Path, *words: object) -> None:
    environment = {**os.environ, "PYTHONPATH": str(root / "pipeline")}
    command = [sys.executable, "-m", "hoyle", *map(str, words)]
    done = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def rows(out: Path, table: str) -> list[dict]:
    lines = (out / "tables" / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_it_is_tagged_and_in_the_tables(built):
    [tag] = [row for row in rows(built, "tags") if row["facet"] == "equipment"]
    assert (tag["value"], tag["text"]) == ("stock", "talon")
    assert [row["equipment"] for row in rows(built, "clauses")] == [["stock"], []]
    assert [row["id"] for row in rows(built, "equipment")] == ["deck", "stock"]


def test_it_is_in_the_database(built):
    query = "SELECT clause, label_en FROM clause_tags WHERE facet = 'equipment'"
    with closing(sqlite3.connect(built / "tables" / "hoyle.sqlite")) as database:
        assert database.execute(query).fetchall() == [("quinze.1", "undealt cards")]
        assert database.execute("SELECT id FROM equipment WHERE broader = 'deck'").fetchall() == [("stock",)]


def test_it_comes_back_from_the_tei(built):
    tei = (built / "tei" / "quinze.xml").read_text(encoding="utf-8")
    assert 'xml:id="equipment.stock"' in tei
    assert 'ana="#equipment.stock"' in tei
    assert rows(built.parent / "again", "tags") == rows(built, "tags")


def test_it_has_pages_a_menu_and_a_colour(built):
    site = built / "site"
    index = (site / "by" / "equipment" / "index.html").read_text(encoding="utf-8")
    assert "What is on the table." in index
    assert "undealt cards" in (site / "by" / "equipment" / "stock.html").read_text(encoding="utf-8")
    assert "Equipment by game" in (site / "by" / "equipment-game.html").read_text(encoding="utf-8")
    assert 'href="by/equipment/index.html"' in (site / "index.html").read_text(encoding="utf-8")
    assert 'class="chip equipment' in (site / "doc" / "quinze" / "1.html").read_text(encoding="utf-8")
    style = (site / "assets" / "hoyle.css").read_text(encoding="utf-8")
    assert ".chip.equipment { color: #123456; }" in style
    assert "@media (prefers-color-scheme: dark) { .chip.equipment { color: #abcdef; } }" in style
    assert '"Equipment by game":"Matériel par jeu"' in (site / "assets" / "fr.js").read_text(encoding="utf-8")
    assert '"equipment"' in (site / "search" / "data.js").read_text(encoding="utf-8")


def test_it_is_a_concept_scheme(built):
    assert "equipment.stock" in (built / "vocabularies" / "hoyle.ttl").read_text(encoding="utf-8")


def test_every_vocabulary_belongs_to_a_facet():
    there = {path.stem for path in data_file("schemas", "vocabulary").glob("*.tsv")}
    assert there == set(vocabularies())


@pytest.mark.parametrize("facet", facets())
def test_every_facet_has_cues(facet):
    assert any(cue.facet == facet for cue in cues(language("fr")))


def test_matrices_and_their_titles():
    texts = dict(interface_texts("ru"))
    for matrix in matrices():
        assert texts[f"matrix_{matrix.down}_{matrix.across}"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"color": "red"}, "toy: unknown key 'color'"),
        ({"parted_by": "time"}, "toy: there is no facet 'time'"),
        ({"parted_by": "toy"}, "toy: toy is parted by it, so it needs 'none'"),
        ({"plural": {"fr": "jouets"}}, "toy: plural has no English text"),
        ({"gold": {"column": "toys"}}, "toy: .*column"),
        ({"vocabulary": None}, "toy: .*vocabulary"),
    ],
)
def test_a_broken_entry_is_named(monkeypatch, change, message):
    words = {"en": "toys"}
    entry = {"vocabulary": "toys", "name": words, "plural": words, "lead": words, "margin": 1, **change}
    broken = {"facet": {"toy": {key: value for key, value in entry.items() if value is not None}}}
    monkeypatch.setattr(registry, "read_toml", lambda _: broken)
    with pytest.raises(TableError, match=message):
        facets.__wrapped__()
