"""Line ends, hyphens and gaps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.correction.line_joins import Typesetting, layout_edits
from hoyle.correction.unit_text import EditedText, UnitEdit, join_spans
from hoyle.document import Block, Document, Evidence, Meta, Source, Span
from hoyle.languages import language

BY = Evidence("test", 1.0)
PARAGRAPHS = Typesetting(0, frozenset())
LINES = Typesetting(40, frozenset())


def edited(text: str, typesetting: Typesetting = PARAGRAPHS, tag: str = "fr") -> str:
    return EditedText(text, layout_edits(text, typesetting, language(tag).lexicon)).text


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("les cartes\nde la main", "les cartes de la main"),
        ("les cartes \n\n de la main", "les cartes de la main"),
        ("Il perd.\nLe joueur gagne.", "Il perd.\nLe joueur gagne."),
        ("le pre-\nmier", "le premier"),
        ("mal-à-\npropos", "mal-à-propos"),
        ("voulez-\nvous", "voulez-vous"),
        ("deux  cartes", "deux cartes"),
        ("assez,il ne peut", "assez, il ne peut"),
    ],
)
def test_line_ends_and_gaps(text, after):
    assert edited(text) == after


def test_a_full_line_continues_even_after_a_full_stop():
    line = "Il perd toute la partie de trictrac ici."
    assert edited(f"{line}\nLe joueur gagne.", LINES) == f"{line} Le joueur gagne."
    assert edited("Il perd.\nLe joueur gagne.", LINES) == "Il perd.\nLe joueur gagne."


def typesetting(text: str, *, practice: str) -> Typesetting:
    return Typesetting.estimate(
        Document(Source("d", "d", text, "", 0), Meta("d")), space_before_signs=practice
    )


def test_spaces_before_signs_follow_the_document():
    text = "Il perd ; il gagne ; il joue ; il file; il passe."
    assert typesetting(text, practice="restore").spaced_signs == {";"}
    assert (
        edited(text, typesetting(text, practice="restore"))
        == "Il perd ; il gagne ; il joue ; il file ; il passe."
    )
    assert (
        edited(text, typesetting(text, practice="never")) == "Il perd; il gagne; il joue; il file; il passe."
    )
    assert edited(text, typesetting(text, practice="keep")) == text


def test_line_length_is_estimated_from_the_document():
    assert typesetting("x" * 60 + "\n" + ("y" * 58 + "\n") * 12, practice="never").line_length == 58
    assert typesetting("x" * 600 + "\n" + ("y" * 580 + "\n") * 8, practice="never").line_length == 0


def test_joined_text_maps_to_the_raw_text():
    text = "abc def\n-- 3 --\nghi."
    unit = Block("d.p1", "paragraph", (Span(0, 7), Span(16, 20)), BY)
    joined = join_spans(text, unit)
    assert joined.text == "abc def\nghi."
    assert joined.raw_span(4, 7) == Span(4, 7)
    assert joined.raw_span(8, 11) == Span(16, 19)
    assert joined.raw_span(7, 8) == Span(7, 7)
    assert joined.joins == (7, 8)


@given(st.text(alphabet="abé -,;.\n^»", max_size=50))
def test_edits_are_in_order_and_do_not_overlap(text):
    found = layout_edits(text, LINES, None)
    at = 0
    for edit in found:
        assert at <= edit.start <= edit.end <= len(text)
        at = edit.end


@given(st.text(alphabet="abc -\n", min_size=1, max_size=30), st.data())
def test_edited_text_maps_to_the_unit(text, data):
    cut = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
    edited_text = EditedText(text, [UnitEdit(cut[0], cut[1], "#", "layout", "test", 1.0)])
    assert edited_text.text == text[: cut[0]] + "#" + text[cut[1] :]
    at = edited_text.text.index("#")
    assert edited_text.to_unit(at, at + 1) == (cut[0], cut[1])
    kept = edited_text.spans_outside([(0, cut[0])])
    assert not kept or kept[0].start == cut[0]
