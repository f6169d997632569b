"""The spaCy pipeline of a language: tokeniser, folding, lemmas, zones, cues.

It is built from ``pipeline.cfg`` and components registered here, and can be used on its own:
``nlp = pipeline("fr"); nlp("On doit couper.").spans["cues"]``. Every span of the groups ``cues``,
``conditions``, ``consequences`` and ``relatives`` is a spaCy span; a cue has the concept as its label,
the place of the table row as its id, and the row itself as ``span._.cue``.
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
from hoyle.annotation.damaged_words import Mender
from hoyle.annotation.lemmas import Lemmatise, dictionary, folder, lemmatiser
from hoyle.annotation.patterns import Compiled, compile_pattern, lexicon
from hoyle.annotation.scope import Openers, ZoneFinder
from hoyle.languages import Language
from hoyle.languages import language as language_of

COMPONENTS: Final = ("seams", "normaliser", "lemmatiser", "zones", "cues")
_ROWS: dict[str, Cue] = {}
"""The cue of each table row by its place (``languages/ru/cues_actors.tsv:12``)."""


def _extensions() -> None:
    # spaCy keeps attributes by place in the text, so two cues at one place would share them: hence a getter.
    Span.set_extension("cue", getter=lambda span: _ROWS.get(span.id_), force=True)
    Doc.set_extension("reach", default=(), force=True)
    Token.set_extension("damaged", default=False, force=True)


_extensions()


def openers(language: Language) -> Openers:
    """The words that open and close zones in a language."""
    return language.resource(_openers)


def _openers(language: Language) -> Openers:
    return Openers.of(language, folder(language))


def _lemmatise(language: Language) -> Lemmatise:
    return lemmatiser(language, lexicon(language))


def _mender(language: Language) -> Mender:
    fold, lemmatise = folder(language), language.resource(_lemmatise)
    lemmas = frozenset(lemmatise(fold(word)).lemma for word in lexicon(language))
    return Mender(language, lemmas, lemmatise, dictionary(language))


@Pipeline.factory("hoyle_seams", retokenizes=True)
class Seams:
    """Puts words set or read apart together and parts words run together, if cues ask for them."""

    def __init__(self, nlp: Pipeline, name: str, language: str) -> None:  # noqa: ARG002 - spaCy's signature
        self.name = name
        self._mender = language_of(language).resource(_mender)
        self._parts: dict[int, tuple[str, str] | None] = {}

    def __call__(self, doc: Doc) -> Doc:
        """The doc with such tokens joined or split, and marked as damaged."""
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
                for first, last in self._mender.runs([token.text for token in doc[start:end]]):
                    yield start + first, start + last
            start = max(end, start + 1)

    def _run_together(self, token: Token) -> tuple[str, str] | None:
        if token.orth not in self._parts:
            self._parts[token.orth] = self._mender.parts(token.text)
        return self._parts[token.orth]


@Pipeline.factory("hoyle_normaliser", assigns=["token.norm"])
class Normaliser:
    """Sets ``token.norm_`` to the folded spelling; «s'il» is «si il»."""

    def __init__(self, nlp: Pipeline, name: str, language: str) -> None:  # noqa: ARG002 - spaCy's signature
        self.name = name
        self._fold = folder(language_of(language))
        self._mender = language_of(language).resource(_mender)
        self._known: dict[int, tuple[str, bool]] = {}

    def __call__(self, doc: Doc) -> Doc:
        """The doc with the norm of each token set."""
        known = self._known
        for token in doc:
            found = known.get(token.orth)
            if found is None:
                word = token.text.replace(" ", "")
                repaired = self._mender.repaired(word)
                found = known[token.orth] = repaired or self._fold(word) or word, bool(repaired)
            token.norm_ = found[0]
            if found[1]:
                token._.damaged = True
        for token in doc[:-1]:
            if token.norm_ == "se" and doc[token.i + 1].norm_ in ("il", "ils"):
                token.norm_ = "si"
        return doc


@Pipeline.factory("hoyle_lemmatiser", assigns=["token.lemma", "token.tag"], requires=["token.norm"])
class Lemmatiser:
    """Sets ``token.lemma_`` and the word class ``token.tag_`` from the folded spelling."""

    def __init__(self, nlp: Pipeline, name: str, language: str) -> None:
        self.name = name
        self._lemmatise = language_of(language).resource(_lemmatise)
        self._strings = nlp.vocab.strings
        self._known: dict[int, tuple[int, int]] = {}

    def __call__(self, doc: Doc) -> Doc:
        """The doc with lemma and class of each token set."""
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
        """Only a participle at the head of a sentence, and no noun behind it, stands for a person."""
        for token in doc:
            if token.tag_ in ("PA", "PAT"):
                before = token.i - 1 - (token.i > 0 and doc[token.i - 1].norm_ == "не")
                heads = before < 0 or doc[before].tag_ == "." or doc[before].norm_ in ("каждый", "всякий")
                following = doc[token.i + 1].tag_ if token.i + 1 < len(doc) else ""
                nouns = ("NA",) if token.tag_ == "PAT" else ("N", "NA")  # the object of a transitive one
                token.tag_ = "PA" if heads and following not in nouns else "X"


@Pipeline.factory("hoyle_zones", assigns=["doc.spans"], requires=["token.lemma", "token.tag"])
class Zones:
    """Marks conditions, what they bring about, and relative clauses as span groups.

    ``conditions`` and ``consequences`` go together, the first with the first; ``relatives``. The label of
    a condition is its kind (``if``, or ``not`` for a mere concession), its id the row it rests on.
    """

    def __init__(self, nlp: Pipeline, name: str, language: str) -> None:  # noqa: ARG002 - spaCy's signature
        self.name = name
        self._openers = openers(language_of(language))

    def __call__(self, doc: Doc) -> Doc:
        """The doc with the span groups."""
        zones = ZoneFinder(doc, self._openers)
        conditions = list(zones.conditions())
        doc.spans["conditions"] = [
            Span(doc, start, end, label=opening.kind, span_id=opening.where)
            for start, end, opening in conditions
        ]
        doc.spans["consequences"] = [doc[start:end] for start, end in zones.consequences(conditions)]
        doc.spans["relatives"] = [doc[start:end] for start, end in zones.relatives()]
        return doc


@Pipeline.factory("hoyle_cues", assigns=["doc.spans"], requires=["token.lemma", "token.tag", "token.norm"])
class CueMatcher:
    """Finds every place where a row of a cue table fires, as the span group ``cues``.

    Which of overlapping ones stands is decided later, when the game is known. There is one Matcher
    for each word that patterns begin with, and it is shown only as much text after such a word as its
    longest pattern may take in: one Matcher of 2,000 patterns tries each of them at every token.
    """

    def __init__(self, nlp: Pipeline, name: str, language: str) -> None:
        self.name = name
        tables = language_of(language)
        fold, lemmatise = folder(tables), tables.resource(_lemmatise)
        self._matchers: dict[tuple[str, int], Matcher] = {}
        self._reach: dict[tuple[str, int], int] = {}
        self._cues: dict[int, tuple[Cue, Compiled]] = {}
        for cue in cues(tables):
            _ROWS[cue.where] = cue
            for n, compiled in enumerate(compile_pattern(cue, tables, fold, lemmatise)):
                key = f"{cue.key}/{n}"
                attribute, word = compiled.first
                first = (attribute, nlp.vocab.strings.add(word))
                matcher = self._matchers.setdefault(first, Matcher(nlp.vocab, validate=False))
                matcher.add(key, [[dict(token) for token in compiled.tokens]])
                self._reach[first] = max(self._reach.get(first, 0), compiled.longest)
                self._cues[nlp.vocab.strings[key]] = (cue, compiled)

    def __call__(self, doc: Doc) -> Doc:
        """The doc with the span group ``cues``; ``doc._.reach`` has the words each pattern took in."""
        found: list[Span] = []
        reach: list[int] = []
        for key, start, end, alignment in self._matches(doc):
            cue, compiled = self._cues[key]
            part = compiled.part(alignment)
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
            for first, last in _windows(places, self._reach[key], len(doc)):
                matches: Any = self._matchers[key](
                    doc[first:last], with_alignments=True
                )  # stubs: triples only
                for name, start, end, alignment in matches:
                    yield name, start + first, end + first, alignment


def _windows(places: Sequence[int], reach: int, end: int) -> Iterator[tuple[int, int]]:
    """Ranges of ``reach`` tokens from each of the (ascending) places on, overlapping ones joined."""
    first, last = places[0], places[0] + reach
    for place in places[1:]:
        if place > last:
            yield first, min(last, end)
            first = place
        last = place + reach
    yield first, min(last, end)


def _language(base: str) -> type[Pipeline]:
    """A bare spaCy language: the tables say how it is split, not spaCy's own rules."""

    class Historical(Pipeline):  # type: ignore[no-untyped-call] # spaCy's __init_subclass__
        lang = base
        Defaults = BaseDefaults

    return Historical


def pipeline(language: Language) -> Pipeline:
    """The spaCy pipeline of a language that has tagging tables, built when first asked for."""
    return language.resource(_pipeline)


def _pipeline(language: Language) -> Pipeline:
    config: dict[str, Any] = load_config(
        Path(__file__).with_name("pipeline.cfg"),
        overrides={"nlp.lang": language.base, "nlp.tokenizer.language": language.tag}
        | {
            f"components.{name}.language": language.tag
            for name in ("seams", "normaliser", "lemmatiser", "zones", "cues")
        },
    )
    return _language(language.base).from_config(config)


def squeeze(text: str) -> tuple[str, list[int]]:
    """``text`` with each run of blanks as one space and each run with a line feed as one line feed.

    Returns:
        The text and, for each of its characters, where it stood in the original.
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
