"""Clause starts measured on texts that have no other gold."""

from __future__ import annotations

import json

import pytest

from hoyle.errors import SourceError
from hoyle.evaluate.starts import evaluate_starts

TEXT = (
    "Règles du jeu.\n\n1. On joue à deux :\na) l'un donne ;\nb) l'autre coupe.\n2. On paie.\n3. On se lève.\n"
)


def starts_file(folder, starts):
    for name in ("raw", "starts"):
        (folder / name).mkdir()
    (folder / "raw" / "x.txt").write_text(TEXT, encoding="utf-8")
    path = folder / "starts" / "x.starts.json"
    path.write_text(json.dumps(starts), encoding="utf-8")
    return path


def place(label):
    return TEXT.index(label)


def test_starts_items_and_false_clauses_are_counted(tmp_path):
    starts = [
        {"n": "1", "start": place("1. ")},
        {"n": "1.a", "start": place("a)"), "sub": True},
        {"n": "1.c", "start": place("b)"), "sub": True},
        {"n": "2", "start": place("2. ") + 4},
    ]
    figures = evaluate_starts(starts_file(tmp_path, starts), tmp_path).figures()
    assert figures["starts_recall"] == 0.75
    assert figures["items_recall"] == 0.5
    assert figures["false_clauses"] == 2
    assert figures["starts_precision"] == pytest.approx(3 / 5)


def test_only_what_the_file_covers_counts(tmp_path):
    end = place("2. ")
    data = {"id": "x", "covers": [[0, end]], "starts": [{"n": "1", "start": place("1. ")}]}
    figures = evaluate_starts(starts_file(tmp_path, data), tmp_path).figures()
    assert (figures["starts_recall"], figures["false_clauses"]) == (1, 2)


def test_a_number_may_come_again_under_a_part(tmp_path):
    starts = [{"n": "a", "start": place("a)"), "series": 1}, {"n": "b", "start": place("b)")}]
    assert evaluate_starts(starts_file(tmp_path, starts), tmp_path).figures()["starts_recall"] == 0.5


def test_a_file_of_another_form_is_an_error(tmp_path):
    with pytest.raises(SourceError, match="clause starts"):
        evaluate_starts(starts_file(tmp_path, [{"number": 1}]), tmp_path)
