"""Historical spellings are never modernised: lists of attested forms, each in a sentence, none touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.correction.stage import correct
from hoyle.evaluate.passages import Passage, make_sample
from hoyle.languages import language
from hoyle.tables import read_table

GOLDEN = Path(__file__).parent.parent / "golden" / "correct"
LEAST = 300
CONTEXTS = [
    ("fr", "Le joueur dit que {} est dans la carte du jeu."),
    ("fr", "On lit {} dans la règle du jeu."),
    ("ru-petr1708", "Игрокъ говоритъ, что {} есть на этой картѣ."),
    ("ru-petr1708", "Въ правилахъ игры стоитъ {} и больше ничего."),
]


def rows(tag):
    return read_table(GOLDEN / f"untouched_{tag.replace('-', '_')}.tsv", ["form", "attested"])


@pytest.mark.parametrize(("tag", "context"), CONTEXTS)
def test_historical_forms_stay(tag, context):
    sentences = [Passage(text, text, lang=tag) for text in (context.format(r["form"]) for r in rows(tag))]
    bare = make_sample("forms", sentences).document
    assert [(e.before, e.after) for e in correct(bare, language(bare.lang))] == []


@pytest.mark.parametrize("tag", ["fr", "ru-petr1708"])
def test_enough_forms_are_attested(tag):
    found = rows(tag)
    assert len({row["form"] for row in found}) == len(found)
    assert all(row["attested"] for row in found)
    assert sum(not row["attested"].startswith("by ") for row in found) >= LEAST
