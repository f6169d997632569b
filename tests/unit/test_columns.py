import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoyle.document import Block, Document, Fragment, Meta, Source, Span
from hoyle.languages import language
from hoyle.layout.columns import order_columns
from hoyle.layout.interleaving import _turn, interleaved
from hoyle.resources.letters import symbols
from hoyle.tables import data_file, read_table
from support.gold import EDITIONS, EDITOR, GOLD, document, edition
from support.shared import DOCUMENTS, raw_text


def fragments(text, lang="ru-petr1708", furniture=()):
    blocks = [Block(f"d.f{i}", "running-head", (span,), EDITOR) for i, span in enumerate(furniture)]
    doc = Document(Source("d", "d", text, "", 0), Meta(id="d", lang=lang)).with_layer("furniture", blocks)
    return [item for item in order_columns(doc, language(doc.lang)) if isinstance(item, Fragment)]


def assert_tiles(found, text):
    assert sorted(at for f in found for at in range(*f.span)) == list(range(len(text)))


def raw_edition(name):
    doc = document(name)
    return Document(doc.source, doc.meta, {"furniture": doc.layers["furniture"]})


@pytest.fixture(scope="module")
def whist():
    doc = raw_edition("whist-lexicon")
    return doc.source.text, [f for f in order_columns(doc, language(doc.lang)) if isinstance(f, Fragment)]


def test_rows_of_two_columns_are_put_into_their_columns(whist):
    text, found = whist
    assert_tiles(found, text)
    column = {at: f.column for f in found for at in range(*f.span)}
    rows = edition("whist-lexicon")["meta"]["interleaving"]
    letters_of = [
        (at, row["col"]) for row in rows for at in range(row["start"], row["end"]) if text[at].isalpha()
    ]
    right = sum(column[at] == {"L": "left", "R": "right"}[col] for at, col in letters_of)
    assert right / len(letters_of) >= 0.97


def test_a_clause_runs_on_from_the_foot_of_a_column_to_the_head_of_the_next(whist):
    text, found = whist
    flow = "".join(text[slice(*f.span)] for f in found)
    assert "ходить съ техъ картъ и сбрасывать" in flow
    order = [flow.index(f"§ {n}.") for n in (14, 15, 16, 17, 23, 24)]
    assert order == sorted(order)


def test_a_line_broken_by_the_reader_is_whole_again(whist):
    text, found = whist
    flow = "".join(text[slice(*f.span)] for f in found)
    assert "спохватится, что опъ о ш и б с я , сделала реиопсъ, то оиъ может* е щ е исправить" in flow


def test_every_decision_has_evidence(whist):
    _, found = whist
    assert all(f.why.by.startswith("layout/columns") and 0.5 < f.why.confidence <= 1 for f in found)
    assert any(f.why.confidence < 1 for f in found)


@pytest.mark.parametrize("name", [n for n in EDITIONS if n != "whist-lexicon"])
def test_editions_in_order_are_left_alone(name):
    assert list(order_columns(raw_edition(name), language(raw_edition(name).lang))) == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_in_order_are_left_alone(name):
    assert fragments(raw_text(name), "fr" if name.startswith("fr") else "ru-petr1708") == []


def cases(kind):
    return sorted((GOLD / "columns").glob(f"{kind}-*.txt"))


@pytest.mark.parametrize("path", cases("lines"), ids=lambda p: p.stem)
def test_lines_read_across_are_cut_into_halves(path):
    """The expected file has the halves of each line with `` ¶ `` between them."""
    wanted = path.with_suffix(".expected").read_text(encoding="utf-8").splitlines()
    text = path.read_text(encoding="utf-8")
    found = fragments(text, path.stem.split("-", 2)[2])
    assert_tiles(found, text)
    for side, column in enumerate(("left", "right")):
        halves = [text[slice(*f.span)].strip(" |\n") for f in found if f.column == column]
        expected = [line.split("¶")[side].strip() for line in wanted]
        agreed = len(set(halves) & set(expected)) / len(expected)
        assert agreed >= 0.9, halves


def test_rules_between_columns_are_furniture():
    path = GOLD / "columns" / "lines-rule-ru-petr1708.txt"
    text = path.read_text(encoding="utf-8")
    doc = Document(Source("d", "d", text, "", 0), Meta(id="d", lang="ru-petr1708"))
    blocks = [item for item in order_columns(doc, language(doc.lang)) if isinstance(item, Block)]
    assert len(blocks) >= 10
    assert {text[slice(*b.spans[0])] for b in blocks} == {"|"}
    assert len({b.id for b in blocks}) == len(blocks)


def test_a_running_head_parts_pages():
    path = GOLD / "columns" / "lines-hyphens-ru-petr1708.txt"
    page = path.read_text(encoding="utf-8")
    head = "ПРАВИЛА ИГРЫ. 17\n"
    text = page + head + page
    span = Span(len(page), len(page) + len(head) - 1)
    found = fragments(text, furniture=[span])
    assert_tiles(found, text)
    flow = [f.column for f in found if f.column]
    turns = [a for a, b in zip(flow, [*flow[1:], ""], strict=True) if a != b]
    assert turns == ["left", "right", "left", "right"]


@pytest.mark.parametrize(
    ("numbers", "turn"),
    [
        ([12, 13, 14, 17, 18, 22, 23, 15, 24, 16], (2, 7)),
        ([1, 2, 3, 4, 5, 6], None),
        ([1, 2, 3, 4, 1, 2, 3, 4], None),  # a numbering that restarts
        ([14, 15, 16, 17, 16, 18], None),  # a reference back
        ([54, 55, 56, 67, 58, 59], None),  # a label misread
        ([5, 6, 7, 11, 12, 13, 8, 14], (2, 6)),
        ([5, 6, 7, 11, 12, 13, 8], None),  # nothing goes on after it
        ([], None),
    ],
)
def test_two_numberings_that_take_turns(numbers, turn):
    found = _turn(numbers)
    assert (tuple(found) if found else None) == turn


def test_text_with_line_ends_is_not_run_together():
    text = document("whist-lexicon").source.text.replace(" § ", "\n§ ")
    doc = Document(Source("d", "d", text, "", 0), Meta(id="d", lang="ru-petr1708"))
    assert interleaved(doc, language("ru"), language("ru").letter_sequences) is None


WORDS = ["§ 5.", "§ 6.", "§ 7.", "§ 3.", "№ 4.", "(§ 8.", "Карта", "игрокъ,", "к а р т а", "9. Тузъ", "."]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=60))
def test_any_labels_in_any_order_give_whole_text_or_nothing(words):
    text = " ".join(words)
    found = fragments(text)
    assert not found or sorted(at for f in found for at in range(*f.span)) == list(range(len(text)))


def test_a_language_without_counted_letters_is_left_alone():
    assert fragments(document("whist-lexicon").source.text, "und") == []


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from(["карта", "на-", "|", "съ", "игрокъ.", "§ 5."]), min_size=1, max_size=9),
        max_size=14,
    ),
    st.sampled_from(["\n", "\n\n", "\r\n", "\f", "  \n "]),
)
def test_fragments_hold_every_character_once(lines, end):
    text = end.join(" ".join(line) for line in lines)
    found = fragments(text)
    assert not found or sorted(at for f in found for at in range(*f.span)) == list(range(len(text)))


def test_letters_fold_what_ocr_confuses():
    ru, fr = language("ru").letter_sequences, language("fr").letter_sequences
    assert ru.fold("Если  игрокъ , нѣтъ") == ru.fold("Еслп пгрок, нфтъ")
    assert fr.fold("L’École, «fût» !") == "l'ecole, fut."


def test_likely_letters_score_above_unlikely_ones():
    ru = language("ru").letter_sequences
    cut = ru.log_probability(ru.fold("ники могутъ"), ru.fold("противъ против"))
    other = ru.log_probability(ru.fold("взятка будетъ"), ru.fold("противъ против"))
    assert cut > other


@pytest.mark.parametrize("base", ["ru", "fr"])
def test_every_symbol_stands_in_its_example(base):
    table = data_file("resources", f"letters_{base}.tsv")
    rows = read_table(table, ("symbol", "glyphs", "example"))
    for row in rows:
        assert any(glyph in row["example"].lower() for glyph in row["glyphs"]), row.where
    assert len(symbols(table)) == sum(len(row["glyphs"]) for row in rows)
    files = [data_file("resources", f"letters_{base}.{end}") for end in ("marisa", "counts")]
    assert sum(file.stat().st_size for file in files) < 3e6
