"""No command ends in a traceback, loses anything in silence, or leaves a file half-written.

What is tried is drawn from seeds, so that a failure comes again. ``HOYLE_FUZZ=long pytest tests/fuzz`` runs
some 3,900 commands on 2,100 inputs instead of 310 on 180; ``HOYLE_FUZZ_FIRST=10000`` draws other inputs.
"""

from __future__ import annotations

import importlib.util
import json
import os
import random
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hoyle.cli import main

# Tests are no package, so the module beside this one is loaded by its path.
_SPEC = importlib.util.spec_from_file_location("bad_files", Path(__file__).with_name("bad_files.py"))
assert _SPEC
assert _SPEC.loader
bad = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(bad)

LONG = os.environ.get("HOYLE_FUZZ") == "long"
FIRST = int(os.environ.get("HOYLE_FUZZ_FIRST", "0"))
FUZZ = settings(
    max_examples=150 if LONG else 12,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    database=None,
)


def times(usual: int) -> int:
    return usual * 13 if LONG else usual


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A build of the good text."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "text.txt").write_text(bad.RULES, encoding="utf-8")
    told = CliRunner().invoke(main, ["build", str(folder / "text.txt"), "--out", str(folder / "build")])
    assert told.exit_code == 0, told.output
    return folder / "build"


def run(*arguments: str, stdin: bytes | None = None) -> Result:
    """A command that must end as documented, and say why where it does not succeed."""
    told = CliRunner().invoke(main, arguments, input=stdin)
    assert told.exit_code in (0, 1, 2, 3), (arguments, told.output, told.exception)
    assert told.exception is None or isinstance(told.exception, SystemExit)
    assert "Traceback" not in told.output
    assert ".partial-" not in told.output
    assert told.exit_code == 0 or told.output.strip()
    return told


@pytest.mark.parametrize("name", ["text.txt", "page.hocr", "page.alto"])
def test_sources(here, name):
    for data in bad.bad_files(name, times(14), FIRST):
        path = here / name
        path.write_bytes(data)
        corrected = run("correct", name)
        clauses = run("clauses", name, "--format", "jsonl")
        explained = run("explain", f"{name}:3")
        assert corrected.exit_code == clauses.exit_code
        if corrected.exit_code == 0 and name == "text.txt":
            letters = sum(map(str.isalpha, data.decode(errors="ignore")))
            assert sum(map(str.isalpha, corrected.stdout)) >= 0.4 * letters - 60
        assert explained.exit_code in (0, 2)
        for row in clauses.stdout.splitlines():
            json.loads(row)


def test_records(here):
    for data in bad.bad_files("records.jsonl", times(20), FIRST):
        Path("in.jsonl").write_bytes(data)
        told = run("correct", "--jsonl", "in.jsonl", "--lang", "fr")
        given = [line for line in data.split(b"\n") if line.removeprefix(b"\xef\xbb\xbf").strip()]
        failed = told.stderr.count("hoyle: failed: ")
        made = told.stdout.split("\n")[:-1]
        assert len(made) + failed == len(given)
        for line in made:
            assert "corrected" in json.loads(line)
        assert run("evaluate", "--text", "in.jsonl", "--lang", "fr", "--json").exit_code in (0, 2)


def test_gold(here):
    Path("text.txt").write_text(bad.RULES, encoding="utf-8")
    for data in bad.bad_files("gold.json", times(20), FIRST):
        Path("gold.json").write_bytes(data)
        told = run("evaluate", "gold.json", "--json")
        if told.exit_code == 0:
            json.loads(told.stdout)


def test_editions(here, built):
    good = (built / "tei" / "text.xml").read_bytes()
    for seed in range(FIRST, FIRST + times(20)):
        data = bad.damaged(good, seed)
        Path("text.xml").write_bytes(data)
        told = run("verify", "text.xml")
        if told.exit_code == 0:
            # What passes is an edition: everything is made of it.
            assert run("clauses", "text.xml").exit_code in (0, 2)


def test_a_shelf_of_bad_documents_is_built_but_for_those_that_are_reported(here):
    """Every document is in the edition or among the failures; the good one is always made."""
    for batch in range(max(1, times(1) // 2)):
        shutil.rmtree("corpus", ignore_errors=True)
        documents = 30
        for n in range(documents):
            folder = here / "corpus" / f"d{n}"
            folder.mkdir(parents=True)
            files = {name: bad.GOOD[name].encode() for name in ("text.txt", "meta.toml", "decisions.tsv")}
            if n:
                which = list(files)[n % 3]
                files[which] = bad.damaged(files[which], FIRST + batch * documents + n)
            for name, data in files.items():
                (folder / name).write_bytes(data)
        told = run("build", "--json", "--out", "out")
        report = json.loads(told.stdout)
        assert len(report["documents"]) + len(report["failures"]) == documents
        assert told.exit_code == (3 if report["failures"] else 0)
        assert report["documents"][0]["id"] == "d0"
        assert not list(here.glob(".out*"))
        editions = sorted(str(path) for path in (here / "out" / "tei").iterdir())
        assert len(editions) == len(report["documents"])
        assert run("verify", *editions).exit_code == 0
        rows = json.loads(
            run("query", "select count(*) n from documents", "--format", "json", "--out", "out").stdout
        )
        assert rows == [{"n": len(editions)}]


WORDS = [
    "select",
    "*",
    "from",
    "clauses",
    "where",
    "like",
    "'%a'",
    "union",
    "1",
    "9e999",
    "zeroblob(9)",
    ",",
    "(",
    ")",
]
WORDS += [
    "group by",
    "order by",
    "limit",
    "x'00'",
    "json(",
    "match",
    "search",
    "'\"'",
    ";",
    "--",
    "attach 'x' as y",
]


@FUZZ
@given(st.one_of(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), st.text(max_size=20)))
def test_questions(built, sql):
    for form in ("json", "csv", "table"):
        told = run(
            "query", "--format", form, "--limit", "20", "--timeout", "5", "--out", str(built), "--", sql
        )
        if form == "json" and told.exit_code == 0:
            json.loads(told.stdout)


@FUZZ
@given(st.text(max_size=12), st.one_of(st.none(), st.text(max_size=6)))
def test_places(built, place, clause):
    source = str(built.parent / "text.txt")
    run("explain", "--", source, *([clause] if clause is not None else []))
    run("explain", "--", f"{source}:{place}")


@FUZZ
@given(st.binary(max_size=60), st.sampled_from(["", "fr", "ru", "cp1252", "xx", "\x00", "undefined"]))
def test_any_bytes(data, word):
    run("correct", "-", "--encoding", word, stdin=data)
    run("modernise", "-", "--lang", word, stdin=data)


@FUZZ
@given(st.text(max_size=60))
def test_any_text_has_its_letters_still(text):
    data = text.encode("utf-8", "surrogatepass")
    told = run("correct", "-", "--lang", "fr", stdin=data)
    if told.exit_code == 0:
        assert any(map(str.isalnum, told.stdout)) >= any(map(str.isalnum, text))


def test_one_seed_makes_one_file():
    seed = random.Random(1).randrange(1000)
    assert bad.damaged(b"abc" * 50, seed) == bad.damaged(b"abc" * 50, seed)
    assert len(set(bad.bad_files("text.txt", 50))) > 45
