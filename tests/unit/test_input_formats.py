"""Every format that is read: its text, order, pages and places; what is broken, hostile or no text."""

from __future__ import annotations

import gzip
import lzma
import zipfile
import zlib
from io import BytesIO

import pytest

from hoyle.errors import SourceError
from hoyle.inputs import decode, input_of, pdf
from support import typeset
from support.packed import docx, epub, odt
from support.shared import shared

LINES = [
    "1. Le donneur donne les cartes",
    "et les offre ensuite à couper au",
    "voisin de gauche.",
    "2. Celui qui donne mal perd sa",
    "donne et passe la main.",
    "3. On ne peut regarder la carte",
    "du talon avant son tour.",
    "4. Qui renonce paie la partie.",
]
PLACED = {
    "hocr": typeset.hocr,
    "alto": typeset.alto,
    "page": typeset.page_xml,
    "abbyy": typeset.abbyy,
    "djvu-xml": typeset.djvu_xml,
    "pdf": typeset.pdf,
}


def rows(lines=LINES):
    return [typeset.row(text, 100, 100 + typeset.ROW * n) for n, text in enumerate(lines)]


@pytest.mark.parametrize("form", PLACED)
def test_the_same_pages_give_the_same_text_in_every_format(form):
    data = PLACED[form](rows(), rows(LINES[::-1]))
    assert input_of("scan", lambda: data).name == form
    read = decode(data, name="scan")
    assert read.text == "\n".join(LINES) + "\n\f\n" + "\n".join(LINES[::-1]) + "\n"
    assert [len(page.words) for page in read.pages] == [sum(len(line.split()) for line in LINES)] * 2
    words = [read.text[word.span.start : word.span.end] for page in read.pages for word in page.words]
    assert words == read.text.split()
    first = read.pages[0].words[0]
    scale = 300 / 72 if form == "pdf" else 1  # its points become pixels of a scan at 300 dpi
    assert first.box.left == pytest.approx(scale * 100, abs=scale * 3)
    assert first.box.top == pytest.approx(scale * 100, abs=scale * 8)
    if form != "alto":
        assert read.pages[0].width == pytest.approx(scale * 1000, abs=1)
        assert read.pages[0].height == pytest.approx(scale * 1500, abs=1)


@pytest.mark.parametrize("form", PLACED)
def test_columns_are_put_in_order_in_every_format(form):
    read = decode(PLACED[form](typeset.across(LINES, LINES[::-1])), name="scan")
    said = "".join(read.text[a:b] for (a, b), _, _ in read.flow)
    assert [line.strip() for line in said.splitlines() if line.strip()] == LINES + LINES[::-1]


@pytest.mark.parametrize("book", ["scans/fr-1609", "scans/ru-civil"])
def test_what_tesseract_wrote_of_the_same_pages_has_the_same_words(book):
    folder = shared(book)
    hocr, alto, pdf = (decode((folder / f"book.{s}").read_bytes(), name=s) for s in ("hocr", "xml", "pdf"))
    assert hocr.text == alto.text
    assert hocr.text.split() == pdf.text.split()
    assert [page.words[0].box.left for page in hocr.pages] == [page.words[0].box.left for page in alto.pages]
    assert len(pdf.pages) == len(hocr.pages)
    assert hocr.text.split() == (folder / "book.txt").read_text(encoding="utf-8").split()
    with pytest.raises(SourceError, match="is tesseract's table of words"):
        decode((folder / "book.tsv").read_bytes(), name="book.txt")


def test_page_xml_takes_the_stated_order_and_the_line_that_was_corrected():
    data = b"""<PcGts><Page><ReadingOrder><OrderedGroup>
      <RegionRefIndexed index="1" regionRef="a"/><RegionRefIndexed index="0" regionRef="b"/>
      </OrderedGroup></ReadingOrder>
      <TextRegion id="a"><TextLine><TextEquiv><Unicode>second</Unicode></TextEquiv></TextLine></TextRegion>
      <TextRegion id="b"><TextLine>
      <Word><Coords points="1,2 30,4"/><TextEquiv><Unicode>fir5t</Unicode></TextEquiv></Word>
      <TextEquiv index="1"><Unicode>no</Unicode></TextEquiv>
      <TextEquiv index="0"><Unicode>first</Unicode></TextEquiv>
      </TextLine></TextRegion></Page></PcGts>"""
    read = decode(data, name="x.xml")
    assert read.text == "first\n\nsecond\n"
    assert read.pages[0].words[0].box == (1, 2, 30, 4)


def test_a_word_file_gives_paragraphs_notes_pages_and_says_that_numbers_are_missing():
    numbered = "<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>Couper.</w:t></w:r></w:p>"
    body = (
        '<w:p><w:r><w:t>1. Le</w:t><w:tab/><w:t>jeu</w:t><w:footnoteReference w:id="2"/></w:r></w:p>'
        '<w:p><w:r><w:br w:type="page"/><w:t>2. La mise</w:t><w:br/><w:t>simple</w:t></w:r>'
        f"<w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>{numbered}"
    )
    note = '<w:footnote w:id="2"><w:p><w:r><w:t>Une note.</w:t></w:r></w:p></w:footnote>'
    note = f"<w:footnotes {{space}}>{note}</w:footnotes>"
    read = decode(docx(body, word__footnotes_dot_xml=note), name="regle.docx")
    assert read.text == "1. Le jeu\n\nUne note.\n\f\n2. La mise\nsimple\n\nCouper.\n"
    [(doubt, _)] = read.doubts
    assert "1 paragraphs are numbered by Word" in doubt
    assert "pandoc" in doubt


def test_an_odt_gives_paragraphs_notes_and_pages():
    body = (
        "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h>Du jeu</text:h>"
        '<text:p>1. Le<text:s text:c="3"/>jeu<text:note><text:note-citation>1</text:note-citation>'
        "<text:note-body><text:p>Une note.</text:p></text:note-body></text:note> va"
        "<text:soft-page-break/>loin.</text:p>"
    )
    assert decode(odt(body), name="x").text == "Du jeu\n\n1. Le jeu va\n\f\nloin.\n\nUne note.\n"


def test_an_epub_is_read_in_the_order_of_its_spine():
    data = epub("<p>Second</p>", "<h1>First</h1><p>with<span epub:type='pagebreak'/> a page</p>")
    read = decode(data, name="x.epub")
    assert read.text == "First\n\nwith\n\f\na page\n\nSecond\n"
    with pytest.raises(SourceError, match="protected against copying"):
        decode(epub("<p>x</p>", protected=True), name="x.epub")


def test_html_is_read_without_gallicas_preface_and_in_the_encoding_its_letters_show():
    preface = "<p>Généré par reconnaissance optique de caractères (OCR), 97 %.</p><hr/>"
    body = "<p>1. Le<br>jeu</p><p>2. Été déjà créé là où à côté</p>"
    html = f"<html><head><title>t</title></head><body>{preface}{body}"
    read = decode((html + "</body></html>").encode("cp1252"), name="texteBrut")
    assert read.text == "1. Le\njeu\n\n2. Été déjà créé là où à côté\n"
    assert any("cp1252" in doubt for doubt, _ in read.doubts)
    marked = html.replace("<title>", "<meta charset=windows-1252><title>") + "</body></html>"
    assert decode(marked.encode("cp1252"), name="x").text == read.text


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_compressed_file_is_unpacked(pack):
    read = decode(pack(typeset.abbyy(rows())), name="book_abbyy.gz")
    assert read.text == "\n".join(LINES) + "\n"
    assert decode(pack(b"1. Le jeu."), name="x.txt.gz").extracted


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{\\rtf1\\ansi Le jeu}", r"is an RTF file; convert it with `pandoc"),
        (b"level\tpage_num\tblock_num\tpar_num\n1\t1", r"TSV.*give the hOCR: `tesseract"),
        (b"AT&TFORM\0\0\0\0DJVM", r"is a DjVu file; take its text out with `djvutxt"),
        (b"\xff\xd8\xff\xe0JFIF", r"is an image \(JPEG\); read it with `tesseract"),
        (b"II*\0\x08\0\0\0", r"is an image \(TIFF\)"),
        (b"PK\x05\x06" + b"\0" * 18, r"is an archive \(ZIP\), and no DOCX"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", r"Word file of before 2007"),
        (b'{"@context": "http://iiif.io/api/presentation/3/context.json"}', "is JSON, no text"),
    ],
)
def test_what_holds_no_text_is_named_with_the_command_that_makes_some(data, message):
    for name in ("x.txt", "x", "x.hocr"):
        with pytest.raises(SourceError, match=message):
            decode(data, name=name)


@pytest.mark.parametrize("form", PLACED)
def test_a_cut_file_is_refused(form):
    data = PLACED[form](rows(), rows())
    cut = data[: len(data) // 2]
    fault = r"line \d+: is no well-formed XML|broken or cut PDF|</html> is missing"
    with pytest.raises(SourceError, match=fault):
        decode(cut, name="x")


def test_a_bare_ampersand_in_hocr_is_doubted_with_its_line():
    data = typeset.hocr(rows()).replace(b"gauche", b"gau&che ")
    doubts = [doubt for doubt, _ in decode(data, name="x").doubts]
    assert [doubt.split(" (")[0] for doubt in doubts] == [
        "line 3: is no well-formed XML",
        "line 3: a bare & that begins no entity; the word there may be damaged",
    ]


@pytest.mark.parametrize("make", [docx, odt, epub])
def test_a_cut_document_is_refused(make):
    data = make("<p>1. Le jeu</p>" * 50)
    with pytest.raises(SourceError, match="broken or cut"):
        decode(data[:-200], name="x")


def test_a_pdf_without_text_says_how_to_add_some_and_one_with_gaps_where():
    with pytest.raises(SourceError, match=r"2 pages without a text layer; `ocrmypdf"):
        decode(typeset.pdf([], []), name="x.pdf")
    read = decode(typeset.pdf(rows(), []), name="x.pdf")
    assert "1 of 2 pages have no text layer (page 2)" in read.doubts[0][0]
    assert len(read.pages) == 2


def test_a_pdf_that_takes_more_memory_than_there_is_for_it_is_refused(monkeypatch):
    less = "import hoyle.inputs.pdfium as m; m.MEMORY = 300_000_000; "
    monkeypatch.setattr(pdf, "_PROCESS", less + pdf._PROCESS)
    assert decode(typeset.pdf(rows()), name="x.pdf").pages
    packer = zlib.compressobj(9)
    packed_stream = b"".join(packer.compress(b" " * 1_000_000) for _ in range(600)) + packer.flush()
    bomb = (
        b"%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj\n"
        b"4 0 obj<</Length %d/Filter/FlateDecode>>stream\n%b\nendstream endobj\ntrailer<</Root 1 0 R>>\n"
    ) % (len(packed_stream), packed_stream)
    with pytest.raises(SourceError, match="PDFium cannot read in"):
        decode(bomb, name="x.pdf")


@pytest.mark.parametrize("name", ["x.pdf", "x.docx", "x.odt", "x.epub"])
def test_what_is_not_what_its_name_says_is_refused(name):
    with pytest.raises(SourceError, match="name says"):
        decode(b"1. Le joueur doit couper.", name=name)
    with pytest.raises(SourceError, match="the file is empty"):
        decode(b"", name=name)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_what_unpacks_without_end_is_refused(pack):
    with pytest.raises(SourceError, match="unpacks to more than"):
        decode(pack(bytes(3_000_000)), name="x.gz", max_bytes=100_000)
    bomb = docx("<w:p>" + " " * 3_000_000 + "</w:p>")
    with pytest.raises(SourceError, match=r"unpacks to more|over the limit"):
        decode(bomb, name="x.docx", max_bytes=100_000)


@pytest.mark.parametrize("make", [docx, odt, epub])
def test_an_archive_whose_offsets_are_wrong_is_refused(make):
    data = bytearray(make("<p>1. Le jeu</p>" * 50))
    offset = data.index(b"PK\x05\x06") + 16  # of the list of members: the places of all are told from it
    data[offset + 1] += 1
    with pytest.raises(SourceError, match="broken"):
        decode(bytes(data), name="x")


def test_an_archive_with_an_unknown_compression_is_not_called_encrypted():
    data = bytearray(docx("<w:p>1. Le jeu</w:p>"))
    method = data.index(b"PK\x01\x02") + 10
    data[method] = 98
    with pytest.raises(SourceError, match="inside is broken"):
        decode(bytes(data), name="x")


@pytest.mark.parametrize("tag", ["p}", "p|b", 'p"8', "p\u202e", "x&y;"])
def test_html_with_a_tag_that_is_no_name_keeps_its_text(tag):
    html = f"<html><head><meta charset=utf-8></head><body><p>1. Le jeu</p><{tag}>2. La mise</body></html>"
    assert decode(html.encode(), name="x.html").text.split() == ["1.", "Le", "jeu", "2.", "La", "mise"]


def test_html_goes_on_after_the_end_of_another():
    page = "<html><body><p>{}</p></body></html>"
    both = page.format("1. Le jeu") + page.format("2. La mise")
    assert decode(both.encode(), name="x.html").text == "1. Le jeu\n\n2. La mise\n"


@pytest.mark.parametrize(
    "page", ["<p>1. Le jeu</p>\n<!-- 2. La mise", "<div class=ocr_page>\n<!-- a --> <!--b"]
)
def test_a_comment_that_never_ends_is_refused(page):
    with pytest.raises(SourceError, match="line 2: a comment begins that never ends"):
        decode(f"<html><body>{page}<br></body></html>".encode(), name="x.html")


@pytest.mark.parametrize(
    ("form", "old", "new"),
    [
        ("hocr", b"'ocrx_word' title='bbox 100.0 134", b"'ocrxWword' title='bbox 100.0 134"),
        ("hocr", b"<p class='ocr_par'>", b"<p class='ocr_par'>12"),
        ("alto", b'<String CONTENT="3."', b'<Strong CONTENT="3."'),
        ("alto", b'<String CONTENT="3."', b'3.<String CONTENT=""'),
    ],
)
def test_text_that_the_format_has_no_place_for_is_told(form, old, new):
    data = PLACED[form](rows())
    assert decode(data, name="x").doubts == ()
    assert old in data
    [(doubt, _)] = decode(data.replace(old, new, 1), name="x").doubts
    assert doubt.endswith(
        "letters and digits stand outside of what the file marks as words; they are not read"
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id="c1"', 'id="c7"', "the spine names 'c1', which the manifest lacks"),
        ('<itemref idref="c1"', '<itemraf id="c1"', "the spine names '', which the manifest lacks"),
        (
            '1.xhtml" media-type="application/xhtml',
            '1.xhtml" media-type="image/svg',
            "is of the type image/svg",
        ),
    ],
)
def test_a_chapter_that_is_not_read_is_told(old, new, message):
    out = BytesIO()
    with (
        zipfile.ZipFile(BytesIO(epub("<p>Second</p>", "<p>First</p>"))) as good,
        zipfile.ZipFile(out, "w") as bad,
    ):
        for member in good.namelist():
            bad.writestr(member, good.read(member).decode().replace(old, new))
    read = decode(out.getvalue(), name="x.epub")
    assert read.text == "Second\n"
    assert [message in doubt for doubt, _ in read.doubts] == [True]
