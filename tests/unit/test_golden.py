"""What the whole pipeline makes of the five sources, as plain files that people can read.

After a change that is meant, ``make golden`` writes the files anew; read the difference before
you commit it. The figures below them are floors: a change may raise, never lower them.
"""

from __future__ import annotations

import os

import pytest

from hoyle.document import Document
from hoyle.document.validation import validate
from hoyle.evaluate import measure
from hoyle.explain import explain_unit
from support import gold

FILES = gold.GOLD / "pipeline"


def told(document: Document) -> str:
    """Furniture, findings, and every unit with all that was decided about it."""
    lines = [f"{block.id} {block.kind} {block.n} {list(block.spans)}" for block in document.furniture]
    lines += [f"{f.topic}: {f.value}" for f in document.findings]
    for unit in document.units:
        lines += ["", *explain_unit(document, unit)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", gold.EDITIONS)
def test_the_pipeline_says_what_the_golden_file_says(annotated, name):
    path = FILES / f"{name}.txt"
    made = told(annotated(name, "machine"))
    if os.environ.get("HOYLE_WRITE_GOLDEN"):
        path.write_text(made, encoding="utf-8")
    assert made == path.read_text(encoding="utf-8"), (
        "if this is meant, run make golden and read the difference"
    )


@pytest.mark.parametrize("name", gold.EDITIONS)
def test_the_five_are_valid_and_their_clauses_have_the_right_numbers(annotated, name):
    document = annotated(name, "machine")
    validate(document)
    figures = measure(document, gold.edition(name)["units"]).figures()
    assert figures["starts_f1"] == 1
    assert figures["wrong_links"] == 0
    assert figures["valid"] == 1


@pytest.mark.parametrize(
    ("name", "most"),
    [("whist-lexicon", 4.4), ("quinze", 3.6), ("patience", 0.2), ("bridge-laws", 0.2), ("preference", 0.02)],
)
def test_the_text_gets_better_and_right_words_stay(annotated, name, most):
    figures = measure(annotated(name, "machine"), gold.edition(name)["units"]).figures()
    assert figures["cer_corrected"] <= most
    assert figures["cer_corrected"] <= figures["cer_raw"]
    assert figures["words_broken_per_1000"] <= 8
