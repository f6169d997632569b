"""The spelling table compiled for normalisation: letters, words, phrases, contrasts and rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from hoyle.document import Evidence
from hoyle.orthography.table import SpellingChange


class Modern(NamedTuple):
    """A modern spelling and why it is that."""

    text: str
    why: Evidence


class Phrase(NamedTuple):
    """A phrase: its words in small letters (``*`` is any word), its modern spelling and why."""

    words: tuple[str, ...]
    new: str
    why: Evidence


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the kind ``hyphen``, ``rule`` or ``variant``.

    Attributes:
        pattern: the older spelling, on small letters.
        new: the newer spelling.
        kind: the kind of the row.
        when: how far the rule goes: ``always``; ``unless-known``, only if modern orthography does not
            know the form; ``if-known``, only if a known form comes of it; ``adverb``, of two words
            with a hyphen if the first is an adverb and the last one a participle, short adjective,
            adverb or verb.
        p: probability that the change is right.
        where: file and line of the row.
    """

    pattern: re.Pattern[str]
    new: str
    kind: str
    when: str
    p: float
    where: str

    def results(self, form: str) -> Iterator[str]:
        """The form with one match replaced, for each match.

        Args:
            form: a form in small letters.

        Yields:
            The changed forms.
        """
        for match in self.pattern.finditer(form):
            yield form[: match.start()] + match.expand(self.new) + form[match.end() :]


class Letter:
    """A row of the kind ``letter``: a letter no longer set, and the one that stands for it, or none.

    Args:
        change: the row.
    """

    def __init__(self, change: SpellingChange) -> None:
        self.old, self.new = change.old, change.new
        self.where, self.p = change.row.where, change.p
        self.at_end = change.uses["modernise"].where == "end"
        self._ending = re.compile(rf"(?:{re.escape(self.old)})+(?=$|-)")
        self._shown = re.compile(re.escape(self.old) + (r"\b" if self.at_end else ""))

    def drop(self, form: str) -> str:
        """The form with the letter replaced at the end, and before each hyphen."""
        return self._ending.sub(self.new, form) if self.old in form else form

    def is_in(self, text: str) -> bool:
        """Whether a text in small letters shows the letter at its place."""
        return self._shown.search(text) is not None


class Contrast(NamedTuple):
    """A word that is told from another only by a letter of the print.

    ``new`` stands for ``old`` in a print in which at least ``share`` of the letters are ``letter``.
    """

    old: str
    new: str
    letter: str
    share: float
    why: Evidence


def evidence(change: SpellingChange) -> Evidence:
    """The row as evidence, with its probability."""
    return Evidence(change.row.where, change.p)


def modern_rule(change: SpellingChange) -> Rule:
    """A row compiled for normalisation."""
    return Rule(change.pattern("modernise"), change.new, change.kind, change.when, change.p, change.row.where)


def contrast(change: SpellingChange) -> Contrast:
    """A row of the kind ``contrast``; its cell ``needs`` holds the letter and the share."""
    letter, share = change.needs.split()
    return Contrast(change.old, change.new, letter, float(share), evidence(change))
