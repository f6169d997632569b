"""A region of two columns read across: its words, and how well one may follow another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from hoyle.document import Span
from hoyle.resources.letters import LONGEST, Letters

_AHEAD = 10
"""Symbols of a line that are judged against the end of the line before it."""
_WHOLE, _CUT = math.log(0.6), math.log(0.4)
"""Share of lines of a narrow column that end with a whole word, and with a cut one (whist-lexicon)."""
_LABEL = math.log(0.02)
"""A clause begins, after the end of a sentence; elsewhere it costs the following."""
_LABEL_ASTRAY = -9.0
_OUT_OF_SEQUENCE = -12.0
_NUMBER_MISSED = -3.0
"""A label is out of sequence, or the labels between it and the last are damaged beyond finding."""
_LABEL_INSIDE = -12.0
_STREAM_OPENS = -3.0


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a closed letterspaced run, or a label: ``span`` in the raw text, folded ``text``.

    ``label`` is the number of a clause that begins here (0: none); ``opens_page`` says that a
    running head or a page number stands before it.
    """

    span: Span
    text: str
    size: int
    capital: bool
    ends_sentence: bool
    ends_phrase: bool
    label: int = 0
    opens_page: bool = False


class Line(NamedTuple):
    """Tokens ``[first, after)`` are a line, or a part of one, of stream 0 or 1."""

    first: int
    after: int
    stream: int


class Region:
    """What is known of a region before any search.

    Args:
        tokens: its words, with some before it.
        letters: of its language.
        labels: the last label before it in stream 0 and in stream 1.
    """

    def __init__(self, tokens: Sequence[Token], letters: Letters, labels: tuple[int, int]) -> None:
        self.tokens = tokens
        self.labels = labels
        self._letters = letters
        self._at = [0]
        for token in tokens:
            self._at.append(self._at[-1] + token.size + 1)
        texts = [token.text for token in tokens]
        self._heads = [" ".join(texts[i : i + _AHEAD // 2])[:_AHEAD] for i in range(len(texts))]
        self._tails = [" ".join(texts[max(0, i - LONGEST) : i + 1])[-LONGEST:] for i in range(len(texts))]
        self._labelled = [0, *accumulate(token.label > 0 for token in tokens)]
        self.follows = cache(self._follows)
        self.stands = [self._stands(i) for i in range(len(tokens))]

    def size(self, first: int, after: int) -> int:
        """Letters of the tokens ``[first, after)``, spaces between words counted.

        Args:
            first: index of the first token.
            after: index of the one after the last.
        """
        return self._at[after] - self._at[first] - 1

    def _follows(self, last: int, at: int) -> float:
        """Natural log score of a line that begins with token ``at`` after one that ends with ``last``."""
        token, head = self.tokens[at], self._heads[at]
        if token.label:
            return _LABEL if last < 0 or self.tokens[last].ends_sentence else _LABEL_ASTRAY
        if last < 0:
            return _STREAM_OPENS + self._letters.log_probability(head, ". " if token.capital else " ")
        tail = self._tails[last]
        whole = _WHOLE + self._letters.log_probability(head, tail + " ")
        if self.tokens[last].ends_phrase or token.capital:
            return whole
        return max(whole, _CUT + self._letters.log_probability(head, tail))

    def _stands(self, at: int) -> float:
        """Score of token ``at`` after the one before it in the text, as it stands."""
        if not at:
            return 0.0
        label = self.tokens[at].label
        if not label:
            return self._letters.log_probability(self._heads[at], self._tails[at - 1] + " ")
        before = next((t.label for t in reversed(self.tokens[:at]) if t.label), self.labels[1])
        return self.follows(at - 1, at) + _sequence(before, label)

    def labels_after(self, line: Line, labels: tuple[int, int]) -> tuple[tuple[int, int], float]:
        """The last labels once a line is read, and what its labels cost.

        Args:
            line: the line.
            labels: the last label of each stream before it.
        """
        if self._labelled[line.first] == self._labelled[line.after]:
            return labels, 0.0
        cost, found = 0.0, list(labels)
        for i in range(line.first, line.after):
            if number := self.tokens[i].label:
                cost += _LABEL_INSIDE if i > line.first else 0.0
                cost += _sequence(found[line.stream], number)
                found[line.stream] = number
        return (found[0], found[1]), cost


def _sequence(before: int, number: int) -> float:
    """What it costs (natural log) that label ``number`` comes after ``before`` (0: unknown)."""
    if not before or number == before + 1:
        return 0.0
    return _NUMBER_MISSED if before < number <= before + 3 else _OUT_OF_SEQUENCE
