"""The training of the tagger: edit scripts, noise, samples. (The model itself needs torch.)"""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageFont

TRAINING = Path(__file__).resolve().parents[2] / "pipeline" / "training"
sys.path += [str(TRAINING), str(TRAINING / "tagger")]

import render  # noqa: E402
from count_styles import confusions, counted, rates  # noqa: E402
from data import IN_ORDER, SCANS, is_sound, positional_letters, split_scans, whole_words  # noqa: E402
from noise import Counted, Noise, Rule, Styles, corrupt  # noqa: E402
from pairs import Pair  # noqa: E402
from script import Segment, apply, script, segments  # noqa: E402

from hoyle.languages import language  # noqa: E402
from hoyle.tables import read_table  # noqa: E402

TABLES = sorted(p for kind in ("noise", "scans") for p in (TRAINING / "tagger").glob(f"{kind}_*.tsv"))
SCAN_TABLES = [path for path in TABLES if path.stem.startswith("scans_")]
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
            literal = re.sub(r"\\(.)", lambda m: m[1].replace("b", "").replace("B", ""), rule.print)
            text = TEXT if rule.print.startswith("@") else f"слово{literal}слово {literal}, слово{literal}"
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
    styles = Styles.read(TRAINING / "tagger" / "noise_ru_petr1708.tsv")
    noise = Noise([Counted([("пе", "не"), ("пе", "не"), ("не", "не")])], styles, "ѣ")

    def once():
        rng = random.Random(7)
        return [corrupt(TEXT, rng, noise.profile(rng)) for _ in range(20)]

    assert once() == once()
    assert any(s.print != s.ocr for parts in once() for s in parts)


def test_counted_rates_are_those_of_the_pairs():
    counted = Counted([("пе пе не не", "не не не не")] * 5)
    assert counted.rate == {"н": pytest.approx(0.5)}


@pytest.mark.parametrize("path", SCAN_TABLES, ids=lambda p: p.stem)
def test_rows_of_scans_are_borne_out_by_their_counts(path):
    for row in read_table(path, ("layer", "share", "rates", "print", "reads", "count", "of", "example")):
        assert sum(Rule.of(row).weights) <= row.number("count") <= row.number("of"), row.where
        read, _, print_ = row["example"].partition(" → ")
        assert read != print_, row.where
        assert re.search(row["print"].removesuffix("\\ ").removeprefix("\\ "), print_), row.where


def read_as(name, layer, text):
    """What ten documents in a style of scans make of each character of a text."""
    rules = Styles.read(TRAINING / "tagger" / f"scans_{name}.tsv").groups[layer][0][1]
    found = Counter()
    for seed in range(10):
        rng = random.Random(seed)
        for part in corrupt(text, rng, [rule.drawn(rng) for rule in rules]):
            found[part.print if len(part.print) == 1 or part.print != part.ocr else "", part.ocr] += 1
    return found


def test_long_s_is_read_f_and_the_s_at_the_end_of_a_word_is_not():
    inside = read_as("fr", "long-s", "la seconde sorte de jeu se nomme la poste ; " * 9)
    assert inside["s", "f"] > 10 * 9 * 0.3
    final = read_as("fr", "long-s", "les joueurs et leurs cartes, puis les levées ; " * 9)
    assert final["s", "f"] == 0


def test_civil_type_has_sh_for_t_and_a_tall_sign_for_the_hard_one():
    found = read_as("ru_petr1708", "civil", "игроку отданъ тузъ, и кто первый, тотъ ходитъ; " * 9)
    assert found["т", "ш"] > 10 * 9 * 0.1
    assert found["ъ", "Ь"] + found["ъ", "Ъ"] > found["ъ", "ь"] > 0


def test_a_confusion_is_told_by_whether_its_word_goes_on():
    assert list(confusions(Pair("fans faute, pas.", "sans faute, pas,"))) == [
        (r"s\B", "f", "fans → sans"),
        (",", ".", "pas. → pas,"),
    ]


def test_rates_are_those_of_single_prints():
    prints = {f"{n}": [Pair("fa" * n + "sa" * (20 - n), "sa" * 20)] for n in range(4, 14, 2)}
    found, of = counted(prints)
    assert found[r"s\B"].reads == {"f": 40}
    assert rates(found[r"s\B"].wrong, of[r"s\B"]) == [0.2, 0.3, 0.4, 0.5, 0.6]


@pytest.mark.parametrize("tag", SCANS)
def test_a_print_is_trained_on_or_measured_never_both(tag, tmp_path):
    records = [
        {"id": f"p-{i}-{k}", "doc": f"p-{i}", "ocr": f"карта {i}", "gold": f"карта {i}"}
        for i in range(12)
        for k in range(3)
    ]
    path = tmp_path / "scans.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    trained, measured = split_scans(tmp_path, tag, path.name)
    sides = [{name.rpartition("-")[0] for name in side} for side in (trained, measured)]
    assert not sides[0] & sides[1]
    assert len(trained) + len(measured) == len(records)
    assert len(sides[1]) == (6 if tag in IN_ORDER else 4)


def test_lines_in_no_order_lose_cut_words_and_lines_read_as_something_else():
    pair = Pair(
        "il faut la pofer fur le\nqui fait la re-\n| ;; *",
        "il faut la poser sur le\nqui fait la re-\nmise & la vole",
    )
    assert whole_words(pair) == ("il faut la pofer fur le qui fait la", "il faut la poser sur le qui fait la")


def test_classical_spellings_are_as_their_examples():
    """Each row makes its example of some newer word of the lexicon."""
    rows = read_table(TRAINING / "tagger" / "classical_fr.tsv", ("pattern", "old", "count", "example"))
    newer = ("après", "père", "comédie", "était", "être", "château", "votre", "vôtre", "maître", "île", "eût")
    newer += ("ici", "oui", "vu", "cru", "reçu", "su", "pu", "bontés", "cette", "rue", "fut", "eut", "aient")
    newer += ("infidèle", "complète", "appeler", "saint", "fait", "nuit", "effets", "assurer", "flamme")
    newer += ("toujours", "pays", "déjà", "plupart", "joie", "aimer", "avec", "jusque")
    for row in rows:
        made = {re.sub(row["pattern"], row["old"], word, count=1) for word in newer}
        assert row["example"] in made | {word.replace("ait", "oit") for word in made}, row.where


def test_u_and_v_stand_by_their_place_in_older_prints():
    assert (
        positional_letters("Une levée vaut un jeton, jamais deux") == "Vne leuée vaut vn ieton, iamais deux"
    )


def test_the_quick_convolution_is_the_convolution():
    torch = pytest.importorskip("torch")
    from model import Block  # noqa: PLC0415 - needs torch

    for dilation in (1, 2, 4):
        block = Block(16, 7, dilation)
        hidden = torch.randn(2, 21, 16)
        slow = block.mix(hidden.transpose(1, 2)).transpose(1, 2)
        assert torch.allclose(block._mixed(hidden), slow, atol=1e-5)


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
