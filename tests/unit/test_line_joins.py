"""Line ends, hyphens and gaps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.correction.line_joins import Mend, Setting, View, mends, strip
from hoyle.document import Block, Document, Evidence, Meta, Source, Span
from hoyle.languages import language

BY = Evidence("test", 1.0)
PARAGRAPHS = Setting(0, frozenset())
LINES = Setting(40, frozenset())


def laid(text: str, setting: Setting = PARAGRAPHS, tag: str = "fr") -> str:
    return View(text, mends(text, setting, language(tag).lexicon)).text


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
    assert laid(text) == after


def test_a_full_line_goes_on_even_after_a_full_stop():
    line = "Il perd toute la partie de trictrac ici."
    assert laid(f"{line}\nLe joueur gagne.", LINES) == f"{line} Le joueur gagne."
    assert laid("Il perd.\nLe joueur gagne.", LINES) == "Il perd.\nLe joueur gagne."


def setting(text: str, *, apart: str) -> Setting:
    return Setting.of(Document(Source("d", "d", text, "", 0), Meta("d")), signs_apart=apart)


def test_signs_are_set_apart_as_the_document_does():
    text = "Il perd ; il gagne ; il joue ; il file; il passe."
    assert setting(text, apart="evened").apart == {";"}
    assert laid(text, setting(text, apart="evened")) == "Il perd ; il gagne ; il joue ; il file ; il passe."
    assert laid(text, setting(text, apart="never")) == "Il perd; il gagne; il joue; il file; il passe."
    assert laid(text, setting(text, apart="left")) == text


def test_line_length_is_known_from_the_document():
    assert setting("x" * 60 + "\n" + ("y" * 58 + "\n") * 12, apart="never").line == 58
    assert setting("x" * 600 + "\n" + ("y" * 580 + "\n") * 8, apart="never").line == 0


def test_a_strip_leads_back_to_the_raw_text():
    text = "abc def\n-- 3 --\nghi."
    unit = Block("d.p1", "paragraph", (Span(0, 7), Span(16, 20)), BY)
    band = strip(text, unit)
    assert band.text == "abc def\nghi."
    assert band.raw_span(4, 7) == Span(4, 7)
    assert band.raw_span(8, 11) == Span(16, 19)
    assert band.raw_span(7, 8) == Span(7, 7)
    assert band.seams == (7, 8)


@given(st.text(alphabet="abé -,;.\n^»", max_size=50))
def test_mends_are_in_order_and_apart(text):
    found = mends(text, LINES, None)
    at = 0
    for mend in found:
        assert at <= mend.start <= mend.end <= len(text)
        at = mend.end


@given(st.text(alphabet="abc -\n", min_size=1, max_size=30), st.data())
def test_a_view_leads_back(text, data):
    cut = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
    view = View(text, [Mend(cut[0], cut[1], "#", "layout", "test", 1.0)])
    assert view.text == text[: cut[0]] + "#" + text[cut[1] :]
    at = view.text.index("#")
    assert view.back(at, at + 1) == (cut[0], cut[1])
    kept = view.parts([(0, cut[0])])
    assert not kept or kept[0].start == cut[0]
