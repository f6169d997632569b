"""Scopes of conditions and relative clauses: a modal word in one does not apply to the whole clause.

The method is that of ConText and NegEx (Harkema et al. 2009): marker words open a scope, which ends at
a closing marker, at punctuation or at the end of the sentence. :mod:`hoyle.annotation.conditions`
finds the consequences.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

from spacy.tokens import Doc

from hoyle.annotation.lemmas import CueKey, settings
from hoyle.errors import TableError
from hoyle.languages import Language

Phrases = Mapping[str, Sequence[Sequence[str]]]
"""Phrases (cue keys) by their first word."""
Range = tuple[int, int]
COLUMNS: Final = ("opener", "kind", "example", "condition", "consequence", "place", "counter")
KINDS: Final = ("if", "case", "who", "not")
_CLAUSES: Final = ("if", "case", "not")
"""Kinds that are found without other cues."""

_VERBS: Final = ("V", "V3P")
MOST_BETWEEN: Final = 6
"""Most words between the comma after "he who …" and the modality or penalty that applies to him."""


class ConditionalMarker(NamedTuple):
    """A row of ``conditions.tsv``: the words (cue keys) that open a condition, its kind, file and line."""

    words: Sequence[str]
    kind: str
    where: str


class Protasis(NamedTuple):
    """A condition (token range) and the marker that opens it."""

    start: int
    end: int
    marker: ConditionalMarker


class ScopeMarkers(NamedTuple):
    """Words (cue keys) that begin and end scopes.

    ``relative_reach`` is the largest number of words in a relative clause; in French it often has no comma
    at its end.
    """

    conditional: Mapping[str, Sequence[ConditionalMarker]]
    consequence: frozenset[str]
    no_consequence: Phrases
    relative: Phrases
    relative_reach: int
    joining: frozenset[str]

    @classmethod
    def of(cls, language: Language, key_of: CueKey) -> ScopeMarkers:
        """Read the scope markers of a language.

        Args:
            language: the language.
            key_of: returns the cue key of a word.

        Returns:
            The markers.
        """
        table = settings(language)

        def phrases(name: str) -> Phrases:
            found: dict[str, list[list[str]]] = {}
            for phrase in table[name]:
                words = [key_of(word) for word in phrase.split()]
                found.setdefault(words[0], []).append(words)
            return found

        def words(name: str) -> frozenset[str]:
            return frozenset(map(key_of, table[name]))

        return cls(
            conditional=_conditional_markers(language, key_of),
            consequence=words("consequence"),
            no_consequence=phrases("no_consequence"),
            relative=phrases("relative"),
            relative_reach=table["relative_reach"],
            joining=words("joining"),
        )


def _conditional_markers(language: Language, key_of: CueKey) -> Mapping[str, Sequence[ConditionalMarker]]:
    """Return the rows of ``conditions.tsv`` by their first word, the longest first."""
    found: dict[str, list[ConditionalMarker]] = {}
    for row in language.table("conditions", COLUMNS):
        if row["kind"] not in KINDS:
            raise TableError(f"kind must be one of {', '.join(KINDS)}", document=row.where)
        for words in product(*(_alternatives(atom, key_of) for atom in row["opener"].split())):
            written = [word for word in words if word]
            found.setdefault(written[0], []).append(ConditionalMarker(written, row["kind"], row.where))
    return {first: sorted(those, key=lambda marker: -len(marker.words)) for first, those in found.items()}


def _alternatives(atom: str, key_of: CueKey) -> Sequence[str]:
    """Return the alternatives of an atom of a marker: ``если|когда``, ``,?`` and ``:PA`` as in cues."""
    bare = atom.removesuffix("?")
    words = [word if word[0] == ":" else key_of(word) for word in bare.split("|")]
    return words if bare == atom else [*words, ""]


def sentence_ranges(doc: Doc) -> Iterator[Range]:
    """Yield the token ranges between full stops, semicolons, line ends and similar marks."""
    start = 0
    for i, token in enumerate(doc):
        if token.tag_ == ".":
            if i > start:
                yield start, i
            start = i + 1
    if start < len(doc):
        yield start, len(doc)


class ScopeFinder:
    """Finds the scopes of one doc.

    Args:
        doc: a doc with norms, lemmas and word classes.
        markers: the scope markers of its language.
    """

    def __init__(self, doc: Doc, markers: ScopeMarkers) -> None:
        self._norms = [token.norm_ for token in doc]
        self._lemmas = [token.lemma_ for token in doc]
        self._tags = [token.tag_ for token in doc]
        self._commas = [token.tag_ == "," for token in doc]
        self._markers = markers
        self.sentences = list(sentence_ranges(doc))

    def conditions(self) -> Iterator[Protasis]:
        """Yield the protases: «Если … » up to «, то» or the comma that ends it; concessions are included."""
        for start, end in self.sentences:
            at = start
            while at < end:
                before = at == start or self._commas[at - 1] or self._norms[at - 1] in self._markers.joining
                marker = self.marker_at(at, _CLAUSES) if before else None
                stop = self._protasis_end(at, end, marker) if marker else None
                if marker and stop:
                    yield Protasis(at, stop, marker)
                    at = stop
                at += 1

    def consequences(self, conditions: Sequence[Protasis]) -> Iterator[Range]:
        """Yield the consequence of each condition: the text after it in its sentence, else that before it."""
        for start, end in self.sentences:
            inside = [scope for scope in conditions if start <= scope.start < end]
            starts, ends = (
                [start, *(scope.end for scope in inside)],
                [*(scope.start for scope in inside), end],
            )
            around = [self.strip_connectives(*stretch) for stretch in zip(starts, ends, strict=True)]
            for n in range(1, len(inside) + 1):
                nearest = [*around[n:], *reversed(around[:n])]
                yield next((stretch for stretch in nearest if stretch[0] < stretch[1]), (end, end))

    def strip_connectives(self, start: int, end: int) -> Range:
        """Strip commas at both ends of a range, and words such as "then" at its start.

        Args:
            start: its first token.
            end: the token after its last.

        Returns:
            The shorter range.
        """
        while start < end and (self._commas[start] or self._norms[start] in self._markers.consequence):
            start += 1
        return self.strip_commas(start, end)

    def strip_commas(self, start: int, end: int) -> Range:
        """Strip commas at the end of a range.

        Args:
            start: its first token.
            end: the token after its last.

        Returns:
            The shorter range.
        """
        while start < end and self._commas[end - 1]:
            end -= 1
        return start, end

    def _protasis_end(self, start: int, end: int, marker: ConditionalMarker) -> int | None:
        markers, head = self._markers, start + len(marker.words)
        if marker.kind == "case":
            return next((i for i in range(head + 1, end) if self._commas[i] or self._tags[i] in _VERBS), None)
        for i in range(start + 1, end):
            then = self._commas[i - 1] and self._norms[i] in markers.consequence
            if then and not self._phrase_at(i, markers.no_consequence):
                return i - 1
        aside = head < end and self._commas[head]  # "Si, n'étant pas …, on file"
        commas = [i for i in range(head + 1, end - 1) if self._commas[i]]
        for i in commas[aside:]:
            if not self.is_connective(i + 1) and not self.marker_at(i + 1, _CLAUSES):
                return i
        return end

    def subject_end(self, head: int, cut: int) -> int:
        """Return the token where the subject "he who …" ends.

        That is the last comma before ``cut``, if only a few words lie between them ("…, son adversaire
        perd") and it does not end a parenthesis directly after the marker ("Celui qui, étant sommé, …").

        Args:
            head: the token after the marker.
            cut: the first token of the modality or penalty that applies to the subject.

        Returns:
            The token after the subject.
        """
        commas = [i for i in range(head, cut) if self._commas[i] and not self.is_connective(i + 1)]
        if commas and commas[0] == head:
            commas = commas[2:]
        for i in commas:
            if self._norms[i + 1] in self._markers.consequence:
                return i
        return commas[-1] if commas and cut - commas[-1] <= MOST_BETWEEN else cut

    def is_connective(self, at: int) -> bool:
        """Return whether a word continues the phrase before a comma."""
        return not self._markers.joining.isdisjoint((self._norms[at], self._lemmas[at]))

    def relatives(self) -> Iterator[Range]:
        """Yield relative and object clauses: from the pronoun to the next comma, at most a few words."""
        for start, end in self.sentences:
            for at in range(start + 1, end):
                if self._phrase_at(at, self._markers.relative):
                    stop = next((i for i in range(at, end) if self._commas[i]), end)
                    yield at, min(stop, at + self._markers.relative_reach)

    def marker_at(self, at: int, kinds: Collection[str]) -> ConditionalMarker | None:
        """Return the conditional marker that begins at a token.

        Args:
            at: the index of the token.
            kinds: the kinds of marker to consider.

        Returns:
            The longest marker, or ``None``.
        """
        for first in (self._norms[at], self._lemmas[at], f":{self._tags[at]}"):
            for marker in self._markers.conditional.get(first, ()):
                if marker.kind in kinds and self._words_at(at, marker.words):
                    return marker
        return None

    def _phrase_at(self, at: int, phrases: Phrases) -> bool:
        """Return whether one of the phrases begins at a token, in any form."""
        firsts = {self._norms[at], self._lemmas[at]}
        return any(self._words_at(at, phrase) for first in firsts for phrase in phrases.get(first, ()))

    def _words_at(self, at: int, phrase: Sequence[str]) -> bool:
        here = slice(at, at + len(phrase))
        tokens = list(zip(self._norms[here], self._lemmas[here], self._tags[here], strict=True))
        return len(tokens) == len(phrase) and all(
            word in (norm, lemma, f":{tag}") for word, (norm, lemma, tag) in zip(phrase, tokens, strict=True)
        )
