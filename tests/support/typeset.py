"""Pages set in columns with a place for every word, written as hOCR or ALTO."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
