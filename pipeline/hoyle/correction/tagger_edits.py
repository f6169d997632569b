"""Word corrections from the neural tagger: its tags by word, let through by what the lexicon knows.

The net says of each character what it becomes; here the changes of a word (and of words it joins or
parts) are taken together, as probable as the least probable of them. How sure the net must be depends
on what is done (:func:`sort_of`): to make a listed word of an unlisted one takes little, to make an
unlisted one of a listed one takes nearly certainty.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hoyle.correction.candidates import is_number
from hoyle.correction.channel import of_one_alphabet
from hoyle.correction.lattice import Change
from hoyle.correction.lexical_acceptability import Credible
from hoyle.correction.tagger import Tags, usual
from hoyle.document import Span
from hoyle.resources import Lexicon

FLOOR = 0.3
"""Probability below which a change is not considered."""

LONGEST_LOSS = 2
"""Letters or digits in a row that a word may lose; more is no misreading of a letter."""

COMMONER = 20.0
"""A word this many times as common may take the place of a listed one at lower probability."""

SORTS = (
    *("listed", "commoner", "known", "strange", "credible", "newer", "unlisted", "number", "foreign"),
    *("read", "gone", "signs", "points", "signs put", "dashes", "capitals", "lowered", "spaces"),
)
"""What a rewriting does.

To words: ``listed``: words that were in no list come to be; ``commoner``: listed ones give way to far
commoner ones; ``known``: listed ones to listed ones; ``strange``: unlisted words to unlisted ones;
``credible``: unlisted words that may well be words to others
(:mod:`hoyle.correction.lexical_acceptability`); ``newer``: older spellings to newer ones, which is never
done; ``unlisted``: listed ones to unlisted ones; ``number``:
a number changes; ``foreign``: a word of another alphabet changes; ``read``: words come of signs alone;
``gone``: signs alone are left of words.

Where the words stay: ``signs``: signs change or go; ``points``: a point or comma becomes another; ``dashes``:
a dash does; ``signs put``: there are more signs; ``capitals``: letters become capital or small; ``lowered``:
words lose the capital at their head; ``spaces``: nothing else changes.
"""

_DASHES = str.maketrans("–—", "--")
_POINTS = str.maketrans(",;:!?", ".....")

_SHORT = 4
"""Characters of a token from which on a digit in it is taken for a letter."""

_WORD = re.compile(r"[^\W\d_]+(?:['’](?=\s|$))?")
_LOST = re.compile(rf"\w{{{LONGEST_LOSS + 1},}}")


@dataclass(frozen=True, slots=True)
class Rewriting:
    """``[start, end)`` of the text, one or more whole words, shall read ``after``, piece by piece."""

    start: int
    end: int
    changes: tuple[Change, ...]
    probability: float
    sort: str

    @property
    def after(self) -> str:
        """What it shall read."""
        return "".join(change.after for change in self.changes)


def rewritings(
    text: str, tags: Tags, parts: Sequence[Span], words: Lexicon, judge: Credible
) -> Iterator[Rewriting]:
    """What the tags make of the words in ``parts`` of the text, sure or not, in order.

    Args:
        text: a reading.
        tags: what the net says of it.
        parts: where words may be changed.
        words: the lexicon.
        judge: tells what is a word or a spelling of its own.
    """
    places: list[int] = np.flatnonzero(tags.change() > FLOOR).tolist()
    for part in parts:
        for start, end in _groups(text, tags, part, places):
            found = _rewriting(text, tags, Span(start, end), words, judge)
            if found:
                yield found


def _groups(text: str, tags: Tags, part: Span, places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Words with one of the ``places``, those together whose space goes."""
    done = part.start
    for at in places[bisect_left(places, part.start) : bisect_left(places, part.end)]:
        if at < done or (text[at].isspace() and not _goes(tags, at)):
            continue
        start, end = at, at + 1
        while start > done and _holds(text, tags, start - 1):
            start -= 1
        while end < part.end and _holds(text, tags, end):
            end += 1
        yield start, end
        done = end


def _goes(tags: Tags, at: int) -> bool:
    return bool(tags.becomes_p[at, 0] > 0.5)


def _holds(text: str, tags: Tags, at: int) -> bool:
    """Whether the character holds its neighbours together: it is no space, or one that goes."""
    return not text[at].isspace() or _goes(tags, at)


def _rewriting(text: str, tags: Tags, span: Span, words: Lexicon, judge: Credible) -> Rewriting | None:
    changes: list[Change] = []
    least = 1.0
    start, end = span
    for i in range(start, end):
        becomes = text[i]
        chance, floor = float(tags.becomes_p[i, 0]), 0.5 if becomes.isspace() else FLOOR
        if chance > floor and usual(becomes) != tags.becoming(i):
            becomes, least = _becoming(text, tags, i), min(least, chance)
        if tags.after_p[i, 0] > FLOOR:
            becomes, least = becomes + tags.following(i), min(least, float(tags.after_p[i, 0]))
        changes.append(Change(1, becomes, None))
    before, after = text[start:end], "".join(c.after for c in changes)
    if before == after or not after.strip() or _loses_much(before, changes) or _loses_capitals(before, after):
        return None
    return Rewriting(start, end, tuple(changes), least, sort_of(before, after, words, judge))


def _becoming(text: str, tags: Tags, at: int) -> str:
    """What a character becomes; a capital of another alphabet at the head of a word (Latin B) stays one."""
    read, becomes = text[at], tags.becoming(at)
    at_head = at == 0 or not text[at - 1].isalpha()
    if at_head and read.isupper() and becomes.isalpha() and not of_one_alphabet(read, becomes):
        return becomes.upper()
    return becomes


def _loses_capitals(before: str, after: str) -> bool:
    """Whether words set in capitals would not be any more."""
    return before.isupper() and sum(map(str.isupper, before)) > 1 and not after.isupper()


def _loses_much(before: str, changes: Sequence[Change]) -> bool:
    gone = "".join(char if not change.after else " " for char, change in zip(before, changes, strict=True))
    return _LOST.search(gone) is not None


def sort_of(before: str, after: str, words: Lexicon, judge: Credible) -> str:
    """What it does to the words of ``before`` to read ``after``; see :data:`SORTS`."""
    if any(map(_may_be_number, before.split())):
        return "number"
    was, now = _words(before), _words(after)
    old, new = _small(was), _small(now)
    if old == new or not old or not new:
        return _signs(before, after)
    if judged := _judged(was, now, judge):
        return judged
    had, has = min(map(words.count, old)), min(map(words.count, new))
    if had == 0:
        return "listed" if has > 0 else "strange"
    if has == 0:
        return "unlisted"
    return "commoner" if has >= COMMONER * had else "known"


def _signs(before: str, after: str) -> str:
    """What becomes of the signs of words that stay, or of signs without a word."""
    was, now = "".join(before.split()), "".join(after.split())
    had, has = _letters(was), _letters(now)
    if was == now:
        return "spaces"
    if bool(had) != bool(has):
        return "read" if has else "gone"
    if had != has:
        return "lowered" if has == _lowered(before) else "capitals"
    if was.translate(_DASHES) == now.translate(_DASHES):
        return "dashes"
    if was.translate(_POINTS) == now.translate(_POINTS):
        return "points"
    return "signs put" if len(now) > len(was) else "signs"


def _lowered(text: str) -> str:
    """The letters of words without their capital at the head."""
    return _letters(" ".join(word[0].lower() + word[1:] for word in _WORD.findall(text)))


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))


def _may_be_number(token: str) -> bool:
    """Whether a token is a number, or as short as one and with a digit in it."""
    core = token.strip(".,;:()§")
    return is_number(core) or (len(core) < _SHORT and any(char.isdigit() for char in core))


def _judged(was: Sequence[str], now: Sequence[str], judge: Credible) -> str:
    """``foreign``, ``newer`` or ``credible``, if the words are that."""
    small = _small(was)
    if any(map(judge.is_foreign, small)):
        return "foreign"
    if len(was) == len(now) and all(a == b or judge.is_kept(a, b) for a, b in zip(was, now, strict=True)):
        return "newer"
    return "credible" if judge.is_another(small, _small(now)) else ""


def _words(text: str) -> list[str]:
    return [usual(word) for word in _WORD.findall(text)]


def _small(words: Sequence[str]) -> list[str]:
    return [word.lower() for word in words]
