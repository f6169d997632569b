"""Findings in the words of the interface."""

from __future__ import annotations

import re

import pytest

from hoyle.document import Evidence, Finding
from hoyle.numbering import SCHEMES, public_name
from hoyle.outputs.site.interface import INTERFACES, finding_view, strings
from hoyle.tables import data_file, read_table

SURE = Evidence("test", 0.9)


def pieces(topic: str, value: str, lang: str = "en") -> list[tuple[str, str]]:
    return finding_view(Finding(topic, value, SURE), strings(lang)).pieces


@pytest.mark.parametrize("lang", INTERFACES)
def test_every_row_says_its_example_in_words_of_the_interface(lang):
    for row in read_table(data_file("site", "findings.tsv"), ["topic", "pattern", "pieces", "example"]):
        made = pieces(row["topic"], row["example"], lang)
        assert all(text and not lang_ for text, lang_ in made), row.where
        assert len(made) == len(row["pieces"].split()), row.where
        assert not any(re.fullmatch(r"[a-z]+(-[a-z]+)+", text) for text, _ in made), row.where


def test_numbers_stay_and_words_are_translated():
    assert [t for t, _ in pieces("sequence", "52: number-read-from-damage", "fr")] == [
        "52",
        strings("fr")["flag_number-read-from-damage"],
    ]


def test_what_no_row_knows_is_shown_as_it_is():
    assert pieces("input", "byte 0x98 means nothing in cp1251") == [
        ("byte 0x98 means nothing in cp1251", "en")
    ]


def test_every_scheme_has_a_name():
    assert all(f"scheme_{public_name(name)}" in strings("en") for name in SCHEMES)
