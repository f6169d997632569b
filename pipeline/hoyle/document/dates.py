"""The years that a date allows, as editors and catalogues write dates."""

from __future__ import annotations

import re
from typing import NamedTuple

_YEAR = re.compile(r"(?<!\d)(\d{2})(\d\d|\d[?xX-]|[?xX-]{2})(?![\d?])(s\b)?")


class Years(NamedTuple):
    """The first and the last year that a date allows, both included."""

    first: int
    last: int

    def __str__(self) -> str:
        """The year, or the range as BibTeX takes it: the last four signs are digits."""
        return f"{self.first}" if self.first == self.last else f"{self.first}--{self.last}"


def years(date: str) -> Years | None:
    """Return the years that a date allows.

    ``1838``, ``1835/1841``, ``1752–1801``, ``190?``, ``18--``, ``1830s`` and ``ca. 1810–1815`` are
    understood. Unknown digits (``?``, ``x``, ``-``) stand for all that they can be; ``ca.`` adds no year,
    since nobody can say how many.

    Returns:
        The years, or ``None`` if the date names none.
    """
    found = [Years(*_bounds(*match.groups())) for match in _YEAR.finditer(date)]
    return Years(min(y.first for y in found), max(y.last for y in found)) if found else None


def _bounds(century: str, rest: str, decade: str | None) -> tuple[int, int]:
    low, high = (int(century + re.sub(r"[?xX-]", digit, rest)) for digit in "09")
    return low, high + 9 if decade and high % 10 == 0 else high
