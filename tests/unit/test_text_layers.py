from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.document import Edit, Evidence, Span
from hoyle.document.text_layers import LayerText, normalise_whitespace
from hoyle.errors import StageError

WHY = Evidence("test", 1.0)


def edit(start: int, before: str, after: str) -> Edit:
    return Edit(Span(start, start + len(before)), before, after, "correct", WHY)


@st.composite
def edited_texts(draw):
    """A text, disjoint edits on it (deletions and insertions too), and what it then reads."""
    pieces = draw(
        st.lists(
            st.tuples(st.text(max_size=5), st.text(min_size=1, max_size=4), st.text(max_size=4)), max_size=6
        )
    )
    tail = draw(st.text(max_size=5))
    raw, made, edits = "", "", []
    for same, before, after in pieces:
        edits.append(edit(len(raw) + len(same), before, after))
        raw, made = raw + same + before, made + same + after
    return raw + tail, edits, made + tail


@given(edited_texts())
def test_a_reading_is_the_text_with_its_edits(case):
    raw, edits, made = case
    assert LayerText(raw, edits).text == made


@given(edited_texts(), st.data())
def test_every_stretch_leads_back_into_the_raw_text(case, data):
    raw, edits, made = case
    reading = LayerText(raw, edits)
    if not made:
        return
    start = data.draw(st.integers(0, len(made) - 1))
    end = data.draw(st.integers(start + 1, len(made)))
    spans = reading.to_raw(Span(start, end))
    assert all(0 <= a <= b <= len(raw) for a, b in spans)
    assert list(spans) == sorted(spans)
    if not edits:
        assert spans == (Span(start, end),)


@given(st.text(min_size=1), st.integers(0), st.integers(0))
def test_parts_are_read_in_the_order_given(text, one, other):
    low, high = sorted((one % len(text), other % len(text)))
    parts = [Span(high, len(text)), Span(low, high)]
    assert LayerText(text, spans=parts).text == text[high:] + text[low:high]


def test_what_is_deleted_does_not_part_a_span():
    reading = LayerText("всту-\nпилъ", [edit(4, "-\n", "")])
    assert reading.text == "вступилъ"
    assert reading.to_raw(Span(0, 8)) == (Span(0, 10),)


def test_text_over_a_part_boundary_has_two_spans():
    reading = LayerText("на XX звать", spans=[Span(0, 2), Span(6, 11)])
    assert reading.to_raw(Span(0, 7)) == (Span(0, 2), Span(6, 11))


def test_an_edit_is_never_split():
    reading = LayerText("τρβτίιι игрокъ", [edit(0, "τρβτίιι", "третій")])
    assert reading.to_raw(Span(1, 2)) == (Span(0, 7),)


def test_an_insertion_has_no_raw_text_of_its_own():
    reading = LayerText("B.Игра", [Edit(Span(2, 2), "", " ", "correct", WHY)])
    assert reading.text == "B. Игра"
    assert reading.to_raw(Span(0, 7)) == (Span(0, 6),)


def test_an_insertion_between_two_touching_parts_is_read_once():
    between = Edit(Span(2, 2), "", "-", "correct", WHY)
    assert LayerText("abcd", [between], [Span(0, 2), Span(2, 4)]).text == "ab-cd"
    assert LayerText("abcd", [between], [Span(2, 4), Span(0, 2)]).text == "-cdab"


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ([edit(0, "ab", "x"), edit(1, "bc", "y")], "overlaps"),
        ([edit(0, "xx", "y")], "the raw text is 'ab'"),
        ([edit(9, "z", "y")], "outside the given spans"),
    ],
)
def test_edits_that_do_not_fit_are_refused(edits, message):
    with pytest.raises(StageError, match=message):
        LayerText("abc", edits)


def test_plain_text_has_single_spaces_and_breaks():
    assert normalise_whitespace("  a \t b \r\n\n  c ") == "a b\nc"
