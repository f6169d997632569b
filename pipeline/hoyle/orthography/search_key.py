"""The search spelling of a word: what its historical and modern spellings have in common.

``место`` and ``мѣсто``, ``était`` and ``étoit`` fold to one form. Both the texts and what a
reader types are folded, so a rule may join two words that differ; it only must not join common
ones. The rules are rows of ``schemas/fold.tsv`` and hold for every language at once, because
what is searched holds several.

The steps, which any other implementation can follow from :func:`rules`:

1. a word is a letter or digit (Unicode categories L, N) and all letters, digits, marks and soft
   hyphens that follow;
2. it is decomposed (NFKD) and put in small letters; ``и`` + breve becomes ``й`` again; whatever
   is no letter and no digit goes;
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
from hoyle.tables import data_file, read_table

_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}\u00AD]*")
_OTHER = regex.compile(r"[^\p{L}\p{N}]+")
_PLACES = ("anywhere", "start", "end")
_MANY = 65_536  # word forms kept at hand; more than a book of rules has


class Rule(NamedTuple):
    """``old`` becomes ``new`` at ``where`` in a word if ``stem`` letters are left over."""

    where: str
    old: str
    new: str
    stem: int

    def apply(self, word: str) -> str:
        """``word`` after the rule; the same where it does not fit."""
        if self.old not in word or len(word) < len(self.old) + self.stem:
            return word
        if self.where == "anywhere":
            return word.replace(self.old, self.new)
        if self.where == "start":
            return self.new + word[len(self.old) :] if word.startswith(self.old) else word
        return word[: -len(self.old)] + self.new if word.endswith(self.old) else word


@cache
def _rules() -> tuple[Rule, ...]:
    found = []
    for row in read_table(data_file("schemas", "fold.tsv"), Rule._fields):
        if row["where"] not in _PLACES:
            raise TableError(f"where must be one of {', '.join(_PLACES)}", document=row.where)
        if not row["old"] or row["old"] in row["new"]:
            raise TableError("old must not be empty nor be left in new", document=row.where)
        found.append(Rule(row["where"], row["old"], row["new"], int(row.number("stem"))))
    return tuple(found)


def tokens(text: str) -> list[str]:
    """The words of ``text`` as they stand."""
    found: list[str] = _WORD.findall(text)
    return found


def words(text: str) -> Iterator[tuple[Span, str]]:
    """The words of ``text``: span (characters of ``text``) and search spelling of each."""
    for match in _WORD.finditer(text):
        yield Span(match.start(), match.end()), fold_word(match.group())


@lru_cache(maxsize=_MANY)
def fold_word(word: str) -> str:
    """The search spelling of one word (as :func:`words` parts them)."""
    small = unicodedata.normalize("NFKD", word).lower().replace("и\u0306", "й")
    folded: str = _OTHER.sub("", small)
    while True:
        before = folded
        for rule in _rules():
            folded = rule.apply(folded)
        if folded == before:
            return folded


def fold(text: str) -> str:
    """The search spelling of ``text``: its words folded, one space between them.

    What it gives holds no operator of a query language and can be handed to SQLite's ``MATCH``
    as it is: every word must then occur.
    """
    return " ".join(filter(None, map(fold_word, tokens(text))))


def rules() -> dict[str, Any]:
    """The rules for other programs, ready for JSON; the site's search reads them.

    ``word`` and ``other`` are regular expressions (flag ``u``) for step 1 and 2, ``keep`` pairs
    put together again after decomposition, ``rules`` lists ``[where, old, new, stem]``.
    """
    return {
        "word": _WORD.pattern,
        "other": _OTHER.pattern,
        "normalize": "NFKD",
        "keep": [["и\u0306", "й"]],
        "rules": [list(rule) for rule in _rules()],
    }
