"""Turn the predictions of the tagger into edits of whole words, and classify them by the lexicon.

The tagger predicts for each character its replacement and what is inserted after it (edit tagging,
Omelianchuk et al. 2020). The changes of a word, and of words that are joined or split, make one edit; its
probability is that of its least probable change. How much is needed depends on the change type
(:func:`classify_change`): little to make a listed word of an unlisted one, near certainty to make an
unlisted one of a listed one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hoyle.correction.channel import same_script
from hoyle.correction.lattice import Change
from hoyle.correction.lexical_acceptability import LexicalAcceptability
from hoyle.correction.tagger import Tags, normalise_signs
from hoyle.correction.tokens import is_number
from hoyle.document import Span
from hoyle.resources import Lexicon

MIN_PROBABILITY = 0.3
"""Probability below which a change is not considered."""

MAX_DELETED = 2
"""Letters or digits in a row that an edit may delete; more is no misread letter."""

FREQUENCY_RATIO = 20.0
"""A word this many times as frequent may replace a listed one at a lower probability."""

CHANGE_TYPES = (
    *("unlisted_to_listed", "to_more_frequent", "listed_to_listed", "unlisted_to_unlisted", "acceptable"),
    *(
        "modernised",
        "listed_to_unlisted",
        "number",
        "other_script",
        "signs_to_word",
        "word_to_signs",
        "signs",
    ),
    *("mark_replaced", "signs_added", "dash_replaced", "case", "initial_lowercased", "spaces"),
)
"""Change types of the tagger.

Of words: ``unlisted_to_listed``, ``listed_to_listed``, ``listed_to_unlisted`` and
``unlisted_to_unlisted``; ``to_more_frequent``: a listed word becomes a far more frequent one;
``acceptable``: an unlisted word that may well be a word becomes another
(:mod:`hoyle.correction.lexical_acceptability`); ``modernised``: an older spelling becomes a newer one, which
is never done; ``number``: a number changes; ``other_script``: a word of another script changes;
``signs_to_word``: signs become a word; ``word_to_signs``: only signs are left of a word.

Where the words stay: ``signs``: signs change or are deleted; ``mark_replaced``: a punctuation mark becomes
another; ``dash_replaced``: a dash does; ``signs_added``: there are more signs; ``case``: letters become
capital or lower case; ``initial_lowercased``: words lose the capital at their head; ``spaces``: nothing else
changes.
"""

_DASHES = str.maketrans("–—", "--")
_POINTS = str.maketrans(",;:!?", ".....")

_SHORT = 4
"""Characters of a token from which a digit in it is taken for a misread letter."""

_WORD = re.compile(r"[^\W\d_]+(?:['’](?=\s|$))?")
_DELETED = re.compile(rf"\w{{{MAX_DELETED + 1},}}")


@dataclass(frozen=True, slots=True)
class TaggerEdit:
    """An edit of one or more whole words: ``[start, end)`` of the text reads ``after``.

    ``changes`` covers it piece by piece; ``probability`` is that of its least probable change.
    """

    start: int
    end: int
    changes: tuple[Change, ...]
    probability: float
    change_type: str

    @property
    def after(self) -> str:
        """The replacement text."""
        return "".join(change.after for change in self.changes)


def tagger_edits(
    text: str, tags: Tags, spans: Sequence[Span], lexicon: Lexicon, acceptability: LexicalAcceptability
) -> Iterator[TaggerEdit]:
    """Group the changes that the tagger predicts into edits of whole words.

    Args:
        text: the edited text of a unit.
        tags: the predictions of the tagger for it.
        spans: stretches of it in which words may be corrected.
        lexicon: the lexicon of the language.
        acceptability: lexical acceptability for the document.

    Yields:
        Edits in order, each with its change type.
    """
    places: list[int] = np.flatnonzero(tags.change_probability() > MIN_PROBABILITY).tolist()
    for span in spans:
        for start, end in _groups(text, tags, span, places):
            edit = _tagger_edit(text, tags, Span(start, end), lexicon, acceptability)
            if edit:
                yield edit


def _groups(text: str, tags: Tags, span: Span, places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the words with one of the ``places``; words whose space is removed are one group."""
    done = span.start
    for at in places[bisect_left(places, span.start) : bisect_left(places, span.end)]:
        if at < done or (text[at].isspace() and not _is_removed(tags, at)):
            continue
        start, end = at, at + 1
        while start > done and _is_inside(text, tags, start - 1):
            start -= 1
        while end < span.end and _is_inside(text, tags, end):
            end += 1
        yield start, end
        done = end


def _is_removed(tags: Tags, at: int) -> bool:
    return bool(tags.replacement_p[at, 0] > 0.5)


def _is_inside(text: str, tags: Tags, at: int) -> bool:
    """Tell whether a character joins its neighbours: it is no space, or one that is removed."""
    return not text[at].isspace() or _is_removed(tags, at)


def _tagger_edit(
    text: str, tags: Tags, span: Span, lexicon: Lexicon, acceptability: LexicalAcceptability
) -> TaggerEdit | None:
    changes: list[Change] = []
    least = 1.0
    start, end = span
    for i in range(start, end):
        becomes = text[i]
        chance, threshold = float(tags.replacement_p[i, 0]), 0.5 if becomes.isspace() else MIN_PROBABILITY
        if chance > threshold and normalise_signs(becomes) != tags.replacement_at(i):
            becomes, least = _replacement(text, tags, i), min(least, chance)
        if tags.insertion_p[i, 0] > MIN_PROBABILITY:
            becomes, least = becomes + tags.insertion_at(i), min(least, float(tags.insertion_p[i, 0]))
        changes.append(Change(1, becomes, None))
    before, after = text[start:end], "".join(c.after for c in changes)
    if (
        before == after
        or not after.strip()
        or _deletes_too_much(before, changes)
        or _loses_capitals(before, after)
    ):
        return None
    return TaggerEdit(
        start, end, tuple(changes), least, classify_change(before, after, lexicon, acceptability)
    )


def _replacement(text: str, tags: Tags, at: int) -> str:
    """Return the replacement; a capital of another script at the head of a word (Latin B) stays one."""
    read, becomes = text[at], tags.replacement_at(at)
    at_head = at == 0 or not text[at - 1].isalpha()
    if at_head and read.isupper() and becomes.isalpha() and not same_script(read, becomes):
        return becomes.upper()
    return becomes


def _loses_capitals(before: str, after: str) -> bool:
    """Tell whether words set in capitals would not be any more."""
    return before.isupper() and sum(map(str.isupper, before)) > 1 and not after.isupper()


def _deletes_too_much(before: str, changes: Sequence[Change]) -> bool:
    remaining = "".join(
        char if not change.after else " " for char, change in zip(before, changes, strict=True)
    )
    return _DELETED.search(remaining) is not None


def classify_change(before: str, after: str, lexicon: Lexicon, acceptability: LexicalAcceptability) -> str:
    """Classify an edit by what it does to the words.

    Args:
        before: the words as they stand.
        after: the words that replace them.
        lexicon: the lexicon of the language.
        acceptability: lexical acceptability for the document.

    Returns:
        One of :data:`CHANGE_TYPES`.
    """
    if any(map(_may_be_number, before.split())):
        return "number"
    was, now = _words(before), _words(after)
    old, new = _small(was), _small(now)
    if old == new or not old or not new:
        return _change_of_signs(before, after)
    if change_type := _change_of_acceptable(was, now, acceptability):
        return change_type
    had, has = min(map(lexicon.count, old)), min(map(lexicon.count, new))
    if had == 0:
        return "unlisted_to_listed" if has > 0 else "unlisted_to_unlisted"
    if has == 0:
        return "listed_to_unlisted"
    return "to_more_frequent" if has >= FREQUENCY_RATIO * had else "listed_to_listed"


def _change_of_signs(before: str, after: str) -> str:
    """Classify an edit that changes only signs, or signs that stand without a word."""
    was, now = "".join(before.split()), "".join(after.split())
    had, has = _letters(was), _letters(now)
    if was == now:
        return "spaces"
    if bool(had) != bool(has):
        return "signs_to_word" if has else "word_to_signs"
    if had != has:
        return "initial_lowercased" if has == _lowered(before) else "case"
    if was.translate(_DASHES) == now.translate(_DASHES):
        return "dash_replaced"
    if was.translate(_POINTS) == now.translate(_POINTS):
        return "mark_replaced"
    return "signs_added" if len(now) > len(was) else "signs"


def _lowered(text: str) -> str:
    """Return the letters of words without the capital at their head."""
    return _letters(" ".join(word[0].lower() + word[1:] for word in _WORD.findall(text)))


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))


def _may_be_number(token: str) -> bool:
    """Tell whether a token is a number, or as short as one and with a digit in it."""
    core = token.strip(".,;:()§")
    return is_number(core) or (len(core) < _SHORT and any(char.isdigit() for char in core))


def _change_of_acceptable(was: Sequence[str], now: Sequence[str], acceptability: LexicalAcceptability) -> str:
    """Return ``other_script``, ``modernised`` or ``acceptable`` if the edit is that, else an empty text."""
    small = _small(was)
    if any(map(acceptability.is_other_script, small)):
        return "other_script"
    if len(was) == len(now) and all(
        a == b or acceptability.is_modernisation(a, b) for a, b in zip(was, now, strict=True)
    ):
        return "modernised"
    return "acceptable" if acceptability.replaces_acceptable(small, _small(now)) else ""


def _words(text: str) -> list[str]:
    return [normalise_signs(word) for word in _WORD.findall(text)]


def _small(words: Sequence[str]) -> list[str]:
    return [word.lower() for word in words]
