"""Edits of words from the predictions of the tagger, and where it doubts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.correction.tagger import (
    MARGIN,
    WINDOW,
    Tags,
    character_profile,
    frequency_class,
    frequency_classes,
    split_windows,
    tagger,
)
from hoyle.correction.tagger_edits import CERTAIN, MIN_CHANGE, suspicious_characters, tagger_edits
from hoyle.document import Span
from hoyle.languages import language

LETTERS = ["", "", "ѣ", ",", " ", "'", "l"]


@pytest.fixture(scope="module")
def lexicon():
    return language("ru-petr1708").lexicon


def tagged(text, replacements=(), insertions=()):
    """Tags that leave all alone but for some characters: (place, letter, probability) each."""
    heads = []
    for changes in (replacements, insertions):
        classes, probabilities = np.zeros((len(text), 1), np.int64), np.zeros((len(text), 1), np.float32)
        for place, letter, probability in changes:
            classes[place], probabilities[place] = LETTERS.index(letter, 1), probability
        heads += [classes, probabilities]
    return Tags(LETTERS, *heads)


def edits(text, tags, spans=None):
    return list(tagger_edits(text, tags, spans or [Span(0, len(text))], "tagger"))


def test_a_word_is_rewritten_whole():
    text = "на тђхъ картахъ"
    (found,) = edits(text, tagged(text, [(4, "ѣ", 0.9)]))
    assert (found.start, found.end, found.after) == (3, 7, "тѣхъ")
    assert (round(found.tagger, 5), found.lattice, found.by) == (0.9, 0, "tagger")
    assert "".join(c.after for c in found.changes) == found.after
    assert sum(c.size for c in found.changes) == found.end - found.start


def test_a_word_is_as_sure_as_its_least_sure_change():
    text = "тђхъ"
    (found,) = edits(text, tagged(text, [(1, "ѣ", 0.9)], [(3, ",", 0.4)]))
    assert (found.after, round(found.tagger, 5)) == ("тѣхъ,", 0.4)


def test_words_are_joined_where_their_space_goes():
    text = "за дол женъ быть"
    (found,) = edits(text, tagged(text, [(6, "", 0.8)]))
    assert (found.start, found.end, found.after) == (3, 11, "долженъ")


def test_two_words_that_change_are_two_rewritings():
    text = "тђхъ тђхъ"
    first, second = edits(text, tagged(text, [(1, "ѣ", 0.9), (6, "ѣ", 0.8)]))
    assert ((first.start, first.end), (second.start, second.end)) == ((0, 4), (5, 9))


def test_words_are_parted():
    text = "насамой"
    (found,) = edits(text, tagged(text, (), [(1, " ", 0.8)]))
    assert found.after == "на самой"


def test_nothing_outside_the_parts_is_touched():
    text = "тђхъ тђхъ"
    tags = tagged(text, [(1, "ѣ", 0.9), (4, "", 0.9), (6, "ѣ", 0.9)])
    (found,) = edits(text, tags, [Span(5, 9)])
    assert (found.start, found.end) == (5, 9)


def test_a_word_never_loses_three_letters_in_a_row():
    text = "собѣседникъ"
    assert edits(text, tagged(text, [(i, "", 0.99) for i in range(3)])) == []


def test_an_apostrophe_stays_as_it_is_set():
    text = "l’as"
    assert edits(text, tagged(text, [(1, "'", 0.99)])) == []


def test_a_stray_capital_is_doubted():
    assert suspicious_characters("КаждыЙ рядъ", tagged("КаждыЙ рядъ"), [], language("ru-petr1708")) == [5]
    assert suspicious_characters("на кαрту", tagged("на кαрту"), [], language("ru-petr1708")) == [
        3,
        4,
        5,
        6,
        7,
    ]


def test_the_lattice_is_not_asked_where_the_tagger_is_certain():
    text = "а тохъ карто"
    for sure, places in ((CERTAIN + 0.01, [11]), (CERTAIN - 0.01, [3, 11])):
        tags = tagged(text, [(1, "l", MIN_CHANGE / 2), (3, "ѣ", sure), (11, "ѣ", 2 * MIN_CHANGE)])
        assert suspicious_characters(text, tags, [], language("ru-petr1708")) == [3, 11]
        assert suspicious_characters(text, tags, edits(text, tags), language("ru-petr1708")) == places


@given(st.integers(1, 4 * WINDOW))
def test_windows_cover_a_text_with_a_margin_to_spare(length):
    found = list(split_windows(length))
    assert [a for a, _ in found] == sorted({a for a, _ in found})
    assert (found[0][0], found[-1][1]) == (0, length)
    for (_, end), (start, _) in itertools.pairwise(found):
        assert end - start == 2 * MARGIN


def test_a_profile_is_the_shares_of_the_characters():
    profile = character_profile(["ab", "b\n?"], {"a": 2, "b": 3, " ": 4}, 5)
    assert np.allclose(profile**2, [0, 0.2, 0.2, 0.4, 0.2])


@pytest.mark.parametrize("tag", ["ru-petr1708", "fr"])
def test_texts_are_read_alike_alone_and_together(tag):
    model = language(tag).resource(tagger)
    texts = ["Ежели игрокъ сдастъ ", "", "Si le joueur " * 90, "a"]
    profile = character_profile(texts, model.codes, model.classes)
    together = list(model.predict(texts, profile))
    assert [len(tags.replacement) for tags in together] == [len(text) for text in texts]
    for text, tags in zip(texts, together, strict=True):
        (alone,) = model.predict([text], profile)
        assert np.allclose(alone.change_probability(), tags.change_probability(), atol=1e-3)


def test_classes_are_those_of_the_words(lexicon):
    assert frequency_classes("и, щъщ", lexicon) == [4, 5, 5, 0, 0, 0]
    assert [frequency_class(n) for n in (0, 3, 10, 100, 1000)] == [0, 1, 2, 3, 4]
