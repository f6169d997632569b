"""Corrects the words of a text: which are doubtful, what they were, and how sure that is."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from hoyle.correction.candidates import HYPHENS, LexiconProposer, is_initial, is_number
from hoyle.correction.channel import Channel, general_channel, of_one_alphabet
from hoyle.correction.lattice import EDGES, Arc, Change, Found, Window, decode
from hoyle.correction.lexical_acceptability import Credible, credible
from hoyle.correction.model_scores import Witness
from hoyle.correction.tagger import Tags
from hoyle.document import Span
from hoyle.languages import Language
from hoyle.resources import Lexicon

_TOKEN = re.compile(r"[^\s]+")
_PARTS = re.compile(r"[-'’]")
_LETTER = re.compile(r"[^\W\d_]")

_REACH = 5.0
"""A known word is doubtful if a rival comes within this natural log of its probability."""

_NAME = 2.5
"""What a capital adds to the log weight of a word that is in no list: it may be a name."""

_TWO_AT_HEAD = ("OE", "AE")
"""Capitals at the head of a word that are set for one, if a fount has no Œ."""

_LONGEST_WINDOW = 40
"""Words decoded together at most."""


SORTS = ("closed", "torn", "letter", "strange", "known", "unknown", "name", "credible", "newer")
"""What a correction does.

``closed``: gaps in a word go; ``torn``: so they do, and letters change too; ``letter``: a single letter
becomes a word; ``strange``: a word becomes one that no list has, nor the present-day dictionary;
``known``: a listed word becomes another; ``unknown``: one that is in no list becomes a listed one;
``name``: so does one with a capital at its head; ``credible``: so does one that may well be a word
(:mod:`hoyle.correction.lexical_acceptability`); ``newer``: an older spelling becomes a newer one, which is
never done.
"""


@dataclass(frozen=True, slots=True)
class Correction:
    """``[start, end)`` of the text reads otherwise.

    ``changes`` covers it piece by piece (capitals as they shall stand); ``probability`` is the
    posterior of the reading; ``by`` names the table row or resource behind it; ``sort`` says what is done
    (:data:`SORTS`).
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
        judge: tells what is a word or a spelling of its own; the general one if left out.
    """

    def __init__(self, lang: Language, adapted: Channel | None = None, judge: Credible | None = None) -> None:
        self._lang = lang
        self._lexicon: Lexicon = lang.lexicon
        self._channel = adapted or lang.resource(general_channel)
        self._proposer = LexiconProposer(self._lexicon, self._channel, lang.letters, self._unlisted)
        self._credible = judge or credible(lang)
        self._doubts: dict[str, bool] = {}
        self._weights: dict[str, float] = {}
        self._endings: list[list[str]] = lang.settings["correct"].get("endings", [])

    @cached_property
    def _singles(self) -> frozenset[str]:
        """Words of one letter."""
        return frozenset(self._lang.settings["correct"]["words_of_one_letter"])

    def corrections(
        self,
        text: str,
        parts: Iterable[Span],
        doubts: Sequence[int] | None = None,
        tags: Tags | None = None,
    ) -> Iterator[Correction]:
        """What is wrong in ``parts`` of ``text`` (characters of it), in order; sure or not.

        Args:
            text: a reading.
            parts: where words may be corrected.
            doubts: characters that the net doubts, in order: only words that have one are looked at;
                if left out, those that the lexicon doubts.
            tags: what the net says of the text; weighed with the channel if given.
        """
        witness = Witness(text, tags) if tags else None
        for part in parts:
            for start, stop, firm in self._windows(text, part, doubts):
                window = Window(text, start, stop, firm, witness)
                for found in decode(window, self._proposer, self._lexicon):
                    correction = self._correction(text, found)
                    if correction:
                        yield correction

    def _windows(
        self, text: str, part: Span, doubts: Sequence[int] | None
    ) -> Iterator[tuple[int, int, frozenset[int]]]:
        """Doubtful words with a neighbour on either side; what lies close together is one window.

        With each window go the characters of its words that another reader does not doubt.
        """
        tokens = [m.span() for m in _TOKEN.finditer(text, part.start, part.end)]
        if doubts is None:
            doubtful = [i for i, (a, b) in enumerate(tokens) if self._is_doubtful(text[a:b])]
            marked = set(range(len(tokens)))
        else:
            places = [bisect_left(doubts, end) for a, b in tokens for end in (a - 1, b + 1)]
            marked = {i for i in range(len(tokens)) if places[2 * i] < places[2 * i + 1]}
            words = [text[a:b] for a, b in tokens]
            wanted = _single_letters(words) | {i for i in marked if _is_word(words[i])}
            if self._proposer.is_letterspaced:
                marked = set(range(len(tokens)))
                wanted |= self._torn(words) | {i for i in marked if self._is_strange(words[i])}
            doubtful = sorted(wanted)
            marked.intersection_update(i + step for i in doubtful for step in (-1, 0, 1))
        for first, last in _runs(doubtful):
            some = range(max(0, first - 1), min(len(tokens), last + 2))
            firm = frozenset(at for i in some if i not in marked for at in range(*tokens[i]))
            yield tokens[some[0]][0], tokens[some[-1]][1], firm

    def _torn(self, tokens: Sequence[str]) -> set[int]:
        """Words that make a listed one with the next, beside which they never stand."""
        found: set[int] = set()
        for i, (first, second) in enumerate(pairwise(token.strip(EDGES).lower() for token in tokens)):
            if first + second in self._lexicon and not self._lexicon.neighbours(first, second):
                found |= {i, i + 1}
        return found

    def _is_doubtful(self, token: str) -> bool:
        known = self._doubts.get(token)
        if known is None:
            is_wrong = _is_word(token) and any(self._is_wrong(word) for word in _words(token.strip(EDGES)))
            known = self._doubts[token] = is_wrong
        return known

    def _is_strange(self, token: str) -> bool:
        """Whether some word of the token is in no list."""
        return _is_word(token) and any(self._is_unlisted(word) for word in _words(token.strip(EDGES)))

    def _is_unlisted(self, word: str) -> bool:
        small = word.lower()
        if len(small) == 1 and small not in self._singles:
            return True
        return small not in self._lexicon or _has_stray_capital(word)

    def _is_wrong(self, word: str) -> bool:
        """Whether a word is in no list, or has a rival in it."""
        if self._is_unlisted(word):
            return True
        small = word.lower()
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
        return self._is_inflected(word) or bool(self._credible.modern(word))

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
        if arc.word.endswith("'") and text[arc.end : arc.end + 1] == " " and arc.own is None:
            changes = (*changes, Change(1, "", None))  # nothing stands between l' and its noun
            arc = replace(arc, end=arc.end + 1)
        after = "".join(change.after for change in changes)
        if after.replace("'", "’") == before.replace("'", "’"):
            return None
        if after.lower() == before.lower() and not _has_stray_capital(before):
            return None
        rules = sorted((r for r in arc.rules if r.where), key=lambda r: r.log_rate)
        by = rules[0].where if rules else self._lexicon.where
        sort = self._sort(before, after, arc)
        return Correction(arc.start, arc.end, changes, found.posterior, by, sort)

    def _sort(self, before: str, after: str, arc: Arc) -> str:
        small = before.lower().replace("’", "'")
        if any(c.isspace() for c in before):
            return "closed" if "".join(small.split()) == arc.word else "torn"
        if self._credible.is_kept(before, after):
            return "newer"
        if arc.own is not None and not self._credible.modern(arc.word):
            return "strange"
        if small != arc.word and not self._is_unlisted(small):
            return "known"
        return self._sort_of_unlisted(before, small, arc.word)

    def _sort_of_unlisted(self, before: str, small: str, word: str) -> str:
        if len(small) == 1:
            return "letter"
        if self._credible.is_another([small], [word]):
            return "credible"
        return "name" if before[0].isupper() and before[1:].islower() else "unknown"


def _single_letters(tokens: Sequence[str]) -> set[int]:
    """Which tokens are single letters beside others, as of a word that is set apart."""
    single = [
        i for i, token in enumerate(tokens) if len(token.strip(EDGES)) == 1 and token.strip(EDGES).isalpha()
    ]
    return {i for a, b in pairwise(single) if b == a + 1 for i in (a, b)}


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """First and last of numbers that lie close together, so many at most as are decoded together."""
    first = last = -1
    for i in numbers:
        if first >= 0 and (i - last > 2 or i - first > _LONGEST_WINDOW):
            yield first, last
            first = i
        elif first < 0:
            first = i
        last = i
    if first >= 0:
        yield first, last


def _is_word(token: str) -> bool:
    """Whether a token is one that may be corrected: no number, no initial, not cut off by a hyphen."""
    core = token.strip(EDGES)
    if not _LETTER.search(core) or core[-1] in HYPHENS:
        return False
    return not is_initial(token) and not is_number(core)


def _has_stray_capital(word: str) -> bool:
    """Whether a capital stands inside a word of small letters, but for the second of OEuvres."""
    rest = word[2:] if word.startswith(_TWO_AT_HEAD) else word[1:]
    return rest != rest.lower() and not word.isupper()


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
            if piece[0].isupper() and not _by_shape(change, piece):
                after = after[0].upper() + after[1:]
            done = True
        if change.rule is None and piece == "’":
            after = "’"
        out.append(change._replace(after=after))
        at += change.size
    return tuple(out)


def _by_shape(change: Change, piece: str) -> bool:
    """Whether a capital was read for the shape of a small letter (I for l), and is none in print.

    A capital of another alphabet is one in print too (Latin B for В).
    """
    rule = change.rule
    if rule is None or not rule.print or rule.ocr[:1] != piece[0]:
        return False
    return of_one_alphabet(piece[0], rule.print[0])
