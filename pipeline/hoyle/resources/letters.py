"""How letters follow one another in a language: counted sequences, to judge what continues what.

``letters_xx.tsv`` lists the symbols and the glyphs each stands for; ``letters_xx.marisa`` and
``letters_xx.counts`` hold the counted sequences of up to seven of them, as
:mod:`hoyle.resources` keeps counts; ``letters_xx.toml`` says what they were counted from.
Written by ``pipeline/training/build_ngrams.py``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import marisa_trie

from hoyle.errors import TableError
from hoyle.resources import STEPS
from hoyle.tables import read_table, read_toml

LONGEST = 7
"""Symbols in the longest sequence counted."""

_SPACES = re.compile(r"\s+")
_SPACE_BEFORE_STOP = re.compile(r" (?=[.,])")
_BACK_OFF = math.log(0.4)
"""Weight of the shorter context where the longer was not met (Brants et al. 2007, stupid backoff)."""


class Letters:
    """Sequences of letters of one language, whatever the orthography.

    Args:
        base: ISO 639 code (``ru``).
        folder: where its files lie.

    Raises:
        TableError: if a file of the resource is missing or broken.
    """

    def __init__(self, base: str, folder: Path) -> None:
        name = f"letters_{base}"
        self._symbol = symbols(folder / f"{name}.tsv")
        try:
            self._ids = marisa_trie.Trie().mmap(str(folder / f"{name}.marisa"))
            self._counts = (folder / f"{name}.counts").read_bytes()
        except (OSError, RuntimeError) as error:
            raise TableError(f"cannot be read ({error})", document=f"{folder.name}/{name}.marisa") from error
        if len(self._counts) != len(self._ids):
            raise TableError(
                "marisa and counts do not fit; rebuild them", document=f"{folder.name}/{name}.marisa"
            )
        self._total = float(read_toml(folder / f"{name}.toml")["symbols"])
        self._after = lru_cache(maxsize=200_000)(self._symbol_after)

    def fold(self, text: str) -> str:
        """``text`` in the counted symbols: small letters, single spaces, no dashes or brackets."""
        return fold(text, self._symbol)

    def log_probability(self, text: str, after: str) -> float:
        """The score of one text coming after another, by stupid backoff (Brants et al. 2007).

        Args:
            text: the text, in the counted symbols (:meth:`fold`).
            after: what stands before it, in the counted symbols.

        Returns:
            A natural log.
        """
        score = 0.0
        for symbol in text:
            score += self._after(after[1 - LONGEST :], symbol)
            after += symbol
        return score

    def _symbol_after(self, context: str, symbol: str) -> float:
        weight = 0.0
        for start in range(len(context)):
            if before := self._count(context[start:]):
                if met := self._count(context[start:] + symbol):
                    return math.log(met / before) + weight
                weight += _BACK_OFF
        return math.log(max(self._count(symbol), 1.0) / self._total) + weight

    def _count(self, sequence: str) -> float:
        key = self._ids.get(sequence)
        return 0.0 if key is None else 2.0 ** ((self._counts[key] - 1) / STEPS)


def fold(text: str, symbol: Mapping[str, str]) -> str:
    """A text in the symbols that its glyphs stand for; glyphs that stand for none are left out.

    Args:
        text: any text.
        symbol: the symbol of each glyph (:func:`symbols`).
    """
    folded = "".join([symbol.get(c, " " if c.isspace() else "") for c in text.lower()])
    return _SPACE_BEFORE_STOP.sub("", _SPACES.sub(" ", folded))


def symbols(path: Path) -> dict[str, str]:
    """The symbol each glyph stands for, by the table at ``path``.

    Raises:
        TableError: if there is no such table or it is broken.
    """
    rows = read_table(path, ("symbol", "glyphs", "example"))
    return {glyph: row["symbol"] for row in rows for glyph in row["glyphs"]}
