"""No command ends in a traceback, loses anything in silence, or leaves a file half-written.

What is tried is drawn from seeds, so that a failure comes again. ``HOYLE_FUZZ=long pytest tests/fuzz`` runs
thirteen times as much as ``pytest tests/fuzz``; ``HOYLE_FUZZ_FIRST=10000`` draws other inputs. At the end it
is said how often each command ran.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import zipfile
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hoyle
from hoyle.cli import main
from support import bad_files as bad

LONG = os.environ.get("HOYLE_FUZZ") == "long"
FIRST = int(os.environ.get("HOYLE_FUZZ_FIRST", "0"))
FUZZ = settings(
    max_examples=150 if LONG else 12,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    database=None,
)


RAN: Counter[str] = Counter()
"""How often each command ran."""


def times(usual: int) -> int:
    return usual * 13 if LONG else usual


@pytest.fixture(scope="module", autouse=True)
def counts(request) -> Iterator[None]:
    """Says at the end how often each command ran."""
    yield
    ran = ", ".join(f"{name} {count}" for name, count in sorted(RAN.items()))
    with request.config.pluginmanager.get_plugin("capturemanager").global_and_fixture_disabled():
        request.config.get_terminal_writer().line(f"\n{sum(RAN.values())} commands: {ran}")


@pytest.fixture
def here(tmp_path, monkeypatch) -> Iterator[Path]:
    """A folder to work in, where no command leaves anything half-written."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    assert [path for path in tmp_path.rglob(".*") if path.name != ".lock"] == []


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
    RAN[arguments[0]] += 1
    assert told.exit_code in (0, 1, 2, 3), (arguments, told.output, told.exception)
    assert told.exception is None or isinstance(told.exception, SystemExit)
    assert "Traceback" not in told.output
    assert ".partial-" not in told.output
    assert told.exit_code == 0 or told.output.strip()
    return told


TEXT_OF = {
    ".alto": r'CONTENT="([^"]*)"',
    ".page": r"</Word><TextEquiv><Unicode>([^<]*)",
    ".txt": r"(.*)",
}
"""Where a format has its text, as a pattern; elsewhere it is what stands between tags."""
WORDS_OF_RULES = Counter(re.findall(r"[^\W\d_]{3,}", bad.RULES))


def texts(name: str, data: bytes) -> str:
    """What a damaged file says still, without any parser; nothing if that cannot be told."""
    if name.endswith((".pdf", ".abbyy.xml")):  # packed, and an element a sign
        return ""
    if data.startswith(b"PK"):
        try:
            archive = zipfile.ZipFile(BytesIO(data))
            data = b" ".join(archive.read(member) for member in archive.namelist())
        except Exception:  # noqa: BLE001 - whatever a broken archive makes of the library
            return ""
    text = data.decode(errors="replace")
    pattern = TEXT_OF.get(Path(name).suffix)
    return " ".join(re.findall(pattern, text)) if pattern else re.sub(r"<[^>]*>", " ", text)


@pytest.mark.parametrize("name", bad.SOURCES)
def test_sources(here, name):
    path = here / name
    for data in bad.bad_files(name, times(3 if name.endswith(".pdf") else 14), FIRST):
        path.write_bytes(data)
        corrected = run("correct", name)
        clauses = run("clauses", name, "--format", "jsonl")
        inspected = run("inspect", name, "--json")
        assert corrected.exit_code == clauses.exit_code
        assert run("explain", f"{name}:3").exit_code in (0, 2)
        for row in clauses.stdout.splitlines():
            json.loads(row)
        [inspection] = json.loads(inspected.stdout)["documents"]
        assert bool(inspection["error"]) == (corrected.exit_code != 0)
        if corrected.exit_code == 0 and not corrected.stderr:
            document = hoyle.read(path).document
            read = document.source.text
            words = Counter(re.findall(r"[^\W\d_]{3,}", texts(name, data)))
            lost = [w for w in words & WORDS_OF_RULES if read.count(w) < min(words[w], WORDS_OF_RULES[w])]
            assert lost == []
            furniture = "".join(read[start:end] for block in document.furniture for start, end in block.spans)
            letters = sum(map(str.isalpha, read)) - sum(map(str.isalpha, furniture))
            assert sum(map(str.isalpha, corrected.stdout)) >= 0.9 * letters - 20


def test_a_folder_of_bad_files_is_built_but_for_those_that_are_reported(here):
    """Every file is an edition, a failure, or not read; what is made is whole."""
    for batch in range(times(1)):
        shutil.rmtree("in", ignore_errors=True)
        Path("in").mkdir()
        Path("in/good.txt").write_text(bad.RULES, encoding="utf-8")
        for name in bad.SOURCES:
            for number, data in enumerate(bad.bad_files(name, 3, FIRST + 3 * batch)):
                # Two files of one stem would be two formats of one page.
                stem, _, suffix = name.partition(".")
                Path(f"in/{stem}-{suffix.replace('.', '-')}-{number}.{suffix}").write_bytes(data)
        told = run("build", "in", "--json", "--out", "out")
        report = json.loads(told.stdout)
        files = len(list(Path("in").iterdir()))
        assert sum(len(report[part]) for part in ("documents", "failures", "skipped")) == files
        assert "good" in {document["id"] for document in report["documents"]}
        editions = sorted(str(path) for path in Path("out/tei").iterdir())
        assert len(editions) == len(report["documents"])
        assert run("verify", *editions).exit_code == 0


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
            files = {name: bad.GOOD[name] for name in ("text.txt", "meta.toml", "decisions.tsv")}
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
    for name in bad.GOOD:
        assert [*bad.bad_files(name, 2, seed)] == [*bad.bad_files(name, 2, seed)]
    assert len(set(bad.bad_files("text.txt", 50))) > 45
