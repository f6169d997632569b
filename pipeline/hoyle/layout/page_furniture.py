"""Finds running heads, page numbers and signatures by their look, their place and their repetition.

None of the words of a head is known beforehand. What tells one is a number beside a title in
capitals, a line of its own, the halves of a sentence on either side, and other heads like it.
Every hint has a weight; a head is taken out when their sum reaches ``THRESHOLD``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from hoyle.document import BlockKind, Span
from hoyle.layout.furniture_evidence import Head, signatures, together
from hoyle.layout.lines import CUT_BEFORE, Cover, Line, capitals, complete_before, cut, letters_of, tokens
from hoyle.layout.page_lines import numbers_beside, page_lines
from hoyle.numbering.confusions import damaged_forms
from hoyle.numbering.cues import CueWords, damaged_alternatives

THRESHOLD = 3.5

_CAPITALS_BESIDE_NUMBER = 1.0
_SEVERAL_WORDS = 1.0
_CLEAR_CAPITALS = 0.5
_AT_LINE_START = 1.0
_AT_LINE_END = 1.0
_EMPTY_LINE = 0.5
_LIKE_ANOTHER = 1.5
_AFTER_CUE = -4.0
_YEAR = -2.0
_LOOSE_DASH_NUMBER = 1.5
_NUMBER_BETWEEN_DASHES = 3.5
_IN_MID_LINE = -1.0
_LABEL_NEXT = 0.5
_NUMBER_ALONE = 1.5
_TABBED = 2.0

_LONGEST_LINE = 60
_LETTERS_OF_TITLE = 5
_LEAST_ALIKE = 3


def heads(text: str, rows: Sequence[Line], cues: CueWords) -> list[Head]:
    """Page furniture in the order of the text; no two overlap.

    Args:
        text: the raw text.
        rows: its lines.
        cues: words that stand at numbers in its language.
    """
    found = [
        *_titled(text, rows, cues.compiled(_cue_words)),
        *_dashed(text, rows),
        *_alone(text, rows),
        *_tabbed(text, rows),
    ]
    found += [*_repeated(text, rows), *page_lines(text, rows, cues)]
    scored = together(found)
    kept = [head for head in scored if head.score >= THRESHOLD]
    beside = numbers_beside(rows, kept)
    return _disjoint([*kept, *beside, *_always_beside(rows, kept), *signatures(text, rows, kept)])


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


# --- a title in capitals beside a number -------------------------------------------------------


def _titled(text: str, rows: Sequence[Line], cue: re.Pattern[str]) -> Iterator[Head]:
    """``196 DV QIII19ZE.``, ``Dtf QVIIfZB. 107``, in mid line too."""
    for row in rows:
        if not re.search(r"[^\W\d_]{3}", row.text) or not _has_capitals(row.text):
            continue
        parts = [(Span(row.span.start + a, row.span.start + b), row.text[a:b]) for a, b in tokens(row.text)]
        for first, last in _runs(parts):
            yield from _beside_number(text, row, parts, first, last, cue)


def _has_capitals(line: str) -> bool:
    return any(a.isupper() and b.isupper() for a, b in pairwise(line))


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
    text: str, row: Line, parts: list[tuple[Span, str]], first: int, last: int, cue: re.Pattern[str]
) -> Iterator[Head]:
    title = " ".join(word for _, word in parts[first : last + 1])
    if capitals(title) < 0.7:
        return
    if first > 0 and _number(parts[first - 1][1]):
        start, end, number = parts[first - 1][0].start, parts[last][0].end, parts[first - 1][1]
        beside = parts[first - 2][1] if first > 1 else ""
    elif last + 1 < len(parts) and _number(parts[last + 1][1]):
        start, end, number = parts[first][0].start, parts[last + 1][0].end, parts[last + 1][1]
        beside = parts[last][1]
    else:
        return
    score = _CAPITALS_BESIDE_NUMBER + (_SEVERAL_WORDS if last > first else 0.0)
    score += _CLEAR_CAPITALS if capitals(title) > 0.9 or title.endswith(".") else 0.0
    score += _AT_LINE_START + (_EMPTY_LINE if row.first else 0.0) if start == row.span.start else 0.0
    score += _AT_LINE_END if end == row.span.end else 0.0
    score += cut(text, start, end)
    score += _AFTER_CUE if cue.fullmatch(beside.strip(".,")) else 0.0
    score += _YEAR if re.fullmatch(r"1[5-9]\d\d", number) else 0.0
    yield Head("running-head", (Span(start, end),), _digits(number), title, score)


def _number(word: str) -> bool:
    """Whether a word is a page number, perhaps damaged: ``196``, ``iz6``, ``i44``."""
    if len(word) > 4 or not any(sign.isdecimal() for sign in word):
        return False
    return all(sign in damaged_forms("0123456789") for sign in word)


def _digits(word: str) -> str:
    return word if word.isdecimal() else ""


def _cue_words(cues: CueWords) -> re.Pattern[str]:
    found = tuple(c for kind in ("label", "division", "sign", "reference") for c in cues.of(kind))
    bare = tuple(replace(c, word=c.word.strip(".")) for c in found)
    return re.compile(damaged_alternatives(bare), re.IGNORECASE)


# --- numbers between dashes, numbers and titles on lines of their own ---------------------------

_DASHED = re.compile(
    r"(?:(?<!\S)(?P<left>[^\W\d_]{1,12})[ \t]+(?:\w[ \t]+)?)?"
    r"(?P<page>(?<!\S)[-—–][ \t]?(?P<number>\d{1,4})(?P<close>[ \t]?[-—–])?)"
    r"(?:[ \t]+(?P<right>[^\W\d_]{1,12})(?!\w))?"
)


def _dashed(text: str, rows: Sequence[Line]) -> Iterator[Head]:
    """``- 70 E.Взятки``, ``— 438 —``, ``вис 1 — 438 — ВИС``."""
    for row in rows:
        for match in _DASHED.finditer(text, row.span.start, row.span.end):
            page = Span(*match.span("page"))
            sides = _catchwords(match)
            if match["close"]:
                score = _NUMBER_BETWEEN_DASHES + (_EMPTY_LINE if row.first else 0.0)
            else:
                score = _loose_number(text, row, page)
            if match.start() != row.span.start and page.start != row.span.start:
                score += _IN_MID_LINE
            if sides and match["close"]:
                yield Head("running-head", sides, "", "", score + _LIKE_ANOTHER)
                score += _LIKE_ANOTHER
            elif match["left"] and page.start != row.span.start and not complete_before(text, page.start):
                continue
            yield Head("page-number", (page,), match["number"], "", score)


def _loose_number(text: str, row: Line, page: Span) -> float:
    """Score of a dash and a number: at the foot of a page the text goes on with something new."""
    score = _LOOSE_DASH_NUMBER + (_AT_LINE_END if page.end == row.span.end else 0.0)
    ahead = text[page.end : page.end + 8].lstrip(" ")
    score += 1.0 if not ahead[:1].isalnum() or ahead[0].isupper() else -1.0
    score += _LABEL_NEXT if re.match(r"\w{1,3}[.)]", ahead) else 0.0
    return score + (0.5 if complete_before(text, page.start) else CUT_BEFORE)


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
        score += cut(text, start, row.span.end)
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
        score = _TABBED + cut(text, row.span.start, row.span.end)
        title = " ".join(word for word in row.text.split() if len(word) > 3)
        yield Head("running-head", (row.span,), "", title, score)


def _always_beside(rows: Sequence[Line], kept: Sequence[Head]) -> Iterator[Head]:
    """Short lines that come three times or more, each time directly beside other furniture."""
    taken = {head.start for head in kept}
    alike: dict[str, list[int]] = {}
    for at, row in enumerate(rows):
        if len(row.text) <= _LONGEST_LINE and row.text.replace(" ", "").isalpha():
            alike.setdefault(row.text, []).append(at)
    for title, group in alike.items():
        beside = (
            any(rows[near].span.start in taken for near in (at - 1, at + 1) if 0 <= near < len(rows))
            for at in group
        )
        if len(group) >= _LEAST_ALIKE and all(beside):
            for at in group:
                yield Head("running-head", (rows[at].span,), "", title, THRESHOLD)


def _repeated(text: str, rows: Sequence[Line]) -> Iterator[Head]:
    """Short lines that come three times or more and mostly between the halves of a sentence."""
    short = [row for row in rows if len(row.text) <= _LONGEST_LINE and row.text[-1] not in ",;:-"]
    counts = Counter(letters_of(row.text) for row in short)
    alike: dict[str, list[Line]] = {}
    for row in short:
        key = letters_of(row.text)
        if len(key) >= _LETTERS_OF_TITLE and counts[key] >= _LEAST_ALIKE:
            alike.setdefault(key, []).append(row)
    for key, group in alike.items():
        between = sum(cut(text, row.span.start, row.span.end) > 0 for row in group)
        if between * 2 >= len(group):
            for row in group:
                yield Head("running-head", (row.span,), "", key, THRESHOLD + 0.5)
