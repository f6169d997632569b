"""Conditions and relative clauses: where a modal word does not speak for the clause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from spacy.tokens import Doc

from hoyle.stages.tagging.words import Fold, settings

Phrases = Mapping[str, Sequence[Sequence[str]]]
"""Phrases (folded words) by their first word."""
Range = tuple[int, int]


class Openers(NamedTuple):
    """Folded words that open and close zones; ``relative_reach`` is the most words of a relative clause.

    (French has often no comma at its end.)
    """

    conditional: Phrases
    consequence: frozenset[str]
    no_consequence: Phrases
    relative: Phrases
    relative_reach: int
    joining: frozenset[str]

    @classmethod
    def of(cls, tag: str, fold: Fold) -> Openers:
        """The opening words of a language."""
        table = settings(tag)

        def phrases(name: str) -> Phrases:
            found: dict[str, list[list[str]]] = {}
            for phrase in table[name]:
                words = [fold(word) for word in phrase.split()]
                found.setdefault(words[0], []).append(words)
            return found

        def words(name: str) -> frozenset[str]:
            return frozenset(map(fold, table[name]))

        return cls(
            conditional=phrases("conditional"),
            consequence=words("consequence"),
            no_consequence=phrases("no_consequence"),
            relative=phrases("relative"),
            relative_reach=table["relative_reach"],
            joining=words("joining"),
        )


def sentences(doc: Doc) -> Iterator[Range]:
    """Token ranges between stops (full stop, semicolon, line end …)."""
    start = 0
    for i, token in enumerate(doc):
        if token.tag_ == ".":
            if i > start:
                yield start, i
            start = i + 1
    if start < len(doc):
        yield start, len(doc)


class ZoneFinder:
    """Finds the zones of one doc."""

    def __init__(self, doc: Doc, openers: Openers) -> None:
        self._norms = [token.norm_ for token in doc]
        self._lemmas = [token.lemma_ for token in doc]
        self._commas = [token.tag_ == "," for token in doc]
        self._openers = openers
        self._sentences = list(sentences(doc))

    def conditions(self) -> Iterator[Range]:
        """The protases: «Если … » up to «, то» or the comma that ends it."""
        for start, end in self._sentences:
            at = start
            while at < end:
                before = at == start or self._commas[at - 1] or self._norms[at - 1] in self._openers.joining
                if before and self._reads(at, self._openers.conditional):
                    stop = self._protasis_end(at, end)
                    yield at, stop
                    at = stop
                at += 1

    def consequences(self) -> Iterator[Range]:
        """What each condition brings about: the sentence up to the next one, else what went before it."""
        conditions = list(self.conditions())
        for start, end in self._sentences:
            inside = [zone for zone in conditions if start <= zone[0] < end]
            for (first, last), after in pairwise([*inside, (end, end)]):
                behind = self._trimmed(last, after[0])
                yield behind if behind[0] < behind[1] else self._trimmed(start, first)

    def _trimmed(self, start: int, end: int) -> Range:
        """A range without commas at its ends and the word "then" at its head."""
        while start < end and (self._commas[start] or self._norms[start] in self._openers.consequence):
            start += 1
        while start < end and self._commas[end - 1]:
            end -= 1
        return start, end

    def _protasis_end(self, start: int, end: int) -> int:
        openers = self._openers
        for i in range(start + 1, end):
            then = self._commas[i - 1] and self._norms[i] in openers.consequence
            if then and not self._reads(i, openers.no_consequence):
                return i - 1
        for i in range(start + 2, end - 1):
            goes_on = self._norms[i + 1] in openers.joining or self._reads(i + 1, openers.conditional)
            if self._commas[i] and not goes_on:
                return i
        return end

    def relatives(self) -> Iterator[Range]:
        """Relative and object clauses: from the pronoun to the next comma, at most a few words."""
        for start, end in self._sentences:
            for at in range(start + 1, end):
                if self._reads(at, self._openers.relative):
                    stop = next((i for i in range(at, end) if self._commas[i]), end)
                    yield at, min(stop, at + self._openers.relative_reach)

    def _reads(self, at: int, phrases: Phrases) -> bool:
        """Whether one of the phrases stands at a token, in this form or another."""
        for first in {self._norms[at], self._lemmas[at]}:
            for phrase in phrases.get(first, ()):
                rest = zip(phrase, self._norms[at:], self._lemmas[at:], strict=False)
                if at + len(phrase) <= len(self._norms) and all(
                    w in (norm, lemma) for w, norm, lemma in rest
                ):
                    return True
        return False
