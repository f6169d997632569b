"""The weights of the decoder (``weights.tsv``): what each sign of a label, its place and its number is worth.

They are natural logarithms of odds and are added up. ``pipeline/training/fit_numbering.py`` fits them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache

from hoyle.tables import data_file, read_table

_override: list[Mapping[str, float]] = []


@cache
def fitted() -> Mapping[str, float]:
    """The weights of the table by name."""
    columns = ("name", "weight", "set", "meaning")
    rows = read_table(data_file("numbering", "weights.tsv"), columns)
    return {row["name"]: row.number("weight") for row in rows}


def weight(name: str) -> float:
    """The weight of one sign.

    Raises:
        KeyError: there is none of that name.
    """
    return _override[-1][name] if _override else fitted()[name]


@contextmanager
def using(values: Mapping[str, float]) -> Iterator[None]:
    """Read labels with other weights (to fit them)."""
    _override.append(values)
    try:
        yield
    finally:
        _override.pop()
