"""The search key of a word: what its historical and modern spellings have in common.

``место`` and ``мѣсто``, ``était`` and ``étoit`` have one key. Texts and queries are compared by their
keys, so a rule may join two words that differ, but not two common ones. The rules are the rows for
``search`` of the spelling tables of all orthographies (:mod:`hoyle.orthography.table`): what is
searched holds texts in several, and a query does not say in which it is.

The steps, which any other implementation can follow from :func:`rules`:

1. a word is a letter or digit (Unicode categories L, N) and all letters, digits, marks and soft
   hyphens that follow;
2. it is decomposed (NFKD) and put in small letters; ``и`` + breve becomes ``й`` again, and ``ς``
   becomes ``σ``; whatever is no letter and no digit goes;
3. the rules apply in order, and again until none fits.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

import regex

from hoyle.document import Span
from hoyle.errors import TableError
from hoyle.languages import languages
from hoyle.orthography.table import spelling_changes

_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}\u00AD]*")
_OTHER = regex.compile(r"[^\p{L}\p{N}]+")
_KEPT = (("и\u0306", "й"), ("ς", "σ"))  # a letter of its own; one letter whose form at the end differs
_MANY = 65_536  # word forms kept at hand; more than a book of rules has


class Rule(NamedTuple):
    """``old`` becomes ``new`` at ``where`` in a word if ``stem`` letters are left over.

    Attributes:
        where: ``start``, ``end`` or ``anywhere``.
        old: letters, small and without marks.
        new: the letters that replace them.
        stem: how many letters the word must have beside ``old``.
    """

    where: str
    old: str
    new: str
    stem: int

    def apply(self, word: str) -> str:
        """The word after the rule; the same word where the rule does not fit."""
        if self.old not in word or len(word) < len(self.old) + self.stem:
            return word
        if self.where == "anywhere":
            return word.replace(self.old, self.new)
        if self.where == "start":
            return self.new + word[len(self.old) :] if word.startswith(self.old) else word
        return word[: -len(self.old)] + self.new if word.endswith(self.old) else word


@cache
def _rules() -> tuple[Rule, ...]:
    """The rows for ``search`` of every orthography."""
    found = []
    for change in (row for one in languages().values() for row in spelling_changes(one, "search")):
        where, stem = change.uses["search"]
        old, new = _small(change.old), _small(change.new)
        if old in new or where == "word":
            message = "for the search key, old must not be left in new, and 'where' not be word"
            raise TableError(message, document=change.row.where)
        found.append(Rule(where, old, new, stem))
    return tuple(found)


def _small(word: str) -> str:
    """Step 2: small letters without marks and signs."""
    small = unicodedata.normalize("NFKD", word).lower()
    for parted, whole in _KEPT:
        small = small.replace(parted, whole)
    letters: str = _OTHER.sub("", small)
    return letters


def tokens(text: str) -> list[str]:
    """The words of a text as they stand.

    Args:
        text: any text.

    Returns:
        The words in order.
    """
    found: list[str] = _WORD.findall(text)
    return found


def words(text: str) -> Iterator[tuple[Span, str]]:
    """The words of a text with their search keys.

    Args:
        text: any text.

    Yields:
        The span of each word (characters of ``text``) and its key.

    Raises:
        TableError: a broken spelling table.
    """
    for match in _WORD.finditer(text):
        yield Span(match.start(), match.end()), fold_word(match.group())


@lru_cache(maxsize=_MANY)
def fold_word(word: str) -> str:
    """The search key of one word.

    Args:
        word: a word as :func:`tokens` finds it.

    Returns:
        The key; empty if the word has no letter or digit.

    Raises:
        TableError: a broken spelling table.
    """
    folded = _small(word)
    while True:
        before = folded
        for rule in _rules():
            folded = rule.apply(folded)
        if folded == before:
            return folded


def fold(text: str) -> str:
    """The search keys of the words of a text, one space between them.

    The result has no operator of a query language and can be given to SQLite's ``MATCH`` as it is:
    every word must then occur.

    Args:
        text: any text.

    Returns:
        The keys; words without a key are left out.

    Raises:
        TableError: a broken spelling table.
    """
    return " ".join(filter(None, map(fold_word, tokens(text))))


def rules() -> dict[str, Any]:
    """The rules for other programs; the search of the site reads them.

    Returns:
        An object for JSON: ``word`` and ``other``, regular expressions (flag ``u``) for steps 1 and
        2; ``normalize``, the Unicode normalisation form; ``keep``, pairs of what is found after
        decomposition and what replaces it; ``rules``, lists ``[where, old, new, stem]``.

    Raises:
        TableError: a broken spelling table.
    """
    return {
        "word": _WORD.pattern,
        "other": _OTHER.pattern,
        "normalize": "NFKD",
        "keep": [list(pair) for pair in _KEPT],
        "rules": [list(rule) for rule in _rules()],
    }
