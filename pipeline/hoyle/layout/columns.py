"""Text read across two columns, put back in order where that is sure.

Three kinds are known: columns that stand side by side with gaps of spaces
(:mod:`hoyle.layout.column_gaps`); pages whose printed lines are lines of the text (each holds a line
of the left and one of the right column, :mod:`hoyle.layout.column_halves`), told by hyphens in the
middle of lines; and text run together without line ends (:mod:`hoyle.layout.column_rows`), told by two
numberings that take turns. Anything else, and anything unsure, is left as it is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from hoyle.document import Block, Document, Evidence, Fragment, Item, Span
from hoyle.languages import Language
from hoyle.layout.column_gaps import side_by_side
from hoyle.layout.column_halves import cut_lines
from hoyle.layout.column_rows import separate
from hoyle.layout.interleaving import Region, interleaved
from hoyle.resources.letters import Letters

# Tried at the start of a line only, so that a line of many blanks takes time in proportion to its length.
_LINE = re.compile(r"(?<![^\r\n\f])[^\S\r\n\f]*+\S[^\r\n\f]*")
_COLUMN_END_INSIDE = re.compile(r"[^\W\d_][-¬]\s+(?:[|¦{}]\s+)?[^\W\d_]|\S\s+[|¦]\s+\S")
"""A hyphen, or the rule between two columns, in the middle of a line."""
_RULE_AT_END = re.compile(r"\s([|¦])\s*\Z")
_FEWEST_LINES, _MOST_LINES = 8, 90
"""Lines of a page: fewer give no evidence, more are several pages that nothing parts."""
_SUSPECT = 0.1
"""Share of a page's lines with the end of a column inside, from which on it is suspect."""
_LEAST_GAIN_BY_LINE = 3.0
_LEAST_GAIN_OF_ROWS, _LEAST_GAIN_BY_ROW_LINE = 30.0, 2.4
"""Natural log. Text in order with a false label reached 44 and 2.3, interleaved whist-lexicon 77 and 3.1."""
_GAPS_CONFIDENCE = 0.9
_GAPS = "layout/columns: gaps of spaces"
_HALVES, _ROWS = "layout/columns: halves of lines", "layout/columns: rows of two lines"


class _Piece(NamedTuple):
    span: Span
    column: str
    by: str
    confidence: float


def order_columns(document: Document, language: Language) -> Iterable[Item]:
    """The whole text in reading order, or nothing where it is in order already.

    Args:
        document: with the layers language and furniture.
        language: its language; without counted letter sequences nothing is done.

    Returns:
        Fragments that hold every character of the source once, and blocks for the rules between
        columns that were read as signs; or an empty list.
    """
    if len(document.flow) > 1:
        # The places of the words, given with the text, have told.
        return []
    if pieces := list(_by_gaps(document)):
        return [Fragment(p.span, p.column, Evidence(p.by, p.confidence)) for p in _joined(pieces)]
    sequences = language.letter_sequences
    if sequences is None:
        return []
    pieces = list(_pages(document, sequences))
    if not pieces and (region := interleaved(document, language, sequences)):
        pieces = _region(document.source.text, region, sequences)
    fragments = [Fragment(p.span, p.column, Evidence(p.by, p.confidence)) for p in _joined(pieces)]
    return [*fragments, *_rules(document, fragments)]


def _rules(document: Document, fragments: Iterable[Fragment]) -> Iterator[Block]:
    """The rule between two columns where it was read as a sign at the end of a left half."""
    ends = [f.span for f in fragments if f.column == "left" and f.why.by == _HALVES]
    found = [match for span in ends if (match := _RULE_AT_END.search(document.source.text, *span))]
    for i, match in enumerate(found, 1):
        yield Block(f"{document.id}.cr{i}", "separator", (Span(*match.span(1)),), Evidence(_HALVES, 0.95))


def _pages(document: Document, sequences: Letters) -> Iterator[_Piece]:
    """The text with the pages that were read across put in order; nothing if there are none."""
    text, done = document.source.text, 0
    for lines in _page_lines(document):
        if not _FEWEST_LINES <= len(lines) <= _MOST_LINES:
            continue
        ends_inside = sum(_COLUMN_END_INSIDE.search(text, *line) is not None for line in lines)
        if ends_inside < _SUSPECT * len(lines):
            continue
        halves = cut_lines(text, lines, sequences)
        if halves.gain < _LEAST_GAIN_BY_LINE:
            continue
        yield _Piece(Span(done, lines[0].start), "", _HALVES, 1.0)
        done = _next_line(text, lines[-1].end)
        ends = [*(line.start for line in lines[1:]), done]
        for line, cut in zip(lines, halves.cuts, strict=True):
            yield _Piece(Span(line.start, cut), "left", _HALVES, halves.confidence)
        for cut, end in zip(halves.cuts, ends, strict=True):
            yield _Piece(Span(cut, end), "right", _HALVES, halves.confidence)
    if done:
        yield _Piece(Span(done, len(text)), "", _HALVES, 1.0)


def _by_gaps(document: Document) -> Iterator[_Piece]:
    """The text with the blocks of columns that stand side by side put in order; nothing if there are none."""
    text, done = document.source.text, 0
    lines = [line for page in _page_lines(document) for line in page]
    for halves in side_by_side(text, lines):
        yield _Piece(Span(done, halves.lines[0].start), "", _GAPS, 1.0)
        done = _next_line(text, halves.lines[-1].end)
        ends = [*(line.start for line in halves.lines[1:]), done]
        pairs = list(zip(halves.lines, halves.cuts, ends, strict=True))
        yield from (
            _Piece(Span(line.start, min(cut, end)), "left", _GAPS, _GAPS_CONFIDENCE)
            for line, cut, end in pairs
        )
        yield from (
            _Piece(Span(min(cut, end), end), "right", _GAPS, _GAPS_CONFIDENCE) for _, cut, end in pairs
        )
    if done:
        yield _Piece(Span(done, len(text)), "", _GAPS, 1.0)


def _page_lines(document: Document) -> Iterator[list[Span]]:
    """The lines of text page by page; running heads and page numbers part pages."""
    text = document.source.text
    furniture = sorted(span for block in document.furniture for span in block.spans)
    starts = [span.start for span in furniture]
    page: list[Span] = []
    last_end = 0
    for match in _LINE.finditer(text):
        line = _trimmed(match)
        at = bisect_right(starts, line.end) - 1
        if (at >= 0 and furniture[at].end > line.start) or "\f" in text[last_end : line.start]:
            yield page
            page = []
        if at < 0 or furniture[at].end <= line.start:
            page.append(line)
        last_end = line.end
    yield page


def _trimmed(match: re.Match[str]) -> Span:
    line = match[0]
    return Span(match.start() + len(line) - len(line.lstrip()), match.start() + len(line.rstrip()))


def _next_line(text: str, at: int) -> int:
    """Where the text goes on behind the white space at ``at``."""
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _region(text: str, region: Region, sequences: Letters) -> list[_Piece]:
    """The text with a region of rows put in order; nothing if it is better left as it is."""
    way = separate(region.tokens, sequences, region.opens, region.resumptions, region.labels)
    if way is None or way.gain < max(_LEAST_GAIN_OF_ROWS, _LEAST_GAIN_BY_ROW_LINE * len(way.lines)):
        return []
    first = min(line.first for line in way.lines)
    after = max(line.after for line in way.lines)
    starts = [token.span.start for token in region.tokens]
    begin, end = starts[first], starts[after] if after < len(starts) else len(text)
    lines = [
        _Piece(
            Span(starts[line.first], starts[line.after] if line.after < after else end),
            ("left", "right")[line.stream],
            _ROWS,
            way.confidence,
        )
        for line in way.lines
    ]
    resumption = starts[way.resumption]
    left = [piece for piece in lines if piece.column == "left"]
    right = [piece for piece in lines if piece.column == "right"]
    return [
        _Piece(Span(0, resumption), "left", _ROWS, 1.0),
        *left,
        _Piece(Span(resumption, begin), "right", _ROWS, 1.0),
        *right,
        _Piece(Span(end, len(text)), "", _ROWS, 1.0),
    ]


def _joined(pieces: Sequence[_Piece]) -> Iterator[_Piece]:
    """Pieces without the empty ones; those that go on where the one before ends are one."""
    held: _Piece | None = None
    for piece in pieces:
        if piece.span.start == piece.span.end:
            continue
        if held and held.span.end == piece.span.start and held.column == piece.column:
            span = Span(held.span.start, piece.span.end)
            held = held._replace(span=span, confidence=min(held.confidence, piece.confidence))
            continue
        if held:
            yield held
        held = piece
    if held:
        yield held
