from __future__ import annotations

import pickle

import pytest

from hoyle.document import Document, Edit, Evidence, Finding, Meta, Source, Span
from hoyle.errors import StageError
from support import gold

WHY = Evidence("test", 0.5)


def make(text: str = "abc") -> Document:
    return Document(Source("d", "d.txt", text, "0" * 64, len(text)), Meta(id="d"))


def test_a_layer_is_never_overwritten():
    document = make().with_layer("one", [])
    with pytest.raises(StageError, match="d: the document already has a layer 'one'"):
        document.with_layer("one", [])


def test_with_layer_leaves_the_document_as_it_was():
    before = make()
    after = before.with_layer("one", [Finding("language", "fr", WHY)])
    assert dict(before.layers) == {}
    assert after.lang == "fr"


def test_the_editors_language_wins_over_the_detected_one():
    document = Document(make().source, Meta(id="d", lang="ru"))
    assert document.with_layer("language", [Finding("language", "fr", WHY)]).lang == "ru"


@pytest.mark.parametrize("name", gold.EDITIONS)
def test_a_document_survives_the_way_to_another_process(name):
    document = gold.document(name)
    assert pickle.loads(pickle.dumps(document)) == document


def test_furniture_reads_as_dropped():
    document = gold.document("quinze")
    dropped = [edit for edit in document.edits if edit.kind == "drop"]
    assert [edit.before for edit in dropped] == ["196 DV QIII19ZE.", "Dtf QVIIfZB. 107"]


def test_a_regularisation_takes_the_place_of_the_correction_it_stands_on():
    text = "тгьмъ"
    fix = Edit(Span(1, 3), "гь", "ѣ", "correct", WHY)
    modern = Edit(Span(0, 5), "тѣмъ", "тем", "regularise", WHY)
    document = make(text).with_layer("correct", [fix]).with_layer("regularise", [modern])
    whole = [Span(0, 5)]
    assert document.edits_in(whole, "raw") == []
    assert document.edits_in(whole, "corrected") == [fix]
    assert document.edits_in(whole, "modern") == [modern]
