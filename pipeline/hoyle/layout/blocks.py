"""What the lines of a text are beside numbered clauses: headings, captions, notes, paragraphs."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from hoyle.document import Span
from hoyle.layout.book_parts import CLOSED, PartKind, book_parts
from hoyle.layout.flow import Flow
from hoyle.layout.lines import Line, capitals, complete_before, lines, small_after
from hoyle.layout.notes import note_end
from hoyle.numbering.cues import CueWords
from hoyle.numbering.division import divisions
from hoyle.numbering.series import Label

_LONGEST_HEADING = 80
_LONGEST_CAPTION = 110
_LONGEST_SIDE_HEAD = 100
_LEAST_SIDE_HEADS = 2
_MOST_WORDS = 11
_WORDS_OF_STRAY_TITLE = 4
_WRAPPED_SHARE = 0.4
_SHORT_LAST_LINE = 0.75

_INNER_STOP = re.compile(r"[.!?][ \t]+[^\W\d_]")
_SIDE_HEAD = re.compile(
    r"(?=[^\W\d_])[^\s.!?;:,«»\"]+(?:[ ][^\s.!?;:,«»\"]+){0,9}[.:][ ]?[—–][ ](?=[^\W\d_])"
)
_NOTE = re.compile(
    r"(?P<mark>\(\*{1,3}\)|\*{1,3}\)?|†|\[\d{1,3}\]|\(\d{1,2}\))[ \t]*[-—–]?[ \t]*(?=[^\W\d_])"
)


@dataclass(frozen=True, slots=True)
class Footnote:
    """A note at the foot of a page; ``mark`` is the sign that calls it in the text."""

    span: Span
    mark: str


class Layout:
    """The lines of a flow and what they look.

    Args:
        flow: the text in reading order.
        cues: words that stand at numbers in its language.
        titles: labels that are known to head parts, beside those with a word for it.
    """

    def __init__(self, flow: Flow, cues: CueWords, titles: Sequence[Span] = ()) -> None:
        self.flow = flow
        self.text = flow.text
        self.lines = lines(flow.text)
        self.wrapped = self._is_wrapped()
        self.divisions = sorted(
            [*divisions(flow.text, cues), *((span, flow.text[span.start : span.end]) for span in titles)]
        )
        self.parts = book_parts(flow.text, self.lines, cues)
        self._side_heads = self._find_side_heads()
        self._part_of = {i: part.kind for part in self.parts for i in part.rows}
        self._division_starts = {*(span.start for span, _ in self.divisions), *flow.headings}
        self._starts = [line.span.start for line in self.lines]
        lengths = sorted(len(line.text) for line in self.lines)
        self._usual = lengths[len(lengths) * 3 // 4] if lengths else 0

    def touching(self, span: Span) -> range:
        """Indices of the lines that share a character with ``span``."""
        rows = self.beginning(span)
        before = rows.start - 1
        within = before >= 0 and self.lines[before].span.end > span.start
        return range(before, rows.stop) if within else rows

    def beginning(self, span: Span) -> range:
        """Indices of the lines that begin in ``span``."""
        return range(bisect_left(self._starts, span.start), bisect_left(self._starts, span.end))

    def paragraph_starts(self, index: int) -> bool:
        """Whether a new paragraph begins with a line: an empty line, or a line end that is one.

        An empty line at a page break says nothing; there only the end of a sentence does.
        """
        if index == 0:
            return True
        line, before = self.lines[index], self.lines[index - 1]
        at_seam = self._is_interrupted(before.span.end, line.span.start)
        ended = complete_before(self.text, line.span.start) or (
            self.heading(index - 1, apart=False) or self.caption(index - 1, between=False)
        )
        ended = ended and not small_after(self.text, line.span.start)
        if line.first and not at_seam:
            return True
        if not ended or (at_seam and not line.first):
            return ended and not self.wrapped
        return not self.wrapped or len(before.text) < _SHORT_LAST_LINE * self._usual

    def part(self, index: int) -> PartKind | None:
        """The part of a book that a line stands in, if it is one without rules."""
        return self._part_of.get(index)

    def closed(self) -> list[Span]:
        """The parts in which no number labels a rule."""
        return [
            Span(self.lines[part.rows.start].span.start, self.lines[part.rows.stop - 1].span.end)
            for part in self.parts
            if part.kind in CLOSED
        ]

    def side_head(self, index: int) -> bool:
        """Whether a line begins with the title of a rule: set off by markup, or by a stop and a dash."""
        at = self.lines[index].span.start
        return at in self._side_heads

    def _find_side_heads(self) -> frozenset[int]:
        """Where lines begin with a title that goes on in text, if the text has several such lines."""
        marked, dashed = set(), set()
        for index, line in enumerate(self.lines):
            start, end = line.span.start, self.flow.emphasis.get(line.span.start, 0)
            title, rest = self.text[start:end].strip(), self.text[end : line.span.end].strip(" .:—–-")
            goes_on = rest or (title[-1:] in ".:" and index + 1 < len(self.lines) and not line.last)
            if title[:1].isupper() and len(title) <= _LONGEST_SIDE_HEAD and goes_on:
                marked.add(start)
            if (line.first or not self.wrapped) and _SIDE_HEAD.match(line.text):
                dashed.add(start)
        paragraphs = sum(line.first for line in self.lines)
        kept = marked if len(marked) >= _LEAST_SIDE_HEADS else set()
        often = len(dashed) > max(_LEAST_SIDE_HEADS, paragraphs / 3)
        return frozenset(kept | dashed if often else kept)

    def division(self, index: int) -> bool:
        """Whether a line is the heading of a part, such as ``CHAPITRE II.``, or marked up as a heading."""
        return self.lines[index].span.start in self._division_starts

    def heading(self, index: int, *, apart: bool) -> bool:
        """Whether a line looks like a heading.

        Args:
            index: of the line.
            apart: ask for more than a short line without a stop: a division word, capitals, or
                empty lines on both sides (for a line that no label follows).
        """
        line = self.lines[index]
        if self.division(index):
            return True
        if not self._title_like(index):
            return False
        loud = capitals(line.text) > 0.7 and sum(map(str.isalpha, line.text)) > 3
        if line.text[-1] == "." and not loud:
            return False
        return not apart or loud or (line.first and line.last)

    def caption(self, index: int, *, between: bool) -> bool:
        """Whether a line is the caption of a plate that stands inside the text.

        Several short phrases with stops and none at the end (``Стол ломберный. 1770-е гг.``); or,
        between two clauses that follow on each other, a few words set apart by empty lines.

        Args:
            index: index of the line.
            between: whether it stands between two clauses that follow on each other.
        """
        line = self.lines[index]
        if not self._standing_free(index) or len(line.text) > _LONGEST_CAPTION:
            return False
        stops = len(_INNER_STOP.findall(line.text))
        # A line of running text may hold a stop too; a date or figure, or empty lines, tell a caption.
        apart = (line.first and line.last) or any(map(str.isdigit, line.text))
        if stops and apart and line.text[-1].isalnum() and not self.division(index):
            return stops > 1 or len(line.text) <= _LONGEST_HEADING
        few = len(line.text.split()) <= _WORDS_OF_STRAY_TITLE
        begins = re.sub(r"\A[\W_]+", "", line.text)[:1].isupper()
        return between and few and begins and line.first and line.last and not stops and line.text[-1] == "."

    def footnotes(self) -> list[Footnote]:
        """Notes that begin with their mark at a line start or after a page rule."""
        found = [
            Footnote(Span(at, min(note_end(self.text, at, self.flow.notes), self._interrupted_at(at))), mark)
            for at, mark in self.flow.notes.items()
        ]
        for match in _NOTE.finditer(self.text):
            at = match.start()
            if at in self.flow.notes:
                continue
            line_start = self.text[:at].rstrip(" \t")[-1:] in {"", "\n"} if at < 200 else self._line_start(at)
            interruption = self._is_interrupted(at - 3, at)
            dash = match[0].strip() != match["mark"]
            called = self.text.rfind(match["mark"], max(0, at - 6000), at) >= 0
            if (interruption and (called or dash)) or (line_start and called and dash):
                found.append(Footnote(Span(at, self._line_end(at)), match["mark"]))
        return sorted(found, key=lambda note: note.span)

    def _line_start(self, at: int) -> bool:
        before = self.text[max(0, at - 200) : at].rstrip(" \t")
        return before.endswith("\n")

    def _line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return min(len(self.text) if end < 0 else end, self._interrupted_at(at))

    def _interrupted_at(self, at: int) -> int:
        index = bisect_left(self.flow.interruptions, at + 1)
        return self.flow.interruptions[index] if index < len(self.flow.interruptions) else len(self.text)

    def _is_interrupted(self, start: int, end: int) -> bool:
        index = bisect_left(self.flow.interruptions, start)
        return index < len(self.flow.interruptions) and self.flow.interruptions[index] <= end

    def _title_like(self, index: int) -> bool:
        line = self.lines[index]
        bare = line.text.strip("_*«»\"' ")
        if not bare or len(line.text) > _LONGEST_HEADING or len(line.text.split()) > _MOST_WORDS:
            return False
        if not bare[0].isupper() or line.text[-1] in ",;:-—" or _INNER_STOP.search(bare):
            return bool(capitals(line.text) > 0.9 and len(bare) > 3 and line.text[-1] not in ",;:-")
        return self._standing_free(index)

    def _standing_free(self, index: int) -> bool:
        """Whether a line neither goes on a sentence nor is gone on with."""
        line = self.lines[index]
        if small_after(self.text, line.span.end) or (
            not line.text[:1].isalnum() and line.text[:1] not in '_«"*'
        ):
            return False
        return (
            index == 0
            or line.first
            or complete_before(self.text, line.span.start)
            or (self._short_title_before(index))
        )

    def _short_title_before(self, index: int) -> bool:
        before = self.lines[index - 1].text
        return len(before) <= _LONGEST_HEADING and before[-1] not in ",;-"

    def _is_wrapped(self) -> bool:
        """Whether line ends are those of the print: many lines end in the middle of a sentence."""
        if len(self.lines) < 4:
            return False
        pairs = zip(self.lines, self.lines[1:], strict=False)
        cut = sum(
            not complete_before(self.text, b.span.start)
            and (a.text[-1] in "-¬" or small_after(self.text, a.span.end))
            for a, b in pairs
        )
        return cut >= _WRAPPED_SHARE * (len(self.lines) - 1)


def openings(layout: Layout, found: Sequence[Label]) -> list[Span]:
    """Paragraphs that a lost label may have headed, in order.

    They begin with a capital and are neither headings nor captions nor the text under the title
    of a clause.

    Args:
        layout: the lines of the text.
        found: the labels that are known.
    """
    labelled = [label.span.start for label in found]
    spans = []
    for index, line in enumerate(layout.lines):
        begins = re.sub(r"\A[\W_]+", "", line.text)[:1].isupper()
        if not begins or not layout.paragraph_starts(index) or layout.heading(index, apart=False):
            continue
        if index and _titled_by(layout.lines[index - 1], labelled):
            continue
        if not layout.caption(index, between=False):
            spans.append(line.span)
    return spans


def _titled_by(line: Line, labelled: Sequence[int]) -> bool:
    """Whether a line holds a label and ends as a title does."""
    at = bisect_left(labelled, line.span.start)
    return at < len(labelled) and labelled[at] < line.span.end and line.text[-1].isalnum()
