"""Numbers with a unit of measure: what the tables say, and what is found in sentences and documents."""

import pytest

from hoyle import from_text
from hoyle.annotation.amounts import AmountFinder
from hoyle.annotation.pipeline import nlp_pipeline
from hoyle.languages import language
from hoyle.outputs.records import records

LANGUAGES = ("fr", "ru")


def amounts(text, lang):
    doc = nlp_pipeline(language(lang))(text)
    found = language(lang).resource(AmountFinder).find(doc)
    return [(doc[a.start : a.end].text, a.low, a.high, a.measure) for a in found]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_unit_is_found_in_its_example(lang):
    for row in language(lang).table("units", ("forms", "unit", "one", "most", "example", "place")):
        assert [measure for *_, measure in amounts(row["example"], lang)] == [row["unit"]], row.where


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_word_for_a_number_counts_in_its_example(lang):
    for row in language(lang).table("numerals", ("word", "value", "stands", "example", "place")):
        if row["stands"] not in ("count", "times"):
            continue
        [(_, low, high, measure)] = amounts(row["example"], lang)
        value = row.number("value") * (2 if row["word"] == "cents" else 1)  # deux cents
        assert (low, high, bool(measure)) == (value, value, True), row.where


@pytest.mark.parametrize(
    ("text", "lang", "found"),
    [
        ("une amende de 100 à 500 fr.", "fr", [("100 à 500 fr.", 100, 500, "franc")]),
        ("il perd deux ou trois points", "fr", [("deux ou trois points", 2, 3, "point")]),
        ("jusqu'à cent vingt francs", "fr", [("cent vingt francs", None, 120, "franc")]),
        ("au moins deux levées", "fr", [("deux levées", 2, None, "trick")]),
        ("quatre-vingt-dix jetons", "fr", [("quatre-vingt-dix jetons", 90, 90, "counter")]),
        ("on tire une carte", "fr", []),  # an article
        ("le second joueur", "fr", []),
        ("платитъ двѣ ставки", "ru", [("двѣ ставки", 2, 2, "stake")]),
        ("не болѣе десяти копѣекъ", "ru", [("десяти копѣекъ", None, 10, "kopeck")]),
        ("отъ 3 до 5-ти рублей", "ru", [("3 до 5-ти рублей", 3, 5, "ruble")]),
        ("двадцать пять тысячъ рублей", "ru", [("двадцать пять тысячъ рублей", 25000, 25000, "ruble")]),
        ("на сумму 12,500 р. ас.", "ru", [("12,500 р", 12500, 12500, "ruble")]),
        ("положеніе 1838 года", "ru", [("1838", 1838, 1838, "")]),  # a date
    ],
)
def test_numbers_words_and_ranges(text, lang, found):
    assert amounts(text, lang) == found


def test_an_amount_knows_its_place_its_penalty_and_its_number():
    text = "1. Кто сдѣлаетъ ренонсъ, платитъ штрафъ пять рублей.\n\n2. Игроку сдается тринадцать картъ.\n"
    document = from_text(text, lang="ru-petr1708").document
    [fine, cards] = dict(records(document))["amounts"]
    assert (fine["text"], fine["low"], fine["measure"], fine["penalty"]) == (
        "пять рублей",
        5.0,
        "ruble",
        "fine",
    )
    [[start, end]] = fine["spans"]
    assert text[start:end] == "пять рублей"
    assert (cards["low"], cards["measure"], cards["penalty"]) == (13.0, "card", None)
    [penalty] = [tag for tag in document.tags if tag.value == "fine"]
    assert penalty.amount == "пять рублей"


def test_a_number_without_a_unit_is_an_amount_only_in_a_penalty():
    text = "1. Celui qui renonce paie le double.\n\n2. Le jeu se joue à quatre, et l'on tire trois.\n"
    document = from_text(text, lang="fr").document
    assert [(a.text, a.low, a.measure) for a in document.amounts] == [("double", 2.0, "times")]
