"""Words that are in no list of their orthography and yet are words: the present-day dictionary has them.

золотарь, хашишъ, замучали: too rare for the sources of a lexicon. A correction that makes another
word of one is to be trusted less than one that only restores its old spelling (бежитъ → бѣжитъ). And
older spellings are no misreadings (toûjours): ``kept.tsv`` of the language says which.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from hoyle.languages import language
from hoyle.resources import lexicon
from hoyle.resources.modern import knows
from hoyle.stages.spelling import speller

_REMEMBERED = 100_000
_SHORTEST = 3
"""Letters a word must have: shorter ones are met by chance."""


class Credible:
    """The judgement for one orthography.

    Args:
        tag: the orthography; there must be a lexicon for it.
    """

    def __init__(self, tag: str) -> None:
        self._words, self._speller, self._knows = lexicon(tag), speller(tag), knows(language(tag).base)
        rows = language(tag).table("kept", ["old", "new", "example"])
        self._kept = [(re.compile(row["old"]), row["new"]) for row in rows]
        self.modern = lru_cache(_REMEMBERED)(self._modern)

    def _modern(self, word: str) -> str:
        """The modern form of a word (small letters) that the present-day dictionary knows; "" of others."""
        found = self._speller.word(word)
        form = found.text if found else word
        return form if self._knows(form) else ""

    def is_kept(self, before: str, after: str) -> bool:
        """Whether the word ``after`` is but a newer spelling of ``before`` by ``kept.tsv``."""
        return any(
            pattern.search(before) and pattern.sub(new, before) == after for pattern, new in self._kept
        )

    def is_another(self, before: Iterable[str], after: Iterable[str]) -> bool:
        """Whether words that are in no list but credible give way to others, not to their old spelling."""
        unlisted = [word for word in before if word not in self._words]
        forms = [self.modern(word) if len(word) >= _SHORTEST else "" for word in unlisted]
        return bool(forms) and all(forms) and not set(forms) & {self.modern(word) for word in after}


@cache
def credible(tag: str) -> Credible:
    """The judgement for an orthography, loaded once."""
    return Credible(tag)
