"""Restores damaged words for tagging, if they can only be one word of the cue tables.

An unknown word is read as the only word of the cue tables that differs from it by one OCR confusion
(a row of ``confusions.tsv``). Letters with spaces between them are joined, and words without a space
between them are split, if the result is a word of the cue tables. This affects tags only: the text
remains as the corrector left it, and tags that use such a word have a lower confidence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from hoyle.annotation.lemmas import CueKey, Lemmatise, cue_key, settings
from hoyle.languages import Language
from hoyle.languages import language as language_of

SHORTEST: Final = 6
"""Letters a word needs before one of them may be another."""
LONGEST: Final = 60
"""Most letters of a word in which a confusion is considered: cue words are shorter than half of it, and the
time grows with the square of the length."""
SHORTEST_PART: Final = 3
FEWEST_SINGLE: Final = 2
"""Fewest single letters in a word with spaces between its letters."""
LONGEST_RUN: Final = 12
"""Most pieces of a word with spaces between its letters."""


class DamagedWords:
    """Restores damaged words of one language.

    Args:
        language: the language.
        lemmas: the lemmas of the cue tables.
        lemmatise: returns lemma and word class of a cue key.
        knows: returns whether a cue key is in the dictionary; ``None`` if there is no dictionary.
    """

    def __init__(
        self,
        language: Language,
        lemmas: Collection[str],
        lemmatise: Lemmatise,
        knows: Callable[[str], bool] | None,
    ) -> None:
        self._lemmas = lemmas
        self._lemmatise = lemmatise
        self._knows = knows or (lambda word: lemmatise(word).lemma in lemmas)
        self._key_of = cue_key(language)
        printed = language_of(settings(language)["damage"]["lexicon"])
        self._lexicon = printed.lexicon
        self._confusions = _confusions(printed, self._key_of)

    def is_known(self, word: str) -> bool:
        """Return whether a word (as printed, in any case) is in the dictionary or the lexicon."""
        return self._knows(self._key_of(word)) or word.lower() in self._lexicon

    def restore(self, word: str) -> str:
        """Return the cue key of the only cue word that ``word`` (as printed) may stand for, else nothing."""
        if not SHORTEST <= len(word) <= LONGEST or self.is_known(word):
            return ""
        found = {v for v in self._variants(self._key_of(word)) if self._is_cue_word(v)}
        return found.pop() if len(found) == 1 else ""

    def split_words(self, word: str) -> tuple[str, str] | None:
        """Split a word into two known words, one of them a cue word; ``None`` if that is not possible."""
        if not (SHORTEST <= len(word) <= LONGEST and word.isalpha()) or self.is_known(word):
            return None
        for at in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1):
            pair = word[:at], word[at:]
            if all(map(self.is_known, pair)) and any(self._is_cue_word(self._key_of(part)) for part in pair):
                return pair
        return None

    def spaced_words(self, pieces: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield index ranges of ``pieces`` (of up to three letters) that together are one cue word.

        A confusion of one letter is allowed if most pieces are single letters.
        """
        start = 0
        while start < len(pieces):
            for end in range(min(len(pieces), start + LONGEST_RUN), start + 2, -1):
                word, single = "".join(pieces[start:end]), sum(len(p) == 1 for p in pieces[start:end])
                if single < FEWEST_SINGLE:
                    continue
                if self._is_cue_word(self._key_of(word)) or (single > FEWEST_SINGLE and self.restore(word)):
                    yield start, end
                    start = end - 1
                    break
            start += 1

    def _is_cue_word(self, key: str) -> bool:
        return self._knows(key) and self._lemmatise(key).lemma in self._lemmas

    def _variants(self, word: str) -> Iterator[str]:
        for at in range(len(word)):
            for length in (1, 2):
                for printed in self._confusions.get(word[at : at + length], ()):
                    yield self._key_of(word[:at] + printed + word[at + length :])


def _confusions(language: Language, key_of: CueKey) -> dict[str, tuple[str, ...]]:
    """Return for each letter or pair of letters what it may be a misreading of, as cue keys."""
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for row in language.table("confusions", ["ocr", "print"]):
        ocr, printed = (key_of(row[column].strip()) for column in ("ocr", "print"))
        if ocr.isalpha() and printed.isalpha() and ocr != printed:
            found[ocr][printed] = None
    return {ocr: tuple(printed) for ocr, printed in found.items()}
