"""``1.2``, ``27.1.1.``, ``B.8.1.2``, ``4:1``, ``9.1(1).``: labels that show their whole path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from hoyle.document import Span
from hoyle.numbering.confusions import damaged_forms, distance, likely_number
from hoyle.numbering.cues import CueWords
from hoyle.numbering.letter import CYRILLIC, LATIN
from hoyle.numbering.scheme import Sighting

NAME = "decimal"
_MOST_DAMAGE = 0.5
"""Damage to one component beyond which a path is not believed (costs of ``confusions.tsv``)."""
_COLON = -0.6
"""What a colon between two numbers weighs: it sooner stands in a time or a score."""


class Decimal:
    """Paths of two to five components: numbers, the first of them perhaps a capital letter."""

    name = NAME

    def rank(self, style: str) -> int:  # noqa: ARG002 -- all styles alike
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return 4

    def sightings(self, text: str, cues: CueWords) -> Iterator[Sighting]:  # noqa: ARG002 -- no words
        """See :class:`hoyle.numbering.scheme.Scheme`; numbers joined by stops, two by a colon or hyphen."""
        for match in _pattern().finditer(text):
            written = re.split(r"[.:-][ \u00a0]?", match["number"])
            readings = [likely_number(part) for part in written]
            lettered = _letter(written[0])
            for first in filter(None, (readings[0], lettered)):
                if None in readings[1:] or any(cost > _MOST_DAMAGE for _, cost in filter(None, readings[1:])):
                    continue
                parts = [first, *filter(None, readings[1:])]
                path, damage = tuple(value for value, _ in parts), sum(cost for _, cost in parts)
                if first[1] > _MOST_DAMAGE:
                    continue
                yield Sighting(
                    label=Span(*match.span()),
                    scheme=NAME,
                    style="",
                    surface=match["number"],
                    value=path[-1] if not damage else None,
                    weight=0.6
                    + (0.4 if match["end"] else 0.0)
                    + (_COLON if {":", "-"} & set(match["number"]) else 0.0)
                    - damage,
                    suffix=match["inserted"] or "",
                    path=path,
                    parts=(written[0] if first is lettered else str(path[0]), *map(str, path[1:])),
                )

    def cost(self, surface: str, value: int) -> float:
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return distance(re.split(r"[.:-]", surface)[-1], str(value))

    def write(self, value: int, style: str) -> str:  # noqa: ARG002 -- one style only
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return str(value)


def _letter(part: str) -> tuple[int, float] | None:
    """The place of a capital in its alphabet."""
    place = max(LATIN.find(part.lower()), CYRILLIC.find(part.lower())) + 1 if part.isupper() else 0
    return (place, 0.0) if place else None


@cache
def _pattern() -> re.Pattern[str]:
    # Letters, colons and damaged components only at the start of a line; never all are damaged.
    sign = f"[{re.escape(damaged_forms('0123456789'))}]{{1,2}}"
    clean = r"\d{1,3}(?:\.[ \u00a0]?\d{1,2}){1,4}"
    lettered = r"[A-ZА-Я](?:\.\d{1,2}){1,5}"
    colon = r"\d{1,2}[:-][1-9]\d?"
    start = r"(?:(?m:^)|(?<=\n[ \t])|(?<=\n[ \t]{2}))"
    damaged = rf"(?=[^\s]*\d){sign}(?:\.{sign}){{1,4}}"
    return re.compile(
        rf"(?<![\w.,:§$-])(?P<number>{clean}|{start}(?:{lettered}|{colon}|{damaged}))"
        rf"(?P<inserted>\(\d{{1,2}}\))?(?P<end>[.)]?)(?=\s|[^\W\d])"
    )
