"""Numbers that no label shows: where their clauses may start, and which are lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hoyle.document import Span
from hoyle.numbering import LETTERS
from hoyle.numbering.series import Label, written

LONGEST_GAP = 3
"""More lost labels in a row than this are not looked for."""
CONFIDENCE = 0.6
LEAST_USUAL = 0.08
"""Share of the clauses of a text that must begin with a word for another sentence with it to be one."""
SECOND = 2


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


def restored(found: Sequence[Label], openings: Sequence[Span], text: str) -> list[Label]:
    """``found`` with flagged labels where a paragraph or sentence must have lost its own.

    Args:
        found: labels in the order of the text.
        openings: the paragraphs of the text that a lost label may have headed, in order.
        text: the text itself.
    """
    added: list[Label] = []
    words = Counter(_first_word(text, label.span.end) for label in found)
    for before, after, lost in gaps(found):
        # Only what stands directly between the two; levels below are no place for the level above.
        first = found[after - 1] if after - 1 > before else found[before]
        places = [span for span in openings if first.at < span.start < found[after].at]
        if len(lost) > LONGEST_GAP:
            continue
        sure = CONFIDENCE if len(places) == len(lost) else CONFIDENCE / 2
        if len(places) < len(lost):
            places = _likely_sentences(text, first.span.end, found[after].at, words)
            sure = CONFIDENCE / 2
        chosen = sorted(sorted(places, key=lambda s: s.start - s.end)[: len(lost)])
        if len(chosen) == len(lost):
            added += [
                _lost(found[after], number, span, sure) for number, span in zip(lost, chosen, strict=True)
            ]
    added += _lost_firsts(found, openings)
    return sorted((*found, *added), key=lambda label: label.at)


def _lost_firsts(found: Sequence[Label], openings: Sequence[Span]) -> Iterator[Label]:
    """The first label of a series that begins with the second: it headed the paragraph before."""
    seen: set[int] = set()
    for at, label in enumerate(found):
        if label.runs[-1] in seen:
            continue
        seen.add(label.runs[-1])
        floor = found[at - 1].at if at else -1
        places = [span for span in openings if floor < span.start < label.at]
        if label.value == SECOND and places and label.scheme not in {"decimal", *LETTERS}:
            yield _lost(label, 1, places[-1], CONFIDENCE)


def _likely_sentences(text: str, start: int, end: int, words: Counter[str]) -> list[Span]:
    """Sentences in running text that begin with a word with which clauses of the text begin."""
    found = []
    for match in re.finditer(r"[.!?»*]\s+(?=[^\W\d_])", text[start:end]):
        at = start + match.end()
        usual = words.get(_first_word(text, at), 0)
        if usual > max(1, LEAST_USUAL * words.total()) and text[at].isupper():
            found.append(Span(at, end))
    return found[-1:]


def _first_word(text: str, at: int) -> str:
    """The first letters from ``at`` on, whether letterspaced or not."""
    letters = [sign.lower() for sign in text[at : at + 12] if sign.isalpha()]
    return "".join(letters[:4])


def _lost(model: Label, number: int, span: Span, confidence: float) -> Label:
    return replace(
        model,
        at=span.start,
        span=Span(span.start, span.start),
        path=(*model.path[:-1], written(model.scheme, number, model.path[-1])),
        value=number,
        flags=("label-missing",),
        confidence=confidence,
        sighting=None,
    )
