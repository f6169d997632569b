"""Which of the cues that fire stand, and which modality speaks for the whole unit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from spacy.tokens import Doc

from hoyle.annotation.cues import NOTHING, Cue
from hoyle.annotation.scope import sentences
from hoyle.tables import vocabulary

NO_GAME: Final = "none"


class Hit(NamedTuple):
    """A cue that stands: the row and the tokens it shows (half-open range)."""

    cue: Cue
    start: int
    end: int


def lineage(game: str) -> frozenset[str]:
    """A game and all broader ones; ``none`` for no game."""
    found: list[str] = []
    while game and game not in found:
        found.append(game)
        known = vocabulary("games").get(game)
        game = known.broader if known else ""
    return frozenset(found or [NO_GAME])


def stands(doc: Doc, game: str, off: Collection[str] = ()) -> list[Hit]:
    """The cues of ``doc`` that hold in a text about ``game``; of overlapping ones the longest.

    Args:
        doc: what the pipeline gave.
        game: id of the game, empty for none.
        off: keys of cues to leave out (for measuring).
    """
    here = lineage(game)
    rivals: dict[str, list[tuple[int, bool, int, int, Hit]]] = {}
    for span, reach in zip(doc.spans["cues"], doc._.reach, strict=True):
        cue: Cue = span._.cue
        if cue.key in off or (cue.games and not cue.games & here):
            continue
        rivals.setdefault(cue.facet, []).append(
            (-reach, cue.concept != NOTHING, span.start, cue.order, Hit(cue, span.start, span.end))
        )
    found: list[Hit] = []
    for facet in rivals.values():
        taken: set[int] = set()
        for *_, hit in sorted(facet, key=lambda rival: rival[:4]):
            tokens = range(hit.start, hit.end)
            if taken.isdisjoint(tokens):
                taken.update(tokens)
                found.append(hit)
    kept = [hit for hit in found if hit.cue.concept != NOTHING]
    return sorted(kept, key=lambda hit: (hit.start, hit.end, hit.cue.facet))


def of(hits: Iterable[Hit], facet: str) -> list[Hit]:
    """The hits of one facet."""
    return [hit for hit in hits if hit.cue.facet == facet]


class Sentences:
    """Where the sentences of a doc are, and which part of a unit speaks for it."""

    def __init__(self, doc: Doc) -> None:
        self._doc = doc
        self._ranges = list(sentences(doc))
        self._aside = [(z.start, z.end) for group in ("conditions", "relatives") for z in doc.spans[group]]
        self._conditions = [(z.start, z.end) for z in doc.spans["conditions"]]

    def number(self, token: int) -> int:
        """Which sentence a token stands in."""
        return next((n for n, (start, end) in enumerate(self._ranges) if start <= token < end), -1)

    def aside(self, hit: Hit) -> bool:
        """Whether a hit stands in a condition or a relative clause."""
        return self.in_aside(hit.start)

    def in_aside(self, token: int) -> bool:
        """Whether a token stands in a condition or a relative clause."""
        return any(start <= token < end for start, end in self._aside)

    def conditional(self, hit: Hit) -> bool:
        """Whether a hit stands in a condition."""
        return any(start <= hit.start < end for start, end in self._conditions)


_SILENT: Final = frozenset({"no-penalty"})
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
_HELD: Final = frozenset({"play-void", "loss-of-game", "loss-of-stake"})


def main_modality(doc: Doc, hits: Sequence[Hit], where: Sentences) -> tuple[str, Hit | None]:
    """The modality that speaks for a unit, and the cue that shows it (if one does).

    The first modal cue outside conditions and relative clauses speaks; but what an offence brings about
    is a penalty, though it be put as what the opponents may do. A unit without any cue says how the
    game goes: procedure.
    """
    modal = [hit for hit in of(hits, "modality") if not where.aside(hit)]
    penalties = [hit for hit in of(hits, "penalty") if hit.cue.concept not in _SILENT]
    if not modal:
        laid = [hit for hit in penalties if not where.conditional(hit)]
        if laid:
            return "penalty", laid[0]
        return ("procedure" if _says_something(doc, where) else "definition"), None
    first = modal[0]
    value = first.cue.concept
    offences = [hit for hit in of(hits, "offence") if hit.start < first.start]
    near = [hit for hit in penalties if where.number(hit.start) == where.number(first.start)]
    if _laid(first, near, offences, doc, where):
        return "penalty", first if value == "obligation" else (near or penalties)[0]
    named_right = not _RIGHTS.isdisjoint(first.cue.pattern.split())
    if value in ("permission", "entitlement") and penalties and offences and not named_right:
        return "penalty", (near or penalties)[0]
    return value, first


def _laid(first: Hit, near: Sequence[Hit], offences: Sequence[Hit], doc: Doc, where: Sentences) -> bool:
    """Whether the first modal cue of a unit only puts a penalty of its sentence (``near``) into words."""
    value = first.cue.concept
    named_right = not _RIGHTS.isdisjoint(first.cue.pattern.split())
    costs = [hit for hit in near if _is_cost(hit.cue.concept)]
    if value == "definition":  # "is held to have lost": one verb says both
        held = [hit for hit in near if hit.cue.concept in _HELD]
        return any(hit.start < first.end and first.start < hit.end for hit in held)
    if value == "obligation":
        told = first.cue.pattern.startswith(":")  # a bare future: "he shall be struck off the list"
        return bool(costs) and (told or bool(offences) or any(where.in_aside(i) for i in range(first.start)))
    if value in ("permission", "entitlement"):
        given = bool(offences) or bool(doc.spans["conditions"]) or any(h.cue.against for h in near)
        return bool(near) and not named_right and given
    return False


def _says_something(doc: Doc, where: Sentences) -> bool:
    """Whether there is a verb outside relative clauses: an item of a list only names what is meant."""
    if not any(token.tag_ in ("N", "NA") for token in doc):  # word classes are known for some languages only
        return True
    return any(token.tag_ in ("V", "V3P", "INF") and not where.in_aside(token.i) for token in doc)


def _is_cost(penalty: str) -> bool:
    return penalty in _COSTS or vocabulary("penalties")[penalty].broader in _COSTS
