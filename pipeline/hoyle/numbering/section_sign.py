"""Labels like ``§ 9.``, ``§ II.``, ``§ 1 1 .``, ``§ 10-``, ``$ 12.``, ``§ 5 bis``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from hoyle.document import Span
from hoyle.numbering.arabic import BIS, clean_number, numeral_pattern
from hoyle.numbering.confusions import damaged_forms, distance, likely_number
from hoyle.numbering.cued import STROKES, read_number
from hoyle.numbering.cues import CueWords
from hoyle.numbering.endings import ENDING
from hoyle.numbering.scheme import CAPITAL, Sighting, terminator_weight, to_roman

NAME = "section"
_SIGN_WEIGHT = 2.6
_DOUBTFUL_SIGN_WEIGHT = 1.2


class SectionSign:
    """A section sign before an arabic number; ``$`` is what recognition often makes of it."""

    name = NAME

    def rank(self, style: str) -> int:  # noqa: ARG002 -- all styles alike
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return 2

    def sightings(self, text: str, cues: CueWords) -> Iterator[Sighting]:  # noqa: ARG002 -- no words
        """Section signs with a number; ``§§`` only ever stands in references."""
        for match in _pattern().finditer(text):
            end = match["end"] or ""
            weight = _SIGN_WEIGHT if match["sign"] == "§" else _DOUBTFUL_SIGN_WEIGHT
            number = match["number"]
            value, numeral = read_number(number, match["ending"] or "")
            arabic = Sighting(
                label=Span(*match.span()),
                scheme=NAME,
                style="",
                surface=number,
                value=clean_number(number),
                weight=weight + terminator_weight(end),
                suffix=match["bis"] or "",
                guess=likely_number(number),
            )
            roman = replace(arabic, style="roman", value=value, guess=None)
            if numeral == "roman" or (not numeral and number != "1"):
                yield roman
            if numeral != "roman" or set(number) <= STROKES:
                yield arabic
            if not numeral and number == "1":
                yield roman  # § 1er also stands before § II, but sooner before § 2.

    def cost(self, surface: str, value: int) -> float:
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        arabic = distance(surface, str(value))
        if not 0 < value < 400 or any(sign.isdigit() for sign in surface):
            return arabic
        return min(arabic, distance(surface, to_roman(value)))

    def write(self, value: int, style: str) -> str:
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return to_roman(value) if style == "roman" and value < 400 else str(value)


@cache
def _pattern() -> re.Pattern[str]:
    roman = f"[{re.escape(damaged_forms('IVXLC'))}]{{1,6}}(?=(?:{ENDING})?(?!\\w))"
    glued = rf"(?!(?<=[IІl])[VXLC]){CAPITAL}"  # § IV is not § I and a text that begins with V
    number = rf"{numeral_pattern()}(?=(?:{ENDING})?(?!\w)|{glued})|{roman}"
    return re.compile(
        rf"(?<![\w§$])(?P<sign>[§$])[ \t\u00a0]?(?P<number>{number})(?P<ending>{ENDING}(?!\w))?"
        rf"(?P<bis>[ \t\u00a0](?:{BIS})\b)?(?P<end>[ \t\u00a0]?[.)*»^,:\-—]|)"
    )
