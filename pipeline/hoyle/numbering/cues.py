"""Cue words of every language (``label_cues.tsv``, ``ordinals.tsv``), gathered.

Cues of all languages are looked for at once: a French cue never stands in a Russian text, and a
document need not be told what language it is in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from hoyle.languages import languages
from hoyle.numbering.confusions import looks_like

_LONG_CUE = 5
"""Letters from which on a cue word is known even if signs of it are damaged."""
_COLUMNS = ("cue", "kind", "scheme", "example", "place")


@dataclass(frozen=True, slots=True)
class Cue:
    """A word before a number; ``kind`` and ``scheme`` as ``label_cues.tsv`` has them."""

    word: str
    kind: str
    scheme: str
    example: str
    where: str


@cache
def cues(kind: str, scheme: str = "") -> tuple[Cue, ...]:
    """The cues of one kind (and scheme), longest first."""
    found: dict[str, Cue] = {}
    for language in languages().values():
        for row in language.table("label_cues", _COLUMNS):
            if row["kind"] == kind and row["scheme"] == (scheme or row["scheme"]):
                found.setdefault(row["cue"], Cue(row["cue"], kind, row["scheme"], row["example"], row.where))
    return tuple(sorted(found.values(), key=lambda cue: (-len(cue.word), cue.word)))


def alternatives(found: tuple[Cue, ...]) -> str:
    """A regular expression for any of these cues."""
    return "|".join(re.escape(cue.word) for cue in found) or r"(?!)"


def damaged_alternatives(found: tuple[Cue, ...]) -> str:
    """A regular expression for any of these cues, or what recognition may make of a long one."""
    return "|".join(_damaged(cue.word) for cue in found) or r"(?!)"


def _damaged(word: str) -> str:
    if sum(map(str.isalpha, word)) < _LONG_CUE:
        return re.sub(r"(?<=[^\W\d_])\\\.$", "[.,]", re.escape(word))
    return "".join(f"[{re.escape(looks_like(sign))}]" if sign.isalpha() else re.escape(sign) for sign in word)


@cache
def reference_cue() -> re.Pattern[str]:
    """Matches text that ends with a word after which a number names another place.

    A conjunction is such a word only after another number (``§§ 3 и 5``).
    """
    words, joins = alternatives(cues("reference")), alternatives(cues("conjunction"))
    return re.compile(
        rf"(?:(?<!\w)(?:{words})|[\dIVXLC][.)]?\s+(?:{joins}))[ \t\u00a0]*\n?[ \t\u00a0]*$", re.IGNORECASE
    )


@cache
def book_entry() -> re.Pattern[str]:
    """Matches the text of an entry of a list of books: a year, and soon the number of pages."""
    pages = alternatives(cues("extent"))
    return re.compile(rf"[^\n]{{0,160}}?\b1[5-9]\d\d\b[^\n]{{0,80}}?\b\d{{1,4}}\s(?:{pages})(?!\w)")


@cache
def ordinals(stands: str) -> Mapping[str, int]:
    """Ordinal word → its number.

    Args:
        stands: where the words stand: ``alone``, or after a ``cue`` (then they are in small letters).
    """
    found: dict[str, int] = {}
    for language in languages().values():
        for row in language.table("ordinals", ("word", "value", "stands", "example", "place")):
            if row["stands"] == stands:
                found[row["word"]] = int(row.number("value"))
    return found


@cache
def ordinal_alternatives(stands: str) -> str:
    """A regular expression for any of these ordinal words, longest first."""
    return "|".join(sorted(map(re.escape, ordinals(stands)), key=lambda word: (-len(word), word)))
