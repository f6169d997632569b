"""Endings that make an ordinal of a number: ``1-я``, ``2-й``, ``3-ье``, ``1er``, ``2ème``, ``2d``."""

from __future__ import annotations

import re

RUSSIAN = "ая|ое|ый|ій|ий|ья|ье|ью|ую|ого|аго|его|му|ой|го|я|й|е|ю|e"
"""Without the hyphen; the last is a Latin letter that recognition puts for the Cyrillic one."""

FRENCH = "ère|ere|er|re|ème|eme|nde|nd|de|d|e|ᵉʳ|ʳᵉ|ᵉ"

_HYPHEN = "[-\u2010\u2011–]"
_ROMAN = "IVXLC"
_ANY = f"{RUSSIAN}|{FRENCH}"
ENDING = (
    rf"(?:(?<=[\d{_ROMAN}])(?:(?i:{_HYPHEN}(?:{_ANY}))|(?:{_ANY})|(?i:{_ANY})(?=[ \u00a0]?[.:)]))"
    rf"|(?<=[Iil])(?i:er)|(?<=[1Iil])[ \u00a0](?i:er)(?!\w)|(?<=[1Il])[\"”])"
)
"""A regular expression for an ending right after a number; ``Ier`` may be read ``ier``.

``1 er`` may stand apart, and ``1er`` be read ``I"``. A capital with neither a hyphen before nor a stop
behind is the first letter of the text (``24Е сли``).
"""

_ALONE = re.compile(rf"{_HYPHEN}?(?:{_ANY})[ \u00a0]?[.:,)]?", re.IGNORECASE)


def is_ending(text: str) -> bool:
    """Whether ``text`` is an ordinal's ending, with or without a stop behind it."""
    return _ALONE.fullmatch(text) is not None
