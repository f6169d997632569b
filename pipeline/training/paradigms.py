"""Forms of Russian words in the orthography before 1918, by those of their present paradigms.

The present-day dictionary knows every form of a word, but not how it was spelled: whether е was ѣ, и was і.
The stem's spelling is known from forms that were met (``видѣлъ``), that of endings by rule
(``видѣвшаго``). A form whose ending leaves it open is left out, and so is one that would not be
modernised to what it comes from.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pymorphy3

INFLECTED = {"NOUN", "ADJF", "ADJS", "COMP", "PRTF", "PRTS", "INFN", "VERB", "GRND"}
"""Parts of speech whose endings follow the rules below."""

_NAMES = {"Abbr", "Name", "Surn", "Patr", "V-oy"}
"""Marks of forms that are left alone: abbreviations, names, variants in -ой that are of speech."""

_SHORTEST = 3
"""Letters of a stem at least."""

_SURE = 3
"""Times that a form must be counted to be sure of its spelling."""

_TO_MODERN = str.maketrans({"ѣ": "е", "і": "и", "ї": "и", "ѳ": "ф", "ѵ": "и"})
_MODERN_ENDINGS = [
    (re.compile(r"([жшщч])аго(ся)?$"), r"\1его\2"),
    (re.compile(r"аго(ся)?$"), r"ого\1"),
    (re.compile(r"яго(ся)?$"), r"его\1"),
    (re.compile(r"([ыи])я(ся)?$"), r"\1е\2"),
    (re.compile(r"^((?:по|не|без)?(?:ра|во|и|ни|бе|чере))з(?=[сптхцчшщкф])"), r"\1с"),
]
_OLD_ENDINGS = [
    (re.compile(r"([жшщч])его(ся)?$"), r"\1аго\2"),
    (re.compile(r"его(ся)?$"), r"яго\1"),
    (re.compile(r"ого(ся)?$"), r"аго\1"),
]
"""Of adjectives and participles in the genitive."""

_OPEN = re.compile(r"е(?:л|ть|в)")
"""Endings of verbs that may have е or ѣ."""

_BEFORE_VOWEL = re.compile(r"и(?=[аеёиоуыэюяіѣй])")
_NOT_BEFORE_VOWEL = re.compile(r"(?<!м)і(?![аеёиоуыэюяіѣй])")
_CONSONANT = re.compile(r"(?<=[бвгджзклмнпрстфхцчшщ])$")


def modern_spellings(form: str) -> list[str]:
    """What a form of the old orthography may be in the present one; only to look it up."""
    base = form.translate(_TO_MODERN)
    found = [base.removesuffix("ъ")]
    for pattern, replacement in _MODERN_ENDINGS:
        found += [pattern.sub(replacement, f) for f in found if pattern.search(f)]
    return found


@cache
def morphology() -> pymorphy3.MorphAnalyzer:
    """The present-day dictionary."""
    return pymorphy3.MorphAnalyzer()


def old_forms(old: str, new: str) -> Iterator[str]:
    """All forms of a word, by one of them.

    Args:
        old: a form in the old spelling (``взятка``, ``вистъ``).
        new: the same form in the present one.
    """
    new = new.replace("ё", "е")
    parse = morphology().parse(new)[0]
    if parse.is_known and parse.tag.POS in INFLECTED:
        yield from _forms(parse, {new: old})


def completed(counts: Mapping[str, float]) -> Iterator[str]:
    """All forms of the words of which some are counted (old spelling, small letters)."""
    for key, relatives in sorted(_families(counts).items()):
        first = next(iter(relatives))
        parse = next((p for p in morphology().parse(first) if _key(p) == key), None)
        if parse:
            yield from _forms(parse, relatives)


def _families(counts: Mapping[str, float]) -> dict[tuple[str, bool], dict[str, str]]:
    """By word (its dictionary form; whether it is a noun): forms that are counted, by present spelling."""
    families: dict[tuple[str, bool], dict[str, str]] = defaultdict(dict)
    for form in sorted(counts, key=lambda form: (-counts[form], form)):
        # What is rare may be misspelled: it counts only where nothing else is known of the word.
        new = next((m for m in modern_spellings(form) if morphology().word_is_known(m)), "")
        for parse in morphology().parse(new) if len(new) >= _SHORTEST else ():
            grammemes = parse.tag.grammemes
            if parse.is_known and parse.tag.POS in INFLECTED and not _NAMES & grammemes:
                family = families[_key(parse)]
                if counts[form] >= _SURE or not family:
                    family.setdefault(new, form)
    return families


def _key(parse: Any) -> tuple[str, bool]:
    return parse.normal_form, parse.tag.POS == "NOUN"


def _forms(parse: Any, relatives: Mapping[str, str]) -> Iterator[str]:
    """The forms of a paradigm, each spelled like the relative that it shares most letters with."""
    stems = {new: old.removesuffix("ъ") for new, old in relatives.items()}
    alike = {new: old for new, old in stems.items() if len(old) == len(new)}
    for form in parse.lexeme:
        word = form.word.replace("ё", "е")
        if not alike or _NAMES & form.tag.grammemes:
            continue
        near = max(alike, key=lambda new: (_shared(new, word), new))
        size = _shared(near, word)
        whole = _spelled(alike[near][:size], word, form.tag) if size >= min(_SHORTEST, len(word)) else ""
        if whole and word in modern_spellings(whole):
            yield whole
            if form.tag.POS in {"ADJF", "PRTF"} and whole.endswith(("ые", "іе")):
                yield whole[:-1] + "я"


def _shared(a: str, b: str) -> int:
    """How many letters two words begin with alike."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _spelled(stem: str, word: str, tag: Any) -> str:
    """The present ``word`` in the old spelling, of which the ``stem`` is known; "" if that is open."""
    ending, grammemes = word[len(stem) :], tag.grammemes
    if tag.POS == "NOUN":
        whole = stem + ending
        if word.endswith("е") and "sing" in grammemes and {"datv", "loct"} & grammemes:
            whole = whole[:-1] + "ѣ"
        elif word.endswith(("ею", "ей", "ем")):
            whole = whole[:-2] + word[-2:]
    elif tag.POS == "COMP" or "Supr" in grammemes:
        whole = stem + re.sub("^е(?=е$|й)", "ѣ", ending)
    elif _OPEN.match(ending):
        return ""
    else:
        whole = stem + ending
    if tag.POS in {"ADJF", "PRTF"} and {"gent", "accs"} & grammemes:
        for pattern, replacement in _OLD_ENDINGS:
            whole = pattern.sub(replacement, whole)
    whole = _BEFORE_VOWEL.sub("і", _NOT_BEFORE_VOWEL.sub("и", whole))
    return _CONSONANT.sub("ъ", whole)
