"""Words that the scan left damaged: still told when they can only be one word of the cue tables.

A word that no list knows is read as the one word of the cue tables that OCR could have made it of
(one confusion of ``confusions.tsv``); letters set or read apart are put together, words run together
are parted, if what comes out is known and has to do with the cue tables. Only the tags see this: the
text stays as the corrector left it, and what rests on such a word is less certain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from hoyle.annotation.lemmas import Fold, Lemmatise, folder, settings
from hoyle.languages import Language
from hoyle.languages import language as language_of

SHORTEST: Final = 6
"""Letters a word needs before one of them may be another."""
LONGEST: Final = 60
"""Letters of the longest word that is tried: the cue tables have none of half of it, and the time grows with
the square of the length."""
SHORTEST_PART: Final = 3
FEWEST_SINGLE: Final = 2
"""Single letters that a word set apart must have."""
LONGEST_RUN: Final = 12
"""Pieces that a word set apart may have."""


class Mender:
    """What damaged words of one language are taken for.

    Args:
        language: the language.
        lemmas: lemmas that the cue tables ask for.
        lemmatise: gives lemma and class of a folded word.
        knows: whether a folded word is in a dictionary, if there is one.
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
        self._fold = folder(language)
        printed = language_of(settings(language)["damage"]["lexicon"])
        self._lexicon = printed.lexicon
        self._confusions = _confusions(printed, self._fold)

    def known(self, word: str) -> bool:
        """Whether a word (as printed, any case) is one."""
        return self._knows(self._fold(word)) or word.lower() in self._lexicon

    def repaired(self, word: str) -> str:
        """The folded word of the cue tables that ``word`` (as printed) is a misreading of, or nothing."""
        if not SHORTEST <= len(word) <= LONGEST or self.known(word):
            return ""
        found = {v for v in self._variants(self._fold(word)) if self._told(v)}
        return found.pop() if len(found) == 1 else ""

    def parts(self, word: str) -> tuple[str, str] | None:
        """Two known words that ``word`` is run together of, one of them of the cue tables."""
        if not (SHORTEST <= len(word) <= LONGEST and word.isalpha()) or self.known(word):
            return None
        for at in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1):
            pair = word[:at], word[at:]
            if all(map(self.known, pair)) and any(self._told(self._fold(part)) for part in pair):
                return pair
        return None

    def runs(self, pieces: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Stretches of ``pieces`` (of up to three letters) that make up a word of the cue tables.

        One of its letters may be misread if most of it is set apart.
        """
        start = 0
        while start < len(pieces):
            for end in range(min(len(pieces), start + LONGEST_RUN), start + 2, -1):
                word, single = "".join(pieces[start:end]), sum(len(p) == 1 for p in pieces[start:end])
                if single < FEWEST_SINGLE:
                    continue
                if self._told(self._fold(word)) or (single > FEWEST_SINGLE and self.repaired(word)):
                    yield start, end
                    start = end - 1
                    break
            start += 1

    def _told(self, folded: str) -> bool:
        return self._knows(folded) and self._lemmatise(folded).lemma in self._lemmas

    def _variants(self, word: str) -> Iterator[str]:
        for at in range(len(word)):
            for length in (1, 2):
                for printed in self._confusions.get(word[at : at + length], ()):
                    yield self._fold(word[:at] + printed + word[at + length :])


def _confusions(language: Language, fold: Fold) -> dict[str, tuple[str, ...]]:
    """What each misread letter or pair may stand for, folded."""
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for row in language.table("confusions", ["ocr", "print"]):
        ocr, printed = (fold(row[column].strip()) for column in ("ocr", "print"))
        if ocr.isalpha() and printed.isalpha() and ocr != printed:
            found[ocr][printed] = None
    return {ocr: tuple(printed) for ocr, printed in found.items()}
