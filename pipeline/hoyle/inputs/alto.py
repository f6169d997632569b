"""ALTO: words as ``String`` elements with their place (ALTO 1 to 4, Library of Congress)."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from hoyle.document import Box
from hoyle.inputs.gutters import box_of
from hoyle.inputs.markup import has_root, local_name, number
from hoyle.inputs.pages import Line, Page, Word, xml_decoder

BY = "inputs/alto"


def accepts(data: bytes) -> bool:
    """Whether a file is ALTO."""
    return has_root(data, "alto")


def pages(root: etree._Element) -> Iterator[Page]:
    """The pages of an ALTO document."""
    image = next((" ".join((e.text or "").split()) for e in root.iter() if local_name(e) == "fileName"), "")
    found = [element for element in root.iter() if local_name(element) == "Page"]
    for page in found:
        # The file names one image only; of several pages it is that of the first.
        yield Page(tuple(_lines(page)), number(page, "WIDTH"), number(page, "HEIGHT"), image)
        image = ""


def _lines(page: etree._Element) -> Iterator[Line]:
    block: etree._Element | None = None
    for element in page.iter():
        if local_name(element) == "TextLine" and (words := tuple(_words(element))):
            yield Line(words, element.getparent() is not block)
            block = element.getparent()


def _words(line: etree._Element) -> Iterator[Word]:
    """The words of a line; a hyphen at its end (``HYP``) is part of the word before it."""
    held: Word | None = None
    for element in line:
        content = " ".join((element.get("CONTENT") or "").split())
        if local_name(element) == "String" and content:
            if held:
                yield held
            held = Word(content, _box(element))
        elif local_name(element) == "HYP" and held:
            held = held._replace(text=held.text + (content or "-"))
    if held:
        yield held


def _box(element: etree._Element) -> Box | None:
    given = box_of(*(element.get(name, "") for name in ("HPOS", "VPOS", "WIDTH", "HEIGHT")))
    return given and Box(given.left, given.top, given.left + given.right, given.top + given.bottom)


def _texts(root: etree._Element) -> Iterator[str]:
    """All text of a document, without the signs of a word (``Glyph``) and their other readings."""
    for element in root.iter():
        if local_name(element) == "TextLine":
            yield from map(str, element.itertext())
        if local_name(element) not in {"Glyph", "Variant"}:
            yield element.get("CONTENT") or ""


decode = xml_decoder(pages, BY, _texts)
