"""What only the setting of the print put into a text: line ends, hyphens at them, gaps before signs.

A unit's text is laid end to end (:class:`Strip`), then each rule here says what shall stand for
which characters of it (:class:`Mend`). Nothing here asks what a word means; only whether a hyphen
stays does the lexicon decide.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from hoyle.document import Document, Span, Unit

_BREAK = re.compile(r"[^\S\n\r\u2028\u2029\f]*[\n\r\u2028\u2029\f]\s*")
_HYPHENS = "-\u00ad\u00ac\u2010\u2011"
_LIKE_HYPHENS = "^*~"
_TORN = re.compile(rf"(?<=[^\W\d_])[{_HYPHENS}{_LIKE_HYPHENS}](\s+)(?=[^\W\d_])")
_WORD_BEFORE = re.compile(r"[^\W\d_]+$")
_WORD_AFTER = re.compile(r"[^\W\d_]+")
_GAPS = re.compile(r"[ \t\u00a0]{2,}")
_END = re.compile(r"[.!?…:;]['\"»”)\]]*$")
_BEFORE_SIGN = re.compile(r"(?<=[\w)»'’])[ \t\u00a0]+(?=[,.;:!?)](?:[\s,.;:!?)»—–]|$))")
_AFTER_SIGN = re.compile(r"(?<=[^\W\d_]{2})([,;:!?])(?=[^\W\d_]{2})")

HYPHEN = "correction/line_joins: hyphen"
"""What a mend of a hyphen names as its rule."""

SHORT_LINES = 150
"""Where nine lines of ten are shorter (characters), a line of the text is a line of the print."""

MOSTLY = 2
"""A sign is set apart as a rule if it is so this many times as often as not."""

FULL = 0.8
"""A line this full (share of the usual length) was ended by the margin, not by its writer."""


class Words(Protocol):
    """What the layout asks of a lexicon."""

    def count(self, form: str) -> float:
        """How often the form was met."""

    def hyphened(self, first: str, second: str) -> float:
        """How often the two words were met with a hyphen between them."""


class Mend(NamedTuple):
    """Characters ``[start, end)`` of a strip shall read ``after``."""

    start: int
    end: int
    after: str
    kind: Literal["layout", "correct"]
    by: str
    probability: float


@dataclass(frozen=True)
class Strip:
    """A unit's parts laid end to end.

    ``raw[i]`` is the raw offset of ``text[i]``; at a seam where a line of the print ended, a line feed
    is added whose offset is -1. ``seams`` are the characters at which another part begins, and such line
    feeds.
    """

    text: str
    raw: tuple[int, ...]
    seams: tuple[int, ...]

    def raw_span(self, start: int, end: int) -> Span:
        """The raw span of characters ``[start, end)`` that lie in one part."""
        places = [at for at in self.raw[start:end] if at >= 0]
        if places:
            return Span(places[0], places[-1] + 1)
        at = self.raw[start - 1] + 1
        return Span(at, at)


def strip(source: str, unit: Unit) -> Strip:
    """The text of a unit laid end to end."""
    text: list[str] = []
    raw: list[int] = []
    seams: set[int] = set()
    for i, (start, end) in enumerate(unit.spans):
        if i and text and _line_ended(source, unit.spans[i - 1], Span(start, end)):
            seams.add(len(raw))
            text.append("\n")
            raw.append(-1)
        seams.add(len(raw))
        text.append(source[start:end])
        raw += range(start, end)
    inner = sorted(seam for seam in seams if 0 < seam < len(raw))
    return Strip("".join(text), tuple(raw), tuple(inner))


def _line_ended(source: str, before: Span, after: Span) -> bool:
    """Whether a line of the print ended between two parts whose text does not say so itself.

    Parts that touch what was taken out between them (a page number in a word) are one line, unless
    the second stands first in the raw text or the first ends with a hyphen.
    """
    last, first = source[before.end - 1 : before.end], source[after.start : after.start + 1]
    if _BREAK.fullmatch(last) or _BREAK.fullmatch(first):
        return False
    around = last + source[before.end : before.end + 1] + source[after.start - 1 : after.start] + first
    out_of_order = after.start < before.start
    return out_of_order or last in tuple(_HYPHENS) or any(sign.isspace() for sign in around)


@dataclass(frozen=True, slots=True)
class Setting:
    """How a document is set: how long its full lines are, and whether signs stand apart.

    ``line`` is the usual length of a line of the print in characters, 0 where a line of the text is
    a paragraph; ``apart`` names those of ``;:!?`` before which the text has a space as a rule;
    ``free`` says that its language may have one there, so that one found there is left.
    """

    line: int
    apart: frozenset[str]
    free: bool = False

    @classmethod
    def of(cls, document: Document, *, signs_apart: str) -> Setting:
        """What a document shows of itself.

        Args:
            document: the document, furniture included.
            signs_apart: whether its language sets a space before ``;:!?``: ``never``; ``left``, some prints
                do, and one that is found is left; ``evened``, so too, and where a print does as a rule
                one that is missing is set.
        """
        text = document.source.text
        lengths = sorted(len(line.strip()) for line in text.splitlines() if line.strip())
        usual = lengths[len(lengths) * 9 // 10] if len(lengths) > 4 else 0
        apart = set()
        for sign in ";:!?" if signs_apart == "evened" else "":
            gaps = len(re.findall(rf"\w[ \u00a0\u202f]\{sign}(?!\S)", text))
            if gaps > MOSTLY * len(re.findall(rf"\w\{sign}(?!\S)", text)):
                apart.add(sign)
        return cls(usual if 0 < usual < SHORT_LINES else 0, frozenset(apart), signs_apart != "never")


def mends(text: str, setting: Setting, words: Words | None) -> list[Mend]:
    """What the setting of the print put into ``text``, in order, none overlapping another."""
    found = [*_breaks(text, setting, words), *_gaps(text), *_signs(text, setting)]
    kept: list[Mend] = []
    for mend in sorted(found, key=lambda m: (m.start, -m.end)):
        if not kept or mend.start >= kept[-1].end:
            kept.append(mend)
    return kept


def seam_mends(laid: Strip, found: Iterable[Mend]) -> list[Mend]:
    """Line feeds for the seams of ``laid`` at which no mend of ``found`` puts anything.

    There a paragraph ends: the raw text has no sign of it where the first part ends.
    """
    mended = {at for mend in found for at in range(mend.start, mend.end)}
    seams = (i for i, at in enumerate(laid.raw) if at < 0 and i not in mended)
    return [Mend(i, i + 1, "\n", "layout", "correction/line_joins: line end", 0.97) for i in seams]


def _breaks(text: str, setting: Setting, words: Words | None) -> Iterator[Mend]:
    """Hyphens with a line end (or what is left of one) behind them, and line ends."""
    torn: list[int] = []
    for match in _TORN.finditer(text):
        at_line_end = bool(_BREAK.search(match[1]))
        misread = match[0][0] in _LIKE_HYPHENS
        choice = _hyphen(text, match.start(), match.end(), words, firm=at_line_end and not misread)
        if choice is None or (misread and choice[1] < 0.95):
            continue
        torn.append(match.end())
        keep, probability = choice
        start = match.start() + (1 if keep and not misread else 0)
        after = "-" if keep and misread else ""
        kind: Literal["layout", "correct"] = "correct" if misread else "layout"
        yield Mend(start, match.end(), after, kind, HYPHEN, probability)
    for match in _BREAK.finditer(text):
        if match.end() in torn or match.start() == 0 or match.end() == len(text):
            continue
        after = " " if _is_wrapped(text, match, setting) else "\n"
        if after != match[0]:
            yield Mend(match.start(), match.end(), after, "layout", "correction/line_joins: line end", 0.97)


def _hyphen(text: str, start: int, end: int, words: Words | None, *, firm: bool) -> tuple[bool, float] | None:
    """Whether the hyphen at ``start`` stays, and how sure that is; None to leave all as it is.

    ``firm`` says that there is no doubt of a torn word (the line ends here).
    """
    before, after = _WORD_BEFORE.search(text[max(0, start - 40) : start]), _WORD_AFTER.match(text, end)
    if not before or not after or (after[0][0].isupper() and not before[0].isupper()):
        return None
    if words is None:
        return (False, 0.9) if firm else None
    first, second = before[0].lower(), after[0].lower()
    joined, hyphened = words.count(first + second), words.hyphened(first, second)
    if text[before.start() - 1 : before.start()] in ("-", "‑"):
        hyphened = max(hyphened, 0.5)
    if hyphened > joined:
        return True, 0.95
    rare = words.count(first) < 20 or words.count(second) < 20
    if firm or rare:
        return False, 0.99 if joined else 0.9 if firm else 0.85
    return (False, 0.9) if joined else None


def _is_wrapped(text: str, match: re.Match[str], setting: Setting) -> bool:
    """Whether a line end lies inside a paragraph."""
    before, after = text[: match.start()], text[match.end() :]
    ended = bool(_END.search(before[-5:]))
    if after[0].islower() or (not ended and (before[-1].isalnum() or before[-1] in ",-(«")):
        return True
    if match[0].count("\n") > 1 or not setting.line:
        return False
    return len(before) - (before.rfind("\n") + 1) >= FULL * setting.line


def _gaps(text: str) -> Iterator[Mend]:
    for match in _GAPS.finditer(text):
        yield Mend(match.start(), match.end(), " ", "layout", "correction/line_joins: doubled space", 0.99)


def _signs(text: str, setting: Setting) -> Iterator[Mend]:
    """Spaces before signs closed or, where the print sets them apart, opened; lost ones after signs."""
    by = "correction/line_joins: space at a sign"
    for match in _BEFORE_SIGN.finditer(text):
        sign = text[match.end()]
        if setting.free and sign in ";:!?":
            continue
        yield Mend(match.start(), match.end(), "", "layout", by, 0.97)
    for sign in sorted(setting.apart):
        for match in re.finditer(rf"(?<=[\w)»'’])(?=\{sign}(?:\s|$))", text):
            yield Mend(match.start(), match.end(), " ", "layout", by, 0.9)
    for match in _AFTER_SIGN.finditer(text):
        yield Mend(match.end(), match.end(), " ", "correct", by, 0.93)


class View:
    """A strip as some mends make it read, and the way back.

    Attributes:
        text: the reading.
    """

    def __init__(self, base: str, mended: Sequence[Mend]) -> None:
        pieces: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        at = 0
        for mend in mended:
            self._copy(base, at, mend.start, pieces)
            pieces.append(mend.after)
            self._starts += [mend.start] * len(mend.after)
            self._ends += [mend.end] * len(mend.after)
            at = mend.end
        self._copy(base, at, len(base), pieces)
        self.text = "".join(pieces)

    def _copy(self, base: str, start: int, end: int, pieces: list[str]) -> None:
        pieces.append(base[start:end])
        self._starts += range(start, end)
        self._ends += range(start + 1, end + 1)

    def back(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the strip behind ``[start, end)`` of the reading (not empty)."""
        return self._starts[start], self._ends[end - 1]

    def parts(self, kept: Iterable[tuple[int, int]]) -> list[Span]:
        """What is left of the reading without the stretches ``kept`` (characters of the strip)."""
        out: list[Span] = []
        at = 0
        for start, end in sorted(kept):
            low = bisect_right(self._starts, start - 1)
            high = bisect_right(self._starts, end - 1)
            if low > at:
                out.append(Span(at, low))
            at = max(at, high)
        if at < len(self.text):
            out.append(Span(at, len(self.text)))
        return out
