"""Pages of positioned words, as hOCR, ALTO, PAGE and PDF give them, and the text made of them.

The text keeps the words, lines and paragraphs in the order of the file, so that it can be held
against it; a line that runs over two columns is broken where the gutter is. The reading order
that the geometry shows is told apart from it, as spans of the text (:class:`OrderedSpan`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from lxml import etree

from hoyle.document import Box, PageLayout, Span, WordBox
from hoyle.errors import SourceError
from hoyle.inputs.geometry import reading_order
from hoyle.inputs.markup import parse
from hoyle.inputs.text import MAX_BYTES, PAGE_BREAK, DecodedText, OrderedSpan, check_size

_RULES = frozenset("|¦{}[]!Il/\\")
"""What recognition makes of the rule between two columns."""


class Word(NamedTuple):
    """A word and its place on the page; ``box`` is ``None`` where the file does not say."""

    text: str
    box: Box | None


@dataclass(frozen=True, slots=True)
class Line:
    """A line as the file has it; ``opens`` says that a paragraph begins with it."""

    words: tuple[Word, ...]
    opens: bool


@dataclass(frozen=True, slots=True)
class Page:
    """The lines of a page in the order of the file; see :class:`hoyle.inputs.text.PageLayout`."""

    lines: tuple[Line, ...]
    width: float = 0.0
    height: float = 0.0
    image: str = ""


def xml_decoder(
    pages: Callable[[etree._Element], Iterable[Page]],
    by: str,
    texts: Callable[[etree._Element], Iterable[str]] = lambda _: (),
) -> Callable[..., DecodedText]:
    """The ``decode`` of a format that is XML with the places of words.

    Args:
        pages: gives the pages of a document, from its root.
        by: the reader, as evidence of the order names it.
        texts: gives all text of a document, where some may be outside what the format calls a word.

    Returns:
        A function ``decode(data, name=…, encoding=…, max_bytes=…)``, see :class:`hoyle.inputs.Input`. XML
        says itself what it is in, so ``encoding`` is not used. It raises SourceError for a file that is
        too large, no XML, or without words.
    """

    def decode(data: bytes, *, name: str, encoding: str = "", max_bytes: int = MAX_BYTES) -> DecodedText:
        del encoding
        root = parse(data, name=name, max_bytes=max_bytes)
        found = [*pages(root)]
        return read_pages(found, name=name, by=by, doubts=left_out(found, texts(root)))

    return decode


def left_out(pages: Iterable[Page], texts: Iterable[str]) -> tuple[str, ...]:
    """A remark on what a file says outside of the words on its pages; none if the pages have all of it.

    Args:
        pages: the pages that were found.
        texts: all text of the file.
    """
    words = (word.text for page in pages for line in page.lines for word in line.words)
    missing = _signs(texts) - _signs(words)
    if missing <= 0:
        return ()
    return (f"{missing} letters and digits stand outside of what the file marks as words; they are not read",)


def _signs(texts: Iterable[str]) -> int:
    return sum(sum(map(str.isalnum, text)) for text in texts)


def read_pages(
    pages: Iterable[Page],
    *,
    name: str,
    by: str,
    doubts: Sequence[str] = (),
    max_bytes: int = MAX_BYTES,
) -> DecodedText:
    """The text of ``pages``, the order in which it is to be read, and the places of its words.

    Args:
        pages: what a file holds.
        name: what to call the file in messages.
        by: the reader, as evidence of the order names it.
        doubts: what a reader of the file should know.
        max_bytes: refuse a text that is longer, in characters.

    Returns:
        The text, and a doubt more if only some of the words of a page have a place.

    Raises:
        SourceError: if there is no word at all, or the text is too long.
    """
    made = _Text(by)
    for page in pages:
        made.add(page)
        check_size(made.length, name=name, max_bytes=max_bytes)
    text = "".join(made.text)
    if not text.strip():
        raise SourceError("holds no words; give the file that the OCR wrote", document=name)
    return DecodedText(
        text,
        "utf-8",
        (*((doubt, 0) for doubt in doubts), *made.unplaced),
        flow=_in_order(made.flow),
        rules=tuple(made.rules),
        extracted=True,
        pages=tuple(made.pages),
    )


class _Text:
    """The text of pages, as it grows."""

    def __init__(self, by: str) -> None:
        self.by = by
        self.text: list[str] = []
        self.flow: list[OrderedSpan] = []
        self.rules: list[Span] = []
        self.pages: list[PageLayout] = []
        self.unplaced: list[tuple[str, int]] = []
        self.length = 0

    def add(self, page: Page) -> None:
        """Add a page; a page break comes first, except before the first page."""
        lines = [line for line in page.lines if line.words]
        signs = {
            (at, n)
            for at, line in enumerate(lines)
            for n, word in enumerate(line.words)
            if word.text in _RULES
        }
        boxes = [[word.box for word in line.words] for line in lines]
        missing = sum(box is None for row in boxes for box in row)
        if 0 < missing < sum(map(len, boxes)):
            what = f"page {len(self.pages) + 1}: {missing} words have no place on it that can be read"
            self.unplaced.append((f"{what}; its lines are kept in the order of the file", self.length))
        arranged_page = reading_order(boxes, signs)
        begin, placed = self.length, list[WordBox]()
        spans: dict[tuple[int, int], Span] = {}
        for at, first, after, _ in sorted(arranged_page.parts):
            words = lines[at].words[first:after]
            lead = ""
            if first == 0 and at == 0 and self.pages:
                lead = f"{PAGE_BREAK}\n"
            elif first == 0 and at > 0 and lines[at].opens:
                lead = "\n"
            start = self.length + len(lead)
            for n, word in enumerate(words, first):
                span = Span(start, start + len(word.text))
                if (at, n) in arranged_page.rules:
                    self.rules.append(span)
                if word.box is not None:
                    placed.append(WordBox(span, word.box))
                start += len(word.text) + 1
            spans[at, first] = Span(self.length, start)
            self.text += [lead, " ".join(word.text for word in words), "\n"]
            self.length = start
        if not lines and self.pages:
            self._empty_page()
        by = self.by
        self.flow += [
            OrderedSpan(spans[at, first], column, by) for at, first, _, column in arranged_page.parts
        ]
        span = Span(begin, self.length)
        self.pages.append(PageLayout(span, tuple(placed), page.width, page.height, page.image))

    def _empty_page(self) -> None:
        self.text.append(f"{PAGE_BREAK}\n")
        self.flow.append(OrderedSpan(Span(self.length, self.length + 2), "", self.by))
        self.length += 2


def _in_order(flow: Sequence[OrderedSpan]) -> tuple[OrderedSpan, ...]:
    """Pieces that follow on each other in text and column as one; none if the text is in order already."""
    joined: list[OrderedSpan] = []
    for piece in flow:
        if joined and joined[-1].span.end == piece.span.start and joined[-1].column == piece.column:
            joined[-1] = joined[-1]._replace(span=Span(joined[-1].span.start, piece.span.end))
        else:
            joined.append(piece)
    if all(one.span.end == other.span.start for one, other in pairwise(joined)):
        return ()
    return tuple(joined)
