"""The text of a unit: its spans joined, edits of it, and the mapping of offsets back to the source."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from hoyle.document import Span, Unit

LINE_END = re.compile(r"[^\S\n\r\u2028\u2029\f]*[\n\r\u2028\u2029\f]\s*")
"""A line end with the white space around it."""

_DECOMPOSED = re.compile(r"\w[\u0300-\u036f]+")

HYPHENS = "-\u00ad\u00ac\u2010\u2011\u2e17\u2e40"
"""Characters that stand for a hyphen at a line end."""


class UnitEdit(NamedTuple):
    """An edit of the text of a unit: its characters ``[start, end)`` are replaced by ``after``.

    ``kind`` is ``layout`` for what only the print put there and ``correct`` for an OCR error; ``by`` is the
    evidence and ``probability`` the probability that the edit is right.
    """

    start: int
    end: int
    after: str
    kind: Literal["layout", "correct"]
    by: str
    probability: float


@dataclass(frozen=True)
class UnitText:
    """The spans of a unit, joined to one text.

    Attributes:
        text: the joined text.
        raw: for each character its offset in the source; -1 for a line feed that was added where a line of
            the print ended between two spans.
        joins: offsets in ``text`` at which another span begins, and of the added line feeds.
        ends: for each character composed of several of the source (a letter with its accents), by its offset
            in ``text``, the offset in the source after the last of them.
    """

    text: str
    raw: tuple[int, ...]
    joins: tuple[int, ...]
    ends: Mapping[int, int] = field(default_factory=dict)

    def raw_span(self, start: int, end: int) -> Span:
        """Map a range of the joined text to the source.

        Args:
            start: first character, as an offset in ``text``.
            end: offset after the last character; the range lies in one span of the unit.

        Returns:
            The span in the source; an empty one after the preceding character if the range has no character
            of the source.
        """
        places = [i for i in range(start, end) if self.raw[i] >= 0]
        if places:
            return Span(self.raw[places[0]], self._end(places[-1]))
        at = self._end(start - 1)
        return Span(at, at)

    def _end(self, at: int) -> int:
        return self.ends.get(at, self.raw[at] + 1)


def join_spans(source: str, unit: Unit, deleted: Sequence[Span] = ()) -> UnitText:
    """Join the spans of a unit to one text, with its letters and accents composed (Unicode form C).

    Args:
        source: the raw text of the document.
        unit: the unit, with its spans in reading order.
        deleted: sorted spans that earlier edits delete (markup); no line ends at them.

    Returns:
        The joined text with its offsets in the source.
    """
    text: list[str] = []
    raw: list[int] = []
    joins: set[int] = set()
    ends: dict[int, int] = {}
    for i, (start, end) in enumerate(unit.spans):
        if i and text and _line_ended(source, unit.spans[i - 1], Span(start, end)):
            joins.add(len(raw))
            text.append("\n")
            raw.append(-1)
        for piece in _between(Span(start, end), deleted):
            joins.add(len(raw))
            for part, composed in _composed(source, piece):
                text.append(composed)
                if len(composed) == part.end - part.start:
                    raw += range(part.start, part.end)
                else:
                    ends[len(raw) + len(composed) - 1] = part.end
                    raw += [part.start] * len(composed)
    inner = sorted(join for join in joins if 0 < join < len(raw))
    return UnitText("".join(text), tuple(raw), tuple(inner), ends)


def _composed(source: str, piece: Span) -> Iterator[tuple[Span, str]]:
    """Yield a stretch of the source in pieces: each decomposed letter by itself, composed."""
    text = source[piece.start : piece.end]
    at = 0
    if not unicodedata.is_normalized("NFC", text):
        for match in _DECOMPOSED.finditer(text):
            composed = unicodedata.normalize("NFC", match[0])
            if len(composed) < len(match[0]):
                yield Span(piece.start + at, piece.start + match.start()), text[at : match.start()]
                yield Span(piece.start + match.start(), piece.start + match.end()), composed
                at = match.end()
    yield Span(piece.start + at, piece.end), text[at:]


def _between(span: Span, deleted: Sequence[Span]) -> Iterator[Span]:
    """Yield what is left of ``span`` between the spans ``deleted``."""
    at = span.start
    for cut in deleted:
        if at < cut.end and cut.start < span.end:
            yield Span(at, cut.start)
            at = cut.end
    yield Span(at, span.end)


def _line_ended(source: str, before: Span, after: Span) -> bool:
    """Tell whether a line of the print ended between two spans whose text does not show it.

    Spans on either side of removed page furniture (a page number inside a word) are one line, unless the
    second stands before the first in the raw text or the first ends with a hyphen.
    """
    last, first = source[before.end - 1 : before.end], source[after.start : after.start + 1]
    if LINE_END.fullmatch(last) or LINE_END.fullmatch(first):
        return False
    around = last + source[before.end : before.end + 1] + source[after.start - 1 : after.start] + first
    out_of_order = after.start < before.start
    return out_of_order or last in tuple(HYPHENS) or any(sign.isspace() for sign in around)


class EditedText:
    """The text of a unit with edits applied, and the mapping of its offsets back to the unit.

    Args:
        base: the joined text of the unit.
        edits: edits of it, in order; none overlaps another.

    Attributes:
        text: the edited text.
    """

    def __init__(self, base: str, edits: Sequence[UnitEdit]) -> None:
        pieces: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        at = 0
        for edit in edits:
            self._copy(base, at, edit.start, pieces)
            pieces.append(edit.after)
            self._starts += [edit.start] * len(edit.after)
            self._ends += [edit.end] * len(edit.after)
            at = edit.end
        self._copy(base, at, len(base), pieces)
        self.text = "".join(pieces)

    def _copy(self, base: str, start: int, end: int, pieces: list[str]) -> None:
        pieces.append(base[start:end])
        self._starts += range(start, end)
        self._ends += range(start + 1, end + 1)

    def to_unit(self, start: int, end: int) -> tuple[int, int]:
        """Map a range of the edited text to the text of the unit.

        Args:
            start: first character, as an offset in the edited text.
            end: offset after the last character; the range is not empty.

        Returns:
            Start and end offset in the text of the unit.
        """
        return self._starts[start], self._ends[end - 1]

    def spans_outside(self, protected: Iterable[tuple[int, int]]) -> list[Span]:
        """Return the stretches of the edited text that no protected range covers.

        Args:
            protected: ranges ``(start, end)`` of the text of the unit.

        Returns:
            Spans of the edited text, in order.
        """
        out: list[Span] = []
        at = 0
        for start, end in sorted(protected):
            low = bisect_right(self._starts, start - 1)
            high = bisect_right(self._starts, end - 1)
            if low > at:
                out.append(Span(at, low))
            at = max(at, high)
        if at < len(self.text):
            out.append(Span(at, len(self.text)))
        return out
