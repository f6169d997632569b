"""The cue matches of a unit, and its sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from spacy.tokens import Doc

from hoyle.annotation.cues import NO_CONCEPT, Cue
from hoyle.annotation.scope import sentence_ranges
from hoyle.tables import vocabulary

NO_GAME: Final = "none"


class CueMatch(NamedTuple):
    """A match of a cue: the tokens it tags (half-open range) and the number of words the pattern matched."""

    cue: Cue
    start: int
    end: int
    reach: int = 0


def with_broader_games(game: str) -> frozenset[str]:
    """Return a game and all broader ones; ``none`` for no game."""
    found: list[str] = []
    while game and game not in found:
        found.append(game)
        known = vocabulary("games").get(game)
        game = known.broader if known else ""
    return frozenset(found or [NO_GAME])


def cue_matches(doc: Doc, game: str) -> list[CueMatch]:
    """Return the matches of a unit that no longer row without a concept covers.

    Args:
        doc: the unit, processed by the pipeline.
        game: the id of its game; empty for none.

    Returns:
        The matches in the order of the text; of a concept the longest of those that overlap.
    """
    here = with_broader_games(game)
    found: dict[tuple[str, str], list[CueMatch]] = {}
    for span, reach in zip(doc.spans["cues"], doc._.reach, strict=True):
        cue: Cue = span._.cue
        if not cue.games or cue.games & here:
            found.setdefault((cue.facet, cue.concept), []).append(CueMatch(cue, span.start, span.end, reach))
    kept: list[CueMatch] = []
    for (facet, concept), matches in found.items():
        if concept == NO_CONCEPT:
            continue
        taken: set[int] = set()
        for match in sorted(matches, key=lambda one: (-one.reach, one.start, one.cue.order)):
            tokens = range(match.start, match.end)
            blocked = any(
                block.reach > match.reach and block.start <= match.start and match.end <= block.end
                for block in found.get((facet, NO_CONCEPT), ())
            )
            if not blocked and taken.isdisjoint(tokens):
                taken.update(tokens)
                kept.append(match)
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


def longest(matches: Iterable[CueMatch]) -> list[CueMatch]:
    """Return the matches without those that overlap a longer one, in the order of the text."""
    kept: list[CueMatch] = []
    for match in sorted(matches, key=lambda one: (-one.reach, one.start, one.cue.order)):
        if all(match.end <= one.start or one.end <= match.start for one in kept):
            kept.append(match)
    return sorted(kept, key=lambda match: match.start)


class Sentences:
    """The sentences of a doc, with its conditions and relative clauses."""

    def __init__(self, doc: Doc) -> None:
        self._number = [-1] * (len(doc) + 1)
        for n, (start, end) in enumerate(sentence_ranges(doc)):
            self._number[start:end] = [n] * (end - start)
        self._condition = [False] * (len(doc) + 1)
        self._subordinate = [False] * (len(doc) + 1)
        for group in ("conditions", "relatives"):
            for zone in doc.spans[group]:
                self._subordinate[zone.start : zone.end] = [True] * (zone.end - zone.start)
        for zone in doc.spans["conditions"]:
            self._condition[zone.start : zone.end] = [True] * (zone.end - zone.start)

    def number(self, token: int) -> int:
        """Return the number of the sentence of a token; -1 if it is in none."""
        return self._number[token]

    def token_in_subordinate_clause(self, token: int) -> bool:
        """Return whether a token is in a condition or a relative clause."""
        return self._subordinate[token]

    def in_condition_at(self, token: int) -> bool:
        """Return whether a token is in a condition."""
        return self._condition[token]
