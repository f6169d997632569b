"""Single conditions and signs of the core modules, each tested so that a change of it is seen."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from hoyle.correction.error_profile import _share
from hoyle.correction.lattice import _add
from hoyle.document import DECISIONS, Block, Clause, Document, Edit, Evidence, Meta, Source, Span, Tag
from hoyle.languages import UNDETERMINED, language
from hoyle.layout.furniture import find_furniture
from hoyle.loading import Request
from hoyle.numbering.cues import CueWords
from hoyle.numbering.roman import Roman
from support.structure import document


def test_the_share_of_a_confusion_is_of_what_is_printed_and_a_speck_has_none():
    assert _share("ab ab ab ab", "a", 1) == 0.25
    assert _share("Ab ab", "A", 1) == 1
    assert _share("Ab ab", "a", 1) == 0.5
    assert _share("ab", "", 2) is None


def test_a_numeral_that_is_ill_formed_weighs_less_than_one_that_is_not():
    text = "II. Le jeu\nIIX. Le jeu\n"
    good, ill = Roman().sightings(text, language("fr").resource(CueWords))
    assert (good.value, ill.value) == (2, None)
    assert ill.weight == pytest.approx(good.weight - 0.8)


def test_the_surer_a_running_head_is_the_higher_its_probability():
    page = "{n} LE JEU DE QUINZE.\nLe joueur perd la mise {n} et paie.\n\n"
    text = "".join(page.format(n=n) for n in range(2, 40, 2))
    rows = document(text)
    made = [b for b in find_furniture(rows, UNDETERMINED) if b.kind == "running-head"]
    assert len(made) > 10
    assert all(0.8 <= block.why.confidence <= 0.99 for block in made)
    assert max(block.why.confidence for block in made) > 0.8


@pytest.mark.parametrize("other", [-2.0, 0.0, 3.0])
def test_logarithms_of_sums(other):
    assert _add(-math.inf, other) == other
    assert _add(other, -math.inf) == other
    assert _add(other, 1.0) == pytest.approx(math.log(math.exp(other) + math.exp(1.0)))


WHY = Evidence("decisions.tsv:2", 1.0)
EDIT = Edit(Span(0, 1), "a", "b", "correct", WHY)
TAG = Tag("d.1", "actor", "dealer", (), "", WHY)
CLAUSE = Clause("d.1", "1.", ("1",), (Span(0, 4),), WHY)


@pytest.mark.parametrize(
    ("item", "kept"),
    [
        (EDIT, True),
        (replace(EDIT, after="a"), False),
        (TAG, True),
        (replace(TAG, why=Evidence("decisions.tsv:2", 0.0)), False),
        (CLAUSE, False),
        (Block("d.p1", "paragraph", (Span(0, 4),), WHY), False),
    ],
)
def test_a_decision_that_only_takes_away_adds_nothing(item, kept):
    source = Source("d", "d.txt", "abcd", "0" * 64, 4)
    made = Document(source, Meta("d")).with_layer("clauses", []).with_layer(DECISIONS, [item])
    assert (item in made.effective_layers[DECISIONS]) is kept


TEI = '<TEI xmlns="http://www.tei-c.org/ns/1.0"/>'


@pytest.mark.parametrize(("content", "is_tei"), [(TEI, True), ("<alto/>", False), ("1. Le jeu.", False)])
def test_a_tei_file_is_told_by_what_it_holds(tmp_path, content, is_tei):
    path = tmp_path / "a.xml"
    path.write_text(content, encoding="utf-8")
    assert Request(path).is_tei is is_tei
    assert not Request(path, tmp_path / "meta.toml").is_tei
