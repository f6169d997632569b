"""Parts of a text that carry a number of their own, while the clauses are counted on across them.

``I. Объ оскорбленіяхъ. 1. … 6. … II. О секундантахъ. 7. …``: the Roman numerals head parts; nobody
cites rule 7 as II.7. Where the count begins anew under each, they are a level of the hierarchy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from hoyle.model import Span
from hoyle.numbering.series import Label

LONGEST_TITLE = 110
"""Characters of a title, over which a numbered unit has text of its own."""
_LINES_OF_TITLE = 2
_FARTHEST_STEP = 2
"""Numbers by which the count may go on from one part to the next: one may be lost."""


def titles_of_parts(found: Sequence[Label], text: str) -> list[Span]:
    """The labels in ``found`` that head parts across which the level below is counted on.

    Args:
        found: labels in the order of the text.
        text: the text itself.
    """
    members: defaultdict[int, list[int]] = defaultdict(list)
    for at, label in enumerate(found):
        members[label.runs[-1]].append(at)
    spans: list[Span] = []
    for group in members.values():
        if len(group) > 1 and _counted_on(found, group) and all(_is_title(found, at, text) for at in group):
            spans += [Span(found[at].at, found[at].span.end) for at in group]
    return sorted(spans)


def _counted_on(found: Sequence[Label], group: Sequence[int]) -> bool:
    """Whether the labels below those of a run go on counting from each to the next."""
    last = 0
    steps: list[int] = []
    for at, after in zip(group, [*group[1:], len(found)], strict=True):
        depth = len(found[at].runs)
        below = [
            label.value
            for label in found[at + 1 : after]
            if len(label.runs) == depth + 1 and label.runs[depth - 1] == found[at].runs[-1]
        ]
        if below and last:
            steps.append(below[0] - last)
        last = below[-1] if below else last
    return bool(steps) and all(0 < step <= _FARTHEST_STEP for step in steps)


def _is_title(found: Sequence[Label], at: int, text: str) -> bool:
    """Whether a label has no more text of its own than a title before the next label."""
    if at + 1 == len(found):
        return False
    own = text[found[at].span.end : found[at + 1].at].strip()
    return len(own) <= LONGEST_TITLE and len(own.splitlines()) <= _LINES_OF_TITLE
