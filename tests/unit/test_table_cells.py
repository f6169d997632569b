import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.outputs.csv_cells import csv_rows, decode, encode, text_of
from hoyle.outputs.schema import Column

TEXT = Column("c", "string", "", "")
BLANK = Column("c", "string", "", "", required=True, blank=True)
STRINGS = Column("c", "strings", "", "")
SPANS = Column("c", "spans", "", "")
REFS = Column("c", "refs", "", "")

held = st.text(
    st.characters(
        exclude_characters=[chr(c) for c in range(0x20) if c not in (9, 10, 13)] + ["\x7f"],
        exclude_categories=["Cs"],
    )
)
risky = st.builds(str.__add__, st.text("'=+-@\t\r\n ＝;\\|", max_size=4), held)


def through_csv(cell: str | float) -> str:
    [line] = csv_rows([["a", cell]])
    assert line.endswith("\r\n")
    return next(csv.reader(io.StringIO(line, newline="")))[1]


@given(risky)
def test_a_text_comes_back_from_its_cell(text):
    assert decode(BLANK, through_csv(encode(BLANK, text))) == text


@given(st.lists(risky.filter(bool)))
def test_a_list_comes_back_from_its_cell(items):
    assert decode(STRINGS, through_csv(encode(STRINGS, items))) == items


@given(st.lists(st.tuples(risky, st.none() | risky.filter(bool), st.sampled_from(["exact", "outside"]))))
def test_references_come_back_from_their_cell(rows):
    refs = [{"text": text, "target": target, "status": status} for text, target, status in rows]
    assert decode(REFS, through_csv(encode(REFS, refs))) == refs


@given(st.lists(st.tuples(st.integers(0), st.integers(0)).map(list)))
def test_spans_come_back_from_their_cell(spans):
    assert decode(SPANS, through_csv(encode(SPANS, spans))) == spans


@given(risky)
def test_no_cell_begins_as_a_formula(text):
    for column, value in (
        (TEXT, text),
        (STRINGS, [text]),
        (REFS, [{"text": text, "target": None, "status": "x"}]),
    ):
        cell = through_csv(encode(column, value))
        assert cell.lstrip()[:1] not in {*"=+-@＝＋－＠"}
        assert cell[:1] not in {"\t", "\r"}


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("'=1+1", "''=1+1"),
        ("'tis", "'tis"),
        ("-\n", "'-\n"),
        ("— so", "— so"),
        ("a\0b", "a␀b"),
        ("", ""),
    ],
)
def test_cells_as_people_see_them(text, cell):
    assert through_csv(encode(BLANK, text)) == cell


@given(risky)
def test_a_text_of_any_other_file_comes_back(text):
    assert text_of(through_csv(text)) == text


def test_a_list_as_people_see_it():
    assert encode(STRINGS, ["a;b", "c\\d", None]) == "a\\;b;c\\\\d;"
    assert encode(SPANS, [[0, 5], [7, 9]]) == "0-5;7-9"
    assert encode(REFS, [{"text": "§ 4|5", "target": None, "status": "outside"}]) == "§ 4\\|5||outside"


@pytest.mark.parametrize(
    ("kind", "value", "cell"),
    [
        ("boolean", True, "true"),
        ("boolean", False, "false"),
        ("integer", 0, "0"),
        ("number", 0.5, "0.5"),
        ("integer", -1, "-1"),
    ],
)
def test_numbers_and_truth_values_are_not_guarded(kind, value, cell):
    column = Column("c", kind, "", "")
    assert through_csv(encode(column, value)) == cell
    assert decode(column, cell) == value


def test_nothing_is_an_empty_cell():
    assert encode(TEXT, None) == encode(STRINGS, []) == ""
    assert decode(TEXT, "") is None
    assert decode(STRINGS, "") == []
    assert decode(BLANK, "") == ""
