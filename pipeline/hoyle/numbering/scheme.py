"""What a numbering scheme is: how its labels look, what they may have been, how they are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Protocol, runtime_checkable

from hoyle.document import Span
from hoyle.numbering.cues import CueWords

OTHER_WORD = 3.0
"""Cost of taking an ordinal word for another number: words are not misread for one another."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A place where a label of one scheme may stand.

    Attributes:
        label: the label with cue word and terminator (characters of the text searched).
        scheme: name of the scheme.
        style: what keeps parallel numberings apart (``.`` against ``)``); empty fits all.
        surface: the numeral as the text has it, without cue and terminator.
        value: the number it shows if it is read as it stands, else ``None``.
        guess: the number it most likely shows by itself, and what that costs; for a level to
            begin with a damaged label.
        weight: what the form of the label alone says for it (natural logarithm of odds).
        suffix: what follows the number as part of it (``bis``).
        path: all components of a label that shows its whole path (``27.1.1``), else empty.
        parts: the same components as they are written (``B.8`` has the path 2, 8).
        until: the last number of a label for several (``28 à 30``), else ``None``.
    """

    label: Span
    scheme: str
    style: str
    surface: str
    value: int | None
    weight: float
    suffix: str = ""
    path: tuple[int, ...] = ()
    guess: tuple[int, float] | None = None
    parts: tuple[str, ...] = ()
    until: int | None = None


@runtime_checkable
class Scheme(Protocol):
    """One way of numbering."""

    @property
    def name(self) -> str:
        """Its key in ``schemes()`` (or name of its entry point) and in ``meta.toml``."""

    def rank(self, style: str) -> int:
        """The usual place of labels of this style in a hierarchy, 0 outermost."""

    def sightings(self, text: str, cues: CueWords) -> Iterator[Sighting]:
        """Every place of a text where one of its labels may stand, in order.

        Args:
            text: the text.
            cues: words that stand at numbers in its language.
        """

    def cost(self, surface: str, value: int) -> float:
        """What it costs to read a numeral as a damaged number.

        Args:
            surface: the numeral as the text has it.
            value: the number.
        """

    def write(self, value: int, style: str) -> str:
        """A number as a component of a clause number: ``52``, ``IV``, ``C``, ``б``.

        Args:
            value: the number.
            style: the style of its label.
        """


_ROMAN = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


@cache
def to_roman(value: int) -> str:
    """``value`` (1 to 399) in Roman numerals."""
    written = ""
    for worth, letters in _ROMAN:
        while value >= worth:
            written += letters
            value -= worth
    return written


_ROMAN_VALUES = {to_roman(value): value for value in range(1, 400)}


def from_roman(letters: str) -> int | None:
    """The value of a well-formed Roman numeral (Latin capitals), else ``None``."""
    return _ROMAN_VALUES.get(letters)


LATIN_LOOKALIKES = str.maketrans("АВСЕНКМОРТХІѴ", "ABCEHKMOPTXIV")
"""Cyrillic capitals to the Latin ones of the same shape."""


CAPITAL = "[A-ZÀ-ÖØ-ÞЀ-ЯѠѢѲѴ]"
"""A regular expression for a capital that a sentence may begin with."""


SMALL = "[a-zß-öø-ÿа-яёѣѳѵі]"
"""A regular expression for a small letter."""


def capital_follows(text: str, at: int) -> bool:
    """Whether the next letter, past at most two other signs, is a capital.

    Args:
        text: the text.
        at: the place from which to look, in characters of the text.
    """
    for sign in text[at : at + 3]:
        if sign.isalpha():
            return sign.isupper()
    return False


DAMAGED_BRACKETS = frozenset("]}Jj")
"""What recognition makes of a closing bracket: ``2}``, ``4]``, ``2J``, ``12j``."""


def terminator_style(terminator: str) -> str:
    """``.``, ``)`` or ``°`` as the end of a label shows it; empty if damage may stand for any."""
    mark = terminator.strip()
    if ")" in mark:
        return "°" if "°" in mark else ")"
    if mark in DAMAGED_BRACKETS:
        return ")"
    if mark == ".,":
        return mark
    if mark in {"°", "º"}:
        return "°"
    return "." if mark == "." else ""


def terminator_weight(terminator: str) -> float:
    """How much the sign after a number speaks for a label: a clean one for, none against."""
    mark = terminator.strip()
    if not mark:
        return -1.0
    return {".": 1.0, ")": 0.9, "°": 0.6, "º": 0.6}.get(mark, 0.8 if ")" in mark or "." in mark else 0.2)
