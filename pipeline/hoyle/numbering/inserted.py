"""What follows a number as part of it: ``5 bis``, ``2 QUATER``, ``57-1``, ``35 a``; ranges (``28 à 30``)."""

from __future__ import annotations

import re

_LATIN_ORDINAL = "bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies"
_STOP = r"[ \t\u00a0]?[.):—–]|[ \t\u00a0]*(?:\n|\Z)"

INSERTED = (
    rf"(?:[ \t\u00a0]?(?i:{_LATIN_ORDINAL})(?!\w)|-\d{{1,2}}(?![\w-]|[.,]\d)"
    rf"|[ \t\u00a0]?[a-fа-е](?={_STOP}))"
)
"""A regular expression for it; a letter alone only before a stop (``Article 35 a été`` goes on)."""

UNTIL = r"(?:[ \t\u00a0](?:à|et|au|по|и|[-—–])[ \t\u00a0]|[-—–])(?P<until>\d{1,4})(?!\w)"
"""A regular expression for the end of a range, as the group ``until``."""


def inserted(text: str | None) -> str:
    """What follows a number, as a component of a clause number has it: ``5bis``, ``57-1``."""
    return re.sub(r"\s+", "", text or "").lower()


def range_end(first: int | None, until: str | None) -> int | None:
    """The last number of a range, if it lies above the first.

    Args:
        first: the first number of the range.
        until: the digits of the last one.
    """
    last = int(until) if until else 0
    return last if first is not None and first < last else None
