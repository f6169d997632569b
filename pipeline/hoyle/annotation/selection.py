"""Selects the active cue matches of a unit, and the modality of the whole unit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from spacy.tokens import Doc

from hoyle.annotation.cues import NO_CONCEPT, Cue
from hoyle.annotation.scope import sentence_ranges
from hoyle.tables import vocabulary

NO_GAME: Final = "none"


class CueMatch(NamedTuple):
    """An active match of a cue: the cue and the tokens it tags (half-open range)."""

    cue: Cue
    start: int
    end: int


def with_broader_games(game: str) -> frozenset[str]:
    """Return a game and all broader ones; ``none`` for no game."""
    found: list[str] = []
    while game and game not in found:
        found.append(game)
        known = vocabulary("games").get(game)
        game = known.broader if known else ""
    return frozenset(found or [NO_GAME])


def active_matches(doc: Doc, game: str, disabled: Collection[str] = ()) -> list[CueMatch]:
    """Return the active matches of a unit; of overlapping matches of a facet the longest.

    Args:
        doc: the unit, processed by the pipeline.
        game: the id of its game; empty for none.
        disabled: keys of cues to ignore (for evaluation).

    Returns:
        The matches in the order of the text.
    """
    here = with_broader_games(game)
    rivals: dict[str, list[tuple[int, bool, int, int, CueMatch]]] = {}
    for span, reach in zip(doc.spans["cues"], doc._.reach, strict=True):
        cue: Cue = span._.cue
        if cue.key in disabled or (cue.games and not cue.games & here):
            continue
        rivals.setdefault(cue.facet, []).append(
            (-reach, cue.concept != NO_CONCEPT, span.start, cue.order, CueMatch(cue, span.start, span.end))
        )
    found: list[CueMatch] = []
    for facet in rivals.values():
        taken: set[int] = set()
        for *_, match in sorted(facet, key=lambda rival: rival[:4]):
            tokens = range(match.start, match.end)
            if taken.isdisjoint(tokens):
                taken.update(tokens)
                found.append(match)
    kept = [match for match in found if match.cue.concept != NO_CONCEPT]
    return sorted(kept, key=lambda match: (match.start, match.end, match.cue.facet))


def of_facet(matches: Iterable[CueMatch], facet: str) -> list[CueMatch]:
    """Return the matches of one facet.

    Args:
        matches: cue matches.
        facet: the id of the facet.

    Returns:
        Those of the facet, in their order.
    """
    return [match for match in matches if match.cue.facet == facet]


class Sentences:
    """The sentences of a doc, with its conditions and relative clauses."""

    def __init__(self, doc: Doc) -> None:
        self._doc = doc
        self._ranges = list(sentence_ranges(doc))
        self._subordinate = [
            (z.start, z.end) for group in ("conditions", "relatives") for z in doc.spans[group]
        ]
        self._conditions = [(z.start, z.end) for z in doc.spans["conditions"]]

    def number(self, token: int) -> int:
        """Return the number of the sentence of a token; -1 if it is in none."""
        return next((n for n, (start, end) in enumerate(self._ranges) if start <= token < end), -1)

    def in_subordinate_clause(self, match: CueMatch) -> bool:
        """Return whether a match is in a condition or a relative clause."""
        return self.token_in_subordinate_clause(match.start)

    def token_in_subordinate_clause(self, token: int) -> bool:
        """Return whether a token is in a condition or a relative clause."""
        return any(start <= token < end for start, end in self._subordinate)

    def in_condition(self, match: CueMatch) -> bool:
        """Return whether a match is in a condition."""
        return any(start <= match.start < end for start, end in self._conditions)


_NO_PENALTY: Final = frozenset({"no-penalty"})
_RIGHTS: Final = frozenset({"право", "droit"})
_COSTS: Final = frozenset(
    {
        "payment",
        "remise",
        "loss-of-stake",
        "point-penalty",
        "trick-transfer",
        "loss-of-deal",
        "loss-of-game",
        "loss-of-turn",
        "exclusion",
    }
)
_DEEMED: Final = frozenset({"play-void", "loss-of-game", "loss-of-stake"})


def main_modality(doc: Doc, matches: Sequence[CueMatch], sentences: Sentences) -> tuple[str, CueMatch | None]:
    """Return the main modality of a unit.

    It is that of the first modal cue outside conditions and relative clauses; but the consequence of an
    offence is a penalty, even if it is worded as what the opponents may do. A unit without modal cues is
    a procedure (or a definition, if it has no verb).

    Args:
        doc: the unit, processed by the pipeline.
        matches: its active cue matches.
        sentences: its sentences.

    Returns:
        The id of the modality, and the match that shows it (``None`` if no cue does).
    """
    modal = [match for match in of_facet(matches, "modality") if not sentences.in_subordinate_clause(match)]
    penalties = [match for match in of_facet(matches, "penalty") if match.cue.concept not in _NO_PENALTY]
    if not modal:
        unconditional = [match for match in penalties if not sentences.in_condition(match)]
        if unconditional:
            return "penalty", unconditional[0]
        return ("procedure" if _has_verb(doc, sentences) else "definition"), None
    first = modal[0]
    value = first.cue.concept
    offences = [match for match in of_facet(matches, "offence") if match.start < first.start]
    near = [match for match in penalties if sentences.number(match.start) == sentences.number(first.start)]
    if _expresses_penalty(first, near, offences, doc, sentences):
        return "penalty", first if value == "obligation" else (near or penalties)[0]
    named_right = not _RIGHTS.isdisjoint(first.cue.pattern.split())
    if value in ("permission", "entitlement") and penalties and offences and not named_right:
        return "penalty", (near or penalties)[0]
    return value, first


def _expresses_penalty(
    first: CueMatch, near: Sequence[CueMatch], offences: Sequence[CueMatch], doc: Doc, sentences: Sentences
) -> bool:
    """Return whether the first modal cue of a unit only expresses a penalty of its sentence (``near``)."""
    value = first.cue.concept
    named_right = not _RIGHTS.isdisjoint(first.cue.pattern.split())
    costs = [match for match in near if _is_cost(match.cue.concept)]
    if value == "definition":  # "is held to have lost": one verb says both
        held = [match for match in near if match.cue.concept in _DEEMED]
        return any(match.start < first.end and first.start < match.end for match in held)
    if value == "obligation":
        told = first.cue.pattern.startswith(":")  # a bare future: "he shall be struck off the list"
        return bool(costs) and (
            told
            or bool(offences)
            or any(sentences.token_in_subordinate_clause(i) for i in range(first.start))
        )
    if value in ("permission", "entitlement"):
        given = bool(offences) or bool(doc.spans["conditions"]) or any(h.cue.against for h in near)
        return bool(near) and not named_right and given
    return False


def _has_verb(doc: Doc, sentences: Sentences) -> bool:
    """Return whether there is a verb outside subordinate clauses; an item of a list often has none."""
    if not any(token.tag_ in ("N", "NA") for token in doc):  # some languages have no word classes
        return True
    return any(
        token.tag_ in ("V", "V3P", "INF") and not sentences.token_in_subordinate_clause(token.i)
        for token in doc
    )


def _is_cost(penalty: str) -> bool:
    return penalty in _COSTS or vocabulary("penalties")[penalty].broader in _COSTS
