"""Labels like ``52.``, ``44*``, ``^d.``, ``5 1 .``, ``3)``, ``2-е)``, ``1°``, ``1°)``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from hoyle.document import Span
from hoyle.numbering.confusions import damaged_forms, distance, likely_number
from hoyle.numbering.cues import CueWords
from hoyle.numbering.inserted import inserted
from hoyle.numbering.scheme import CAPITAL, Sighting, terminator_style, terminator_weight
from hoyle.numbering.weights import weight

NAME = "arabic"


class Arabic:
    """Arabic numbers without a cue word; the terminator is the style."""

    name = NAME

    def rank(self, style: str) -> int:  # noqa: ARG002 -- all styles alike
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return 4

    def sightings(self, text: str, cues: CueWords) -> Iterator[Sighting]:  # noqa: ARG002 -- no words
        """See :class:`~hoyle.numbering.scheme.Scheme`; short tokens of digits, damaged or not."""
        for match in _pattern().finditer(text):
            number = match["number"]
            yield Sighting(
                label=Span(*match.span()),
                scheme=NAME,
                style=terminator_style(match["end"]),
                surface=number,
                value=clean_number(number),
                weight=terminator_weight(match["end"])
                + (0.0 if any(sign.isdigit() for sign in number) else weight("no_digit_weight")),
                suffix=inserted(match["bis"]),
                guess=likely_number(number),
            )

    def cost(self, surface: str, value: int) -> float:
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return distance(surface, str(value))

    def write(self, value: int, style: str) -> str:  # noqa: ARG002 -- all styles are written alike
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return str(value)


def clean_number(surface: str) -> int | None:
    """The number if ``surface`` is digits only (white space apart), else ``None``."""
    digits = "".join(surface.split())
    return int(digits) if digits.isascii() and digits.isdigit() else None


@cache
def numeral_pattern() -> str:
    """A regular expression for an arabic number of up to three digits, whole or damaged.

    A space may stand between two signs if the number is otherwise all digits (``1 1``) or the
    same damage repeats (``I I``): two words are no number.
    """
    sign = f"[{re.escape(damaged_forms('0123456789'))}]"
    blank = "[ \u00a0]"
    mixed = rf"(?:\d{blank}{sign}|{sign}{blank}\d)(?![\w'’])"
    apart = rf"\d(?:{blank}\d){{1,2}}|\d{{1,2}}{blank}\d|[IІl1]{blank}[IІl1]|{mixed}"
    return rf"(?:{apart}|{sign}{{1,3}})"


@cache
def _pattern() -> re.Pattern[str]:
    # 2-е) and 2-е., whose hyphen may be lost; without a stop only before a capital.
    ending = r"(?:[еeяй]|ое|го|ый)"
    ordinal = rf"-?{ending}\)|-{ending}(?:[.,:]|(?=[ \u00a0]{CAPITAL}))"
    degree = r"[ \u00a0]?°[ \u00a0]?\)?|º"
    stop = r"[ \u00a0]{0,2}(?:[.)*»^\"'\\-]|[:;,](?!\d))\.?|[\]}Jj/](?=\s)|[ \u00a0][—–](?=[ \u00a0])"
    lost = rf"(?<!\d[Jj])(?=[ \u00a0]?{CAPITAL})"  # 2J Шесть: the bracket is read as a letter
    return re.compile(
        rf"(?<![\w.,§$-])(?!§[ \u00a0]\d)(?P<number>{numeral_pattern()})"
        rf"(?P<bis>[ \u00a0]?(?i:bis|ter|quater|quinquies)(?=[ \u00a0]?[.)]))?"
        rf"(?P<end>{ordinal}|{degree}|{stop}|{lost})(?!\w\.)"
    )
