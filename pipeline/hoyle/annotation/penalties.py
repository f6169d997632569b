"""Finds penalties: their kind, who suffers and who exacts them, and their amount."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from spacy.tokens import Doc

from hoyle.annotation.amounts import AmountMatch
from hoyle.annotation.selection import CueMatch, Sentences, of_facet

_SAME: Final = "same-penalty"
_REASONS: Final = frozenset({"deemed-fault"})
"""Kinds that only give the reason if the sentence names another penalty."""
_SIDES: Final = frozenset(
    {"opponent", "left-hand-opponent", "right-hand-opponent", "any-player", "director", "organiser"}
)
_AFTER: Final = 3
"""Words after a penalty among which its amount may begin."""
_ELSEWHERE: Final = re.compile(r"§|\b\d+\b|\bстат|\bправил|\bп\.|\bart|\bn°")


class PenaltyMatch(NamedTuple):
    """One penalty; ``against`` and ``by`` are ids of actors."""

    match: CueMatch
    value: str
    against: str
    by: str
    amount: AmountMatch | None


class PenaltyHistory:
    """The penalties that the text has named so far; "the same penalty" refers to one of them."""

    def __init__(self) -> None:
        self._last = ""
        self._of: dict[str, str] = {}

    def add(self, found: Sequence[PenaltyMatch], matches: Sequence[CueMatch]) -> None:
        """Record the penalties of a unit with its offences.

        Args:
            found: the penalties of the unit.
            matches: its active cue matches.
        """
        kinds = [penalty.value for penalty in found if penalty.value not in ("no-penalty", _SAME)]
        if kinds:
            self._last = kinds[-1]
            self._of.update((match.cue.concept, kinds[0]) for match in of_facet(matches, "offence"))

    def of(self, offences: Sequence[str]) -> str:
        """Return the penalty of the first of these offences that had one, else the last penalty."""
        return next((self._of[offence] for offence in offences if offence in self._of), self._last)


def find_penalties(
    doc: Doc,
    matches: Sequence[CueMatch],
    sentences: Sentences,
    history: PenaltyHistory,
    amounts: Sequence[AmountMatch],
) -> list[PenaltyMatch]:
    """Find the penalties of a unit.

    Args:
        doc: the unit, processed by the pipeline.
        matches: its active cue matches.
        sentences: its sentences.
        history: the penalties of the units before. "The same penalty as he who …" refers to that of the
            offence, "the same penalty" to the last one, unless a clause is cited (§ 16).
        amounts: its amounts.

    Returns:
        The penalties in the order of the text.
    """
    found: list[PenaltyMatch] = []
    penalty_matches = of_facet(matches, "penalty")
    for match in penalty_matches:
        value = match.cue.concept
        sentence = sentences.number(match.start)
        if value in _REASONS and any(
            o != match and sentences.number(o.start) == sentence for o in penalty_matches
        ):
            continue
        if value == _SAME and not _names_place(doc, match, sentences):
            offences = [o.cue.concept for o in of_facet(matches, "offence") if o.start >= match.end]
            here = next((p.value for p in reversed(found) if p.value != "no-penalty"), "")
            value = here or history.of(offences) or value
        against = match.cue.against or _sufferer(match, matches, sentences)
        by = _exactor(match, matches, sentences) or match.cue.by
        amount = None if match.cue.concept == _SAME else _amount(doc, match, amounts)
        found.append(PenaltyMatch(match, value, against, by if by != against else "", amount))
    return found


def _names_place(doc: Doc, match: CueMatch, sentences: Sentences) -> bool:
    sentence = sentences.number(match.start)
    rest = (token.text for token in doc[match.end :] if sentences.number(token.i) == sentence)
    return bool(_ELSEWHERE.search(" ".join(rest)))


def _sufferer(match: CueMatch, matches: Sequence[CueMatch], sentences: Sentences) -> str:
    """Return who suffers: the first actor of a preceding condition, else the first preceding actor."""
    before = [actor for actor in of_facet(matches, "actor") if actor.start <= match.start]
    conditional = [actor for actor in before if sentences.in_condition(actor)]
    chosen = conditional[0] if conditional else before[0] if before else None
    if chosen is None:
        return ""
    return "player" if chosen.cue.concept == "offender" else chosen.cue.concept


def _exactor(match: CueMatch, matches: Sequence[CueMatch], sentences: Sentences) -> str:
    """Return who exacts: the last opponent (or any player) named outside conditions in the sentence."""
    sentence = sentences.number(match.start)
    able = [
        actor.cue.concept
        for actor in of_facet(matches, "actor")
        if actor.start < match.end and actor.cue.concept in _SIDES
        and sentences.number(actor.start) == sentence and not sentences.in_condition(actor)
    ]  # fmt: skip
    return able[-1] if able else ""


def _amount(doc: Doc, match: CueMatch, amounts: Sequence[AmountMatch]) -> AmountMatch | None:
    """Return the first amount in the penalty or close after it."""
    end = min(match.end + _AFTER, len(doc))
    stop = next((token.i for token in doc[match.start : end] if token.tag_ == "."), end)
    return next((amount for amount in amounts if match.start <= amount.start < stop), None)
