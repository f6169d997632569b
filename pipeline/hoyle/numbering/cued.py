"""Labels that begin with a word: what article and named rule have in common."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache

from hoyle.document import Span
from hoyle.numbering.arabic import clean_number, numeral_pattern
from hoyle.numbering.confusions import damaged_forms, distance, likely_number
from hoyle.numbering.cues import Cue, CueWords, alternatives, damaged_alternatives
from hoyle.numbering.endings import ENDING
from hoyle.numbering.inserted import INSERTED, UNTIL, inserted, range_end
from hoyle.numbering.scheme import (
    CAPITAL,
    LATIN_LOOKALIKES,
    OTHER_WORD,
    Sighting,
    from_roman,
    terminator_weight,
    to_roman,
)
from hoyle.numbering.weights import weight

OTHER_NUMBER = r"(?:(?:(?m:^)|(?<=\n))\(\d{2,5}\)[ \t\u00a0]*)?"
"""A running number in brackets before the label proper: ``(4376) § 3.``"""
_FRESH_LINE = r"(?:\A|(?<=[.!?:;]\n)|(?<=\n\n))"
"""A cue in small letters is a label only where a line begins that goes on no sentence."""
_LEAST_NOT_ROMAN = 400
_PATH = r"\d{1,3}(?:\.\d{1,2}){1,3}(?![\d,])"
STROKES = frozenset("IlІ1|")


class Cued:
    """A cue word and an arabic or Roman number, whole or with an ordinal's ending, or an ordinal word.

    Args:
        name: key of the scheme.
        rank: its usual place in a hierarchy.
        kinds: the kinds of cue words that begin its labels (``label``, ``sign``).
    """

    def __init__(self, name: str, rank: int, kinds: tuple[str, ...]) -> None:
        self.name = name
        self._rank = rank
        self._kinds = kinds

    def rank(self, style: str) -> int:  # noqa: ARG002 -- all styles alike
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return self._rank

    def sightings(self, text: str, cues: CueWords) -> Iterator[Sighting]:
        """See :class:`hoyle.numbering.scheme.Scheme`; cue words with a number after them."""
        pattern, words = cues.compiled(self._pattern)
        spelled, signs = {cue.word for cue in words}, {cue.word for cue in words if cue.kind == "sign"}
        ordinals = cues.ordinals("cue")
        for match in pattern.finditer(text):
            if match["ahead"]:
                yield self._before_its_cue(match, ordinals)
                continue
            number = match["number"]
            if "." in number:
                yield self._path(match)
                continue
            word = ordinals.get(number.lower())
            if word is None and not _numeral(number, match["end"], text[match.end() : match.end() + 2]):
                continue
            value, numeral = (word, "") if word is not None else read_number(number, match["ending"] or "")
            shown = Sighting(
                label=Span(*match.span()),
                scheme=self.name,
                style=numeral,
                surface=number,
                value=value,
                weight=(weight("sign_weight") if match["cue"] in signs else weight("cue_weight"))
                + terminator_weight(match["end"])
                + (0.5 if not match["end"] else 0.0)
                + (0.0 if match["cue"] in spelled else weight("damaged_cue")),
                suffix=inserted(match["bis"]),
                until=range_end(value, match["until"]),
            )
            yield shown
            if numeral == "roman" and set(number) <= STROKES:
                # II may be a damaged 11; only the sequence tells.
                yield replace(shown, style="arabic", value=None)

    def _path(self, match: re.Match[str]) -> Sighting:
        """``Art. 3.1.``: a number that shows its whole path."""
        parts = tuple(match["number"].split("."))
        return Sighting(
            label=Span(*match.span()),
            scheme=self.name,
            style="",
            surface=match["number"],
            value=int(parts[-1]),
            weight=weight("cue_weight") + max(0.0, terminator_weight(match["end"])),
            path=tuple(map(int, parts)),
            parts=parts,
        )

    def _before_its_cue(self, match: re.Match[str], ordinals: Mapping[str, int]) -> Sighting:
        """``Première règle.``, ``2-й пунктъ:``: at the start of a line, with a stop or nothing behind it."""
        number = match["ahead"]
        return Sighting(
            label=Span(*match.span()),
            scheme=self.name,
            style="",
            surface=number,
            value=ordinals.get(number.lower()) or clean_number(number),
            weight=weight("cue_weight") + max(0.0, terminator_weight(match["stop"])),
        )

    def cost(self, surface: str, value: int) -> float:
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return _cost(surface, value)

    def write(self, value: int, style: str) -> str:
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return to_roman(value) if style == "roman" and value < _LEAST_NOT_ROMAN else str(value)

    def _pattern(self, cues: CueWords) -> tuple[re.Pattern[str], tuple[Cue, ...]]:
        words = tuple(cue for kind in self._kinds for cue in cues.of(kind, self.name))
        small = tuple(cue for cue in words if cue.word[:1].islower())
        large = tuple(cue for cue in words if cue not in small)
        ordinal, nouns = cues.ordinal_alternatives("cue"), alternatives(cues.of("label", self.name))
        found = re.compile(
            rf"(?<!\w){OTHER_NUMBER}(?P<cue>{damaged_alternatives(large)}|{_FRESH_LINE}(?:{alternatives(small)}))"
            rf"(?:(?<!\w)|[ \t\u00a0])[ \t\u00a0]?"
            rf"(?P<number>\d{{4}}|{_PATH}|[\u2160-\u216b\u2170-\u217b]{{1,3}}"
            rf"|(?i:{ordinal})|{_figures().pattern})"
            rf"(?P<ending>{ENDING})?(?!\w)"
            rf"(?:(?P<bis>{INSERTED})|{UNTIL})?(?P<end>[ \t\u00a0]?[.)*»^:\-—]|)"
            rf"|(?:(?m:^)|(?<=\n))(?P<ahead>(?={CAPITAL})(?i:{ordinal})|\d{{1,3}}(?={ENDING}))(?:{ENDING})?"
            rf"[ \u00a0](?i:{nouns})(?!\w)(?P<stop>[ \u00a0]?[.:—-]|(?=[ \t]*(?:\n|\Z)))"
        )
        return found, words


@lru_cache(maxsize=65536)
def _cost(surface: str, value: int) -> float:
    if not _figures().fullmatch(surface):
        return OTHER_WORD
    numbers = {str(value), to_roman(value)} if value < _LEAST_NOT_ROMAN else {str(value)}
    return min(distance(surface, number) for number in numbers)


@cache
def _figures() -> re.Pattern[str]:
    """A number in figures, damaged or not."""
    roman = f"[{re.escape(damaged_forms('IVXLC'))}]{{1,8}}"
    return re.compile(rf"{numeral_pattern()}|{roman}")


def _numeral(number: str, end: str, ahead: str) -> bool:
    """Whether it may be a number: it has a digit or capital, or a stop or sentence follows it."""
    if any(sign.isdigit() or sign.isupper() for sign in number):
        return True
    followed = end.strip() in {".", ")"} or (len(number) == 1 and ahead[:1].isspace() and ahead[1:].isupper())
    return followed and likely_number(number) is not None


def read_number(number: str, ending: str = "") -> tuple[int | None, str]:
    """What a number shows as it stands, and whether in Roman or arabic numerals.

    Empty stands for both: the first number with an ordinal's ``ending``, which is written
    alike before either (``Art. 1er. Art. II.``).

    Args:
        number: the numeral as the text has it.
        ending: the ordinal ending that follows it.
    """
    number = unicodedata.normalize("NFKC", number)
    if ending and number in {"1", "I", "i", "l"}:
        return 1, ""
    if roman := from_roman(number.translate(LATIN_LOOKALIKES)):
        return roman, "roman"
    return clean_number(number) or None, "arabic"
