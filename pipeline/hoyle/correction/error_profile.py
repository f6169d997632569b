"""What the scan of a document took for what, as its corrections show: the document's profile of faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from hoyle.document import Document, Edit, Span
from hoyle.document.text_layers import Reading, read

LONGEST = 3
"""A confusion of more characters than this, on either side, says nothing of single signs."""

LEAST = 2
"""How often a confusion must be met to be told."""

Confusion = tuple[str, str]
"""What is printed, and as what it was read; either may be empty."""


class Fault(NamedTuple):
    """``printed`` was read as ``read``, so many ``times``.

    ``share`` is what part that is of all that is ``printed`` in the corrected text, so that a fault that
    never fails shows (1.0); ``None`` if nothing is printed there (a speck). ``example`` is a word as
    read and as corrected.
    """

    printed: str
    read: str
    times: int
    share: float | None
    example: tuple[str, str]


def faults(document: Document, most: int = 10) -> list[Fault]:
    """The most frequent confusions among the edits of the kind ``correct``, the most frequent first.

    Small letters stand for capitals too, but where only the case was wrong.

    Args:
        document: with the layer ``correct``.
        most: how many at most.
    """
    met: Counter[Confusion] = Counter()
    first: dict[Confusion, Edit] = {}
    for edit in document.edits:
        if edit.kind == "correct":
            for confusion in _confusions(edit):
                met[confusion] += 1
                first.setdefault(confusion, edit)
    told = sorted((c for c in met if met[c] >= LEAST), key=lambda c: (-met[c], c))[:most]
    text = _corrected(document) if told else ""
    return [Fault(*c, met[c], _share(text, c[0], met[c]), _words(document, first[c])) for c in told]


def _confusions(edit: Edit) -> Iterator[Confusion]:
    """Where raw and corrected text of an edit differ; neighbouring differences are one."""
    open_ = None
    for op in [*Levenshtein.opcodes(edit.after, edit.before), None]:
        if op and op.tag != "equal":
            start, read_start = open_[:2] if open_ else (op.src_start, op.dest_start)
            open_ = (start, read_start, op.src_end, op.dest_end)
            continue
        if open_:
            printed, misread = edit.after[open_[0] : open_[2]], edit.before[open_[1] : open_[3]]
            if max(len(printed), len(misread)) <= LONGEST:
                yield _small(printed, misread)
        open_ = None


def _small(printed: str, misread: str) -> Confusion:
    same = printed.lower() == misread.lower()
    return (printed, misread) if same else (printed.lower(), misread.lower())


def _words(document: Document, edit: Edit) -> tuple[str, str]:
    """The word or words an edit lies in, as read and as corrected."""
    source, (start, end) = document.source.text, edit.span
    while start and not source[start - 1].isspace():
        start -= 1
    while end < len(source) and not source[end].isspace():
        end += 1
    word = Span(start, end)
    inside = [e for e in document.edits_in([word], "corrected") if word.covers(e.span) and e.kind != "drop"]
    corrected = Reading(source, inside, [word]).text
    return " ".join(source[start:end].split()), " ".join(corrected.split())


def _corrected(document: Document) -> str:
    texts = (read(document, unit.spans, "corrected").text for unit in document.units)
    return "\n".join(texts)


def _share(text: str, printed: str, times: int) -> float | None:
    if not printed:
        return None
    stands = text if printed != printed.lower() else text.lower()
    return times / max(times, stands.count(printed))
