"""The words of a language that stand at numbers (``label_cues.tsv``, ``numerals.tsv``)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from hoyle.languages import Language
from hoyle.numbering.confusions import looks_like

T = TypeVar("T")

_LONG_CUE = 5
"""Letters from which on a cue word is known even if signs of it are damaged."""
_LEAST_TENS = 20
_JOINS = ("-", " ", " et ", "-et-")
"""What stands between tens and units of an ordinal."""
_COLUMNS = ("cue", "kind", "scheme", "example", "place")


@dataclass(frozen=True, slots=True)
class Cue:
    """A word before a number; ``kind`` and ``scheme`` as ``label_cues.tsv`` has them."""

    word: str
    kind: str
    scheme: str
    example: str
    where: str


class CueWords:
    """The cue words of one language and of its present-day orthography.

    Use it as ``language.resource(CueWords)``; it keeps what is compiled from it.
    """

    def __init__(self, language: Language) -> None:
        self._cues = [
            Cue(row["cue"], row["kind"], row["scheme"], row["example"], row.where)
            for one in language.orthographies
            for row in one.table("label_cues", _COLUMNS)
        ]
        self._ordinals = [
            row
            for one in language.orthographies
            for row in one.table("numerals", ("word", "value", "stands", "example", "place"))
        ]
        self._compiled: dict[Callable[[CueWords], Any], Any] = {}

    def compiled(self, make: Callable[[CueWords], T]) -> T:
        """What ``make`` builds from these words, built when first asked for and then kept."""
        if make not in self._compiled:
            self._compiled[make] = make(self)
        return cast("T", self._compiled[make])

    def of(self, kind: str, scheme: str = "") -> tuple[Cue, ...]:
        """The cues of one kind, longest first.

        Args:
            kind: a kind of the table (``label``, ``sign``, ``division``, ``reference`` …).
            scheme: only those of this numbering scheme, if given.
        """
        found: dict[str, Cue] = {}
        for cue in self._cues:
            if cue.kind == kind and cue.scheme == (scheme or cue.scheme):
                found.setdefault(cue.word, cue)
                for word in _in_capitals(cue.word) if kind in {"label", "division"} else ():
                    found.setdefault(word, replace(cue, word=word))
        return tuple(sorted(found.values(), key=lambda cue: (-len(cue.word), cue.word)))

    def ordinals(self, stands: str) -> Mapping[str, int]:
        """Ordinal word → its number; after a cue also those above twenty (``vingt-deuxième``).

        Args:
            stands: where the words stand: ``alone``, or after a ``cue`` (then they are in small letters).
        """
        found = self._listed(stands)
        if stands == "cue":
            units = [(word, value) for word, value in found.items() if value < _LEAST_TENS]
            for tens, value in self._listed("tens").items():
                found |= {f"{tens}{join}{word}": value + unit for join in _JOINS for word, unit in units}
        return found

    def _listed(self, stands: str) -> dict[str, int]:
        return {row["word"]: int(row.number("value")) for row in self._ordinals if row["stands"] == stands}

    def ordinal_alternatives(self, stands: str) -> str:
        """A regular expression for any of :meth:`ordinals`, longest first."""
        words = sorted(self._listed(stands), key=lambda word: (-len(word), word))
        simple = "|".join(map(re.escape, words)) or r"(?!)"
        tens = "|".join(map(re.escape, self._listed("tens"))) if stands == "cue" else ""
        return rf"(?:(?:{tens})(?:{'|'.join(_JOINS)}))?(?:{simple})" if tens else simple


def _in_capitals(word: str) -> Iterator[str]:
    """A cue word as titles print it: in capitals, those of the Latin alphabet perhaps without accents."""
    if word[:1].isupper() and sum(map(str.isalpha, word)) > 1:
        yield word.upper()
        bare = "".join(sign for sign in unicodedata.normalize("NFD", word.upper()) if sign.isascii())
        if sum(map(str.isalpha, bare)) == sum(map(str.isalpha, word)):
            yield bare


def alternatives(found: tuple[Cue, ...]) -> str:
    """A regular expression for any of these cues."""
    return "|".join(re.escape(cue.word) for cue in found) or r"(?!)"


def damaged_alternatives(found: tuple[Cue, ...]) -> str:
    """A regular expression for any of these cues, or what recognition may make of a long one."""
    return "|".join(_damaged(cue.word) for cue in found) or r"(?!)"


def _damaged(word: str) -> str:
    """A long cue with any letter misread, or a short one that ends in a stop with one letter misread."""
    if sum(map(str.isalpha, word)) >= _LONG_CUE:
        return "".join(_alike(sign) for sign in word)
    whole = re.sub(r"(?<=[^\W\d_])\\\.$", "[.,]", re.escape(word))
    if not re.fullmatch(r"[^\W\d_]{3,}\.", word):
        return whole
    misread = (
        "".join(_alike(sign) if i == at else re.escape(sign) for i, sign in enumerate(word))
        for at in range(1, len(word) - 1)
    )
    return "|".join((whole, *misread))


def _alike(sign: str) -> str:
    return f"[{re.escape(looks_like(sign))}]" if sign.isalpha() else re.escape(sign)


def reference_cue(cues: CueWords) -> re.Pattern[str]:
    """Matches text that ends with a word after which a number names another place.

    A conjunction is such a word only after another number (``§§ 3 и 5``).
    """
    words, joins = alternatives(cues.of("reference")), alternatives(cues.of("conjunction"))
    return re.compile(
        rf"(?:(?<!\w)(?:{words})(?:[ \u00a0][\dIVXLC]{{1,4}},)?|[\dIVXLC][.)]?\s+(?:{joins}))"
        rf"[ \t\u00a0]*\n?[ \t\u00a0]*$",
        re.IGNORECASE,
    )


def book_entry(cues: CueWords) -> re.Pattern[str]:
    """Matches an entry of a list of books: a year and soon the number of pages, or a format and a price."""
    pages, formats, prices = (alternatives(cues.of(kind)) for kind in ("extent", "format", "price"))
    return re.compile(
        rf"[^\n]{{0,160}}?(?:\b1[5-9]\d\d\b[^\n]{{0,80}}?\b\d{{1,4}}\s(?:{pages})(?!\w)"
        rf"|(?<!\w)(?:{formats})(?!\w)[^\n]{{0,80}}?\d\s?(?:{prices})(?!\w))"
    )
