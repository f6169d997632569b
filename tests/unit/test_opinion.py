"""What lattice and tagger are worth beside each other."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hoyle.stages.lattice import Change
from hoyle.stages.words import Correction

TRAINING = Path(__file__).resolve().parents[2] / "pipeline" / "training"
sys.path += [str(TRAINING), str(TRAINING / "tagger")]

from net import Tag  # noqa: E402
from opinion import chosen_words, same  # noqa: E402
from rewrite import Rewriting  # noqa: E402

LOUD = Tag("", 0.1, "", 0.0)


def correction(text, before, after, p=0.8):
    at = text.index(before)
    return Correction(at, at + len(before), (Change(len(before), after, None),), p, "test", "unknown")


def rewriting(text, before, after, p=0.8):
    at = text.index(before)
    return Rewriting(at, at + len(before), (Change(len(before), after, None),), p, "listed")


LEAST = {"unknown": 0.5, "parted": 0.5}


def chosen(text, corrections, made, tags=None):
    return chosen_words(text, tags or [LOUD] * len(text), corrections, made, LEAST)


def test_what_both_say_is_done_however_unsure():
    text = "на тђхъ, картахъ"
    unsure = correction(text, "тђхъ", "тѣхъ", 0.1)
    assert chosen(text, [unsure], []) == []
    assert chosen(text, [unsure], [rewriting(text, "тђхъ,", "тѣхъ,")]) == [unsure]


def test_apostrophes_make_no_difference():
    text = "qu'cn"
    assert same(text, correction(text, text, "qu'en"), rewriting(text, text, "qu’en"))
    assert not same(text, correction(text, text, "qu'en"), rewriting(text, text, "qu’on"))


def test_what_lies_apart_is_not_the_same():
    text = "тђхъ тђхъ"
    first, second = correction(text, "тђхъ", "тѣхъ"), rewriting(text, "ъ тђхъ", "ъ тѣхъ")
    assert same("тђхъ", first, rewriting("тђхъ", "тђхъ", "тѣхъ"))
    assert not same(text, first, second)


@pytest.mark.parametrize("sort", ["parted", "unknown"])
@pytest.mark.parametrize(("p", "done"), [(0.01, False), (0.1, True)])
def test_what_the_net_holds_for_right_is_left(p, done, sort):
    text = "насамой"
    run_on = replace(correction(text, text, "на самой"), sort=sort)
    tags = [Tag(" ", p, "", 0.0)] * len(text)
    assert bool(chosen(text, [run_on], [], tags)) is done
