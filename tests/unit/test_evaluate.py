from __future__ import annotations

import pytest

from hoyle.evaluate import measure
from hoyle.evaluate.text import score_text
from hoyle.model import Document
from support import gold


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
def test_words_are_fixed_broken_or_right(raw, corrected, right, expected):
    score = score_text(raw, corrected, right)
    assert (
        score.errors_before,
        score.errors_after,
        score.right_before,
        score.fixed,
        score.broken,
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
