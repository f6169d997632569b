"""Labels like ``Первое.``, ``Четвертое-``, ``Во-первыхъ,``, ``Premièrement,``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from hoyle.document import Span
from hoyle.numbering.cues import ordinal_alternatives, ordinals
from hoyle.numbering.scheme import Sighting

NAME = "ordinal"
_STOP_WEIGHT = {".": 1.2, ":": 0.8, ")": 0.8, "-": 0.6, "—": 0.6, ",": 0.2}


class Ordinal:
    """Ordinal words that name the points of an argument."""

    name = NAME

    def rank(self, style: str) -> int:  # noqa: ARG002 -- all styles alike
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return 4

    def sightings(self, text: str) -> Iterator[Sighting]:
        """Ordinal words of the tables with a stop after them."""
        words = ordinals("alone")
        for match in _pattern().finditer(text):
            yield Sighting(
                label=Span(*match.span()),
                scheme=NAME,
                style="",
                surface=match["word"],
                value=words[match["word"]],
                weight=0.4 + _STOP_WEIGHT.get(match["end"].strip(), 0.0),
            )

    def cost(self, surface: str, value: int) -> float:
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return 0.0 if ordinals("alone")[surface] == value else 3.0

    def write(self, value: int, style: str) -> str:  # noqa: ARG002 -- one style only
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return str(value)


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w-])(?P<word>{ordinal_alternatives('alone')})(?P<end>[ \u00a0]?[.,:)\-—])(?!\w)"
    )
