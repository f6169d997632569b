"""Conditions and relative clauses: where a modal word does not speak for the clause.

What conditions bring about: :mod:`hoyle.annotation.conditions`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

from spacy.tokens import Doc

from hoyle.annotation.lemmas import Fold, settings
from hoyle.errors import TableError
from hoyle.languages import Language

Phrases = Mapping[str, Sequence[Sequence[str]]]
"""Phrases (folded words) by their first word."""
Range = tuple[int, int]
COLUMNS: Final = ("opener", "kind", "example", "condition", "consequence", "place", "counter")
KINDS: Final = ("if", "case", "who", "not")
_CLAUSES: Final = ("if", "case", "not")
"""Kinds that are told without the other cues."""

_VERBS: Final = ("V", "V3P")
MOST_BETWEEN: Final = 6
"""Most words from the comma after "he who …" to the words that say what becomes of him."""


class Opening(NamedTuple):
    """A row of ``conditions.tsv``: folded words that open a condition, of what kind, and where it stands."""

    words: Sequence[str]
    kind: str
    where: str


class Protasis(NamedTuple):
    """A condition (token range) and the row that opens it."""

    start: int
    end: int
    opening: Opening


class Openers(NamedTuple):
    """Folded words that open and close zones; ``relative_reach`` is the most words of a relative clause.

    (French has often no comma at its end.)
    """

    conditional: Mapping[str, Sequence[Opening]]
    consequence: frozenset[str]
    no_consequence: Phrases
    relative: Phrases
    relative_reach: int
    joining: frozenset[str]

    @classmethod
    def of(cls, language: Language, fold: Fold) -> Openers:
        """The opening words of a language."""
        table = settings(language)

        def phrases(name: str) -> Phrases:
            found: dict[str, list[list[str]]] = {}
            for phrase in table[name]:
                words = [fold(word) for word in phrase.split()]
                found.setdefault(words[0], []).append(words)
            return found

        def words(name: str) -> frozenset[str]:
            return frozenset(map(fold, table[name]))

        return cls(
            conditional=_openings(language, fold),
            consequence=words("consequence"),
            no_consequence=phrases("no_consequence"),
            relative=phrases("relative"),
            relative_reach=table["relative_reach"],
            joining=words("joining"),
        )


def _openings(language: Language, fold: Fold) -> Mapping[str, Sequence[Opening]]:
    """The rows of ``conditions.tsv`` by their first word, the longest first."""
    found: dict[str, list[Opening]] = {}
    for row in language.table("conditions", COLUMNS):
        if row["kind"] not in KINDS:
            raise TableError(f"kind must be one of {', '.join(KINDS)}", document=row.where)
        for words in product(*(_ways(atom, fold) for atom in row["opener"].split())):
            written = [word for word in words if word]
            found.setdefault(written[0], []).append(Opening(written, row["kind"], row.where))
    return {first: sorted(those, key=lambda opening: -len(opening.words)) for first, those in found.items()}


def _ways(atom: str, fold: Fold) -> Sequence[str]:
    """The words that an atom of an opener stands for: ``если|когда``, ``,?`` and ``:PA`` as in cues."""
    bare = atom.removesuffix("?")
    words = [word if word[0] == ":" else fold(word) for word in bare.split("|")]
    return words if bare == atom else [*words, ""]


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
        self._tags = [token.tag_ for token in doc]
        self._commas = [token.tag_ == "," for token in doc]
        self._openers = openers
        self.sentences = list(sentences(doc))

    def conditions(self) -> Iterator[Protasis]:
        """The protases: «Если … » up to «, то» or the comma that ends it; concessions among them."""
        for start, end in self.sentences:
            at = start
            while at < end:
                before = at == start or self._commas[at - 1] or self._norms[at - 1] in self._openers.joining
                opening = self.opening(at, _CLAUSES) if before else None
                stop = self._protasis_end(at, end, opening) if opening else None
                if opening and stop:
                    yield Protasis(at, stop, opening)
                    at = stop
                at += 1

    def consequences(self, conditions: Sequence[Protasis]) -> Iterator[Range]:
        """What each condition brings about: what stands behind it, else before it, in its sentence."""
        for start, end in self.sentences:
            inside = [zone for zone in conditions if start <= zone.start < end]
            starts, ends = [start, *(zone.end for zone in inside)], [*(zone.start for zone in inside), end]
            around = [self.trimmed(*stretch) for stretch in zip(starts, ends, strict=True)]
            for n in range(1, len(inside) + 1):
                nearest = [*around[n:], *reversed(around[:n])]
                yield next((stretch for stretch in nearest if stretch[0] < stretch[1]), (end, end))

    def trimmed(self, start: int, end: int) -> Range:
        """A range without commas at its ends and the word "then" at its head."""
        while start < end and (self._commas[start] or self._norms[start] in self._openers.consequence):
            start += 1
        return self.stripped(start, end)

    def stripped(self, start: int, end: int) -> Range:
        """A range without commas at its end."""
        while start < end and self._commas[end - 1]:
            end -= 1
        return start, end

    def _protasis_end(self, start: int, end: int, opening: Opening) -> int | None:
        openers, head = self._openers, start + len(opening.words)
        if opening.kind == "case":
            return next((i for i in range(head + 1, end) if self._commas[i] or self._tags[i] in _VERBS), None)
        for i in range(start + 1, end):
            then = self._commas[i - 1] and self._norms[i] in openers.consequence
            if then and not self._reads(i, openers.no_consequence):
                return i - 1
        aside = head < end and self._commas[head]  # "Si, n'étant pas …, on file"
        commas = [i for i in range(head + 1, end - 1) if self._commas[i]]
        for i in commas[aside:]:
            if not self.joins(i + 1) and not self.opening(i + 1, _CLAUSES):
                return i
        return end

    def subject_end(self, head: int, cut: int) -> int:
        """Where "he who" ends, whose opening words end at ``head``, if ``cut`` says what becomes of him.

        That is the last comma before, if no more than a few words stand between ("…, son adversaire perd"),
        and it does not end a remark set in right at the beginning ("Celui qui, étant sommé, …").
        """
        commas = [i for i in range(head, cut) if self._commas[i] and not self.joins(i + 1)]
        if commas and commas[0] == head:
            commas = commas[2:]
        for i in commas:
            if self._norms[i + 1] in self._openers.consequence:
                return i
        return commas[-1] if commas and cut - commas[-1] <= MOST_BETWEEN else cut

    def joins(self, at: int) -> bool:
        """Whether a word only goes on with what stands before the comma."""
        return not self._openers.joining.isdisjoint((self._norms[at], self._lemmas[at]))

    def relatives(self) -> Iterator[Range]:
        """Relative and object clauses: from the pronoun to the next comma, at most a few words."""
        for start, end in self.sentences:
            for at in range(start + 1, end):
                if self._reads(at, self._openers.relative):
                    stop = next((i for i in range(at, end) if self._commas[i]), end)
                    yield at, min(stop, at + self._openers.relative_reach)

    def opening(self, at: int, kinds: Collection[str]) -> Opening | None:
        """The row of ``conditions.tsv`` that a condition beginning at a token rests on, if one does."""
        for first in (self._norms[at], self._lemmas[at], f":{self._tags[at]}"):
            for opening in self._openers.conditional.get(first, ()):
                if opening.kind in kinds and self._stands(at, opening.words):
                    return opening
        return None

    def _reads(self, at: int, phrases: Phrases) -> bool:
        """Whether one of the phrases stands at a token, in this form or another."""
        firsts = {self._norms[at], self._lemmas[at]}
        return any(self._stands(at, phrase) for first in firsts for phrase in phrases.get(first, ()))

    def _stands(self, at: int, phrase: Sequence[str]) -> bool:
        here = slice(at, at + len(phrase))
        tokens = list(zip(self._norms[here], self._lemmas[here], self._tags[here], strict=True))
        return len(tokens) == len(phrase) and all(
            word in (norm, lemma, f":{tag}") for word, (norm, lemma, tag) in zip(phrase, tokens, strict=True)
        )
