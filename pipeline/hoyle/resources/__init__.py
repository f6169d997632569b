"""Lexica and other counted resources, mapped into memory, loaded a language at a time.

A lexicon of the orthography ``xx-yyyy`` is five files here, all written by
``pipeline/training/build_lexicon.py`` and described by ``lexicon_xx_yyyy.toml`` (sources, licences,
command, figures):

``lexicon_xx_yyyy.marisa``, ``.counts``
    word forms (folded to small letters) and, by key id, their quantised counts;
``bigrams_xx_yyyy.marisa``, ``.counts``
    pairs of neighbouring words (``"a b"``, ``"a-b"``) and their quantised counts;
``trigrams_xx_yyyy.counts``
    how probable a letter is after two others, for words that no list holds.

A count ``n`` is kept as one byte ``1 + 8·log2(n)``, rounded: at most 5 % off.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import marisa_trie

from hoyle.errors import TableError
from hoyle.tables import read_toml

STEPS = 8
"""Quantisation steps for each doubling of a count (and for each halving of a probability)."""

UNSEEN = math.log(1e-9)
"""Natural log probability below which no word falls."""

_SHORT = 3
"""Letters of a prefix below which so many forms begin with it that trying each letter is quicker."""

_BACKOFF = 0.4
"""Share of the unigram in a word's probability after another word (the rest is the pair's)."""


def _counts() -> tuple[float, ...]:
    return (0.0, *(2.0 ** ((byte - 1) / STEPS) for byte in range(1, 256)))


_COUNT = _counts()


class Lexicon:
    """The word forms of one orthography and how often they occur.

    Args:
        tag: tag of the orthography (``ru-petr1708``).
        folder: where its files lie.

    Raises:
        TableError: if a file of the lexicon is missing or broken.
    """

    def __init__(self, tag: str, folder: Path) -> None:
        name = tag.replace("-", "_")
        self.where = f"{folder.name}/lexicon_{name}"
        note = read_toml(folder / f"lexicon_{name}.toml")
        try:
            self._total = float(note["tokens"])
            self._letters = {letter: i + 1 for i, letter in enumerate(note["letters"])}
        except KeyError as error:
            raise TableError(f"lacks the key {error}", document=f"{self.where}.toml") from None
        self._words, self._counts = _load(folder / f"lexicon_{name}.marisa")
        self._pairs, self._pair_counts = _load(folder / f"bigrams_{name}.marisa")
        self._trigrams = _read(folder / f"trigrams_{name}.counts")
        self._prefixes: dict[str, bool] = {}
        self._follows: dict[str, str] = {}
        self._alphabet = sorted({*self._letters, "'", "-"})
        self._width = len(self._letters) + 1
        if len(self._trigrams) != self._width**3:
            raise TableError(
                "does not fit the letters of the lexicon; rebuild it", document=f"trigrams_{name}.counts"
            )

    def __contains__(self, form: object) -> bool:
        """Whether the form (small letters) is listed."""
        return form in self._words

    def __len__(self) -> int:
        return len(self._counts)

    def count(self, form: str) -> float:
        """How often the form (small letters) was met in the sources; 0 if never."""
        key = self._words.get(form)
        return 0.0 if key is None else _COUNT[self._counts[key]]

    def log_probability(self, form: str, after: str = "") -> float:
        """The probability of a form in running text, or after another word.

        Word bigrams are interpolated with unigrams.

        Args:
            form: the form, small letters.
            after: the word before it, small letters, if it is to be considered.

        Returns:
            A natural log; :data:`UNSEEN` for a form that is not listed.
        """
        count = self.count(form)
        if not count:
            return UNSEEN
        alone = count / self._total
        before = self.count(after) if after else 0.0
        if not before:
            return math.log(alone)
        pair = self.neighbours(after, form)
        return math.log(_BACKOFF * alone + (1 - _BACKOFF) * pair / (before + _MASS))

    def is_common(self, form: str) -> bool:
        """Whether the form (small letters) is no rarity in the sources: two in a million or more."""
        return self.count(form) >= 2e-6 * self._total

    def neighbours(self, first: str, second: str) -> float:
        """How often two words were met side by side.

        Args:
            first: the first word, small letters.
            second: the word after it, small letters.
        """
        key = self._pairs.get(f"{first} {second}")
        return 0.0 if key is None else _COUNT[self._pair_counts[key]]

    def hyphened(self, first: str, second: str) -> float:
        """How often two words were met with a hyphen between them.

        Args:
            first: the first word, small letters.
            second: the word after the hyphen, small letters.
        """
        key = self._pairs.get(f"{first}-{second}")
        return 0.0 if key is None else _COUNT[self._pair_counts[key]]

    def starts_a_word(self, prefix: str) -> bool:
        """Whether some listed form begins with ``prefix`` (small letters) or is it."""
        known = self._prefixes.get(prefix)
        if known is None:
            if len(self._prefixes) > _REMEMBERED:
                self._prefixes.clear()
            known = self._prefixes[prefix] = next(self._words.iterkeys(prefix), None) is not None
        return known

    def follows(self, prefix: str) -> str:
        """The letters that may follow ``prefix`` (small letters) in a listed form."""
        known = self._follows.get(prefix)
        if known is None:
            if len(self._follows) > _REMEMBERED:
                self._follows.clear()
            at = len(prefix)
            if at < _SHORT:
                found = {c for c in self._alphabet if self.starts_a_word(prefix + c)}
            else:
                found = {form[at] for form in self._words.iterkeys(prefix) if len(form) > at}
            known = self._follows[prefix] = "".join(sorted(found))
        return known

    def forms(self, prefix: str = "") -> list[str]:
        """The listed forms that begin with ``prefix``, sorted."""
        return sorted(self._words.keys(prefix))

    def spelling(self, form: str) -> float:
        """Natural log of how probable the form's sequence of letters is in this orthography."""
        codes = [0, 0, *(self._letters.get(letter, 0) for letter in form), 0]
        width = self._width
        steps = 0
        for i in range(2, len(codes)):
            steps += self._trigrams[(codes[i - 2] * width + codes[i - 1]) * width + codes[i]]
        return -steps * math.log(2) / STEPS


_REMEMBERED = 500_000
"""Prefixes whose answer is kept (some 50 MB)."""

_MASS = 20.0
"""Added to a word's count when its followers are weighed: rare words say little of them."""


def _load(path: Path) -> tuple[Any, bytes]:
    try:
        trie = marisa_trie.Trie().mmap(str(path))
    except (OSError, RuntimeError) as error:
        raise TableError(f"cannot be read ({error})", document=f"{path.parent.name}/{path.name}") from error
    counts = _read(path.with_suffix(".counts"))
    if len(counts) != len(trie):
        raise TableError(
            f"{len(counts)} counts for {len(trie)} keys; rebuild it",
            document=f"{path.parent.name}/{path.name}",
        )
    return trie, counts


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TableError(f"cannot be read ({error})", document=f"{path.parent.name}/{path.name}") from error
