"""What the corrector never does, however probable the tagger or the lattice finds it.

Digits are content: they are not deleted, and not read as letters but where a look-alike stands in a word.
Letters and words that name something (points of a figure, cells of a board, players) are no misreadings, nor
are addresses, names of files, abbreviations, older spellings, and passages in another language.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import Any

from hoyle.correction.candidate import Candidate
from hoyle.correction.channel import general_channel
from hoyle.correction.lexical_acceptability import LexicalAcceptability
from hoyle.correction.tagger import normalise_signs
from hoyle.correction.tokens import EDGE_PUNCTUATION, is_number
from hoyle.languages import Language

NEAR_CERTAIN = 0.9
"""Calibrated probability from which a change may put in or take out a negation."""

MIN_NAMES = 2
"""Different lone capitals by which a text shows that it uses them as names."""

_FOREIGN_WINDOW = 60
"""Characters on either side of a word by which the language of a passage is told."""

_FOREIGN_SHARE = 0.5
"""Share of the longer words of a passage that look like another language from which it is in it."""

_ROMAN = {"I", "V", "X"}
"""Capitals that may be numbers, and I misread for other letters."""

_WORD = re.compile(r"[^\W\d_]+")
_LONE_CAPITAL = re.compile(r"(?<![\w'’.-])[^\W\d_](?![\w'’.-])")
_ADDRESS = re.compile(
    r"://|www\.|\w@\w+\.\w|[a-z]_[a-z]{2,}|\w\.(?:png|jpe?g|tiff?|pdf|html?|txt|xml|csv|docx?|md|com|org|net)$",
    re.IGNORECASE,
)


class Constraints:
    """Tells which candidates are out of the question in one document.

    Args:
        language: its language, with a lexicon.
        acceptability: lexical acceptability for the document.
        text: the raw text of the document.
    """

    def __init__(self, language: Language, acceptability: LexicalAcceptability, text: str) -> None:
        settings: dict[str, Any] = language.settings["correct"]
        self._lexicon, self._acceptability, self._text = language.lexicon, acceptability, text
        self._letters = language.letters
        self._one_letter = frozenset(settings["words_of_one_letter"])
        self._negations = frozenset(settings.get("negations", ()))
        foreign = settings.get("foreign_words")
        self._foreign = re.compile(foreign) if foreign else None
        self._kept = frozenset(settings.get("kept_letters", ""))
        self._abbreviations = frozenset(settings.get("abbreviations", ()))
        channel = language.resource(general_channel)
        self._confusions = {(c.ocr, c.print) for group in channel.confusions.values() for c in group}

    def allows(self, text: str, candidate: Candidate) -> bool:
        """Tell whether a candidate may be considered.

        Args:
            text: the edited text of a unit.
            candidate: a candidate for it.

        Returns:
            Whether no rule speaks against it.
        """
        before, after = text[candidate.start : candidate.end], candidate.after
        return not (
            self._changes_number(before, after)
            or self._changes_name(before, after)
            or self._loses_letter(before, after)
            or self._makes_non_word(before, after)
            or self._is_modernisation(before, after)
            or self._is_protected(text, candidate.start, candidate.end)
            or _joins_sentences(text, candidate.end, before, after)
        )

    def changes_negation(self, before: str, after: str) -> bool:
        """Tell whether a change puts in or takes out a negation, which turns a rule into its contrary.

        Args:
            before: the text as it stands.
            after: the text that replaces it.

        Returns:
            Whether the number of negations is another; they are then not made but where they are
            :data:`NEAR_CERTAIN`.
        """
        had, has = (
            sum(w in self._negations for w in _WORD.findall(normalise_signs(part.lower())))
            for part in (before, after)
        )
        return had != has

    def _changes_number(self, before: str, after: str) -> bool:
        """Tell whether a number changes, or a digit in a word is read as a letter that OCR never takes so."""
        if not any(map(str.isdigit, before + after)):
            return False
        was, now = (
            [core for t in text.split() if any(map(str.isdigit, core := t.strip(EDGE_PUNCTUATION)))]
            for text in (before, after)
        )
        if was == now:
            return False
        if any(token not in was for token in now):
            return True
        return not all(self._reads_digits(token, after) for token in was if token not in now)

    def _reads_digits(self, token: str, after: str) -> bool:
        """Tell whether the digits of a token are misread letters of a listed word."""
        digits = [c for c in token if c.isdigit()]
        letters = sum(map(str.isalpha, token))
        words = _WORD.findall(normalise_signs(after).lower())
        if is_number(token) or not letters or not words or any(w not in self._lexicon for w in words):
            return False
        if letters > max(2, len(digits)):
            return True
        made = next((w for w in words if len(w) == len(token)), "")
        return bool(made) and all(
            a == b or (a, b) in self._confusions for a, b in zip(token.lower(), made, strict=True)
        )

    def _changes_name(self, before: str, after: str) -> bool:
        """Tell whether a lone capital of a text that names things so, or a name in capitals, changes."""
        words, kept = _WORD.findall(before), _WORD.findall(after)
        lone = [w for w in words if len(w) == 1 and w.isupper() and w.lower() not in self._one_letter]
        if len(lone) == 1 and lone[0] not in kept and lone[0] not in _ROMAN:
            joined = len(words) > 1 and _bare(before) == _bare(after)  # a drop capital: "E t"
            if (self._uses_capitals and not joined) or after.lower() == before.lower():
                return True
        capitals = [w for w in words if len(w) > 2 and w.isupper() and w not in kept]
        return any(self._words[w.title()] for w in capitals)

    def _loses_letter(self, before: str, after: str) -> bool:
        """Tell whether a letter of another script is left out, or a letter that no engine invents changes."""
        if any(before.lower().count(c) > after.lower().count(c) for c in self._kept):
            return True
        foreign = sum(c.isalpha() and c not in self._letters for c in before.lower())
        return (
            foreign > 0
            and len(_bare(after)) < len(_bare(before))
            and len(before.split()) == len(after.split())
        )

    def _makes_non_word(self, before: str, after: str) -> bool:
        """Tell whether a capital for a last letter is read as OCR never takes it, and makes no word."""
        core, made = before.strip(EDGE_PUNCTUATION), after.strip(EDGE_PUNCTUATION)
        if len(core) < 3 or not (core[-1].isupper() and core[-2].islower()):
            return False
        last, small = {core[-1], core[-1].lower()}, made.lower()
        if small[-1:] in last or any((c, small[-n:]) in self._confusions for c in last for n in (1, 2)):
            return False
        return any(w not in self._lexicon for w in _WORD.findall(normalise_signs(after).lower()))

    def _is_modernisation(self, before: str, after: str) -> bool:
        """Tell whether a change only replaces older spellings by newer ones, or is of another script."""
        was, now = (_WORD.findall(normalise_signs(part)) for part in (before, after))
        if any(self._acceptability.is_other_script(w.lower()) for w in was):
            return True
        pairs = [(a, b) for a, b in zip(was, now, strict=False) if a != b]
        return (
            len(was) == len(now)
            and bool(pairs)
            and all(self._acceptability.is_modernisation(a, b) for a, b in pairs)
        )

    def _is_protected(self, text: str, start: int, end: int) -> bool:
        """Tell whether a change touches an address, an abbreviation, or a passage in another language."""
        first = max(text.rfind(" ", 0, start), text.rfind("\n", 0, start)) + 1
        last = min((at for at in (text.find(" ", end), text.find("\n", end)) if at >= 0), default=len(text))
        before = text[start:end]
        if any(_ADDRESS.search(token.strip(EDGE_PUNCTUATION)) for token in text[first:last].split()):
            return True
        core = before.rstrip(".")
        if core.lower() in self._abbreviations and text.startswith(".", start + len(core)):
            return True
        return self._is_foreign(text, start, end)

    def _is_foreign(self, text: str, start: int, end: int) -> bool:
        """Tell whether the longer words around a place look like words of another language."""
        if self._foreign is None:
            return False
        around = text[max(0, start - _FOREIGN_WINDOW) : end + _FOREIGN_WINDOW]
        longer = [w.lower() for w in _WORD.findall(around) if len(w) > 2]
        foreign = sum(
            self._foreign.fullmatch(w) is not None and not self._lexicon.is_common(w) for w in longer
        )
        return len(longer) > 3 and foreign >= _FOREIGN_SHARE * len(longer)

    @cached_property
    def _words(self) -> Counter[str]:
        return Counter(_WORD.findall(self._text))

    @cached_property
    def _uses_capitals(self) -> bool:
        """Whether the text uses lone capitals as names: of points, cells, players."""
        lone = {m.group() for m in _LONE_CAPITAL.finditer(self._text) if m.group().isupper()}
        return len({c for c in lone if c.lower() not in self._one_letter} - _ROMAN) >= MIN_NAMES


def _joins_sentences(text: str, end: int, before: str, after: str) -> bool:
    """Tell whether a full stop before a capital becomes a comma."""
    following = text[end : end + 3].lstrip()[:1] if before.endswith(".") and after.endswith(",") else ""
    return following.isupper()


def _bare(text: str) -> str:
    return "".join(filter(str.isalpha, text))
