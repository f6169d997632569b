"""Clauses and blocks: extent, hierarchy, notes, gaps, repaired labels."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.document import Block, Clause, Evidence, Fragment, Span
from hoyle.document.validation import validate
from hoyle.explain import explain_label
from hoyle.languages import UNDETERMINED, language
from hoyle.languages.detection import detect_language
from hoyle.layout.furniture import find_furniture
from hoyle.segmentation.clauses import considered, segment
from support import corruption, gold
from support.shared import DOCUMENTS, gold_units, raw_text
from support.structure import clause_starts, document, structured


def gold_document(name: str):
    return document(gold.source(name).text, name, corruption.EXCERPTS.get(name, ()))


def texts(doc, unit) -> str:
    return "".join(doc.source.text[s.start : s.end] for s in unit.spans)


def blocks(doc, kind: str) -> list[str]:
    return [texts(doc, unit) for unit in doc.units if isinstance(unit, Block) and unit.kind == kind]


def characters(doc) -> dict[int, str]:
    return {i: c.n for c in doc.clauses for s in c.spans for i in range(*s)}


def right_characters(doc, units) -> float:
    """Share of the characters of gold clauses that lie in the clause of their number."""
    found = characters(doc)
    text = doc.source.text
    wanted = {
        i: str(u["n"])
        for u in units
        if u["type"] == "clause" and u["n"] is not None
        for s in u["spans"]
        for i in range(*s)
        if not text[i].isspace()
    }
    return sum(found.get(i) == n for i, n in wanted.items()) / len(wanted) if wanted else 1.0


@pytest.mark.parametrize("name", ["quinze", "patience", "bridge-laws", "preference"])
def test_gold_extents(name):
    doc = structured(gold_document(name))
    validate(doc)
    units = gold.edition(name)["units"]
    assert right_characters(doc, units) == 1.0
    kinds = {"heading", "caption", "footnote"}
    wanted = sorted((u["type"], u["spans"][0][0]) for u in units if u["type"] in kinds)
    found = sorted((u.kind, u.spans[0].start) for u in doc.units if isinstance(u, Block) and u.kind in kinds)
    assert found == wanted


def test_columns_put_in_order_give_whole_clauses():
    doc = gold_document("whist-lexicon")
    doc = doc.with_layer("language", detect_language(doc, UNDETERMINED))
    doc = doc.with_layer("furniture", find_furniture(doc, language(doc.lang)))
    assert (
        right_characters(structured(gold_document("whist-lexicon")), gold.edition("whist-lexicon")["units"])
        > 0.8
    )
    spans = [
        Span(*s) for u in gold.edition("whist-lexicon")["units"] if u["type"] == "clause" for s in u["spans"]
    ]
    doc = doc.with_layer("columns", [Fragment(s, "", Evidence("gold", 1.0)) for s in spans])
    doc = doc.with_layer("clauses", segment(doc, language(doc.lang)))
    units = gold.edition("whist-lexicon")["units"]
    assert right_characters(doc, units) == 1.0
    assert [c.n for c in doc.clauses] == [str(n) for n in range(8, 25)]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_further_documents(name):
    units = gold_units(name)
    doc = structured(document(raw_text(name), name))
    validate(doc)
    wanted = [(u["spans"][0][0], str(u["n"])) for u in units if u["type"] == "clause" and u["n"] is not None]
    assert sorted(clause_starts(doc)) == sorted(wanted)
    assert right_characters(doc, units) == 1.0


def test_excerpts_give_laws_gaps_and_tails():
    doc = structured(gold_document("bridge-laws"))
    assert [c.n for c in doc.clauses[:3]] == ["41.B", "41.C", "44.E"]
    first = doc.clauses[0]
    assert (first.label, first.incomplete, first.flags) == ("", "start", ("label-missing",))
    assert [u.spans for u in doc.units if isinstance(u, Block) and u.kind == "gap"] == [
        (Span(833, 833),),
        (Span(2253, 2253),),
    ]


def test_a_law_heading_is_a_block_and_its_sections_stand_under_it():
    doc = structured(gold_document("bridge-laws"))
    (law,) = [u for u in doc.units if isinstance(u, Block) and u.kind == "heading"]
    assert (law.n, texts(doc, law)) == ("45", "Правило 45. Игра картой")
    sections = [c for c in doc.clauses if c.number[0] == "45"]
    assert {c.under for c in sections} == {law.id}
    text = doc.source.text
    assert [text[c.heading.start : c.heading.end] for c in sections if c.heading] == [
        "Игра картой с руки",
        "Игра картой стола",
        "Принудительная игра картой",
        "Карта вистующего",
        "Карта разыгрывающего",
    ]


def test_a_footnote_is_tied_to_the_clause_that_calls_it():
    doc = structured(gold_document("bridge-laws"))
    notes = [u for u in doc.units if isinstance(u, Block) and u.kind == "footnote"]
    assert [(u.n, u.parent) for u in notes] == [("(*)", ""), ("(*)", "bridge-laws.45.A")]


def test_sections_before_the_first_law_belong_to_the_law_before_it():
    text = (
        "E.Взятки\n"
        "Взятка выигрывается козырем.\n"
        "F.Ходы\n"
        "Ходит выигравший.\n"
        "Правило 45. Игра\n"
        "A.Рука\n"
        "Игрок ходит.\n"
        "B.Стол\n"
        "Карту называют.\n"
    )
    doc = structured(document(text))
    assert [c.n for c in doc.clauses] == ["44.E", "44.F", "45.A", "45.B"]
    assert doc.clauses[0].flags == ("parent-inferred",)


def test_damaged_labels_are_corrected():
    doc = structured(gold_document("quinze"))
    edits = {e.before: e.after for e in doc.edits if e.kind == "correct"}
    assert edits == {
        "44*": "44.",
        "45*": "45.",
        "47*": "47.",
        "49*": "49.",
        "5 1 .": "51.",
        "^d.": "52.",
        "67.": "57.",
        "§9»": "59.",
    }
    flagged = {c.n for c in doc.clauses if "number-read-from-damage" in c.flags}
    assert flagged == {"52", "57", "59"}


def test_damaged_degree_signs_are_read_as_such():
    made = structured(document("1' Du jeu de la mourre; 2» Du jeu des osselets; 3' Du jeu de la boule.\n"))
    assert [edit.after for edit in made.edits if edit.kind == "correct"] == ["1°", "2°", "3°"]


def test_a_glued_label_gets_its_space():
    doc = structured(gold_document("bridge-laws"))
    edits = [e for e in doc.edits if e.kind == "correct"]
    assert {e.after for e in edits} == {
        f"{label}. " for label in ("A", "B", "C", "D", "E", "F", "G", "1", "2")
    }
    validate(doc)


def test_restarts_count_as_series():
    doc = structured(gold_document("patience"))
    assert [(c.id, c.series) for c in doc.clauses][5:] == [
        ("patience.VI", 1),
        ("patience.s2.I", 2),
        ("patience.s2.II", 2),
    ]


def test_a_missing_number_is_reported():
    doc = structured(document("7. Le donneur mêle.\n8. Il donne.\n12. On compte.\n13. On paye.\n"))
    assert [(f.value, f.doubt) for f in doc.findings if f.topic == "sequence"] == [
        ("9–11 missing between 8 and 12", True)
    ]


def test_an_unlabelled_paragraph_in_a_hole_is_a_flagged_clause():
    text = (
        "51. Семь взятокъ обязанъ сдѣлать игрокъ.\n"
        "Малая бѣдность состоитъ въ томъ, чтобы не взять ни одной.\n"
        "53. Восемь.\n"
        "54. Девять взятокъ.\n"
    )
    doc = structured(document(text))
    lost = doc.clauses[1]
    assert (lost.n, lost.label, lost.flags) == ("52", "", ("label-missing",))
    assert lost.why.confidence < 0.7


def test_prose_with_numbers_has_no_clause():
    doc = structured(document("Правила Игры. Спб. 1837. Въ 32-ю д. л. VI и 48 стр.\nБостонъ былъ въ ходу.\n"))
    assert doc.clauses == ()
    assert [f.value for f in doc.findings if f.topic == "numbering"] == ["none"]


def test_what_follows_a_series_of_single_paragraphs_is_not_the_last_clause():
    text = (
        "I. Основанія изъ тузовъ.\n"
        "\n"
        "II. Карты по порядку.\n"
        "\n"
        "III. Слѣдуютъ масти.\n"
        "\n"
        "Изъ колоды берутъ королей. Семь дамъ отбрасываютъ.\n"
    )
    doc = structured(document(text))
    assert texts(doc, doc.clauses[-1]) == "III. Слѣдуютъ масти."
    assert blocks(doc, "paragraph") == ["Изъ колоды берутъ королей. Семь дамъ отбрасываютъ."]


def test_unnumbered_lines_stay_in_their_clause():
    text = (
        "50. Семь перебиваютъ.\n51. Слѣдующіе два примѣра:\nПять козырей: тузъ, король.\n"
        "Эти игры не проигрываются.\n"
        "52. Малая бѣдность.\n53. Восемь взятокъ.\n"
    )
    doc = structured(document(text))
    assert texts(doc, doc.clauses[1]).endswith("Эти игры не проигрываются.")


def test_confidence_is_higher_for_clean_labels_in_sequence():
    doc = structured(gold_document("quinze"))
    sure = {c.n: c.why.confidence for c in doc.clauses}
    assert sure["54"] > 0.95 > sure["59"]
    assert sure["42"] <= 0.8


TEXTS = st.text(alphabet="АбвЯГ ABci12345.)§*\n\t-—?(:;,№[]\u00a0\u2028\x1c", max_size=200)
LABELS = st.lists(
    st.sampled_from(
        [
            "1. Текстъ.",
            "2. Еще.",
            "\n",
            " ",
            "§ 3. Карта.",
            "A.Ход\n",
            "(*) - Нота.",
            "вверх(*)",
            "?????????",
            "- 70 ",
            "Правило 4. Игра\n",
            "\n\n",
            "ГЛАВА II.\n",
            "II. Масть.",
            "б) платить;",
            "12 JEU DE CARTES.",
            "Заголовок\n",
            "слово ",
        ]
    ),
    max_size=25,
).map("".join)


@given(st.one_of(TEXTS, LABELS), st.lists(st.integers(0, 60), max_size=2, unique=True))
def test_units_and_furniture_tile_any_text(text, at):
    doc = document(text, excerpts=[(a, str(10 + i)) for i, a in enumerate(sorted(at)) if a < len(text)])
    made = structured(doc)
    validate(made)
    for unit in made.units:
        for span in unit.spans:
            piece = text[span.start : span.end]
            assert piece == piece.strip()
    for clause in made.clauses:
        if clause.label_span:
            assert text[clause.label_span.start : clause.label_span.end] == clause.label
    assert structured(doc).layers == made.layers


@given(
    LABELS,
    st.lists(st.integers(0, 80), min_size=1, max_size=4, unique=True),
    st.randoms(use_true_random=False),
)
def test_any_order_of_fragments_is_followed(text, cuts, rng):
    bounds = sorted({0, len(text), *(c for c in cuts if c < len(text))})
    pieces = [Fragment(Span(a, b), "", Evidence("test", 1.0)) for a, b in pairwise(bounds)]
    rng.shuffle(pieces)
    doc = document(text)
    doc = doc.with_layer("furniture", find_furniture(doc, language(doc.lang))).with_layer("columns", pieces)
    validate(doc.with_layer("clauses", segment(doc, language(doc.lang))))


def test_units_come_in_reading_order():
    doc = structured(gold_document("bridge-laws"))
    starts = [unit.spans[0].start for unit in doc.units]
    assert starts == sorted(starts)


def test_ids_are_unique_where_a_number_comes_twice():
    text = "1. Одно.\n2. Два.\n2. Опять два.\n3. Три.\n4. Четыре.\n"
    doc = structured(document(text))
    assert [c.id for c in doc.clauses] == ["x.1", "x.2", "x.2-2", "x.3", "x.4"]
    assert doc.clauses[2].flags == ("repeated",)
    assert all(isinstance(replace(c, under=""), Clause) for c in doc.clauses)


def test_what_was_considered_for_a_label_can_be_shown():
    doc = structured(gold_document("quinze"))
    choices = considered(doc, language(doc.lang), next(c for c in doc.clauses if c.n == "57"))
    assert choices[0].option.value == 57
    assert 67 in {choice.option.value for choice in choices}
    others = [choice.gain for choice in choices[1:]]
    assert others == sorted(others, reverse=True)
    assert considered(doc, language(doc.lang), doc.clauses[0]) == ()


def test_explain_tells_every_candidate_for_a_label_with_its_cost():
    doc = structured(gold_document("quinze"))
    lines = list(explain_label(doc, next(c for c in doc.clauses if c.n == "57")))
    assert lines[0] == "  label candidates:"
    assert re.fullmatch(
        r" +57 \(arabic, next\), read from '67': weight [\d.]+, cost -?[\d.]+, gain [\d.]+", lines[1]
    )
    assert any(line.startswith("    67 (arabic, gap)") for line in lines)
    assert lines[-1] == "    no label: gain 0.00"
    assert list(explain_label(doc, doc.clauses[0])) == [
        "  label candidates: none, the text shows no label here"
    ]
    heading = next(u for u in structured(gold_document("bridge-laws")).units if isinstance(u, Block))
    assert list(explain_label(doc, heading)) == []


@pytest.mark.parametrize(
    "labels",
    [
        ("Art. 1er.", "Art. 2e.", "Art. 3e."),
        ("Art. Ier.", "Art. 2.", "Art. 3."),
        ("Règle 1re.", "Règle 2de.", "Règle 3ème."),
        ("Article premier.", "Article second.", "Article troisième."),
        ("ARTICLE PREMIER.", "ARTICLE DEUXIÈME.", "ARTICLE TROISIÈME."),
        ("Статья первая.", "Статья вторая.", "Статья третья."),
        ("СТАТЬЯ ПЕРВАЯ.", "СТАТЬЯ ВТОРАЯ.", "СТАТЬЯ ТРЕТЬЯ."),
        ("Правило первое.", "Правило второе.", "Правило третье."),
        ("Законъ первый.", "Законъ второй.", "Законъ третій."),
        ("Статья 1-я.", "Статья 2-я.", "Статья 3-я."),
        ("Пунктъ 1-ый.", "Пунктъ 2-ой.", "Пунктъ 3-й."),
        ("Правило 1-е.", "Правило 2-ое.", "Правило 3-е."),
        ("§ 1-й.", "§ 2-й.", "§ 3-й."),
        ("§ 1er.", "§ 2.", "§ 3."),
    ],
)
def test_ordinals_after_a_cue_are_labels_and_stay_as_they_are(labels):
    doc = structured(document("".join(f"{label} Сдающій тасуетъ карты.\n" for label in labels)))
    assert [(c.n, c.label) for c in doc.clauses] == list(zip("123", labels, strict=True))
    assert not doc.edits


@pytest.mark.parametrize(
    "labels",
    [
        ("§ I.", "§ II.", "§ III.", "§ IV.", "§ V.", "§ VI."),
        ("§ 1er.", "§ II.", "§ III."),
        ("§ Ier.", "§ II.", "§ III."),
    ],
)
def test_undamaged_roman_section_labels_stay_roman(labels):
    doc = structured(document("".join(f"{label} Le joueur coupe les cartes.\n" for label in labels)))
    numbers = ("I", "II", "III", "IV", "V", "VI")[: len(labels)]
    assert [(c.n, c.label) for c in doc.clauses] == list(zip(numbers, labels, strict=True))
    assert not doc.edits
