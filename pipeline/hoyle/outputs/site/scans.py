"""The pages of a document as the site shows them: their images, and where units and words stand on them.

Places are given in thousandths of the width of the page, in both directions, so that they fit an image of
any size: a page 1500 pixels wide and 2400 high is 1000 wide and 1600 high.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from hoyle.document import Box, Document, PageLayout, Span, WordBox
from hoyle.document.places import around, lines

FOLDER = "scans"
"""The folder of the images in that of a document of the site."""
_WIDTH = 1000
_NARROWEST = 400
"""Least width of a strip, likewise: letters are not blown up."""
_MARGIN = 8
"""Around a strip of lines, in thousandths of the width of the page."""


@dataclass(frozen=True, slots=True)
class PageView:
    """A page with an image: its number, what it is called, its address, its height in thousandths."""

    number: int
    label: str
    href: str
    height: int


@dataclass(frozen=True, slots=True)
class Strip:
    """Lines of a page: the part of its image that shows them."""

    page: PageView
    box: Box

    @property
    def view(self) -> str:
        """The ``viewBox`` of an SVG that shows them."""
        left, top, right, bottom = (round(place) for place in self.box)
        return f"{left} {top} {right - left} {bottom - top}"


class Scans:
    """The pages of a document that have images.

    Args:
        document: the document.
        images: the images, by the number of their page.
    """

    def __init__(self, document: Document, images: Mapping[int, Path]) -> None:
        self._text = document.source.text
        self._layouts = document.pages if images else ()
        self._starts = [page.span.start for page in self._layouts]
        self._words = [[word.span.start for word in page.words] for page in self._layouts]
        self.pages = {
            number: PageView(
                number,
                page.label or document.printed_number(page) or str(number),
                f"{FOLDER}/{images[number].name}",
                round(_WIDTH * page.height / page.width),
            )
            for number, page in enumerate(self._layouts, 1)
            if number in images and page.width and page.height
        }

    def __bool__(self) -> bool:
        """Whether there is any page to show."""
        return bool(self.pages)

    def pages_of(self, spans: Sequence[Span]) -> list[PageView]:
        """The pages that characters stand on.

        Args:
            spans: characters of the raw text.
        """
        numbers = dict.fromkeys(number for span in spans for number, _ in self._on(span))
        return [self.pages[number] for number in numbers if number in self.pages]

    def places(self, spans: Sequence[Span]) -> str:
        """The lines of some text, as scripts read them: ``3 120 340 800 21,118 365 802 22;4 …``.

        A page, its lines each as left, top, width and height; a page alone where it has no places.

        Args:
            spans: characters of the raw text, in reading order.
        """
        if not self:
            return ""
        found: list[str] = []
        for number, boxes in self._lines(spans):
            shown = ",".join(_numbers(box) for box in boxes)
            found.append(f"{number} {shown}" if shown else str(number))
        return ";".join(found)

    def strips(self, spans: Sequence[Span]) -> list[Strip]:
        """The parts of pages that show some text; of a text in two columns one for each column.

        Args:
            spans: characters of the raw text, in reading order.
        """
        found: list[Strip] = []
        for number, boxes in self._lines(spans):
            view = self.pages[number]
            cuts = [at for at, (one, other) in enumerate(pairwise(boxes), 1) if other.bottom < one.top]
            for start, end in pairwise([0, *cuts, len(boxes)]):
                if start < end:
                    left, top, right, bottom = around(boxes[start:end])
                    edge = (left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN)
                    found.append(Strip(view, Box(*edge)))
        wide = max((strip.box.right - strip.box.left for strip in found), default=0)
        wide = max(wide, _NARROWEST)
        return [replace(strip, box=_as_wide(strip.box, wide)) for strip in found]

    def listed(self, spans: Sequence[Span]) -> str:
        """The pages from the first to the last that some text stands on, as JSON for scripts.

        Args:
            spans: characters of the raw text.
        """
        numbers = [page.number for page in self.pages_of(spans)]
        if not numbers:
            return ""
        among = (page for n, page in self.pages.items() if min(numbers) <= n <= max(numbers))
        rows = [[page.number, page.href, page.height, page.label] for page in among]
        return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))

    def _on(self, span: Span) -> Iterator[tuple[int, PageLayout]]:
        """The numbers of the pages that a span touches, in order."""
        at = max(0, bisect_right(self._starts, span.start) - 1)
        while at < len(self._layouts) and (self._starts[at] < span.end or span.start == span.end):
            if self._layouts[at].span.end > span.start:
                yield at + 1, self._layouts[at]
            if span.start == span.end:
                return
            at += 1

    def _lines(self, spans: Sequence[Span]) -> Iterator[tuple[int, list[Box]]]:
        """The boxes of lines, page by page, in thousandths."""
        words: dict[int, list[list[WordBox]]] = {}
        for span in spans:
            for number, page in self._on(span):
                if number in self.pages:
                    words.setdefault(number, []).append(self._within(number, page, span))
        for number, parts in words.items():
            scale = _WIDTH / self._layouts[number - 1].width
            boxes = [around(w.box for w in line) for part in parts for line in lines(self._text, part)]
            yield number, [Box(*(scale * place for place in box)) for box in boxes]

    def _within(self, number: int, page: PageLayout, span: Span) -> list[WordBox]:
        """The words of a page that a span touches."""
        at = max(0, bisect_right(self._words[number - 1], span.start) - 1)
        found = []
        for word in page.words[at:]:
            if word.span.start >= span.end:
                break
            if word.span.end > span.start:
                found.append(word)
        return found


def _as_wide(box: Box, wide: float) -> Box:
    """A box made as wide as others, so that their letters are of one size, and kept on the page."""
    left = max(0.0, min(box.left, _WIDTH - wide))
    return Box(left, box.top, left + wide, box.bottom)


def _numbers(box: Box) -> str:
    left, top = int(box.left), int(box.top)
    return f"{left} {top} {max(1, round(box.right - left))} {max(1, round(box.bottom - top))}"
