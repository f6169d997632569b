"""How far a damaged label may lie from what was printed (``confusions.tsv``)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache, lru_cache

from hoyle.tables import data_file, read_table

SUBSTITUTION = 1.3
"""Cost of taking any sign for any other."""
INSERTION = 1.6
"""Cost of a printed sign that recognition lost, or of a digit that it made up."""
SPECK = 0.9
"""Cost of a sign other than a digit that recognition made up."""


@cache
def confusions() -> Mapping[str, Mapping[str, float]]:
    """Sign read → what may have been printed → cost."""
    table: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for row in read_table(
        data_file("numbering", "confusions.tsv"), ("surface", "printed", "cost", "example")
    ):
        table[row["surface"]][row["printed"]] = row.number("cost")
    return dict(table)


@cache
def damaged_forms(printed: str) -> str:
    """The signs that recognition may put for one of ``printed``, those themselves included."""
    found = {sign for sign, targets in confusions().items() if any(set(t) <= set(printed) for t in targets)}
    return "".join(sorted(found | set(printed)))


@lru_cache(maxsize=65536)
def distance(surface: str, printed: str) -> float:
    """Least cost of recognition reading ``printed`` as ``surface``.

    A weighted edit distance (Levenshtein with the costs of ``confusions.tsv``) in which one sign
    read may stand for several printed ones (``П`` for ``II``); white space and hyphens inside
    ``surface`` are free.
    """
    read = [sign for sign in surface if not sign.isspace() and sign != "-"]
    table = confusions()
    row = [INSERTION * j for j in range(len(printed) + 1)]
    for sign in read:
        above, row = row, [row[0] + (INSERTION if sign.isdigit() else SPECK)]
        for j in range(1, len(printed) + 1):
            best = min(row[j - 1] + INSERTION, above[j] + (INSERTION if sign.isdigit() else SPECK))
            best = min(best, above[j - 1] + (0.0 if sign == printed[j - 1] else SUBSTITUTION))
            for target, cost in table.get(sign, {}).items():
                if len(target) <= j and printed[j - len(target) : j] == target:
                    best = min(best, above[j - len(target)] + cost)
            row.append(best)
    return row[-1]
