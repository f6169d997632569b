"""Numbers that no label shows: where their clauses may start, and which are lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hoyle.model import Span
from hoyle.numbering.series import Label, written

LONGEST_GAP = 3
"""More lost labels in a row than this are not looked for."""
CONFIDENCE = 0.6


def gaps(found: Sequence[Label]) -> Iterator[tuple[int, int, list[int]]]:
    """Holes in the runs: index of the label before, index of the one after, the numbers between.

    A number that comes elsewhere in the same run (columns read across) is not missing.
    """
    values: dict[int, set[int]] = {}
    for label in found:
        values.setdefault(label.runs[-1], set()).add(label.value)
    last: dict[int, int] = {}
    for at, label in enumerate(found):
        before = last.get(label.runs[-1])
        # In a path of its own (1.2.3) a number says nothing of those beside it.
        if before is not None and label.scheme != "decimal":
            numbers = range(found[before].value + 1, label.value)
            lost = [number for number in numbers if number not in values[label.runs[-1]]]
            if lost:
                yield before, at, lost
        if before is None or label.value >= found[before].value:
            last[label.runs[-1]] = at


def restored(found: Sequence[Label], openings: Sequence[Span]) -> list[Label]:
    """``found`` with flagged labels where a paragraph must have lost its own.

    Args:
        found: labels in the order of the text.
        openings: the paragraphs of the text that a lost label may have headed, in order.
    """
    added: list[Label] = []
    for before, after, lost in gaps(found):
        # Only what stands directly between the two; levels below are no place for the level above.
        if len(lost) > LONGEST_GAP:
            continue
        first = found[after - 1].at if after - 1 > before else found[before].at
        between = [span for span in openings if first < span.start < found[after].at]
        chosen = sorted(sorted(between, key=lambda s: s.start - s.end)[: len(lost)])
        if len(chosen) < len(lost):
            continue
        sure = CONFIDENCE if len(between) == len(lost) else CONFIDENCE / 2
        added += [_lost(found[after], number, span, sure) for number, span in zip(lost, chosen, strict=True)]
    return sorted((*found, *added), key=lambda label: label.at)


def _lost(model: Label, number: int, span: Span, confidence: float) -> Label:
    return replace(
        model,
        at=span.start,
        span=Span(span.start, span.start),
        path=(*model.path[:-1], written(model.scheme, number, model.path[-1])),
        value=number,
        flags=("label-missing",),
        confidence=confidence,
        start=None,
    )
