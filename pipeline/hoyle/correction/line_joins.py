"""Undo what only the layout of the print put into a text: line ends, hyphens at them, spaces at punctuation.

Each rule yields edits of the joined text of a unit (:mod:`hoyle.correction.unit_text`). No rule looks at
the meaning of a word; only the question whether a hyphen stays is answered by the lexicon.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

from hoyle.correction.unit_text import HYPHENS, LINE_END, UnitEdit, UnitText
from hoyle.document import Document

_HYPHEN_LIKE = "^*~"
_LINE_END_HYPHENS = "\u00ac\u2e17\u2e40"
"""Hyphens that print and engines have at line ends only."""

_SOFT_HYPHEN = "\u00ad"
_HYPHENATED = re.compile(rf"(?<=[^\W\d_])[{HYPHENS}{_HYPHEN_LIKE}](\s+)(?=[^\W\d_])")
_UNSPACED = re.compile(rf"(?<=[^\W\d_])[-\u2010{_LINE_END_HYPHENS}](?=[^\W\d_])|{_SOFT_HYPHEN}(?!\s)")
_SPACED_HYPHEN = re.compile(r"([^\W\d_]+)- ([^\W\d_]+)")
_WORD_BEFORE = re.compile(r"[^\W\d_]+$")
_WORD_AFTER = re.compile(r"[^\W\d_]+")
_DOUBLE_SPACE = re.compile(r"[ \t\u00a0]{2,}")
_END = re.compile(r"[.!?…:;]['\"»”)\]]*$")
_BEFORE_SIGN = re.compile(r"(?<=[\w)»'’])[ \t\u00a0]+(?=[,.;:!?)](?:[\s,.;:!?)»—–]|$))")
_AFTER_SIGN = re.compile(r"(?<=[^\W\d_]{2})([,;:!?])(?=[^\W\d_]{2})")

HYPHEN_JOIN = "correction/line_joins: hyphen"
"""Evidence (``by``) of an edit at a line-end hyphen."""

MAX_LINE_LENGTH = 150
"""Characters. Where nine lines of ten are shorter, a line of the text is a line of the print."""

MIN_SPACED_RATIO = 2
"""A sign counts as set apart if it has a space before it this many times as often as not."""

FULL_LINE = 0.8
"""Share of the usual line length from which a line end is taken for one inside a paragraph."""


MIN_BROKEN_WORDS = 2
"""Words broken by a hyphen and a space by which a text shows that its line ends are spaces."""

_SAMPLE = 200_000

MIN_JOINED = 5
"""Occurrences that a word must have to be joined where its hyphen stands without a line end."""


class WordCounts(Protocol):
    """The counts of a lexicon that the rules for hyphens use."""

    def count(self, form: str) -> float:
        """Return how often the form occurs."""

    def hyphened(self, first: str, second: str) -> float:
        """Return how often the two words occur with a hyphen between them.

        Args:
            first: the word before the hyphen, in lower case.
            second: the word after it, in lower case.
        """


@dataclass(frozen=True, slots=True)
class Typesetting:
    """The line length of a document and its spaces before punctuation.

    Attributes:
        line_length: usual length of a printed line in characters; 0 where a line of the text is a paragraph.
        spaced_signs: those of ``;:!?`` before which the text has a space as a rule.
        keeps_spaces: whether the language may have a space there, so that one in the text is kept.
        spaced_hyphens: whether the line ends of the print are spaces here, so that a hyphen before a space
            ends a line.
    """

    line_length: int
    spaced_signs: frozenset[str]
    keeps_spaces: bool = False
    spaced_hyphens: bool = False

    @classmethod
    def estimate(
        cls, document: Document, *, space_before_signs: str, lexicon: WordCounts | None = None
    ) -> Typesetting:
        """Estimate the typesetting of a document from its own text.

        Args:
            document: the document, page furniture included.
            space_before_signs: practice of the language before ``;:!?``. ``never``: spaces are removed;
                ``keep``: spaces are kept; ``restore``: spaces are kept, and missing ones are inserted where
                the document has them as a rule.
            lexicon: word counts by which broken words are known.

        Returns:
            The line length, the signs that are set apart, and what hyphens before a space are.
        """
        text = document.source.text
        lengths = sorted(len(line.strip()) for line in text.splitlines() if line.strip())
        usual = lengths[len(lengths) * 9 // 10] if len(lengths) > 4 else 0
        spaced_signs = set()
        for sign in ";:!?" if space_before_signs == "restore" else "":
            gaps = len(re.findall(rf"\w[ \u00a0\u202f]\{sign}(?!\S)", text))
            if gaps > MIN_SPACED_RATIO * len(re.findall(rf"\w\{sign}(?!\S)", text)):
                spaced_signs.add(sign)
        return cls(
            usual if 0 < usual < MAX_LINE_LENGTH else 0,
            frozenset(spaced_signs),
            space_before_signs != "never",
            lexicon is not None and _ends_lines(text, lexicon),
        )


def _ends_lines(text: str, lexicon: WordCounts) -> bool:
    """Tell whether most hyphens before a space stand in a word that the lexicon has."""
    broken = [(a.lower(), b) for a, b in _SPACED_HYPHEN.findall(text[:_SAMPLE]) if b.islower()]
    joined = sum(lexicon.count(a + b) > lexicon.hyphened(a, b) for a, b in broken)
    return joined >= MIN_BROKEN_WORDS and 2 * joined >= len(broken)


def layout_edits(text: str, typesetting: Typesetting, lexicon: WordCounts | None) -> list[UnitEdit]:
    """Find the line ends, line-end hyphens and spaces that only the print put into a text.

    Args:
        text: the joined text of a unit.
        typesetting: of its document.
        lexicon: word counts that decide whether a hyphen stays; without them only hyphens at certain line
            ends are removed.

    Returns:
        Edits in order; none overlaps another.
    """
    found = [
        *_line_end_edits(text, typesetting, lexicon),
        *_unspaced_hyphen_edits(text, lexicon),
        *_double_space_edits(text),
        *_sign_space_edits(text, typesetting),
    ]
    kept: list[UnitEdit] = []
    for edit in sorted(found, key=lambda m: (m.start, -m.end)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return kept


def paragraph_edits(unit_text: UnitText, found: Iterable[UnitEdit]) -> list[UnitEdit]:
    """Insert line feeds where a paragraph ends between two spans and the raw text does not show it.

    Args:
        unit_text: the joined text of a unit.
        found: edits of it; a join that one of them covers is left to it.

    Returns:
        An edit for each added line feed of ``unit_text`` that no other edit covers.
    """
    edited = {at for edit in found for at in range(edit.start, edit.end)}
    ends = (i for i, at in enumerate(unit_text.raw) if at < 0 and i not in edited)
    return [UnitEdit(i, i + 1, "\n", "layout", "correction/line_joins: line end", 0.97) for i in ends]


def _line_end_edits(text: str, typesetting: Typesetting, lexicon: WordCounts | None) -> Iterator[UnitEdit]:
    """Yield edits of hyphens followed by a line end (or by what is left of one) and of line ends."""
    hyphenated: list[int] = []
    for match in _HYPHENATED.finditer(text):
        sign = match[0][0]
        misread = sign in _HYPHEN_LIKE
        ends_line = bool(LINE_END.search(match[1])) or sign in _LINE_END_HYPHENS or typesetting.spaced_hyphens
        choice: tuple[bool, float] | None = (False, 0.99)
        if sign != _SOFT_HYPHEN:
            choice = _keeps_hyphen(
                text, match.start(), match.end(), lexicon, certain=ends_line and not misread
            )
        if choice is None or (misread and choice[1] < 0.95):
            continue
        hyphenated.append(match.end())
        keep, probability = choice
        start = match.start() + (1 if keep and sign == "-" else 0)
        after = "-" if keep and sign != "-" else ""
        kind: Literal["layout", "correct"] = "correct" if misread else "layout"
        yield UnitEdit(start, match.end(), after, kind, HYPHEN_JOIN, probability)
    for match in LINE_END.finditer(text):
        if match.end() in hyphenated or match.start() == 0 or match.end() == len(text):
            continue
        after = " " if _is_wrapped(text, match, typesetting) else "\n"
        if after != match[0]:
            yield UnitEdit(
                match.start(), match.end(), after, "layout", "correction/line_joins: line end", 0.97
            )


def _unspaced_hyphen_edits(text: str, lexicon: WordCounts | None) -> Iterator[UnitEdit]:
    """Yield edits of soft hyphens, and of hyphens of line ends that the text has without the line end."""
    for match in _UNSPACED.finditer(text):
        start, end = match.span()
        joins = match[0] in (_SOFT_HYPHEN, *_LINE_END_HYPHENS)
        if not joins and lexicon is not None:
            before, after = (
                _WORD_BEFORE.search(text[max(0, start - 40) : start]),
                _WORD_AFTER.match(text, end),
            )
            joins = before is not None and after is not None and _is_broken_word(text, before, after, lexicon)
        if joins:
            yield UnitEdit(start, end, "", "layout", HYPHEN_JOIN, 0.99 if match[0] == _SOFT_HYPHEN else 0.9)


def _is_broken_word(text: str, before: re.Match[str], after: re.Match[str], lexicon: WordCounts) -> bool:
    """Tell whether two parts that a hyphen joins are one word and not two."""
    first, second = before[0].lower(), after[0]
    if not second.islower() or text[after.end() : after.end() + 1] in ("-", "'", "’"):
        return False
    if lexicon.hyphened(first, second) or lexicon.count(first + second) < MIN_JOINED:
        return False
    return min(lexicon.count(first), lexicon.count(second)) < 1


def _keeps_hyphen(
    text: str, start: int, end: int, lexicon: WordCounts | None, *, certain: bool
) -> tuple[bool, float] | None:
    """Decide whether the hyphen at ``start`` stays.

    ``certain`` says that the line ends here. Returns the decision and its probability; ``None`` if nothing
    is to be changed.
    """
    before, after = _WORD_BEFORE.search(text[max(0, start - 40) : start]), _WORD_AFTER.match(text, end)
    if not before or not after or (after[0][0].isupper() and not before[0].isupper()):
        return None
    if lexicon is None:
        return (False, 0.9) if certain else None
    first, second = before[0].lower(), after[0].lower()
    joined, hyphened = lexicon.count(first + second), lexicon.hyphened(first, second)
    if text[before.start() - 1 : before.start()] in ("-", "‑"):
        hyphened = max(hyphened, 0.5)
    if hyphened > joined:
        return True, 0.95
    rare = lexicon.count(first) < 20 or lexicon.count(second) < 20
    if certain or rare:
        return False, 0.99 if joined else 0.9 if certain else 0.85
    return (False, 0.9) if joined else None


def _is_wrapped(text: str, match: re.Match[str], typesetting: Typesetting) -> bool:
    """Tell whether a line end lies inside a paragraph."""
    before, after = text[: match.start()], text[match.end() :]
    ended = bool(_END.search(before[-5:]))
    if after[0].islower() or (not ended and (before[-1].isalnum() or before[-1] in ",-(«")):
        return True
    if match[0].count("\n") > 1 or not typesetting.line_length:
        return False
    return len(before) - (before.rfind("\n") + 1) >= FULL_LINE * typesetting.line_length


def _double_space_edits(text: str) -> Iterator[UnitEdit]:
    for match in _DOUBLE_SPACE.finditer(text):
        yield UnitEdit(
            match.start(), match.end(), " ", "layout", "correction/line_joins: doubled space", 0.99
        )


def _sign_space_edits(text: str, typesetting: Typesetting) -> Iterator[UnitEdit]:
    """Yield edits of spaces before signs (removed or inserted) and after signs (inserted)."""
    by = "correction/line_joins: space at a sign"
    for match in _BEFORE_SIGN.finditer(text):
        sign = text[match.end()]
        if typesetting.keeps_spaces and sign in ";:!?":
            continue
        yield UnitEdit(match.start(), match.end(), "", "layout", by, 0.97)
    for sign in sorted(typesetting.spaced_signs):
        for match in re.finditer(rf"(?<=[\w)»'’])(?=\{sign}(?:\s|$))", text):
            yield UnitEdit(match.start(), match.end(), " ", "layout", by, 0.9)
    for match in _AFTER_SIGN.finditer(text):
        yield UnitEdit(match.end(), match.end(), " ", "correct", by, 0.93)
