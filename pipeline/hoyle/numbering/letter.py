"""``A.``, ``б)``, ``а.,``, ``6)`` for ``б)``; Latin or Cyrillic, as the series shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from hoyle.document import Span
from hoyle.numbering.confusions import SUBSTITUTION, confusions, distance
from hoyle.numbering.cues import CueWords
from hoyle.numbering.scheme import Sighting, terminator_style

LATIN = "abcdefghijklmnopqrstuvwxyz"
CYRILLIC = "абвгдежзийклмнопрстуфхцчшщэюя"
"""Without ё, which does not number."""

_DAMAGED_ENDS = ("", "*", "»", "^", ",", "-", "'")
_WEIGHTS = {"": -0.6, ".": 0.6, ")": 1.0, ".,": 0.8, ".)": 0.8}


class Letter:
    """Letters in the order of one alphabet.

    A sign that both alphabets have in the same shape is sighted by both schemes; only the rest
    of the series tells which is meant.

    Args:
        name: key of the scheme.
        alphabet: small letters in the order in which they number.
    """

    def __init__(self, name: str, alphabet: str) -> None:
        self.name = name
        self._alphabet = alphabet
        self._values = {letter: at for at, letter in enumerate(alphabet, 1)}

    def rank(self, style: str) -> int:
        """See :class:`hoyle.numbering.scheme.Scheme`; capitals stand above numbers, small letters below."""
        return 3 if style.startswith("A") else 5

    def sightings(self, text: str, cues: CueWords) -> Iterator[Sighting]:  # noqa: ARG002 -- no words
        """See :class:`~hoyle.numbering.scheme.Scheme`; single letters with a terminator."""
        for match in _pattern().finditer(text):
            sign, end = match["letter"], match["end"]
            if match.start() and text[match.start() - 1] == "(":
                end = ")"  # (а. for (а)
            small = not sign.isupper()
            if end.strip() in _DAMAGED_ENDS and small:
                continue
            if small and end.strip() == "." and not _at_line_start(text, match.start()):
                continue
            printed = self._printed(sign)
            if printed is None:
                continue
            letter, cost = printed
            yield Sighting(
                label=Span(*match.span()),
                scheme=self.name,
                style=("a" if small else "A") + terminator_style(end),
                surface=sign,
                value=self._values[letter] if cost < 1 else None,
                weight=_WEIGHTS.get(end.strip(), 0.0) - cost,
            )

    def cost(self, surface: str, value: int) -> float:
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        if not 1 <= value <= len(self._alphabet):
            return float("inf")
        letter = self._alphabet[value - 1]
        cost = min(distance(surface, letter), distance(surface, letter.upper()))
        # One sign is all there is: unless the table knows the confusion, nothing speaks for it.
        return cost if cost < SUBSTITUTION else float("inf")

    def write(self, value: int, style: str) -> str:
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        letter = self._alphabet[value - 1]
        return letter.upper() if style.startswith("A") else letter

    def _printed(self, sign: str) -> tuple[str, float] | None:
        """The letter of this alphabet that ``sign`` is, or most likely was, and at what cost."""
        if sign.lower() in self._values:
            return sign.lower(), 0.0
        near = [
            (cost, t.lower()) for t, cost in confusions().get(sign, {}).items() if t.lower() in self._values
        ]
        return (min(near)[1], min(near)[0]) if near else None


def _at_line_start(text: str, at: int) -> bool:
    before = text[max(0, at - 3) : at].rstrip(" \t\u00a0«<\"'")
    return not before or before.endswith("\n")


@cache
def _pattern() -> re.Pattern[str]:
    # Digits stand for letters only before a bracket: 6) for б).
    letter = r"[^\W\d_]|[638](?=[ \u00a0]?\))"
    stop = r"[ \u00a0]?\)|\.,|\.\)|(?<=\(\w)[.,;}\]]|[ \u00a0]?\.(?!,)"
    # Without a sound stop a letter is a label only if it is glued to a capital of the other
    # alphabet (CПосле) or to a capital behind a damaged stop (B-Игра).
    damaged = r"(?<=[A-Z])(?=[А-ЯЁ][а-яё])|[*»^,'-](?=[А-ЯЁ][а-яё])"
    return re.compile(rf"(?<![\w.§-])(?P<letter>{letter})(?P<end>{stop}|{damaged})(?!\w\.|(?<=\.)\d)")
