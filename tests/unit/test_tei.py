"""TEI: what is written, that it is valid, that everything can be read back from it."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings

from hoyle.document import Clause, Document, Edit, Meta, PageLayout, Source, Span
from hoyle.document.text_layers import layer_text
from hoyle.errors import OutputError
from hoyle.inputs.tei import read_tei
from hoyle.outputs.tei import TeiOutput, tei_bytes
from hoyle.tei.facsimile import image_address
from hoyle.tei.fragments import element_text
from hoyle.tei.names import parse_char_range, parse_concept_id, parse_xml_id, tei, xml_id
from hoyle.tei.parse import parse
from hoyle.tei.read import read_document
from hoyle.tei.verify import manual_changes, verify, verify_bytes
from support import gold
from support.any_document import ANY, documents
from support.tei_example import RULE, SURE, example

GOLDEN = gold.GOLD / "tei"


def test_the_encoding_is_as_the_golden_file_shows_it():
    assert tei_bytes(example()).decode() == (GOLDEN / "quinze.xml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", gold.EDITIONS)
def test_a_gold_edition_can_be_read_back_and_is_written_the_same_again(name):
    document = gold.document(name)
    data = tei_bytes(document)
    again = read_document(data, name=name)
    assert_same(again, document)
    assert tei_bytes(again) == data
    assert verify_bytes(data, name=name) == []


@settings(ANY, max_examples=75)
@given(documents())
def test_any_document_can_be_read_back_and_is_written_the_same_again(document):
    assert_comes_back(document)


def assert_comes_back(document: Document) -> bytes:
    data = tei_bytes(document)
    again = read_document(data, name="any.xml")
    assert_same(again, document)
    assert again.meta == document.meta
    assert tei_bytes(again) == data
    assert verify_bytes(data, name="any.xml") == []
    assert manual_changes(data, name="any.xml") == []
    return data


def illustrated(document: Document) -> list[PageLayout]:
    """The pages, their images by the addresses that TEI has for them."""
    return [replace(p, image=image_address(document, n)) for n, p in enumerate(document.pages, 1)]


def assert_same(one: Document, other: Document) -> None:
    assert one.source == other.source
    for part in ("units", "furniture", "edits", "flow", "tags", "references", "findings"):
        assert getattr(one, part) == getattr(other, part), part
    assert illustrated(one) == illustrated(other)
    assert {k: len(v) for k, v in one.layers.items()} == {k: len(v) for k, v in other.layers.items()}
    assert list(one.layers) == list(other.layers)


@settings(ANY, max_examples=75)
@given(documents())
def test_the_three_texts_come_out_of_the_tree(document):
    assert_views(document)


@pytest.mark.parametrize("name", gold.EDITIONS)
def test_the_three_texts_come_out_of_a_gold_edition(name):
    assert_views(gold.document(name))


def assert_views(document: Document) -> None:
    root = parse(tei_bytes(document), name="any.xml")
    fragments = {
        parse_char_range(e.get("corresp")): e
        for e in root.iter("{*}ab", "{*}p", "{*}note", "{*}head")
        if e.get("corresp")
    }
    text = document.source.text
    for unit in document.units:
        for span in unit.spans:
            if span.start == span.end:
                continue
            found = next(r for r in fragments if r.covers(span) and r.end > r.start)
            for layer in ("raw", "corrected", "modern"):
                spaces = text[found.start : span.start], text[span.end : found.end]
                expected = layer_text(document, [span], layer).text.join(spaces)
                assert element_text(fragments[found], layer) == expected, layer


def test_all_are_valid_against_the_whole_of_tei(tmp_path):
    """Gold editions and 200 generated documents, under jing and the tei_all of the TEI Consortium.

    Each of the 200 comes back as well: raw text byte for byte, model, and the same TEI again.
    """
    files = [tmp_path / f"{name}.xml" for name in gold.EDITIONS]
    for file in files:
        file.write_bytes(tei_bytes(gold.document(file.stem)))

    @settings(ANY, max_examples=200, phases=[Phase.generate])
    @given(documents())
    def write(document):
        files.append(tmp_path / f"{len(files)}.xml")
        files[-1].write_bytes(assert_comes_back(document))

    write()
    assert len(files) >= 200
    assert jing(tei_all(), files) == ""
    assert jing(Path(gold.SEEDS.parent, "schemas", "hoyle.rng"), files) == ""


def tei_all() -> Path:
    folder = next(p for p in map(Path, sys.path) if (p / "schemas" / "tei_all.rng").exists())
    return folder / "schemas" / "tei_all.rng"


def jing(schema: Path, files: list[Path]) -> str:
    run = subprocess.run(
        [Path(sys.executable).with_name("pyjing"), schema, *files],
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout + (run.stderr if run.returncode else "")


def test_jing_does_find_faults(tmp_path):
    bad = tmp_path / "bad.xml"
    bad.write_bytes(tei_bytes(example()).replace(b"<sic>", b"<sick>").replace(b"</sic>", b"</sick>"))
    assert "sick" in jing(tei_all(), [bad])


def test_what_is_inserted_at_the_edge_of_a_word_is_part_of_it_only_if_the_corrected_word_has_it():
    word = Edit(Span(4, 8), "Rule", "Law", "regularise", RULE)
    space = Edit(Span(8, 8), "", ",", "correct", RULE)
    assert text_of(sound(edits=[word, space]), "modern") == "12. Law, one"
    letter = Edit(Span(8, 8), "", "s", "correct", RULE)
    words = Edit(Span(4, 8), "Rules", "Laws", "regularise", RULE)
    assert text_of(sound(edits=[words, letter]), "modern") == "12. Laws one"


def text_of(document: Document, layer) -> str:
    assert_views(document)
    assert read_document(tei_bytes(document), name="x").edits == document.edits
    return layer_text(document, document.units[0].spans, layer).text


def test_the_ways_that_the_docs_show_give_the_modern_text(tmp_path, monkeypatch, capsys):
    (tmp_path / "quinze.xml").write_bytes(tei_bytes(example()))
    programs = re.findall(
        "```python\n(.*?)```", (gold.SEEDS.parent / "docs/tei.md").read_text("utf-8"), re.DOTALL
    )
    monkeypatch.chdir(tmp_path)
    for program in programs:
        exec(program, {})
    said = "44. On perd pareillement ce qu'on a mis & Filé.\n\n"
    assert capsys.readouterr().out == said * len(programs)
    assert len(programs) == 2


def test_every_unit_is_one_line_and_no_line_feed_stands_in_a_unit():
    lines = tei_bytes(example()).decode().split("\n")
    for unit in ("quinze.44", "quinze.f1", "quinze.c1"):
        assert sum(f'xml:id="{unit}"' in line for line in lines) == 1
    assert all(line.count("<ab") == line.count("</ab>") for line in lines)


def test_the_taxonomy_has_what_is_used_and_what_is_above_it():
    root = parse(tei_bytes(example()), name="x")
    ids = {c.get("{http://www.w3.org/XML/1998/namespace}id") for c in root.iter(tei("category"))}
    assert ids == {"game.bank", "game.quinze", "actor.player", "penalty.loss-of-stake", "modality.penalty"}


def test_a_text_without_any_layer_is_all_there(tmp_path):
    data = b"Nobody has looked at this.\n"
    source = Source("bare", "bare.txt", data.decode(), gold.hashlib.sha256(data).hexdigest(), len(data))
    document = Document(source, Meta("bare", file="bare.txt", sha256=source.sha256))
    again = read_document(tei_bytes(document), name="bare")
    assert again == document
    assert verify_bytes(tei_bytes(document), name="bare") == []


@pytest.mark.parametrize("name", ["quinze", "001_a", "hoyle", "actor.dealer", "_x", "§ 12*", "а·б", "Ђ"])
def test_ids_lead_back_to_names(name):
    assert parse_xml_id(xml_id(name)) == name


def test_no_document_can_take_an_id_of_the_header():
    assert xml_id("actor.dealer") != "actor.dealer"
    assert parse_concept_id("actor.dealer") == ("actor", "dealer")


def sound(**changes) -> Document:
    text = "12. Rule one\n13. Rule two"
    source = Source("d", "d.txt", text, gold.hashlib.sha256(text.encode()).hexdigest(), len(text))
    spans = changes.get("spans", (Span(0, 12), Span(13, 25)))
    units = [Clause(f"d.{12 + n}", "", (str(12 + n),), (span,), SURE) for n, span in enumerate(spans)]
    document = Document(source, Meta("d")).with_layer("clauses", units)
    return document.with_layer("correct", changes.get("edits", ()))


def change(start: int, before: str, after: str, kind="correct") -> Edit:
    return Edit(Span(start, start + len(before)), before, after, kind, RULE)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"spans": (Span(0, 14), Span(13, 25))}, "characters 13–25 are claimed by d.13, but also by d.12"),
        ({"spans": (Span(0, 12), Span(13, 99))}, "there are only 25"),
        ({"edits": [change(0, "12.", "x"), change(2, ". ", "", "drop")]}, "overlaps"),
        ({"edits": [change(0, "13.", "x")]}, "the raw text is '12.'"),
        ({"edits": [change(4, "", "a"), change(4, "", "b")]}, "two edits change the same characters"),
        ({"edits": [change(10, "ne\n13", "x")]}, "extends beyond its unit"),
        ({"edits": [change(99, "", "x")]}, "outside the text"),
    ],
)
def test_an_unsound_document_is_refused(changes, message):
    with pytest.raises(OutputError, match=message) as caught:
        tei_bytes(sound(**changes))
    assert caught.value.document == "d"
    assert caught.value.offset is not None


def test_the_output_writes_one_file_a_document(tmp_path):
    output = TeiOutput(tmp_path)
    output.add(sound())
    output.close()
    assert verify(tmp_path / "tei" / "d.xml") == []
    assert_same(read_tei(tmp_path / "tei" / "d.xml"), sound())


@pytest.mark.parametrize("name", ["../d", "", "a/b"])
def test_no_document_can_leave_the_folder(tmp_path, name):
    document = Document(Source(name, "d.txt", "x", "", 1), Meta(name))
    with pytest.raises(OutputError, match="without a path"):
        TeiOutput(tmp_path / "out").add(document)
    assert not any(tmp_path.iterdir())
