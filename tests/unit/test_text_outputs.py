"""Markdown and plain text: read back, the same bytes twice, hostile text."""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.parse import unquote

import pytest
from hypothesis import Phase, given, settings
from markdown_it import MarkdownIt

from hoyle.document import Block, Clause, Document, Edit, Evidence, Meta, Reference, Source, Span
from hoyle.document.text_layers import layer_text, normalise_whitespace
from hoyle.errors import OutputError
from hoyle.outputs.book_text import Passages, Run
from hoyle.outputs.markdown import Markdown, markdown
from hoyle.outputs.plain_text import LAYERS, PlainText, document_text
from hoyle.outputs.site.text import visible
from support.any_document import ANY
from support.any_document import documents as any_document
from support.gold import EDITIONS, document
from support.site import documents

SURE = Evidence("test", 1.0)
HOSTILE = (
    "1. <script>alert(1)</script> ]]> &amp; =1+1 **x** _y_ [z](javascript:1) `c` ~~s~~ \\ # | a\n"
    "- item\n10) item\n# no heading\n=== \n--- \x00\x07 \u202e אב 𐌰 http://e.org <http://e.org>"
)


def made(text, *, units=None, edits=(), references=(), furniture=()):
    source = Source("d", "d.txt", text, "0" * 64, len(text.encode()))
    end = len(text)
    units = units or [Clause("d.1", "1.", ("1",), (Span(0, end),), SURE, label_span=Span(0, 2))]
    whole = Document(source, Meta("d", title=text, lang="ru"))
    whole = whole.with_layer("furniture", furniture).with_layer("clauses", units)
    return whole.with_layer("correct", edits).with_layer("references", references)


INLINE = {"text", "strong_open", "strong_close", "em_open", "em_close", "link_close"}


def rendered(text):
    """What a Markdown reader shows: the texts of the blocks, the anchors, the targets of the links."""
    body = text.split("\n---\n", 1)[1]
    shown, anchors, links = [], [], []
    for token in MarkdownIt("commonmark").parse(body):
        assert token.type in ("inline", "heading_open", "heading_close", "paragraph_open", "paragraph_close")
        words = ""
        for child in token.children or ():
            if child.type == "html_inline":
                anchors += re.findall(r'<a id="(.*)">', child.content)
                assert re.fullmatch(r'<a id="[^"<]*">|</a>', child.content)
            elif child.type == "link_open":
                links.append(unquote(child.attrs["href"].removeprefix("#")))
            else:
                assert child.type in INLINE, child
                words += child.content
        if token.type == "inline":
            shown.append(words)
    return shown, anchors, links


def flat(text):
    return " ".join(visible(text).split())


@pytest.mark.parametrize("whole", list(documents()), ids=EDITIONS)
def test_markdown_shows_the_corrected_text(whole):
    text = markdown(whole)
    shown, anchors, links = rendered(text)
    assert shown[0] == whole.meta.title
    corrected = [flat(layer_text(whole, u.spans, "corrected").text) for u in whole.units]
    said = " ".join(shown[1:]).replace("[…]", " ")
    for mark in (b.n for b in whole.furniture if b.kind == "note-ref"):
        said = said.replace(mark, "", 1) if mark not in " ".join(corrected) else said
    assert said.split() == " ".join(corrected).split()
    assert anchors == [u.id for u in whole.units if u.id in set(anchors)]
    assert {c.id for c in whole.clauses} <= set(anchors)
    assert set(links) <= set(anchors)
    assert len(links) >= len({r.spans for r in whole.references if r.target and r.spans})


def test_hostile_text_stays_text():
    shown, _, _ = rendered(markdown(made(HOSTILE)))
    assert flat(" ".join(shown[1:])) == flat(HOSTILE)
    assert shown[0] == flat(HOSTILE)


def test_a_sign_behind_space_at_the_start_of_a_paragraph_makes_no_list():
    text = "1. Un.\n\n\x85- deux"
    assert rendered(markdown(made(text)))[0][-1] == "- deux"


def test_stars_that_markdown_would_not_take_for_emphasis_are_left_out():
    text = "B).C. Карта"
    label = Clause("d.B", "B).", ("B",), (Span(0, len(text)),), SURE, label_span=Span(0, 3))
    assert markdown(made(text, units=[label])).endswith('<a id="d.B"></a>B).C. Карта\n')


@settings(ANY, max_examples=40, phases=[Phase.generate])
@given(any_document())
def test_any_document_can_be_read_back(whole):
    shown, anchors, links = rendered(markdown(whole))
    passages = Passages(whole)
    expected = " ".join(
        "".join(run.text for run in paragraph)
        for unit in whole.units
        if not (isinstance(unit, Block) and unit.kind == "gap")
        for paragraph in passages.paragraphs(unit, "corrected")
    )
    # U+0085 is a control to us and white space to Markdown, which may leave it out at a line end.
    assert "".join(" ".join(shown[1:]).replace("[…]", "").replace("\ufffd", "").split()) == "".join(
        visible(expected).replace("[…]", "").replace("\ufffd", "").split()
    )
    assert set(links) <= {unescape(a) for a in anchors}
    for layer in LAYERS:
        document_text(whole, layer).encode()
    raw = [t for u in whole.units if (t := layer_text(whole, u.spans, "raw").text)]
    assert document_text(whole, "raw") == ("\n\n".join(raw) + "\n" if raw else "")


def test_the_yaml_heading_is_json_line_by_line():
    head = markdown(made('x: "y"\u2028\n- z')).split("\n---\n")[0].split("\n")[1:]
    values = {key: json.loads(value) for key, value in (line.split(": ", 1) for line in head)}
    assert values["title"] == 'x: "y" - z'
    assert values["id"].startswith("d@000000000000-")


def test_runs_know_label_heading_reference_and_note():
    text = "1. Ходъ. Cм. 2 не такъ (1) далѣе\n\n1) нота"
    end = text.index("\n")
    note = Block("d.f1", "footnote", (Span(end + 2, len(text)),), SURE, n="1")
    at = text.index("(1)")
    clause = Clause(
        "d.1", "1.", ("1",), (Span(0, at - 1), Span(at + 3, end)), SURE, Span(0, 2), heading=Span(3, 8)
    )
    mark = Block("d.n1", "note-ref", (Span(at, at + 3),), SURE, n="1")
    fix = Edit(Span(9, 11), "Cм", "См", "correct", SURE)
    ref = Reference("d.1", (Span(13, 14),), "2", ("2",), "d.1", "exact", SURE)
    whole = made(text, units=[clause, note], edits=[fix], references=[ref], furniture=[mark])
    assert Passages(whole).paragraphs(clause, "corrected") == [
        [
            Run("1.", "label"),
            Run(" "),
            Run("Ходъ.", "heading"),
            Run(" См. "),
            Run("2", "ref", "d.1"),
            Run(" не такъ"),
            Run("1", "note", "d.f1"),
            Run(" далѣе"),
        ]
    ]
    assert Passages(whole).line(clause, "raw") == "1. Ходъ. Cм. 2 не такъ далѣе"


@pytest.mark.parametrize("name", EDITIONS)
def test_plain_text_is_the_units_layer_by_layer(name):
    whole = document(name)
    for layer in LAYERS:
        parts = [p for u in whole.units if (p := layer_text(whole, u.spans, layer).text)]
        tidy = parts if layer == "raw" else [p for p in map(normalise_whitespace, parts) if p]
        assert document_text(whole, layer) == "\n\n".join(tidy) + "\n"


def test_raw_text_keeps_every_character(tmp_path):
    odd = made("1. a\r\nb\rc \x00 \x85 \ufeff  d")
    PlainText(tmp_path).add(odd)
    assert (tmp_path / "text" / "d.raw.txt").read_bytes().decode() == odd.source.text + "\n"


@pytest.mark.parametrize("make", [Markdown, PlainText])
def test_the_same_bytes_twice(tmp_path, make):
    for folder in "ab":
        output = make(tmp_path / folder)
        for name in EDITIONS:
            output.add(document(name))
        output.close()
    files = [p for p in (tmp_path / "a").rglob("*") if p.is_file()]
    assert len(files) == len(EDITIONS) * (3 if make is PlainText else 1)
    for path in files:
        assert path.read_bytes() == (tmp_path / "b" / path.relative_to(tmp_path / "a")).read_bytes()


@pytest.mark.parametrize("name", ["../x", "a/b", ""])
def test_a_file_is_never_written_outside_its_folder(tmp_path, name):
    with pytest.raises(OutputError, match="must be the name of a file"):
        PlainText(tmp_path).write(name, {".txt": b""})
    assert list(tmp_path.rglob("*")) == []
