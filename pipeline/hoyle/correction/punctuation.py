"""Punctuation that OCR misread (``^ » > *`` for commas and points), by ``signs.tsv`` of the language."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from hoyle.correction.line_joins import Mend
from hoyle.errors import TableError
from hoyle.languages import Language

_WORD_BEFORE = re.compile(r"[^\W\d_]+$")


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    after: str
    needs: str
    probability: float
    where: str


def _rules(language: Language) -> tuple[_Rule, ...]:
    rules = []
    for row in language.table("signs", ["pattern", "after", "needs", "p", "example"]):
        try:
            pattern = re.compile(row["pattern"])
        except re.error as error:
            raise TableError(f"pattern: {error}", document=row.where) from None
        rules.append(_Rule(pattern, row["after"], row["needs"], row.number("p"), row.where))
    return tuple(rules)


def sign_mends(text: str, language: Language, words: Container[str] | None) -> list[Mend]:
    """Misread signs in ``text``; the first rule of the table that matches a place holds.

    Args:
        text: the text of a unit.
        language: its language, whose table is used.
        words: its word forms; a sign after letters that are no word may be a letter of it.
    """
    found: list[Mend] = []
    for rule in language.resource(_rules):
        for mend in _matches(text, rule, words):
            if not any(m.start < max(mend.end, mend.start + 1) and mend.start < m.end for m in found):
                found.append(mend)
    return sorted(found)


def _matches(text: str, rule: _Rule, words: Container[str] | None) -> Iterator[Mend]:
    for match in rule.pattern.finditer(text):
        before = _WORD_BEFORE.search(text[max(0, match.start() - 40) : match.start()])
        if rule.needs and words is not None and before and before[0].lower() not in words:
            continue
        if rule.needs == "unmatched" and _is_matched(text, match.start()):
            continue
        yield Mend(
            match.start(), match.end(), match.expand(rule.after), "correct", rule.where, rule.probability
        )


def _is_matched(text: str, at: int) -> bool:
    """Whether a closing guillemet or bracket near ``at`` has its opening partner before it."""
    return any(_open(text[:at], pair) for pair in ("«»", "()"))


def _open(text: str, pair: str) -> int:
    """How many signs are still open at the end of a text; one that closes nothing does not count."""
    opened = 0
    for char in text:
        if char == pair[0]:
            opened += 1
        elif char == pair[1] and opened:
            opened -= 1
    return opened
