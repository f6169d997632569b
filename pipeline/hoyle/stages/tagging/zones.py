"""Conditions and relative clauses: where a modal word does not speak for the clause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from spacy.tokens import Doc, Span, Token

from hoyle.stages.tagging.words import Fold, settings

RELATIVE_REACH = 4
"""Where a relative clause has no comma at its end (French), it is taken to hold this many words."""


class Openers(NamedTuple):
    """Folded words that open and close zones, as tuples of tokens."""

    conditional: frozenset[tuple[str, ...]]
    consequence: frozenset[str]
    relative: frozenset[tuple[str, ...]]
    joining: frozenset[str]

    @classmethod
    def of(cls, tag: str, fold: Fold) -> Openers:
        """The opening words of a language."""
        table = settings(tag)

        def split(name: str) -> frozenset[tuple[str, ...]]:
            return frozenset(tuple(fold(w) for w in phrase.split()) for phrase in table[name])

        return cls(
            split("conditional"),
            frozenset(map(fold, table["consequence"])),
            split("relative"),
            frozenset(map(fold, table["joining"])),
        )


def sentences(doc: Doc) -> Iterator[tuple[int, int]]:
    """Token ranges between stops (full stop, semicolon, line end …)."""
    start = 0
    for i, token in enumerate(doc):
        if token.tag_ == ".":
            if i > start:
                yield start, i
            start = i + 1
    if start < len(doc):
        yield start, len(doc)


def conditions(doc: Doc, openers: Openers) -> list[Span]:
    """The protases: «Если … » up to «, то» or the comma that ends it."""
    found: list[Span] = []
    for start, end in sentences(doc):
        at = start
        while at < end:
            if _opens(doc, at, openers.conditional) and (at == start or _comma(doc[at - 1]) or _joins(doc[at - 1], openers)):
                stop = _protasis_end(doc, at, end, openers)
                found.append(doc[at:stop])
                at = stop
            at += 1
    return found


def _protasis_end(doc: Doc, start: int, end: int, openers: Openers) -> int:
    for i in range(start + 1, end):
        if _comma(doc[i - 1]) and doc[i].norm_ in openers.consequence:
            return i - 1
    for i in range(start + 2, end - 1):
        if _comma(doc[i]) and not (doc[i + 1].norm_ in openers.joining or _opens(doc, i + 1, openers.conditional)):
            return i
    return end


def relatives(doc: Doc, openers: Openers) -> list[Span]:
    """Relative and object clauses: from the pronoun to the next comma, at most a few words."""
    found: list[Span] = []
    for start, end in sentences(doc):
        for at in range(start + 1, end):
            if _opens(doc, at, openers.relative):
                stop = next((i for i in range(at, end) if _comma(doc[i])), end)
                reach = stop if _comma(doc[at - 1]) or doc[at - 1].tag_ == "," else min(stop, at + RELATIVE_REACH)
                found.append(doc[at:reach])
    return found


def _opens(doc: Doc, at: int, phrases: frozenset[tuple[str, ...]]) -> bool:
    return any(_reads(doc, at, phrase) for phrase in phrases if phrase[0] in (doc[at].norm_, doc[at].lemma_))


def _reads(doc: Doc, at: int, phrase: Sequence[str]) -> bool:
    if at + len(phrase) > len(doc):
        return False
    return all(word in (doc[at + i].norm_, doc[at + i].lemma_) for i, word in enumerate(phrase))


def _comma(token: Token) -> bool:
    return token.tag_ == ","


def _joins(token: Token, openers: Openers) -> bool:
    return token.norm_ in openers.joining
