"""Labels like ``IV.``, ``ІѴ.``, ``VI)``, ``1I.``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from hoyle.document import Span
from hoyle.numbering.confusions import damaged_forms, distance
from hoyle.numbering.cues import CueWords
from hoyle.numbering.scheme import (
    CAPITAL,
    LATIN_LOOKALIKES,
    SMALL,
    Sighting,
    from_roman,
    terminator_style,
    terminator_weight,
    to_roman,
)

NAME = "roman"


class Roman:
    """Roman numerals without a cue word."""

    name = NAME

    def rank(self, style: str) -> int:  # noqa: ARG002 -- all styles alike
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return 2

    def sightings(self, text: str, cues: CueWords) -> Iterator[Sighting]:  # noqa: ARG002 -- no words
        """See :class:`~hoyle.numbering.scheme.Scheme`; Roman numerals with a stop or bracket."""
        for match in _pattern().finditer(text):
            number = match["number"]
            value = from_roman(unicodedata.normalize("NFKC", number).upper().translate(LATIN_LOOKALIKES))
            yield Sighting(
                label=Span(*match.span()),
                scheme=NAME,
                style=terminator_style(match["end"]),
                surface=number,
                value=value,
                weight=terminator_weight(match["end"]) - (0.0 if value else 0.8),
            )

    def cost(self, surface: str, value: int) -> float:
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return distance(surface, to_roman(value))

    def write(self, value: int, style: str) -> str:  # noqa: ARG002 -- all styles are written alike
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return to_roman(value)


@cache
def _pattern() -> re.Pattern[str]:
    signs = re.escape("".join(sign for sign in damaged_forms("IVXLC")))
    return re.compile(
        rf"(?<![\w.§-])(?P<number>[{signs}]{{1,8}}|[\u2160-\u216b\u2170-\u217b]{{1,3}})"
        # A lost stop leaves the numeral glued to the first word: IIКарты.
        rf"(?P<end>[ \u00a0]?[.)*»^,'-]|(?=[ \u00a0]?{CAPITAL}{SMALL}))(?!\w\.)"
    )
