"""Numbers as texts cite them: ``16``, ``45C4(B)``, ``45Е``, ``IV``, ``17а``, ``1.2.3``, ``i5``.

Nothing here knows a language: a cited number is found at a place, read as a path, and compared
with the paths of clauses whatever the script of its letters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from hoyle.languages.scripts import look_alikes
from hoyle.tables import data_file, read_table

NumberPath = tuple[str, ...]

_ROMAN = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
# I, V and X alone are numerals; C, D, L and M alone are far more often section letters.
_LONE_LETTERS = frozenset("CDLM")
_WORD = re.compile(r"!\d+|[^\W_]+")
_LONGEST = 20
"""Characters of the longest token that may be a number; Python makes no integer of thousands of digits."""
_SPACED = re.compile(r"\d(?: \d){1,9}(?!\w)")
_DOTTED = re.compile(r"\.(?=\w)")
_BRACKETED = re.compile(r"\(([^\W\d_])\)")
_ORDINAL = re.compile(r"-\w{1,3}(?!\w)")
_FRENCH_ORDINAL = re.compile(r"(\d+)(?:er|re|e|ème)")
_GLUED = re.compile(r"['’]\w")
_PARTS = re.compile(r"\d+|[^\W\d_]")
_REPEAT = re.compile(r" (bis|ter|quater)\b")


class CitedNumber(NamedTuple):
    """A number found in a text: its range in it (characters), and the path it names."""

    start: int
    end: int
    path: NumberPath


class _Glyphs(NamedTuple):
    digits: Mapping[str, str]
    digits_before: Mapping[str, str]
    roman: Mapping[int, str]
    letters: Mapping[int, str]


@cache
def _glyphs() -> _Glyphs:
    digits = read_table(
        data_file("numbering", "citation_glyphs.tsv"), ("glyph", "reads", "before", "example")
    )
    return _Glyphs(
        {r["glyph"]: r["reads"] for r in digits if not r["before"]},
        {r["glyph"]: r["reads"] for r in digits},
        {ord(r["ocr"]): r["print"] for r in look_alikes("latin", "roman")},
        {ord(r["ocr"]): r["print"] for r in look_alikes("latin", "citation")},
    )


def number_at(text: str, at: int, *, letters: bool = False) -> CitedNumber | None:
    """The number that stands in ``text`` at ``at``, or ``None``.

    Args:
        text: any text.
        at: where the number must begin (characters).
        letters: whether a letter alone is a number here (``раздел B``).
    """
    if spaced := _SPACED.match(text, at):
        return CitedNumber(at, spaced.end(), (spaced[0].replace(" ", ""),))
    word = _WORD.match(text, at)
    if word is None:
        return None
    token, end = word[0], word.end()
    path = _figures(token) or _roman(token) or (_letter(token) if letters else None)
    if path is None or _GLUED.match(text, end):
        return None
    return _tail(text, at, end, path)


def _figures(token: str) -> NumberPath | None:
    """``45C4`` → 45, C, 4; ``i5`` → 15; ``17а`` → 17, а."""
    if len(token) > _LONGEST:
        return None
    first_digit = next((i for i, c in enumerate(token) if c.isdecimal()), -1)
    if first_digit < 0:
        return None
    if ordinal := _FRENCH_ORDINAL.fullmatch(token):
        return (ordinal[1],)
    glyphs = _glyphs()
    read = ""
    for i, glyph in enumerate(token):
        followed = any(c.isdecimal() for c in token[i + 1 :])
        table = glyphs.digits_before if followed else glyphs.digits
        between = i < first_digit or all(c.isdecimal() or c in glyphs.digits_before for c in token[:i])
        read += table.get(glyph, glyph) if between else glyph
    parts = tuple(_PARTS.findall(read))
    # Two letters in a row are a word or an ordinal's ending, not a path.
    run_on = any(not (a.isdecimal() or b.isdecimal()) for a, b in pairwise(parts))
    if not parts[0].isdecimal() or run_on:
        return None
    return tuple(str(int(p)) if p.isdecimal() else p for p in parts)


def _roman(token: str) -> NumberPath | None:
    latin = token.translate(_glyphs().roman)
    whole = _ROMAN.fullmatch(latin) is not None and latin not in _LONE_LETTERS
    return (latin,) if whole else None


def _letter(token: str) -> NumberPath | None:
    return (token,) if len(token) == 1 and token.isalpha() else None


def _tail(text: str, start: int, end: int, path: NumberPath) -> CitedNumber:
    """The number with what belongs to it: ``.2.3``, ``(B)``, ``-му``, ``bis``."""
    while True:
        if (dot := _DOTTED.match(text, end)) and (part := _WORD.match(text, dot.end())):
            if not (part[0].isdecimal() or len(part[0]) == 1):
                break
            path, end = (*path, part[0]), part.end()
        elif bracket := _BRACKETED.match(text, end):
            path, end = (*path, bracket[1].lower()), bracket.end()
        else:
            break
    if (ordinal := _ORDINAL.match(text, end)) and path[-1].isdecimal():
        end = ordinal.end()
    if (repeat := _REPEAT.match(text, end)) and path[-1].isdecimal():
        path, end = (*path[:-1], f"{path[-1]} {repeat[1]}"), repeat.end()
    return CitedNumber(start, end, path)


def comparison_key(path: NumberPath) -> NumberPath:
    """``path`` as it is compared: look-alike letters of two scripts are one, capitals do not count."""
    letters = {**_glyphs().roman, **_glyphs().letters}
    return tuple(part.upper().translate(letters).replace(" ", "") for part in path)


def to_latin(path: NumberPath) -> NumberPath:
    """``path`` with Cyrillic letters that look Latin written in Latin (``45Е`` beside ``45A``)."""
    capitals = _glyphs().letters
    small = {ord(chr(c).lower()): latin.lower() for c, latin in capitals.items()}
    return tuple(part.translate(capitals).translate(small) for part in path)
