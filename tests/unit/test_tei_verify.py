"""Verification: what is wrong with a TEI file is said plainly; hostile files do no harm."""

from __future__ import annotations

import re
import time
import tracemalloc
from itertools import pairwise

import pytest

from hoyle.document import Box, PageLayout, Span, WordBox
from hoyle.errors import SourceError
from hoyle.outputs.tei import tei_bytes
from hoyle.tei.read import read_document
from hoyle.tei.verify import manual_changes, verify, verify_bytes
from support.tei_example import example


@pytest.fixture(scope="module")
def good() -> str:
    return tei_bytes(example()).decode()


def messages(text: str) -> list[str]:
    return [str(problem) for problem in verify_bytes(text.encode(), name="hand.xml")]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("On perd", "On gagne", r"line \d+ \(quinze.44\): ab holds \d+ characters, but its range"),
        ("<sic>*</sic>", "<sic>+</sic>", "the raw text has the sha256"),
        ("CHAPITRE", "ＣHAPITRE", "the raw text has .* bytes, but the header says"),
        (
            "<sic>",
            "<foo/><sic>",
            r"line \d+ \(quinze.44\): foo must not stand in choice; it may hold corr, orig",
        ),
        ('xml:id="quinze.44"', 'xml:id="quinze.f1"', "has the xml:id 'quinze.f1', as line"),
        ('xml:id="quinze.f1"', 'xml:id="quinze.§"', "xml:id"),
        (
            'target="#quinze.44"',
            'target="#quinze.45"',
            r"has target='#quinze.45', but nothing here has that xml:id",
        ),
        ('resp="#hoyle.tag"', 'resp="#nobody"', "nothing here has that xml:id"),
        ("raw:63,68", "raw:63,999", "but the source has only"),
        ("raw:63,68", "raw:68,63", "which ends before it begins"),
        ('n="44.1"', 'n="45.1"', "has the number '45.1', which does not agree with its xml:id"),
        ('n="44.1"', 'n="45.1"', "inside clause '44'"),
        ('value="44"', 'value="45"', "num says 45, but the clause is '44'"),
        ("game.quinze", "game.fifteen", "is 'fifteen', which is not in schemas/vocabulary/games.tsv"),
        ("quinze.txt#char=", "seize.txt#char=", "but the source is quinze.txt"),
        ("#char=15,28", "#char=16,29", "does not follow what precedes it in the source"),
        ('type="ocr"', 'type="guess"', "has the unknown type 'guess'; known are ocr, print, layout, drop"),
        ('ref="char:000C"', 'ref="char:110000"', "needs a code"),
        ("<choice><sic>f</sic>", "<choice><orig>f</orig>", "must hold sic and corr, or orig and reg"),
        (">utf-8<", ">utf-9<", "cannot be encoded as 'utf-9'"),
        ('quantity="', 'quantity="x', "size of the source in bytes"),
        ('idno type="sha256"', 'idno type="md5"', "lacks the sha256"),
        ("<body>", "<front>", "well-formed"),
        ("<TEI ", "<TIE ", "well-formed"),
    ],
)
def test_what_is_wrong_is_said(good, old, new, expected):
    assert old in good
    found = messages(good.replace(old, new))
    assert any(re.search(expected, message) for message in found), found


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('facs="#facs.2"', 'facs="#facs.9"', "nothing here has that xml:id"),
        ('corresp="raw:15,30"', 'corresp="raw:15,999"', "but the source has only"),
        ('corresp="raw:15,30"', 'corresp="raw:1,30"', "page 2 .*overlap another page"),
        ('corresp="raw:4,6"', 'corresp="raw:5,40"', "has a word at 5,40, out of order or of another page"),
        ('lrx="90"', 'lrx="wide"', "lrx"),
        ('type="word"', 'type="letter"', "zone"),
    ],
)
def test_what_is_wrong_with_the_pages_is_said(old, new, expected):
    words = (WordBox(Span(0, 3), Box(10, 10, 40, 30)), WordBox(Span(4, 6), Box(50, 10, 90, 30)))
    pages = (PageLayout(Span(0, 15), words, 100, 200), PageLayout(Span(15, 30)))
    document = example().with_layer("places", pages)
    good = tei_bytes(document).decode()
    assert messages(good) == []
    assert old in good
    found = messages(good.replace(old, new, 1))
    assert any(re.search(expected, message) for message in found), found


def test_nothing_is_wrong_with_a_good_file(good):
    assert messages(good) == []


def test_a_change_made_by_hand_is_told_and_the_raw_text_still_comes_out(good):
    edited = good.replace('quinze.f1" corresp', 'quinze.f1" corresp')
    edited = edited.replace("(*) Note.", '(*) <choice><sic>Note</sic><corr resp="#ed">Nota</corr></choice>.')
    edited = edited.replace(
        "</titleStmt>",
        '<respStmt xml:id="ed"><resp>readings</resp><persName>A. Editor</persName></respStmt></titleStmt>',
    )
    assert messages(edited) == []
    told = [str(p) for p in manual_changes(edited.encode(), name="hand.xml")]
    assert len(told) == 1
    assert "'Note' reads 'Nota'" in told[0]
    document = read_document(edited.encode(), name="hand.xml")
    made = next(e for e in document.edits if e.after == "Nota")
    assert made.why.by.endswith("A. Editor")
    assert made.why.confidence == 1
    written = tei_bytes(document)
    assert verify_bytes(written, name="hand.xml") == []
    assert tei_bytes(read_document(written, name="hand.xml")) == written


def test_a_change_taken_out_by_hand_is_told(good):
    edited = good.replace(
        '<choice><sic>*</sic><corr type="ocr" cert="high" resp="#hoyle.correct">.</corr></choice>', "*"
    )
    assert edited != good
    assert messages(edited) == []
    assert [p.message for p in manual_changes(edited.encode(), name="hand.xml")] == [
        "taken out by hand: a change of characters 30 to 31"
    ]


NS = "xmlns='http://www.tei-c.org/ns/1.0'"
DEEP = f"<TEI {NS}>" + "<div>" * 10_000 + "</div>" * 10_000 + "</TEI>"
ENTITIES = "".join(f"<!ENTITY {new} '{f'&{old};' * 10}'>" for old, new in pairwise("abcdefghi"))
LAUGHS = f"<!DOCTYPE TEI [<!ENTITY a 'ha'>{ENTITIES}]><TEI>&i;</TEI>"
REMOTE = "<?xml version='1.0'?>\n<!DOCTYPE x [<!ENTITY e SYSTEM 'http://127.0.0.1:9/'>]><TEI>&e;</TEI>"


@pytest.mark.parametrize(
    ("hostile", "expected"),
    [
        (DEEP, "depth|deep"),
        (LAUGHS, "declares a document type"),
        ("<!DOCTYPE TEI SYSTEM 'file:///etc/passwd'><TEI/>", "declares a document type"),
        (REMOTE, "line 2: declares"),
        (f"<TEI {NS}>&e;</TEI>", "well-formed"),
        ("<TEI/>", "is no TEI file"),
        ("", "well-formed"),
        ("\x00", "UTF-8"),
        ("<?xml version='1.0' encoding='utf-7'?><TEI/>", "UTF-8"),
        (f"<TEI {NS}/>", "no text with a body"),
    ],
)
def test_a_hostile_file_is_refused_with_a_message(hostile, expected):
    tracemalloc.start()
    began = time.monotonic()
    found = messages(hostile)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert any(re.search(expected, message) for message in found), found
    assert time.monotonic() - began < 5
    assert peak < 50_000_000


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "cp037"])
def test_other_encodings_cannot_smuggle_a_declaration_in(encoding):
    data = f"<?xml version='1.0' encoding='{encoding}'?><!DOCTYPE x [<!ENTITY e 'x'>]><TEI>&e;</TEI>".encode(
        encoding
    )
    [message] = [p.message for p in verify_bytes(data, name="x")]
    assert re.fullmatch(r"line 1: is not in UTF-8 \(byte ..\); save it in that encoding", message)


def test_a_file_beyond_the_limit_of_libxml2_is_read_and_a_deep_one_still_refused(good):
    long = good.replace("Un reste", "Un reste" + "e" * 11_000_000)
    assert any("holds 11000008 characters" in m for m in messages(long))
    padding = "<!--" + "x" * 11_000_000 + "-->"
    assert any("deep" in m or "depth" in m for m in messages(padding + DEEP))


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(SourceError, match="cannot be read"):
        verify(tmp_path / "none.xml")


def test_text_that_looks_like_markup_is_text(good):
    assert "&lt;mis&gt;" in good
    assert "&amp; " in good
