"""``hoyle evaluate --text``: passages, what is counted in them, and how far the figures hold."""

from __future__ import annotations

import dataclasses
import json
import lzma
import re

import numpy as np
import pytest
from click.testing import CliRunner

from hoyle.cli import main
from hoyle.correction.candidate import Candidate, Change
from hoyle.correction.stage import correct
from hoyle.correction.units import score_units
from hoyle.document import Edit, Evidence, Span
from hoyle.errors import HoyleError
from hoyle.evaluate.bootstrap import Rate, estimates
from hoyle.evaluate.correction import ALL, BANDS, RATES, STEPS, correct_document, report, score_passages
from hoyle.evaluate.passages import PASSAGES_PER_DOCUMENT, Passage, group_passages, make_sample, read_passages
from hoyle.evaluate.text import broken_words, score_text
from hoyle.languages import language

FRENCH = [
    Passage("Le joueur nc prend pas la carte.", "Le joueur ne prend pas la carte.", stratum="one"),
    Passage("Il dit que la par-\ntie est perdue.", "Il dit que la partie est perdue.", stratum="two"),
    Passage("Les joueurs donnent les cartes.", "Les joueurs donnent les cartes.", stratum="two"),
]


def passages(*made):
    return [Passage(p.ocr, p.gold, p.id, "fr", p.stratum, p.doc) for p in made or FRENCH]


def test_words_run_together_are_broken():
    score = score_text("не только онъ", "нетолько онъ", "не только онъ")
    assert (score.words_right_before, score.words_broken, score.words_corrected) == (3, 2, 0)
    assert broken_words("не только онъ", "нетолько онъ", "не только онъ") == ["не", "только"]


def test_hyphens_are_counted_separately():
    score = score_text("la par-\ntie nc va", "la partie ne va", "la partie ne va")
    assert (score.words_corrected, score.hyphens_joined) == (2, 1)
    assert (score.errors_before, score.unhyphenated_before) == (3, 1)
    assert score_text("quatre-vingts", "quatrevingts", "quatre-vingts").hyphens_joined == 0
    parted = score_text("l'ap-pareil quatre-vingts", "l'appareil quatrevints", "l'ap-pareil quatre-vingts")
    assert (parted.hyphens_joined, parted.words_broken, parted.unhyphenated_words_broken) == (0, 2, 1)


def test_apostrophes_and_white_space_make_no_error():
    score = score_text("l’ami\n  va", "l'ami va", "l'ami va")
    assert (score.errors_before, score.errors_after, score.word_errors_before) == (0, 0, 0)


def test_a_file_of_passages_is_read(tmp_path):
    rows = [
        {"ocr": "a", "gold": "b", "id": 7, "kind": "plain", "level": "light"},
        {"ocr": "c", "gold": "d", "lang": "ru", "stratum": "news", "kind": "x", "doc": "n1"},
        {"ocr": " ", "gold": "lost"},
    ]
    path = tmp_path / "set.jsonl.xz"
    path.write_bytes(lzma.compress("\n\n".join(json.dumps(row) for row in rows).encode()))
    assert list(read_passages(path, "fr")) == [
        Passage("a", "b", "7", "fr", "plain light"),
        Passage("c", "d", "", "ru", "news", "n1"),
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            b'{"ocr": "a", "gold": "b"}\n{"ocr": "a"}',
            "set.jsonl:2: needs a JSON object with a text in .*'gold'",
        ),
        (b'{"ocr": "a", "gold": 3}', "set.jsonl:1: needs a JSON object"),
        (b"[1]", "set.jsonl:1: needs a JSON object with a text in the field 'ocr'"),
        (b"\xff", "set.jsonl:1: is no JSON in UTF-8"),
        (b'{"ocr": "a", "gold": "b", "lang": "tlh"}', "set.jsonl:1: unknown language 'tlh'"),
        (b"\n", "set.jsonl: holds no passage"),
        (b'{"ocr": "", "gold": "b"}', "set.jsonl: holds no passage"),
    ],
)
def test_the_error_names_a_line_that_is_no_passage(tmp_path, data, message):
    path = tmp_path / "set.jsonl"
    path.write_bytes(data)
    with pytest.raises(HoyleError) as caught:
        list(read_passages(path))
    assert re.search(message, str(caught.value))


def test_a_file_that_is_not_packed_as_its_name_says(tmp_path):
    path = tmp_path / "set.jsonl.xz"
    path.write_bytes(b"{}")
    with pytest.raises(HoyleError, match="cannot be unpacked"):
        list(read_passages(path))


def test_passages_of_one_scan_make_one_document():
    row = [
        Passage(f"p{i}", "", lang="fr", doc="scan" if i % 2 else "")
        for i in range(2 * PASSAGES_PER_DOCUMENT + 4)
    ]
    made = list(group_passages(row))
    assert [len(one.passages) for one in made] == [PASSAGES_PER_DOCUMENT + 2, PASSAGES_PER_DOCUMENT, 2]
    for one in made:
        text = one.document.source.text
        assert ["".join(text[a:b] for a, b in u.spans) for u in one.document.units] == [
            passage.ocr for passage in one.passages
        ]


def test_the_language_is_detected_where_it_is_not_given():
    text = "Игрокъ, который сдаетъ карты, долженъ показать ихъ всѣмъ товарищамъ; тѣхъ картъ нѣтъ."
    assert make_sample("d", [Passage(text, text)]).document.lang == "ru-petr1708"


def edited(bare, *changes):
    """The document with its layout edits and the given corrections of its words."""
    text = bare.source.text
    layout = [e for e in correct(bare, language(bare.lang)) if e.kind == "layout"]
    made = [
        Edit(Span(text.index(b), text.index(b) + len(b)), b, after, "correct", Evidence("test", confidence))
        for b, after, confidence in changes
    ]
    return bare.with_layer("correct", sorted([*layout, *made], key=lambda e: e.span))


def test_every_change_has_its_band():
    one = make_sample("d", passages())
    done = edited(one.document, ("nc", "ne", 0.95), ("Les", "Ces", 0.6))
    first, second, third = score_passages(done, one.passages)
    assert (first.changes["sure"], first.changes["flagged"]) == ((1, 1, 0), (0, 0, 0))
    assert second.changes["hyphens"] == (1, 1, 0)
    assert second.scores["flagged"].hyphens_joined == 1
    assert (third.changes["sure"], third.changes["flagged"]) == ((0, 0, 0), (1, 0, 1))
    assert third.scores["sure"].words_broken == 0
    assert third.scores["flagged"].words_broken == 1
    assert set(first.changes) == set(BANDS)
    assert (first.broken, second.broken, third.broken) == ([], [], ["Les"])
    whole = report([first, second, third])[ALL]
    assert whole.figures["false_changes_per_10000"].value == pytest.approx(1e4 / whole.characters)


def test_proposed_changes_are_scored_as_if_they_were_made(monkeypatch):
    def proposing(done, language):
        change = Change(2, "ne", None)
        for one in score_units(done, language):
            at = one.edited.text.find("nc")
            made = [Candidate(at, at + 2, (change,), "test", probability=0.2)] if at >= 0 else []
            yield dataclasses.replace(one, candidates=made)

    monkeypatch.setattr("hoyle.evaluate.correction.score_units", proposing)
    one = make_sample("d", passages())
    first, second, _ = score_passages(edited(one.document), one.passages)
    assert (first.changes["proposed"], second.changes["proposed"]) == ((1, 1, 0), (0, 0, 0))
    assert (first.scores["flagged"].words_corrected, first.scores["proposed"].words_corrected) == (0, 1)
    done = edited(one.document, ("nc", "ne", 0.95))
    assert next(score_passages(done, one.passages)).changes["proposed"] == (0, 0, 0)


def test_a_report_has_each_stratum():
    one = make_sample("d", passages())
    made = report(score_passages(correct_document(one.document), one.passages))
    assert list(made) == ["one", "two", ALL]
    assert made[ALL].characters == made["one"].characters + made["two"].characters
    assert set(made[ALL].figures) == set(RATES)
    for step in STEPS:
        assert "cer_after" in made[ALL].bands[step]
    assert made[ALL].bands["flagged"]["cer_after"] == made[ALL].figures["cer_after"]
    assert report([]) == {}


def test_intervals_agree_with_the_normal_approximation():
    rng = np.random.default_rng(1)
    errors, size = rng.poisson(3, 400).astype(float), np.full(400, 100.0)
    rates = {"cer": Rate(100, "errors", "size"), "none": Rate(1, "errors", "nothing")}
    counts = {"errors": errors, "size": size, "nothing": np.zeros(400)}
    made = estimates(counts, rates)
    assert made["cer"].value == pytest.approx(errors.mean())
    spread = 1.96 * errors.std() / 20
    assert made["cer"].low == pytest.approx(errors.mean() - spread, abs=0.05)
    assert made["cer"].high == pytest.approx(errors.mean() + spread, abs=0.05)
    assert made["none"] == (0, 0, 0)
    assert estimates(counts, rates) == made


@pytest.fixture
def french(tmp_path):
    path = tmp_path / "set.jsonl"
    rows = [{"ocr": p.ocr, "gold": p.gold, "stratum": p.stratum} for p in FRENCH]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return str(path)


def test_the_command_gives_json(french):
    result = CliRunner().invoke(main, ["evaluate", "--text", french, "--lang", "fr", "--json"])
    assert result.exit_code == 0, result.stderr
    (made,) = json.loads(result.stdout).values()
    assert list(made) == ["one", "two", "all"]
    value, low, high = made["all"]["figures"]["cer_after"]
    assert low <= value <= high
    assert made["all"]["bands"]["hyphens"]["right"][0] == 100


def test_the_command_gives_tables(french):
    result = CliRunner().invoke(main, ["evaluate", "--text", french, "--lang", "fr"])
    assert result.exit_code == 0, result.stderr
    assert "characters of gold" in result.stdout
    assert [line.split()[0] for line in result.stdout.splitlines() if line.strip()][1:] == [
        "stratum", "one", "two", "all", "band", *BANDS
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--text", "--tags"], 2, "passages have no tags"),
        (["--text", "--lang", "fr", "--at-least", "errors_removed=101"], 1, "under 101"),
        (["--text", "--lang", "fr", "--at-least", "nothing=1"], 2, "no figure nothing"),
        (["--lang", "fr"], 2, "--lang is for passages"),
    ],
)
def test_what_the_command_refuses(french, arguments, code, message):
    result = CliRunner().invoke(main, ["evaluate", french, *arguments])
    assert result.exit_code == code
    assert message in result.stderr


@pytest.mark.parametrize(
    ("text", "errors", "characters"),
    [
        ("e\u0301te\u0301", 0, 3),  # decomposed, as some OCR writes it
        ("ete\u0301", 1, 3),
        ("été", 0, 3),
    ],
)
def test_a_letter_with_its_accents_is_one_character(text, errors, characters):
    score = score_text(text, text, "été")
    assert (score.errors_before, score.characters, score.word_errors_before) == (errors, characters, errors)


def test_a_letter_that_has_no_composed_form_is_one_character():
    score = score_text("q\u0303 p\u0304", "q p", "q\u0303 p\u0304")
    assert (score.characters, score.errors_before, score.errors_after) == (3, 0, 2)
