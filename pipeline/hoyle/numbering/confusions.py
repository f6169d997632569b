"""How far a damaged label may lie from what was printed (``confusions.tsv``)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache, lru_cache

from hoyle.tables import data_file, read_table

SUBSTITUTION = 1.6
"""Cost of taking any sign for any other."""
DIGIT_FOR_DIGIT = 1.8
"""Cost of a digit read for a digit that the table does not know it to be confused with."""
INSERTION = 1.8
"""Cost of a printed sign that recognition lost, or of a digit that it made up."""
SPECK = 0.9
"""Cost of a sign other than a digit that recognition made up."""


@cache
def confusions() -> Mapping[str, Mapping[str, float]]:
    """Sign read → what may have been printed → cost."""
    table: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for row in read_table(
        data_file("numbering", "confusions.tsv"), ("surface", "printed", "cost", "example", "place")
    ):
        table[row["surface"]][row["printed"]] = row.number("cost")
    return dict(table)


@cache
def damaged_forms(printed: str) -> str:
    """The signs that recognition may put for one of ``printed``, those themselves included."""
    found = {sign for sign, targets in confusions().items() if any(set(t) <= set(printed) for t in targets)}
    return "".join(sorted(found | set(printed)))


def looks_like(printed: str) -> str:
    """The signs that recognition may put for the one sign ``printed``, itself first."""
    return printed + "".join(sorted(sign for sign, targets in confusions().items() if printed in targets))


@lru_cache(maxsize=65536)
def distance(surface: str, printed: str) -> float:
    """Least cost of recognition reading ``printed`` as ``surface``.

    A weighted edit distance (Levenshtein with the costs of ``confusions.tsv``) in which one sign
    read may stand for several printed ones (``П`` for ``II``); white space and hyphens inside
    ``surface`` are free.

    Args:
        surface: what recognition read.
        printed: what may have been printed.
    """
    numerals = "IVXLC" if printed.isalpha() else ""
    read = [sign for sign in surface if not sign.isspace() and sign != "-"]
    table = confusions()
    row = [INSERTION * j for j in range(len(printed) + 1)]
    for sign in read:
        made_up = INSERTION if sign.isdigit() or sign in numerals else SPECK
        above, row = row, [row[0] + made_up]
        for j in range(1, len(printed) + 1):
            best = min(row[j - 1] + INSERTION, above[j] + made_up)
            best = min(best, above[j - 1] + _any(sign, printed[j - 1]))
            for target, cost in table.get(sign, {}).items():
                if len(target) <= j and printed[j - len(target) : j] == target:
                    best = min(best, above[j - len(target)] + cost)
            row.append(best)
    return row[-1]


def _any(sign: str, printed: str) -> float:
    if sign == printed:
        return 0.0
    return DIGIT_FOR_DIGIT if sign.isdigit() and printed.isdigit() else SUBSTITUTION


@lru_cache(maxsize=4096)
def likely_number(surface: str) -> tuple[int, float] | None:
    """The number that a damaged ``surface`` most likely shows by itself, and what that costs."""
    digits, total = "", 0.0
    for sign in surface:
        if sign.isspace() or sign == "-":
            continue
        if sign.isdigit():
            digits += sign
            continue
        near = [(cost, t) for t, cost in confusions().get(sign, {}).items() if t.isdigit()]
        if not near:
            return None
        cost, digit = min(near)
        digits, total = digits + digit, total + cost
    return (int(digits), total) if digits and not digits.startswith("0") else None


@lru_cache(maxsize=4096)
def near_numbers(surface: str) -> tuple[tuple[int, float], ...]:
    """Other numbers that a cleanly read one may have been: one digit confused, and the cost."""
    digits = "".join(surface.split())
    found = {}
    for at, sign in enumerate(digits):
        for target, cost in confusions().get(sign, {}).items():
            other = digits[:at] + target + digits[at + 1 :]
            if other.isdigit() and not other.startswith("0"):
                found[int(other)] = cost
    return tuple(sorted(found.items()))
