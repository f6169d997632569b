"""Outputs made of TEI files: what a scholar changed in them is in tables and site, and is told."""

from __future__ import annotations

import filecmp
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from hoyle.batch.build import build
from hoyle.cli import main
from hoyle.loading import Request

TEXT = "52. Le dernie a ce pri-\nvilége.\n53. Il perd l'enjeu.\n54. Voyez l'article 53.\n"
DECISIONS = (
    "start\tend\traw\truling\tvalue\teditor\tdate\treason\n"
    "7\t13\tdernie\tread-as\tdernier\tA. Editor\t1999-12-31\tsense\n"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    root = tmp_path_factory.mktemp("root")
    folder = root / "corpus" / "quinze"
    folder.mkdir(parents=True)
    (folder / "meta.toml").write_text('file = "q.txt"\nlang = "fr"\ntitle = "Quinze"\n', encoding="utf-8")
    (folder / "q.txt").write_text(TEXT, encoding="utf-8")
    (folder / "decisions.tsv").write_text(DECISIONS, encoding="utf-8")
    report = build([Request(folder, folder / "meta.toml")], root, root / "out")
    assert report.failures == []
    return root / "out"


def files(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def run(*words: object):
    return CliRunner().invoke(main, [str(word) for word in words])


def edited(built: Path, folder: Path, *changes: tuple[str, str]) -> Path:
    xml = (built / "tei" / "quinze.xml").read_text(encoding="utf-8")
    for old, new in changes:
        assert xml.count(old) == 1, old
        xml = xml.replace(old, new)
    path = folder / "quinze.xml"
    path.write_text(xml, encoding="utf-8", newline="")
    return path


def clauses(out: Path) -> list[dict]:
    lines = (out / "tables" / "clauses.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_everything_made_of_the_tei_is_what_was_made_of_the_source(built, tmp_path):
    made = run("build", "--from-tei", built / "tei", "--out", tmp_path / "out")
    assert made.exit_code == 0, made.output
    assert files(tmp_path / "out") == files(built)
    _, differ, odd = filecmp.cmpfiles(built, tmp_path / "out", files(built), shallow=False)
    assert (differ, odd) == ([], [])
    assert "by hand" not in made.output


def test_what_a_scholar_changed_is_told_and_is_in_the_tables(built, tmp_path):
    change = "<choice><sic>perd</sic><corr>perdra</corr></choice>"
    path = edited(built, tmp_path, ("perd l'enjeu.<", f"{change} l'enjeu.<"))
    made = run("build", path, "--out", tmp_path / "out")
    assert made.exit_code == 0, made.output
    assert "made by hand: 'perd' reads 'perdra'" in made.stderr
    assert clauses(tmp_path / "out")[1]["corrected"] == "53. Il perdra l'enjeu."
    [edit] = [
        json.loads(line)
        for line in (tmp_path / "out" / "tables" / "edits.jsonl").read_text(encoding="utf-8").splitlines()
        if "perdra" in line
    ]
    assert (edit["by"], edit["confidence"]) == ("TEI edited by hand", 1)
    again = (tmp_path / "out" / "tei" / "quinze.xml").read_text(encoding="utf-8")
    assert 'resp="#hoyle.decisions">perdra</corr>' in again
    assert run("verify", tmp_path / "out" / "tei" / "quinze.xml").exit_code == 0


def test_a_change_by_hand_beside_a_decision_stays(built, tmp_path):
    sign = "<choice><sic/><corr>,</corr></choice>"
    path = edited(built, tmp_path, ("dernier</corr></choice>", f"dernier</corr></choice>{sign}"))
    assert run("build", path, "--out", tmp_path / "out").exit_code == 0
    assert clauses(tmp_path / "out")[0]["corrected"].startswith("52. Le dernier, a ce")


def test_a_change_that_was_taken_out_is_told(built, tmp_path):
    xml = (built / "tei" / "quinze.xml").read_text(encoding="utf-8")
    start = xml.index("<choice><sic>dernie</sic>")
    end = xml.index("</choice>", start) + len("</choice>")
    path = edited(built, tmp_path, (xml[start:end], "dernie"))
    checked = run("verify", path)
    assert checked.exit_code == 0
    assert "taken out by hand: a change of characters 7 to 13" in checked.stderr
    made = run("build", path, "--out", tmp_path / "out")
    assert "taken out by hand: a change of characters 7 to 13" in made.stderr
    assert clauses(tmp_path / "out")[0]["corrected"].startswith("52. Le dernie a ce")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("Voyez", "Voyes"), "the raw text has the sha256"),
        (("Voyez ", "Voyez"), "holds 23 characters, but its range"),
        (("<body>", "<body><p>"), "is not well-formed XML"),
    ],
)
def test_a_tei_whose_raw_text_does_not_come_out_is_refused(built, tmp_path, change, message):
    path = edited(built, tmp_path, change)
    made = run("build", path, "--out", tmp_path / "out")
    assert made.exit_code == 3
    assert message in made.stderr
    assert f"hoyle verify {path}" in made.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("source", ["nothing.xml", "empty", "text.txt"])
def test_what_is_no_tei_file_is_said_to_be_none(tmp_path, source):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.txt").write_text("1. x", encoding="utf-8")
    made = run("build", "--from-tei", tmp_path / source, "--out", tmp_path / "out")
    assert made.exit_code == 2
    assert "no TEI file (*.xml) there" in made.stderr


def test_explain_reads_tei_files_too(built):
    made = run("explain", built / "tei" / "quinze.xml", "52")
    assert made.exit_code == 0, made.output
    assert "'dernie' → 'dernier' [corpus/quinze/decisions.tsv:2, 1.00]" in made.output
