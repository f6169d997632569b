"""Ranking of what lattice and tagger propose: agreement, features, probability, overlaps."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from hoyle.correction.candidate import Candidate, Change
from hoyle.correction.channel import general_channel
from hoyle.correction.features import FEATURES, DocumentEvidence, FeatureExtractor
from hoyle.correction.lexical_acceptability import acceptability_of
from hoyle.correction.ranking import MAX_PROBABILITY, Ranker, merge_candidates, same_reading, select
from hoyle.errors import TableError
from hoyle.languages import language, languages

RANKED = [t for t in languages() if "min_probability" in language(t).settings.get("correct", {})]


def candidate(text, before, after, p=0.8, **scores):
    at = text.index(before)
    change = Change(len(before), after, None)
    return Candidate(at, at + len(before), (change,), "test", probability=p, **scores)


def features(text, one, tag="ru-petr1708", **document):
    evidence = DocumentEvidence(language(tag).resource(general_channel), **document)
    extractor = FeatureExtractor(language(tag), acceptability_of(language(tag)), evidence)
    return dict(zip(FEATURES, extractor.features(text, one), strict=True))


def test_what_both_propose_is_one_candidate_with_both_scores():
    text = "на тђхъ, картахъ"
    lattice, edit = (
        candidate(text, "тђхъ", "тѣхъ", lattice=0.1),
        candidate(text, "тђхъ,", "тѣхъ,", tagger=0.7),
    )
    (found,) = merge_candidates(text, [edit], [lattice])
    assert (found.after, found.tagger, found.lattice) == ("тѣхъ", 0.7, 0.1)


def test_what_one_proposes_alone_stays():
    text = "на тђхъ картђ"
    lattice, edit = (
        candidate(text, "тђхъ", "тѣхъ", lattice=0.8),
        candidate(text, "картђ", "картѣ", tagger=0.4),
    )
    assert list(merge_candidates(text, [edit], [lattice])) == [lattice, edit]


def test_of_two_overlapping_corrections_the_one_with_more_edits_is_kept():
    text = "на т о в а р ђ"
    part, whole = candidate(text, "т о", "то", 0.95), candidate(text, "т о в а р ђ", "товарѣ", 0.8)
    unsure, other = replace(whole, probability=0.55), candidate(text, "на", "но", 0.6)
    assert select(text, [part, whole, other], 0.5) == [other, whole]
    assert select(text, [part, unsure], 0.5) == [part]
    assert select(text, [part, whole, other], 0.99) == []


def test_apostrophes_make_no_difference():
    text = "qu'cn"
    assert same_reading(text, candidate(text, text, "qu'en"), candidate(text, text, "qu’en"))
    assert not same_reading(text, candidate(text, text, "qu'en"), candidate(text, text, "qu’on"))


def test_corrections_of_other_places_differ():
    text = "тђхъ тђхъ"
    first, second = candidate(text, "тђхъ", "тѣхъ"), candidate(text, "ъ тђхъ", "ъ тѣхъ")
    assert not same_reading(text, first, second)


def test_features_say_what_changes():
    text = "на тђхъ картахъ"
    found = features(text, candidate(text, "тђхъ", "тѣхъ", lattice=0.9))
    assert (found["was_listed"], found["now_listed"], found["tagger_silent"], found["lattice_silent"]) == (
        (0, 1, 1, 0)
    )
    assert (found["letters_replaced"], found["letters_inserted"], found["letters_deleted"]) == (1, 0, 0)
    assert found["context_gain"] > 0
    assert features("т о", candidate("т о", "т о", "то"))["space_removed"] == 1
    assert features("карта^", candidate("карта^", "карта^", "карта,"))["words_stay"] == 1
    assert features("Карта", candidate("Карта", "Карта", "карта"))["case_only"] == 1


def test_what_a_document_has_throughout_is_its_own_habit():
    text = "въ игрѣ"
    change = candidate(text, "игрѣ", "игры")
    rare, often = (
        features(text, change, counts=Counter({"игрѣ": n, "игры": 3}))["own_habit"] for n in (1, 30)
    )
    assert rare < 0 < often


@pytest.mark.parametrize("tag", RANKED)
def test_what_both_generators_are_sure_of_is_more_probable(tag):
    ranker = language(tag).resource(Ranker)
    text, before, after = {"fr": ("il nc joue", "nc", "ne")}.get(tag, ("на тђхъ картахъ", "тђхъ", "тѣхъ"))
    sure, unsure, alone = (
        ranker.probability(list(features(text, candidate(text, before, after, **scores), tag).values()))
        for scores in (
            {"tagger": 0.99, "lattice": 0.99},
            {"tagger": 0.4, "lattice": 0.4},
            {"lattice": 0.1},
        )
    )
    assert MAX_PROBABILITY >= sure > max(unsure, alone) > 0


@pytest.mark.parametrize("tag", RANKED)
def test_every_node_of_a_tree_leads_to_a_leaf(tag):
    ranker = Ranker(language(tag))
    assert ranker._trees
    for tree in ranker._trees:
        for place, node in enumerate(tree):
            assert node.feature < 0 or place < min(node.left, node.right) <= max(node.left, node.right) < len(
                tree
            )


def test_a_feature_that_nobody_computes_is_an_error(tmp_path):
    (tmp_path / "ranker.tsv").write_text(
        "tree\tnode\tfeature\tvalue\tleft\tright\n0\t0\tcolour\t1\t1\t2\n", encoding="utf-8"
    )
    with pytest.raises(TableError, match="colour"):
        Ranker(replace(language("fr"), folder=tmp_path))
