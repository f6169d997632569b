"""Cost of a change by the scores of the tagger, and their effect on the words that the lattice finds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hoyle.correction.channel import general_channel
from hoyle.correction.model_scores import MAX_UNCHANGED, MIN_PROBABILITY, MODEL_WEIGHT, ModelScores
from hoyle.correction.tagger import Tags
from hoyle.correction.transitions import Transitions
from hoyle.correction.word_correction import WordCorrector
from hoyle.document import Span
from hoyle.languages import language

LETTERS = ["", "", *"абвгдежзийклмнопрстуфхцчшщъыьэюяіѣѳ "]


def tagged(text, replacements=(), insertions=()):
    """Tags with up to two choices a character: (place, letter, probability) each."""
    heads = []
    for changes in (replacements, insertions):
        classes, probabilities = np.zeros((len(text), 2), np.int64), np.zeros((len(text), 2), np.float32)
        for place, letter, probability in changes:
            choice = int(probabilities[place, 0] > 0)
            classes[place, choice] = LETTERS.index(letter, 1) if letter else 1
            probabilities[place, choice] = probability
        heads += [classes, probabilities]
    return Tags(LETTERS, *heads)


def scores(text, replacements=(), insertions=()):
    return ModelScores(text, tagged(text, replacements, insertions))


def test_keeping_a_character_costs_its_probability_of_change():
    sure, unsure = scores("карта"), scores("карта", [(1, "о", 0.5)])
    assert sure.cost(1, 1, "а") == pytest.approx(0)
    assert unsure.cost(1, 1, "а") == pytest.approx(-MODEL_WEIGHT * math.log(0.5))
    assert unsure.cost(0, 5, "карта") == pytest.approx(-MODEL_WEIGHT * math.log(0.5))


def test_letters_that_the_tagger_predicts_cost_less_than_others():
    one = scores("карта", [(1, "о", 0.5), (1, "и", 0.1)])
    assert one.cost(1, 1, "о") == pytest.approx(-MODEL_WEIGHT * math.log(0.5 + MIN_PROBABILITY))
    assert (
        one.cost(1, 1, "о")
        < one.cost(1, 1, "и")
        < one.cost(1, 1, "у")
        == pytest.approx(-MODEL_WEIGHT * math.log(MIN_PROBABILITY))
    )


def test_deletions_and_insertions_are_scored_as_in_training():
    two = scores("пш", [(1, "и", 0.9)], [(1, "ш", 0.8)])
    assert two.cost(1, 1, "иш") == pytest.approx(
        -MODEL_WEIGHT * math.log((0.9 + MIN_PROBABILITY) * (0.8 + MIN_PROBABILITY))
    )
    gone = scores("ьі", [(0, "ы", 0.9), (1, "", 0.8)])
    assert gone.cost(0, 2, "ы") == pytest.approx(
        -MODEL_WEIGHT * math.log((0.9 + MIN_PROBABILITY) * (0.8 + MIN_PROBABILITY))
    )


def test_case_makes_no_difference():
    one = scores("Карта", [(1, "о", 0.3)])
    assert one.cost(0, 1, "к") == pytest.approx(0)
    assert list(one.alternatives(1)) == ["о"]


def test_predicted_letters_are_tried_though_no_table_has_them():
    transitions, text = Transitions(general_channel(language("ru-petr1708")), 13.0), "гарта"
    predicted = scores(text, [(0, "щ", 0.4)], [(0, "у", 0.2)])
    without = {change.after for _, _, change in transitions.at(text, 0, 5, None)}
    found = {
        change.after: (cost, change.confusion) for cost, _, change in transitions.at(text, 0, 5, predicted)
    }
    assert "щ" not in without
    assert without < found.keys()
    assert {"щ", "гу"} <= found.keys()
    assert found["щ"][1] is transitions.by_model
    assert transitions.by_model.where == "resources/tagger_ru_petr1708"
    costs = [cost for cost, *_ in transitions.at(text, 0, 5, predicted)]
    assert costs == sorted(costs)


def test_where_the_tagger_is_certain_nothing_else_is_considered():
    transitions, text = Transitions(general_channel(language("ru-petr1708")), 13.0), "гарта"
    doubted = scores(text, [(0, "к", 2 * MAX_UNCHANGED)])
    assert len(transitions.at(text, 0, 5, doubted)) > 1
    ((cost, letter, change),) = transitions.at(text, 1, 5, doubted)
    assert (cost, letter, change.confusion) == (0.0, "а", None)


@pytest.mark.parametrize(("letter", "word"), [("к", "карта"), ("м", "марта")])
def test_the_tagger_decides_between_words_of_the_lexicon(letter, word):
    text = "она ☓арта и"
    tags = tagged(text, [(4, letter, 0.95)])
    found = WordCorrector(language("ru-petr1708")).candidates(text, [Span(0, len(text))], [4], tags)
    assert max(found, key=lambda c: c.lattice).after == word


def test_a_word_outside_the_lexicon_is_read_as_the_tagger_reads_it():
    text = "бурмлинка и"
    tags = tagged(text, [(3, "", 0.99)])
    candidates = WordCorrector(language("ru-petr1708")).candidates(text, [Span(0, len(text))], [3], tags)
    found = max(candidates, key=lambda c: c.lattice)
    assert (found.after, found.by) == ("бурлинка", "resources/tagger_ru_petr1708")
    assert found.lattice > 0.5
