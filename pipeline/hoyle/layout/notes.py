"""Footnotes: a mark in the text, and the same mark before the note at the foot of the page."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from hoyle.document import Span

FARTHEST = 6000
"""Characters between a mark and its note: two long pages."""

MARK = r"\((?:\d{1,3}|[*†‡]{1,3}|[a-zа-я])\)|\[\^?[\w-]{1,20}\](?::)?|[¹²³⁴⁵⁶⁷⁸⁹]{1,2}"
"""A regular expression for a mark that a note may begin with."""

_NOTE = re.compile(rf"^[ \t]*(?P<mark>{MARK})[ \t]*[-—–]?[ \t]*(?=[^\W\d_]|[«\"“_*])", re.MULTILINE)
_CALL_BEFORE = re.compile(r"[^\W_][.,;:!?»”\"'’*_]{0,2}[ \t]?$")


class Note(NamedTuple):
    """A note: where its text begins (with the mark), the mark, and where the text calls it."""

    at: int
    mark: str
    call: Span


def notes(text: str) -> list[Note]:
    """The notes of a text that a mark in it calls.

    A mark at the start of a line may as well number an item of a list. It begins a note if the text
    before, since the last note of that mark, has the same mark behind a word in mid line, and the line
    before does not announce a list.
    """
    found: list[Note] = []
    floors: dict[str, int] = {}
    for match in _NOTE.finditer(text):
        mark = match["mark"].rstrip(":")
        at = match.start("mark")
        call = _call(text, mark, max(floors.get(mark, 0), at - FARTHEST), at)
        if call is not None and not text[:at].rstrip().endswith(":"):
            found.append(Note(at, mark, call))
            floors[mark] = match.end()
    return found


def _call(text: str, mark: str, floor: int, at: int) -> Span | None:
    """The last place before a note where its mark stands behind a word."""
    end = at
    while (start := text.rfind(mark, floor, end)) >= 0:
        line = text[max(text.rfind("\n", 0, start) + 1, start - 8) : start]
        if _CALL_BEFORE.search(line) and not text[start + len(mark) : start + len(mark) + 1].isalnum():
            return Span(start, start + len(mark))
        end = start
    return None


def note_end(text: str, at: int, starts: Collection[int]) -> int:
    """Where a note ends: at an empty line, another note, or a line after a full sentence that begins anew.

    Args:
        text: the text in reading order.
        at: where the note begins.
        starts: where notes begin, this one included.
    """
    end = _line_end(text, at)
    while end < len(text):
        ahead = text[end + 1 : _line_end(text, end + 1)]
        first = end + 1 + len(ahead) - len(ahead.lstrip())
        goes_on = text[:end].rstrip()[-1:] not in ".!?»)" or ahead.lstrip()[:1].islower()
        if not ahead.strip() or first in starts or not goes_on:
            break
        end = _line_end(text, end + 1)
    return end


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
