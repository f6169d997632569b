"""Whether numbered units hold sentences: catalogues, price lists and timetables number things, not rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

LEAST_WORDS = 40
"""Words below which nothing can be said."""
LEAST_SMALL = 0.8
"""Share of words in small letters, below which the text is names (a catalogue: 0.74; rules: 0.86 to 1)."""
MOST_FIGURES = 0.6
"""Figures to a word, above which the text is a table (rules: up to 0.17)."""

_WORD = re.compile(r"(?P<first>(?:\A|(?<=[.!?:;»(]))[\s\d«\"—-]*)?(?P<word>[^\W\d_]+)|\d+")


class Contents(NamedTuple):
    """What the units of one series hold.

    Attributes:
        words: words, those that begin a sentence left out.
        small: those of them that begin with a small letter.
        figures: runs of digits.
    """

    words: int
    small: int
    figures: int

    @property
    def sentences(self) -> bool:
        """Whether they may be sentences."""
        if self.figures > MOST_FIGURES * max(self.words, 1) and self.figures > 5:
            return False
        return self.words < LEAST_WORDS or self.small >= LEAST_SMALL * self.words


def contents(texts: Iterable[str]) -> Contents:
    """Counts words and figures of units.

    Args:
        texts: the text of each, without its label.
    """
    words = small = figures = 0
    for text in texts:
        for match in _WORD.finditer(text):
            if match["word"] is None:
                figures += 1
            elif match["first"] is None:
                words += 1
                small += match["word"][0].islower()
    return Contents(words, small, figures)
