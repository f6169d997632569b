"""The noisy channel: how probable it is that print was read as the text has it.

Rates come from ``confusions.tsv`` (counted on aligned pairs) and from the look-alikes of the script
(:mod:`hoyle.languages.scripts`). :meth:`Channel.adapted` adapts them to one document, because a fault
is consistent within one scan (ђ for every ѣ, * for every final ъ). The model is that of Kernighan,
Church & Gale (1990), with edits of several characters as in Brill & Moore (2000).
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from hoyle.languages import Language
from hoyle.languages.scripts import look_alikes, script

LEAST_RATE = 1e-5
"""Confusions rarer than this are not followed."""

FOREIGN_RATE = 0.004
"""How often a letter of full likeness in another alphabet stands for the right one."""

PRIOR_WEIGHT = 150.0
"""A document must show a letter about this often before its own rates outweigh the general ones."""


LETTERS = "␣letters"
"""Key of the number of all letters among counts of prints (no print can be like it)."""


class Rule(NamedTuple):
    """``print`` (small letters) was read as ``ocr``; ``log_rate`` is a natural log probability."""

    ocr: str
    print: str
    log_rate: float
    where: str


@dataclass(frozen=True, slots=True)
class Channel:
    """Rules by the first character of what OCR read, and the rate of inserted spaces."""

    rules: Mapping[str, tuple[Rule, ...]]
    space_inserted: float
    tag: str
    noise: float = 1.0

    def adapted(
        self, used: Counter[tuple[str, str]], printed: Counter[str], space_inserted: float
    ) -> Channel:
        """The channel of one document.

        Args:
            used: how often each (ocr, print) was needed to mend the document.
            printed: how often each print (letters and short groups) occurs in what was mended.
            space_inserted: rate of spaces put into words that was seen in it.
        """
        seen = sum(used.values())
        expected = sum(math.exp(r.log_rate) * printed[r.print] for rs in self.rules.values() for r in rs)
        noise = min(3.0, max(0.02, (seen + 1) / (expected + 1)))
        rules = {f: _likeliest(_adapt(r, used, printed, noise) for r in rs) for f, rs in self.rules.items()}
        return Channel(rules, _log(space_inserted), self.tag, noise)


def _adapt(rule: Rule, used: Counter[tuple[str, str]], printed: Counter[str], noise: float) -> Rule:
    prior = min(0.3, math.exp(rule.log_rate) * noise)
    occurrences = printed[rule.print] if rule.print else printed[LETTERS]
    rate = (PRIOR_WEIGHT * prior + used[rule.ocr, rule.print]) / (PRIOR_WEIGHT + occurrences)
    return rule._replace(log_rate=_log(min(rate, 0.98)))


def _likeliest(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    return tuple(sorted(rules, key=lambda r: (-r.log_rate, r)))


def _log(rate: float) -> float:
    return math.log(max(rate, 1e-7))


def general_channel(language: Language) -> Channel:
    """The channel of a language, before a document is known; use it as ``language.resource``.

    Raises:
        TableError: a broken table.
    """
    rates: dict[tuple[str, str], tuple[float, str]] = {}
    inserted = 1e-3
    for row in language.table("confusions", ["ocr", "print", "count", "of", "example"]):
        rate = row.number("count") / row.number("of")
        if (row["ocr"], row["print"]) == (" ", ""):
            inserted = rate
        elif row["ocr"] and rate >= LEAST_RATE:
            rates[row["ocr"], row["print"]] = (rate, row.where)
    for row in look_alikes(script(language), "words", language.base):
        rate, where = rates.get((row["ocr"], row["print"]), (0.0, row.where))
        rates[row["ocr"], row["print"]] = (max(rate, FOREIGN_RATE * row.number("likeness")), where)
    grouped: dict[str, list[Rule]] = defaultdict(list)
    for (ocr, print_), (rate, where) in sorted(rates.items()):
        grouped[ocr[0]].append(Rule(ocr, print_, math.log(rate), where))
    return Channel({k: _likeliest(v) for k, v in grouped.items()}, _log(inserted), language.tag)


def of_one_alphabet(one: str, other: str) -> bool:
    """Whether two letters are of one alphabet (Latin, Cyrillic, Greek …)."""
    first, second = (unicodedata.name(letter, "").partition(" ")[0] for letter in (one, other))
    return first == second
