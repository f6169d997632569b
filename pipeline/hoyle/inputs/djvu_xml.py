"""DjVu XML: the hidden text of a DjVu file with places (``djvutoxml``, archive.org's ``_djvu.xml``)."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from hoyle.document import Box
from hoyle.inputs.gutters import box_of
from hoyle.inputs.markup import has_root, local_name, number
from hoyle.inputs.pages import Line, Page, Word, xml_decoder

BY = "inputs/djvu_xml"


def accepts(data: bytes) -> bool:
    """Whether a file is DjVu XML."""
    return has_root(data, "DjVuXML")


def pages(root: etree._Element) -> Iterator[Page]:
    """The pages (``OBJECT``) of a DjVu XML document."""
    for page in root.iter():
        if local_name(page) == "OBJECT":
            yield Page(tuple(_lines(page)), number(page, "width"), number(page, "height"))


def _lines(page: etree._Element) -> Iterator[Line]:
    block: etree._Element | None = None
    for line in page.iter():
        if local_name(line) == "LINE" and (words := tuple(_words(line))):
            yield Line(words, line.getparent() is not block)
            block = line.getparent()


def _words(line: etree._Element) -> Iterator[Word]:
    for element in line.iter():
        text = " ".join((element.text or "").split())
        if local_name(element) == "WORD" and text:
            yield Word(text, _box(element.get("coords") or ""))


def _box(coords: str) -> Box | None:
    """``left,bottom,right,top`` in pixels from the top left, the base line sometimes after them."""
    found = box_of(*coords.split(",")[:4]) if coords.count(",") > 2 else None
    return found and found._replace(top=min(found.top, found.bottom), bottom=max(found.top, found.bottom))


decode = xml_decoder(pages, BY)
