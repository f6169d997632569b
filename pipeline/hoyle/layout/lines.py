"""Lines of a text and what stands around them; used by furniture and clauses."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from hoyle.document import Span

_LINE = re.compile(r"[^\r\n\u2028\u2029]+")
SENTENCE_END = frozenset(".!?…»”)*:;")
"""Signs after which text before a page break counts as complete."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line that holds more than white space; ``span`` has no white space at its ends.

    ``first`` says that an empty line, the start of a page or that of the text, stands before it; ``last``
    that an empty line, the end of a page or that of the text, follows.
    """

    span: Span
    text: str
    first: bool
    last: bool


def lines(text: str) -> list[Line]:
    """The lines of ``text`` that hold more than white space."""
    found: list[tuple[Span, str]] = []
    for match in _LINE.finditer(text):
        bare = match[0].strip()
        if bare:
            start = match.start() + len(match[0]) - len(match[0].lstrip())
            found.append((Span(start, start + len(bare)), bare))
    ends = [0, *(span.end for span, _ in found), len(text)]
    empty = [_empty_line(text, a, span.start) for a, (span, _) in zip(ends, found, strict=False)]
    return [
        Line(span, bare, i == 0 or empty[i], i + 1 == len(found) or empty[i + 1])
        for i, (span, bare) in enumerate(found)
    ]


def _empty_line(text: str, start: int, end: int) -> bool:
    between = text[start:end].replace("\r\n", "\n")
    return between.count("\n") + between.count("\r") > 1 or "\f" in between


def trimmed(text: str, span: Span) -> Span:
    """A span without the white space at its ends; empty, at its start, if it holds nothing else.

    Args:
        text: the text.
        span: characters of the text.
    """
    piece = text[span.start : span.end]
    bare = piece.strip()
    if not bare:
        return Span(span.start, span.start)
    start = span.start + len(piece) - len(piece.lstrip())
    return Span(start, start + len(bare))


def complete_before(text: str, at: int) -> bool:
    """Whether what stands before a place ends a sentence, or is nothing.

    Args:
        text: the text.
        at: the place, in characters of the text.
    """
    before = text[max(0, at - 200) : at].rstrip()
    return not before or before[-1] in SENTENCE_END


def small_after(text: str, at: int) -> bool:
    """Whether the text goes on with a small letter after a place.

    Args:
        text: the text.
        at: the place, in characters of the text.
    """
    ahead = text[at : at + 200].lstrip()[:1]
    return ahead.isalpha() and not ahead.isupper()


CUT_BEFORE = 1.25
"""What an unfinished sentence before a stretch of text says for its being furniture."""
CUT_AFTER = 1.25
"""What a small letter after it says."""


def cut(text: str, start: int, end: int) -> float:
    """How much the halves of a sentence on both sides of a stretch speak for furniture between them.

    Args:
        text: the text.
        start: where the stretch begins, in characters of the text.
        end: where it ends.
    """
    before = 0.0 if complete_before(text, start) else CUT_BEFORE
    return before + (CUT_AFTER if small_after(text, end) else 0.0)


def letters_of(text: str) -> str:
    """The letters of ``text`` alone, small: what stays alike when recognition differs in the rest."""
    return "".join(sign for sign in text.lower() if sign.isalpha())


def capitals(text: str) -> float:
    """Share of capitals among the letters of ``text`` (0 if it has none)."""
    letters = [sign for sign in text if sign.isalpha()]
    return sum(map(str.isupper, letters)) / len(letters) if letters else 0.0


def tokens(text: str) -> Iterator[Span]:
    """The runs of characters between white space."""
    for match in re.finditer(r"\S+", text):
        yield Span(*match.span())


class Cover:
    """Disjoint spans, to be asked whether they touch another."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._spans: list[Span] = []

    def add(self, span: Span) -> bool:
        """Adds ``span`` unless it touches one that is there; says whether it did."""
        if self.touches(span):
            return False
        at = bisect_right(self._starts, span.start)
        self._starts.insert(at, span.start)
        self._spans.insert(at, span)
        return True

    def touches(self, span: Span) -> bool:
        """Whether ``span`` shares a character with one of the spans."""
        at = bisect_right(self._starts, span.start)
        before = at > 0 and self._spans[at - 1].end > span.start
        return before or (at < len(self._spans) and self._spans[at].start < span.end)
