"""The spaCy pipeline of a language: tokeniser, damaged tokens, cue keys, lemmas, scopes, cues.

It is built from ``pipeline.cfg`` and the components registered here. The span groups ``cues``,
``conditions``, ``consequences`` and ``relatives`` hold spaCy spans. A cue has the concept as its label,
file and line of the table row as its id, and the row itself as ``span._.cue``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from spacy.language import BaseDefaults
from spacy.language import Language as Pipeline
from spacy.matcher import Matcher
from spacy.tokens import Doc, Span, Token
from spacy.util import load_config

import hoyle.annotation.tokenizer  # noqa: F401 - registers the tokeniser
from hoyle.annotation.cues import Cue, cues
from hoyle.annotation.damaged_words import DamagedWords
from hoyle.annotation.lemmas import Lemmatise, cue_key, dictionary_test, lemmatiser
from hoyle.annotation.patterns import CompiledPattern, compile_pattern, cue_words
from hoyle.annotation.scope import ScopeFinder, ScopeMarkers
from hoyle.languages import Language
from hoyle.languages import language as language_of

COMPONENTS: Final = ("damaged_tokens", "normaliser", "lemmatiser", "scopes", "cues")
_LONGEST_WINDOW = 100
"""Words with which patterns begin are looked for in this many tokens at a time."""
_ROWS: dict[str, Cue] = {}
"""The cue of each table row by file and line (``languages/ru/cues_actors.tsv:12``)."""


def _extensions() -> None:
    # spaCy stores attributes by position in the text, so two cues at one position would share them.
    Span.set_extension("cue", getter=lambda span: _ROWS.get(span.id_), force=True)
    Doc.set_extension("reach", default=(), force=True)
    Token.set_extension("damaged", default=False, force=True)


_extensions()


def scope_markers(language: Language) -> ScopeMarkers:
    """Return the words that begin and end scopes in a language."""
    return language.resource(_scope_markers)


def _scope_markers(language: Language) -> ScopeMarkers:
    return ScopeMarkers.of(language, cue_key(language))


def _lemmatise(language: Language) -> Lemmatise:
    return lemmatiser(language, cue_words(language))


def _damaged_words(language: Language) -> DamagedWords:
    key_of, lemmatise = cue_key(language), language.resource(_lemmatise)
    lemmas = frozenset(lemmatise(key_of(word)).lemma for word in cue_words(language))
    return DamagedWords(language, lemmas, lemmatise, dictionary_test(language))


@Pipeline.factory("hoyle_damaged_tokens", retokenizes=True)
class DamagedTokenRetokenizer:
    """Merges and splits damaged tokens, if the result is a word of the cue tables."""

    def __init__(self, nlp: Pipeline, name: str, language: str) -> None:  # noqa: ARG002 - spaCy's signature
        self.name = name
        self._damaged_words = language_of(language).resource(_damaged_words)
        self._parts: dict[int, tuple[str, str] | None] = {}

    def __call__(self, doc: Doc) -> Doc:
        """Merge and split damaged tokens, and set ``token._.damaged``."""
        joined = [doc[start:end] for start, end in self._apart(doc)]
        with doc.retokenize() as change:
            for span in joined:
                change.merge(span, attrs={"_": {"damaged": True}})
        parted = [(token, parts) for token in doc if (parts := self._run_together(token))]
        with doc.retokenize() as change:
            for token, (left, right) in parted:
                marks: dict[str | int, list[Any]] = {"_": [{"damaged": True}, {"damaged": True}]}
                change.split(token, [left, right], heads=[(token, 0), (token, 1)], attrs=marks)
        return doc

    def _apart(self, doc: Doc) -> Iterator[tuple[int, int]]:
        pieces = [len(token) <= 3 and token.text.isalpha() for token in doc]
        start = 0
        while start < len(doc):
            end = start
            while end < len(doc) and pieces[end]:
                end += 1
            if end - start > 2:
                for first, last in self._damaged_words.spaced_words([token.text for token in doc[start:end]]):
                    yield start + first, start + last
            start = max(end, start + 1)

    def _run_together(self, token: Token) -> tuple[str, str] | None:
        if token.orth not in self._parts:
            self._parts[token.orth] = self._damaged_words.split_words(token.text)
        return self._parts[token.orth]


@Pipeline.factory("hoyle_normaliser", assigns=["token.norm"])
class Normaliser:
    """Sets ``token.norm_`` to the cue key; «s'il» becomes «si il»."""

    def __init__(self, nlp: Pipeline, name: str, language: str) -> None:  # noqa: ARG002 - spaCy's signature
        self.name = name
        self._key_of = cue_key(language_of(language))
        self._damaged_words = language_of(language).resource(_damaged_words)
        self._known: dict[int, tuple[str, bool]] = {}

    def __call__(self, doc: Doc) -> Doc:
        """Set the norm of each token."""
        known = self._known
        for token in doc:
            found = known.get(token.orth)
            if found is None:
                word = token.text.replace(" ", "")
                repaired = self._damaged_words.restore(word)
                found = known[token.orth] = repaired or self._key_of(word) or word, bool(repaired)
            token.norm_ = found[0]
            if found[1]:
                token._.damaged = True
        for token in doc[:-1]:
            if token.norm_ == "se" and doc[token.i + 1].norm_ in ("il", "ils"):
                token.norm_ = "si"
        return doc


@Pipeline.factory("hoyle_lemmatiser", assigns=["token.lemma", "token.tag"], requires=["token.norm"])
class Lemmatiser:
    """Sets ``token.lemma_`` and the word class ``token.tag_`` from the cue key."""

    def __init__(self, nlp: Pipeline, name: str, language: str) -> None:
        self.name = name
        self._lemmatise = language_of(language).resource(_lemmatise)
        self._strings = nlp.vocab.strings
        self._known: dict[int, tuple[int, int]] = {}

    def __call__(self, doc: Doc) -> Doc:
        """Set lemma and word class of each token."""
        known = self._known
        for token in doc:
            found = known.get(token.norm)
            if found is None:
                lemma, tag = self._lemmatise(token.norm_)
                found = known[token.norm] = (self._strings.add(lemma), self._strings.add(tag))
            token.lemma, token.tag = found
        self._keep_subjects(doc)
        return doc

    def _keep_subjects(self, doc: Doc) -> None:
        """Keep the class PA only for participles at the head of a sentence without a noun after them."""
        for token in doc:
            if token.tag_ in ("PA", "PAT"):
                before = token.i - 1 - (token.i > 0 and doc[token.i - 1].norm_ == "не")
                heads = before < 0 or doc[before].tag_ == "." or doc[before].norm_ in ("каждый", "всякий")
                following = doc[token.i + 1].tag_ if token.i + 1 < len(doc) else ""
                nouns = ("NA",) if token.tag_ == "PAT" else ("N", "NA")  # the object of a transitive one
                token.tag_ = "PA" if heads and following not in nouns else "X"


@Pipeline.factory("hoyle_scopes", assigns=["doc.spans"], requires=["token.lemma", "token.tag"])
class ScopeDetector:
    """Marks conditions, consequences and relative clauses as span groups.

    The n-th span of ``consequences`` belongs to the n-th of ``conditions``. The label of a condition is the
    kind of its marker (``if`` …, or ``not`` for a concession), its id is file and line of the marker.
    """

    def __init__(self, nlp: Pipeline, name: str, language: str) -> None:  # noqa: ARG002 - spaCy's signature
        self.name = name
        self._markers = scope_markers(language_of(language))

    def __call__(self, doc: Doc) -> Doc:
        """Add the span groups."""
        scopes = ScopeFinder(doc, self._markers)
        conditions = list(scopes.conditions())
        doc.spans["conditions"] = [
            Span(doc, start, end, label=marker.kind, span_id=marker.where)
            for start, end, marker in conditions
        ]
        doc.spans["consequences"] = [doc[start:end] for start, end in scopes.consequences(conditions)]
        doc.spans["relatives"] = [doc[start:end] for start, end in scopes.relatives()]
        return doc


@Pipeline.factory("hoyle_cues", assigns=["doc.spans"], requires=["token.lemma", "token.tag", "token.norm"])
class CueMatcher:
    """Finds all matches of the cue tables, as the span group ``cues``.

    :func:`hoyle.annotation.selection.cue_matches` drops those of other games and blocked ones when the game
    is known. There is one ``Matcher`` for each word that patterns begin with, and it sees only as much text
    after such a word as its longest pattern can match: a single ``Matcher`` of 2,000 patterns would try
    each of them at every token.
    """

    def __init__(self, nlp: Pipeline, name: str, language: str) -> None:
        self.name = name
        tables = language_of(language)
        key_of, lemmatise = cue_key(tables), tables.resource(_lemmatise)
        self._matchers: dict[tuple[str, int], Matcher] = {}
        self._reach: dict[tuple[str, int], int] = {}
        self._cues: dict[int, tuple[Cue, CompiledPattern]] = {}
        for cue in cues(tables):
            _ROWS[cue.where] = cue
            for n, compiled in enumerate(compile_pattern(cue, tables, key_of, lemmatise)):
                key = f"{cue.key}/{n}"
                attribute, word = compiled.first_test
                first = (attribute, nlp.vocab.strings.add(word))
                matcher = self._matchers.setdefault(first, Matcher(nlp.vocab, validate=False))
                matcher.add(key, [[dict(token) for token in compiled.tokens]])
                self._reach[first] = max(self._reach.get(first, 0), compiled.max_words)
                self._cues[nlp.vocab.strings[key]] = (cue, compiled)

    def __call__(self, doc: Doc) -> Doc:
        """Add the span group ``cues``, and ``doc._.reach``: the number of words each pattern matched."""
        found: list[Span] = []
        reach: list[int] = []
        for key, start, end, alignment in self._matches(doc):
            cue, compiled = self._cues[key]
            part = compiled.tagged_words(alignment)
            if part:
                first, last = start + part.start, start + part.stop
                found.append(Span(doc, first, last, label=cue.concept, span_id=cue.where))
                reach.append(end - start)
        doc.spans["cues"] = found
        doc._.reach = reach
        return doc

    def _matches(self, doc: Doc) -> Iterator[tuple[int, int, int, list[int]]]:
        starts: dict[tuple[str, int], list[int]] = {}  # in the order of the text, so that results are too
        for token in doc:
            for key in (("LEMMA", token.lemma), ("NORM", token.norm), ("TAG", token.tag)):
                if key in self._matchers:
                    starts.setdefault(key, []).append(token.i)
        for key, places in starts.items():
            for first, last, stop in _windows(places, self._reach[key], len(doc)):
                matches: Any = self._matchers[key](
                    doc[first:last], with_alignments=True
                )  # stubs: triples only
                for name, start, end, alignment in matches:
                    if start + first < stop:  # the next window finds the others
                        yield name, start + first, end + first, alignment


def _windows(places: Sequence[int], reach: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Yield ranges of ``reach`` tokens from each of the ascending ``places``; overlapping ones are merged.

    With each range comes the end of the places in it. They are no further apart than ``_LONGEST_WINDOW``,
    because a pattern with gaps takes time by the square of the range or more.
    """
    first, last = places[0], places[0]
    for place in places[1:]:
        if place > last + reach or place >= first + _LONGEST_WINDOW:
            yield first, min(last + reach, end), last + 1
            first = place
        last = place
    yield first, min(last + reach, end), last + 1


def _language(base: str) -> type[Pipeline]:
    """Make a blank spaCy language; the tables define the tokeniser, not spaCy's own rules."""

    class Historical(Pipeline):  # type: ignore[no-untyped-call] # spaCy's __init_subclass__
        lang = base
        Defaults = BaseDefaults

    return Historical


def nlp_pipeline(language: Language) -> Pipeline:
    """Return the spaCy pipeline of a language with tagging tables; it is built once."""
    return language.resource(_nlp_pipeline)


def _nlp_pipeline(language: Language) -> Pipeline:
    config: dict[str, Any] = load_config(
        Path(__file__).with_name("pipeline.cfg"),
        overrides={"nlp.lang": language.base, "nlp.tokenizer.language": language.tag}
        | {
            f"components.{name}.language": language.tag
            for name in ("damaged_tokens", "normaliser", "lemmatiser", "scopes", "cues")
        },
    )
    return _language(language.base).from_config(config)


def collapse_whitespace(text: str) -> tuple[str, list[int]]:
    """Replace each run of white space by one space, or by one line feed if it contains one.

    Returns:
        The text and, for each of its characters, the offset in the original.
    """
    out: list[str] = []
    places: list[int] = []
    at = 0
    for blank in _BLANK.finditer(text):
        out.append(text[at : blank.start()])
        places.extend(range(at, blank.start()))
        if blank.start() and blank.end() < len(text):
            out.append("\n" if "\n" in blank.group() else " ")
            places.append(blank.start())
        at = blank.end()
    out.append(text[at:])
    places.extend(range(at, len(text)))
    return "".join(out), places


_BLANK = re.compile(r"\s+")
