"""The lexica: what they hold, that their probabilities are some, that damage is reported."""

from __future__ import annotations

import math

import pytest

from hoyle import resources
from hoyle.errors import TableError
from hoyle.facets import vocabularies
from hoyle.languages import language
from hoyle.resources import UNSEEN
from hoyle.tables import data_file, read_toml, vocabulary

TAGS = ("fr", "ru-petr1708")


@pytest.mark.parametrize(
    ("tag", "form"), [("fr", "carte"), ("fr", "étoit"), ("ru-petr1708", "тѣхъ"), ("ru-petr1708", "робберовъ")]
)
def test_forms_are_listed(tag, form):
    assert form in language(tag).lexicon
    assert UNSEEN < language(tag).lexicon.log_probability(form) < 0


@pytest.mark.parametrize(
    ("tag", "form"), [("fr", "oarles"), ("ru-petr1708", "третш"), ("ru-petr1708", "своп")]
)
def test_misreadings_are_not(tag, form):
    assert form not in language(tag).lexicon
    assert language(tag).lexicon.log_probability(form) == UNSEEN


@pytest.mark.parametrize("tag", TAGS)
def test_probabilities_of_all_forms_sum_to_about_one(tag):
    words = language(tag).lexicon
    total = sum(math.exp(words.log_probability(form)) for form in words.forms())
    assert 0.9 < total < 1.6  # terms of games are counted more often than the corpora have them


@pytest.mark.parametrize(
    ("tag", "before", "likely", "unlikely"),
    [("fr", "la", "carte", "joueur"), ("ru-petr1708", "той", "же", "онъ")],
)
def test_a_word_before_changes_the_probability(tag, before, likely, unlikely):
    words = language(tag).lexicon
    gain = words.log_probability(likely, before) - words.log_probability(likely)
    loss = words.log_probability(unlikely, before) - words.log_probability(unlikely)
    assert gain > 0 > loss


def test_prefixes_hyphens_and_spelling():
    words = language("ru-petr1708").lexicon
    assert words.starts_a_word("взят")
    assert not words.starts_a_word("ъък")
    assert words.forms("взятк") == sorted(words.forms("взятк"))
    assert words.hyphened("какой", "нибудь") > 0
    assert words.spelling("картою") > words.spelling("ъкъртъ")


@pytest.mark.parametrize("tag", TAGS)
def test_the_words_of_all_games_are_listed(tag):
    words = language(tag).lexicon
    for name in vocabularies():
        for concept in vocabulary(name).values():
            for word in concept.labels.get(tag, "").lower().replace("’", "'").split():
                plain = word.strip("(),;").removeprefix("l'").removeprefix("d'")
                if plain.isalpha():
                    assert plain in words, concept.where


@pytest.mark.parametrize("tag", TAGS)
def test_each_lexicon_says_where_it_comes_from(tag):
    note = read_toml(data_file("resources", f"lexicon_{tag.replace('-', '_')}.toml"))
    assert note["sources"]
    assert "build_lexicon.py" in note["command"]
    assert note["forms"] == len(language(tag).lexicon)


def test_a_language_without_a_lexicon_is_named():
    assert not language("und").has_lexicon
    with pytest.raises(TableError, match="lexicon_und"):
        _ = language("und").lexicon


def test_counts_that_do_not_fit_are_reported(tmp_path):
    for name in ("lexicon_fr", "bigrams_fr"):
        for suffix in (".marisa", ".counts"):
            (tmp_path / (name + suffix)).write_bytes(data_file("resources", name + suffix).read_bytes())
    for name in ("lexicon_fr.toml", "trigrams_fr.counts"):
        (tmp_path / name).write_bytes(data_file("resources", name).read_bytes())
    (tmp_path / "lexicon_fr.counts").write_bytes(b"\1\2")
    with pytest.raises(TableError, match="2 counts"):
        resources.Lexicon("fr", tmp_path)
