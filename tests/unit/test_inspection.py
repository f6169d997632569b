"""What ``hoyle inspect`` says of files and folders, and that it writes nothing."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from hoyle.cli import main
from hoyle.inspection import inspect, known_words
from hoyle.languages import language
from support import typeset

TEXT = [
    "1. Le donneur mêle les cartes et les présente à couper à son voisin de gauche.",
    "2. Celui qui donne mal perd sa donne et passe la main au joueur suivant.",
    "3. On ne peut regarder les cartes du talon avant que son tour soit venu.",
]


def rows(lines=TEXT):
    return [typeset.row(line, 100, 100 + typeset.ROW * n) for n, line in enumerate(lines)]


def run(*words: object):
    return CliRunner().invoke(main, ["inspect", *map(str, words)])


@pytest.mark.parametrize("form", ["page_xml", "hocr", "pdf"])
def test_pages_words_language_and_numbering_are_found(tmp_path, form):
    path = tmp_path / "regle.bin"
    path.write_bytes(getattr(typeset, form)(rows(), rows(TEXT[::-1])))
    [one] = inspect(path, tmp_path).documents
    count = sum(len(line.split()) for line in TEXT) * 2
    assert one.formats == {"page" if form == "page_xml" else form: 1}
    assert (one.pages, one.words, one.boxes) == (2, count, count)
    assert one.lang == "fr"
    assert one.lang_confidence > 0.8
    assert any(series.startswith("arabic: 1") for series in one.numbering)
    assert one.clauses >= 3
    assert one.does.startswith("makes regle; divides it into")


def test_the_quality_is_the_share_of_words_in_the_lexicon():
    french = language("fr")
    assert known_words("Le joueur doit couper les cartes.", french) == 1.0
    assert known_words("les jou-\neurs", french) == 1.0
    assert known_words("Le jouenr doit conper les cartes.", french) == 0.6
    assert known_words("1. 2.", french) is None
    assert known_words("The dealer", language("und")) is None


def test_damaged_text_is_graded_lower(tmp_path):
    (tmp_path / "a.txt").write_text("\n".join(TEXT), encoding="utf-8")
    damaged = "\n".join(TEXT).replace("n", "u").replace("rd", "nl").replace("p", "q").replace("l", "t")
    (tmp_path / "b.txt").write_text(damaged, encoding="utf-8")
    good, bad = inspect(tmp_path, tmp_path, lang="fr").documents
    assert (good.quality, bad.quality) == ("good", "poor")


def test_a_folder_is_told_file_by_file_or_as_one(tmp_path):
    for n, line in enumerate(TEXT, 1):
        (tmp_path / f"page {n}.txt").write_text(line, encoding="utf-8")
    (tmp_path / "cover.png").write_bytes(b"\x89PNG\r\n")
    made = run(tmp_path, "--json")
    assert made.exit_code == 0
    assert len(json.loads(made.stdout)["documents"]) == 3
    made = run(tmp_path, "--as-one", "--json")
    found = json.loads(made.stdout)
    [one] = found["documents"]
    assert one["formats"] == {"text": 3}
    assert (one["pages"], one["clauses"]) == (3, 3)
    assert [entry["why"].split(";")[0] for entry in found["skipped"]] == ["is an image (PNG)"]
    assert len(list(tmp_path.iterdir())) == 4


def test_what_cannot_be_read_is_said_with_exit_code_3(tmp_path):
    path = tmp_path / "scan.pdf"
    path.write_bytes(typeset.pdf([]))
    made = run(path)
    assert made.exit_code == 3
    assert "without a text layer; `ocrmypdf" in made.stdout
    assert run(tmp_path / "nowhere").exit_code == 2
