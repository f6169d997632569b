"""Labels like ``§ 9.``, ``§ 1 1 .``, ``§ 10-``, ``$ 12.``, ``§ 5 bis``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from hoyle.model import Span
from hoyle.numbering.arabic import BIS, clean_number, numeral_pattern
from hoyle.numbering.confusions import distance, likely_number
from hoyle.numbering.scheme import CAPITAL, Sighting, terminator_weight

NAME = "section"
_SIGN_WEIGHT = 2.6
_DOUBTFUL_SIGN_WEIGHT = 1.2


class SectionSign:
    """A section sign before an arabic number; ``$`` is what recognition often makes of it."""

    name = NAME

    def rank(self, style: str) -> int:  # noqa: ARG002 -- all styles alike
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return 2

    def sightings(self, text: str) -> Iterator[Sighting]:
        """Section signs with a number; ``§§`` only ever stands in references."""
        for match in _pattern().finditer(text):
            end = match["end"] or ""
            weight = _SIGN_WEIGHT if match["sign"] == "§" else _DOUBTFUL_SIGN_WEIGHT
            yield Sighting(
                label=Span(*match.span()),
                scheme=NAME,
                style="",
                surface=match["number"],
                value=clean_number(match["number"]),
                weight=weight + terminator_weight(end),
                suffix=match["bis"] or "",
                guess=likely_number(match["number"]),
            )

    def cost(self, surface: str, value: int) -> float:
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return distance(surface, str(value))

    def write(self, value: int, style: str) -> str:  # noqa: ARG002 -- one style only
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return str(value)


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w§$])(?P<sign>[§$])[ \t\u00a0]?(?P<number>{numeral_pattern()})(?:(?!\w)|(?={CAPITAL}))"
        rf"(?P<bis>[ \t\u00a0](?:{BIS})\b)?(?P<end>[ \t\u00a0]?[.)*»^,:\-—]|)"
    )
