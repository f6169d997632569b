"""Look-alikes of the letters of a script."""

from __future__ import annotations

import pytest

from hoyle.annotation.lemmas import cue_key
from hoyle.languages import language, languages
from hoyle.languages.scripts import look_alikes, script
from hoyle.tables import data_file, read_table

SCRIPTS = ("latin", "cyrillic")
USES = {"words", "cues", "citation", "roman"}
ROWS = [
    pytest.param(row, id=row.where)
    for name in SCRIPTS
    for row in read_table(data_file("languages", "scripts", f"{name}.tsv"), ["ocr", "uses", "lang"])
]


def test_a_language_has_the_script_of_most_of_its_letters():
    scripts = {tag: script(language(tag)) for tag in languages()}
    assert scripts == {"fr": "latin", "ru": "cyrillic", "ru-petr1708": "cyrillic"}


@pytest.mark.parametrize("row", ROWS)
def test_a_look_alike_is_shown_by_its_example(row):
    read_as, _, printed = row["example"].partition(" → ")
    assert row["ocr"] in read_as
    assert printed
    uses = set(row["uses"].split())
    assert uses
    assert uses <= USES
    assert bool(row["likeness"]) == ("words" in uses)
    assert "words" not in uses or 0 < row.number("likeness") <= 1


def test_no_look_alike_is_written_twice():
    for name in SCRIPTS:
        rows = [row for use in USES for row in look_alikes(name, use, "fr")]
        pairs = {(row["ocr"], row["print"], row.where) for row in rows}
        assert len(pairs) == len({pair[:2] for pair in pairs})


def test_rows_of_another_language_are_left_out():
    assert any(row["print"] == "à" for row in look_alikes("latin", "words", "fr"))
    assert not any(row["print"] == "à" for row in look_alikes("latin", "words", "de"))
    assert look_alikes("latin", "words", "de")
    assert look_alikes("armenian", "words") == []


def test_letters_of_another_script_do_not_hide_a_cue_word():
    key = cue_key(language("ru-petr1708").cue_language)
    assert key("кaрта") == key("Kартa") == key("карта")
    assert key("a") == "a"
