"""The noisy channel: how probable it is that OCR reads print as the text has it.

Rates are read from ``confusions.tsv`` (counted on aligned pairs) and from the look-alikes of the script
(:mod:`hoyle.languages.scripts`). :meth:`Channel.adapted` adapts them to one document, because errors are
consistent within a scan (ђ for every ѣ, * for every final ъ). The model is that of Kernighan, Church &
Gale (1990), with edits of several characters as in Brill & Moore (2000).
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

MIN_RATE = 1e-5
"""Confusions rarer than this are not considered."""

LOOK_ALIKE_RATE = 0.004
"""How often a letter of full likeness in another script stands for the right one."""

PRIOR_WEIGHT = 150.0
"""Occurrences of a letter in a document at which its own rates outweigh the general ones."""


LETTERS = "␣letters"
"""Key of the number of all letters among counts of printed text (no printed text equals it)."""


class Confusion(NamedTuple):
    """A confusion: ``print`` (lower case) is read as ``ocr``.

    ``log_rate`` is its natural log probability, ``where`` the table row that it comes from.
    """

    ocr: str
    print: str
    log_rate: float
    where: str


@dataclass(frozen=True, slots=True)
class Channel:
    """The confusions by the first character of ``ocr``, and the rate of inserted spaces.

    Attributes:
        confusions: for each first character its confusions, the most frequent first.
        space_inserted: natural log probability that a space is inserted after a letter.
        tag: tag of the language.
        noise: errors of the document relative to the general rates.
    """

    confusions: Mapping[str, tuple[Confusion, ...]]
    space_inserted: float
    tag: str
    noise: float = 1.0

    def adapted(
        self, counts: Counter[tuple[str, str]], printed: Counter[str], space_inserted: float
    ) -> Channel:
        """Adapt the channel to one document.

        Args:
            counts: how often each (ocr, print) was corrected in the document.
            printed: how often each printed text (letters, groups of up to three) occurs in the sample.
            space_inserted: rate of inserted spaces in it (a probability).

        Returns:
            The adapted channel. The general rates, scaled by the noise of the document, are its prior.
        """
        seen = sum(counts.values())
        expected = sum(
            math.exp(r.log_rate) * printed[r.print] for group in self.confusions.values() for r in group
        )
        noise = min(3.0, max(0.02, (seen + 1) / (expected + 1)))
        confusions = {
            f: _by_rate(_adapt(r, counts, printed, noise) for r in group)
            for f, group in self.confusions.items()
        }
        return Channel(confusions, _log(space_inserted), self.tag, noise)


def _adapt(
    confusion: Confusion, counts: Counter[tuple[str, str]], printed: Counter[str], noise: float
) -> Confusion:
    prior = min(0.3, math.exp(confusion.log_rate) * noise)
    occurrences = printed[confusion.print] if confusion.print else printed[LETTERS]
    rate = (PRIOR_WEIGHT * prior + counts[confusion.ocr, confusion.print]) / (PRIOR_WEIGHT + occurrences)
    return confusion._replace(log_rate=_log(min(rate, 0.98)))


def _by_rate(confusions: Iterable[Confusion]) -> tuple[Confusion, ...]:
    return tuple(sorted(confusions, key=lambda r: (-r.log_rate, r)))


def _log(rate: float) -> float:
    return math.log(max(rate, 1e-7))


def general_channel(language: Language) -> Channel:
    """Read the channel of a language, before a document is known; use it as ``language.resource``.

    Raises:
        TableError: a broken table.
    """
    rates: dict[tuple[str, str], tuple[float, str]] = {}
    inserted = 1e-3
    for row in language.table("confusions", ["ocr", "print", "count", "of", "example"]):
        rate = row.number("count") / row.number("of")
        if (row["ocr"], row["print"]) == (" ", ""):
            inserted = rate
        elif row["ocr"] and rate >= MIN_RATE:
            rates[row["ocr"], row["print"]] = (rate, row.where)
    for row in look_alikes(script(language), "words", language.base):
        rate, where = rates.get((row["ocr"], row["print"]), (0.0, row.where))
        rates[row["ocr"], row["print"]] = (max(rate, LOOK_ALIKE_RATE * row.number("likeness")), where)
    grouped: dict[str, list[Confusion]] = defaultdict(list)
    for (ocr, print_), (rate, where) in sorted(rates.items()):
        grouped[ocr[0]].append(Confusion(ocr, print_, math.log(rate), where))
    return Channel({k: _by_rate(v) for k, v in grouped.items()}, _log(inserted), language.tag)


def same_script(one: str, other: str) -> bool:
    """Tell whether two letters are of one script (Latin, Cyrillic, Greek …).

    Args:
        one: a letter.
        other: another letter.

    Returns:
        Whether their Unicode names begin with the same script.
    """
    first, second = (unicodedata.name(letter, "").partition(" ")[0] for letter in (one, other))
    return first == second
