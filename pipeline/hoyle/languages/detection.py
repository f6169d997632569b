"""Stage ``language``: which language, in which orthography, a text is in.

Three pieces of evidence are weighed for each language that has a folder: how many letters are of
its alphabet, how many words it knows, and the ``[detect]`` marks of its orthography (a hard sign
at word ends against bare consonants there). Letters alone would not do: OCR loses ``ѣ`` and ``і``
altogether, or reads ``*`` for every final ``ъ``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from hoyle.document import Document, Evidence, Finding
from hoyle.languages import UNDETERMINED, Language, language, languages
from hoyle.languages.scripts import look_alikes, script

SAMPLE = 30_000
"""Characters that are looked at: from the beginning, the middle and the end."""

LEAST = 0.48
"""A language that scores less (letters × words × marks) is not surely the text's."""

NEAREST = 0.25
"""Share of known words from which on the nearest language is taken all the same, and said to be a doubt.

Its letters must then be all but alone in the text, and the language must have marks of its own: badly read
Russian has a third of its words known, as a Romance language has of French."""
_ALL_LETTERS = 0.98

SURE = 0.55
"""Below this a finding is a doubt."""

_SAME_SHAPE = 0.8
"""Likeness from which on two letters count as of the same shape."""
_WORD = re.compile(r"[^\W\d_]+(?:['’](?=\w))?")
_BY = "languages/detection: letters, words and word ends"


class Score(NamedTuple):
    """How well a text fits a language, each between 0 and 1."""

    tag: str
    letters: float
    words: float
    marks: float

    @property
    def total(self) -> float:
        """All three together."""
        return self.letters * self.words * self.marks


def detect_language(document: Document, _language: Language) -> Iterator[Finding]:
    """The language of the text; where the editor has named one, only a contradiction to it.

    Args:
        document: the document, without layers.
        _language: not used: the language is what is looked for.
    """
    scores = scored(document.source.text)
    first = scores[0]
    # A language that fits this badly is no rival, so that one more known language changes nothing.
    rivals = sum(score.total for score in scores[1:] if score.total >= LEAST / 2)
    value = first.tag if first.total >= LEAST or _nearest(first) else UNDETERMINED.tag
    confidence = _confidence(first.total, rivals)
    stated = document.meta.lang
    if not stated:
        doubt = first.total < SURE or confidence < 0.8
        yield Finding("language", value, Evidence(_BY, confidence), doubt=doubt)
    elif value not in (stated, UNDETERMINED.tag) and confidence >= 0.8:
        message = f"stated is {stated}, but the text looks like {value}"
        yield Finding("language-contradiction", message, Evidence(_BY, confidence), doubt=True)


def _nearest(score: Score) -> bool:
    """Whether a language that scores low is the text's all the same."""
    own = score.letters >= _ALL_LETTERS and "detect" in language(score.tag).settings
    return own and score.words >= NEAREST


def _confidence(total: float, rivals: float) -> float:
    share = total / (total + rivals) if total else 0.0
    return round(min(0.999, share * min(1.0, total / SURE)), 3)


def scored(text: str) -> list[Score]:
    """The languages by how well the text fits them, best first.

    Letters of another alphabet that look like a language's own count as its own inside its words.
    """
    sample = _sample(text)
    scores = [_score(one, folded(sample, one)) for one in languages().values()]
    return sorted(scores, key=lambda s: (-s.total, s.tag))


def _sample(text: str) -> str:
    if len(text) <= SAMPLE:
        return text
    third = SAMPLE // 3
    middle = len(text) // 2
    return "\n".join((text[:third], text[middle : middle + third], text[-third:]))


def folded(text: str, lang: Language) -> str:
    """A text with the look-alikes of letters of a language read as those letters, in words that have one.

    Args:
        text: the text.
        lang: the language.
    """
    likes = lang.resource(_look_alikes)

    def fold(match: re.Match[str]) -> str:
        word = match[0]
        mixed = any(sign.lower() in lang.letters for sign in word) and any(sign in likes for sign in word)
        return "".join(likes.get(sign, sign) for sign in word) if mixed else word

    return _WORD.sub(fold, text)


def _look_alikes(lang: Language) -> Mapping[str, str]:
    """Letters of other alphabets → those of the language that have the same shape."""
    rows = look_alikes(script(lang), "words", lang.base)
    found = {row["ocr"]: row["print"] for row in rows if row.number("likeness") >= _SAME_SHAPE}
    return {sign: own for sign, own in found.items() if sign.isalpha() and sign.lower() not in lang.letters}


def _score(lang: Language, sample: str) -> Score:
    words = [w.replace("’", "'") for w in _WORD.findall(sample.lower())]
    letters = [c for c in sample.lower() if c.isalpha()]
    if not letters:
        return Score(lang.tag, 0.0, 0.0, 0.0)
    own = sum(letter in lang.letters for letter in letters) / len(letters)
    long = [word for word in words if len(word) > 1]
    known_word = _known_word(lang)
    share = sum(known_word(word) for word in long) / len(long) if long and own > 0.3 else 0.0
    return Score(lang.tag, own, share, _marks(lang, sample))


def _known_word(lang: Language) -> Callable[[str], bool]:
    return lang.lexicon.is_common if lang.has_lexicon else lang.dictionary.__contains__


def _marks(lang: Language, sample: str) -> float:
    """Share of the marks for the orthography among those for and against; 1 if it has none."""
    detect = lang.settings.get("detect")
    if not detect:
        return 1.0
    pro = sum(len(re.findall(pattern, sample)) for pattern in detect["for"])
    contra = sum(len(re.findall(pattern, sample)) for pattern in detect["against"])
    return (pro + 0.5) / (pro + contra + 1)
