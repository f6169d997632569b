"""What the corrector never does, and the layout of hyphens and accents: a case of our own for each kind."""

from __future__ import annotations

import unicodedata

import pytest

from hoyle.correction.candidate import Candidate, Change
from hoyle.correction.constraints import Constraints
from hoyle.correction.lexical_acceptability import acceptability_of
from hoyle.correction.stage import correct
from hoyle.document import Block, Document, Evidence, Meta, Source, Span
from hoyle.document.text_layers import layer_text
from hoyle.languages import language


def allows(tag, text, before, after, whole=""):
    at = text.index(before)
    one = Candidate(at, at + len(before), (Change(len(before), after, None),), "test", tagger=0.99)
    constraints = Constraints(language(tag), acceptability_of(language(tag)), whole or text)
    return constraints.allows(text, one)


def corrected(text, tag):
    block = Block("d.p1", "paragraph", (Span(0, len(text)),), Evidence("test", 1.0))
    bare = Document(Source("d", "d.txt", text, "", 0), Meta("d", lang=tag)).with_layer("clauses", [block])
    done = bare.with_layer("correct", correct(bare, language(tag)))
    return layer_text(done, block.spans, "corrected").text, list(done.edits)


@pytest.mark.parametrize(
    ("tag", "text", "before", "after"),
    [
        ("fr", "Le joueur a 6 points.", "6 points", "points"),
        ("fr", "Ajoutez i6 + 3 au total.", "i6", "il"),
        ("fr", "On marque 12 fiches.", "12", "13"),
        ("fr", "On marque l2 fiches.", "l2", "12"),
        ("ru-petr1708", "Игрокъ беретъ 3 взятки.", "3", "з"),
    ],
)
def test_a_number_stays(tag, text, before, after):
    assert not allows(tag, text, before, after)


@pytest.mark.parametrize(
    ("tag", "before", "after"),
    [("ru-petr1708", "в5", "въ"), ("ru-petr1708", "игр0ка", "игрока"), ("fr", "j0ueur", "joueur")],
)
def test_a_digit_that_ocr_reads_for_a_letter_is_one(tag, before, after):
    assert allows(tag, f"{before}.", before, after)


@pytest.mark.parametrize(("before", "after"), [("U", "Un"), ("R", "Rien"), ("G", "Gens")])
def test_letters_that_a_text_uses_as_names_stay(before, after):
    board = "Le pion va de U en R, puis de R en G et de G en K."
    assert not allows("fr", board, before, after)
    assert allows("fr", f"Alors {before} perd.", before, after)


def test_a_name_in_capitals_that_stands_in_small_letters_too_stays():
    text = "Madame Orsanne joue. ORSANNE paie, ORSANTE perd."
    assert not allows("fr", text, "ORSANNE", "ORSANTE")
    assert allows("fr", text, "ORSANTE", "ORSANNE")


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("Voir plan2-mises.png ici.", "plan2", "plans"),
        ("Voir http://exemple.org/regle.html ici.", "regle", "règle"),
        ("Voyez cf. page douze.", "cf.", "ci."),
        ("Voyez pag. 12.", "pag", "pas"),
        ("Ludite cum sociis, pueri, dum tempus habetis.", "dum", "du"),
    ],
)
def test_addresses_abbreviations_and_latin_stay(text, before, after):
    assert not allows("fr", text, before, after)


def test_a_letter_of_another_script_is_read_and_not_left_out():
    assert not allows("ru-petr1708", "Это ваλетъ.", "ваλетъ", "ваетъ")
    assert allows("ru-petr1708", "Это ваλетъ.", "ваλетъ", "валетъ")


def test_a_capital_for_a_last_letter_makes_a_word_or_nothing():
    assert not allows("fr", "Les jetonB sont perdus.", "jetonB", "jetonx")
    assert allows("fr", "Les jetonB sont perdus.", "jetonB", "jetons")


def test_a_full_stop_before_a_capital_stays():
    assert not allows("fr", "Il paie. Le jeu finit.", "paie.", "paie,")
    assert allows("fr", "Il paie. le jeu finit.", "paie.", "paie,")


@pytest.mark.parametrize(
    ("tag", "before", "after", "changes"),
    [
        ("ru-petr1708", "ве", "не", True),
        ("ru-petr1708", "не", "на", True),
        ("ru-petr1708", "не бралъ", "не брал", False),
        ("fr", "nc", "ne", True),
        ("fr", "cartc", "carte", False),
    ],
)
def test_a_negation_is_told(tag, before, after, changes):
    constraints = Constraints(language(tag), acceptability_of(language(tag)), before)
    assert constraints.changes_negation(before, after) is changes


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("fr", "Le dé tombé à côté du tablier a été relevé par le joueur lésé."),
        ("ru-petr1708", "Всякій игрокъ, не давшій масти, платитъ третій штрафъ."),
    ],
)
def test_decomposed_letters_are_the_letters(tag, text):
    decomposed = unicodedata.normalize("NFD", text)
    mixed = decomposed[:20] + text[len(unicodedata.normalize("NFC", decomposed[:20])) :]
    assert decomposed != text != mixed
    for one in (text, decomposed, mixed):
        read, edits = corrected(one, tag)
        assert unicodedata.normalize("NFC", read) == text
        assert not [edit for edit in edits if edit.kind == "correct"]


def test_a_correction_beside_decomposed_letters_counts_raw_characters():
    text = unicodedata.normalize("NFD", "Le dé tombé nc compte pas.")
    read, edits = corrected(text, "fr")
    assert unicodedata.normalize("NFC", read) == "Le dé tombé ne compte pas."
    (edit,) = edits
    assert text[edit.span.start : edit.span.end] == edit.before == "nc"


@pytest.mark.parametrize(
    ("tag", "text", "after"),
    [
        ("fr", "On joue la par\u00adtie.", "On joue la partie."),
        ("fr", "On joue la par\u00ad\ntie.", "On joue la partie."),
        ("fr", "C'est le con¬\ntraire.", "C'est le contraire."),
        ("fr", "Le don⸗\nneur peut de⸗ mander.", "Le donneur peut demander."),
        ("fr", "Il est indi-\nvisible et indi-visible.", "Il est indivisible et indivisible."),
        ("fr", "Quatre-vingts points, celui-ci, dit-il.", "Quatre-vingts points, celui-ci, dit-il."),
        ("ru-petr1708", "Онъ начи- наетъ и не- вѣрно пере- сдаетъ.", "Онъ начинаетъ и невѣрно пересдаетъ."),
        ("ru-petr1708", "Это не\u00adпріятно.", "Это непріятно."),
    ],
)
def test_hyphens_of_line_ends_are_layout(tag, text, after):
    read, edits = corrected(text, tag)
    assert read == after
    assert all(edit.kind == "layout" for edit in edits)
