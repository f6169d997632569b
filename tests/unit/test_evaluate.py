from __future__ import annotations

import pytest

from hoyle import loading
from hoyle.annotation.penalties_by_reference import SAME_AS
from hoyle.document import Document, Evidence, Span, Tag
from hoyle.evaluate import in_reading_order, measure
from hoyle.evaluate.tags import (
    ScoredTag,
    compare,
    confusions,
    gold_pairs,
    reliability,
    scored_tags,
    tag_report,
)
from hoyle.evaluate.text import score_text
from support import gold
from support.structure import structured


@pytest.mark.parametrize(
    ("raw", "corrected", "right", "expected"),
    [
        ("онъ пошелъ", "онъ пошелъ", "онъ пошелъ", (0, 0, 2, 0, 0)),
        ("опъ пошелъ", "онъ пошелъ", "онъ пошелъ", (1, 0, 1, 1, 0)),
        ("онъ пошелъ", "онъ пошедъ", "онъ пошелъ", (0, 1, 2, 0, 1)),
        ("он ъ", "онъ", "онъ", (1, 0, 0, 1, 0)),
        ("онъ\n пошелъ", "онъ пошелъ", "онъ пошелъ", (0, 0, 2, 0, 0)),
    ],
)
def test_words_are_corrected_broken_or_right(raw, corrected, right, expected):
    score = score_text(raw, corrected, right)
    assert (
        score.errors_before,
        score.errors_after,
        score.words_right_before,
        score.words_corrected,
        score.words_broken,
    ) == expected


@pytest.mark.parametrize("name", gold.EDITIONS)
def test_gold_measured_against_itself_is_perfect(name):
    document = gold.document(name)
    figures = measure(document, gold.edition(name)["units"]).figures()
    perfect = {k: v for k, v in figures.items() if k.endswith("_f1") and k != "references_f1"}
    assert perfect == dict.fromkeys(perfect, 1.0)
    assert figures["extent"] == pytest.approx(1.0, abs=0.001)
    assert figures["cer_corrected"] == 0
    assert figures["valid"] == 1


def test_a_document_without_layers_scores_nothing():
    bare = gold.document("quinze")
    bare = Document(bare.source, bare.meta)
    figures = measure(bare, gold.edition("quinze")["units"]).figures()
    assert figures["starts_f1"] == 0
    assert figures["cer_corrected"] == figures["cer_raw"] > 4


def tag(unit, facet, value, confidence, *, main=True, by="rule"):
    return Tag(unit, facet, value, (), "", Evidence(by, confidence), main=main)


GOLD_UNITS = [
    {"type": "clause", "game": "whist", "actors": [{"id": "player"}], "penalties": [], "modality": "penalty"},
    {"type": "clause", "game": "whist", "actors": [], "penalties": [{"type": "fine"}], "modality": None},
    {"type": "heading", "game": "whist", "actors": [], "penalties": [], "modality": None},
    {"type": "clause", "game": "whist", "actors": ["dealer"], "penalties": [], "modality": "advice"},
]
FOUND = [
    tag("a", "game", "whist", 0.9),
    tag("a", "actor", "player", 0.8),
    tag("a", "actor", "player", 0.6),
    tag("a", "actor", "dealer", 0.3),
    tag("a", "modality", "obligation", 0.7),
    tag("a", "modality", "penalty", 0.7, main=False),
    tag("a", "penalty", "fine", 0.5, by=f"{SAME_AS}b"),
    tag("b", "modality", "permission", 0.5),
    tag("h", "actor", "player", 0.9),
]


def test_tags_are_compared_unit_by_unit():
    right = gold_pairs(GOLD_UNITS, ["a", "b", "h", None])
    scores = compare(FOUND, right, ["a", "b"])
    counts = {
        facet: (one.score.true_positives, one.score.predicted, one.score.gold)
        for facet, one in scores.items()
    }
    assert counts == {"game": (1, 1, 2), "actor": (1, 2, 1), "penalty": (0, 0, 1), "modality": (0, 1, 1)}
    assert confusions(scores) == [
        ("actor", "", "dealer", 1),
        ("game", "whist", "", 1),
        ("modality", "penalty", "obligation", 1),
        ("penalty", "fine", "", 1),
    ]
    assert [(j.facet, j.confidence, j.correct) for j in scored_tags(FOUND, scores)] == [
        ("game", 0.9, True),
        ("actor", 0.8, True),
        ("actor", 0.3, False),
        ("modality", 0.7, False),
    ]


def test_the_report_adds_up_over_languages():
    right = gold_pairs(GOLD_UNITS, ["a", "b", "h", None])
    scores = compare(FOUND, right, ["a", "b"])
    made = tag_report([("fr", scores, scored_tags(FOUND, scores)), ("ru", scores, [])])
    assert ("fr", "actor", 0.5, 1.0, pytest.approx(2 / 3), 1) in made.facets
    assert ("all", "actor", 0.5, 1.0, pytest.approx(2 / 3), 2) in made.facets
    assert made.confusions[0] == ("actor", "", "dealer", 2)
    assert sum(one.tags for one in made.reliability) == 4


def test_reliability_compares_confidence_with_correctness():
    made = [ScoredTag("actor", i / 10, i >= 5) for i in range(10)]
    assert [(one.tags, one.precision) for one in reliability(made)] == [
        (2, 0.0), (2, 0.0), (2, 0.5), (2, 1.0), (2, 1.0)
    ]  # fmt: skip
    assert reliability([]) == []


def test_text_is_measured_in_the_order_in_which_it_is_read():
    """A gold unit whose parts the document reads in the order of the file is as wrong as it reads."""
    text = "1. Le donneur le talon. prend "
    made = structured(loading.from_text(text))
    gold = [Span(0, 14), Span(24, 30), Span(14, 24)]
    assert in_reading_order(made, gold) == [Span(0, 30)]
    units = [
        {"type": "clause", "n": "1", "spans": gold, "corrected": "1. Le donneur prend le talon.", "tags": {}}
    ]
    assert measure(made, units).figures()["cer_corrected"] > 0
