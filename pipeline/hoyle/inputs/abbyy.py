"""ABBYY FineReader XML: every character with its place (FineReader 6 to 11, archive.org's ``_abbyy.gz``)."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from lxml import etree

from hoyle.document import Box
from hoyle.document.places import around
from hoyle.errors import SourceError
from hoyle.inputs.gutters import box_of
from hoyle.inputs.markup import number, root_of
from hoyle.inputs.pages import Line, Page, Word, read_pages
from hoyle.inputs.text import MAX_BYTES, DecodedText, check_size

BY = "inputs/abbyy"
SIZE = 16
"""How many times the limit of a text the file may have: an element stands around each character."""


def decode(data: bytes, *, name: str, encoding: str = "", max_bytes: int = MAX_BYTES) -> DecodedText:
    """The text of a FineReader XML file and the order in which its geometry shows it is to be read.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        encoding: not used; the file itself says what it is in.
        max_bytes: refuse a longer text, and a file of :data:`SIZE` times that.

    Raises:
        SourceError: too large, no XML, or without words.
    """
    del encoding
    check_size(len(data), name=name, max_bytes=SIZE * max_bytes)
    try:
        return read_pages(pages(data), name=name, by=BY, max_bytes=max_bytes)
    except etree.XMLSyntaxError as error:
        line = error.lineno or 0
        raise SourceError(f"line {line}: is no well-formed XML ({error.msg})", document=name) from None


def accepts(data: bytes) -> bool:
    """Whether a file is FineReader XML."""
    return "abbyy.com" in root_of(data).lower()


def pages(data: bytes) -> Iterator[Page]:
    """The pages of a FineReader document, one at a time in memory."""
    found = etree.iterparse(
        BytesIO(data), events=("end",), tag="{*}page", resolve_entities=False, no_network=True, load_dtd=False
    )
    for _, page in found:
        yield Page(tuple(_lines(page)), number(page, "width"), number(page, "height"))
        page.clear()
        while page.getprevious() is not None:
            del page.getparent()[0]


def _lines(page: etree._Element) -> Iterator[Line]:
    block: etree._Element | None = None
    for line in page.iter("{*}line"):
        if words := tuple(_words(line)):
            yield Line(words, line.getparent() is not block)
            block = line.getparent()


def _words(line: etree._Element) -> Iterator[Word]:
    """The words of a line: its characters, parted where there is white space."""
    signs = list(line.iter("{*}charParams"))
    if not signs:
        if whole := " ".join("".join(map(str, line.itertext())).split()):
            yield Word(whole, _box([line]))
        return
    held: list[etree._Element] = []
    for sign in signs:
        if (sign.text or "").strip():
            held.append(sign)
        elif held:
            yield _word(held)
            held = []
    if held:
        yield _word(held)


def _word(signs: list[etree._Element]) -> Word:
    return Word("".join((sign.text or "").strip() for sign in signs), _box(signs))


def _box(elements: list[etree._Element]) -> Box | None:
    boxes = [box_of(*(element.get(side, "") for side in "ltrb")) for element in elements]
    return around([box for box in boxes if box]) if all(boxes) else None
