"""Parts of a text that carry a number of their own, while the clauses are counted on across them.

``I. Объ оскорбленіяхъ. 1. … 6. … II. О секундантахъ. 7. …``: the Roman numerals head parts; nobody
cites rule 7 as II.7. Where the count begins anew under each, they are a level of the hierarchy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from hoyle.document import Span
from hoyle.numbering import schemes
from hoyle.numbering.cues import CueWords
from hoyle.numbering.series import Label

LONGEST_TITLE = 110
"""Characters of a title, over which a numbered unit has text of its own."""
_LINES_OF_TITLE = 2
_FARTHEST_STEP = 2
"""Numbers by which the count may go on from one part to the next: one may be lost."""
_SCHEMES = ("article", "law", "section", "roman", "latin", "cyrillic")


class _Title(NamedTuple):
    label: Span
    value: int
    below: int
    """Index of the label that follows."""


def titles_of_parts(found: Sequence[Label], text: str, cues: CueWords) -> list[Span]:
    """Labels, read as clauses or not, that head parts across which another numbering is counted on.

    Args:
        found: labels in the order of the text.
        text: the text itself.
        cues: words that stand at numbers in its language.
    """
    begins = {label.at: at for at, label in enumerate(found)}
    spans = {label.span for label in _above_one_count(found)}
    for scheme in _SCHEMES:
        chain = [
            title
            for title in _in_turn(_titles(scheme, begins, text, cues))
            if found[title.below].scheme not in {scheme, ""}
        ]
        if len(chain) > 1 and all(_counted_on(found, title, scheme) for title in chain[1:]):
            spans |= {title.label for title in chain}
    return sorted(spans)


def _above_one_count(found: Sequence[Label]) -> Iterator[Label]:
    """Labels read as the level above a numbering that is counted on from one of them to the next."""
    last: dict[tuple[int, str], Label] = {}
    across: set[int] = set()
    for above, label in pairwise(found):
        depth = len(label.path)
        before = last.get((depth, label.scheme))
        first = len(above.path) == depth - 1 and above.runs == label.runs[:-1]
        if before and first and label.at - above.span.end <= LONGEST_TITLE and label.value > 1:
            same = before.runs[:-1] == label.runs[:-1]
            if same and 0 < label.value - before.value <= _FARTHEST_STEP:
                across.add(above.runs[-1])
        last[depth, label.scheme] = label
    return (label for label in found if label.runs[-1] in across)


def _titles(scheme: str, begins: Mapping[int, int], text: str, cues: CueWords) -> Iterator[_Title]:
    """Labels of a scheme at the start of a line or two that end where a known label begins."""
    for sighting in schemes()[scheme].sightings(text, cues):
        start, end = sighting.label
        ranked = schemes()[scheme].rank(sighting.style) < schemes()["arabic"].rank("")
        if sighting.value is None or not ranked or not _at_line_start(text, start):
            continue
        at = start
        for _ in range(_LINES_OF_TITLE):
            at = text.find("\n", max(at, end))
            if at < 0 or at - end > LONGEST_TITLE:
                break
            at = _past_space(text, at)
            if at in begins:
                yield _Title(sighting.label, sighting.value, begins[at])
                break


def _at_line_start(text: str, at: int) -> bool:
    before = text[max(0, at - 8) : at].rstrip(" \t\u00a0")
    return before.endswith("\n") or (not before and at < 8)


def _past_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _in_turn(titles: Iterator[_Title]) -> Iterator[_Title]:
    """The titles that are numbered 1, 2, 3 … in the order of the text."""
    due = 1
    for title in titles:
        if title.value == due:
            yield title
            due += 1


def _counted_on(found: Sequence[Label], title: _Title, scheme: str) -> bool:
    """Whether the label below a title goes on counting from one before it."""
    below = found[title.below]
    if below.scheme == scheme or below.value == 1:
        return False
    before = (label for label in reversed(found[: title.below]) if label.scheme == below.scheme)
    return any(0 < below.value - label.value <= _FARTHEST_STEP for label in _few(before))


def _few(labels: Iterator[Label], most: int = 12) -> Iterator[Label]:
    """The nearest labels: those of a list inside the last clause stand between."""
    for _, label in zip(range(most), labels, strict=False):
        yield label
