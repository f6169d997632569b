"""hOCR and ALTO: the text, the order that the places of words show, refusals."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.batch.annotate import annotate
from hoyle.document import Box, Document
from hoyle.errors import SourceError
from hoyle.inputs import alto, decode, hocr, input_of
from hoyle.inputs.geometry import reading_order
from hoyle.inputs.sidecar import align
from hoyle.loading import Request, load, requests
from hoyle.tei.verify import verify_bytes
from hoyle.tei.write import tei_bytes
from support import typeset

LEFT = [
    "1. Le donneur mêle les cartes",
    "et les présente à couper à son",
    "voisin de gauche.",
    "2. Celui qui donne mal perd sa",
    "donne et passe la main.",
    "3. On ne peut regarder la carte",
    "du talon avant son tour.",
    "4. Qui renonce paie la bête.",
]
RIGHT = [
    "5. Les levées se comptent à la",
    "fin du coup et jamais avant.",
    "6. Une carte tombée est jouée.",
    "7. Le joueur qui parle hors de",
    "son tour est tenu de jouer.",
    "8. La partie se joue en douze",
    "points.",
    "9. Toute contestation se juge.",
]
FORMATS = [(typeset.hocr, hocr.decode), (typeset.alto, alto.decode)]


def read_out(read) -> list[str]:
    """The lines of a text in the order found, rules between columns left out."""
    rules = {i for span in read.rules for i in range(*span)}
    spans = [piece.span for piece in read.flow] or [(0, len(read.text))]
    text = "".join(read.text[i] for span in spans for i in range(*span) if i not in rules)
    return [line.strip() for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize(("write", "decode"), FORMATS)
@pytest.mark.parametrize("slope", [0.0, 0.02, -0.02])
@pytest.mark.parametrize("rule", ["", "|"])
def test_columns_read_across_are_put_in_order(write, decode, slope, rule):
    read = decode(write(typeset.across(LEFT, RIGHT, rule=rule, slope=slope)), name="x")
    assert read_out(read) == LEFT + RIGHT
    assert len(read.rules) == (len(LEFT) if rule else 0)
    assert {piece.column for piece in read.flow} == {"left", "right"}
    assert sorted(read.text) == sorted("".join(read.text[a:b] for (a, b), _, _ in read.flow))


@pytest.mark.parametrize(("write", "decode"), FORMATS)
def test_one_column_keeps_the_order_of_the_file(write, decode):
    lines = [typeset.row(text, 100, 100 + 34 * n) for n, text in enumerate(LEFT + RIGHT)]
    read = decode(write(lines), name="x")
    assert read.flow == ()
    assert read.text == "\n".join(LEFT + RIGHT) + "\n"


def test_a_heading_over_both_columns_comes_first_and_parts_them():
    head = typeset.row("RÈGLEMENT DU JEU DE LA BÊTE", 330, 40)
    middle = typeset.row("DES FAUTES ET DES AMENDES", 340, 100 + 34 * 9)
    below = [moved(line, 0, 34 * 11) for line in typeset.across(LEFT, RIGHT)]
    lines = [head, *typeset.across(LEFT, RIGHT), middle, *below]
    read = hocr.decode(typeset.hocr(lines), name="x")
    wanted = ["RÈGLEMENT DU JEU DE LA BÊTE", *LEFT, *RIGHT, "DES FAUTES ET DES AMENDES", *LEFT, *RIGHT]
    assert read_out(read) == wanted


def test_two_words_run_together_over_the_gutter_part_no_band():
    lines = typeset.across(LEFT, RIGHT)
    last, first = lines[3][6], lines[3][7]
    joined = typeset.Placed(last.text + first.text, (*last.box[:2], *first.box[2:]))
    lines[3] = [*lines[3][:6], joined, *lines[3][8:]]
    found = read_out(hocr.decode(typeset.hocr(lines), name="x"))
    assert found[:3] == LEFT[:3]
    assert found[4:8] == LEFT[4:]
    assert found[-4:] == RIGHT[4:]


def moved(line: list[typeset.Placed], x: float, y: float) -> list[typeset.Placed]:
    return [typeset.Placed(w.text, (w.box[0] + x, w.box[1] + y, w.box[2] + x, w.box[3] + y)) for w in line]


def test_three_columns():
    lines = [
        [*one, *moved([w for w in two if w.box[0] >= 500], 400, 0)]
        for one, two in zip(typeset.across(LEFT, RIGHT), typeset.across(RIGHT, LEFT), strict=True)
    ]
    assert read_out(hocr.decode(typeset.hocr(lines), name="x")) == LEFT + RIGHT + LEFT


def test_numbers_hung_out_in_the_margin_are_no_column():
    lines = [
        typeset.row(f"{n}.", 100, 100 + 34 * n) + typeset.row(text, 180, 100 + 34 * n)
        for n, text in enumerate(LEFT + RIGHT, 1)
    ]
    assert hocr.decode(typeset.hocr(lines), name="x").flow == ()


def test_pages_follow_one_another():
    page = typeset.across(LEFT, RIGHT)
    read = hocr.decode(typeset.hocr(page, page), name="x")
    assert read_out(read) == (LEFT + RIGHT) * 2


def test_words_without_a_place_are_read_in_the_order_of_the_file():
    data = typeset.hocr(typeset.across(LEFT, RIGHT)).replace(b"bbox 100.0 ", b"box 100.0 ")
    read = hocr.decode(data, name="x")
    assert read.flow == ()
    assert "1. Le donneur" in read.text


def test_alto_keeps_the_hyphen_at_a_line_end():
    data = (
        b'<alto><Layout><Page><TextBlock><TextLine><String CONTENT="pre"/><HYP CONTENT="-"/></TextLine>'
        b'<TextLine><String CONTENT="mier"/><SP/><String CONTENT="joueur"/></TextLine></TextBlock>'
        b'<TextBlock><TextLine><String CONTENT="Autre"/></TextLine></TextBlock></Page></Layout></alto>'
    )
    assert alto.decode(data, name="x").text == "pre-\nmier joueur\n\nAutre\n"


def test_hocr_that_is_html_and_no_xml():
    data = (
        b"<!DOCTYPE html><html><body><div class=ocr_page><p class='ocr_par'><span class='ocr_line'>"
        b"Le&nbsp;jeu<br></span><span class='ocr_line'>de dames</div></body></html>"
    )
    assert hocr.decode(data, name="x").text == "Le jeu\nde dames\n"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'<!DOCTYPE a [<!ENTITY x "y">]><alto>&x;</alto>', "declares entities"),
        (b"<alto><Layout></alto>", "no well-formed XML"),
        (b"<alto><Layout/></alto>", "holds no words"),
        (b"<TEI/>", "is TEI"),
        (b"<?xml version='1.0'?><root/>", "is XML with the root <root>, which is not read"),
        (b"<mets/>", "is METS, a list of files"),
    ],
)
def test_what_cannot_be_read_is_refused(data, message):
    with pytest.raises(SourceError, match=message):
        decode(data, name="x.xml")


def test_entities_of_another_encoding_are_refused_too():
    data = '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE alto [<!ENTITY x "y">]><alto>&x;</alto>'
    with pytest.raises(SourceError, match="declares entities"):
        decode(data.encode("utf-16"), name="x.xml")


@pytest.mark.parametrize("suffix", [".hocr", ".alto", ".xml"])
def test_too_large_a_file_is_refused(suffix):
    with pytest.raises(SourceError, match="over the limit of 10"):
        decode(typeset.alto(typeset.across(LEFT, RIGHT)), name=f"x{suffix}", max_bytes=10)


def test_a_text_takes_the_order_of_the_page_beside_it():
    lines = typeset.across(LEFT, RIGHT)
    text = "\n".join(" ".join(word.text for word in line) for line in lines).replace("donneur", "domieur")
    pieces, _ = align(text, hocr.decode(typeset.hocr(lines), name="x"))
    found = [text[a:b].strip() for (a, b), _, _ in pieces]
    assert found == [line.replace("donneur", "domieur") for line in LEFT + RIGHT]


def test_a_page_of_another_text_gives_no_order():
    page = hocr.decode(typeset.hocr(typeset.across(LEFT, RIGHT)), name="x")
    assert align("Un tout autre texte que personne n'a vu ici.", page) == ((), ())


def test_an_edition_of_hocr_is_whole_and_says_where_it_is_from(tmp_path):
    data = typeset.hocr(typeset.across(LEFT, RIGHT, rule="|"))
    (tmp_path / "bete.hocr").write_bytes(data)
    (request,) = requests(str(tmp_path), tmp_path)
    document = annotate(request, tmp_path).outcome
    assert isinstance(document, Document), document
    assert [clause.n for clause in document.clauses] == [str(n) for n in range(1, 10)]
    assert document.id == "bete"
    assert document.source.name == "bete.hocr.txt"
    assert hashlib.sha256(data).hexdigest() in document.meta.origin
    assert document.source.sha256 == hashlib.sha256(document.source.text.encode()).hexdigest()
    assert sum(block.kind == "separator" for block in document.furniture) == len(LEFT)
    assert not list(verify_bytes(tei_bytes(document), name="bete.xml"))


def test_in_a_folder_the_page_beside_a_text_is_no_document_of_its_own(tmp_path):
    lines = typeset.across(LEFT, RIGHT)
    text = "\n".join(" ".join(word.text for word in line) for line in lines)
    (tmp_path / "bete.txt").write_text(text, encoding="utf-8")
    (tmp_path / "bete.alto.xml").write_bytes(typeset.alto(lines))
    (tmp_path / "notes.xml").write_text("<x/>", encoding="utf-8")
    assert [r.path.name for r in requests(str(tmp_path), tmp_path)] == ["bete.txt"]
    document = load(Request(tmp_path / "bete.txt"), tmp_path)
    assert document.source.text == text
    assert len(document.flow) > 1


BOXES = st.builds(
    lambda x, y, w, h: Box(x, y, x + w, y + h),
    st.integers(0, 900),
    st.integers(0, 900),
    st.integers(0, 300),
    st.integers(0, 40),
)


@given(st.lists(st.lists(st.one_of(st.none(), BOXES), min_size=1, max_size=5), max_size=30))
def test_every_word_comes_once(lines):
    parts = reading_order(lines).parts
    found = [(line, word) for line, first, after, _ in parts for word in range(first, after)]
    assert sorted(found) == [(at, n) for at, line in enumerate(lines) for n in range(len(line))]


@given(st.integers(6, 20), st.integers(4, 60), st.integers(1, 5))
def test_two_columns_of_any_measure_are_told(rows, width, scale):
    """Whatever the unit of measure, two blocks of words with a clear gap are read one after the other."""
    lines = [
        [Box(0, 30 * n, 300, 30 * n + 20), Box(300 + width, 30 * n, 600 + width, 30 * n + 20)]
        for n in range(rows)
    ]
    scaled = [[Box(*(scale * side for side in box)) for box in line] for line in lines]
    columns = [part.column for part in reading_order(scaled).parts]
    clear = width > 20
    assert not clear or columns == ["left"] * rows + ["right"] * rows


def test_a_file_is_told_by_its_content_and_by_its_suffix_only_where_that_says_nothing():
    lines = typeset.across(LEFT, RIGHT)
    for suffix in (".txt", ".xml", ".html", ".hocr", ""):
        assert input_of(f"x{suffix}", lambda: typeset.hocr(lines)).name == "hocr"
        assert input_of(f"x{suffix}", lambda: typeset.alto(lines)).name == "alto"
    hinted = {".hocr": "hocr", ".alto.xml": "alto", ".docx": "docx", ".pdf": "pdf", ".log": "text"}
    assert {suffix: input_of(f"x{suffix}", lambda: b"1. Le jeu.").name for suffix in hinted} == hinted
