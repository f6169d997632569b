"""Labels like ``§ 9.``, ``§ II.``, ``§ 1 1 .``, ``§ 10-``, ``$ 12.``, ``§ 5 bis``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from hoyle.document import Span
from hoyle.numbering.arabic import clean_number, numeral_pattern
from hoyle.numbering.confusions import damaged_forms, distance, likely_number
from hoyle.numbering.cued import OTHER_NUMBER, STROKES, read_number
from hoyle.numbering.cues import CueWords
from hoyle.numbering.endings import ENDING
from hoyle.numbering.inserted import INSERTED, UNTIL, inserted, range_end
from hoyle.numbering.scheme import CAPITAL, Sighting, terminator_weight, to_roman
from hoyle.numbering.weights import weight

NAME = "section"
_DAMAGED_SIGNS = frozenset("5S@&")
_SIGN_WEIGHTS = {"$": 1.2, **dict.fromkeys(_DAMAGED_SIGNS, 0.6)}
_LEAST_SIGNS = 2
"""Section signs that a text must show before another sign may be a damaged one."""


class SectionSign:
    """A section sign before an arabic number; ``$`` is what recognition often makes of it."""

    name = NAME

    def rank(self, style: str) -> int:  # noqa: ARG002 -- all styles alike
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return 2

    def sightings(self, text: str, cues: CueWords) -> Iterator[Sighting]:  # noqa: ARG002 -- no words
        """See :class:`~hoyle.numbering.scheme.Scheme`; ``§§`` labels only a range."""
        known = text.count("§") >= _LEAST_SIGNS
        for match in _pattern().finditer(text):
            if match["sign"] in _DAMAGED_SIGNS and not known:
                continue
            end = match["end"] or ""
            sign = _SIGN_WEIGHTS.get(match["sign"], weight("section_sign"))
            number = match["number"]
            value, numeral = read_number(number, match["ending"] or "")
            arabic = Sighting(
                label=Span(*match.span()),
                scheme=NAME,
                style="",
                surface=number,
                value=clean_number(number),
                weight=sign + terminator_weight(end),
                suffix=inserted(match["bis"]),
                until=range_end(clean_number(number), match["until"]),
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
    several = r"§§?(?=[^\n]{0,12}?\d[ \u00a0]?[-—–])"
    # Only at the start of a line may another sign stand for the section sign: 5 7., S 8., @ 9.
    damaged = r"(?:(?m:^)|(?<=\n))[5S@&](?=[ \u00a0]\w)"
    number = rf"{numeral_pattern()}(?=(?:{ENDING})?(?!\w)|{glued})|{roman}"
    return re.compile(
        rf"(?<![\w§$]){OTHER_NUMBER}(?P<sign>{several}|[§$]|{damaged})\.?[ \t\u00a0]?"
        rf"(?P<number>{number})(?P<ending>{ENDING}(?!\w))?"
        rf"(?:(?P<bis>{INSERTED})|{UNTIL})?(?P<end>[ \t\u00a0]?[.)*»^,:\-—]|)"
    )
