"""Candidates for correction: what a stretch of text could read, and how sure its generators are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from hoyle.correction.channel import Confusion


class Change(NamedTuple):
    """A replacement: ``size`` characters read ``after``; ``confusion`` is None if they are unchanged."""

    size: int
    after: str
    confusion: Confusion | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate for correction: ``[start, end)`` of the edited text of a unit reads otherwise.

    Attributes:
        start: offset of its first character.
        end: offset after its last character.
        changes: the replacements that cover it piece by piece, with capitals as they shall stand.
        by: evidence: the table row or the resource that it rests on.
        tagger: probability of the tagger, that of its least probable change; 0 if it does not give it.
        lattice: posterior probability of the lattice; 0 if it does not give it.
        probability: calibrated probability that the candidate is right; 0 before it is ranked.
        negation: whether it puts in or takes out a negation.
    """

    start: int
    end: int
    changes: tuple[Change, ...]
    by: str
    tagger: float = 0.0
    lattice: float = 0.0
    probability: float = 0.0
    negation: bool = False

    @property
    def after(self) -> str:
        """The replacement text."""
        return "".join(change.after for change in self.changes)


def overlaps(a: Candidate, b: Candidate) -> bool:
    """Tell whether two candidates share a character.

    Args:
        a: a candidate.
        b: a candidate for the same text.

    Returns:
        Whether they overlap.
    """
    return a.start < b.end and b.start < a.end
