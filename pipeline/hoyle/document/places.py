"""Places: characters of a text, and boxes of words on the pages that it was printed on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range ``[start, end)`` of characters of the source text."""

    start: int
    end: int

    def covers(self, other: Span) -> bool:
        """Return whether ``other`` lies entirely inside this span."""
        return self.start <= other.start and other.end <= self.end


class Box(NamedTuple):
    """A rectangle on a page: left, top, right and bottom, in any one unit, from the top left."""

    left: float
    top: float
    right: float
    bottom: float


class WordBox(NamedTuple):
    """The span of a word in a text, and its box on the page."""

    span: Span
    box: Box


@dataclass(frozen=True, slots=True)
class PageLayout:
    """A page, and the places of its words where the source has them.

    Attributes:
        span: its text.
        words: the words whose box the source gives (lines, where it has no words), in the order of the text.
        width: of the page, in the unit of the boxes, as a rule pixels of the image that they were
            measured on; 0 if unknown.
        height: of the page, likewise.
        image: the image of the page: a path relative to the folder of the source, with ``#page=3`` for
            a page of a PDF (RFC 8118), or the address of an image in a library; empty if there is none.
        label: what a list of the pages beside the source (METS, IIIF) calls it.
    """

    span: Span
    words: tuple[WordBox, ...] = ()
    width: float = 0.0
    height: float = 0.0
    image: str = ""
    label: str = ""

    @property
    def linked(self) -> bool:
        """Whether the image is in a library, so that it is linked and not copied."""
        return self.image.startswith(("http://", "https://"))


def around(boxes: Iterable[Box]) -> Box:
    """The smallest box around others, of which there is one at least."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def lines(text: str, words: Sequence[WordBox]) -> list[list[WordBox]]:
    """Words line by line, as the text has its line ends.

    Args:
        text: the raw text.
        words: some words of one page, in the order of the text.
    """
    found: list[list[WordBox]] = []
    at = -1
    for word in words:
        if not found or "\n" in text[at : word.span.start]:
            found.append([])
        found[-1].append(word)
        at = word.span.end
    return found
