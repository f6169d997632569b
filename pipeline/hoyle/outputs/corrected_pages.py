"""The corrected words back in their boxes: ALTO 4 and hOCR, which libraries can take in.

Only what corrects single words is applied: line ends and hyphens stay as the page has them, and so does its
furniture. Words that a correction joins share one box around theirs; of a word that it parts each gets a part
of the box, by its length.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from lxml import etree

from hoyle import __version__
from hoyle.document import Box, Document, Edit, PageLayout, Span, WordBox
from hoyle.document.places import around, lines
from hoyle.document.text_layers import LayerText
from hoyle.errors import OutputError

_ALTO = "http://www.loc.gov/standards/alto/ns-v4#"


class PlacedText(NamedTuple):
    """A corrected word, its box, and the probability (0 to 1) that it is right."""

    text: str
    box: Box
    confidence: float


def corrected_lines(document: Document) -> Iterator[tuple[PageLayout, list[list[PlacedText]]]]:
    """The pages of a document, with their lines of corrected words.

    Args:
        document: the document, corrected.

    Raises:
        OutputError: its source has no places of words.
    """
    if not any(page.words for page in document.pages):
        message = "the source has no places of words; give its hOCR, ALTO, PAGE or PDF"
        raise OutputError(message, document=document.id)
    edits = [edit for edit in document.edits if edit.kind in ("correct", "misprint")]
    starts = [edit.span.start for edit in edits]
    for page in document.pages:
        found = [_line(document, line, edits, starts) for line in lines(document.source.text, page.words)]
        yield page, [line for line in found if line]


def _line(
    document: Document, line: Sequence[WordBox], edits: Sequence[Edit], starts: Sequence[int]
) -> list[PlacedText]:
    whole = Span(line[0].span.start, line[-1].span.end)
    first = bisect_left(starts, whole.start)
    last = bisect_left(starts, whole.end)
    mine = [edit for edit in edits[first:last] if edit.span.end <= whole.end]
    made: list[PlacedText] = []
    group: list[WordBox] = []
    for at, word in enumerate(line):
        group.append(word)
        after = line[at + 1].span.start if at + 1 < len(line) else whole.end + 1
        # A correction that reaches from this word to the next ties them together.
        if any(edit.span.start < after and edit.span.end > word.span.end for edit in mine):
            continue
        span = Span(group[0].span.start, word.span.end)
        inside = [edit for edit in mine if span.covers(edit.span)]
        sure = min((edit.why.confidence for edit in inside), default=1.0)
        text = LayerText(document.source.text, inside, [span], document=document.id).text
        made += (PlacedText(said, box, sure) for said, box in _shared(text.split(), group))
        group = []
    return made


def _shared(words: Sequence[str], boxes: Sequence[WordBox]) -> Iterator[tuple[str, Box]]:
    """The boxes shared out among the words."""
    if len(words) == len(boxes):
        yield from zip(words, (word.box for word in boxes), strict=True)
        return
    box = around(word.box for word in boxes)
    total = sum(map(len, words)) + max(0, len(words) - 1)
    at = 0
    for word in words:
        left, right = (box.left + (box.right - box.left) * place / total for place in (at, at + len(word)))
        yield word, Box(round(left), box.top, round(right), box.bottom)
        at += len(word) + 1


def alto(document: Document) -> bytes:
    """The corrected pages as ALTO 4, one ``Page`` a page.

    Args:
        document: the document, corrected.

    Raises:
        OutputError: its source has no places of words.
    """
    root = etree.Element(f"{{{_ALTO}}}alto", nsmap={None: _ALTO})  # type: ignore[dict-item]  # as in tei.write
    description = _add(root, "Description")
    _add(description, "MeasurementUnit").text = "pixel"
    step = _add(_add(description, "Processing", ID="hoyle"), "processingSoftware")
    _add(step, "softwareName").text = "Hoyle"
    _add(step, "softwareVersion").text = __version__
    layout = _add(root, "Layout")
    for number, (page, found) in enumerate(corrected_lines(document), 1):
        size = {"WIDTH": str(int(page.width)), "HEIGHT": str(int(page.height))} if page.width else {}
        made = _add(layout, "Page", ID=f"p{number}", PHYSICAL_IMG_NR=str(number), **size)
        space = _add(made, "PrintSpace")
        block = _add(space, "TextBlock", ID=f"p{number}b")
        for nth, line in enumerate(found, 1):
            row = _add(block, "TextLine", ID=f"p{number}l{nth}", **_place(around(w.box for w in line)))
            for at, word in enumerate(line, 1):
                if at > 1:
                    _add(row, "SP")
                said = {"CONTENT": word.text, "WC": f"{word.confidence:.2f}"}
                _add(row, "String", ID=f"p{number}l{nth}w{at}", **said, **_place(word.box))
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True, pretty_print=True)


def _add(parent: etree._Element, name: str, **attributes: str) -> etree._Element:
    clean = {key: _held(value) for key, value in attributes.items()}
    return etree.SubElement(parent, f"{{{_ALTO}}}{name}", clean)


def _held(text: str) -> str:
    """A text without the characters that XML cannot hold."""
    return "".join(sign if sign.isprintable() or sign.isspace() else "\ufffd" for sign in text)


def _place(box: Box) -> dict[str, str]:
    wide, high = box.right - box.left, box.bottom - box.top
    names = ("HPOS", "VPOS", "WIDTH", "HEIGHT")
    return {name: f"{value:.0f}" for name, value in zip(names, (box.left, box.top, wide, high), strict=True)}


def hocr(document: Document) -> bytes:
    """The corrected pages as hOCR 1.2.

    Args:
        document: the document, corrected.

    Raises:
        OutputError: its source has no places of words.
    """
    out = [
        (
            '<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml">\n<head>\n<meta charset="utf-8"/>\n'
            f"<title>{escape(_held(document.meta.name))}</title>\n"
            f'<meta name="ocr-system" content="Hoyle {__version__}"/>\n'
            '<meta name="ocr-capabilities" content="ocr_page ocr_line ocrx_word"/>\n</head>\n<body>\n'
        )
    ]
    for number, (page, found) in enumerate(corrected_lines(document), 1):
        size = f"bbox 0 0 {page.width:.0f} {page.height:.0f}; " if page.width else ""
        out.append(f'<div class="ocr_page" id="page_{number}" title="{size}ppageno {number - 1}">\n')
        for line in found:
            words = " ".join(
                f'<span class="ocrx_word" title="{_bbox(word.box)}; x_wconf {100 * word.confidence:.0f}">'
                f"{escape(_held(word.text))}</span>"
                for word in line
            )
            out.append(
                f'<span class="ocr_line" title="{_bbox(around(w.box for w in line))}">{words}</span>\n'
            )
        out.append("</div>\n")
    return "".join([*out, "</body>\n</html>\n"]).encode()


def _bbox(box: Box) -> str:
    return "bbox " + " ".join(f"{place:.0f}" for place in box)
