"""Lines of a page that are no text of it: heads that alternate or are damaged, catchwords, signatures.

What shows them is their company: a line like another with a number at its end, a word that the next
line begins with, a letter or small numeral between the halves of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import pairwise

from hoyle.document import Span
from hoyle.layout.furniture_evidence import Head
from hoyle.layout.lines import Line, complete_before, cut, letters_of, small_after
from hoyle.numbering.confusions import damaged_forms
from hoyle.numbering.cues import CueWords, alternatives

_LONGEST_HEAD = 80
_LEAST_LETTERS = 8
_LEAST_ALIKE = 0.8
_NEAR = 60
"""Numbered lines that are looked through for one like a line: those of some thirty pages."""
_LONGEST_CATCHWORD = 18
_SCORE = 4.0

_SHEET = r"[A-ZА-Я]{1,2}[a-z]?[.,]?[ \t]?(?:[ivxj]{1,4}|\d{1,2})?[.,]?"
_SIGNATURE = re.compile(rf"{_SHEET}|\*?\d{{1,2}}\*")


def page_lines(text: str, rows: Sequence[Line], cues: CueWords) -> list[Head]:
    """Heads with a number, catchwords and signatures.

    Args:
        text: the raw text.
        rows: its lines.
        cues: words that stand at numbers in its language.
    """
    return [*_numbered(text, rows), *_prefixed(text, rows), *_catchwords(text, rows), *_volumes(rows, cues)]


def _numbered(text: str, rows: Sequence[Line]) -> Iterator[Head]:
    """``Записки Пензенскаго Земледѣльца. 31``: a short line with a number that is like another one.

    One of the like lines must stand in the middle of a sentence, and no two show the same number.
    """
    found = [(at, *parts) for at, row in enumerate(rows) if (parts := _parted(row.text))]
    groups: list[list[tuple[int, str, str]]] = []
    for at, title, number in found:
        for group in groups[-_NEAR:]:
            if _alike(title, group[-1][1]):
                group.append((at, title, number))
                break
        else:
            groups.append([(at, title, number)])
    for group in groups:
        within = [at for at, _, _ in group if cut(text, rows[at].span.start, rows[at].span.end) > _ONE_SIDE]
        numbers = {number for _, _, number in group}
        if len(group) > 1 and len(numbers) == len(group) and within:
            for at, title, number in group:
                shown = number if number.isdecimal() else ""
                yield Head("running-head", (rows[at].span,), shown, title, _SCORE)


_ONE_SIDE = 2.0
"""A sentence must be cut on both sides for a line to lie within it."""


def _parted(line: str) -> tuple[str, str] | None:
    """The title of a head and the number beside it, perhaps damaged."""
    if len(line) > _LONGEST_HEAD:
        return None
    match = _with_number().fullmatch(line)
    if match is None:
        return None
    title = match["right"] or match["left"]
    return (title, match["first"] or match["last"]) if len(letters_of(title)) >= _LEAST_LETTERS else None


@cache
def _with_number() -> re.Pattern[str]:
    number = rf"[{re.escape(damaged_forms('0123456789'))}]{{1,3}}"
    title = r"[A-ZÀ-ÞА-ЯѢІ][^\d\n]+?"
    return re.compile(
        rf"\W{{0,2}}(?:(?P<first>\d{{1,3}})[ \t]+(?P<right>{title})\W{{0,3}}"
        rf"|(?P<left>{title})[ \t]+(?P<last>{number})\W{{0,2}})"
    )


def _alike(one: str, other: str) -> bool:
    a, b = letters_of(one), letters_of(other)
    if abs(len(a) - len(b)) > (1 - _LEAST_ALIKE) * 2 * max(len(a), len(b)):
        return False
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return matcher.quick_ratio() >= _LEAST_ALIKE and matcher.ratio() >= _LEAST_ALIKE


_PAGE_BEFORE_TEXT = re.compile(r"(?P<page>\d{1,4})(?=[ \t]+\S)")


_PREFIX = re.compile(r"(?P<number>\d{1,4})[ \t]+(?P<title>[A-ZÀ-ÞА-ЯѢІ][^\d\n.]{4,40}\.)(?=[ \t]+\S)")
_LEAST_PREFIXED = 3


def _prefixed(text: str, rows: Sequence[Line]) -> Iterator[Head]:
    """``146 Словесность. …``: heads of pages at the start of lines that hold a whole page or column each."""
    groups: dict[str, list[tuple[Line, re.Match[str]]]] = {}
    for row in rows:
        if match := _PREFIX.match(row.text):
            groups.setdefault(letters_of(match["title"]), []).append((row, match))
    for group in groups.values():
        numbers = [int(match["number"]) for _, match in group]
        rising = all(a < b for a, b in pairwise(numbers)) and numbers[-1] - numbers[0] >= len(numbers)
        if len(group) < _LEAST_PREFIXED or not rising:
            continue
        if any(cut(text, row.span.start, row.span.start + match.end()) for row, match in group):
            for row, match in group:
                span = Span(row.span.start, row.span.start + match.end())
                yield Head("running-head", (span,), match["number"], match["title"], _SCORE)


def numbers_beside(rows: Sequence[Line], heads: Sequence[Head]) -> Iterator[Head]:
    """The number of the page at the start of the line below a head with the number beside it in count.

    Args:
        rows: the lines of a text.
        heads: the running heads that are known.
    """
    known = {head.start: head for head in heads if head.number}
    for above, row in pairwise(rows):
        head = known.get(above.span.start)
        match = _PAGE_BEFORE_TEXT.match(row.text)
        if head and match and abs(int(match["page"]) - int(head.number)) == 1:
            start = row.span.start
            yield Head("page-number", (Span(start, start + match.end("page")),), match["page"], "", _SCORE)


def _catchwords(text: str, rows: Sequence[Line]) -> Iterator[Head]:
    """A word at the foot of a page that the next page begins with, and a signature beside it."""
    for at, row in enumerate(rows[:-1]):
        follow = at + 1
        signed = _SIGNATURE.fullmatch(rows[follow].text) and follow + 1 < len(rows)
        if signed:
            follow += 1
        word = row.text.rstrip("-.,")
        catch = (
            len(row.text) <= _LONGEST_CATCHWORD
            and word.isalpha()
            and len(word) > 1
            and rows[follow].text.lower().startswith(word.lower())
            and len(rows[follow].text) > len(row.text)
            and at > 0
            and not complete_before(text, row.span.start)
        )
        if catch:
            yield Head("signature", (row.span,), "", "", _SCORE)
        split = not complete_before(text, rows[at + 1].span.start) and small_after(
            text, rows[at + 1].span.end
        )
        if signed and (catch or split) and rows[at + 1].text[-1:] not in ".,":
            yield Head("signature", (rows[at + 1].span,), "", "", _SCORE)


def _volumes(rows: Sequence[Line], cues: CueWords) -> Iterator[Head]:
    """``Tome II. C``: the volume and the sheet, on a line of their own."""
    volume = cues.compiled(_volume)
    for row in rows:
        if volume.fullmatch(row.text):
            yield Head("signature", (row.span,), "", "", _SCORE)


def _volume(cues: CueWords) -> re.Pattern[str]:
    tomes = (cue for cue in cues.of("reference") if cue.word[:1].lower() in "tт")
    words = alternatives((*cues.of("division"), *tomes))
    return re.compile(rf"(?i:{words})[ \t]*(?:[IVXLC]{{1,6}}|\d{{1,2}})[.,]*[ \t—–-]+[A-ZА-Я]{{1,2}}\d?[.,]?")
