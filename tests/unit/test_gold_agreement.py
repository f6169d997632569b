"""Annotations: what is found wrong in them, how agreement is counted, what is written as gold."""

from __future__ import annotations

import hashlib
import json
import lzma
import sys
from pathlib import Path

import pytest

TRAINING = Path(__file__).resolve().parents[2] / "pipeline" / "training"
sys.path.append(str(TRAINING))

import gold_agreement  # noqa: E402
from gold_agreement import agreement, differing, f1, kappa, same_conditions, settled  # noqa: E402
from gold_answers import answers, faults, gold, passage, place  # noqa: E402

from hoyle.errors import HoyleError  # noqa: E402

RAW = "Titre.\n1. Celui qui montre une carte paie deux jetons, si l'adversaire le demande.\n2. On mêle."
TEXT = RAW[7:84]
ITEM = {
    "id": "regles.01",
    "work": "regles",
    "file": "regles.txt",
    "sha256": hashlib.sha256(RAW.encode()).hexdigest(),
    "start": 7,
    "end": 84,
    "lang": "fr",
    "text": TEXT,
}
ANSWER = {
    "id": "regles.01",
    "rule": True,
    "game": None,
    "modality": "penalty",
    "modality_also": [],
    "actors": [{"id": "any-player", "quote": "Celui qui"}, {"id": "opponent", "quote": "l'adversaire"}],
    "offences": [{"id": "exposed", "quote": "montre une carte"}],
    "penalties": [{"type": "fine", "quote": "paie deux jetons", "against": "any-player"}],
    "conditions": ["Celui qui montre une carte", "si l'adversaire le demande"],
    "unsure": [],
}
NO_RULE = {
    **ANSWER,
    "rule": False,
    "modality": None,
    **{key: [] for key in ("actors", "offences", "penalties", "conditions")},
}


def other(**facets):
    return {**ANSWER, **facets}


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (
            other(actors=[{"id": "any-player", "quote": "Celle qui"}]),
            "'Celle qui' does not stand in the passage",
        ),
        (other(conditions=["quand il pleut"]), "conditions: 'quand il pleut' does not stand"),
        (other(modality="duty"), "modalities: no id 'duty'"),
        (other(game="mah-jong"), "games: no id 'mah-jong'"),
        (other(offences=[*ANSWER["offences"]] * 2), "offences: an id stands twice"),
        (other(actors=[]), "against 'any-player' is not among the actors"),
        (other(rule=False), "where it is false all else is empty"),
        (other(rule="yes"), "rule: must be true or false"),
        (other(unsure=["phase"]), "no facet"),
        ({key: ANSWER[key] for key in ANSWER if key != "game"}, "lacks game"),
    ],
)
def test_a_fault_is_named(answer, fault):
    assert fault in "\n".join(faults(ITEM, answer))


@pytest.mark.parametrize("answer", [ANSWER, NO_RULE])
def test_a_sound_answer_has_no_fault(answer):
    assert faults(ITEM, answer) == []


def test_kappa_of_a_published_example():
    """Fifty proposals read by two people, 20 and 15 times alike: 0.4 (the usual textbook case)."""
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert kappa(pairs) == pytest.approx(0.4)
    assert kappa([(1, 1), (1, 1)]) == 1
    assert kappa([]) == 0


def test_f1_counts_all_items_together():
    assert f1([({1, 2}, {2}), (set(), {3})]) == pytest.approx(2 / 4)
    assert f1([(set(), set())]) == 1


def test_conditions_are_the_same_if_half_of_the_longer_is_shared():
    longer = other(conditions=["montre une carte", "si l'adversaire"])
    assert same_conditions(ITEM, ANSWER, longer) == 2
    assert same_conditions(ITEM, ANSWER, other(conditions=["carte", "carte paie"])) == 0
    assert same_conditions(ITEM, other(conditions=[TEXT[:30]]), other(conditions=[TEXT[:20], TEXT[:25]])) == 1


def test_agreement_is_counted_on_what_both_call_a_rule():
    second = other(modality="obligation", penalties=[{**ANSWER["penalties"][0], "against": None}])
    rows = {row.facet: row for row in agreement([(ITEM, ANSWER, second), (ITEM, ANSWER, NO_RULE)])}
    assert rows["rule"].count == 2
    assert rows["modality"].count == 1
    assert rows["modality"].value == 0
    assert rows["penalties"].value == 1
    assert rows["penalties and whom they hit"].value == 0
    assert rows["conditions"].value == 1
    assert rows["actors"].count == 4


def test_what_differs_is_named_and_settled_by_the_third_reader():
    second = other(modality="obligation", conditions=["paie"])
    assert differing(ITEM, ANSWER, ANSWER) == []
    assert differing(ITEM, ANSWER, NO_RULE) == ["rule"]
    assert differing(ITEM, ANSWER, second) == ["modality", "conditions"]
    assert differing(ITEM, ANSWER, other(modality_also=["advice"])) == ["modality_also"]
    decision = {"modality": "prohibition", "conditions": ["paie"], "game": "chess"}
    made = settled(ITEM, ANSWER, second, decision)
    assert (made["modality"], made["game"], made["actors"]) == ("prohibition", "chess", ANSWER["actors"])
    assert made["settled"] == {"modality": "neither", "conditions": "second", "game": "rule"}
    with pytest.raises(HoyleError, match=r"regles\.01: .* nothing is decided on modality"):
        settled(ITEM, ANSWER, second, {"conditions": []})
    with pytest.raises(HoyleError, match=r"regles\.01: the settled answer is faulty: .*no id 'duty'"):
        settled(ITEM, ANSWER, second, {**decision, "modality": "duty"})


def test_gold_has_offsets_and_no_words():
    made = gold(ITEM, {**ANSWER, "settled": {"modality": "first"}})
    assert [RAW[e["start"] : e["end"]] for e in made["actors"]] == ["Celui qui", "l'adversaire"]
    assert [RAW[e["start"] : e["end"]] for e in made["conditions"]] == ANSWER["conditions"]
    assert made["penalties"][0]["against"] == "any-player"
    assert "carte" not in json.dumps(made, ensure_ascii=False)


def test_a_passage_is_read_from_its_file_and_another_file_is_refused(tmp_path):
    (tmp_path / "regles.txt").write_bytes(RAW.encode())
    assert passage(tmp_path, ITEM) == TEXT
    lines = "\n".join(["", json.dumps({"gold": RAW})]).encode()
    for name, data in (("x.jsonl", lines), ("x.jsonl.xz", lzma.compress(lines))):
        (tmp_path / name).write_bytes(data)
        at = {"file": name, "sha256": hashlib.sha256(data).hexdigest(), "record": 1, "field": "gold"}
        assert passage(tmp_path, {**ITEM, **at}) == TEXT
    (tmp_path / "regles.txt").write_bytes(RAW.encode() + b"\n")
    with pytest.raises(HoyleError, match=r"regles\.txt: is another file"):
        passage(tmp_path, ITEM)


def folder(path, entries):
    path.mkdir()
    (path / "p1.json").write_text(json.dumps(entries, ensure_ascii=False), encoding="utf-8")
    return str(path)


def test_an_id_that_stands_twice_and_a_file_that_is_no_list_are_refused(tmp_path):
    with pytest.raises(HoyleError, match="stands twice"):
        answers(Path(folder(tmp_path / "a", [ANSWER, ANSWER])))
    with pytest.raises(HoyleError, match=r"p1\.json: is no JSON list"):
        answers(Path(folder(tmp_path / "b", 3)))


def test_the_three_commands(tmp_path, monkeypatch, capsys):
    second = other(modality="obligation")
    packages = folder(tmp_path / "packages", [ITEM])
    a, b = folder(tmp_path / "a", [ANSWER]), folder(tmp_path / "b", [second])
    none, decided = folder(tmp_path / "none", []), folder(tmp_path / "decided", [second])
    split = tmp_path / "split.json"
    split.write_text(json.dumps({"works": {"regles": "held"}}), encoding="utf-8")

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["gold_agreement.py", *map(str, arguments)])
        return gold_agreement.main(), capsys.readouterr().out

    assert run("check", packages, a) == (0, "1 of 1 items answered, 0 faults\n")
    places = ("--split", split, "--differences", tmp_path / "differences.json")
    status, said = run("compare", packages, a, b, *places)
    assert status == 0
    assert [line[3:] for line in said.splitlines() if line.startswith("## ")] == [
        "all",
        "French",
        "Russian",
        "develop",
        "held",
    ]
    assert "| actors | F1 | 1.00 | 4 |" in said
    assert "1 of 1 items differ: {'modality': 1}" in said
    assert json.loads((tmp_path / "differences.json").read_text())[0]["differ"] == ["modality"]
    status, said = run("settle", packages, a, b, none, split, tmp_path / "gold")
    assert (status, (tmp_path / "gold").exists()) == (1, False)
    assert "nothing is decided on modality" in said
    status, said = run("settle", packages, a, b, decided, split, tmp_path / "gold")
    assert (status, said) == (0, "1 items settled, 0 open\nmodality: second 1\n")
    whole = json.loads((tmp_path / "gold" / "regles.json").read_text())
    assert (whole["split"], whole["files"]) == ("held", {"regles.txt": ITEM["sha256"]})
    assert whole["items"][0]["modality"] == "obligation"


def test_a_place_is_the_first_occurrence():
    assert place(ITEM, "carte") == (TEXT.index("carte"), TEXT.index("carte") + 5)
