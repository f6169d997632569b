"""Conditions and what they bring about: "If …, then …" and "He who …"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from spacy.tokens import Doc

from hoyle.annotation.scope import Openers, Opening, Range, ZoneFinder
from hoyle.annotation.selection import Hit


class Pair(NamedTuple):
    """Token ranges of a condition and its consequence (empty if there is none), and what tells them.

    ``kind`` and ``where`` are of the row of ``conditions.tsv``.
    """

    condition: Range
    consequence: Range
    kind: str
    where: str


def pairs(doc: Doc, hits: Sequence[Hit], openers: Openers) -> list[Pair]:
    """The conditions of a unit, in the order of the text.

    Args:
        doc: what the pipeline gave.
        hits: the cues that stand.
        openers: of its language.
    """
    finder = ZoneFinder(doc, openers)
    found = [
        Pair(finder.stripped(one.start, one.end), (then.start, then.end), one.label_, one.id_)
        for one, then in zip(doc.spans["conditions"], doc.spans["consequences"], strict=True)
        if one.label_ != "not"
    ]
    return sorted([*found, *_of_subjects(doc, hits, finder)])


def _of_subjects(doc: Doc, hits: Sequence[Hit], finder: ZoneFinder) -> Iterator[Pair]:
    """Subjects ("he who …"), up to the words that say what becomes of them, where a sentence says so."""
    taken = [(zone.start, zone.end) for zone in doc.spans["conditions"]]
    said = [
        hit.start
        for hit in hits
        if hit.cue.facet in ("penalty", "modality") and not any(a <= hit.start < b for a, b in taken)
    ]
    for start, end in finder.sentences:
        at, opening = start, finder.opening(start, ("who",))
        if opening is None and start + 1 < end and finder.joins(start):  # "А кто …"
            at, opening = start + 1, finder.opening(start + 1, ("who",))
        if opening is None or any(a <= at < b for a, b in taken):
            continue
        head = at + len(opening.words)
        cut = min((word for word in said if head < word < end), default=None)
        if cut is None or _is_name(hits, at, opening, cut):
            continue
        stop = finder.subject_end(head, cut)
        condition, then = finder.stripped(at, stop), finder.trimmed(stop, end)
        yield Pair(condition, then, opening.kind, opening.where)


def _is_name(hits: Sequence[Hit], at: int, opening: Opening, cut: int) -> bool:
    """Whether "he who" only names an actor ("celui qui donne", the dealer), without any offence.

    So does a participle: «играющій» is the player.
    """
    head = at + len(opening.words)
    names = any(hit.cue.facet == "actor" and hit.start == at and hit.end > head for hit in hits)
    participle = any(word.startswith(":") for word in opening.words)
    return (names or participle) and not any(
        hit.cue.facet == "offence" and at <= hit.start < cut for hit in hits
    )
