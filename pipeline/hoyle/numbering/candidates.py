"""All places of a text where a numbered unit may start, with what speaks for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from hoyle.document import Span
from hoyle.numbering import LETTERS, schemes
from hoyle.numbering.context import Place, Surroundings
from hoyle.numbering.scheme import Sighting

LEAST_WEIGHT = -1.9
"""A candidate that weighs less could not be accepted even as the very number that is due."""

_CLEAR_PLACE = 2.0
_COMMON_DAMAGE = 0.5
"""Cost of a single sign without a digit in mid line that may still be a number (``S.`` for 5)."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sighting at its place.

    Attributes:
        sighting: the possible label.
        place: its place.
        weight: what both say (logarithm of odds).
        confirmed: whether the label before or after it, of its scheme, shows the number before or after.
    """

    sighting: Sighting
    place: Place
    weight: float
    confirmed: bool = False


def candidates(
    text: str, surroundings: Surroundings, names: Iterable[str], taken: Iterable[Span] = ()
) -> list[tuple[Candidate, ...]]:
    """Candidates in the order of the text; those at one place, of different schemes, together.

    Args:
        text: the text, furniture taken out.
        surroundings: what is known of its layout.
        names: names of the schemes to look for.
        taken: spans that are known to be something else (headings of parts).
    """
    closed = {at for span in taken for at in range(*span)}
    found: dict[int, list[Candidate]] = {}
    for name in names:
        for sighting in schemes()[name].sightings(text, surroundings.cues):
            place = surroundings.place(sighting)
            if sighting.label.start in closed or not _possible(sighting, place):
                continue
            weight = sighting.weight + place.weight
            if weight >= LEAST_WEIGHT:
                found.setdefault(sighting.label.start, []).append(Candidate(sighting, place, weight))
    beside = _confirmed(found)
    return [tuple(replace(c, confirmed=c.sighting in beside) for c in found[at]) for at in sorted(found)]


def _confirmed(found: Mapping[int, Sequence[Candidate]]) -> set[Sighting]:
    """Sightings of one scheme that follow one another directly and show numbers that do."""
    sound: dict[str, list[Sighting]] = {}
    for at in sorted(found):
        for candidate in found[at]:
            if candidate.weight >= _CLEAR_PLACE and candidate.sighting.value is not None:
                sound.setdefault(candidate.sighting.scheme, []).append(candidate.sighting)
    return {
        sighting
        for group in sound.values()
        for pair in pairwise(group)
        if (pair[0].value or 0) + 1 == pair[1].value
        for sighting in pair
    }


def _possible(sighting: Sighting, place: Place) -> bool:
    """Rules out what would only cost time: damaged numbers and loose commas inside a sentence."""
    bare = sighting.label.end - sighting.label.start == len(sighting.surface)
    if sighting.scheme == "arabic" and bare and not any(map(str.isdigit, sighting.surface)):
        return False  # a drop capital or a letterspaced word: A PRÈS avoir
    if place.line_start:
        return True
    if sighting.scheme in LETTERS and sighting.style.startswith("A"):
        return place.clear
    if sighting.scheme != "arabic":
        return True
    if any(sign.isdigit() for sign in sighting.surface):
        return sighting.style != "" or place.weight > 0
    # No digit is left (^d., in., S.): between the end of a sentence and a capital, a common damage.
    common = sighting.guess is not None and sighting.guess[1] <= _COMMON_DAMAGE
    likely = len(sighting.surface) > 1 or common
    return likely and sighting.style == "." and place.weight >= _CLEAR_PLACE
