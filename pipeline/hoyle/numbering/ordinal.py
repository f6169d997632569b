"""Labels like ``Первое.``, ``Четвертое-``, ``Во-первыхъ,``, ``Premièrement,``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hoyle.document import Span
from hoyle.numbering.cues import CueWords
from hoyle.numbering.scheme import OTHER_WORD, Sighting

NAME = "ordinal"
_STOP_WEIGHT = {".": 1.2, ":": 0.8, ")": 0.8, "-": 0.6, "—": 0.6, ",": 0.2}


class Ordinal:
    """Ordinal words that name the points of an argument."""

    name = NAME

    def rank(self, style: str) -> int:  # noqa: ARG002 -- all styles alike
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return 4

    def sightings(self, text: str, cues: CueWords) -> Iterator[Sighting]:
        """See :class:`~hoyle.numbering.scheme.Scheme`; ordinal words of the tables with a stop after them."""
        words = cues.ordinals("alone")
        for match in cues.compiled(_pattern).finditer(text):
            yield Sighting(
                label=Span(*match.span()),
                scheme=NAME,
                style="",
                surface=match["word"],
                value=words[match["word"]],
                weight=0.4 + _STOP_WEIGHT.get(match["end"].strip(), 0.0),
            )

    def cost(self, surface: str, value: int) -> float:  # noqa: ARG002 -- no word is misread for another
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return OTHER_WORD

    def write(self, value: int, style: str) -> str:  # noqa: ARG002 -- one style only
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return str(value)


def _pattern(cues: CueWords) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w-])(?P<word>{cues.ordinal_alternatives('alone')})(?P<end>[ \u00a0]?[.,:)\-—])(?!\w)"
    )
