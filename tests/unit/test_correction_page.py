"""docs/correction.md and the script that writes its figures stay in step."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest

from hoyle.evaluate.correction import PassageResult, report
from hoyle.evaluate.text import score_text
from hoyle.languages import languages
from support.shared import shared

ROOT = Path(__file__).parents[2]


@pytest.fixture
def script(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "pipeline" / "training"), *sys.path])
    return importlib.import_module("write_correction")


@pytest.fixture
def page(script):
    return script.PAGE.read_text(encoding="utf-8")


def headings(text):
    """The first line of each table."""
    return [m[1] for m in re.finditer(r"(?m)^(\|.*\|)\n\| ---", text)]


def result(stratum):
    score = score_text("онъ пошедъ", "онъ пошелъ", "онъ пошелъ")
    changes = dict.fromkeys(("hyphens", "sure", "flagged", "proposed"), (1, 1, 0))
    return PassageResult(stratum, dict.fromkeys(("sure", "flagged", "proposed"), score), changes, [])


def test_the_page_names_its_command_and_has_its_tables(script, page):
    assert "python pipeline/training/write_correction.py DATA_FOLDER" in page
    before, begin, rest = page.partition(script.BEGIN)
    figures, end, after = rest.partition(script.END)
    assert begin
    assert end
    assert "|" not in before + after
    rows = (script.TEXT_HEADINGS, script.BAND_HEADINGS, script.STRATUM_HEADINGS)
    assert headings(figures) in ([], [f"| {' | '.join(row)} |" for row in rows])


def test_the_page_speaks_of_every_set_that_is_measured(script, page):
    named = re.findall(r"(?m)^\* \*\*([^*]+)\*\*: (.+)$", page.partition(script.BEGIN)[2])
    assert named in ([], [(row["name"], row["about"]) for row in script.sets()])


def test_figures_are_written_between_the_marks_only(script, page):
    first = script.sets()[0]["name"]
    made = {first: report([result("a"), result("b")])}
    once = script.written(page, made)
    assert script.written(once, made) == once
    assert once.partition(script.BEGIN)[0] == page.partition(script.BEGIN)[0]
    assert f"| {first} | 20 | 10.00 → 0.00 [0.00–0.00] |" in once
    assert f"| {first} | flagged |" in once
    assert f"| {first} | b | 1 |" in once
    for line in once.splitlines():
        if line.startswith(f"| {first} |"):
            assert line.count("|") - 1 in {len(script.TEXT_HEADINGS), len(script.BAND_HEADINGS)}


def test_every_set_is_well_described(script):
    rows = script.sets()
    assert len({row["name"] for row in rows}) == len(rows)
    for row in rows:
        assert row["kind"] in {"pairs", "held", "scans", "sound", "noise", "clean", "edition", "documents"}, (
            row.where
        )
        assert row["lang"] in {"", *languages()}, row.where
        assert row["about"], row.where


@pytest.mark.parametrize("kind", ["edition", "documents"])
def test_gold_editions_are_measured_unit_by_unit(script, kind):
    folder = shared("documents").parent / "data" if kind == "documents" else Path()
    rows = [row for row in script.sets() if row["kind"] == kind]
    assert rows
    for row in rows:
        found = list(script.documents(row, folder, 0))
        assert found, row.where
        for sample in found:
            assert len(sample.document.units) == len(sample.passages) > 1
