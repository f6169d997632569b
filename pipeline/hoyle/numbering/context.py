"""What the place of a possible label says for it or against it.

The weights are those of ``weights.tsv``.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from hoyle.numbering.cues import CueWords, book_entry, reference_cue
from hoyle.numbering.scheme import Sighting, capital_follows
from hoyle.numbering.weights import weight

_JUNK = " \t\u00a0«»<>\"'’„“*•·^’‘_"
_OPENING = "(<[«„“\"'’‘*•·^_"
_NO_TEXT_BEGINS = ",;)]:"
_SENTENCE_END = ".!?…»)*^”"
_LOOK_BACK = 160
_CAPITALS = re.compile(
    r"[ \t\u00a0]*(?:[^\W\d_a-zà-ÿа-яѣіѳѵё]{2,}|[^\W\d_][ \u00a0][^\W\d_]{2,})(?=[ \t.,]|$)(?![ ]?[a-zа-я])"
)
"""A word in capitals, as running heads have it after the number of a page."""
_FIGURES = re.compile(r"\W{0,2}(?:\d|[^\W\d_]?[a-h][1-8]\b)")
"""A number, or the move of a game of chess (``e2``, ``Kg1``)."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a label stands and what that weighs.

    Attributes:
        start: where the unit would begin: the label with opening marks glued to it (``<б.,``).
        line_start: nothing but specks stands before it on its line.
        new_paragraph: an empty line, or the start of the text, comes before.
        clear: a sentence may begin there, or an item of a list.
        weight: the sum of what speaks for and against (logarithm of odds).
    """

    start: int
    line_start: bool
    new_paragraph: bool
    clear: bool
    weight: float


class Surroundings:
    """A text and what is known of its layout.

    Args:
        text: the text, furniture taken out.
        cues: words that stand at numbers in its language.
        interruptions: sorted offsets into it where furniture was taken out.
        parts: sorted offsets into it where the heading of a new part stands.
        headings: offsets into it of lines that markup sets as headings.
    """

    def __init__(
        self,
        text: str,
        cues: CueWords,
        interruptions: Sequence[int] = (),
        parts: Sequence[int] = (),
        headings: Collection[int] = (),
    ) -> None:
        self._text = text
        self.cues = cues
        self._interruptions = interruptions
        self._parts = parts
        self._headings = headings

    def place(self, sighting: Sighting) -> Place:
        """The place of a sighting."""
        label = sighting.label.start
        at = self._opening(label)
        before = self._text[max(0, at - _LOOK_BACK) : at]
        bare = before.rstrip(_JUNK)
        line_start = not bare if at <= _LOOK_BACK else False
        line_start = line_start or bare.endswith("\n")
        new_paragraph = line_start and (not bare.strip() or _ends_paragraph(bare))
        opening = self._before(at, before, bare, line_start=line_start)
        total = opening + self._after(sighting)
        cue = self.cues.compiled(reference_cue).search(before[-32:])
        if cue and sighting.scheme not in {"article", "law"}:
            total += weight("broken_off_reference") if line_start else weight("after_reference_cue")
        # A bracket around a sign or cue word alone, (§ 5), refers; around a number alone, (5), it may label.
        around = "(" in self._text[at:label] and not line_start and sighting.scheme in _CUED
        if around or (before.rfind("(") > before.rfind(")") and "\n" not in before[before.rfind("(") :]):
            total += weight("in_brackets")
        if label in self._headings:
            total += weight("marked_heading")
        clear = line_start or opening not in {weight("after_comma"), weight("mid_sentence")}
        return Place(at, line_start, new_paragraph, clear, total)

    def _opening(self, at: int) -> int:
        """Where the marks begin that are glued to the front of what stands at ``at``."""
        start = at
        while start > 0 and self._text[start - 1] in _OPENING:
            start -= 1
        return start if start == 0 or self._text[start - 1].isspace() else at

    def interruption_in(self, start: int, end: int) -> bool:
        """Whether furniture was taken out between two offsets (both included).

        Args:
            start: first offset, in characters of the text.
            end: last offset.
        """
        return _any_in(self._interruptions, start, end)

    def part_in(self, start: int, end: int) -> bool:
        """Whether the heading of a new part stands between two offsets (both included).

        Args:
            start: first offset, in characters of the text.
            end: last offset.
        """
        return _any_in(self._parts, start, end)

    def _before(self, at: int, before: str, bare: str, *, line_start: bool) -> float:
        if line_start:
            broken = bare.rstrip()[-1:].isalnum() and not _ends_paragraph(bare)
            return weight("line_start") + (weight("after_unfinished") if broken else 0.0)
        if self.interruption_in(at - (len(before) - len(bare)), at):
            return weight("after_seam")
        last = bare[-1:] or before.rstrip()[-1:]
        # A bracket or quotation mark that was stripped as a speck may still end a sentence.
        stripped = before.rstrip(" \t\u00a0")[-1:]
        if last in _SENTENCE_END or stripped in "»*”":
            return weight("after_sentence")
        if last == ":":
            return weight("after_colon")
        if last == ";":
            return weight("after_pause")
        return weight("after_comma") if last == "," else weight("mid_sentence")

    def _after(self, sighting: Sighting) -> float:
        text, end = self._text, sighting.label.end
        rest = text[end : end + 12]
        ahead = rest.lstrip(" \t\u00a0")
        if not ahead or ahead[0] in "\r\n":
            # A cue word may stand alone on its line: ARTICLE PREMIER.
            return 0.0 if sighting.scheme in {"article", "law", "section"} else weight("nothing_next")
        if ahead[0] in _NO_TEXT_BEGINS:
            return weight("nothing_next")
        total = 0.0
        letter = sighting.scheme in _LETTERS or (len(sighting.surface) == 1 and sighting.surface.isalpha())
        if letter and self._among_initials(sighting.label.start, ahead):
            total += weight("initials")
        if _FIGURES.match(ahead):
            return total + weight("digit_next")
        if sighting.scheme in {"arabic", "law"} and self.cues.compiled(book_entry).match(text, end):
            total += weight("book_entry")
        if capital_follows(text, end + len(rest) - len(ahead)):
            spoiled = not sighting.style and sighting.scheme in _UNCUED
            loud = spoiled and _CAPITALS.match(text, end)
            return total + (weight("capitals_next") if loud else weight("capital_next"))
        if rest[:1].isalnum() and not sighting.style.endswith((")", ".")):
            total += weight("glued")
        if sighting.scheme in {"law", "article"} and text[end - 1].isalnum():
            return total + weight("subject_of_sentence")
        listed = sighting.style.endswith((")", "°", ",")) or sighting.scheme in {"law", "article", "ordinal"}
        return total + (weight("small_next_listed") if listed else weight("small_next"))

    def _among_initials(self, at: int, ahead: str) -> bool:
        """Whether another capital with a stop stands directly before or after: ``Л. Н. Толстой``."""
        if re.match(r"[^\W\d_]\.", ahead) and ahead[0].isupper():
            return True
        # г. А.; but not behind an abbreviation of two words (т. д. А.)
        before = self._text[max(0, at - 8) : at]
        return re.search(r"(?<!\w)(?<!\w\.)(?<!\w\.[ \u00a0])[^\W\d_]\.[ \t\u00a0]*$", before) is not None


_UNCUED = frozenset({"arabic", "roman"})
_CUED = frozenset({"section", "article", "law"})
_LETTERS = frozenset({"latin", "cyrillic", "roman"})


def _any_in(offsets: Sequence[int], start: int, end: int) -> bool:
    index = bisect_left(offsets, start)
    return index < len(offsets) and offsets[index] <= end


def _ends_paragraph(bare: str) -> bool:
    return bare.endswith(("\n\n", "\n\r\n")) or bool(
        re.search(r"\n[ \t\u00a0]*\r?\n[ \t\u00a0]*$", bare[-8:])
    )
