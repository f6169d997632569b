"""PAGE XML: regions, lines and words with polygons (2010 to 2019; Transkribus, eScriptorium, OCR-D)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from hoyle.document import Box
from hoyle.document.places import around
from hoyle.inputs.gutters import box_of
from hoyle.inputs.markup import has_root, local_name, number
from hoyle.inputs.pages import Line, Page, Word, xml_decoder

BY = "inputs/page_xml"
_POINT = re.compile(r"(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)")


def accepts(data: bytes) -> bool:
    """Whether a file is PAGE XML."""
    return has_root(data, "PcGts")


def pages(root: etree._Element) -> Iterator[Page]:
    """The pages of a PAGE document; the standard allows one, some programs write more."""
    for page in root.iter():
        if local_name(page) == "Page":
            lines = tuple(line for region in _regions(page) for line in _lines(region))
            size = number(page, "imageWidth"), number(page, "imageHeight")
            yield Page(lines, *size, page.get("imageFilename") or "")


def _regions(page: etree._Element) -> list[etree._Element]:
    """The text regions, in the reading order that the file states, then in that of the file."""
    found = [element for element in page.iter() if local_name(element) == "TextRegion"]
    order = [ref.get("regionRef") for ref in _references(page)]
    rank = {name: at for at, name in reversed([*enumerate(order)])}
    return sorted(found, key=lambda region: rank.get(region.get("id"), len(rank)))


def _references(element: etree._Element) -> Iterator[etree._Element]:
    """The references to regions in the reading order, groups in groups resolved."""
    children = [
        child for child in element if local_name(child).startswith(("RegionRef", "Ordered", "Unordered"))
    ]
    children.sort(key=lambda child: number(child, "index"))
    for child in children:
        if child.get("regionRef"):
            yield child
        yield from _references(child)
    for child in element:
        if local_name(child) == "ReadingOrder":
            yield from _references(child)


def _lines(region: etree._Element) -> Iterator[Line]:
    opens = True
    for line in region:
        if local_name(line) == "TextLine" and (words := tuple(_words(line))):
            yield Line(words, opens)
            opens = False


def _words(line: etree._Element) -> list[Word]:
    """The words of a line; if its own text says something else, that, which was corrected later."""
    words = [
        Word(text, _box(element))
        for element in line
        if local_name(element) == "Word" and (text := _text(element))
    ]
    whole = _text(line)
    if whole and whole != " ".join(word.text for word in words):
        if len(whole.split()) == len(words):
            return [Word(text, word.box) for text, word in zip(whole.split(), words, strict=True)]
        return [Word(whole, _box(line))]
    return words


def _text(element: etree._Element) -> str:
    """The reading of an element with the lowest index."""
    found = sorted(
        (child for child in element if local_name(child) == "TextEquiv"),
        key=lambda child: number(child, "index"),
    )
    texts = (
        "".join(map(str, one.itertext()))
        for equiv in found[:1]
        for one in equiv
        if local_name(one) == "Unicode"
    )
    return " ".join(" ".join(texts).split())


def _box(element: etree._Element) -> Box | None:
    """The smallest upright rectangle around the polygon of an element."""
    for coords in element:
        if local_name(coords) == "Coords":
            points = _POINT.findall(coords.get("points") or "")
            points += [(point.get("x", ""), point.get("y", "")) for point in coords]  # until 2010
            found = [box for x, y in points if (box := box_of(x, y, x, y))]
            return around(found) if len(found) > 1 else None
    return None


decode = xml_decoder(pages, BY)
