"""Finds penalties: their kind, who suffers and who exacts them, and their amount."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from spacy.tokens import Doc

from hoyle.annotation.amounts import AmountMatch
from hoyle.annotation.scoring import ScoredMatch
from hoyle.annotation.selection import CueMatch, Sentences

_SAME: Final = "same-penalty"
_OFFICIALS: Final = frozenset(
    {"director", "authority", "assembly", "organiser", "officer", "assistant-official"}
)
_SIDES: Final = frozenset(
    {"opponent", "left-hand-opponent", "right-hand-opponent", "any-player", "director", "organiser"}
)
_AFTER: Final = 3
"""Words after a penalty among which its amount may begin."""
_ELSEWHERE: Final = re.compile(r"§|\b\d+\b|\bстат|\bправил|\bп\.|\bart|\bn°")


class PenaltyMatch(NamedTuple):
    """One penalty; ``against`` and ``by`` are ids of actors."""

    scored: ScoredMatch
    value: str
    against: str
    by: str
    amount: AmountMatch | None


class PenaltyHistory:
    """The penalties that the text has named so far; "the same penalty" refers to one of them."""

    def __init__(self) -> None:
        self._last = ""
        self._of: dict[str, str] = {}

    def add(self, found: Sequence[PenaltyMatch], offences: Sequence[str]) -> None:
        """Record the penalties of a unit with its offences.

        Args:
            found: the penalties of the unit.
            offences: the ids of its offences.
        """
        kinds = [penalty.value for penalty in found if penalty.value not in ("no-penalty", _SAME)]
        if kinds:
            self._last = kinds[-1]
            self._of.update((offence, kinds[0]) for offence in offences)

    def of(self, offences: Sequence[str]) -> str:
        """Return the penalty of the first of these offences that had one, else the last penalty."""
        return next((self._of[offence] for offence in offences if offence in self._of), self._last)


def find_penalties(
    doc: Doc,
    asserted: Mapping[str, Sequence[ScoredMatch]],
    sentences: Sentences,
    history: PenaltyHistory,
    amounts: Sequence[AmountMatch],
) -> list[PenaltyMatch]:
    """Find the penalties of a unit.

    Args:
        doc: the unit, processed by the pipeline.
        asserted: its actors, offences and penalties.
        sentences: its sentences.
        history: the penalties of the units before. "The same penalty as he who …" refers to that of the
            offence, "the same penalty" to the last one, unless a clause is cited (§ 16).
        amounts: its amounts.

    Returns:
        The penalties in the order of the text.
    """
    found: list[PenaltyMatch] = []
    actors = [one.match for one in asserted["actor"]]
    offences = [one.match for one in asserted["offence"]]
    for scored in asserted["penalty"]:
        match, value = scored.match, scored.match.cue.concept
        if value == _SAME and not _names_place(doc, match, sentences):
            after = [one.cue.concept for one in offences if one.start >= match.end]
            here = next((p.value for p in reversed(found) if p.value != "no-penalty"), "")
            value = here or history.of(after) or value
        against = match.cue.against or _sufferer(match, actors, offences, sentences)
        by = _exactor(match, actors, sentences) or match.cue.by
        amount = None if match.cue.concept == _SAME else _amount(doc, match, amounts)
        found.append(PenaltyMatch(scored, value, against, by if by != against else "", amount))
    return found


def _names_place(doc: Doc, match: CueMatch, sentences: Sentences) -> bool:
    sentence = sentences.number(match.start)
    rest = (token.text for token in doc[match.end :] if sentences.number(token.i) == sentence)
    return bool(_ELSEWHERE.search(" ".join(rest)))


def _sufferer(
    match: CueMatch, actors: Sequence[CueMatch], offences: Sequence[CueMatch], sentences: Sentences
) -> str:
    """Return who suffers.

    Whoever is named last before the offence in the sentence of the penalty, or opens its condition; else the
    same in the sentences before; else the first actor. Officials do not count.
    """
    able = [actor for actor in actors if actor.cue.concept not in _OFFICIALS]
    sentence = sentences.number(match.start)
    here = [
        actor for actor in able if sentences.number(actor.start) == sentence and actor.start <= match.start
    ]
    acts = [one for one in offences if one.start <= match.start] or offences
    own = [one for one in acts if sentences.number(one.start) == sentence]
    for named, done in ((here, own), (able, acts)):
        doers = [actor for actor in named if done and actor.start <= done[-1].start]
        conditional = [actor for actor in named if sentences.in_condition_at(actor.start)]
        open_ = [actor for actor in named if actor.cue.concept == "any-player"]
        for group in (doers[-1:], conditional[:1], open_[:1]):
            if group:
                return group[0].cue.concept
    before = [actor for actor in able if actor.start <= match.start] or able
    return before[0].cue.concept if before else ""


def _exactor(match: CueMatch, actors: Sequence[CueMatch], sentences: Sentences) -> str:
    """Return who exacts: the last opponent (or any player) named outside conditions in the sentence."""
    sentence = sentences.number(match.start)
    able = [
        actor.cue.concept
        for actor in actors
        if actor.start < match.end and actor.cue.concept in _SIDES
        and sentences.number(actor.start) == sentence and not sentences.in_condition_at(actor.start)
    ]  # fmt: skip
    return able[-1] if able else ""


def _amount(doc: Doc, match: CueMatch, amounts: Sequence[AmountMatch]) -> AmountMatch | None:
    """Return the first amount in the penalty or close after it."""
    end = min(match.end + _AFTER, len(doc))
    stop = next((token.i for token in doc[match.start : end] if token.tag_ == "."), end)
    return next((amount for amount in amounts if match.start <= amount.start < stop), None)
