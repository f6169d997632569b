"""Words that are in no list of their orthography and yet are words: the present-day dictionary has them.

золотарь, хашишъ, замучали: too rare for the sources of a lexicon. A correction that makes another
word of one is to be trusted less than one that only restores its old spelling (бежитъ → бѣжитъ). And
older spellings are no misreadings (toûjours): the rows for ``accept`` of the spelling table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from hoyle.languages import language
from hoyle.languages.scripts import look_alikes, script
from hoyle.orthography.spelling import speller
from hoyle.orthography.variants import accepted_spellings, dating_words
from hoyle.resources import lexicon
from hoyle.resources.modern import knows

_REMEMBERED = 100_000
_OLDER = 4
"""Words in 1000 by which a print shows that it is older (rows for ``date`` of the spelling table)."""

_ENOUGH = 3
"""Such words that there must be at least."""

_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 3
"""Letters a word must have: shorter ones are met by chance."""


class Credible:
    """The judgement for one orthography.

    Args:
        tag: the orthography; there must be a lexicon for it.
        older: whether the print is older than the spelling of the lexicon (:func:`is_older`).
    """

    def __init__(self, tag: str, *, older: bool = False) -> None:
        self._words, self._speller, self._knows = lexicon(tag), speller(tag), knows(language(tag).base)
        self._kept = accepted_spellings(language(tag), older=older)
        rows = look_alikes(script(language(tag)), "words", language(tag).base)
        like = {char for row in rows for char in row["ocr"].lower()}
        self._own, self._readable = language(tag).letters, language(tag).letters | like
        self.modern = lru_cache(_REMEMBERED)(self._modern)

    def _modern(self, word: str) -> str:
        """The modern form of a word (small letters) that the present-day dictionary knows; "" of others."""
        found = self._speller.word(word)
        form = found.text if found else word
        return form if self._knows(form) else ""

    def is_kept(self, before: str, after: str) -> bool:
        """Whether the word ``after`` is but a newer spelling of ``before``.

        Both as they stand: rows of small letters hold for capitals too. Rows that put a letter for a letter
        hold for each place alone (legerete → légerete, légereté).
        """
        return self._is_kept(before, after) or self._is_kept(before.lower(), after.lower())

    def _is_kept(self, before: str, after: str) -> bool:
        if any(pattern.search(before) and pattern.sub(new, before) == after for pattern, new in self._kept):
            return True
        letters = {
            (match.start(), new)
            for pattern, new in self._kept
            for match in pattern.finditer(before)
            if len(new) == len(match.group()) == 1
        }
        changed = [(i, new) for i, (old, new) in enumerate(zip(before, after, strict=False)) if old != new]
        return len(before) == len(after) and bool(changed) and letters.issuperset(changed)

    def is_foreign(self, word: str) -> bool:
        """Whether a word (small letters) is of another alphabet, and not of letters of like shape alone."""
        return self._own.isdisjoint(word) and not self._readable.issuperset(word)

    def is_another(self, before: Iterable[str], after: Iterable[str]) -> bool:
        """Whether words that are in no list but credible give way to others, not to their old spelling."""
        unlisted = [word for word in before if word not in self._words]
        forms = [self.modern(word) if len(word) >= _SHORTEST else "" for word in unlisted]
        return bool(forms) and all(forms) and not set(forms) & {self.modern(word) for word in after}


def is_older(text: str, tag: str) -> bool:
    """Whether the text shows by its words that its spelling is older than the lexicon's."""
    pattern = dating_words(language(tag))
    if not pattern:
        return False
    words = [match.group().lower() for match in _WORD.finditer(text)]
    found = sum(pattern.search(word) is not None for word in words)
    return found >= max(_ENOUGH, _OLDER * len(words) / 1000)


@cache
def credible(tag: str, *, older: bool = False) -> Credible:
    """The judgement for an orthography, loaded once."""
    return Credible(tag, older=older)
