"""The training of the tagger: edit scripts, noise, samples. (The model itself needs torch.)"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageFont

TRAINING = Path(__file__).resolve().parents[2] / "pipeline" / "training"
sys.path += [str(TRAINING), str(TRAINING / "tagger")]

import render  # noqa: E402
from data import is_sound  # noqa: E402
from noise import Counted, Noise, Rule, Styles, corrupt  # noqa: E402
from script import Segment, apply, script, segments  # noqa: E402

from hoyle.languages import language  # noqa: E402

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


TYPE = ImageFont.load_default(40)


def _set(text: str, width: int) -> list[render.Line]:
    return list(render._lines(0, [render.Word(word, TYPE, 0.0) for word in text.split()], width, 20))


@given(st.lists(st.text("обвгaeéтръ-", min_size=1, max_size=15), max_size=20), st.integers(60, 900))
def test_lines_set_every_letter_and_cut_words_by_hyphens(words, width):
    lines = _set(" ".join(words), width)
    kept = "".join(line.text.removesuffix("-").replace(" ", "") for line in lines)
    assert kept.replace("-", "") == "".join(words).replace("-", "")
    for line in lines:
        wide = sum(word.width for word in line.words) + (len(line.words) - 1) * TYPE.getlength(" ")
        assert wide <= width - line.indent or len(line.words) == 1


def test_a_word_is_cut_before_a_consonant_that_follows_a_vowel():
    room = TYPE.getlength("на вто-") + 25  # the first line is indented by 20
    first, second = _set("на второмъ", int(room))
    assert (first.text, second.text) == ("на вто-", "ромъ")


def test_a_page_read_is_cut_at_its_paragraphs_and_lost_ones_are_left_out():
    set_, lost, last = "Кто сдаетъ, не смотритъ.", "Послѣ сдачи никто не говоритъ.", "Игра кончена."
    lines = [
        render.Line(number, [render.Word(word, TYPE, 0.0) for word in text.split()], 0, full=False)
        for number, text in enumerate((set_, lost, last))
    ]
    pairs = list(render.aligned(lines, "Кто сдаеть, не смотрить.\nИгра копчена."))
    assert pairs == [("Кто сдаеть, не смотрить.", set_), ("Игра копчена.", last)]


def test_what_is_drawn_for_a_page_hangs_on_its_name_alone(monkeypatch):
    fonts = {size: ImageFont.load_default(size) for size in (38, 42, 46, 50)}
    monkeypatch.setattr(render.ImageFont, "truetype", lambda _, size: fonts[size])
    pages = [render.Page("one", [TEXT] * 9, (Path("roman"), Path("italic")), "rus") for _ in range(2)]
    first, second = (render.spoil(render.draw(page)[0], page.rng) for page in pages)
    assert first[0].tobytes() == second[0].tobytes()
    assert first[1] == second[1]


def test_a_stretch_of_corpus_with_misread_words_is_not_sound():
    words = language("ru-petr1708").lexicon
    text = "Игрокъ не можетъ взять карты со стола. " * 40
    assert is_sound(text, words)
    assert not is_sound(text + "Онъ смотритъ па столъ. " * 4, words)
