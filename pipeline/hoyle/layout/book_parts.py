"""Parts of a book that hold no rules: title page, foreword, contents, index, errata, catalogue, tables.

A part is known by its title (rows of the kind ``part`` in ``label_cues.tsv``) and by the form of its
lines: entries that end with the number of a page. Numbers in contents, indexes, errata and catalogues
label nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias, cast

from hoyle.layout.lines import Line, capitals, letters_of
from hoyle.numbering.cues import CueWords, book_entry

PartKind: TypeAlias = Literal["title-page", "foreword", "contents", "index", "errata", "catalogue", "table"]
CLOSED: frozenset[PartKind] = frozenset({"contents", "index", "errata", "catalogue"})
"""Parts in which no number labels a rule."""

_LEADER = r"(?:[ \t]*[.…·•_,„-]){3,}[ \t]*|[ \t]{4,}|\t[ \t]*"
_PAGE = r"(?P<page>\d{1,4}|[IVXLCivxlc]{1,7})"
_LED = re.compile(rf".*?[^\W_].*?(?:{_LEADER}){_PAGE}[.,]?")
_LED_TO_VALUE = re.compile(r".*?[^\W_].*?(?:[ \t]*[.…·•_]){3,}[ \t]*\d[^\n]{0,20}")
_PLAIN = re.compile(rf".*?[^\W_]{{3}}.*?[ ,.]{_PAGE}(?:[,;–-][ ]?\d{{1,4}})*[.,]?")
_MAY_LEAD = re.compile(r"[.…·•_][ \t]*[.…·•_][ \t]*[.…·•_]|[ \t]{4}|\t")
"""What a line must have to be worth a closer look."""
_LEAST_ENTRIES = 3
_LEAST_ASCENDING = 0.8
_MOST_BETWEEN = 3
"""Lines without a page number between two entries: a title over several lines, a heading."""
_LONGEST_ENTRY = 160
_LONGEST_TITLE = 60
_TITLE_PAGE_LINES = 40
_LONGEST_TITLE_PAGE_LINE = 70
_LEAST_TITLE_PAGE = 4
_YEAR = re.compile(r"(?<![\w.])1[5-9]\d\d(?!\w)|(?<!\w)M(?:D|[.]?DCC)[CLXVI.]{2,}")


class Part(NamedTuple):
    """A part: its kind, and the first and last line of it (without its title), as a range of indices."""

    kind: PartKind
    rows: range


def book_parts(text: str, rows: Sequence[Line], cues: CueWords) -> list[Part]:
    """The parts of a book that are found, in order; no two overlap.

    Args:
        text: the text.
        rows: its lines.
        cues: words that stand at numbers, and titles of parts, in its language.
    """
    found: list[Part] = []
    reached = 0
    for part in sorted([*_title_page(rows), *_titled(text, rows, cues), *_led(rows)], key=_first_and_longest):
        if part.rows.start >= reached:
            found.append(part)
            reached = part.rows.stop
    return found


def _first_and_longest(part: Part) -> tuple[int, int]:
    return part.rows.start, -part.rows.stop


def part_title(line: str, cues: CueWords) -> PartKind | None:
    """The kind of part that a line is the title of.

    Args:
        line: the line.
        cues: of its language.
    """
    if len(line) > _LONGEST_TITLE:
        return None
    return cues.compiled(_titles).get(_folded(line))


def _titles(cues: CueWords) -> Mapping[str, PartKind]:
    return {_folded(cue.word): cast("PartKind", cue.scheme) for cue in cues.of("part")}


def _folded(line: str) -> str:
    """The letters of a line without case and accents."""
    return letters_of("".join(s for s in unicodedata.normalize("NFD", line) if not unicodedata.combining(s)))


def _titled(text: str, rows: Sequence[Line], cues: CueWords) -> Iterator[Part]:
    titles = [(at, kind) for at, row in enumerate(rows) if (kind := part_title(row.text, cues))]
    for (at, kind), (following, _) in pairwise([*titles, (len(rows), None)]):
        body = range(at + 1, following)
        if kind in {"contents", "index"}:
            end = _end_of_entries(rows, body) or _end_of_titles(rows, body)
        elif kind == "foreword":
            end = next((i for i in body if i > body.start and _loud(rows[i])), body.start)
        elif kind == "errata":
            end = next((i for i in body if _loud(rows[i])), body.stop)
        else:
            end = _end_of_books(text, rows, body, cues)
        if end > body.start:
            yield Part(cast("PartKind", kind), range(body.start, end))


def _loud(row: Line) -> bool:
    letters = sum(map(str.isalpha, row.text))
    return len(row.text) <= _LONGEST_TITLE and letters > 3 and capitals(row.text) > 0.7


def _end_of_entries(rows: Sequence[Line], body: range) -> int:
    """Where entries with page numbers end that stand under a title; 0 if there are none."""
    last, count = body.start, 0
    for at in body:
        if at - last > 2 * _MOST_BETWEEN:
            break
        if len(rows[at].text) <= _LONGEST_ENTRY and (
            _LED.fullmatch(rows[at].text) or _PLAIN.fullmatch(rows[at].text)
        ):
            last, count = at + 1, count + 1
    return last if count >= _LEAST_ENTRIES else 0


def _end_of_titles(rows: Sequence[Line], body: range) -> int:
    """Where titles without page numbers end: where the first one comes again; 0 if it does not."""
    begins = letters_of(rows[body.start].text) if body else ""
    for at in body[1:] if begins else ():
        if letters_of(rows[at].text) == begins:
            return at
        if len(rows[at].text) > _LONGEST_ENTRY:
            break
    return 0


def _end_of_books(text: str, rows: Sequence[Line], body: range, cues: CueWords) -> int:
    """Where a list of books ends: behind its last entry."""
    entry, last = cues.compiled(book_entry), body.start
    for at in body:
        if at - last > 2 * _MOST_BETWEEN:
            break
        if entry.match(text, rows[at].span.start):
            last = at + 1
    return last


def _led(rows: Sequence[Line]) -> Iterator[Part]:
    """Lines that lead with dots or a gap to a number: contents if the numbers ascend, else a table."""
    entries = [(at, match) for at, row in enumerate(rows) if (match := _entry(row))]
    group: list[tuple[int, re.Match[str]]] = []
    for at, match in [*entries, (len(rows) + 2 * _MOST_BETWEEN, None)]:
        if group and (at - group[-1][0] > _MOST_BETWEEN + 1 or any(map(_loud, rows[group[-1][0] + 1 : at]))):
            if len(group) >= _LEAST_ENTRIES and (kind := _kind(rows, group)):
                yield Part(kind, range(group[0][0], group[-1][0] + 1))
            group = []
        if match:
            group.append((at, match))


def _entry(row: Line) -> re.Match[str] | None:
    ended = row.text[-1].isalnum() or row.text[-1] in ".,"
    if not ended or len(row.text) > _LONGEST_ENTRY or not _MAY_LEAD.search(row.text):
        return None
    return _LED.fullmatch(row.text) or _LED_TO_VALUE.fullmatch(row.text)


def _kind(rows: Sequence[Line], group: Sequence[tuple[int, re.Match[str]]]) -> PartKind | None:
    pages = [int(match["page"]) for _, match in group if match.re is _LED and match["page"].isdecimal()]
    dotted = sum("..." in rows[at].text or ". ." in rows[at].text or "…" in rows[at].text for at, _ in group)
    if 2 * dotted < len(group):
        return None  # columns of a page, or prose with a number at its end
    steps = [b >= a for a, b in pairwise(pages)]
    ascending = len(pages) >= _LEAST_ENTRIES and sum(steps) >= _LEAST_ASCENDING * len(steps)
    return "contents" if ascending and pages[-1] > pages[0] else "table"


def _title_page(rows: Sequence[Line]) -> Iterator[Part]:
    """Short lines with a year among them at the start of a text, before its first sentence."""
    end = 0
    for at, row in enumerate(rows[:_TITLE_PAGE_LINES]):
        numbered = row.text[:1].isdigit() and not _YEAR.match(row.text)
        if numbered or len(row.text) > _LONGEST_TITLE_PAGE_LINE:
            break
        if _YEAR.search(row.text):
            end = at + 1
    if end >= _LEAST_TITLE_PAGE and any(_loud(row) for row in rows[:end]):
        yield Part("title-page", range(end))
