"""``1.2``, ``27.1.1.``: labels that show their whole path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from hoyle.document import Span
from hoyle.numbering.confusions import damaged_forms, distance, likely_number
from hoyle.numbering.cues import CueWords
from hoyle.numbering.scheme import Sighting

NAME = "decimal"
_MOST_DAMAGE = 0.5
"""Damage to one component beyond which a path is not believed (costs of ``confusions.tsv``)."""


class Decimal:
    """Decimal paths of two to five components."""

    name = NAME

    def rank(self, style: str) -> int:  # noqa: ARG002 -- all styles alike
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return 4

    def sightings(self, text: str, cues: CueWords) -> Iterator[Sighting]:  # noqa: ARG002 -- no words
        """Numbers joined by stops."""
        for match in _pattern().finditer(text):
            parts = [likely_number(part) for part in match["number"].split(".")]
            if None in parts or any(cost > _MOST_DAMAGE for _, cost in filter(None, parts)):
                continue
            path = tuple(value for value, _ in filter(None, parts))
            damage = sum(cost for _, cost in filter(None, parts))
            yield Sighting(
                label=Span(*match.span()),
                scheme=NAME,
                style="",
                surface=match["number"],
                value=path[-1] if not damage else None,
                weight=0.6 + (0.4 if match["end"] else 0.0) - damage,
                path=path,
            )

    def cost(self, surface: str, value: int) -> float:
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return distance(surface.rsplit(".", 1)[-1], str(value))

    def write(self, value: int, style: str) -> str:  # noqa: ARG002 -- one style only
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return str(value)


@cache
def _pattern() -> re.Pattern[str]:
    # Damaged components only at the start of a line, and never all of them.
    sign = f"[{re.escape(damaged_forms('0123456789'))}]{{1,2}}"
    clean = r"\d{1,3}(?:\.[ \u00a0]?\d{1,2}){1,4}"
    damaged = rf"(?m:^)(?=[^\s]*\d){sign}(?:\.{sign}){{1,4}}"
    return re.compile(rf"(?<![\w.,§$-])(?P<number>{clean}|{damaged})(?P<end>[.)]?)(?=\s|[^\W\d])")
