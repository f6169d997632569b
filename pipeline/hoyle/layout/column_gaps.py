"""Columns that a reader set side by side with gaps of spaces, as ``pdftotext -layout`` does.

The right column begins at one place in the lines of a block. A table has such places too; what tells
columns of text is that sentences run on from a half to the half below it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from hoyle.document import Span

_GAP = re.compile(r"(?<=\S)[ \t\u00a0]{2,}(?=\S)")
FEWEST_LINES = 4
LEAST_ALIGNED = 0.7
"""Share of the lines in which the right column must begin at one place."""
LEAST_RUNNING_ON = 0.3
"""Share of halves after which the half below must go on a sentence, on either side."""
_SLACK = 1
"""Places by which the start of a column may vary."""


class Halves(NamedTuple):
    """Lines of two columns, and where each is cut (offset into the text; its end if it has no right half)."""

    lines: tuple[Span, ...]
    cuts: tuple[int, ...]


def side_by_side(text: str, lines: Sequence[Span]) -> Iterator[Halves]:
    """The blocks of lines in which two columns of text stand side by side.

    Args:
        text: the raw text.
        lines: its lines, in characters of the text.
    """
    for block in _blocks(text, lines):
        gaps = [list(_GAP.finditer(text, *line)) for line in block]
        offsets = Counter(gap.end() - _line_start(text, gap.end()) for found in gaps for gap in found)
        if not offsets:
            continue
        column = max(offsets, key=lambda at: (sum(offsets[at + d] for d in range(-_SLACK, _SLACK + 1)), -at))
        cuts = [_cut(text, line, found, column) for line, found in zip(block, gaps, strict=True)]
        right = [cut for line, cut in zip(block, cuts, strict=True) if cut < line.end]
        if len(right) >= max(FEWEST_LINES, LEAST_ALIGNED * len(block)) and _run_on(text, block, cuts):
            yield Halves(tuple(block), tuple(cuts))


def _blocks(text: str, lines: Sequence[Span]) -> Iterator[list[Span]]:
    """Lines that no empty line parts."""
    block: list[Span] = []
    for line in lines:
        if block and text.count("\n", block[-1].end, line.start) > 1:
            yield block
            block = []
        block.append(line)
    yield block


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _cut(text: str, line: Span, gaps: Sequence[re.Match[str]], column: int) -> int:
    """Where the right half of a line begins."""
    for gap in gaps:
        if abs(gap.end() - _line_start(text, gap.end()) - column) <= _SLACK:
            return gap.end()
    indented = line.start - _line_start(text, line.start) >= column - _SLACK
    return line.start if indented else line.end


def _run_on(text: str, block: Sequence[Span], cuts: Sequence[int]) -> bool:
    """Whether the halves of each column go on the sentences of those above them."""
    left = [text[line.start : cut].strip() for line, cut in zip(block, cuts, strict=True)]
    right = [text[cut : line.end].strip() for line, cut in zip(block, cuts, strict=True)]
    for halves in (left, right):
        shown = [half for half in halves if half]
        pairs = list(pairwise(shown))
        running = sum(a[-1].isalnum() and b[:1].isalpha() and b[0].islower() for a, b in pairs)
        letters = sum(sign.isalpha() for half in shown for sign in half)
        if not pairs or running < LEAST_RUNNING_ON * len(pairs) or letters < sum(map(len, shown)) / 2:
            return False
    return True
