"""Words that are in no list of their orthography and yet are words: the present-day dictionary has them.

золотарь, хашишъ, замучали: too rare for the sources of a lexicon. A correction that makes another
word of one is to be trusted less than one that only restores its old spelling (бежитъ → бѣжитъ). And
older spellings are no misreadings (toûjours): the rows for ``accept`` of the spelling table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from hoyle.languages import Language
from hoyle.languages.scripts import look_alikes, script
from hoyle.orthography.spelling import Speller
from hoyle.orthography.variants import accepted_spellings, dating_words

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
        language: the orthography; there must be a lexicon for it.
        older: whether the print is older than the spelling of the lexicon (:func:`is_older`).
    """

    def __init__(self, language: Language, *, older: bool = False) -> None:
        self._words, self._speller = language.lexicon, language.resource(Speller)
        self._dictionary = language.dictionary
        self._kept = accepted_spellings(language, older=older)
        rows = look_alikes(script(language), "words", language.base)
        like = {char for row in rows for char in row["ocr"].lower()}
        self._own, self._readable = language.letters, language.letters | like
        self.modern = lru_cache(_REMEMBERED)(self._modern)

    def _modern(self, word: str) -> str:
        """The modern form of a word (small letters) that the present-day dictionary knows; "" of others."""
        found = self._speller.word(word)
        form = found.text if found else word
        return form if form in self._dictionary else ""

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


def is_older(text: str, language: Language) -> bool:
    """Whether the text shows by its words that its spelling is older than the lexicon's."""
    pattern = dating_words(language)
    if not pattern:
        return False
    words = [match.group().lower() for match in _WORD.finditer(text)]
    found = sum(pattern.search(word) is not None for word in words)
    return found >= max(_ENOUGH, _OLDER * len(words) / 1000)


def credible(language: Language, *, older: bool = False) -> Credible:
    """The judgement for an orthography, made when first asked for.

    Args:
        language: the orthography; there must be a lexicon for it.
        older: whether the print is older than the spelling of the lexicon.
    """
    return language.resource(_older if older else Credible)


def _older(language: Language) -> Credible:
    return Credible(language, older=True)
