"""The texts of many files as one: the pages of a book, a page break between two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from hoyle.document import PageLayout, Span, WordBox
from hoyle.inputs.text import PAGE_BREAK, DecodedText, OrderedSpan

BY = "inputs/joining"


def joined(reads: Sequence[DecodedText]) -> DecodedText:
    """The texts one after the other, each on a page of its own.

    Args:
        reads: what was read of the files, in their order.

    Returns:
        The text with all remarks, places and orders, at their new offsets.
    """
    text: list[str] = []
    doubts: list[tuple[str, int]] = []
    flow: list[OrderedSpan] = []
    rules: list[Span] = []
    pages: list[PageLayout] = []
    length = 0
    for at, read in enumerate(reads):
        last = at + 1 == len(reads)
        end = "" if last else f"{PAGE_BREAK}\n" if read.text.endswith("\n") else f"\n{PAGE_BREAK}\n"
        doubts += [(message, length + offset) for message, offset in read.doubts]
        pieces = read.flow or (OrderedSpan(Span(0, len(read.text)), "", BY),)
        flow += [piece._replace(span=_moved(piece.span, length)) for piece in pieces]
        if end:
            flow.append(
                OrderedSpan(Span(length + len(read.text), length + len(read.text) + len(end)), "", BY)
            )
        rules += [_moved(span, length) for span in read.rules]
        pages += [_page_moved(page, length) for page in read.pages or page_parts(read.text)]
        text += [read.text, end]
        length += len(read.text) + len(end)
    ordered = tuple(flow) if any(read.flow for read in reads) else ()
    return DecodedText(
        "".join(text), "utf-8", tuple(doubts), ordered, tuple(rules), extracted=True, pages=tuple(pages)
    )


def page_parts(text: str) -> tuple[PageLayout, ...]:
    """The pages of a text between form feeds, without places; one where it has none."""
    ends = [at for at, sign in enumerate(text) if sign == PAGE_BREAK]
    return tuple(PageLayout(Span(start, end)) for start, end in pairwise([0, *ends, len(text)]))


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _page_moved(page: PageLayout, by: int) -> PageLayout:
    words = tuple(WordBox(_moved(word.span, by), word.box) for word in page.words)
    return replace(page, span=_moved(page.span, by), words=words)
