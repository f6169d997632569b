"""Score a text against its gold: error rates by characters and words, words corrected and broken.

Character error rate (CER) and word error rate (WER) are Levenshtein distances in per cent of the gold
(the ISRI measure: Rice, Jenkins & Nartker 1995), taken as dinglehopper takes them: texts are in Unicode
normalization form C, and a character is a grapheme cluster (UAX 29), so a letter with its accents is one
character however it is encoded.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, fields

import regex
from rapidfuzz.distance import Indel, Levenshtein

_HYPHEN = regex.compile(r"(?<=\w)[-\u00ac\u00ad\u2010\u2011]\s*(?=\w)")
"""A hyphen in a word, with the line end (now a space) that may follow it."""


@dataclass(frozen=True, slots=True)
class TextScore:
    """Counts over stretches of text; :func:`normalise` removes differences that do not count.

    Attributes:
        characters: grapheme clusters of the gold.
        errors_before: edit distance of the raw text in characters.
        errors_after: edit distance of the corrected text in characters.
        words: words of the gold.
        words_right_before: words of the gold that the raw text has (:func:`kept_words`).
        words_corrected: those that only the corrected text has.
        words_broken: those that only the raw text has.
        hyphens_joined: corrected words that differed from the gold by hyphens alone.
        word_errors_before: edit distance of the raw text in words.
        word_errors_after: edit distance of the corrected text in words.
        unhyphenated_before: ``errors_before`` with the hyphens in words left out of all texts.
        unhyphenated_after: ``errors_after``, so too.
        unhyphenated_words_broken: ``words_broken``, so too.
    """

    characters: int = 0
    errors_before: int = 0
    errors_after: int = 0
    words: int = 0
    words_right_before: int = 0
    words_corrected: int = 0
    words_broken: int = 0
    hyphens_joined: int = 0
    word_errors_before: int = 0
    word_errors_after: int = 0
    unhyphenated_before: int = 0
    unhyphenated_after: int = 0
    unhyphenated_words_broken: int = 0

    def __add__(self, other: TextScore) -> TextScore:
        return TextScore(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def cer_before(self) -> float:
        """Character error rate of the raw text, in per cent of the gold characters."""
        return 100 * self.errors_before / max(self.characters, 1)

    @property
    def cer_after(self) -> float:
        """Character error rate of the corrected text, in per cent of the gold characters."""
        return 100 * self.errors_after / max(self.characters, 1)

    @property
    def words_broken_per_1000(self) -> float:
        """Broken words per 1000 words that were right."""
        return 1000 * self.words_broken / max(self.words_right_before, 1)


def score_text(raw: str, corrected: str, gold: str) -> TextScore:
    """Count the errors in one stretch of text.

    Args:
        raw: the text as the OCR gave it.
        corrected: the text as it was corrected.
        gold: the text as it was printed.

    Returns:
        The counts; those of several stretches can be added.
    """
    raw, corrected, gold = (normalise(text) for text in (raw, corrected, gold))
    words, before, after = (text.split() for text in (gold, raw, corrected))
    had, has = kept_words(words, before), kept_words(words, after)
    bare_raw, bare_corrected, bare_gold = (_HYPHEN.sub("", text) for text in (raw, corrected, gold))
    bare_words = [_HYPHEN.sub("", word) for word in words]
    whole_before, whole_after = (
        kept_words(bare_words, bare_raw.split()),
        kept_words(bare_words, bare_corrected.split()),
    )
    return TextScore(
        characters=len(graphemes(gold)),
        errors_before=character_errors(raw, gold),
        errors_after=character_errors(corrected, gold),
        words=len(words),
        words_right_before=len(had),
        words_corrected=len(has - had),
        words_broken=len(had - has),
        hyphens_joined=len((has - had) & whole_before),
        word_errors_before=Levenshtein.distance(before, words),
        word_errors_after=Levenshtein.distance(after, words),
        unhyphenated_before=character_errors(bare_raw, bare_gold),
        unhyphenated_after=character_errors(bare_corrected, bare_gold),
        unhyphenated_words_broken=len(whole_before - whole_after),
    )


def broken_words(raw: str, corrected: str, gold: str) -> list[str]:
    """Find the words that the raw text has right and the corrected one has not.

    Args:
        raw: the text as the OCR gave it.
        corrected: the text as it was corrected.
        gold: the text as it was printed.

    Returns:
        The words of the gold, in order.
    """
    words, before, after = (normalise(text).split() for text in (gold, raw, corrected))
    return [words[i] for i in sorted(kept_words(words, before) - kept_words(words, after))]


def normalise(text: str) -> str:
    """Normalise differences that do not count: canonical equivalents (NFC), white space, apostrophes."""
    return " ".join(unicodedata.normalize("NFC", text).replace("’", "'").split())


def bare_hyphens(text: str) -> str:
    """Leave out the hyphens inside words, and the line ends after them."""
    bare: str = _HYPHEN.sub("", text)
    return bare


def graphemes(text: str) -> list[str]:
    """Split a text into its grapheme clusters: what a reader calls a character (UAX 29)."""
    found: list[str] = regex.findall(r"\X", text)
    return found


def character_errors(text: str, gold: str) -> int:
    """Count the grapheme clusters that are inserted, deleted or replaced.

    Args:
        text: a text, in normalization form C.
        gold: the text as it was printed, in the same form.

    Returns:
        The Levenshtein distance.
    """
    return Levenshtein.distance(graphemes(text), graphemes(gold))


def kept_words(gold: Sequence[str], text: Sequence[str]) -> set[int]:
    """Align two texts by their words (longest common subsequence).

    Whole words are aligned, not the characters in them: an alignment of characters finds both words
    of "не только" in "нетолько", so that a space wrongly taken out would break nothing.

    Args:
        gold: the words of the gold.
        text: the words of the text.

    Returns:
        The indices of the words of ``gold`` that ``text`` has in the same order.
    """
    kept: set[int] = set()
    for op in Indel.opcodes(gold, text):
        if op.tag == "equal":
            kept.update(range(op.src_start, op.src_end))
    return kept
