"""Normalisation of one word: old spelling → modern spelling, by the table of its orthography.

:mod:`hoyle.orthography.table` says what the table holds. A word goes through these steps: small
letters, and the rows of the kind ``letter``; the word as a whole (``word``); its hyphens, and then
each part by itself; the rules that always hold; and, if present-day orthography does not know what
has come out, the most probable sequence of further rules that leads to a known word. It is found by
uniform-cost search (Dijkstra 1959) with the negative log probability of a rule as its cost.
"""

from __future__ import annotations

import heapq
import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from enum import Enum, auto

from hoyle.document import Evidence
from hoyle.languages import Language
from hoyle.orthography.rules import (
    Letter,
    Modern,
    Phrase,
    Rule,
    contrast,
    evidence,
    modern_rule,
)
from hoyle.orthography.table import SpellingChange, spelling_changes

_JOINED = frozenset({"ADJS", "PRTS", "PRTF", "ADVB", "COMP", "VERB", "GRND", "INFN", "PRED"})
_CERTAIN = 0.999  # the letters of a known modern form came out
_LIKELY = 0.97  # the letters alone changed and the form is not known
_SHORT = 400  # letters
_VARIANT = 5  # letters a word must have before variants are tried
_DEPTH = 3  # rules that may combine on the way to a known form
_TRIED = 200  # forms looked at on that way


class Case(Enum):
    """How a word is set. A capital may make a name: what guesses at variants keeps away from it."""

    SMALL = auto()
    NAME = auto()
    CAPITALS = auto()


def _case(form: str) -> Case:
    if form[0].islower():
        return Case.SMALL
    return Case.CAPITALS if form.isupper() and len(form) > 1 else Case.NAME


class Speller:
    """The modern spelling of the words of one orthography; what it found out it remembers.

    Args:
        lang: the orthography; its folder holds the tables.

    Raises:
        TableError: if a row of a table is broken.
    """

    def __init__(self, lang: Language) -> None:
        self._alphabet = lang.letters
        self._knows = lang.dictionary.__contains__
        self._parts = lang.dictionary.parts_of_speech
        rows: defaultdict[str, list[SpellingChange]] = defaultdict(list)
        for change in spelling_changes(lang, "modernise"):
            rows[change.kind].append(change)
        self._letters = [Letter(change) for change in rows["letter"]]
        self._plain = str.maketrans({one.old: one.new for one in self._letters if not one.at_end})
        self._words: dict[str, Modern] = {}
        self._phrases: dict[str, list[Phrase]] = {}
        for change in rows["word"]:
            self._add_words(change)
        self._contrasts = [contrast(change) for change in rows["contrast"]]
        self.hyphen_rules: Sequence[Rule] = [modern_rule(change) for change in rows["hyphen"]]
        self.rules: Sequence[Rule] = [modern_rule(change) for change in (*rows["rule"], *rows["variant"])]
        self._loose = [r for r in self.rules if r.when != "always"]
        self._firm = [r for r in self.rules if r.when == "always"]
        self._sure = [r for r in self._loose if r.kind != "variant"]
        self._keys: dict[str, str] = {}
        self._memory: dict[str, Modern | None] = {}

    def _add_words(self, change: SpellingChange) -> None:
        """A word, or a phrase under its first word that is no ``*``; the longest phrases first."""
        why = evidence(change)
        words = tuple(self.plain(word) for word in change.old.split())
        if len(words) == 1:
            self._words[words[0]] = Modern(change.new, why)
            return
        phrases = self._phrases.setdefault(words[1] if words[0] == "*" else words[0], [])
        phrases.append(Phrase(words, change.new, why))
        phrases.sort(key=lambda phrase: -len(phrase.words))

    def plain(self, form: str) -> str:
        """The form in small letters, with the rows of the kind ``letter`` applied.

        Args:
            form: a word as printed.

        Returns:
            The form that the other rows are matched against.
        """
        form = unicodedata.normalize("NFC", form).lower()
        for letter in self._letters:
            if letter.at_end:
                form = letter.drop(form)
        return form.translate(self._plain)

    @property
    def has_rules(self) -> bool:
        """Whether the orthography has a table at all; present-day ones have none."""
        return bool(self._letters or self._words or self._phrases or self._loose or self._firm)

    def phrases_from(self, form: str, following: str) -> list[Phrase]:
        """The phrases that may begin with a word.

        Args:
            form: the word as printed.
            following: the word after it, or nothing at the end of the text.

        Returns:
            The phrases, longest first; those that begin with any word (``*``) last.
        """
        if not self._phrases:
            return []
        found = self._phrases.get(self._key(form), [])
        any_first = self._phrases.get(self._key(following), []) if following else []
        return [p for p in found if p.words[0] != "*"] + [p for p in any_first if p.words[0] == "*"]

    def contrasts(self, text: str) -> dict[str, tuple[str, Evidence]]:
        """Words that mean one thing only because the print has a letter for the other.

        A text that writes ``ѣ`` keeps всѣ and все apart, so its все is «всё». A text too short to
        tell is trusted if it shows any letter that has gone out of use.

        Args:
            text: the text of a whole print, or what there is of it.

        Returns:
            The modern spelling and its evidence by the word in small letters.
        """
        found: dict[str, tuple[str, Evidence]] = {}
        small = text.lower() if self._contrasts else ""
        for row in self._contrasts:
            letters = sum(map(str.isalpha, small))
            count = small.count(row.letter)
            clear = count and count >= letters * row.share
            if clear or (letters < _SHORT and any(letter.is_in(small) for letter in self._letters)):
                found[row.old] = (row.new, row.why)
        return found

    def _key(self, form: str) -> str:
        if form not in self._keys:
            self._keys[form] = self.plain(form)
        return self._keys[form]

    def word(self, form: str) -> Modern | None:
        """The modern spelling of a word.

        Args:
            form: a word as printed, with hyphens and capitals.

        Returns:
            Its modern spelling with the same capitals, and the row it rests on; ``None`` if modern
            spelling changes nothing.
        """
        if form not in self._memory:
            self._memory[form] = self._find(form)
        return self._memory[form]

    def _find(self, form: str) -> Modern | None:
        small = unicodedata.normalize("NFC", form).lower()
        plain = self.plain(form)
        if not plain or not self._alphabet.issuperset(small.replace("-", "")) or _NUMBER.match(form):
            return None
        found = self._spell(small, plain, _case(form))
        if found.text == small:
            return None
        return Modern(with_capitals(form, found.text), found.why)

    def _spell(self, small: str, plain: str, case: Case) -> Modern:
        if plain in self._words:
            return self._words[plain]
        if "-" in plain and not self._knows(plain):
            return self._compound(small, plain, case)
        return self._simple(small, plain, case)

    def _compound(self, small: str, plain: str, case: Case) -> Modern:
        """A word with hyphens: which of them stay, and each part by itself."""
        joined = plain
        whys: list[Evidence] = []
        for rule in self.hyphen_rules:
            if rule.when == "adverb" and not self._is_adverbial(joined):
                continue
            changed = rule.pattern.sub(rule.new, joined)
            if changed == joined or (rule.when == "if-known" and not self._knows(changed)):
                continue
            joined = changed
            whys.append(Evidence(rule.where, rule.p))
        if joined == plain and self._knows(plain.replace("-", "")):
            # A hyphen of a line end that was left standing: the parts are no words.
            return Modern(plain, self._letter_evidence(small, _CERTAIN))
        out = re.split("([- ])" if joined == plain else "( )", joined)
        for i, part in enumerate(out):
            if part not in ("-", " ", ""):
                found = self._spell(small, part, case)
                if found.text != part:
                    out[i] = found.text
                    whys.append(found.why)
        whys.append(self._letter_evidence(small, _CERTAIN))
        return Modern("".join(out), min(whys, key=lambda why: why.confidence))

    def _is_adverbial(self, plain: str) -> bool:
        first, _, last = plain.partition("-")
        last = self._simple(last, last, Case.SMALL).text
        return "ADVB" in self._parts(first) and bool(_JOINED & self._parts(last))

    def _simple(self, small: str, plain: str, case: Case) -> Modern:
        form, why = plain, None
        for rule in self._firm:
            changed = rule.pattern.sub(rule.new, form)
            if changed != form:
                form, why = changed, Evidence(rule.where, rule.p)
        if self._knows(form) or (case is not Case.SMALL and self._knows(form.capitalize())):
            return Modern(form, why or self._letter_evidence(small, _CERTAIN))
        rules = self._sure if case is Case.NAME or len(form) < _VARIANT else self._loose
        found = self._search(form, why, rules)
        return found or self._guess(form, why or self._letter_evidence(small, _LIKELY))

    def _search(self, form: str, why: Evidence | None, rules: Sequence[Rule]) -> Modern | None:
        """The likeliest known form that some of the rules make of an unknown one."""
        start = why.confidence if why else 1.0
        heap: list[tuple[float, int, str, Evidence | None]] = [(-math.log(start), 0, form, why)]
        seen = {form}
        while heap and len(seen) < _TRIED:
            cost, depth, here, by = heapq.heappop(heap)
            if depth and self._knows(here):
                return Modern(here, Evidence(by.by if by else "", math.exp(-cost)))
            if depth == _DEPTH:
                continue
            for rule in rules:
                for made in rule.results(here):
                    if made not in seen:
                        seen.add(made)
                        worst = by if by and by.confidence <= rule.p else Evidence(rule.where, rule.p)
                        heapq.heappush(heap, (cost - math.log(rule.p), depth + 1, made, worst))
        return None

    def _guess(self, form: str, why: Evidence) -> Modern:
        for rule in self._loose:
            if rule.when == "unless-known" and rule.pattern.search(form):
                form = rule.pattern.sub(rule.new, form)
                why = Evidence(rule.where, min(why.confidence, rule.p) * _LIKELY)
        return Modern(form, why)

    def _letter_evidence(self, small: str, confidence: float) -> Evidence:
        for letter in self._letters:
            if letter.old in small:
                return Evidence(letter.where, min(confidence, letter.p))
        return Evidence("", confidence)


def with_capitals(old: str, new: str) -> str:
    """A new spelling with the capitals of the old one.

    Args:
        old: the word as printed.
        new: another spelling of it in small letters.

    Returns:
        ``new`` with a capital at its beginning, in capitals throughout, or letter by letter as ``old``.
    """
    letters = [char for char in old if char.isalpha()]
    if old.islower():
        return new
    if len(letters) > 1 and old.isupper():
        return new.upper()
    if letters[0].isupper() and "".join(letters[1:]).islower():
        return new[0].upper() + new[1:]
    return "".join(char.upper() if i < len(old) and old[i].isupper() else char for i, char in enumerate(new))


_NUMBER = re.compile(r"[ІХ]+(?:-|$)")  # Roman numerals set in Cyrillic letters: І, ІІ, ХІ-й
