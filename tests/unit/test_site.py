"""The site's files without a browser: text, links, validity, bytes."""

from __future__ import annotations

import csv
import json
import re
from itertools import chain, pairwise
from pathlib import Path

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.document import Block, Clause, Document, Edit, Evidence, Meta, Reference, Source, Span, Tag
from hoyle.document.citation import make_citation
from hoyle.document.text_layers import layer_text
from hoyle.facets import facets
from hoyle.orthography.search_key import fold_word, words
from hoyle.outputs.site.document import Edition
from hoyle.outputs.site.interface import INTERFACES, strings, translations
from hoyle.outputs.site.pages import FileNames, Pages, file_name
from hoyle.outputs.site.search import endings
from hoyle.outputs.site.text import atoms, paragraphs
from hoyle.outputs.site.units import Units
from hoyle.outputs.site.writer import Site
from hoyle.tables import data_file, read_table
from support import site as gold_site
from support.gold import GOLD
from support.links import check_links
from support.shared import DOCUMENTS, raw_text

SURE = Evidence("test", 0.9)


def test_no_link_is_broken_and_none_leaves_the_site(gold_build):
    assert len(list(gold_build.rglob("*.html"))) > 120
    check_links(gold_build)


def test_every_page_is_valid_html(gold_build):
    for path in sorted(gold_build.rglob("*.html")):
        parser = html5lib.HTMLParser(strict=True)
        parser.parse(path.read_text(encoding="utf-8"))


def test_headings_descend_without_a_gap(gold_build):
    for path in gold_build.rglob("*.html"):
        levels = [int(n) for n in re.findall(r"<h([1-6])\b", path.read_text(encoding="utf-8"))]
        assert levels.count(1) == 1, path
        assert all(b - a <= 1 for a, b in pairwise(levels)), (path, levels)


def test_no_inline_scripts_styles_or_handlers(gold_build):
    for path in gold_build.rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        assert "Content-Security-Policy" in html
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\son\w+=", html), path


def test_same_documents_same_bytes(gold_build, tmp_path):
    again = gold_site.build(tmp_path)
    old, new = (
        {p.relative_to(f): p.read_bytes() for p in f.rglob("*") if p.is_file()} for f in (gold_build, again)
    )
    assert old == new


def test_atoms_read_as_the_document_does():
    for document in gold_site.documents():
        for unit in document.units:
            flow = list(chain.from_iterable(atoms(document, unit.spans)))
            for layer in ("raw", "corrected", "modern"):
                assert (
                    "".join(getattr(a, layer) for a in flow) == layer_text(document, unit.spans, layer).text
                )


@st.composite
def edited(draw) -> Document:
    """A text of one clause under random disjoint edits."""
    text = draw(st.text("аб в\n-.", min_size=1, max_size=30))
    cuts = sorted(draw(st.lists(st.integers(0, len(text) - 1), max_size=8)))
    edits = [
        Edit(Span(a, b), text[a:b], draw(st.text("xy -\n", max_size=3)), "correct", SURE)
        for a, b in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    spread = [e for i, e in enumerate(edits) if i == 0 or e.span.start > edits[i - 1].span.end]
    document = Document(Source("d", "d.txt", text, "", 0), Meta("d"))
    clause = Clause("d.1", "", ("1",), (Span(0, len(text)),), SURE)
    return document.with_layer("clauses", [clause]).with_layer("correct", spread)


@given(document=edited(), cut=st.integers(0, 30))
def test_atoms_tile_the_text_and_keep_words_whole(document, cut):
    (clause,) = document.clauses
    text = document.source.text
    (flow,) = atoms(document, clause.spans, [cut])
    assert "".join(a.raw for a in flow) == text
    assert "".join(a.corrected for a in flow) == layer_text(document, clause.spans, "corrected").text
    for atom in flow:
        start, end = atom.span
        if atom.edits and any(e.before.strip() and e.span.start >= start for e in atom.edits):
            assert start in (0, cut) or text[start - 1].isspace() or text[start].isspace()
            assert end in (len(text), cut) or text[end].isspace() or text[end - 1].isspace()


def test_paragraphs_part_where_the_print_does():
    document = gold_site.titled("bridge-laws")
    clause = next(c for c in document.clauses if c.n == "45.C.1")
    found = paragraphs(atoms(document, clause.spans))
    assert ["".join(a.corrected for a in p)[:18] for p in found] == [
        "1. Карта вистующег",
        "Карта вистующего, ",
    ]


def hostile(name: str, text: str) -> Document:
    document = Document(Source(name, "<b>.txt", text, "0" * 64, len(text)), Meta(name, title=f"<i>{text}"))
    clause = Clause(f"{name}.1", text[:1], ("1",), (Span(0, len(text)),), SURE, label_span=Span(0, 1))
    gap = Block(f"{name}.g1", "gap", (Span(len(text), len(text)),), SURE)
    return document.with_layer("clauses", [clause, gap])


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", '" onclick="x', "&amp;]]>\x00\x0b\x1f\r\ufffe", "\ud7ff\u2028"]
)
def test_hostile_text_is_shown_not_obeyed(tmp_path, text):
    site = Site(tmp_path)
    site.add(hostile("bad", text))
    site.close()
    for path in (tmp_path / "site").rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        html5lib.HTMLParser(strict=True).parse(html)
        assert "<script>" not in html
        assert "<i>" not in html
    kept = json.loads((tmp_path / "site/doc/bad/1.json").read_text(encoding="utf-8"))
    assert kept["spans"] == [[0, len(text)]]


def test_nothing_at_all_still_makes_a_site(tmp_path):
    Site(tmp_path).close()
    assert "<b>0</b> <span>documents</span>" in (tmp_path / "site/index.html").read_text(encoding="utf-8")


def test_clause_files_hold_all_layers(gold_build):
    text = (gold_build / "doc/whist-lexicon/12.txt").read_text(encoding="utf-8")
    assert "третій игрокъ положитъ" in text
    assert "третш игрокъ положить с в о ю" in text
    clause = json.loads((gold_build / "doc/whist-lexicon/12.json").read_text(encoding="utf-8"))
    assert clause["clause"] == "whist-lexicon.12"
    assert {t["value"] for t in clause["tags"]} >= {"partner", "third-hand"}


def test_lists_open_in_a_spreadsheet(gold_build):
    with (gold_build / "by/actor/partner.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {r["document"] for r in rows} >= {"whist-lexicon", "bridge-laws"}
    assert all(r["text"] for r in rows)


def test_indexes_count_what_they_list(gold_build):
    for path in (gold_build / "by").glob("*/*.html"):
        html = path.read_text(encoding="utf-8")
        if path.name != "index.html":
            count = int(re.search(r"(\d+) passages", html)[1])
            assert html.count('<a class="no"') == count, path


def test_margin_names_the_main_modality_and_no_game_that_goes_without_saying():
    document = gold_site.titled("quinze")
    clause = document.clauses[0]
    second = Tag(clause.id, "modality", "advice", (), "", SURE)
    whole = document.with_layer("more", [second])
    (view, *_) = Units(Edition(whole, Pages(Path("unused"))), inside=True)
    assert {t.value for t in view.tags if t.facet == "modality"} == {"prohibition", "advice"}
    assert [t.value for t in view.side if t.facet == "modality"] == ["prohibition"]
    assert [t.facet for t in view.tags].count("game") == 1
    assert "game" not in [t.facet for t in view.side]


@pytest.mark.parametrize(("inside", "page"), [(True, ""), (False, "index.html")])
def test_note_mark_inside_a_reference_leads_to_its_note(inside, page):
    text = "see 2[1]0 here\n[1] a note"
    document = Document(Source("d", "d.txt", text, "", 0), Meta("d"))
    clause = Clause("d.1", "", ("1",), (Span(0, 5), Span(8, 14)), SURE)
    note = Block("d.f1", "footnote", (Span(15, 25),), SURE, n="1")
    mark = Block("d.nr1", "note-ref", (Span(5, 8),), SURE, n="1")
    reference = Reference("d.1", (Span(4, 9),), "20", ("1",), "d.1", "exact", SURE)
    document = document.with_layer("furniture", [mark]).with_layer("clauses", [clause, note])
    document = document.with_layer("references", [reference])
    (view, _) = Units(Edition(document, Pages(Path("unused"))), inside=inside)
    (body,) = view.body
    assert f'<sup class="nr"><a href="{page}#d.f1">1</a></sup>' in body
    assert re.findall(r"</?a\b", body) == ["<a", "</a"] * 3


class TestNames:
    def test_never_the_same_for_a_file_system_that_ignores_case(self):
        names = FileNames("index")
        assert [names.assign(n) for n in ("45.b", "45.B", "index")] == ["45.b", "45.B~2", "index~2"]

    @given(name=st.text())
    def test_no_name_leaves_its_folder(self, name):
        made = file_name(name)
        assert made
        assert not set(made) & set('/\\:*?"<>|\x00')
        assert not made.startswith(".")


class TestTables:
    def test_every_string_is_used_and_every_used_string_is_there(self):
        templates, code = (
            "".join(p.read_text(encoding="utf-8") for p in sorted(found))
            for found in (
                data_file("site", "templates").glob("*.html"),
                data_file("outputs", "site").glob("*.py"),
            )
        )
        used = set(re.findall(r"\bt\.(\w+)", templates)) | set(re.findall(r't\["(\w+)"\]', code))
        assert used <= set(strings("en"))
        text = templates + code + data_file("site", "findings.tsv").read_text(encoding="utf-8")
        kinds = "by lead facet ref kind part lang matrix no figure measured topic scheme flag"
        families = tuple(f"{kind}_" for kind in kinds.split())
        idle = [k for k in strings("en") if k not in text and not k.startswith(families)]
        assert idle == []

    @pytest.mark.parametrize("lang", INTERFACES)
    def test_interfaces_fill_in_the_same_blanks(self, lang):
        for key, text in strings("en").items():
            assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", strings(lang)[key]))

    @pytest.mark.parametrize("lang", ["fr", "ru"])
    def test_no_two_meanings_share_their_english(self, lang):
        # The script finds words by their English: two keys of one English must agree elsewhere.
        said: dict[str, str] = {}
        for key, text in strings("en").items():
            assert said.setdefault(text, strings(lang)[key]) == strings(lang)[key], key
        assert translations(lang)["Penalties"] == strings(lang)["by_penalty"]

    def test_every_facet_has_its_vocabulary_and_words(self):
        for id_, facet in facets().items():
            assert facet.concepts
            for lang in INTERFACES:
                for texts in (facet.name, facet.plural, facet.lead, *filter(None, [facet.none])):
                    assert texts[lang], (id_, lang)
            assert strings("en")[f"by_{id_}"]

    ENDINGS = read_table(data_file("site", "endings.tsv"), ["lang", "ending", "example"])

    def test_every_ending_ends_its_example(self):
        for row in self.ENDINGS:
            form = fold_word(row["example"])
            assert form.endswith(row["ending"]), row.where
            assert len(form) - len(row["ending"]) >= 3, row.where

    def test_every_example_of_an_ending_is_attested(self):
        texts = [raw_text(name) for name in DOCUMENTS]
        texts += [path.read_text(encoding="utf-8") for path in (GOLD / "editions").glob("*.json")]
        attested = {form for text in texts for _, form in words(text)}
        assert [row.where for row in self.ENDINGS if fold_word(row["example"]) not in attested] == []

    def test_longest_endings_come_first(self):
        lengths = [len(e) for e in endings()]
        assert lengths == sorted(lengths, reverse=True)


def test_citation_escapes_what_tex_would_read():
    document = Document(Source("d", "d", "", "a" * 64, 0), Meta("d", title="Whist & {Boston} 100 %_"))
    title = r"Whist \& \textbraceleft{}Boston\textbraceright{} 100 \%\_"
    assert title in make_citation(document, None, "doc/d/index.html").bibtex
