"""Ranking of what lattice and tagger propose: agreement, calibration, overlaps."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from hoyle.correction.lattice import Change
from hoyle.correction.ranking import (
    ANY,
    BOTH,
    SCANS,
    SETTLED,
    SILENT,
    SORTS,
    calibrated,
    doubts,
    left,
    proposals,
    same,
    scan_of,
    sure,
)
from hoyle.correction.tagger import Tags
from hoyle.correction.tagger_edits import Rewriting
from hoyle.correction.word_correction import Correction
from hoyle.languages import language, languages


def correction(text, before, after, p=0.8, sort="unknown"):
    at = text.index(before)
    return Correction(at, at + len(before), (Change(len(before), after, None),), p, "test", sort)


def rewriting(text, before, after, p=0.8, sort="listed"):
    at = text.index(before)
    return Rewriting(at, at + len(before), (Change(len(before), after, None),), p, sort)


def tags(chances):
    nothing = np.zeros((len(chances), 1), np.int64)
    some = np.array(chances, np.float32)[:, None]
    return Tags(["", ""], nothing, some, nothing, np.zeros_like(some))


def proposed(text, found, made):
    return [(c.sort, c.after, c.probability) for c in proposals(text, made, found, "net")]


def test_what_both_propose_is_one_proposal():
    text = "на тђхъ, картахъ"
    lattice, net = correction(text, "тђхъ", "тѣхъ", 0.1), rewriting(text, "тђхъ,", "тѣхъ,", 0.7)
    assert proposed(text, [lattice], [net]) == [(BOTH, "тѣхъ", 0.1)]


def test_of_what_both_propose_strange_readings_are_told_apart():
    text = "на тђхв картахъ"
    lattice, net = correction(text, "тђхв", "тѣхв", sort="strange"), rewriting(text, "тђхв", "тѣхв")
    assert proposed(text, [lattice], [net]) == [(f"{BOTH} strange", "тѣхв", 0.8)]


def test_a_language_may_leave_more_than_others():
    text = "il dit - non"
    dash = rewriting(text, "-", "–", sort="dashes")
    assert {"newer", "number"} <= left(language("ru-petr1708")) < left(language("fr"))
    assert [c.sort for c in proposals(text, [dash], [], "net", left(language("ru-petr1708")))] == [
        "net dashes"
    ]
    assert not list(proposals(text, [dash], [], "net", left(language("fr"))))


def test_what_one_proposes_alone_says_who_and_what():
    text = "на тђхъ картђ"
    lattice, net = correction(text, "тђхъ", "тѣхъ"), rewriting(text, "картђ", "картѣ", 0.4, "signs")
    assert proposed(text, [lattice], [net]) == [
        ("lattice unknown", "тѣхъ", 0.8),
        ("net signs", "картѣ", 0.4),
    ]


def test_of_two_overlapping_corrections_the_one_with_more_edits_is_kept():
    text = "на т о в а р ђ"
    part, whole = correction(text, "т о", "то", 0.95), correction(text, "т о в а р ђ", "товарѣ", 0.8)
    unsure, other = replace(whole, probability=0.55), correction(text, "на", "но", 0.6)
    assert sure(text, [part, whole, other], 0.5) == [other, whole]
    assert sure(text, [part, unsure], 0.5) == [part]
    assert sure(text, [part, whole, other], 0.99) == []


def test_ocr_quality_is_the_share_of_words_that_the_tagger_doubts():
    assert [scan_of(n, 1000) for n in (0, 2, 3, 14, 15, 100)] == [
        "clean",
        "clean",
        "fair",
        "fair",
        "bad",
        "bad",
    ]
    assert scan_of(0, 0) == scan_of(0, 499) == ANY


def test_short_texts_are_calibrated_as_clean_scans():
    text = "кто сдастъ карты"
    for sort, same_as in (("both known", "clean"), ("net listed", ANY)):
        one = correction(text, "сдастъ", "сдаетъ", 0.6, sort)
        assert calibrated(language("ru-petr1708"), ANY, one) == calibrated(
            language("ru-petr1708"), same_as, one
        )
        assert (
            calibrated(language("ru-petr1708"), "clean", one).probability
            < calibrated(language("ru-petr1708"), "bad", one).probability
        )


def test_a_stray_capital_is_doubted():
    assert doubts("КаждыЙ рядъ", tags([0.0] * 11)) == [5]


def test_apostrophes_make_no_difference():
    text = "qu'cn"
    assert same(text, correction(text, text, "qu'en"), rewriting(text, text, "qu’en"))
    assert not same(text, correction(text, text, "qu'en"), rewriting(text, text, "qu’on"))


def test_corrections_of_other_places_differ():
    text = "тђхъ тђхъ"
    first, second = correction(text, "тђхъ", "тѣхъ"), rewriting(text, "ъ тђхъ", "ъ тѣхъ")
    assert same("тђхъ", first, rewriting("тђхъ", "тђхъ", "тѣхъ"))
    assert not same(text, first, second)


def test_the_lattice_is_not_asked_where_the_tagger_is_certain():
    text = "а тђхъ картђ"
    chances = [0.0, SILENT / 2, 0.0, 0.99, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, SILENT]
    assert doubts(text, tags(chances)) == [3, 11]
    assert doubts(text, tags(chances), [rewriting(text, "тђхъ", "тѣхъ", SETTLED)]) == [11]
    assert doubts(text, tags(chances), [rewriting(text, "тђхъ", "тѣхъ", SETTLED - 0.01)]) == [3, 11]


@pytest.mark.parametrize(
    "tag", [t for t in languages() if "least" in language(t).settings.get("correct", {})]
)
def test_calibrated_probability_rises_with_the_score(tag):
    rows = language(tag).table("calibration", ["sort", "scan", "posterior", "p", "n"])
    assert {row["sort"] for row in rows} <= set(SORTS)
    assert {row["scan"] for row in rows} == {ANY, *SCANS}
    for sort, scan in itertools.product(SORTS, SCANS):
        scores = [Correction(0, 1, (), s / 20, "test", sort) for s in range(21)]
        worth = [calibrated(language(tag), scan, score).probability for score in scores]
        assert worth == sorted(worth)
        assert all(0 <= p < 1 for p in worth)
