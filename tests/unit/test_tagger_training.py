"""The training of the tagger: edit scripts, noise, samples. (The net itself needs torch.)"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

TRAINING = Path(__file__).resolve().parents[2] / "pipeline" / "training"
sys.path += [str(TRAINING), str(TRAINING / "tagger")]

from noise import Counted, Noise, Rule, Styles, corrupt  # noqa: E402
from script import Segment, apply, script, segments  # noqa: E402

TABLES = sorted((TRAINING / "tagger").glob("noise_*.tsv"))
TEXT = "Игрокъ, сдающій карты, не имѣетъ права смотрѣть на нихъ прежде, нежели сдача кончена."


@given(st.text("абвѣъ ,", max_size=30), st.text("абвѣъ ,", max_size=30))
def test_segments_cover_both_texts(ocr, gold):
    found = segments(ocr, gold)
    assert "".join(s.ocr for s in found) == ocr
    assert "".join(s.print for s in found) == gold


@given(st.lists(st.tuples(st.text("абвѣ", max_size=2), st.text("абвг", min_size=1, max_size=3))))
def test_a_script_carried_out_gives_the_print(parts):
    wanted = [Segment(p, o) for p, o in parts if len(p) <= 2 * len(o)]
    made = script(wanted)
    assert made.text == "".join(s.ocr for s in wanted)
    assert apply(made) == "".join(s.print for s in wanted)


def test_what_is_lost_is_put_after_the_character_before():
    made = script([Segment("до", "до"), Segment("н", ""), Segment("ъ", "ъ")])
    assert made.after == ["", "н", ""]
    assert apply(made) == "донъ"


@pytest.mark.parametrize("path", TABLES, ids=lambda p: p.stem)
def test_shares_and_rates_are_probabilities(path):
    for group in Styles.read(path).groups.values():
        assert 0 < sum(share for share, _ in group) <= 1
        for _, rules in group:
            for rule in rules:
                assert rule.reads
                assert all(0 < rate <= 1 for rate in rule.rates)


@pytest.mark.parametrize("path", TABLES, ids=lambda p: p.stem)
def test_every_rule_strikes(path):
    for group in Styles.read(path).groups.values():
        for rule in (rule for _, rules in group for rule in rules):
            text = TEXT if rule.print.startswith("@") else f"слово{rule.print}слово {rule.print}"
            done = corrupt(text, random.Random(1), [rule.layer(1.0)])
            assert "".join(s.print for s in done) == text
            assert any(s.print != s.ocr for s in done), rule


def test_a_document_has_one_style_of_a_group():
    styles = Styles({"yat": [(0.5, [rule("ѣ", "ђ")]), (0.5, [rule("ѣ", "е")])]})
    seen = set()
    for seed in range(20):
        layers = styles.draw(random.Random(seed))
        read = "".join(s.ocr for s in corrupt("ѣ" * 30, random.Random(0), layers))
        assert len(set(read)) == 1
        seen.add(read[0])
    assert seen == {"ђ", "е"}


def test_noise_is_the_same_for_the_same_seed():
    noise = Noise([Counted([("пе", "не"), ("пе", "не"), ("не", "не")])], Styles.read(TABLES[-1]), "ѣ")

    def once():
        rng = random.Random(7)
        return [corrupt(TEXT, rng, noise.profile(rng)) for _ in range(20)]

    assert once() == once()
    assert any(s.print != s.ocr for parts in once() for s in parts)


def test_counted_rates_are_those_of_the_pairs():
    counted = Counted([("пе пе не не", "не не не не")] * 5)
    assert counted.rate == {"н": pytest.approx(0.5)}


def rule(print_, read):
    return Rule(print_, (read,), (1.0,), (1.0,))
