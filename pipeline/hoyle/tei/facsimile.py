"""The TEI ``facsimile``: pages as surfaces, lines and words as zones (TEI P5, 12.1)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from urllib.parse import quote

from lxml import etree

from hoyle.document import Box, Document, PageLayout, Span, WordBox
from hoyle.document.places import around, lines
from hoyle.tei.names import escape_attribute, parse_raw_pointer, raw_pointer, tei, unescape_attribute
from hoyle.tei.problems import ProblemError, problem_at
from hoyle.tei.xml_text import XmlWriter

FOLDER = "facsimiles"
"""The folder of a build with the images of pages, a folder a document; it lies beside that of the TEI."""
_CORNERS = ("ulx", "uly", "lrx", "lry")
_IN_PAGES = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,6})?")


def image_path(document: str, number: int) -> str:
    """The path of the image of a page in a build.

    Args:
        document: id of the document.
        number: of the page, from 1.
    """
    return f"{FOLDER}/{document}/{number:04}.webp"


def image_address(document: Document, number: int) -> str:
    """The address of the image of a page as a TEI file has it; empty if there is none.

    Args:
        document: the document.
        number: of the page, from 1.
    """
    page = document.pages[number - 1]
    if not page.image or page.linked:
        return page.image
    return "../" + quote(image_path(document.id, number))


def surface_id(number: int) -> str:
    """The ``xml:id`` of the surface of a page, counted from 1."""
    return f"facs.{number}"


class FacsimileIndex:
    """Pages and lines of a document by their characters, as pointers need them.

    Args:
        document: the document.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self.starts = [page.span.start for page in document.pages]

    @cached_property
    def _lines(self) -> list[tuple[Span, str]]:
        """The span and the id of each line, in the order of the raw text."""
        found = []
        for number, page in enumerate(self._document.pages, 1):
            for nth, line in enumerate(lines(self._document.source.text, page.words), 1):
                span = Span(line[0].span.start, line[-1].span.end)
                found.append((span, f"{surface_id(number)}.{nth}"))
        return found

    def pages_in(self, span: Span) -> range:
        """The numbers (from 1) of the pages that begin in a span."""
        return range(bisect_left(self.starts, span.start) + 1, bisect_left(self.starts, span.end) + 1)

    def lines_of(self, spans: Sequence[Span]) -> str | None:
        """``@facs`` of what has these spans: pointers to its lines; ``None`` if they have no place."""
        found: dict[str, None] = {}
        for start, end in spans:
            at = bisect_right(self._lines, start, key=lambda line: line[0].end)
            while at < len(self._lines) and self._lines[at][0].start < end:
                found[f"#{self._lines[at][1]}"] = None
                at += 1
        return " ".join(found) or None


def write_facsimile(root: etree._Element, document: Document) -> None:
    """Write ``facsimile``, unless the document has no pages.

    Args:
        root: the parent element.
        document: the document.
    """
    if not document.pages:
        return
    facsimile = XmlWriter(root).add("facsimile")
    for number, page in enumerate(document.pages, 1):
        size = Box(0, 0, page.width, page.height)
        surface = XmlWriter(facsimile).add(
            "surface",
            id_=surface_id(number),
            n=escape_attribute(page.label) if page.label else None,
            corresp=raw_pointer(page.span),
            **(_corners(size) if page.width and page.height else {}),
        )
        if address := image_address(document, number):
            XmlWriter(surface).add("graphic", url=address)
        for nth, line in enumerate(lines(document.source.text, page.words), 1):
            box = _corners(around(word.box for word in line))
            zone = XmlWriter(surface).add("zone", id_=f"{surface_id(number)}.{nth}", type="line", **box)
            writer = XmlWriter(zone)
            for word in line:
                writer.add("zone", type="word", corresp=raw_pointer(word.span), **_corners(word.box))
    for element in chain([facsimile], facsimile.iter(tei("surface"), tei("zone"))):
        if element is facsimile or element.tag == tei("surface"):
            element.text = "\n" if len(element) else None
        if element is not facsimile and element.get("type") != "word":
            element.tail = "\n"
        if element.tag == tei("graphic"):
            element.tail = "\n"


def _corners(box: Box) -> dict[str, str | None]:
    return {name: f"{place:.10g}" for name, place in zip(_CORNERS, box, strict=True)}


def read_facsimile(root: etree._Element) -> Iterator[PageLayout]:
    """Read the pages of a TEI file.

    Args:
        root: the root element.

    Yields:
        The pages, in the order of the file.

    Raises:
        ProblemError: a surface or a word has no range of characters, or a place that is no number.
    """
    for surface in root.iterfind(f"{tei('facsimile')}/{tei('surface')}"):
        span = _span(surface)
        size = _box(surface) if surface.get("lrx") else Box(0, 0, 0, 0)
        graphic = surface.find(tei("graphic"))
        words = (zone for zone in surface.iter(tei("zone")) if zone.get("type") == "word")
        yield PageLayout(
            span,
            tuple(WordBox(_span(zone), _box(zone)) for zone in words),
            size.right,
            size.bottom,
            "" if graphic is None else graphic.get("url", ""),
            unescape_attribute(surface.get("n", "")),
        )


def misplaced(pages: Iterable[PageLayout], length: int) -> Iterator[tuple[int, str]]:
    """What is wrong with the pages of a file.

    Args:
        pages: the pages in the order of the file.
        length: of the text, in characters.

    Yields:
        The number of a page, and a message.
    """
    at = 0
    for number, page in enumerate(pages, 1):
        start, end = page.span
        if start < at or end < start or end > length:
            message = "which overlap another page or do not exist"
            yield number, f"of page {number} holds the characters {start} to {end}, {message}"
        last = start
        for word in page.words:
            if word.span.start < last or word.span.end > end or word.span.end < word.span.start:
                yield (
                    number,
                    f"has a word at {word.span.start},{word.span.end}, out of order or of another page",
                )
                break
            last = word.span.end
        at = max(at, end)


def _span(element: etree._Element) -> Span:
    span = parse_raw_pointer(element.get("corresp", ""))
    if span is None:
        raise ProblemError(problem_at(element, 'needs the range of its text, as in corresp="raw:0,12"'))
    return span


def _box(element: etree._Element) -> Box:
    values = [element.get(name, "") for name in _CORNERS]
    if not all(_IN_PAGES.fullmatch(value.removeprefix("-")) for value in values):
        raise ProblemError(problem_at(element, f"needs {', '.join(_CORNERS)}, each a number of pixels"))
    return Box(*(float(value) if "." in value else int(value) for value in values))
