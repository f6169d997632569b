"""DjVu XML: the hidden text of a DjVu file with places (``djvutoxml``, archive.org's ``_djvu.xml``)."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from hoyle.inputs.gutters import Box, box_of
from hoyle.inputs.markup import has_root, local_name, number, parse
from hoyle.inputs.pages import Line, Page, Word, read_pages
from hoyle.inputs.text import MAX_BYTES, DecodedText

BY = "inputs/djvu_xml"


def decode(data: bytes, *, name: str, encoding: str = "", max_bytes: int = MAX_BYTES) -> DecodedText:
    """The text of a DjVu XML file and the order in which its geometry shows it is to be read.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        encoding: not used; the file itself says what it is in.
        max_bytes: refuse anything larger.

    Raises:
        SourceError: too large, no XML, or without words.
    """
    del encoding
    return read_pages(pages(parse(data, name=name, max_bytes=max_bytes)), name=name, by=BY)


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
