"""Finds conditions and their consequences: "If …, then …" and "He who …"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from spacy.tokens import Doc

from hoyle.annotation.scope import ConditionalMarker, Range, ScopeFinder, ScopeMarkers
from hoyle.annotation.selection import CueMatch


class ConditionPair(NamedTuple):
    """The token ranges of a condition and its consequence (empty if there is none).

    ``kind`` and ``where`` (file and line) are those of the row of ``conditions.tsv``.
    """

    condition: Range
    consequence: Range
    kind: str
    where: str


def find_conditions(
    doc: Doc, matches: Sequence[CueMatch], said: Sequence[int], markers: ScopeMarkers
) -> list[ConditionPair]:
    """Find the conditions of a unit.

    Args:
        doc: the unit, processed by the pipeline.
        matches: its cue matches.
        said: first tokens of its modal words and penalties.
        markers: the scope markers of its language.

    Returns:
        The conditions in the order of the text.
    """
    finder = ScopeFinder(doc, markers)
    found = [
        ConditionPair(finder.strip_commas(one.start, one.end), (then.start, then.end), one.label_, one.id_)
        for one, then in zip(doc.spans["conditions"], doc.spans["consequences"], strict=True)
        if one.label_ != "not"
    ]
    return sorted([*found, *_of_subjects(doc, matches, said, finder)])


def _of_subjects(
    doc: Doc, matches: Sequence[CueMatch], said: Sequence[int], finder: ScopeFinder
) -> Iterator[ConditionPair]:
    """Find subjects ("he who …") that a modality or penalty of the same sentence applies to."""
    taken = [(zone.start, zone.end) for zone in doc.spans["conditions"]]
    said = [start for start in said if not any(a <= start < b for a, b in taken)]
    for start, end in finder.sentences:
        at, marker = start, finder.marker_at(start, ("who",))
        if marker is None and start + 1 < end and finder.is_connective(start):  # "А кто …"
            at, marker = start + 1, finder.marker_at(start + 1, ("who",))
        if marker is None or any(a <= at < b for a, b in taken):
            continue
        head = at + len(marker.words)
        cut = min((word for word in said if head < word < end), default=None)
        if cut is None or _is_name(matches, at, marker, cut):
            continue
        stop = finder.subject_end(head, cut)
        condition, then = finder.strip_commas(at, stop), finder.strip_connectives(stop, end)
        yield ConditionPair(condition, then, marker.kind, marker.where)


def _is_name(matches: Sequence[CueMatch], at: int, marker: ConditionalMarker, cut: int) -> bool:
    """Return whether "he who" only names an actor ("celui qui donne", the dealer), without an offence.

    A participle can do so too: «играющій» is the player.
    """
    head = at + len(marker.words)
    names = any(match.cue.facet == "actor" and match.start == at and match.end > head for match in matches)
    participle = any(word.startswith(":") for word in marker.words)
    return (names or participle) and not any(
        match.cue.facet == "offence" and at <= match.start < cut for match in matches
    )
