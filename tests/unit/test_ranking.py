"""Ranking of what lattice and tagger propose: agreement, calibration, overlaps."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from hoyle.correction.lattice import Change
from hoyle.correction.ranking import (
    ANY_QUALITY,
    BOTH,
    CERTAIN,
    CHANGE_TYPES,
    MIN_CHANGE,
    QUALITY_BANDS,
    calibrated,
    merge_candidates,
    ocr_quality,
    same_reading,
    select,
    skipped_types,
    suspicious_characters,
)
from hoyle.correction.tagger import Tags
from hoyle.correction.tagger_edits import TaggerEdit
from hoyle.correction.word_correction import Candidate
from hoyle.languages import language, languages


def candidate(text, before, after, p=0.8, change_type="unlisted_to_listed"):
    at = text.index(before)
    return Candidate(at, at + len(before), (Change(len(before), after, None),), p, "test", change_type)


def tagger_edit(text, before, after, p=0.8, change_type="unlisted_to_listed"):
    at = text.index(before)
    return TaggerEdit(at, at + len(before), (Change(len(before), after, None),), p, change_type)


def tags(probabilities):
    nothing = np.zeros((len(probabilities), 1), np.int64)
    some = np.array(probabilities, np.float32)[:, None]
    return Tags(["", ""], nothing, some, nothing, np.zeros_like(some))


def merged(text, candidates, edits):
    return [
        (c.change_type, c.after, c.probability) for c in merge_candidates(text, edits, candidates, "tagger")
    ]


def test_what_both_propose_is_one_proposal():
    text = "на тђхъ, картахъ"
    lattice, edit = candidate(text, "тђхъ", "тѣхъ", 0.1), tagger_edit(text, "тђхъ,", "тѣхъ,", 0.7)
    assert merged(text, [lattice], [edit]) == [(BOTH, "тѣхъ", 0.1)]


def test_of_what_both_propose_strange_readings_are_told_apart():
    text = "на тђхв картахъ"
    lattice, edit = (
        candidate(text, "тђхв", "тѣхв", change_type="to_unlisted"),
        tagger_edit(text, "тђхв", "тѣхв"),
    )
    assert merged(text, [lattice], [edit]) == [(f"{BOTH} to_unlisted", "тѣхв", 0.8)]


def test_a_language_may_leave_more_than_others():
    text = "il dit - non"
    dash = tagger_edit(text, "-", "–", change_type="dash_replaced")
    assert {"modernised", "number"} <= skipped_types(language("ru-petr1708")) < skipped_types(language("fr"))
    assert [
        c.change_type
        for c in merge_candidates(text, [dash], [], "tagger", skipped_types(language("ru-petr1708")))
    ] == ["tagger dash_replaced"]
    assert not list(merge_candidates(text, [dash], [], "tagger", skipped_types(language("fr"))))


def test_what_one_proposes_alone_says_who_and_what():
    text = "на тђхъ картђ"
    lattice, edit = candidate(text, "тђхъ", "тѣхъ"), tagger_edit(text, "картђ", "картѣ", 0.4, "signs")
    assert merged(text, [lattice], [edit]) == [
        ("lattice unlisted_to_listed", "тѣхъ", 0.8),
        ("tagger signs", "картѣ", 0.4),
    ]


def test_of_two_overlapping_corrections_the_one_with_more_edits_is_kept():
    text = "на т о в а р ђ"
    part, whole = candidate(text, "т о", "то", 0.95), candidate(text, "т о в а р ђ", "товарѣ", 0.8)
    unsure, other = replace(whole, probability=0.55), candidate(text, "на", "но", 0.6)
    assert select(text, [part, whole, other], 0.5) == [other, whole]
    assert select(text, [part, unsure], 0.5) == [part]
    assert select(text, [part, whole, other], 0.99) == []


def test_ocr_quality_is_the_share_of_words_that_the_tagger_doubts():
    assert [ocr_quality(n, 1000) for n in (0, 2, 3, 14, 15, 100)] == [
        "clean",
        "clean",
        "fair",
        "fair",
        "bad",
        "bad",
    ]
    assert ocr_quality(0, 0) == ocr_quality(0, 499) == ANY_QUALITY


def test_short_texts_are_calibrated_as_clean_scans():
    text = "кто сдастъ карты"
    for change_type, same_as in (
        ("both listed_to_listed", "clean"),
        ("tagger unlisted_to_listed", ANY_QUALITY),
    ):
        one = candidate(text, "сдастъ", "сдаетъ", 0.6, change_type)
        assert calibrated(language("ru-petr1708"), ANY_QUALITY, one) == calibrated(
            language("ru-petr1708"), same_as, one
        )
        assert (
            calibrated(language("ru-petr1708"), "clean", one).probability
            < calibrated(language("ru-petr1708"), "bad", one).probability
        )


def test_a_stray_capital_is_doubted():
    assert suspicious_characters("КаждыЙ рядъ", tags([0.0] * 11)) == [5]


def test_apostrophes_make_no_difference():
    text = "qu'cn"
    assert same_reading(text, candidate(text, text, "qu'en"), tagger_edit(text, text, "qu’en"))
    assert not same_reading(text, candidate(text, text, "qu'en"), tagger_edit(text, text, "qu’on"))


def test_corrections_of_other_places_differ():
    text = "тђхъ тђхъ"
    first, second = candidate(text, "тђхъ", "тѣхъ"), tagger_edit(text, "ъ тђхъ", "ъ тѣхъ")
    assert same_reading("тђхъ", first, tagger_edit("тђхъ", "тђхъ", "тѣхъ"))
    assert not same_reading(text, first, second)


def test_the_lattice_is_not_asked_where_the_tagger_is_certain():
    text = "а тђхъ картђ"
    probabilities = [0.0, MIN_CHANGE / 2, 0.0, 0.99, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, MIN_CHANGE]
    assert suspicious_characters(text, tags(probabilities)) == [3, 11]
    assert suspicious_characters(text, tags(probabilities), [tagger_edit(text, "тђхъ", "тѣхъ", CERTAIN)]) == [
        11
    ]
    assert suspicious_characters(
        text, tags(probabilities), [tagger_edit(text, "тђхъ", "тѣхъ", CERTAIN - 0.01)]
    ) == [3, 11]


@pytest.mark.parametrize(
    "tag", [t for t in languages() if "min_probability" in language(t).settings.get("correct", {})]
)
def test_calibrated_probability_rises_with_the_score(tag):
    rows = language(tag).table("calibration", ["change_type", "quality", "score", "probability", "count"])
    assert {row["change_type"] for row in rows} <= set(CHANGE_TYPES)
    assert {row["quality"] for row in rows} == {ANY_QUALITY, *QUALITY_BANDS}
    for change_type, quality in itertools.product(CHANGE_TYPES, QUALITY_BANDS):
        scores = [Candidate(0, 1, (), s / 20, "test", change_type) for s in range(21)]
        probabilities = [calibrated(language(tag), quality, score).probability for score in scores]
        assert probabilities == sorted(probabilities)
        assert all(0 <= p < 1 for p in probabilities)
