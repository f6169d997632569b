"""Corrects the words of a text: which are doubtful, what they were, and how sure that is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from hoyle.languages import Language
from hoyle.model import Span
from hoyle.resources import Lexicon, lexicon
from hoyle.resources.modern import knows
from hoyle.stages.channel import Channel, channel
from hoyle.stages.lattice import EDGES, Arc, Change, Found, decode
from hoyle.stages.proposer import HYPHENS, LexiconProposer, is_initial, is_number
from hoyle.stages.spelling import speller

_TOKEN = re.compile(r"[^\s]+")
_PARTS = re.compile(r"[-'’]")
_LETTER = re.compile(r"[^\W\d_]")

_REACH = 5.0
"""A known word is doubtful if a rival comes within this natural log of its probability."""

_NAME = 2.5
"""What a capital adds to the log weight of a word that is in no list: it may be a name."""

_LONGEST_WINDOW = 40
"""Words decoded together at most."""


SORTS = ("closed", "parted", "known", "unknown")
"""What a correction can do; see :class:`Correction`."""


@dataclass(frozen=True, slots=True)
class Correction:
    """``[start, end)`` of the text reads otherwise.

    ``changes`` covers it piece by piece (capitals as they shall stand); ``probability`` is the
    posterior of the reading; ``by`` names the table row or resource behind it; ``sort`` says what
    is done, for the thresholds: ``closed`` (gaps in a word), ``parted`` (words run on), ``known`` (a
    listed word becomes another), ``unknown`` (one that is in no list becomes a listed one).
    """

    start: int
    end: int
    changes: tuple[Change, ...]
    probability: float
    by: str
    sort: str = "unknown"

    @property
    def after(self) -> str:
        """What it shall read."""
        return "".join(change.after for change in self.changes)


class Corrector:
    """Corrects the words of one document.

    Args:
        lang: its language; there must be a lexicon for it.
        adapted: its channel; the general one if left out.
    """

    def __init__(self, lang: Language, adapted: Channel | None = None) -> None:
        self._lang = lang
        self._lexicon: Lexicon = lexicon(lang.tag)
        self._channel = adapted or channel(lang.tag)
        self._proposer = LexiconProposer(self._lexicon, self._channel, lang.letters, self._unlisted)
        self._doubts: dict[str, bool] = {}
        self._weights: dict[str, float] = {}
        self._endings: list[list[str]] = lang.settings["correct"].get("endings", [])

    @cached_property
    def _singles(self) -> frozenset[str]:
        """Words of one letter."""
        return frozenset(self._lang.settings["correct"]["words_of_one_letter"])

    def corrections(self, text: str, parts: Iterable[Span]) -> Iterator[Correction]:
        """What is wrong in ``parts`` of ``text`` (characters of it), in order; sure or not."""
        for found in self.readings(text, parts):
            correction = self._correction(text, found)
            if correction:
                yield correction

    def readings(self, text: str, parts: Iterable[Span]) -> Iterator[Found]:
        """The most probable words of all doubtful stretches."""
        for part in parts:
            for start, stop in self._windows(text, part):
                yield from decode(text, start, stop, self._proposer, self._lexicon)

    def _windows(self, text: str, part: Span) -> Iterator[tuple[int, int]]:
        """Doubtful words with a neighbour on either side; what lies close together is one window."""
        tokens = [m.span() for m in _TOKEN.finditer(text, part.start, part.end)]
        doubtful = [i for i, (a, b) in enumerate(tokens) if self._is_doubtful(text[a:b])]
        first = last = -1
        for i in doubtful:
            if first >= 0 and (i - last > 2 or i - first > _LONGEST_WINDOW):
                yield tokens[max(0, first - 1)][0], tokens[min(len(tokens) - 1, last + 1)][1]
                first = i
            elif first < 0:
                first = i
            last = i
        if first >= 0:
            yield tokens[max(0, first - 1)][0], tokens[min(len(tokens) - 1, last + 1)][1]

    def _is_doubtful(self, token: str) -> bool:
        known = self._doubts.get(token)
        if known is None:
            known = self._doubts[token] = self._doubt(token)
        return known

    def _doubt(self, token: str) -> bool:
        core = token.strip(EDGES)
        if not _LETTER.search(core):
            return False
        if core[-1] in HYPHENS or is_initial(token):
            return False
        return not is_number(core) and any(self._is_wrong(word) for word in _words(core))

    def _is_wrong(self, word: str) -> bool:
        small = word.lower()
        if len(small) == 1 and small not in self._singles:
            return True
        if small not in self._lexicon or _has_stray_capital(word):
            return True
        own = self._lexicon.log_probability(small)
        return any(
            arc.end == len(word)
            and arc.word != small
            and arc.channel + self._lexicon.log_probability(arc.word) > own - _REACH
            for arc in self._proposer.token(word).arcs
        )

    def _unlisted(self, word: str) -> float:
        weight = self._weights.get(word)
        if weight is None:
            weight = self._weights[word] = self._weigh(word)
        return weight

    def _weigh(self, word: str) -> float:
        """Natural log probability of a word that is in no list."""
        if not _LETTER.search(word):
            return -6.0 - 2.3 * len(word)
        if is_number(word):
            return -8.0
        total = 0.0
        for piece in _words(word):
            small = piece.lower()
            if small in self._lexicon and (len(small) > 1 or small in self._singles):
                total += self._lexicon.log_probability(small)
                continue
            weight = -4.0 + self._lexicon.spelling(small)
            if piece[0].isupper() and piece[1:].islower():
                weight += _NAME
            if len(small) > 2 and self._is_modern(small):
                weight = max(weight, -14.5)
            total += weight
        return total

    def _is_modern(self, word: str) -> bool:
        if self._is_inflected(word):
            return True
        modern = speller(self._lang.tag).word(word)
        return knows(self._lang.base)(modern.text if modern else word)

    def _is_inflected(self, word: str) -> bool:
        """Whether a listed word differs from this one in its ending only."""
        for endings in self._endings:
            for ending in endings:
                stem = word.removesuffix(ending)
                if (
                    word.endswith(ending)
                    and len(stem) >= 4
                    and any(stem + e in self._lexicon for e in endings)
                ):
                    return True
        return False

    def _correction(self, text: str, found: Found) -> Correction | None:
        arc = found.arc
        changes = _with_capitals(text[arc.start : arc.end], arc)
        before = text[arc.start : arc.end]
        if _runs_on(text, arc):
            joint = "-" if text[arc.start - 1 : arc.start] == "-" else " "
            changes = (*changes[:-1], changes[-1]._replace(after=changes[-1].after + joint))
        elif arc.word.endswith("'") and text[arc.end : arc.end + 1] == " " and arc.own is None:
            changes = (*changes, Change(1, "", None))  # nothing stands between l' and its noun
            arc = replace(arc, end=arc.end + 1)
        after = "".join(change.after for change in changes)
        if after.replace("'", "’") == before.replace("'", "’"):
            return None
        rules = sorted((r for r in arc.rules if r.where), key=lambda r: r.log_rate)
        by = rules[0].where if rules else self._lexicon.where
        return Correction(arc.start, arc.end, changes, found.posterior, by, self._sort(text, arc))

    def _sort(self, text: str, arc: Arc) -> str:
        before = text[arc.start : arc.end]
        if any(c.isspace() for c in before):
            return "closed"
        if _runs_on(text, arc):
            return "parted"
        small = before.lower().replace("’", "'")
        return "known" if small in self._lexicon and (len(small) > 1 or small in self._singles) else "unknown"


def _has_stray_capital(word: str) -> bool:
    """Whether a capital stands inside a word of small letters."""
    return word[1:] != small if (small := word[1:].lower()) and not word.isupper() else False


def _runs_on(text: str, arc: Arc) -> bool:
    """Whether the next word follows the arc without a space that should be there."""
    return arc.end < len(text) and text[arc.end].isalnum() and arc.word[-1:] != "'"


def _words(core: str) -> Iterator[str]:
    """The words of a token; what ends in an apostrophe keeps it."""
    start = 0
    for match in _PARTS.finditer(core):
        end = match.end() if match[0] != "-" else match.start()
        if end > start:
            yield core[start:end].replace("’", "'")
        start = match.end()
    if start < len(core):
        yield core[start:]


def _with_capitals(before: str, arc: Arc) -> tuple[Change, ...]:
    """The changes of an arc with the capitals that the text shows."""
    if arc.own is not None:
        return arc.changes
    letters = [c for c in before if c.isalpha()]
    capitals = sum(c.isupper() for c in letters)
    if capitals > 1 and capitals >= 0.7 * len(letters):
        return tuple(c._replace(after=c.after.upper()) for c in arc.changes)
    out: list[Change] = []
    at = 0
    done = False
    for change in arc.changes:
        piece = before[at : at + change.size]
        after = change.after
        if after and not done:
            by_shape = change.rule is not None and change.rule.ocr[0] == piece[0]
            if piece[0].isupper() and not by_shape:
                after = after[0].upper() + after[1:]
            done = True
        if change.rule is None and piece == "’":
            after = "’"
        out.append(change._replace(after=after))
        at += change.size
    return tuple(out)
