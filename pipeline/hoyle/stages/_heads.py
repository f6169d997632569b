"""Finds running heads, page numbers and signatures by their look, their place and their repetition.

None of the words of a head is known beforehand. What tells one is a number beside a title in
capitals, a line of its own, the halves of a sentence on either side, and other heads like it.
Every hint has a weight; a head is taken out when their sum reaches ``THRESHOLD``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from hoyle.model import BlockKind, Span
from hoyle.numbering.confusions import damaged_forms
from hoyle.numbering.cues import cues
from hoyle.stages._lines import Cover, Line, capitals, complete_before, small_after, tokens

THRESHOLD = 3.5

_CAPITALS_BESIDE_NUMBER = 1.0
_SEVERAL_WORDS = 1.0
_CLEAR_CAPITALS = 0.5
_AT_LINE_START = 1.0
_AT_LINE_END = 1.0
_EMPTY_LINE = 0.5
_CUT_BEFORE = 1.25
_CUT_AFTER = 1.25
_LIKE_ANOTHER = 1.5
_AFTER_CUE = -4.0
_YEAR = -2.0
_LOOSE_DASH_NUMBER = 1.5
_NUMBER_BETWEEN_DASHES = 3.5
_NUMBER_ALONE = 1.5
_TABBED = 2.0
_ASCENDING = 1.5
_BESIDE_FURNITURE = 2.0

_LONGEST_LINE = 60
_LETTERS_OF_TITLE = 5


@dataclass(frozen=True, slots=True)
class Head:
    """A piece of page furniture: its kind, its parts, the number it shows, its title, its score."""

    kind: BlockKind
    spans: tuple[Span, ...]
    number: str
    title: str
    score: float

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.spans[0].start

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.spans[-1].end


def heads(text: str, rows: Sequence[Line]) -> list[Head]:
    """Page furniture in the order of the text; no two overlap.

    Args:
        text: the raw text.
        rows: its lines.
    """
    found = [*_titled(text, rows), *_dashed(text, rows), *_alone(text, rows), *_tabbed(text, rows)]
    found += _repeated(text, rows)
    scored = _together(found)
    kept = [head for head in scored if head.score >= THRESHOLD]
    return _disjoint(kept + _signatures(text, rows, kept))


def _disjoint(found: list[Head]) -> list[Head]:
    """The heads in order; of two that overlap the one with the better score, or the longer one."""
    cover = Cover()
    kept: list[Head] = []
    for head in sorted(found, key=lambda h: (-h.score, h.start - h.end, h.start)):
        if not any(cover.touches(span) for span in head.spans):
            for span in head.spans:
                cover.add(span)
            kept.append(head)
    return sorted(kept, key=lambda h: h.start)


def _cut(text: str, start: int, end: int) -> float:
    """How much the halves of a sentence on both sides of a stretch of text speak for furniture."""
    before = 0.0 if complete_before(text, start) else _CUT_BEFORE
    return before + (_CUT_AFTER if small_after(text, end) else 0.0)


# --- a title in capitals beside a number -------------------------------------------------------


def _titled(text: str, rows: Sequence[Line]) -> Iterator[Head]:
    """``196 DV QIII19ZE.``, ``Dtf QVIIfZB. 107``, in mid line too."""
    for row in rows:
        if not re.search(r"[^\W\d_]{3}", row.text) or not _has_capitals(row.text):
            continue
        parts = [(Span(row.span.start + a, row.span.start + b), row.text[a:b]) for a, b in tokens(row.text)]
        for first, last in _runs(parts):
            yield from _beside_number(text, row, parts, first, last)


def _has_capitals(line: str) -> bool:
    return any(a.isupper() and b.isupper() for a, b in zip(line, line[1:], strict=False))


def _runs(parts: list[tuple[Span, str]]) -> Iterator[tuple[int, int]]:
    """Stretches of words in capitals (first and last index) long enough for a title."""
    first = 0
    for at in range(len(parts) + 1):
        if at < len(parts) and _in_capitals(parts[at][1]):
            continue
        if at > first:
            letters = sum(map(str.isalpha, "".join(word for _, word in parts[first:at])))
            if letters >= _LETTERS_OF_TITLE:
                yield first, at - 1
        first = at + 1


def _in_capitals(word: str) -> bool:
    if word[:1] in "(«<[" or word[-1:] in ";!?)»":
        return False
    return capitals(word) >= 0.6 or (word[:1].isupper() and len(word) <= 3)


def _beside_number(
    text: str, row: Line, parts: list[tuple[Span, str]], first: int, last: int
) -> Iterator[Head]:
    title = " ".join(word for _, word in parts[first : last + 1])
    if capitals(title) < 0.7:
        return
    if first > 0 and _number(parts[first - 1][1]):
        start, end, number = parts[first - 1][0].start, parts[last][0].end, parts[first - 1][1]
        cue = parts[first - 2][1] if first > 1 else ""
    elif last + 1 < len(parts) and _number(parts[last + 1][1]):
        start, end, number = parts[first][0].start, parts[last + 1][0].end, parts[last + 1][1]
        cue = parts[last][1]
    else:
        return
    score = _CAPITALS_BESIDE_NUMBER + (_SEVERAL_WORDS if last > first else 0.0)
    score += _CLEAR_CAPITALS if capitals(title) > 0.9 or title.endswith(".") else 0.0
    score += _AT_LINE_START + (_EMPTY_LINE if row.first else 0.0) if start == row.span.start else 0.0
    score += _AT_LINE_END if end == row.span.end else 0.0
    score += _cut(text, start, end)
    score += _AFTER_CUE if _is_cue(cue) else 0.0
    score += _YEAR if re.fullmatch(r"1[5-9]\d\d", number) else 0.0
    yield Head("running-head", (Span(start, end),), _digits(number), title, score)


def _number(word: str) -> bool:
    """Whether a word is a page number, perhaps damaged: ``196``, ``iz6``, ``i44``."""
    if len(word) > 4 or not any(sign.isdigit() for sign in word):
        return False
    return all(sign in damaged_forms("0123456789") for sign in word)


def _digits(word: str) -> str:
    return word if word.isdigit() else ""


def _is_cue(word: str) -> bool:
    bare = word.strip(".,").lower()
    return bare in {
        c.word.strip(".").lower() for k in ("label", "division", "sign", "reference") for c in cues(k)
    }


# --- numbers between dashes, numbers and titles on lines of their own ---------------------------

_DASHED = re.compile(
    r"(?:(?P<left>[^\W\d_]{1,12})[ \t]+(?:\w[ \t]+)?)?"
    r"(?P<page>[-—–][ \t]?(?P<number>\d{1,4})(?P<close>[ \t]?[-—–])?)"
    r"(?:[ \t]+(?P<right>[^\W\d_]{1,12})(?!\w))?"
)


def _dashed(text: str, rows: Sequence[Line]) -> Iterator[Head]:
    """``- 70 E.Взятки``, ``— 438 —``, ``вис 1 — 438 — ВИС``."""
    for row in rows:
        match = _DASHED.match(text, row.span.start, row.span.end)
        if not match or (match["left"] and not match["close"]):
            continue
        page = Span(*match.span("page"))
        if match["close"]:
            score = _NUMBER_BETWEEN_DASHES + (_EMPTY_LINE if row.first else 0.0)
            sides = _catchwords(match)
            if match["left"] and not sides:
                continue
            if sides:
                yield Head("running-head", sides, "", "", score + _LIKE_ANOTHER)
        else:
            score = _LOOSE_DASH_NUMBER + (_AT_LINE_END if page.end == row.span.end else 0.0)
            ahead = text[page.end : page.end + 3].lstrip(" ")[:1]
            score += 1.0 if not ahead.isalnum() or ahead.isupper() else -1.0
            score += 0.5 if complete_before(text, page.start) else _CUT_BEFORE
        yield Head("page-number", (page,), match["number"], "", score)


def _catchwords(match: re.Match[str]) -> tuple[Span, ...]:
    """The same headword left and right of a page number, as dictionaries have it."""
    left, right = match["left"] or "", match["right"] or ""
    if not left or left.lower() != right.lower():
        return ()
    before = Span(
        match.start(), match.start() + len(match.string[match.start() : match.start("page")].rstrip())
    )
    return before, Span(*match.span("right"))


def _alone(text: str, rows: Sequence[Line]) -> Iterator[Head]:
    """A number on a line of its own, with the title on the line before or after if there is one."""
    for at, row in enumerate(rows):
        word = row.text.strip("[]() ")
        if not _number(word) or len(row.text) > 6:
            continue
        above = rows[at - 1] if at else None
        start, title = row.span.start, ""
        # An empty line must part the title from the text above, or the last line of that
        # text would be taken for a title.
        if above and not row.first and above.first and _title_like(above.text) and at > 1:
            start, title = above.span.start, above.text
        score = (
            _NUMBER_ALONE + (_EMPTY_LINE if row.first or title else 0.0) + (_EMPTY_LINE if row.last else 0.0)
        )
        score += _cut(text, start, row.span.end)
        kind: BlockKind = "running-head" if title else "page-number"
        yield Head(kind, (Span(start, row.span.end),), _digits(word), title, score + bool(title))


def _title_like(line: str) -> bool:
    return len(line) <= 40 and line[:1].isupper() and line[-1] not in ".,;:!?-»)" and len(line.split()) <= 6


def _tabbed(text: str, rows: Sequence[Line]) -> Iterator[Head]:
    """Words set apart by tabs: the OCR saw a line of three columns, number, title, nothing."""
    for row in rows:
        if "\t" not in row.text or len(row.text) > _LONGEST_LINE or row.text[-1] in ".;:!?":
            continue
        words = row.text.split("\t")
        if any(len(word.split()) > 3 for word in words) or not row.text[-1].isalnum():
            continue
        score = _TABBED + _cut(text, row.span.start, row.span.end)
        title = " ".join(word for word in row.text.split() if len(word) > 3)
        yield Head("running-head", (row.span,), "", title, score)


def _repeated(text: str, rows: Sequence[Line]) -> Iterator[Head]:
    """Short lines that come three times or more and mostly between the halves of a sentence."""
    short = [row for row in rows if len(row.text) <= _LONGEST_LINE and row.text[-1] not in ",;:-"]
    counts = Counter(_letters(row.text) for row in short)
    alike: dict[str, list[Line]] = {}
    for row in short:
        key = _letters(row.text)
        if len(key) >= _LETTERS_OF_TITLE and counts[key] >= 3:
            alike.setdefault(key, []).append(row)
    for key, group in alike.items():
        cut = sum(_cut(text, row.span.start, row.span.end) > 0 for row in group)
        if cut * 2 >= len(group):
            for row in group:
                yield Head("running-head", (row.span,), "", key, THRESHOLD + 0.5)


def _letters(title: str) -> str:
    return "".join(sign for sign in title.lower() if sign.isalpha())


# --- what heads say for one another ---------------------------------------------------------------


def _together(found: list[Head]) -> list[Head]:
    """Raises the scores of heads that others support: a like title, page numbers that ascend."""
    known = _shared_titles(found)
    pages = sorted((h for h in found if h.kind == "page-number" and h.number), key=lambda h: h.start)
    rising: set[int] = set()
    for before, after in zip(pages, pages[1:], strict=False):
        if 0 < int(after.number) - int(before.number) <= 20:
            rising |= {before.start, after.start}
    return [
        replace(
            head,
            score=head.score
            + (_LIKE_ANOTHER if head.title and head.title in known else 0.0)
            + (_ASCENDING if head.kind == "page-number" and head.start in rising else 0.0),
        )
        for head in found
    ]


def _shared_titles(found: list[Head]) -> set[str]:
    """Titles that come again, or nearly: recognition rarely damages a title twice alike."""
    counts = Counter(_letters(head.title) for head in found if head.title)
    common = [title for title, _ in counts.most_common(200)]
    shared: set[str] = set()
    for head in found:
        mine = _letters(head.title)
        if mine and (counts[mine] > 1 or any(_alike(mine, other) for other in common if other != mine)):
            shared.add(head.title)
    return shared


def _alike(a: str, b: str) -> bool:
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return matcher.real_quick_ratio() > 0.75 and matcher.quick_ratio() > 0.75 and matcher.ratio() > 0.75


# --- signatures -------------------------------------------------------------------------------------

_SHEET = re.compile(r"(?<!\w)(?:[IVXLCХІ]{1,6}|\d{1,3})(?!\w)")


def _signatures(text: str, rows: Sequence[Line], kept: list[Head]) -> list[Head]:
    """``T. XX,—Отд. 111.   '/t2``: volume and sheet in signs and numerals, next to other furniture."""
    starts = {head.start for head in kept}
    ends = {head.end for head in kept}
    found: list[Head] = []
    for at, row in enumerate(rows):
        if len(row.text) > 40 or row.span.start in starts or not _SHEET.search(row.text):
            continue
        letters = sum(map(str.isalpha, row.text))
        signs = sum(not sign.isspace() for sign in row.text)
        words = re.findall(r"[^\W\d_]{5,}", row.text)
        if words or letters > 0.65 * signs or not re.search(r"[.,]", row.text) or letters < 2:
            continue
        beside = (at + 1 < len(rows) and rows[at + 1].span.start in starts) or (
            at and rows[at - 1].span.end in ends
        )
        score = (_BESIDE_FURNITURE if beside else 0.0) + _cut(text, row.span.start, row.span.end)
        score += _TABBED / 2 if "\t" in row.text else 0.0
        if score >= _BESIDE_FURNITURE:
            found.append(Head("signature", (row.span,), "", "", score))
    return found
