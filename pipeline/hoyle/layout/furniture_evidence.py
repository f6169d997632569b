"""What pieces of page furniture say for one another: like titles, ascending page numbers, neighbours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise

from hoyle.document import BlockKind, Span
from hoyle.layout.lines import Line, cut, letters_of

_LIKE_ANOTHER = 1.5
_ASCENDING = 1.5
_MOST_PAGES = 20
_SHORTEST_PAGE = 500
_BESIDE_FURNITURE = 2.0
_TABBED = 1.0
_LONGEST_SIGNATURE = 40
_MOST_LETTERS = 0.65


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


def together(found: list[Head]) -> list[Head]:
    """``found`` with higher scores where others support a head: a like title, ascending page numbers."""
    known = _shared_titles(found)
    pages = sorted((h for h in found if h.kind == "page-number" and h.number), key=lambda h: h.start)
    rising: set[int] = set()
    for before, after in pairwise(pages):
        near = 0 < int(after.number) - int(before.number) <= _MOST_PAGES
        if near and after.start - before.start >= _SHORTEST_PAGE:
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
    counts = Counter(letters_of(head.title) for head in found if head.title)
    common = [title for title, _ in counts.most_common(200)]
    shared: set[str] = set()
    for head in found:
        mine = letters_of(head.title)
        if mine and (counts[mine] > 1 or any(_alike(mine, other) for other in common if other != mine)):
            shared.add(head.title)
    return shared


def _alike(a: str, b: str) -> bool:
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return matcher.real_quick_ratio() > 0.75 and matcher.quick_ratio() > 0.75 and matcher.ratio() > 0.75


_LABEL = re.compile(r"(?:§[ \t]?)?\W?\d{1,3}\W{0,2}[ \t]+[^\W\d_]")
"""A number and a word: a short rule rather than a signature."""
_SHEET = re.compile(r"(?<!\w)(?:[IVXLCХІ]{1,6}|\d{1,3})(?!\w)")


def signatures(text: str, rows: Sequence[Line], kept: list[Head]) -> list[Head]:
    """Signatures of sheets, volume and sheet, next to other furniture (``T. XX,—Отд. 111.``).

    Args:
        text: the raw text.
        rows: its lines.
        kept: the furniture that is known so far.
    """
    starts = {head.start for head in kept}
    ends = {head.end for head in kept}
    found: list[Head] = []
    for at, row in enumerate(rows):
        if row.span.start in starts or not _of_signs(row.text):
            continue
        before = rows[at - 1].span.end if at else -1
        after = rows[at + 1].span.start if at + 1 < len(rows) else -1
        beside = before in ends or after in starts
        if row.text[0].islower() and not beside:
            continue  # a line of a sentence: ``или 5.1,``
        score = (_BESIDE_FURNITURE if beside else 0.0) + cut(text, row.span.start, row.span.end)
        score += _TABBED if "\t" in row.text else 0.0
        if score >= _BESIDE_FURNITURE:
            found.append(Head("signature", (row.span,), "", "", score))
    return found


def _of_signs(line: str) -> bool:
    """Whether a short line is mostly signs and numerals, with no whole word in it."""
    if len(line) > _LONGEST_SIGNATURE or not _SHEET.search(line) or not re.search(r"[.,]", line):
        return False
    letters = len(letters_of(line))
    signs = sum(not sign.isspace() for sign in line)
    sentence = _LABEL.match(line) or len(re.findall(r"[^\W\d_]{3,}", line)) > 2
    return not sentence and 2 <= letters <= _MOST_LETTERS * signs and not re.search(r"[^\W\d_]{5,}", line)
