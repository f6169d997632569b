from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from hoyle import __version__
from hoyle.document import Evidence, Finding, Span
from hoyle.document.citation import citable_id, make_citation
from hoyle.outputs.citations import Citations
from support.gold import EDITIONS, document

HOSTILE = 'A } { \\ "x", and\n% & $ # _ ~ ^ <b> \x07 Б'


def titled(name, **about):
    whole = document(name)
    return replace(whole, meta=replace(whole.meta, **about))


@pytest.fixture
def quinze():
    about = {
        "title": "Règles du quinze",
        "author": "Anon",
        "publisher": "Paris: Delarue",
        "date": "1817/1840",
    }
    return titled("quinze", **about)


def test_a_clause_in_all_styles(quinze):
    clause = next(c for c in quinze.clauses if c.n == "45")
    made = make_citation(quinze, clause, "doc/quinze/45.html")
    source = quinze.source.sha256
    assert made.id == f"quinze.45@{source[:12]}-{__version__}"
    assert made.chicago == (
        "Anon. “Clause 45.” In Règles du quinze. "
        f"Hoyle edition, version {__version__}, source {source[:12]}. "
        "Paris: Delarue, 1817–1840. quinze.45, doc/quinze/45.html."
    )
    assert made.bibtex.splitlines() == [
        "@incollection{quinze:45,",
        "  author = {{Anon}},",
        "  title = {Clause 45},",
        "  booktitle = {Règles du quinze},",
        "  publisher = {Paris: Delarue},",
        "  year = {1817--1840},",
        f"  version = {{{source[:12]}-{__version__}}},",
        (
            f"  note = {{Hoyle edition, version {__version__}, source {source[:12]}, "
            "quinze.45, doc/quinze/45.html},"
        ),
        "}",
    ]
    assert made.csl["issued"] == {"date-parts": [[1817], [1840]]}
    assert made.csl["container-title"] == "Règles du quinze"
    assert made.csl["id"] == made.id


def test_a_document_of_which_little_is_known():
    made = make_citation(document("quinze"))
    assert made.chicago.startswith("quinze. Hoyle edition, version ")
    assert " n.d. quinze." in made.chicago
    assert made.csl["type"] == "book"
    assert not {"author", "issued", "container-title", "publisher"} & set(made.csl)


@pytest.mark.parametrize(
    ("date", "issued"), [("1838", {"date-parts": [[1838]]}), ("190?", {"literal": "190?"})]
)
def test_dates_are_numbers_only_where_they_are_certain(date, issued):
    assert make_citation(titled("quinze", date=date)).csl["issued"] == issued


def test_the_second_series_is_told_from_the_first():
    patience = document("patience")
    second = [c for c in patience.clauses if c.series == 2]
    assert second
    for clause in second:
        assert "(series 2)" in make_citation(patience, clause).chicago
    assert len({citable_id(patience, c) for c in patience.clauses}) == len(patience.clauses)


def test_a_new_source_is_a_new_version_of_the_same_clause(quinze):
    other = replace(quinze, source=replace(quinze.source, sha256="0" * 64))
    clause = quinze.clauses[0]
    old, new = citable_id(quinze, clause), citable_id(other, clause)
    assert old != new
    assert old.split("@")[0] == new.split("@")[0]


def test_other_decisions_are_another_version_and_the_same_clause(quinze):
    why = Evidence("corpus/quinze/decisions.tsv:2", 1.0)
    first = Finding("decision", "'a' read as 'b': sense (A. Editor, 1999)", why, Span(0, 1))
    second = replace(first, value="'a' read as 'c': sense (A. Editor, 2000)")
    made = [
        quinze,
        *(quinze.with_layer("decisions", found) for found in ([first], [first, second], [second, first])),
    ]
    ids = [citable_id(whole, whole.clauses[0]) for whole in made]
    assert len(set(ids)) == 3
    assert ids[2] == ids[3]
    assert {i.split("@")[0] for i in ids} == {"quinze.42"}
    digest = ids[1].rpartition("-")[2]
    assert f"version {__version__}, decisions {digest}, source" in make_citation(made[1]).chicago


def entries(bib):
    """The entries of a BibTeX file as a parser sees it: (kind, key, fields), braces counted."""
    found, at = [], 0
    while (start := bib.find("@", at)) >= 0:
        kind, open_ = re.compile(r"@(\w+)\{").match(bib, start)[1], bib.index("{", start)
        depth, end = 1, open_ + 1
        while depth:
            depth += {"{": 1, "}": -1}.get(bib[end], 0)
            end += 1
        key, body = bib[open_ + 1 : end - 1].split(",", 1)
        found.append((kind, key, dict(re.findall(r"(?m)^  (\w+) = \{(.*)\},$", body))))
        at = end
    return found


def test_hostile_titles_break_no_style():
    odd = titled("quinze", title=HOSTILE, author=HOSTILE, publisher=HOSTILE, date="1800\n}")
    made = [make_citation(odd), *(make_citation(odd, c) for c in odd.clauses)]
    parsed = entries("\n".join(m.bibtex for m in made))
    assert len(parsed) == len(made) == 23
    assert all(set(fields) >= {"author", "title", "year", "note"} for _, _, fields in parsed)
    assert not re.search(r"(?<!\\)[%&$#_]", parsed[0][2]["title"])
    assert all("\n" not in m.chicago and "\x07" not in m.chicago for m in made)


@pytest.mark.parametrize("name", EDITIONS)
def test_keys_are_ascii_and_unique(name):
    whole = document(name)
    keys = [entries(make_citation(whole, c).bibtex)[0][1] for c in whole.clauses]
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch(r"[A-Za-z0-9.:_-]+", key) for key in keys)


def build(folder, documents):
    folder.mkdir()
    output = Citations(folder)
    for one in documents:
        output.add(one)
    output.close()
    return {p.name: p.read_bytes() for p in folder.iterdir()}


def test_both_files_hold_every_document_and_clause(tmp_path):
    documents = [document(name) for name in EDITIONS]
    files = build(tmp_path / "a", documents)
    assert files == build(tmp_path / "b", documents)
    items = json.loads(files["citations.json"])
    ids = [citable_id(d, c) for d in documents for c in (None, *d.clauses)]
    assert [item["id"] for item in items] == ids
    assert len(entries(files["citations.bib"].decode())) == len(ids) == 90
    assert json.loads(build(tmp_path / "none", [])["citations.json"]) == []
