"""The settled gold: its ids are in the vocabularies, and its offsets point into the files it was made on."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hoyle.tables import vocabulary
from support.shared import SHARED, shared

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "pipeline" / "training"))

from gold_answers import KEYS, passage  # noqa: E402

FILES = (ROOT / "tests" / "gold").glob("*.json")
WORKS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FILES}
ITEMS = [(work, item) for work, whole in WORKS.items() for item in whole["items"]]
MARKED = ("actors", "offences", "penalties", "conditions")


def marks(item: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The marked words of an item."""
    for key in MARKED:
        yield from item[key]


@pytest.mark.parametrize("work", sorted(WORKS))
def test_the_ids_are_in_the_vocabularies(work):
    whole = WORKS[work]
    assert (whole["work"], whole["split"] in {"develop", "held"}) == (work, True)
    for item in whole["items"]:
        modalities = [item["modality"], *item["modality_also"]] if item["rule"] else []
        actors = [entry["id"] for entry in item["actors"]]
        used = {
            "games": [item["game"]] if item["game"] else [],
            "modalities": modalities,
            "actors": actors,
            "offences": [entry["id"] for entry in item["offences"]],
            "penalties": [entry["type"] for entry in item["penalties"]],
        }
        for name, ids in used.items():
            assert set(ids) <= set(vocabulary(name)), (item["id"], name)
        assert {entry["against"] for entry in item["penalties"]} <= {None, *actors}, item["id"]
        assert set(item["settled"]) <= set(KEYS), item["id"]
        assert set(item["settled"].values()) <= {"first", "second", "neither", "rule"}, item["id"]
        if not item["rule"]:
            assert [*filter(None, (item[key] for key in KEYS))] == [], item["id"]


@pytest.mark.parametrize("work", sorted(WORKS))
def test_the_offsets_point_to_words_of_the_file_the_gold_was_made_on(work):
    whole = WORKS[work]
    for file in whole["files"]:
        shared(file)
    for item in whole["items"]:
        text = passage(SHARED, {**item, "sha256": whole["files"][item["file"]]})
        assert len(text) == item["end"] - item["start"], item["id"]
        for mark in marks(item):
            words = text[mark["start"] - item["start"] : mark["end"] - item["start"]]
            assert item["start"] <= mark["start"] < mark["end"] <= item["end"], item["id"]
            assert words == words.strip(), (item["id"], words)


def test_the_gold_is_as_large_as_it_says_and_a_third_of_it_is_held_back():
    held = sum(WORKS[work]["split"] == "held" for work, _ in ITEMS)
    assert len({item["id"] for _, item in ITEMS}) == len(ITEMS) >= 500
    assert len(WORKS) >= 20
    assert 0.3 <= held / len(ITEMS) <= 0.4
    assert sum(not item["rule"] for _, item in ITEMS) >= 40
    assert {item["lang"].partition("-")[0] for _, item in ITEMS} == {"fr", "ru"}


def test_the_gold_holds_no_words_of_the_texts():
    keys = {"id", "file", "record", "field", "start", "end", "lang", "settled", *KEYS}
    places = {"id", "type", "against", "start", "end"}
    for _, item in ITEMS:
        assert set(item) <= keys, item["id"]
        assert all(set(mark) <= places for mark in marks(item)), item["id"]
