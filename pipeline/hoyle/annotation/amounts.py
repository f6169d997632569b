"""Finds amounts: a number, in figures or in words, and the unit that it counts.

The words for numbers are the rows ``count``, ``times`` and ``tens`` of ``numerals.tsv``, the units those of
``units.tsv``; what stands between the ends of a range, or makes a number the most or the least, is in
``tagging.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, NamedTuple

from spacy.tokens import Doc, Token

from hoyle.annotation.lemmas import CueKey, cue_key, settings
from hoyle.languages import Language

_FIGURES: Final = re.compile(r"(\d{1,3}(?:[.,]\d{3})+|\d+)(?:[.,](\d{1,2}))?(?:-[^\W\d_]{1,3})?")
"""``100``, ``50,000``, ``2,5``, ``5-ти``."""
_HYPHEN: Final = "-"
_HUNDRED: Final = 100


class AmountMatch(NamedTuple):
    """An amount: tokens ``start`` to ``end`` (exclusive), its bounds, its unit, and the row that says so.

    ``low`` or ``high`` is ``None`` where only the other end is named (``jusqu'à 100 marks``); ``measure`` is
    empty where no unit follows.
    """

    start: int
    end: int
    low: float | None
    high: float | None
    measure: str
    where: str


@dataclass(frozen=True, slots=True)
class _Number:
    end: int
    value: float
    where: str
    times: bool = False
    one: bool = False


@dataclass(frozen=True, slots=True)
class _Unit:
    measure: str
    one: bool
    most: float
    where: str


class AmountFinder:
    """The words of one language that amounts are made of; use it as ``language.resource(AmountFinder)``.

    Attributes:
        confidence: the probability that an amount with a unit is right.
    """

    def __init__(self, language: Language) -> None:
        key_of = cue_key(language)
        self._numbers = {
            key_of(row["word"]): (row.number("value"), row["stands"] == "times", row.where)
            for row in language.table("numerals", ("word", "value", "stands"))
            if row["stands"] in ("count", "times", "tens")
        }
        self._units = {
            key_of(form): _Unit(
                row["unit"], row["one"] == "yes", row.number("most") if row["most"] else inf, row.where
            )
            for row in language.table("units", ("forms", "unit", "one", "most", "example", "place"))
            for form in row["forms"].split()
        }
        words = settings(language).get("amounts", {})
        self.confidence: float = words.get("confidence", 0.0)
        self._range = frozenset(_phrases(words.get("range", ()), key_of))
        self._most = _phrases(words.get("most", ()), key_of)
        self._least = _phrases(words.get("least", ()), key_of)

    def find(self, doc: Doc) -> Iterator[AmountMatch]:
        """The amounts of a unit in the order of the text; those without a unit of measure too."""
        at = 0
        while at < len(doc):
            found = self._amount(doc, at)
            if found:
                yield found
            at = found.end if found else at + 1

    def _amount(self, doc: Doc, start: int) -> AmountMatch | None:
        first = last = self._number(doc, start)
        if first is None:
            return None
        end, unit = self._unit(doc, first)
        if end < len(doc) and (doc[end].norm_,) in self._range:
            second = self._number(doc, end + 1)
            if second and second.value > first.value and not second.times:
                last = second
                end, second_unit = self._unit(doc, second)
                unit = second_unit or unit
        if first.one and last is first and not (unit and unit.one):
            return None
        measure = unit.measure if unit else "times" if first.times else ""
        low: float | None = first.value
        high: float | None = last.value if last else first.value
        if last is first and _after(doc, start, self._most):
            low = None
        elif last is first and _after(doc, start, self._least):
            high = None
        return AmountMatch(start, end, low, high, measure, unit.where if unit else first.where)

    def _number(self, doc: Doc, start: int) -> _Number | None:
        """The number that begins at a token: figures, or words that are added up or multiplied."""
        if start >= len(doc):
            return None
        if figures := _FIGURES.fullmatch(doc[start].text):
            value = float(f"{re.sub(r'[.,]', '', figures[1])}.{figures[2] or 0}")
            return _Number(start + 1, value, "figures")
        total, at, where, times = 0.0, start, "", False
        while at < len(doc):
            found = self._word(doc[at])
            if found is None or times:
                break
            value, times, where = found[0], found[1], where or found[2]
            total = total * value if 0 < total < value and value >= _HUNDRED else total + value
            at += 1
            if at + 1 < len(doc) and doc[at].text == _HYPHEN and self._word(doc[at + 1]):
                at += 1
        return _Number(at, total, where, times, one=total == 1) if where else None

    def _word(self, token: Token) -> tuple[float, bool, str] | None:
        """The value of a word for a number, of a compound the sum of its parts (``vingt-cinq``)."""
        found = self._numbers.get(token.norm_) or self._numbers.get(token.lemma_)
        if found or _HYPHEN not in token.norm_:
            return found
        head, _, tail = token.norm_.rpartition(_HYPHEN)
        parts = self._numbers.get(head), self._numbers.get(tail)
        return (parts[0][0] + parts[1][0], False, parts[0][2]) if parts[0] and parts[1] else None

    def _unit(self, doc: Doc, number: _Number) -> tuple[int, _Unit | None]:
        """The unit after a number, and the token after both; a part of a unit has an article before it."""
        reach = 3 if number.times else 1
        for at in range(number.end, min(number.end + reach, len(doc))):
            found = self._units.get(doc[at].norm_) or self._units.get(doc[at].lemma_)
            if found and number.value <= found.most:
                return at + 1, found
        return number.end, None


def _phrases(words: Sequence[str], key_of: CueKey) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(key_of(word) for word in phrase.split()) for phrase in words)


def _after(doc: Doc, start: int, phrases: Sequence[Sequence[str]]) -> bool:
    """Whether one of the phrases stands directly before a token."""
    return any(
        tuple(token.norm_ for token in doc[max(0, start - len(phrase)) : start]) == phrase
        for phrase in phrases
    )
