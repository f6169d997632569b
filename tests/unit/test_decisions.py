"""Editors' decisions: what they win over, when they are not applied, and that nothing loses them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoyle import loading
from hoyle.document import (
    DECISIONS,
    Block,
    Clause,
    Decision,
    Document,
    Edit,
    Evidence,
    Meta,
    Source,
    Span,
    Tag,
)
from hoyle.document.text_layers import layer_text
from hoyle.editorial import decisions
from hoyle.editorial.apply import apply_decisions
from hoyle.errors import TableError
from hoyle.evaluate import measure
from hoyle.explain import explain_unit
from hoyle.languages import language
from hoyle.pipeline import STAGES, stages
from hoyle.tei.read import read_document
from hoyle.tei.verify import verify_bytes
from hoyle.tei.write import tei_bytes
from support import gold
from support.any_document import ANY, documents

TEXT = "52. Le dernie a le pri-\nvilége tont fait.\n53. Il perd.\na) tout\nb) rien"
WHY = Evidence("a model", 0.8)
HEAD = "start\tend\traw\tdecision\tvalue\teditor\tdate\treason\n"


def at(words: str) -> Span:
    start = TEXT.index(words)
    return Span(start, start + len(words))


def edit(words: str, after: str, kind="correct") -> Edit:
    return Edit(at(words), words, after, kind, WHY)


def clause(number: str, words: str, label: str) -> Clause:
    return Clause(f"d.{number}", label, tuple(number.split(".")), (at(words),), WHY, label_span=at(label))


UNITS = [
    clause("52", "52. Le dernie a le pri-\nvilége tont fait.", "52."),
    clause("53", "53. Il perd.", "53."),
    clause("53.a", "a) tout", "a)"),
    clause("53.b", "b) rien", "b)"),
]


def decision(words: str, kind, value="", text=None, line=2) -> Decision:
    where = f"corpus/d/decisions.tsv:{line}"
    return Decision(
        at(words), words if text is None else text, kind, value, "A. Editor", "1999-12-31", "sense", where
    )


def decided(*given: Decision, edits=(), tags=(), units=UNITS) -> Document:
    source = Source("d", "d.txt", TEXT, "0" * 64, len(TEXT.encode()))
    bare = Document(source, Meta("d", lang="fr", decisions=given, editors=("A. Editor",)))
    document = bare.with_layer("clauses", units).with_layer("correct", edits)
    return document.with_layer(DECISIONS, apply_decisions(document, language(document.lang))).with_layer(
        "tag", tags
    )


def reads(document: Document, words: str) -> str:
    [unit] = [u for u in document.units if any(s.covers(at(words)) for s in u.spans)]
    return layer_text(document, unit.spans, "corrected").text


def doubts(document: Document) -> list[str]:
    return [f.value for f in document.findings if f.doubt]


@pytest.mark.parametrize(
    "machine",
    [
        [],
        [edit("dernie", "dernière")],
        [edit("Le dernie a", "Le dernier à")],
        [edit("ern", "orn"), Edit(Span(13, 13), "", "r", "correct", WHY)],
        [Edit(Span(13, 13), "", "s", "correct", WHY)],
    ],
)
def test_a_reading_wins_over_whatever_the_machine_does_there(machine):
    document = decided(decision("dernie", "read-as", "dernier"), edits=machine)
    assert " dernier a " in reads(document, "dernie")
    assert doubts(document) == []


def test_what_the_machine_does_elsewhere_stays_and_its_layer_is_kept_whole():
    machine = [edit("dernie", "dernière"), edit("tont", "tout"), edit("-\n", "", "layout")]
    document = decided(decision("dernie", "read-as", "dernier"), edits=machine)
    assert reads(document, "dernie") == "52. Le dernier a le privilége tout fait."
    assert document.layers["correct"] == tuple(machine)


def test_a_decision_is_on_record_with_editor_date_and_reason():
    document = decided(decision("tont", "read-as", "tout"))
    [found] = document.findings
    assert found.value == "'tont' read as 'tout': sense (A. Editor, 1999-12-31)"
    assert found.why == Evidence("corpus/d/decisions.tsv:2", 1.0)
    assert any("decisions.tsv:2, 1.00" in line for line in explain_unit(document, document.units[0]))


def test_rejecting_lets_the_scan_stand_but_keeps_line_ends():
    machine = [edit("-\n", "", "layout"), edit("vilége", "vilège")]
    document = decided(decision("pri-\nvilége", "reject"), edits=machine)
    assert "privilége" in reads(document, "pri-")
    assert [e.kind for e in document.edits] == ["layout"]


def test_accepting_makes_the_machine_s_reading_the_editor_s():
    document = decided(decision("tont", "accept", "tout"), edits=[edit("tont", "tout")])
    [made] = document.edits
    assert (made.after, made.why) == ("tout", Evidence("corpus/d/decisions.tsv:2", 1.0))


@pytest.mark.parametrize(
    ("given", "edits", "doubt"),
    [
        (decision("tont", "accept", "tout"), [edit("tont", "tant")], "now reads 'tant'"),
        (decision("tont", "accept"), [], "changes nothing there any more"),
        (decision("tont", "read-as", "tout", text="toul"), [], "the source reads 'tont' there, not 'toul'"),
        (decision(".\n53", "read-as", "."), [], "in no one part"),
        (decision("tont", "number", "54"), [], "at the label of a clause"),
        (decision("53.", "number", "52"), [], "there is another clause 52"),
        (decision("a)", "number", "53.b"), [], "there is another clause 53.b"),
    ],
)
def test_a_decision_that_does_not_fit_is_a_doubt_and_changes_nothing(given, edits, doubt):
    document = decided(given, edits=edits)
    [said] = doubts(document)
    assert said.startswith("corpus/d/decisions.tsv:2 is not applied")
    assert doubt in said
    bare = decided(edits=edits)
    assert (document.edits, document.units) == (bare.edits, bare.units)


def test_a_decision_past_the_end_of_the_text_is_a_doubt():
    given = Decision(Span(900, 901), "x", "read-as", "y", "E", "1999", "", "d:2")
    assert "not applied" in doubts(decided(given))[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (decision("tont", "read-as", "tout"), decision("tont fait", "read-as", "tout fait", line=3)),
        (decision("tont", "read-as", "tout"), decision("tont", "reject", line=3)),
        (decision("tont", "accept"), decision("fait", "read-as", "faits", line=3)),
        (decision("53.", "number", "54"), decision("53.", "number", "55", line=3)),
        (decision("perd", "tag", "actor:dealer"), decision("53.", "tag", "-actor:dealer", line=3)),
        (decision("perd", "tag", "modality:penalty"), decision("53.", "tag", "modality:permission", line=3)),
    ],
)
def test_two_that_clash_are_both_reported_and_neither_is_applied(one, other):
    machine = [edit("tont fait", "tout fait")]
    document = decided(one, other, edits=machine)
    assert len(doubts(document)) == 2
    assert "clashes with corpus/d/decisions.tsv:3" in doubts(document)[0]
    assert "clashes with corpus/d/decisions.tsv:2" in doubts(document)[1]
    assert (document.edits, document.units, document.tags) == (tuple(machine), tuple(UNITS), ())


def test_readings_side_by_side_do_not_clash():
    document = decided(decision("tont ", "read-as", "tout "), decision("fait", "read-as", "faits", line=3))
    assert reads(document, "tont").endswith("tout faits.")
    assert doubts(document) == []


def test_a_number_takes_what_is_below_it_along():
    note = Block("d.f1", "footnote", (at("b) rien"),), WHY, parent="d.53")
    document = decided(decision("53.", "number", "54"), edits=[edit("53.", "53,")], units=[*UNITS[:3], note])
    assert [u.id for u in document.units] == ["d.52", "d.54", "d.54.a", "d.f1"]
    assert document.units[1].why == Evidence("corpus/d/decisions.tsv:2", 1.0)
    assert document.units[2].why == WHY
    assert document.units[3].parent == "d.54"
    assert reads(document, "53.") == "54, Il perd."


def test_numbers_can_be_exchanged():
    document = decided(decision("52.", "number", "53"), decision("53.", "number", "52", line=3))
    assert [u.id for u in document.units] == ["d.53", "d.52", "d.52.a", "d.52.b"]
    assert doubts(document) == []


def test_a_tag_follows_the_clause_to_its_new_number_and_is_read_in_the_decided_text():
    given = [decision("53.", "number", "54"), decision("perd", "tag", "actor:dealer part=suffers", line=3)]
    document = decided(*given, decision("perd", "read-as", "Perd", line=4))
    [tag] = document.tags
    assert (tag.unit, tag.value, tag.part, tag.text, tag.spans) == (
        "d.54", "dealer", "suffers", "Perd", (at("perd"),),
    )  # fmt: skip


def test_a_denied_tag_and_a_second_main_modality_go():
    machine = [
        Tag("d.53", "actor", "dealer", (at("Il"),), "Il", WHY),
        Tag("d.53", "modality", "obligation", (at("perd"),), "perd", WHY, main=True),
        Tag("d.52", "actor", "dealer", (at("Le"),), "Le", WHY),
    ]
    given = [decision("53.", "tag", "-actor:dealer"), decision("perd", "tag", "modality:penalty", line=3)]
    document = decided(*given, tags=machine)
    found = [(t.unit, t.value, t.main) for t in document.tags]
    assert sorted(found) == [
        ("d.52", "dealer", False), ("d.53", "obligation", False), ("d.53", "penalty", True),
    ]  # fmt: skip


@settings(ANY, max_examples=40)
@given(documents(), st.data())
def test_decisions_on_any_document_give_a_sound_edition(document, data):
    layers = {n: document.layers[n] for n in ("language", "furniture", "columns", "clauses", "correct")}
    text = document.source.text
    given = []
    for line in range(data.draw(st.integers(0, 5))):
        start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        kind = data.draw(st.sampled_from(["read-as", "read-as", "accept", "reject", "number"]))
        value = data.draw(st.sampled_from(["", "x", "7", "a\nb"])) if kind != "number" else "7.1"
        given.append(Decision(Span(start, end), text[start:end], kind, value, "E", "1999", "", f"d:{line}"))
    meta = replace(document.meta, decisions=tuple(given), editors=("E",))
    machine = Document(document.source, meta, layers)
    made = machine.with_layer(DECISIONS, apply_decisions(machine, language(machine.lang)))
    assert sum(f.topic == "decision" for f in made.findings) == len([*machine.findings, *given]) - len(
        [f for f in machine.findings if f.topic != "decision"]
    )
    for unit in made.units:
        layer_text(made, unit.spans, "corrected")
    written = tei_bytes(made)
    assert tei_bytes(read_document(written, name="d.xml")) == written
    # Ids that Hypothesis made up agree with no number; that is all there may be to complain of.
    assert [p for p in verify_bytes(written, name="d.xml") if "number" not in str(p)] == []


def test_the_tei_names_the_editors_and_says_what_they_decided():
    document = decided(decision("tont", "read-as", "tout"), edits=[edit("tont", "tant")])
    written = tei_bytes(document).decode()
    assert '<respStmt xml:id="hoyle.decisions">' in written
    assert "<name>A. Editor</name>" in written
    assert '<corr type="ocr" cert="high" resp="#hoyle.decisions">tout</corr>' in written
    assert 'source="hoyle:corpus/d/decisions.tsv:2"' in written
    assert read_document(written.encode(), name="d").meta.editors == ("A. Editor",)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1\t0\tx\treject\t\tE\t1999\t", "range of characters"),
        ("0\tx\tx\treject\t\tE\t1999\t", "range of characters"),
        ("0\t1\tx\tread\t\tE\t1999\t", "must be one of accept"),
        ("0\t1\tx\treject\t\t\t1999\t", "needs its editor"),
        ("0\t1\tx\treject\t\tE\tlong ago\t", "needs its editor, and its date"),
        ("0\t1\tx\tnumber\t45..C\tE\t1999\t", "a number such as"),
        ("0\t1\tx\ttag\tdealer\tE\t1999\t", "must be a tag such as"),
        ("0\t1\tx\ttag\tactor:nobody\tE\t1999\t", "actor:nobody is in no vocabulary"),
        ("0\t1\tx\ttag\tcolour:red\tE\t1999\t", "colour:red is in no vocabulary"),
        ("0\t1\tx\ttag\tactor:dealer size=9\tE\t1999\t", "a tag has no size"),
        ("0\t1\tx\ttag\tpenalty:loss-of-stake against=x\tE\t1999\t", "there is no actor 'x'"),
    ],
)
def test_a_row_that_is_no_decision_names_file_and_line(tmp_path, row, message):
    path = tmp_path / "corpus" / "d" / "decisions.tsv"
    path.parent.mkdir(parents=True)
    path.write_text(HEAD + row, encoding="utf-8")
    with pytest.raises(TableError, match=message) as error:
        decisions.read_decisions(path)
    assert error.value.document == "corpus/d/decisions.tsv:2"


def test_decisions_lie_beside_meta_toml(tmp_path):
    folder = tmp_path / "corpus" / "d"
    folder.mkdir(parents=True)
    (folder / "meta.toml").write_text('file = "d.txt"\nlang = "fr"\n', encoding="utf-8")
    (folder / "d.txt").write_text("1. Il pcrd.\n2. Il gagne.", encoding="utf-8")
    (folder / "decisions.tsv").write_text(
        HEAD + "6\t10\tpcrd\tread-as\tperd␣tout\tA. Editor\t1999-12-31\tsense\n", encoding="utf-8"
    )
    [request] = loading.requests("d", tmp_path)
    [found] = loading.load(request, tmp_path).meta.decisions
    assert (found.span, found.value, found.where) == ((6, 10), "perd tout", "corpus/d/decisions.tsv:2")
    assert loading.load(request, tmp_path).meta.editors == ("A. Editor",)


@pytest.mark.parametrize("name", gold.EDITIONS)
def test_the_published_text_of_the_five_is_that_of_the_gold_editions(annotated, name):
    made = annotated(name)
    again = "if the machine has changed, run pipeline/training/propose_decisions.py and read what it adds"
    assert [d for d in doubts(made) if "is not applied" in d] == [], again
    figures = measure(made, gold.edition(name)["units"]).figures()
    assert figures["cer_corrected"] <= 0.1, again
    assert figures["starts_f1"] == figures["valid"] == 1


def test_the_machine_s_stages_are_all_but_the_decisions():
    assert [s for s in stages() if s not in stages("machine")] == [s for s in STAGES if s.name == DECISIONS]
    assert [s.name for s in STAGES].index(DECISIONS) == [s.name for s in STAGES].index("correct") + 1
