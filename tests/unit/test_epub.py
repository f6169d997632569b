from __future__ import annotations

import io
import os
import subprocess
import zipfile
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import Phase, given, settings
from lxml import etree

from hoyle.document import Block, Clause, Document, Edit, Evidence, Meta, Reference, Source, Span
from hoyle.document.text_layers import layer_text, normalise_whitespace
from hoyle.outputs.epub import Epub, epub
from hoyle.outputs.site.text import visible
from hoyle.tei.names import xml_id
from support.any_document import ANY
from support.any_document import documents as any_document
from support.gold import EDITIONS
from support.site import documents

CHECKER = Path(os.environ.get("EPUBCHECK_JAR", "/usr/share/java/epubcheck.jar"))
HTML = "{http://www.w3.org/1999/xhtml}"
OPF = "{http://www.idpf.org/2007/opf}"
SURE = Evidence("test", 1.0)
GOLD = dict(zip(EDITIONS, documents(), strict=True))


class Book:
    """An EPUB read back: its pages parsed, its anchors and links collected."""

    def __init__(self, data):
        self.zip = zipfile.ZipFile(io.BytesIO(data))
        package = etree.fromstring(self.zip.read("EPUB/package.opf"))
        self.items = {i.get("id"): i.get("href") for i in package.iter(f"{OPF}item")}
        self.spine = [self.items[i.get("idref")] for i in package.iter(f"{OPF}itemref")]
        self.pages = {h: etree.fromstring(self.zip.read(f"EPUB/{h}")) for h in self.spine}
        self.languages = [e.text for e in package.iter("{http://purl.org/dc/elements/1.1/}language")]

    def chapters(self, letter):
        return {h: p for h, p in self.pages.items() if h[0] == letter and h[1].isdigit()}

    def text(self, letter):
        bodies = (page.iter(f"{HTML}section") for page in self.chapters(letter).values())
        return " ".join("".join(body.itertext()) for sections in bodies for body in sections)

    def check(self):
        """What a reading system relies on: every file listed, every link leading somewhere, ids unique."""
        assert sorted(self.items.values()) == sorted(
            n.removeprefix("EPUB/") for n in self.zip.namelist() if n.startswith("EPUB/") and "opf" not in n
        )
        ids = {h: [e.get("id") for e in p.iter() if e.get("id")] for h, p in self.pages.items()}
        for href, page in self.pages.items():
            assert len(ids[href]) == len(set(ids[href]))
            for link in page.iter(f"{HTML}a"):
                file, _, anchor = unquote(link.get("href")).partition("#")
                assert (file or href) in self.pages
                assert not anchor or anchor in ids[file or href], link.get("href")


def words(text):
    return "".join(visible(text).replace("[…]", "").replace("⇄", "").split())


@pytest.mark.parametrize("whole", GOLD.values(), ids=GOLD)
def test_a_book_holds_both_readings_clause_by_clause(whole):
    book = Book(epub(whole))
    book.check()
    pages = {"corrected": book.chapters("c"), "modern": book.chapters("m")}
    assert bool(pages["modern"]) == any(e.kind == "regularise" for e in whole.edits)
    for layer in [name for name, found in pages.items() if found]:
        anchors = {e.get("id"): e for page in pages[layer].values() for e in page.iter() if e.get("id")}
        for unit in whole.units:
            if isinstance(unit, Block) and unit.kind == "gap":
                continue
            shown = "".join(
                t for e in anchors[xml_id(unit.id)].iter() if e.get("role") != "doc-noteref"
                for t in [e.text or ""] if e.tag != f"{HTML}a" or e.get("class") != "other"
            ) + "".join(e.tail or "" for e in anchors[xml_id(unit.id)].iterdescendants())  # fmt: skip
            expected = normalise_whitespace(layer_text(whole, unit.spans, layer).text)
            assert sorted(words(shown)) == sorted(words(expected)), unit.id
    assert words(book.text("c")).endswith(
        words(normalise_whitespace(layer_text(whole, whole.units[-1].spans, "corrected").text))
    )


def test_pages_say_their_language():
    book = Book(epub(GOLD["patience"]))
    assert book.languages == ["ru-petr1708", "ru"]
    assert {p.get("lang") for p in book.chapters("c").values()} == {"ru-petr1708"}
    assert {p.get("lang") for p in book.chapters("m").values()} == {"ru"}


def test_headings_and_new_series_begin_chapters():
    titles = [p.findtext(f".//{HTML}title") for p in Book(epub(GOLD["preference"])).chapters("c").values()]
    assert titles[1] == "Пулька, ставка, партия"
    assert len(titles) == 8
    titles = [p.findtext(f".//{HTML}title") for p in Book(epub(GOLD["patience"])).chapters("c").values()]
    assert titles == ["Двадцать четыре основные пасьянса, I–VI", "Двадцать четыре основные пасьянса, I–II"]


def test_a_clause_leads_to_its_other_reading_and_to_clauses_it_names():
    page = Book(epub(GOLD["patience"])).pages["c1.xhtml"]
    clause = next(e for e in page.iter() if e.get("id") == "patience.III")
    assert clause.find(f".//{HTML}a[@class='other']").get("href") == "m1.xhtml#patience.III"
    page = Book(epub(GOLD["quinze"])).pages["c1.xhtml"]
    assert any(a.get("href") == "c1.xhtml#quinze.43" for a in page.iter(f"{HTML}a"))


def test_the_container_is_what_the_format_asks_for():
    archive = Book(epub(GOLD["quinze"])).zip
    first = archive.infolist()[0]
    assert (first.filename, first.compress_type, first.extra) == ("mimetype", zipfile.ZIP_STORED, b"")
    assert archive.read("mimetype") == b"application/epub+zip"
    assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_same_bytes_twice(tmp_path):
    for folder in "ab":
        output = Epub(tmp_path / folder)
        for whole in GOLD.values():
            output.add(whole)
        output.close()
    files = sorted((tmp_path / "a" / "epub").iterdir())
    assert [p.name for p in files] == sorted(f"{name}.epub" for name in EDITIONS)
    assert all(p.read_bytes() == (tmp_path / "b" / "epub" / p.name).read_bytes() for p in files)


def hostile():
    """Every kind of unit, a note, a link to a unit without text, an odd id, all text hostile."""
    text = '<b>&amp; ]]> "x" \x00\x0b\ufffe {{ 7*7 }} <!-- \u202e אב 𐌰\nnew (1) end 1) <script>x</script>'
    at = text.index("(1)")
    foot = text.index("1) <")
    clause = Clause("d.1*а", "", ("1*а",), (Span(0, at - 1), Span(at + 4, foot - 1)), SURE, incomplete="both")
    units = [
        Block("d.h1", "heading", (Span(0, 3),), SURE),
        clause,
        Block("d.g1", "gap", (Span(at, at),), SURE),
        Block("d.p1", "paragraph", (Span(at, at),), SURE),
        Block("d.f1", "footnote", (Span(foot, len(text)),), SURE, n="1"),
    ]
    whole = Document(
        Source("d", "a&b<.txt", text, "0" * 64, 9),
        Meta("d", title=text, author=text, licence=text, notes=(text,)),
    )
    whole = whole.with_layer("furniture", [Block("d.n1", "note-ref", (Span(at, at + 3),), SURE, n="1")])
    whole = whole.with_layer("clauses", units)
    whole = whole.with_layer("regularise", [Edit(Span(4, 5), "a", "<a>", "regularise", SURE)])
    return whole.with_layer(
        "references", [Reference("d.1*а", (Span(0, 3),), "<b>", ("1",), "d.p1", "exact", SURE)]
    )


def test_hostile_text_stays_text():
    book = Book(epub(hostile()))
    book.check()
    assert "<script>x</script>" in book.text("c")
    assert "{{ 7*7 }}" in book.text("c")
    assert not [e for page in book.pages.values() for e in page.iter(f"{HTML}script")]
    notes = [a for a in book.pages["c1.xhtml"].iter(f"{HTML}a") if a.get("role") == "doc-noteref"]
    assert [a.get("href") for a in notes] == ["c1.xhtml#d.f1"]


@settings(ANY, max_examples=25, phases=[Phase.generate])
@given(any_document())
def test_any_document_becomes_a_book(whole):
    book = Book(epub(whole))
    book.check()


@pytest.mark.parametrize("whole", [GOLD["patience"], hostile()], ids=["patience", "hostile"])
def test_epubcheck_finds_nothing(whole, tmp_path):
    if not CHECKER.is_file():
        if os.environ.get("CI"):
            pytest.fail(f"epubcheck is not installed ({CHECKER})")
        pytest.skip(f"epubcheck is not installed ({CHECKER})")
    path = tmp_path / "book.epub"
    path.write_bytes(epub(whole))
    command = ["java", "-jar", str(CHECKER), "--failonwarnings", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
