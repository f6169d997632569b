"""The spaCy pipeline of a language: tokeniser, folding, lemmas, zones, cues.

It is built from ``pipeline.cfg`` and components registered here, and can be used on its own:
``nlp = pipeline("fr"); nlp("On doit couper.").spans["cues"]``. Every span of the groups ``cues``,
``conditions`` and ``relatives`` is a spaCy span; a cue has the concept as its label, the place of the
table row as its id, and the row itself as ``span._.cue``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from spacy.language import BaseDefaults, Language
from spacy.matcher import Matcher
from spacy.tokenizer import Tokenizer  # type: ignore[import-not-found] # Cython, without stubs
from spacy.tokens import Doc, Span
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex, load_config, registry

from hoyle.stages.tagging.cues import Cue, cues
from hoyle.stages.tagging.patterns import Compiled, compile_pattern, lexicon
from hoyle.stages.tagging.words import folder, home, lemmatiser, settings
from hoyle.stages.tagging.zones import Openers, ZoneFinder

_OPENING = [
    "§",
    "«",
    "„",
    "“",
    "”",
    '"',
    "'",
    "‘",
    "’",
    r"\(",
    r"\[",
    "<",
    "—",
    "–",
    r"\*",
    "…",
    ",",
    ";",
    ":",
    r"\.",
    "!",
    r"\?",
    "-",
]
_CLOSING = [
    "»",
    "“",
    "”",
    '"',
    "‘",
    r"\)",
    r"\]",
    ">",
    "—",
    "–",
    r"\*",
    "…",
    ",",
    ";",
    ":",
    r"\.",
    "!",
    r"\?",
    "-",
]


_ROWS: dict[str, Cue] = {}
"""The cue of each table row by its place (``languages/ru/cues_actors.tsv:12``)."""


def _extensions() -> None:
    # spaCy keeps attributes by place in the text, so two cues at one place would share them: hence a getter.
    Span.set_extension("cue", getter=lambda span: _ROWS.get(span.id_), force=True)
    Doc.set_extension("reach", default=(), force=True)


_extensions()


@registry.tokenizers("hoyle.historical_tokens.v1")  # type: ignore[untyped-decorator] # catalogue is untyped
def historical_tokens(language: str) -> Callable[[Language], Tokenizer]:
    """A tokeniser for old print: elisions, enclitics and abbreviations from ``tagging.toml``."""
    table = settings(language)["tokens"]
    infixes = [r"[.!?;,:](?=[^\W\d_]{2})", r"(?<=\w)[—–/](?=\w)", r"[«»„“”()\[\]]"]
    prefixes = list(_OPENING)
    if table["split_after"]:
        words = "|".join(sorted(table["split_after"], key=len, reverse=True))
        prefixes.insert(0, rf"(?i:(?:{words})['’])(?=\w)")
    if table["enclitics"]:
        words = "|".join(sorted(table["enclitics"], key=len, reverse=True))
        infixes.append(rf"(?i:-(?:t-)?)(?=(?i:{words})$)")

    def make(nlp: Language) -> Tokenizer:
        return Tokenizer(
            nlp.vocab,
            rules={word: [{"ORTH": word}] for word in table["whole"]},
            prefix_search=compile_prefix_regex(prefixes).search,
            suffix_search=compile_suffix_regex(_CLOSING).search,
            infix_finditer=compile_infix_regex(infixes).finditer,
        )

    return make


@Language.factory("hoyle_normaliser", assigns=["token.norm"])
class Normaliser:
    """Sets ``token.norm_`` to the folded spelling; «s'il» is «si il»."""

    def __init__(self, nlp: Language, name: str, language: str) -> None:  # noqa: ARG002 - spaCy's signature
        self.name = name
        self._fold = folder(language)
        self._known: dict[int, str] = {}

    def __call__(self, doc: Doc) -> Doc:
        """The doc with the norm of each token set."""
        known = self._known
        for token in doc:
            norm = known.get(token.orth)
            if norm is None:
                norm = known[token.orth] = self._fold(token.text) or token.text
            token.norm_ = norm
        for token in doc[:-1]:
            if token.norm_ == "se" and doc[token.i + 1].norm_ in ("il", "ils"):
                token.norm_ = "si"
        return doc


@Language.factory("hoyle_lemmatiser", assigns=["token.lemma", "token.tag"], requires=["token.norm"])
class Lemmatiser:
    """Sets ``token.lemma_`` and the word class ``token.tag_`` from the folded spelling."""

    def __init__(self, nlp: Language, name: str, language: str) -> None:
        self.name = name
        self._lemmatise = lemmatiser(language, lexicon(language))
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
        return doc


@Language.factory("hoyle_zones", assigns=["doc.spans"], requires=["token.lemma", "token.tag"])
class Zones:
    """Marks conditions and relative clauses as the span groups ``conditions`` and ``relatives``."""

    def __init__(self, nlp: Language, name: str, language: str) -> None:  # noqa: ARG002 - spaCy's signature
        self.name = name
        self._openers = Openers.of(language, folder(language))

    def __call__(self, doc: Doc) -> Doc:
        """The doc with the two span groups."""
        zones = ZoneFinder(doc, self._openers)
        doc.spans["conditions"] = [doc[start:end] for start, end in zones.conditions()]
        doc.spans["relatives"] = [doc[start:end] for start, end in zones.relatives()]
        return doc


@Language.factory("hoyle_cues", assigns=["doc.spans"], requires=["token.lemma", "token.tag", "token.norm"])
class CueMatcher:
    """Finds every place where a row of a cue table fires, as the span group ``cues``.

    Which of overlapping ones stands is decided later, when the game is known. There is one Matcher
    for each word that patterns begin with, and only those whose word is in the text are asked: one
    Matcher of 1,500 patterns tries each of them at every token.
    """

    def __init__(self, nlp: Language, name: str, language: str) -> None:
        self.name = name
        fold, lemmatise = folder(language), lemmatiser(language, lexicon(language))
        self._matchers: dict[tuple[str, int], Matcher] = {}
        self._cues: dict[int, tuple[Cue, Compiled]] = {}
        for cue in cues(language):
            _ROWS[cue.where] = cue
            for n, compiled in enumerate(compile_pattern(cue, language, fold, lemmatise)):
                key = f"{cue.key}/{n}"
                attribute, word = compiled.first
                first = (attribute, nlp.vocab.strings.add(word))
                matcher = self._matchers.setdefault(first, Matcher(nlp.vocab, validate=False))
                matcher.add(key, [[dict(token) for token in compiled.tokens]])
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
        keys: dict[tuple[str, int], None] = {}  # in the order of the text, so that results are too
        for token in doc:
            keys[("LEMMA", token.lemma)] = None
            keys[("NORM", token.norm)] = None
            keys[("TAG", token.tag)] = None
        for key in keys:
            if key in self._matchers:
                matches: Any = self._matchers[key](doc, with_alignments=True)  # the stubs know triples only
                yield from matches


def _language(base: str) -> type[Language]:
    """A bare spaCy language: the tables say how it is split, not spaCy's own rules."""

    class Historical(Language):  # type: ignore[no-untyped-call] # spaCy's __init_subclass__
        lang = base
        Defaults = BaseDefaults

    return Historical


@cache
def pipeline(tag: str) -> Language:
    """The pipeline for a language-and-orthography tag; one for all that share tables."""
    here = home(tag)
    if here.tag != tag:
        return pipeline(here.tag)
    config: dict[str, Any] = load_config(
        Path(__file__).with_name("pipeline.cfg"),
        overrides={"nlp.lang": here.base, "nlp.tokenizer.language": tag}
        | {f"components.{name}.language": tag for name in ("normaliser", "lemmatiser", "zones", "cues")},
    )
    return _language(here.base).from_config(config)


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
