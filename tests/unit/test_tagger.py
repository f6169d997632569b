"""What the tags of a net make of words, and what the lexicon lets through."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.correction.lexical_acceptability import credible
from hoyle.correction.tagger import (
    MARGIN,
    WINDOW,
    Tags,
    bucket,
    known_classes,
    profile_of,
    tagger,
    windows_of,
)
from hoyle.correction.tagger_edits import rewritings, sort_of
from hoyle.document import Span
from hoyle.languages import language

LETTERS = ["", "", "ѣ", ",", " ", "'", "l"]


@pytest.fixture(scope="module")
def words():
    return language("ru-petr1708").lexicon


def tagged(text, becomes=(), after=()):
    """Tags that leave all alone but for some characters: (place, letter, probability) each."""
    heads = []
    for changes in (becomes, after):
        classes, chances = np.zeros((len(text), 1), np.int64), np.zeros((len(text), 1), np.float32)
        for place, letter, chance in changes:
            classes[place], chances[place] = LETTERS.index(letter, 1), chance
        heads += [classes, chances]
    return Tags(LETTERS, *heads)


def made(text, tags, words, parts=None):
    return list(
        rewritings(text, tags, parts or [Span(0, len(text))], words, credible(language("ru-petr1708")))
    )


def test_a_word_is_rewritten_whole(words):
    text = "на тђхъ картахъ"
    (found,) = made(text, tagged(text, [(4, "ѣ", 0.9)]), words)
    assert (found.start, found.end, found.after) == (3, 7, "тѣхъ")
    assert (round(found.probability, 5), found.sort) == (0.9, "listed")
    assert "".join(c.after for c in found.changes) == found.after
    assert sum(c.size for c in found.changes) == found.end - found.start


def test_a_word_is_as_sure_as_its_least_sure_change(words):
    text = "тђхъ"
    (found,) = made(text, tagged(text, [(1, "ѣ", 0.9)], [(3, ",", 0.4)]), words)
    assert (found.after, round(found.probability, 5)) == ("тѣхъ,", 0.4)


def test_words_are_joined_where_their_space_goes(words):
    text = "за дол женъ быть"
    (found,) = made(text, tagged(text, [(6, "", 0.8)]), words)
    assert (found.start, found.end, found.after) == (3, 11, "долженъ")


def test_two_words_that_change_are_two_rewritings(words):
    text = "тђхъ тђхъ"
    first, second = made(text, tagged(text, [(1, "ѣ", 0.9), (6, "ѣ", 0.8)]), words)
    assert ((first.start, first.end), (second.start, second.end)) == ((0, 4), (5, 9))


def test_words_are_parted(words):
    text = "насамой"
    (found,) = made(text, tagged(text, (), [(1, " ", 0.8)]), words)
    assert (found.after, found.sort) == ("на самой", "listed")


def test_nothing_outside_the_parts_is_touched(words):
    text = "тђхъ тђхъ"
    tags = tagged(text, [(1, "ѣ", 0.9), (4, "", 0.9), (6, "ѣ", 0.9)])
    (found,) = made(text, tags, words, [Span(5, 9)])
    assert (found.start, found.end) == (5, 9)


def test_a_word_never_loses_three_letters_in_a_row(words):
    text = "собѣседникъ"
    assert made(text, tagged(text, [(i, "", 0.99) for i in range(3)]), words) == []


def test_an_apostrophe_stays_as_it_is_set(words):
    text = "l’as"
    assert made(text, tagged(text, [(1, "'", 0.99)]), words) == []


@pytest.mark.parametrize(
    ("before", "after", "sort"),
    [
        ("тђхъ", "тѣхъ", "listed"),
        ("картъ", "кантъ", "known"),
        ("тѣхъ", "тђхъ", "unlisted"),
        ("карта^", "карта,", "signs"),
        ("карта^", "карта", "signs"),
        ("карта", "карта,", "signs put"),
        ("Карта,", "карта,", "lowered"),
        ("картА,", "карта,", "capitals"),
        ("карта,", "карта.", "points"),
        ("карта -", "карта —", "dashes"),
        ("•", "а", "read"),
        ("д.", ".", "gone"),
        ("карта ,", "карта,", "spaces"),
        ("тђхђ", "тђхь", "strange"),
        ("12.", "1г.", "number"),
        ("&", "тѣхъ", "read"),
    ],
)
def test_each_change_has_its_type(before, after, sort, words):
    assert sort_of(before, after, words, credible(language("ru-petr1708"))) == sort


@given(st.integers(1, 4 * WINDOW))
def test_windows_cover_a_text_with_a_margin_to_spare(length):
    found = list(windows_of(length))
    assert [a for a, _ in found] == sorted({a for a, _ in found})
    assert (found[0][0], found[-1][1]) == (0, length)
    for (_, end), (start, _) in itertools.pairwise(found):
        assert end - start == 2 * MARGIN


def test_a_profile_is_the_shares_of_the_characters():
    profile = profile_of(["ab", "b\n?"], {"a": 2, "b": 3, " ": 4}, 5)
    assert np.allclose(profile**2, [0, 0.2, 0.2, 0.4, 0.2])


@pytest.mark.parametrize("tag", ["ru-petr1708", "fr"])
def test_texts_are_read_alike_alone_and_together(tag):
    net = language(tag).resource(tagger)
    texts = ["Ежели игрокъ сдастъ ", "", "Si le joueur " * 90, "a"]
    profile = profile_of(texts, net.codes, net.classes)
    together = list(net.tags(texts, profile))
    assert [len(tags.becomes) for tags in together] == [len(text) for text in texts]
    for text, tags in zip(texts, together, strict=True):
        (alone,) = net.tags([text], profile)
        assert np.allclose(alone.change(), tags.change(), atol=1e-3)


def test_classes_are_those_of_the_words(words):
    assert known_classes("и, щъщ", words) == [4, 5, 5, 0, 0, 0]
    assert [bucket(n) for n in (0, 3, 10, 100, 1000)] == [0, 1, 2, 3, 4]
