"""Correct misread punctuation (``^ » > *`` for commas and full stops) by ``signs.tsv`` of the language."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from hoyle.correction.unit_text import UnitEdit
from hoyle.errors import TableError
from hoyle.languages import Language

_WORD_BEFORE = re.compile(r"[^\W\d_]+$")


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    after: str
    requires: str
    probability: float
    where: str


def _rules(language: Language) -> tuple[_Rule, ...]:
    rules = []
    for row in language.table("signs", ["pattern", "after", "requires", "probability", "example"]):
        try:
            pattern = re.compile(row["pattern"])
        except re.error as error:
            raise TableError(f"pattern: {error}", document=row.where) from None
        rules.append(_Rule(pattern, row["after"], row["requires"], row.number("probability"), row.where))
    return tuple(rules)


def punctuation_edits(text: str, language: Language, lexicon: Container[str] | None) -> list[UnitEdit]:
    """Find misread punctuation by the rules of the language.

    Args:
        text: the joined text of a unit.
        language: its language; ``signs.tsv`` has the rules, and the first that matches a place applies.
        lexicon: its word forms. A sign after letters that are no listed word may be a misread letter of that
            word and is left alone. ``None``: not checked.

    Returns:
        Edits of ``text``, in order.

    Raises:
        TableError: a pattern of the table is no regular expression.
    """
    found: list[UnitEdit] = []
    for rule in language.resource(_rules):
        for edit in _matches(text, rule, lexicon):
            if not any(m.start < max(edit.end, edit.start + 1) and edit.start < m.end for m in found):
                found.append(edit)
    return sorted(found)


def _matches(text: str, rule: _Rule, lexicon: Container[str] | None) -> Iterator[UnitEdit]:
    for match in rule.pattern.finditer(text):
        before = _WORD_BEFORE.search(text[max(0, match.start() - 40) : match.start()])
        if rule.requires and lexicon is not None and before and before[0].lower() not in lexicon:
            continue
        if rule.requires == "unmatched" and _is_matched(text, match.start()):
            continue
        yield UnitEdit(
            match.start(), match.end(), match.expand(rule.after), "correct", rule.where, rule.probability
        )


def _is_matched(text: str, at: int) -> bool:
    """Tell whether a guillemet or bracket is open before ``at``."""
    return any(_open(text[:at], pair) for pair in ("«»", "()"))


def _open(text: str, pair: str) -> int:
    """Count the signs of a pair that are open at the end of a text; one that closes nothing is ignored."""
    opened = 0
    for char in text:
        if char == pair[0]:
            opened += 1
        elif char == pair[1] and opened:
            opened -= 1
    return opened
