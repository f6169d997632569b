"""Word corrections from the neural tagger: its tags by word, let through by what the lexicon knows.

The net says of each character what it becomes; here the changes of a word (and of words it joins or
parts) are taken together, as probable as the least probable of them. How sure the net must be depends
on what is done (:func:`sort_of`): to make a listed word of an unlisted one takes little, to make an
unlisted one of a listed one takes nearly certainty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from net import Tag

from hoyle.model import Span
from hoyle.resources import Lexicon
from hoyle.stages.lattice import Change
from hoyle.stages.proposer import is_number

FLOOR = 0.3
"""Probability below which a change is not considered."""

LONGEST_LOSS = 2
"""Letters or digits in a row that a word may lose; more is no misreading of a letter."""

COMMONER = 20.0
"""A word this many times as common may take the place of a listed one at lower probability."""

SORTS = ("listed", "commoner", "known", "signs", "strange", "unlisted", "number")
"""What a rewriting does to the words of a place.

``listed``: words that were in no list come to be; ``commoner``: listed ones give way to far commoner
ones; ``known``: listed ones to listed ones; ``signs``: the words stay, only signs and spaces change;
``strange``: unlisted words to unlisted ones; ``unlisted``: listed ones to unlisted ones; ``number``: a
number changes.
"""

_TOKEN = re.compile(r"\S+")
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


def rewritings(text: str, tags: Sequence[Tag], parts: Sequence[Span], words: Lexicon) -> Iterator[Rewriting]:
    """What the tags make of the words in ``parts`` of the text, sure or not, in order."""
    for part in parts:
        for start, end in _groups(text, tags, part):
            found = _rewriting(text, tags, start, end, words)
            if found:
                yield found


def is_sure(rewriting: Rewriting, limits: Mapping[str, float]) -> bool:
    """Whether the rewriting is probable enough for its sort."""
    return rewriting.probability >= limits.get(rewriting.sort, 2.0)


def _groups(text: str, tags: Sequence[Tag], part: Span) -> Iterator[tuple[int, int]]:
    """Words whose tags change something, those together whose space goes."""
    start = -1
    end = part.start
    for match in _TOKEN.finditer(text, part.start, part.end):
        if start >= 0 and any(_goes(tags[i]) for i in range(end, match.start())):
            end = match.end()
            continue
        if start >= 0 and any(_changes(tags[i]) for i in range(start, end)):
            yield start, end
        start, end = match.span()
    if start >= 0 and any(_changes(tags[i]) for i in range(start, end)):
        yield start, end


def _goes(tag: Tag) -> bool:
    return tag.becomes_p > 0.5


def _changes(tag: Tag) -> bool:
    return max(tag.becomes_p, tag.after_p) > FLOOR


def _rewriting(text: str, tags: Sequence[Tag], start: int, end: int, words: Lexicon) -> Rewriting | None:
    changes: list[Change] = []
    least = 1.0
    for i in range(start, end):
        tag, char = tags[i], text[i]
        becomes = char
        if char.isspace():
            becomes = tag.becomes if _goes(tag) else char
            least = min(least, tag.becomes_p) if _goes(tag) else least
        elif tag.becomes_p > FLOOR:
            becomes = tag.becomes
            least = min(least, tag.becomes_p)
        if tag.after_p > FLOOR:
            becomes += tag.after
            least = min(least, tag.after_p)
        changes.append(Change(1, becomes, None))
    before, after = text[start:end], "".join(c.after for c in changes)
    if before == after or not after.strip() or _loses_much(before, changes):
        return None
    return Rewriting(start, end, tuple(changes), least, sort_of(before, after, words))


def _loses_much(before: str, changes: Sequence[Change]) -> bool:
    gone = "".join(char if not change.after else " " for char, change in zip(before, changes, strict=True))
    return _LOST.search(gone) is not None


def sort_of(before: str, after: str, words: Lexicon) -> str:
    """What it does to the words of ``before`` to read ``after``; see :data:`SORTS`."""
    if any(is_number(token.strip(".,;:()§")) or token.isdigit() for token in before.split()):
        return "number"
    was, now = _counts(before, words), _counts(after, words)
    if [w for w, _ in was] == [w for w, _ in now] or not now:
        return "signs"
    had, has = min((n for _, n in was), default=0.0), min(n for _, n in now)
    if had == 0:
        return "listed" if has > 0 else "strange"
    if has == 0:
        return "unlisted"
    return "commoner" if has >= COMMONER * had else "known"


def _counts(text: str, words: Lexicon) -> list[tuple[str, float]]:
    """The words of the text in small letters, and their counts."""
    found = [m.group().lower().replace("’", "'") for m in _WORD.finditer(text)]
    return [(word, words.count(word)) for word in found]
