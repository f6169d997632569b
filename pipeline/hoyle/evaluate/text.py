"""How near a text is to its gold reading: characters, words mended, words broken."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein


@dataclass(frozen=True, slots=True)
class TextScore:
    """Counts over some stretches of text; white space counts as one space wherever it stands.

    ``characters`` and ``words`` are of the gold; ``errors_before`` and ``errors_after`` are edit
    distances in characters of the raw and of the corrected text; ``fixed`` and ``broken`` are
    gold words that only the corrected, or only the raw text has right.
    """

    characters: int = 0
    errors_before: int = 0
    errors_after: int = 0
    words: int = 0
    right_before: int = 0
    fixed: int = 0
    broken: int = 0

    def __add__(self, other: TextScore) -> TextScore:
        return TextScore(*(getattr(self, f) + getattr(other, f) for f in self.__dataclass_fields__))

    @property
    def cer_before(self) -> float:
        """Character error rate of the raw text, in per cent of the gold characters."""
        return 100 * self.errors_before / max(self.characters, 1)

    @property
    def cer_after(self) -> float:
        """Character error rate of the corrected text, in per cent of the gold characters."""
        return 100 * self.errors_after / max(self.characters, 1)

    @property
    def broken_per_1000(self) -> float:
        """Right words made wrong, of 1000 words that were right."""
        return 1000 * self.broken / max(self.right_before, 1)


def score_text(raw: str, corrected: str, gold: str) -> TextScore:
    """The counts for one stretch of text."""
    raw, corrected, gold = (" ".join(text.split()) for text in (raw, corrected, gold))
    before, after = _words_right(raw, gold), _words_right(corrected, gold)
    return TextScore(
        characters=len(gold),
        errors_before=Levenshtein.distance(raw, gold),
        errors_after=Levenshtein.distance(corrected, gold),
        words=len(before),
        right_before=sum(before),
        fixed=sum(a and not b for b, a in zip(before, after, strict=True)),
        broken=sum(b and not a for b, a in zip(before, after, strict=True)),
    )


def _words_right(text: str, gold: str) -> list[bool]:
    """For each word of ``gold``, whether ``text`` has it letter for letter and no letter more."""
    right = [False] * (len(gold) + 1)
    joined = [True] * (len(gold) + 1)  # nothing is inserted before the gold character
    for op in Levenshtein.opcodes(gold, text):
        if op.tag == "equal":
            right[op.src_start : op.src_end] = [True] * (op.src_end - op.src_start)
        elif op.tag == "insert":
            joined[op.src_start] = False
    return [
        all(right[m.start() : m.end()]) and all(joined[m.start() : m.end() + 1])
        for m in re.finditer(r"\S+", gold)
    ]
