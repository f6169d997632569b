"""Finds the words behind a stretch of damaged text.

Two steps, so that another proposer (a neural tagger) can take the place of the first:

1. a :class:`Proposer` says which words could begin at a character, and how probable the channel is;
2. :func:`decode` puts them together to the most probable sequence of words and gives each its
   posterior probability (forward–backward over the lattice of proposals).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from hoyle.correction.channel import Rule
from hoyle.correction.model_scores import WORDS, Witness
from hoyle.resources import Lexicon

STATES = 6
"""How many words are kept in mind at one character."""

HOPELESS = 9.0
"""A reading that ends at a character is given up if one that passed it is so much better (log)."""

EDGES = ',.;:!?()«»"“”„—–…[]'
"""Signs that stand at the edges of words."""

_JUNK = -1.5
"""Log probability of a stray sign that is left where it is."""


class Change(NamedTuple):
    """``size`` characters of the text read ``after``; ``rule`` is None where they stand as they are."""

    size: int
    after: str
    rule: Rule | None


@dataclass(frozen=True, slots=True)
class Arc:
    """A word that may stand at ``[start, end)`` of the text.

    ``word`` is in small letters (empty for what is no word), ``channel`` the natural log
    probability of the text given the word, ``own`` that of the word itself where it is in no list.
    """

    start: int
    end: int
    word: str
    channel: float
    changes: tuple[Change, ...]
    own: float | None = None

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The confusions it assumes."""
        return tuple(c.rule for c in self.changes if c.rule)


class Window(NamedTuple):
    """``[start, stop)`` of a text, to be decoded.

    ``firm`` are characters of words that are right as they stand; ``witness`` is what the net says of the
    text, if there is one.
    """

    text: str
    start: int
    stop: int
    firm: Container[int] = ()
    witness: Witness | None = None


class Proposer(Protocol):
    """Says which words may begin at a character of the text."""

    def propose(self, window: Window, start: int) -> list[Arc]:
        """The arcs that begin at ``start`` and end where the window does or before.

        Where ``start`` is firm, only what stands there.
        """


class Found(NamedTuple):
    """An arc of the most probable reading and its posterior probability."""

    arc: Arc
    posterior: float


class _Edge(NamedTuple):
    source: tuple[int, str]
    target: tuple[int, str]
    arc: Arc | None
    score: float


def decode(window: Window, proposer: Proposer, lexicon: Lexicon) -> list[Found]:
    """The most probable words of a window; it begins and ends with one.

    Args:
        window: what to decode.
        proposer: gives the candidates.
        lexicon: weighs them.
    """
    text, start, stop = window.text, window.start, window.stop
    weight = WORDS if window.witness else 1.0
    edges: list[_Edge] = []
    forward: dict[int, dict[str, float]] = defaultdict(dict, {start: {"": 0.0}})
    best: dict[int, dict[str, tuple[float, _Edge | None]]] = defaultdict(dict, {start: {"": (0.0, None)}})
    for at in range(start, stop):
        if not forward[at]:
            continue
        _prune(forward[at], best[at], _ahead(forward, at) - HOPELESS)
        if not forward[at]:
            continue
        arcs = [] if text[at].isspace() else proposer.propose(window, at)
        for edge in _edges(text[at], at, sorted(forward[at]), arcs, lexicon, weight):
            edges.append(edge)
            end, word = edge.target
            total = forward[at][edge.source[1]] + edge.score
            forward[end][word] = _add(forward[end].get(word, -math.inf), total)
            score = best[at][edge.source[1]][0] + edge.score
            if score > best[end].get(word, (-math.inf, None))[0]:
                best[end][word] = (score, edge)
    if not best[stop]:
        return []
    return _posteriors(edges, forward, best, stop)


def _ahead(forward: dict[int, dict[str, float]], at: int) -> float:
    """The best score of a reading that has passed the character ``at`` already."""
    return max(
        (max(words.values()) for end, words in forward.items() if end > at and words), default=-math.inf
    )


def _prune(forward: dict[str, float], best: dict[str, tuple[float, _Edge | None]], least: float) -> None:
    ranked = sorted(forward, key=lambda w: (-forward[w], w))
    for i, word in enumerate(ranked):
        if i >= STATES or forward[word] < least:
            del forward[word], best[word]


def _edges(
    char: str, at: int, words: list[str], arcs: Iterable[Arc], lexicon: Lexicon, weight: float
) -> Iterator[_Edge]:
    """The ways on from a character: over a sign, or by an arc whose word has this ``weight``."""
    if not char.isalnum():
        keeps = char.isspace() or char == "-"
        score = 0.0 if char.isspace() or char in EDGES or char in "-'’" else _JUNK
        for word in words:
            yield _Edge((at, word), (at + 1, word if keeps else ""), None, score)
    for arc in arcs:
        for word in words:
            own = arc.own
            if own is None:
                own = lexicon.log_probability(arc.word, word)
            yield _Edge((at, word), (arc.end, arc.word), arc, arc.channel + weight * own)


def _posteriors(
    edges: list[_Edge],
    forward: dict[int, dict[str, float]],
    best: dict[int, dict[str, tuple[float, _Edge | None]]],
    stop: int,
) -> list[Found]:
    total = -math.inf
    backward: dict[tuple[int, str], float] = {}
    for word, score in forward[stop].items():
        total = _add(total, score)
        backward[stop, word] = 0.0
    share: dict[tuple[int, int, str], float] = defaultdict(float)
    for edge in reversed(edges):
        after = backward.get(edge.target)
        if after is None:
            continue
        backward[edge.source] = _add(backward.get(edge.source, -math.inf), after + edge.score)
        if edge.arc:
            p = math.exp(forward[edge.source[0]][edge.source[1]] + edge.score + after - total)
            share[edge.arc.start, edge.arc.end, edge.arc.word] += p
    found: list[Found] = []
    at = stop
    word = max(sorted(best[stop]), key=lambda w: best[stop][w][0])
    while True:
        last = best[at][word][1]
        if last is None:
            break
        if last.arc:
            found.append(Found(last.arc, min(1.0, share[last.arc.start, last.arc.end, last.arc.word])))
        at, word = last.source
    return found[::-1]


def _add(a: float, b: float) -> float:
    """log(exp a + exp b)."""
    if a < b:
        a, b = b, a
    return a if b == -math.inf else a + math.log1p(math.exp(b - a))
