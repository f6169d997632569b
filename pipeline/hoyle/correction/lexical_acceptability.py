"""Judge whether an unlisted form may be a word all the same.

золотарь, хашишъ, замучали are too rare for the sources of a lexicon, but the present-day dictionary has
them. A change of such a word to another is less reliable than one that only restores its old spelling
(бежитъ → бѣжитъ). And older spellings are no misreadings (toûjours): rows for ``accept`` of the spelling
table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from hoyle.languages import Language
from hoyle.languages.scripts import look_alikes, script
from hoyle.orthography.spelling import Speller
from hoyle.orthography.variants import accepted_spellings, dating_words

_CACHE_SIZE = 100_000
_MIN_OLDER_RATE = 4
"""Words in 1000 by which a print shows an older spelling (rows for ``date`` of the spelling table)."""

_MIN_OLDER_WORDS = 3
"""Number of such words that there must be at least."""

_WORD = re.compile(r"[^\W\d_]+")
_MIN_LETTERS = 3
"""Letters that a word must have; shorter ones are in the dictionary by chance."""


class LexicalAcceptability:
    """Lexical acceptability for one orthography.

    Args:
        language: the orthography, with a lexicon.
        older: whether the print is older than the spelling of the lexicon (:func:`has_older_spelling`).
    """

    def __init__(self, language: Language, *, older: bool = False) -> None:
        self._lexicon, self._speller = language.lexicon, language.resource(Speller)
        self._dictionary = language.dictionary
        self._accepted = accepted_spellings(language, older=older)
        rows = look_alikes(script(language), "words", language.base)
        look_alike = {char for row in rows for char in row["ocr"].lower()}
        self._own, self._readable = language.letters, language.letters | look_alike
        self.modern_form = lru_cache(_CACHE_SIZE)(self._modern_form)

    def _modern_form(self, word: str) -> str:
        """Return the modern form of a word (lower case) if the present-day dictionary has it, else ""."""
        found = self._speller.word(word)
        form = found.text if found else word
        return form if form in self._dictionary else ""

    def is_modernisation(self, before: str, after: str) -> bool:
        """Tell whether a change only replaces an older spelling by a newer one.

        Rows of the spelling table in lower case hold for capitals too. Rows that replace one letter hold
        for each place alone (legerete → légerete, légereté).

        Args:
            before: the word as it stands.
            after: the word that replaces it.

        Returns:
            Whether ``after`` is a newer spelling of ``before``.
        """
        return self._is_modernisation(before, after) or self._is_modernisation(before.lower(), after.lower())

    def _is_modernisation(self, before: str, after: str) -> bool:
        if any(
            pattern.search(before) and pattern.sub(new, before) == after for pattern, new in self._accepted
        ):
            return True
        letters = {
            (match.start(), new)
            for pattern, new in self._accepted
            for match in pattern.finditer(before)
            if len(new) == len(match.group()) == 1
        }
        changed = [(i, new) for i, (old, new) in enumerate(zip(before, after, strict=False)) if old != new]
        return len(before) == len(after) and bool(changed) and letters.issuperset(changed)

    def is_other_script(self, word: str) -> bool:
        """Tell whether a word (lower case) is of another script, and not only of look-alike letters."""
        return self._own.isdisjoint(word) and not self._readable.issuperset(word)

    def replaces_acceptable(self, before: Iterable[str], after: Iterable[str]) -> bool:
        """Tell whether a change replaces unlisted but acceptable words by others, not by their old spelling.

        Args:
            before: the words as they stand, in lower case.
            after: the words that replace them, in lower case.

        Returns:
            Whether all unlisted words of ``before`` are acceptable and ``after`` has none of their modern
            forms.
        """
        unlisted = [word for word in before if word not in self._lexicon]
        forms = [self.modern_form(word) if len(word) >= _MIN_LETTERS else "" for word in unlisted]
        return bool(forms) and all(forms) and not set(forms) & {self.modern_form(word) for word in after}


def has_older_spelling(text: str, language: Language) -> bool:
    """Tell whether the spelling of a text is older than that of the lexicon.

    Args:
        text: the raw text of a document, or a part of it.
        language: its language; rows for ``date`` of the spelling table name the words that show it.

    Returns:
        Whether the text has enough of these words.
    """
    pattern = dating_words(language)
    if not pattern:
        return False
    words = [match.group().lower() for match in _WORD.finditer(text)]
    found = sum(pattern.search(word) is not None for word in words)
    return found >= max(_MIN_OLDER_WORDS, _MIN_OLDER_RATE * len(words) / 1000)


def acceptability_of(language: Language, *, older: bool = False) -> LexicalAcceptability:
    """Return the lexical acceptability for an orthography, made when first asked for.

    Args:
        language: the orthography, with a lexicon.
        older: whether the print is older than the spelling of the lexicon.

    Returns:
        The shared instance of the language.
    """
    return language.resource(_for_older_print if older else LexicalAcceptability)


def _for_older_print(language: Language) -> LexicalAcceptability:
    return LexicalAcceptability(language, older=True)
