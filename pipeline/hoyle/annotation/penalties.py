"""Penalties: of what kind, against whom, exacted by whom, how much."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from spacy.tokens import Doc

from hoyle.annotation.selection import Hit, Sentences, of

_SAME: Final = "same-penalty"
_REASONS: Final = frozenset({"deemed-fault"})
"""Kinds that only give the reason where the sentence names the penalty itself."""
_SIDES: Final = frozenset(
    {"opponent", "left-hand-opponent", "right-hand-opponent", "any-player", "director", "organiser"}
)
_ELSEWHERE: Final = re.compile(r"§|\b\d+\b|\bстат|\bправил|\bп\.|\bart|\bn°")


class Penalty(NamedTuple):
    """One penalty; ``against`` and ``by`` are ids of actors, ``amount`` the words that say how much."""

    hit: Hit
    value: str
    against: str
    by: str
    amount: str


class Memory:
    """What penalties the text has named so far: "the same penalty" takes one up."""

    def __init__(self) -> None:
        self._last = ""
        self._of: dict[str, str] = {}

    def note(self, found: Sequence[Penalty], hits: Sequence[Hit]) -> None:
        """Remember the penalties of a unit, and for which offences they are."""
        kinds = [penalty.value for penalty in found if penalty.value not in ("no-penalty", _SAME)]
        if kinds:
            self._last = kinds[-1]
            self._of.update((hit.cue.concept, kinds[0]) for hit in of(hits, "offence"))

    def of(self, offences: Sequence[str]) -> str:
        """The penalty of the first of these offences that has had one, else the last penalty."""
        return next((self._of[offence] for offence in offences if offence in self._of), self._last)


def penalties(doc: Doc, hits: Sequence[Hit], where: Sentences, memory: Memory) -> list[Penalty]:
    """The penalties of a unit.

    Args:
        doc: the unit.
        hits: the cues that stand.
        where: its sentences.
        memory: of the units before; "the same penalty as he who …" takes up the one of that offence,
            "the same penalty" the last one, unless a place is named (§ 16).
    """
    found: list[Penalty] = []
    hits_here = of(hits, "penalty")
    for hit in hits_here:
        value = hit.cue.concept
        sentence = where.number(hit.start)
        if value in _REASONS and any(o != hit and where.number(o.start) == sentence for o in hits_here):
            continue
        if value == _SAME and not _names_place(doc, hit, where):
            offences = [o.cue.concept for o in of(hits, "offence") if o.start >= hit.end]
            here = next((p.value for p in reversed(found) if p.value != "no-penalty"), "")
            value = here or memory.of(offences) or value
        against = hit.cue.against or _sufferer(hit, hits, where)
        by = _exactor(hit, hits, where) or hit.cue.by
        amount = "" if hit.cue.concept == _SAME else _amount(doc, hit)
        found.append(Penalty(hit, value, against, by if by != against else "", amount))
    return found


def _names_place(doc: Doc, hit: Hit, where: Sentences) -> bool:
    sentence = where.number(hit.start)
    rest = (token.text for token in doc[hit.end :] if where.number(token.i) == sentence)
    return bool(_ELSEWHERE.search(" ".join(rest)))


def _sufferer(hit: Hit, hits: Sequence[Hit], where: Sentences) -> str:
    """Who did it: the first actor of the condition before; else the actor before; else a player."""
    before = [actor for actor in of(hits, "actor") if actor.start <= hit.start]
    conditional = [actor for actor in before if where.conditional(actor)]
    chosen = conditional[0] if conditional else before[0] if before else None
    if chosen is None:
        return ""
    return "player" if chosen.cue.concept == "offender" else chosen.cue.concept


def _exactor(hit: Hit, hits: Sequence[Hit], where: Sentences) -> str:
    """The opponent (or any player) who is said to have the power, in the same sentence."""
    sentence = where.number(hit.start)
    able = [
        actor.cue.concept
        for actor in of(hits, "actor")
        if actor.start < hit.end and actor.cue.concept in _SIDES
        and where.number(actor.start) == sentence and not where.conditional(actor)
    ]  # fmt: skip
    return able[-1] if able else ""


def _amount(doc: Doc, hit: Hit) -> str:
    """The number (in figures or words) said in the penalty, with the word it counts."""
    for token in doc[hit.start : min(hit.end + 3, len(doc))]:
        if token.tag_ == ".":
            break
        if token.lemma_ == "0" or token.lemma_ in _NUMERALS:
            words = [t.text for t in doc[token.i : token.i + 2] if t.tag_ not in (".", ",")]
            return " ".join(words)
    return ""


_NUMERALS: Final = frozenset(
    [
        "два",
        "три",
        "четыре",
        "пять",
        "шесть",
        "семь",
        "восемь",
        "девять",
        "десять",
        "двойной",
        "вдвое",
        "половина",
        "deux",
        "trois",
        "quatre",
        "cinq",
        "six",
        "sept",
        "huit",
        "neuf",
        "dix",
        "double",
        "moitié",
    ]
)
