"""Pages set in columns with a place for every word, written in each format that has places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from xml.sax.saxutils import escape, quoteattr

LETTER, HEIGHT, ROW = 10, 20, 34


@dataclass(frozen=True)
class Placed:
    """A word and its box: left, top, right, bottom."""

    text: str
    box: tuple[float, float, float, float]


def row(text: str, left: float, top: float, slope: float = 0.0) -> list[Placed]:
    """The words of a line; ``slope`` is how far it sinks for each unit to the right."""
    words = []
    for word in text.split():
        right = left + LETTER * len(word)
        sunk = top + slope * left
        words.append(Placed(word, (left - slope * top, sunk, right - slope * top, sunk + HEIGHT)))
        left = right + LETTER
    return words


def across(left: Sequence[str], right: Sequence[str], *, gutter: float = 500, rule: str = "", slope=0.0):
    """Two columns as OCR has them that reads across both: one line of the file a row."""
    lines = []
    for n, (one, other) in enumerate(zip(left, right, strict=True)):
        top = 100 + ROW * n
        line = row(one, 100, top, slope)
        if rule:
            line.append(Placed(rule, (gutter - 18, top - 6, gutter - 12, top + HEIGHT + 6)))
        lines.append(line + row(other, gutter, top, slope))
    return lines


def hocr(*pages: Sequence[Sequence[Placed]]) -> bytes:
    """An hOCR file with one paragraph a page."""
    body = ""
    for page in pages:
        body += "<div class='ocr_page' title='bbox 0 0 1000 1500'><p class='ocr_par'>"
        for line in page:
            words = "".join(
                f"<span class='ocrx_word' title='bbox {' '.join(map(str, w.box))}; x_wconf 90'>"
                f"{escape(w.text)}</span> "
                for w in line
            )
            body += f"<span class='ocr_line'>{words}</span>\n"
        body += "</p></div>"
    return f'<html xmlns="http://www.w3.org/1999/xhtml"><body>{body}</body></html>'.encode()


def alto(*pages: Sequence[Sequence[Placed]]) -> bytes:
    """An ALTO file with one block a page."""
    body = ""
    for page in pages:
        body += "<Page><PrintSpace><TextBlock>"
        for line in page:
            words = "".join(
                f'<String CONTENT={quoteattr(w.text)} HPOS="{w.box[0]}" VPOS="{w.box[1]}"'
                f' WIDTH="{w.box[2] - w.box[0]}" HEIGHT="{w.box[3] - w.box[1]}"/><SP/>'
                for w in line
            )
            body += f"<TextLine>{words}</TextLine>"
        body += "</TextBlock></PrintSpace></Page>"
    space = "http://www.loc.gov/standards/alto/ns-v3#"
    return f'<?xml version="1.0"?><alto xmlns="{space}"><Layout>{body}</Layout></alto>'.encode()


def page_xml(*pages: Sequence[Sequence[Placed]]) -> bytes:
    """A PAGE file with one region a page, words and lines with polygons."""
    body = ""
    for n, page in enumerate(pages):
        body += f'<Page imageFilename="p{n}.png" imageWidth="1000" imageHeight="1500"><TextRegion id="r{n}">'
        for line in page:
            words = "".join(f"<Word>{_polygon(w.box)}{_reading(w.text)}</Word>" for w in line)
            body += f"<TextLine>{words}{_reading(' '.join(w.text for w in line))}</TextLine>"
        body += "</TextRegion></Page>"
    space = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"
    return f'<?xml version="1.0"?><PcGts xmlns="{space}">{body}</PcGts>'.encode()


def _reading(text: str) -> str:
    return f"<TextEquiv><Unicode>{escape(text)}</Unicode></TextEquiv>"


def _polygon(box: tuple[float, float, float, float]) -> str:
    left, top, right, bottom = box
    return f'<Coords points="{left},{top} {right},{top} {right},{bottom} {left},{bottom}"/>'


def abbyy(*pages: Sequence[Sequence[Placed]]) -> bytes:
    """A FineReader file: an element around each character."""
    body = ""
    for page in pages:
        body += '<page width="1000" height="1500"><block blockType="Text"><text><par>'
        for line in page:
            words = '<charParams l="0" t="0" r="1" b="1"> </charParams>'.join(
                "".join(
                    f'<charParams l="{w.box[0] + LETTER * n}" t="{w.box[1]}"'
                    f' r="{w.box[0] + LETTER * (n + 1)}" b="{w.box[3]}">{escape(sign)}</charParams>'
                    for n, sign in enumerate(w.text)
                )
                for w in line
            )
            body += f"<line><formatting>{words}</formatting></line>"
        body += "</par></text></block></page>"
    space = "http://www.abbyy.com/FineReader_xml/FineReader10-schema-v1.xml"
    return f'<?xml version="1.0"?><document xmlns="{space}">{body}</document>'.encode()


def djvu_xml(*pages: Sequence[Sequence[Placed]]) -> bytes:
    """A DjVu XML file with one paragraph a page."""
    body = ""
    for page in pages:
        body += '<OBJECT width="1000" height="1500"><HIDDENTEXT><PARAGRAPH>'
        for line in page:
            words = " ".join(
                f'<WORD coords="{",".join(str(w.box[at]) for at in (0, 3, 2, 1))}">{escape(w.text)}</WORD>'
                for w in line
            )
            body += f"<LINE>{words}</LINE>"
        body += "</PARAGRAPH></HIDDENTEXT></OBJECT>"
    return f'<?xml version="1.0"?><!DOCTYPE DjVuXML><DjVuXML><BODY>{body}</BODY></DjVuXML>'.encode()


def pdf(*pages: Sequence[Sequence[Placed]]) -> bytes:
    """A PDF with the words in Helvetica, stretched to their boxes; a page without words has none at all."""
    import pypdfium2  # noqa: PLC0415 - only these tests need it
    from pypdfium2 import raw  # noqa: PLC0415

    made = pypdfium2.PdfDocument.new()
    font = raw.FPDFText_LoadStandardFont(made, b"Helvetica")
    for page in pages:
        sheet = made.new_page(1000, 1500)
        for line in page:
            for word in line:
                said = raw.FPDFPageObj_CreateTextObj(made, font, HEIGHT)
                text = (word.text + " ").encode("utf-16-le") + b"\0\0"
                raw.FPDFText_SetText(said, (raw.FPDF_WCHAR * (len(text) // 2)).from_buffer_copy(text))
                raw.FPDFPageObj_Transform(said, 0.8, 0, 0, 1, word.box[0], 1500 - word.box[3])
                raw.FPDFPage_InsertObject(sheet, said)
        raw.FPDFPage_GenerateContent(sheet)
        sheet.close()
    out = BytesIO()
    made.save(out)
    made.close()
    return out.getvalue()
