"""Tokens: how a language is split, folded to one spelling, and brought to lemmas.

Old and new spelling meet in ``token.norm_`` (ѣ→е, final ъ off, étoit→était …); cues are written in
any spelling and folded alike. ``token.tag_`` is a small word class that cues may ask for:

====  =====================================================
``.``   end of a sentence or of a line
``,``   other punctuation
INF   infinitive
FUT   future, third person (French, of verbs that the tables know)
V3P   transitive verb, third person plural, present tense (Russian: "раскладываютъ")
V     any other finite verb, short participle or predicative
NA    noun for a living being (Russian only)
PA    active participle that begins a sentence and has no noun (Russian: "Сдѣлавшій ренонсъ …")
N     other noun
X     anything else
====  =====================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from hoyle.errors import TableError
from hoyle.languages import Language
from hoyle.languages import language as language_of
from hoyle.orthography.variants import cue_key_rules, look_alike_rules
from hoyle.tables import read_toml

STOPS = frozenset(".;!?…\n")
_CYRILLIC = re.compile(r"[Ѐ-ӿ]")
Fold: TypeAlias = Callable[[str], str]


class Analysis(NamedTuple):
    """Lemma (folded) and word class of a word."""

    lemma: str
    tag: str


Lemmatise: TypeAlias = Callable[[str], Analysis]


def has_tables(language: Language) -> bool:
    """Whether a language has tagging tables."""
    return (language.folder / "tagging.toml").exists()


def settings(language: Language) -> Mapping[str, Any]:
    """``tagging.toml`` of a language that has tagging tables."""
    return language.resource(_settings)


def _settings(language: Language) -> Mapping[str, Any]:
    return read_toml(language.folder / "tagging.toml")


def folder(language: Language) -> Fold:
    """The function that brings old and new spelling of a word of this language together."""
    return language.resource(_folder)


def _folder(language: Language) -> Fold:
    table = settings(language)["fold"]
    rules = [(re.compile(old), new) for old, new in table["rules"]]
    spelling = language_of(table["spelling"])
    rules = [*look_alike_rules(spelling), *rules, *cue_key_rules(spelling)]
    kept = frozenset(table["keep"])

    @cache
    def fold(word: str) -> str:
        word = word.lower()
        if word in kept:
            return word
        for old, new in rules:
            word = old.sub(new, word)
        return word

    return fold


def lemmatiser(language: Language, words: Collection[str]) -> Lemmatise:
    """The function from a folded word to its lemma and class.

    Args:
        language: the language.
        words: folded words that are lemmas for certain (those of the cue tables).

    Raises:
        TableError: ``tagging.toml`` names a way of lemmatising that there is not.
    """
    by = settings(language)["lemma"]["by"]
    makers = {"pymorphy3": _by_pymorphy, "endings": _by_endings}
    if by not in makers:
        message = f"lemma.by is {by!r}; known are {', '.join(makers)}"
        raise TableError(message, document=f"languages/{language.tag}/tagging.toml")
    return makers[by](language, words)


def dictionary(language: Language) -> Callable[[str], bool] | None:
    """Whether a folded word is one, by the dictionary that gives the lemmas; none if they come by endings."""
    return cache(_analyser().word_is_known) if settings(language)["lemma"]["by"] == "pymorphy3" else None


def _by_pymorphy(language: Language, words: Collection[str]) -> Lemmatise:  # noqa: ARG001 - one signature for all
    morph = _analyser()
    fold = folder(language)

    @cache
    def lemmatise(word: str) -> Analysis:
        if not any(map(str.isalpha, word)):
            return _mark(word)
        if not _CYRILLIC.search(word):  # pymorphy fails on characters that have no Unicode name
            return Analysis(word, "X")
        parse = morph.parse(word)[0]
        lemma = parse.normal_form
        if parse.tag.POS in ("PRTF", "PRTS"):  # "сдающий" is a person, not a form of "сдавать"
            full = parse.inflect({"PRTF", "sing", "masc", "nomn"}) if parse.tag.POS == "PRTS" else None
            full = full or parse.inflect({"sing", "masc", "nomn"})
            lemma = full.word if full else lemma
        return Analysis(fold(lemma), _class(parse.tag) if parse.is_known else "X")

    return lemmatise


def participles(language: Language) -> Callable[[str], tuple[str, ...]]:
    """The function from a folded verb to its active participles (lemmas of their own), Russian only."""
    return language.resource(_participles)


def _participles(language: Language) -> Callable[[str], tuple[str, ...]]:
    if settings(language)["lemma"]["by"] != "pymorphy3":
        return lambda _: ()
    morph, fold = _analyser(), folder(language)

    @cache
    def active(word: str) -> tuple[str, ...]:
        parse = morph.parse(word)[0]
        if parse.tag.POS != "INFN" or not parse.is_known:
            return ()
        forms = (parse.inflect({"PRTF", "actv", tense, "sing", "masc", "nomn"}) for tense in ("past", "pres"))
        return tuple(fold(form.word) for form in forms if form)

    return active


@cache
def _analyser() -> Any:
    import pymorphy3  # noqa: PLC0415 - French needs none

    return pymorphy3.MorphAnalyzer(lang="ru")


def _class(tag: Any) -> str:
    if tag.POS == "INFN":
        return "INF"
    if tag.POS == "VERB" and {"plur", "3per", "tran", "indc"} <= set(tag.grammemes):
        return "V3P"
    if tag.POS in ("VERB", "PRTS", "PRED"):
        return "V"
    forms = frozenset(tag.grammemes)
    if tag.POS == "PRTF" and {"actv", "nomn"} <= forms and not {"femn", "neut"} & forms:
        return "PAT" if "tran" in forms else "PA"
    if tag.POS == "NOUN":
        return "NA" if "anim" in tag and "Name" not in tag else "N"
    return "X"


def _by_endings(language: Language, words: Collection[str]) -> Lemmatise:
    fold = folder(language)
    irregular: dict[str, str] = {}
    for row in language.table("lemmas", ["lemma", "forms", "example"]):
        for form in row["forms"].split():
            irregular.setdefault(fold(form), fold(row["lemma"]))
    lemmas = {*words, *irregular.values()}
    endings = [(fold(old) if old else "", new) for old, new in settings(language)["lemma"]["endings"]]

    @cache
    def lemmatise(word: str) -> Analysis:
        if not any(map(str.isalpha, word)):
            return _mark(word)
        lemma = irregular.get(word) or next(_stems(word, endings, lemmas), word)
        infinitive, future = ("er", "ir", "re"), ("ra", "ront")
        if word.endswith(future) and lemma.endswith(infinitive):
            return Analysis(lemma, "FUT")
        return Analysis(lemma, "INF" if word == lemma and word.endswith(infinitive) else "X")

    return lemmatise


def _stems(word: str, endings: Iterable[tuple[str, str]], lemmas: Collection[str]) -> Iterator[str]:
    for old, new in endings:
        if word.endswith(old) and (stem := word[: len(word) - len(old)] + new) in lemmas:
            yield stem


def _mark(word: str) -> Analysis:
    if word.isdigit():
        return Analysis("0", "X")
    return Analysis(word, "." if word[:1] in STOPS else "X" if any(map(str.isalnum, word)) else ",")
