"""Old spelling → modern spelling: tables, golden words, and edits on documents."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.document import Block, Document, Edit, Evidence, Meta, Source, Span
from hoyle.document.text_layers import layer_text
from hoyle.languages import language
from hoyle.orthography.modernise import modernise, regularise_text
from hoyle.orthography.spelling import Speller, with_capitals
from hoyle.orthography.table import spelling_changes
from hoyle.tables import read_table
from support import gold

GOLDEN = Path(__file__).parent.parent / "golden" / "regularise"
TAGS = {"ru": "ru-petr1708", "fr": "fr"}
ROWS = [
    pytest.param(tag, change, id=change.row.where)
    for tag in TAGS.values()
    for change in spelling_changes(language(tag), "modernise")
]


def modern(text, tag, context=None):
    """The text with every change made."""
    for change in reversed(regularise_text(text, language(tag), context)):
        text = text[: change.start] + change.after + text[change.end :]
    return text


@pytest.mark.parametrize(("tag", "change"), ROWS)
def test_each_row_of_a_table_does_what_its_example_says(tag, change):
    example = change.row["example"]
    assert modern(example, tag, "ѣ" + example) == change.row["newer"]
    assert change.row["source"]


@pytest.mark.parametrize(("tag", "change"), [p for p in ROWS if p.values[1].when])
def test_each_rule_matches_its_example(tag, change):
    assert change.pattern("modernise").search(language(tag).resource(Speller).plain(change.row["example"]))


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.tsv")), ids=lambda path: path.stem)
def test_golden_words(path):
    rows = read_table(path, ["old", "modern"])
    assert len(rows) >= 150
    tag = TAGS[path.stem.split("_")[0]]
    wrong = {row["old"]: modern(row["old"], tag) for row in rows if modern(row["old"], tag) != row["modern"]}
    assert not wrong


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.tsv")), ids=lambda path: path.stem)
def test_modern_spelling_stays_as_it_is(path):
    tag = TAGS[path.stem.split("_")[0]]
    changed = {
        row["modern"] for row in read_table(path, ["modern"]) if modern(row["modern"], tag) != row["modern"]
    }
    assert not changed


@pytest.mark.parametrize(
    ("name", "tag", "most"),
    [("bridge-laws", "ru-petr1708", 0), ("preference", "ru-petr1708", 1), ("quinze", "fr", 0)],
)
def test_modern_documents_are_left_alone(name, tag, most):
    texts = [unit.get("modern") or unit.get("corrected", "") for unit in gold.edition(name)["units"]]
    changed = [
        (text[c.start : c.end], c.after) for text in texts for c in regularise_text(text, language(tag))
    ]
    assert len(changed) <= most


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Какія карты", "Какие карты"),
        ("КАКІЯ КАРТЫ", "КАКИЕ КАРТЫ"),
        ("Настолъ", "На стол"),
        ("Въ послѣдствіи, какой\u00a0нибудь", "Впоследствии, какой-нибудь"),
        ("какой,\nнибудь какой\nнибудь", "какой,\nнибудь какой\nнибудь"),
        ("Людовикъ XV, Томъ ІІІ, глава ХІ", "Людовик XV, Том ІІІ, глава ХІ"),
        ("Миссисъ Дженни Шеръ", "Миссис Дженни Шер"),
        ("ъ Ъ 5 № — «»", "ъ Ъ 5 № — «»"),
        ("Аѳины и Ѳеодоръ", "Афины и Феодор"),
        ("большія партіи и прежнія линіи", "большие партии и прежние линии"),
    ],
)
def test_russian_in_running_text(old, new):
    assert modern(old, "ru-petr1708") == new


def test_all_and_everything_are_told_apart_only_where_the_print_writes_yat():
    assert modern("Всѣ карты; все равно; все", "ru-petr1708") == "Все карты; всё равно; всё"
    assert modern("Все карты; все равно", "ru-petr1708") == "Все карты; все равно"
    lost = "Онъ взялъ карту и все думалъ, какъ бы съ нея пойти. " * 20
    assert "всё" not in modern(lost, "ru-petr1708")


def test_capitals_letter_by_letter():
    assert with_capitals("ИванЪ", "иван") == "Иван"
    assert with_capitals("МиРъ", "мир") == "МиР"


def test_confidence_and_evidence_name_the_rule():
    [letters, ending] = regularise_text("домъ большихъ", language("ru-petr1708"))
    assert letters.why.by.startswith("languages/ru_petr1708/spelling.tsv:")
    assert 0.99 < letters.why.confidence <= 1
    [guess] = regularise_text("Бармаглотовскія", language("ru-petr1708"))
    assert guess.after == "Бармаглотовские"
    assert guess.why.by.startswith("languages/ru_petr1708/spelling.tsv:")
    assert guess.why.confidence < letters.why.confidence
    assert ending.after == "больших"


def test_a_present_day_orthography_has_no_rules():
    assert not language("ru").resource(Speller).has_rules
    assert regularise_text("Итакъ, большія карты", language("ru")) == []


# Documents


def without_regularisation(name):
    """A gold edition up to its corrected text."""
    full = gold.document(name)
    bare = Document(full.source, full.meta)
    for layer in ("furniture", "clauses", "correct"):
        bare = bare.with_layer(layer, full.layers[layer])
    return bare


def check(document):
    """Regularises a document and checks that every edit is valid; gives the new document."""
    edits = list(modernise(document, language(document.lang)))
    spans = [span for unit in document.units for span in unit.spans]
    for edit in edits:
        assert edit.before != edit.after
        assert any(span.covers(edit.span) for span in spans)
        for other in document.edits:
            if other.span.start < edit.span.end and edit.span.start < other.span.end:
                assert edit.span.covers(other.span)
    ordered = sorted(edit.span for edit in edits)
    assert all(one.end <= two.start for one, two in pairwise(ordered))
    done = document.with_layer("regularise", edits)
    corrected = {unit.id: layer_text(done, unit.spans, "corrected").text for unit in done.units}
    assert corrected == {
        unit.id: layer_text(document, unit.spans, "corrected").text for unit in document.units
    }
    return done


@pytest.mark.parametrize(("name", "least"), [("whist-lexicon", 0.99), ("patience", 0.99), ("quinze", 0.98)])
def test_the_gold_editions_come_out_as_their_editors_have_them(name, least):
    done = check(without_regularisation(name))
    right = words = 0
    for raw, unit in zip(_texts(name), done.units, strict=True):
        ours, theirs = layer_text(done, unit.spans, "modern").text.split(), raw.split()
        words += len(theirs)
        right += len(theirs) - len(set(theirs) - set(ours))
    assert right / words >= least


def _texts(name):
    kinds = {unit["type"] for unit in gold.edition(name)["units"]} - {
        "notice", "running-head", "page-number", "signature", "separator", "note-ref"
    }  # fmt: skip
    return [u.get("modern") or u["corrected"] for u in gold.edition(name)["units"] if u["type"] in kinds]


def test_nothing_is_done_where_the_language_is_not_known_or_modern():
    assert list(modernise(_document("Большія карты", lang=""), language("und"))) == []
    assert list(modernise(without_regularisation("preference"), language("ru"))) == []


def _document(text, *corrections, spans=None, lang="ru-petr1708"):
    why = Evidence("test", 1.0)
    block = Block("d.p1", "paragraph", spans or (Span(0, len(text)),), why)
    source = Source("d", "d.txt", text, "", len(text.encode()))
    edits = [Edit(Span(a, b), text[a:b], after, "correct", why) for a, b, after in corrections]
    return Document(source, Meta("d", lang=lang)).with_layer("clauses", [block]).with_layer("correct", edits)


def _modern(document):
    return layer_text(document, document.units[0].spans, "modern").text


def test_an_edit_covers_the_corrections_it_rests_upon():
    done = check(_document("б о льш1я карты", (1, 2, ""), (3, 4, ""), (7, 8, "і")))
    [edit] = done.layers["regularise"]
    assert (edit.span, edit.before, edit.after) == (Span(0, 9), "большія", "большие")
    assert _modern(done) == "большие карты"


def test_two_changes_on_one_correction_are_one_edit():
    done = check(_document("вътомъ", (0, 6, "въ томъ")))
    [edit] = done.layers["regularise"]
    assert (edit.span, edit.before, edit.after) == (Span(0, 6), "въ томъ", "в том")


def test_an_insertion_at_the_border_of_a_word_is_not_lost():
    done = check(_document("домъдомъ", (4, 4, " ")))
    assert _modern(done) == "дом дом"


def test_a_word_torn_over_two_parts_is_regularised_part_by_part():
    text = "разска|РЯДЪ 5|зываетъ"
    done = check(_document(text, spans=(Span(0, 6), Span(14, len(text)))))
    assert [(e.before, e.after) for e in done.layers["regularise"]] == [
        ("разска", "расска"),
        ("зываетъ", "зывает"),
    ]
    assert _modern(done) == "рассказывает"


def test_a_torn_phrase_whose_letters_do_not_answer_one_to_one_is_left():
    text = "настол| |ъ"
    done = check(_document(text, spans=(Span(0, 6), Span(9, 10))))
    assert _modern(done) in ("настолъ", "на стол")


OLD = st.sampled_from(
    ["раз", "без", "воз", "съ", "аго", "ыя", "ія", "ѣ", "і", "ѳ", "ъ", "ь", "-", "нибудь", "какой", "ея"]
) | st.sampled_from(
    ["онѣ", "все", "ф", "ц", "ч", "е", "о", "А", "І", "Ъ", "oit", "ans", "ſ", "et", "\n", ",", "1"]
)
TEXT = st.lists(OLD | st.sampled_from([" ", " ", "\u00a0"]) | st.characters(), max_size=30).map("".join)


@st.composite
def documents(draw):
    """Documents of one unit with any corrections and any division into parts."""
    text = draw(TEXT)
    places = st.integers(0, len(text))
    cuts = sorted(draw(st.sets(places, max_size=6)))
    spans = tuple(Span(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=False) if a < b)
    if draw(st.booleans()):
        spans = spans[::-1]
    corrections = []
    for start, end in sorted(spans):
        marks = sorted(draw(st.sets(st.integers(start, end), max_size=6)))
        corrections += [(a, b, draw(TEXT)) for a, b in zip(marks[::2], marks[1::2], strict=False)]
        if marks[1::2] and draw(st.booleans()):
            at = marks[1::2][-1] + 1
            corrections += [(at, at, draw(TEXT.filter(bool)))] if at <= end else []
    return _document(
        text,
        *corrections,
        spans=spans or (Span(0, len(text)),),
        lang=draw(st.sampled_from(["ru-petr1708", "fr"])),
    )


@given(documents())
def test_any_document_gets_valid_edits(document):
    check(document)


@given(TEXT, st.sampled_from(list(TAGS.values())))
def test_changes_are_in_order_and_change_something(text, tag):
    end = 0
    for change in regularise_text(text, language(tag)):
        assert end <= change.start < change.end
        assert text[change.start : change.end] != change.after
        assert 0 < change.why.confidence <= 1
        assert change.why.by
        end = change.end


WORDS = st.lists(OLD.filter(lambda part: part not in ("нибудь", "\n")), max_size=8).map("".join)


@given(WORDS, st.sampled_from(list(TAGS.values())))
def test_a_second_time_changes_nothing(text, tag):
    once = modern(text, tag)
    assert modern(once, tag) == once
