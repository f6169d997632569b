"""Turn the predictions of the tagger into candidates: edits of whole words.

The tagger predicts for each character its replacement and what is inserted after it (edit tagging,
Omelianchuk et al. 2020). The changes of a word, and of words that are joined or split, make one edit; its
probability is that of its least probable change.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Sequence

import numpy as np
import regex

from hoyle.correction.candidate import Candidate, Change
from hoyle.correction.channel import same_script
from hoyle.correction.tagger import Tags, normalise_signs
from hoyle.document import Span
from hoyle.languages import Language

MIN_PROBABILITY = 0.3
"""Probability below which a change is not considered."""

MAX_DELETED = 2
"""Letters or digits in a row that an edit may delete; more is no misread letter."""

MIN_CHANGE = 0.05
"""Probability of a change below which a character is not suspicious."""

CERTAIN = 0.95
"""Probability from which a word that becomes a listed one is not decoded by the lattice."""

_STRAY_CAPITAL = regex.compile(r"(?<=\p{Ll})\p{Lu}")
_WORD = re.compile(r"[^\W\d_]+")
_DELETED = re.compile(rf"\w{{{MAX_DELETED + 1},}}")


def tagger_edits(text: str, tags: Tags, spans: Sequence[Span], by: str) -> Iterator[Candidate]:
    """Group the changes that the tagger predicts into edits of whole words.

    Args:
        text: the edited text of a unit.
        tags: the predictions of the tagger for it.
        spans: stretches of it in which words may be corrected.
        by: evidence of the tagger.

    Yields:
        Candidates in order.
    """
    places: list[int] = np.flatnonzero(tags.change_probability() > MIN_PROBABILITY).tolist()
    for span in spans:
        for start, end in _groups(text, tags, span, places):
            edit = _tagger_edit(text, tags, Span(start, end), by)
            if edit:
                yield edit


def suspicious_characters(text: str, tags: Tags, edits: Iterable[Candidate], language: Language) -> list[int]:
    """Find what the tagger may change, stray capitals, and letters of other alphabets in words.

    Args:
        text: the edited text of a unit.
        tags: the predictions of the tagger for it.
        edits: candidates of the tagger; words that one makes listed ones with :data:`CERTAIN` probability
            are left out.
        language: the language, with a lexicon.

    Returns:
        Offsets in ``text``, in order.
    """
    suspicious = tags.change_probability() >= MIN_CHANGE
    suspicious[[m.start() for m in _STRAY_CAPITAL.finditer(text)]] = True
    for word in _WORD.finditer(text):
        small = word.group().lower()
        if not language.letters.issuperset(small) and not language.letters.isdisjoint(small):
            suspicious[word.start() : word.end()] = True
    for edit in edits:
        if edit.tagger >= CERTAIN and _makes_listed(
            text[edit.start : edit.end], edit.after, language.lexicon
        ):
            suspicious[edit.start : edit.end] = False
    places: list[int] = np.flatnonzero(suspicious).tolist()
    return places


def _makes_listed(before: str, after: str, lexicon: Container[str]) -> bool:
    """Tell whether a change makes listed words of words that are not all listed."""
    was, now = (_WORD.findall(normalise_signs(text).lower()) for text in (before, after))
    return any(w not in lexicon for w in was) and all(w in lexicon for w in now)


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


def _tagger_edit(text: str, tags: Tags, span: Span, by: str) -> Candidate | None:
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
    return Candidate(start, end, tuple(changes), by, tagger=least)


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
