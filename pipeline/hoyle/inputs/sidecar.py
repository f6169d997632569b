"""The geometry of an hOCR or ALTO file given to a text of the same page.

The text stays the source. Its words are matched with those of the file, and each takes the box
and the place in the reading order that its match has; words without one go with the word before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import pairwise

from hoyle.document import PageLayout, Span, WordBox
from hoyle.inputs.text import DecodedText, OrderedSpan

_LEAST_ALIKE = 0.8
"""Share of words that both must have in the same order; below it the file is of another text."""
_WINDOW = 600
_WORD = re.compile(r"\S+")


def align(text: str, page: DecodedText) -> tuple[tuple[OrderedSpan, ...], tuple[PageLayout, ...]]:
    """The reading order of ``text`` and the places of its words that the geometry of ``page`` shows.

    Args:
        text: the text as a file has it.
        page: what was read of the hOCR or ALTO file beside it.

    Returns:
        The order, empty if the text is in order; the pages, none if the file is of another text.
    """
    words = [Span(*match.span()) for match in _WORD.finditer(text)]
    theirs = [Span(*match.span()) for match in _WORD.finditer(page.text)]
    matches = list(_matches([text[a:b] for a, b in words], [page.text[a:b] for a, b in theirs]))
    if len(matches) < _LEAST_ALIKE * max(len(words), len(theirs), 1):
        return (), ()
    pages = tuple(_pages(text, [(words[mine], theirs[other]) for mine, other in matches], page))
    if not page.flow:
        return (), pages
    rank = _ranks(page)
    ranks: list[int | None] = [None] * len(words)
    for mine, other in matches:
        ranks[mine] = rank[theirs[other].start]
    return _pieces(text, words, ranks, page), pages


def _pages(text: str, matches: Sequence[tuple[Span, Span]], page: DecodedText) -> Iterator[PageLayout]:
    """The pages, each from its first matched word (the first from the beginning) to that of the next."""
    boxes = {word.span.start: word.box for layout in page.pages for word in layout.words}
    at = start = 0
    for number, layout in enumerate(page.pages, 1):
        placed: list[WordBox] = []
        while at < len(matches) and matches[at][1].start < layout.span.end:
            mine, other = matches[at]
            if other.start in boxes:
                placed.append(WordBox(mine, boxes[other.start]))
            at += 1
        last = number == len(page.pages) or at == len(matches)
        end = len(text) if last else max(start, matches[at][0].start)
        yield replace(layout, span=Span(start, end), words=tuple(placed))
        start = end


def _matches(words: Sequence[str], others: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Indices of words that are the same in both, in order; window by window, so in linear time."""
    at = beside = 0
    while at < len(words) and beside < len(others):
        window, other = words[at : at + _WINDOW], others[beside : beside + _WINDOW]
        blocks = SequenceMatcher(None, window, other, autojunk=False).get_matching_blocks()
        found = [(block.a + n, block.b + n) for block in blocks for n in range(block.size)]
        whole = at + _WINDOW >= len(words) and beside + _WINDOW >= len(others)
        # What matches near the end of a window may match better in the next one.
        kept = found if whole else found[: max(1, len(found) * 3 // 4)]
        if not kept:
            return
        yield from ((at + a, beside + b) for a, b in kept)
        at, beside = at + kept[-1][0] + 1, beside + kept[-1][1] + 1
        if whole:
            return


def _ranks(page: DecodedText) -> dict[int, int]:
    """Where each word of the page begins → index of the piece it stands in."""
    return {
        match.start(): at
        for at, piece in enumerate(page.flow)
        for match in _WORD.finditer(page.text, *piece.span)
    }


def _pieces(
    text: str, words: list[Span], ranks: list[int | None], page: DecodedText
) -> tuple[OrderedSpan, ...]:
    known = next((rank for rank in ranks if rank is not None), 0)
    runs: list[tuple[int, int]] = []
    for word, rank in zip(words, ranks, strict=True):
        known = known if rank is None else rank
        if not runs or runs[-1][1] != known:
            runs.append((word.start if runs else 0, known))
    ends = [*(start for start, _ in runs[1:]), len(text)]
    found = [
        (rank, OrderedSpan(Span(start, end), page.flow[rank].column, page.flow[rank].by))
        for (start, rank), end in zip(runs, ends, strict=True)
    ]
    ordered = [piece for _, piece in sorted(found, key=lambda item: (item[0], item[1].span))]
    if all(one.span.end == other.span.start for one, other in pairwise(ordered)):
        return ()
    return tuple(ordered)
