"""Corrects the words of a text: which are doubtful, what they were, and how sure that is."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from hoyle.languages import Language, language
from hoyle.model import Span
from hoyle.resources import Lexicon, lexicon
from hoyle.resources.modern import knows
from hoyle.stages.channel import Channel, channel
from hoyle.stages.lattice import EDGES, Arc, Change, Found, decode
from hoyle.stages.proposer import HYPHENS, LexiconProposer, is_number
from hoyle.stages.spelling import speller

_TOKEN = re.compile(r"[^\s]+")
_PARTS = re.compile(r"[-'’]")
_LETTER = re.compile(r"[^\W\d_]")

_REACH = 5.0
"""A known word is doubtful if a rival comes within this natural log of its probability."""

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
        if core[-1] in HYPHENS:
            return False
        return not is_number(core) and any(self._is_wrong(word) for word in _words(core))

    def _is_wrong(self, word: str) -> bool:
        small = word.lower()
        if len(small) == 1 and small not in self._singles:
            return True
        if small not in self._lexicon:
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
                weight += 1.0
            if len(small) > 2 and self._is_modern(small):
                weight = max(weight, -14.5)
            total += weight
        return total

    def _is_modern(self, word: str) -> bool:
        modern = speller(self._lang.tag).word(word)
        return knows(self._lang.base)(modern.text if modern else word)

    def _correction(self, text: str, found: Found) -> Correction | None:
        arc = found.arc
        changes = _with_capitals(text[arc.start : arc.end], arc)
        before = text[arc.start : arc.end]
        if _runs_on(text, arc):
            changes = (*changes[:-1], changes[-1]._replace(after=changes[-1].after + " "))
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


@cache
def _calibration(tag: str) -> dict[str, list[tuple[float, float]]]:
    """For each sort of correction, from which posterior on it is worth which probability."""
    table: dict[str, list[tuple[float, float]]] = {}
    for row in language(tag).table("calibration", ["sort", "posterior", "p", "n"]):
        table.setdefault(row["sort"], []).append((row.number("posterior"), row.number("p")))
    return table


def calibrate(tag: str, correction: Correction) -> Correction:
    """The correction with the probability that its posterior has been found to be worth."""
    steps = _calibration(tag).get(correction.sort)
    if not steps:
        return correction
    worth = [p for posterior, p in steps if correction.probability >= posterior]
    return replace(correction, probability=worth[-1] if worth else 0.0)


def profile(lang: Language, texts: Sequence[tuple[str, Sequence[Span]]], rounds: int, sample: int) -> Channel:
    """The channel of a document, estimated from its own doubtful words.

    Args:
        lang: its language.
        texts: texts and the parts of them that may be corrected.
        rounds: how often to estimate anew with the last estimate.
        sample: how many characters to look at.
    """
    adapted = channel(lang.tag)
    chosen = list(_sample(texts, sample))
    letters = Counter[str]()
    for text, parts in chosen:
        for start, end in parts:
            small = text[start:end].lower()
            for size in (1, 2, 3):
                letters.update(small[i : i + size] for i in range(len(small) - size + 1))
    for _ in range(rounds):
        corrector = Corrector(lang, adapted)
        used: Counter[tuple[str, str]] = Counter()
        closed = lost = 0.0
        printed = Counter(letters)
        printed["␣letters"] = sum(n for t, n in letters.items() if len(t) == 1 and t.isalpha())
        for text, parts in chosen:
            for correction in corrector.corrections(text, parts):
                if correction.probability < 0.5 or correction.sort == "known":
                    continue  # a listed word may be right: it tells nothing sure of the scan
                lost += correction.sort == "parted"
                for change in correction.changes:
                    rule = change.rule
                    if rule is None:
                        continue
                    if rule.ocr == " ":
                        closed += 1
                        continue
                    used[rule.ocr, rule.print] += 1
                    printed[rule.print] += 1
        total = max(1, printed["␣letters"])
        general = channel(lang.tag)
        spaces = (_shrunk(closed, total, general.space_inserted), _shrunk(lost, total, general.space_lost))
        adapted = general.adapted(used, printed, spaces)
    return adapted


def _shrunk(seen: float, letters: int, log_prior: float) -> float:

    return (seen + 1000 * math.exp(log_prior)) / (letters + 1000)


def _sample(texts: Sequence[tuple[str, Sequence[Span]]], size: int) -> Iterator[tuple[str, Sequence[Span]]]:
    """Texts spread evenly over the document, about ``size`` characters of them."""
    total = sum(len(text) for text, _ in texts)
    step = max(1, total // max(1, size))
    taken = 0
    for i, (text, parts) in enumerate(texts):
        if i % step == 0 and taken < size:
            taken += len(text)
            yield text, parts
