"""What the tags of a net make of words, and what the lexicon lets through."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.model import Span
from hoyle.resources import lexicon

TRAINING = Path(__file__).resolve().parents[2] / "pipeline" / "training"
sys.path += [str(TRAINING), str(TRAINING / "tagger")]

from net import MARGIN, WINDOW, Tag, _windows, bucket, known_classes  # noqa: E402
from rewrite import is_sure, rewritings, sort_of  # noqa: E402

STAYS = Tag("", 0.0, "", 0.0)


@pytest.fixture(scope="module")
def words():
    return lexicon("ru-petr1708")


def tagged(text, **changes):
    """Tags that leave all alone but for some characters, by place: (becomes, probability) or after."""
    tags = [STAYS] * len(text)
    for place, tag in changes.items():
        tags[int(place[1:])] = tag
    return tags


def made(text, tags, words, parts=None):
    return list(rewritings(text, tags, parts or [Span(0, len(text))], words))


def test_a_word_is_rewritten_whole(words):
    (found,) = made("на тђхъ картахъ", tagged("на тђхъ картахъ", _4=Tag("ѣ", 0.9, "", 0.0)), words)
    assert (found.start, found.end, found.after) == (3, 7, "тѣхъ")
    assert (found.probability, found.sort) == (0.9, "listed")
    assert "".join(c.after for c in found.changes) == found.after
    assert sum(c.size for c in found.changes) == found.end - found.start


def test_a_word_is_as_sure_as_its_least_sure_change(words):
    text = "тђхъ"
    (found,) = made(text, tagged(text, _1=Tag("ѣ", 0.9, "", 0.0), _3=Tag("", 0.0, ",", 0.4)), words)
    assert (found.after, found.probability) == ("тѣхъ,", 0.4)


def test_words_are_joined_where_their_space_goes(words):
    text = "за дол женъ быть"
    (found,) = made(text, tagged(text, _6=Tag("", 0.8, "", 0.0)), words)
    assert (found.start, found.end, found.after) == (3, 11, "долженъ")


def test_words_are_parted(words):
    text = "насамой"
    (found,) = made(text, tagged(text, _1=Tag("", 0.0, " ", 0.8)), words)
    assert (found.after, found.sort) == ("на самой", "listed")


def test_nothing_outside_the_parts_is_touched(words):
    text = "тђхъ тђхъ"
    tags = tagged(text, _1=Tag("ѣ", 0.9, "", 0.0), _4=Tag("", 0.9, "", 0.0), _6=Tag("ѣ", 0.9, "", 0.0))
    (found,) = made(text, tags, words, [Span(5, 9)])
    assert (found.start, found.end) == (5, 9)


def test_a_word_never_loses_three_letters_in_a_row(words):
    text = "собѣседникъ"
    tags = [Tag("", 0.99, "", 0.0)] * 3 + [STAYS] * (len(text) - 3)
    assert made(text, tags, words) == []


@pytest.mark.parametrize(
    ("before", "after", "sort"),
    [
        ("тђхъ", "тѣхъ", "listed"),
        ("картъ", "кантъ", "known"),
        ("тѣхъ", "тђхъ", "unlisted"),
        ("карта^", "карта,", "signs"),
        ("тђхђ", "тђхь", "strange"),
        ("12.", "1г.", "number"),
    ],
)
def test_sorts(before, after, sort, words):
    assert sort_of(before, after, words) == sort


def test_a_sort_without_a_limit_is_never_sure(words):
    (found,) = made("тђхъ", tagged("тђхъ", _1=Tag("ѣ", 1.0, "", 0.0)), words)
    assert is_sure(found, {"listed": 1.0})
    assert not is_sure(found, {"known": 0.0})


@given(st.integers(0, 4 * WINDOW))
def test_windows_cover_a_text_with_a_margin_to_spare(length):
    found = list(_windows(length))
    assert [a for a, _ in found] == sorted({a for a, _ in found})
    assert (found[0][0], found[-1][1]) == (0, length) if length else not found
    for (_, end), (start, _) in itertools.pairwise(found):
        assert end - start == 2 * MARGIN


def test_classes_are_those_of_the_words(words):
    assert known_classes("и, щъщ", words) == [4, 5, 5, 0, 0, 0]
    assert [bucket(n) for n in (0, 3, 10, 100, 1000)] == [0, 1, 2, 3, 4]
