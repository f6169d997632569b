"""Pages of positioned words, as hOCR and ALTO give them, and the text made of them.

The text keeps the words, lines and paragraphs in the order of the file, so that it can be held
against it; a line that runs over two columns is broken where the gutter is. The reading order
that the geometry shows is told apart from it, as spans of the text (:class:`Piece`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from hoyle.document import Span
from hoyle.errors import SourceError
from hoyle.inputs.geometry import reading_order
from hoyle.inputs.gutters import Box
from hoyle.inputs.text import DecodedText, OrderedSpan

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
    """The lines of a page in the order of the file."""

    lines: tuple[Line, ...]


def read_pages(pages: Iterable[Page], *, name: str, by: str, doubts: Sequence[str] = ()) -> DecodedText:
    """The text of ``pages`` and the order in which it is to be read.

    Args:
        pages: what a file holds.
        name: what to call the file in messages.
        by: the reader, as evidence of the order names it.
        doubts: what a reader of the file should know.

    Returns:
        The text, and a doubt more if only some of the words of a page have a place.

    Raises:
        SourceError: if there is no word at all.
    """
    text: list[str] = []
    flow: list[OrderedSpan] = []
    rules: list[Span] = []
    unplaced: list[tuple[str, int]] = []
    length = 0
    for number, page in enumerate(pages, 1):
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
            what = f"page {number}: {missing} words have no place on it that can be read"
            unplaced.append((f"{what}; its lines are kept in the order of the file", length))
        arranged_page = reading_order(boxes, signs)
        spans: dict[tuple[int, int], Span] = {}
        for at, first, after, _ in sorted(arranged_page.parts):
            blank = "\n" if text and first == 0 and (lines[at].opens or at == 0) else ""
            words = [word.text for word in lines[at].words[first:after]]
            start = length + len(blank)
            for n, word in enumerate(words, first):
                if (at, n) in arranged_page.rules:
                    rules.append(Span(start, start + len(word)))
                start += len(word) + 1
            spans[at, first] = Span(length, start)
            text += [blank, " ".join(words), "\n"]
            length = start
        flow += [OrderedSpan(spans[at, first], column, by) for at, first, _, column in arranged_page.parts]
    if not text:
        raise SourceError("holds no words; give the file that the OCR wrote", document=name)
    remarks = (*((doubt, 0) for doubt in doubts), *unplaced)
    return DecodedText("".join(text), "utf-8", remarks, _in_order(flow), tuple(rules), extracted=True)


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
