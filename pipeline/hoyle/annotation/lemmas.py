"""Cue keys, lemmas and word classes of words.

The cue key of a word is what its historical and modern spellings have in common (ѣ→е, no final ъ,
étoit→était …); the pipeline stores it as ``token.norm_``. Cues may be written in any spelling: their
words are converted to cue keys too. ``token.tag_`` is a word class that cues can require:

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
CueKey: TypeAlias = Callable[[str], str]


class Analysis(NamedTuple):
    """The lemma (a cue key) and the word class of a word."""

    lemma: str
    tag: str


Lemmatise: TypeAlias = Callable[[str], Analysis]


def has_tables(language: Language) -> bool:
    """Return whether a language has tagging tables."""
    return (language.folder / "tagging.toml").exists()


def settings(language: Language) -> Mapping[str, Any]:
    """Return ``tagging.toml`` of a language that has tagging tables."""
    return language.resource(_settings)


def _settings(language: Language) -> Mapping[str, Any]:
    return read_toml(language.folder / "tagging.toml")


def cue_key(language: Language) -> CueKey:
    """Return the function from a word of this language to its cue key."""
    return language.resource(_cue_key)


def _cue_key(language: Language) -> CueKey:
    table = settings(language)["fold"]
    rules = [(re.compile(old), new) for old, new in table["rules"]]
    spelling = language_of(table["spelling"])
    rules = [*look_alike_rules(spelling), *rules, *cue_key_rules(spelling)]
    kept = frozenset(table["keep"])

    @cache
    def key_of(word: str) -> str:
        word = word.lower()
        if word in kept:
            return word
        for old, new in rules:
            word = old.sub(new, word)
        return word

    return key_of


def lemmatiser(language: Language, words: Collection[str]) -> Lemmatise:
    """Return the lemmatiser of a language: a function from a cue key to lemma and word class.

    Args:
        language: the language.
        words: cue keys that are lemmas (those of the cue tables).

    Raises:
        TableError: ``tagging.toml`` names an unknown method of lemmatisation.
    """
    by = settings(language)["lemma"]["by"]
    makers = {"pymorphy3": _by_pymorphy, "endings": _by_endings}
    if by not in makers:
        message = f"lemma.by is {by!r}; it must be one of {', '.join(makers)}"
        raise TableError(message, document=f"languages/{language.tag}/tagging.toml")
    return makers[by](language, words)


def dictionary_test(language: Language) -> Callable[[str], bool] | None:
    """Return the membership test of the dictionary that gives the lemmas; ``None`` if there is none."""
    return cache(_analyser().word_is_known) if settings(language)["lemma"]["by"] == "pymorphy3" else None


def _by_pymorphy(language: Language, words: Collection[str]) -> Lemmatise:  # noqa: ARG001 - one signature for all
    morph = _analyser()
    key_of = cue_key(language)

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
        return Analysis(key_of(lemma), _class(parse.tag) if parse.is_known else "X")

    return lemmatise


def active_participles(language: Language) -> Callable[[str], tuple[str, ...]]:
    """Return the function from a verb (a cue key) to its active participles, lemmas themselves (Russian)."""
    return language.resource(_active_participles)


def _active_participles(language: Language) -> Callable[[str], tuple[str, ...]]:
    if settings(language)["lemma"]["by"] != "pymorphy3":
        return lambda _: ()
    morph, key_of = _analyser(), cue_key(language)

    @cache
    def active(word: str) -> tuple[str, ...]:
        parse = morph.parse(word)[0]
        if parse.tag.POS != "INFN" or not parse.is_known:
            return ()
        forms = (parse.inflect({"PRTF", "actv", tense, "sing", "masc", "nomn"}) for tense in ("past", "pres"))
        return tuple(key_of(form.word) for form in forms if form)

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
    key_of = cue_key(language)
    irregular: dict[str, str] = {}
    for row in language.table("lemmas", ["lemma", "forms", "example"]):
        for form in row["forms"].split():
            irregular.setdefault(key_of(form), key_of(row["lemma"]))
    lemmas = {*words, *irregular.values()}
    endings = [(key_of(old) if old else "", new) for old, new in settings(language)["lemma"]["endings"]]

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
