"""Decode the words behind a stretch of damaged text.

1. An :class:`ArcGenerator` gives the words that may begin at a character, with the probability of the
   channel (Kernighan, Church & Gale 1990; Brill & Moore 2000).
2. :func:`decode` finds the posterior probability of each word by the forward–backward algorithm with a beam
   (Rabiner 1989); sequences of words are scored by the bigrams of the lexicon.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from hoyle.correction.candidate import Change
from hoyle.correction.channel import Confusion
from hoyle.correction.model_scores import LEXICON_WEIGHT, ModelScores
from hoyle.correction.tokens import EDGE_PUNCTUATION
from hoyle.resources import Lexicon

BEAM_WIDTH = 6
"""Words that are kept as history at one character."""

PRUNE_MARGIN = 9.0
"""Natural log. A history is dropped if one that has passed its character is better by this."""


MIN_POSTERIOR = 0.03
"""Posterior probability below which a word is not considered."""

_STRAY_SIGN = -1.5
"""Natural log probability of a stray sign that is left where it is."""


@dataclass(frozen=True, slots=True)
class Arc:
    """A word that may stand at ``[start, end)`` of the text.

    Attributes:
        start: offset of its first character.
        end: offset after its last character.
        word: the word, in lower case; empty for what is no word.
        channel: natural log probability of the text given the word.
        changes: the replacements that turn the text into the word.
        unlisted_score: natural log probability of the word where it is unlisted; ``None`` for listed words.
    """

    start: int
    end: int
    word: str
    channel: float
    changes: tuple[Change, ...]
    unlisted_score: float | None = None

    @property
    def confusions(self) -> tuple[Confusion, ...]:
        """The confusions that it assumes."""
        return tuple(c.confusion for c in self.changes if c.confusion)


class Window(NamedTuple):
    """A stretch ``[start, stop)`` of a text that is decoded.

    ``fixed`` are offsets of words that stay as they are; ``model_scores`` are the scores of the tagger for
    the text, if there is one.
    """

    text: str
    start: int
    stop: int
    fixed: Container[int] = ()
    model_scores: ModelScores | None = None


class ArcGenerator(Protocol):
    """Generates the arcs of a lattice."""

    def arcs(self, window: Window, start: int) -> list[Arc]:
        """Generate the arcs that begin at a character and end inside the window.

        Args:
            window: the stretch that is decoded.
            start: offset of the character; if it is fixed, the only arc is the word as it stands.

        Returns:
            The arcs, in any order.
        """


class DecodedArc(NamedTuple):
    """An arc and its posterior probability."""

    arc: Arc
    posterior: float


class _Edge(NamedTuple):
    source: tuple[int, str]
    target: tuple[int, str]
    arc: Arc | None
    score: float


def decode(window: Window, arc_generator: ArcGenerator, lexicon: Lexicon) -> list[DecodedArc]:
    """Find the probable words of a window that begins and ends with a word.

    Args:
        window: the stretch to decode.
        arc_generator: gives the arcs.
        lexicon: scores words by their probability after the word before (natural log).

    Returns:
        The arcs whose posterior is :data:`MIN_POSTERIOR` or more, in order; those that share a character are
        rivals. Empty if no sequence of arcs covers the window.
    """
    text, start, stop = window.text, window.start, window.stop
    weight = LEXICON_WEIGHT if window.model_scores else 1.0
    edges: list[_Edge] = []
    forward: dict[int, dict[str, float]] = defaultdict(dict, {start: {"": 0.0}})
    for at in range(start, stop):
        if not forward[at]:
            continue
        _prune(forward[at], _best_ahead(forward, at) - PRUNE_MARGIN)
        if not forward[at]:
            continue
        arcs = [] if text[at].isspace() else arc_generator.arcs(window, at)
        for edge in _edges(text[at], at, sorted(forward[at]), arcs, lexicon, weight):
            edges.append(edge)
            end, word = edge.target
            total = forward[at][edge.source[1]] + edge.score
            forward[end][word] = _add(forward[end].get(word, -math.inf), total)
    return _posteriors(edges, forward, stop) if forward[stop] else []


def _best_ahead(forward: dict[int, dict[str, float]], at: int) -> float:
    """Return the best score of a history that has passed the character ``at`` already."""
    return max(
        (max(words.values()) for end, words in forward.items() if end > at and words), default=-math.inf
    )


def _prune(forward: dict[str, float], min_score: float) -> None:
    ranked = sorted(forward, key=lambda w: (-forward[w], w))
    for i, word in enumerate(ranked):
        if i >= BEAM_WIDTH or forward[word] < min_score:
            del forward[word]


def _edges(
    char: str, at: int, words: list[str], arcs: Iterable[Arc], lexicon: Lexicon, weight: float
) -> Iterator[_Edge]:
    """Yield the edges from a character: over a sign, or by an arc whose word has this ``weight``."""
    if not char.isalnum():
        keeps = char.isspace() or char == "-"
        score = 0.0 if char.isspace() or char in EDGE_PUNCTUATION or char in "-'’" else _STRAY_SIGN
        for word in words:
            yield _Edge((at, word), (at + 1, word if keeps else ""), None, score)
    for arc in arcs:
        for word in words:
            word_score = arc.unlisted_score
            if word_score is None:
                word_score = lexicon.log_probability(arc.word, word)
            yield _Edge((at, word), (arc.end, arc.word), arc, arc.channel + weight * word_score)


def _posteriors(edges: list[_Edge], forward: dict[int, dict[str, float]], stop: int) -> list[DecodedArc]:
    total = -math.inf
    backward: dict[tuple[int, str], float] = {}
    for word, score in forward[stop].items():
        total = _add(total, score)
        backward[stop, word] = 0.0
    shares: dict[tuple[int, int, str], float] = defaultdict(float)
    arcs: dict[tuple[int, int, str], Arc] = {}
    for edge in reversed(edges):
        after = backward.get(edge.target)
        if after is None:
            continue
        backward[edge.source] = _add(backward.get(edge.source, -math.inf), after + edge.score)
        if edge.arc:
            key = edge.arc.start, edge.arc.end, edge.arc.word
            shares[key] += math.exp(forward[edge.source[0]][edge.source[1]] + edge.score + after - total)
            if key not in arcs or arcs[key].channel < edge.arc.channel:
                arcs[key] = edge.arc
    return [
        DecodedArc(arc, min(1.0, shares[key]))
        for key, arc in sorted(arcs.items())
        if shares[key] >= MIN_POSTERIOR
    ]


def _add(a: float, b: float) -> float:
    """Return log(exp a + exp b)."""
    if a < b:
        a, b = b, a
    return a if b == -math.inf else a + math.log1p(math.exp(b - a))
