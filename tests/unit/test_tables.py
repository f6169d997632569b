from __future__ import annotations

import pytest

from hoyle.errors import TableError
from hoyle.facets import vocabularies
from hoyle.languages import language, languages
from hoyle.tables import read_table, read_toml, vocabulary


def write(folder, text):
    path = folder / "cues.tsv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_comments_and_empty_lines_are_skipped_and_rows_know_their_line(tmp_path):
    rows = read_table(write(tmp_path, "# note\npattern\tid\n\nкто\tany\n␣\tspace\n"), ["pattern", "id"])
    assert [(r["pattern"], r.where.rsplit(":", 1)[1]) for r in rows] == [("кто", "4"), (" ", "5")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\n1\n", r"cues\.tsv:2: 1 cells, but the heading has 2"),
        ("a\tc\n", r"cues\.tsv:1: the heading lacks the columns b"),
        ("", r"cues\.tsv: the table is empty"),
        (b"a\tb\n\xff\t1\n", "cannot be read as a UTF-8 table"),
    ],
)
def test_a_broken_table_names_file_and_line(tmp_path, text, message):
    with pytest.raises(TableError, match=message):
        read_table(write(tmp_path, text), ["a", "b"])


def test_a_cell_that_is_no_number_names_its_line(tmp_path):
    rows = read_table(write(tmp_path, "a\nx\n"), ["a"])
    with pytest.raises(TableError, match=r"cues\.tsv:2: a must be a number, not 'x'"):
        rows[0].number("a")


def test_broken_toml_names_file_and_line(tmp_path):
    path = tmp_path / "meta.toml"
    path.write_text('title = "x"\nlang = \n', encoding="utf-8")
    with pytest.raises(TableError, match=r"meta\.toml: is no valid TOML: .*line 2"):
        read_toml(path)


@pytest.mark.parametrize("name", vocabularies())
def test_every_concept_has_four_labels(name):
    for concept in vocabulary(name).values():
        assert set(concept.labels) == {"en", "fr", "ru", "ru-petr1708"}, concept.where


@pytest.mark.parametrize("tag", languages())
def test_every_language_can_be_loaded(tag):
    assert language(tag).modern in languages()
