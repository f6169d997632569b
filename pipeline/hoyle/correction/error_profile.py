"""The error profile of a document: which confusions its corrections show, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from hoyle.document import Document, Edit, Span
from hoyle.document.text_layers import LayerText, layer_text

MAX_LENGTH = 3
"""Characters on either side of a confusion; longer differences say nothing of single letters."""

MIN_COUNT = 2
"""Occurrences from which a confusion is reported."""

_Misreading = tuple[str, str]
"""Printed text and OCR reading; either may be empty."""


class ConfusionCount(NamedTuple):
    """A confusion of a document: ``printed`` was read as ``read``, so many ``times``.

    ``share`` is its part of all occurrences of ``printed`` in the corrected text (1.0: always misread);
    ``None`` if nothing is printed there (a speck). ``example`` is a word as read and as corrected.
    """

    printed: str
    read: str
    times: int
    share: float | None
    example: tuple[str, str]


def error_profile(document: Document, limit: int = 10) -> list[ConfusionCount]:
    """Count the confusions among the edits of the kind ``correct``.

    Small letters stand for capitals too, except where only the case was wrong.

    Args:
        document: a document with the layer ``correct``.
        limit: number of confusions at most.

    Returns:
        The most frequent confusions, the most frequent first.
    """
    counts: Counter[_Misreading] = Counter()
    examples: dict[_Misreading, Edit] = {}
    for edit in document.edits:
        if edit.kind == "correct":
            for misreading in _confusions(edit):
                counts[misreading] += 1
                examples.setdefault(misreading, edit)
    frequent = sorted((c for c in counts if counts[c] >= MIN_COUNT), key=lambda c: (-counts[c], c))[:limit]
    text = _corrected(document) if frequent else ""
    return [
        ConfusionCount(*c, counts[c], _share(text, c[0], counts[c]), _words(document, examples[c]))
        for c in frequent
    ]


def _confusions(edit: Edit) -> Iterator[_Misreading]:
    """Yield the differences of raw and corrected text of an edit; neighbouring differences are one."""
    open_ = None
    for op in [*Levenshtein.opcodes(edit.after, edit.before), None]:
        if op and op.tag != "equal":
            start, read_start = open_[:2] if open_ else (op.src_start, op.dest_start)
            open_ = (start, read_start, op.src_end, op.dest_end)
            continue
        if open_:
            printed, misread = edit.after[open_[0] : open_[2]], edit.before[open_[1] : open_[3]]
            if max(len(printed), len(misread)) <= MAX_LENGTH:
                yield _small(printed, misread)
        open_ = None


def _small(printed: str, misread: str) -> _Misreading:
    same = printed.lower() == misread.lower()
    return (printed, misread) if same else (printed.lower(), misread.lower())


def _words(document: Document, edit: Edit) -> tuple[str, str]:
    """Return the word or words that an edit lies in, as read and as corrected."""
    source, (start, end) = document.source.text, edit.span
    while start and not source[start - 1].isspace():
        start -= 1
    while end < len(source) and not source[end].isspace():
        end += 1
    word = Span(start, end)
    inside = [e for e in document.edits_in([word], "corrected") if word.covers(e.span) and e.kind != "drop"]
    corrected = LayerText(source, inside, [word]).text
    return " ".join(source[start:end].split()), " ".join(corrected.split())


def _corrected(document: Document) -> str:
    texts = (layer_text(document, unit.spans, "corrected").text for unit in document.units)
    return "\n".join(texts)


def _share(text: str, printed: str, times: int) -> float | None:
    if not printed:
        return None
    stands = text if printed != printed.lower() else text.lower()
    return times / max(times, stands.count(printed))
