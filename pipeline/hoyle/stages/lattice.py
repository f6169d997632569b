"""Finds the words behind a stretch of damaged text.

Two steps, so that another proposer (a neural tagger) can take the place of the first:

1. a :class:`Proposer` says which words could begin at a character, and how probable the channel is;
2. :func:`decode` puts them together to the most probable sequence of words and gives each its
   posterior probability (forward–backward over the lattice of proposals).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from operator import itemgetter
from typing import NamedTuple, Protocol, TypeAlias

from hoyle.resources import Lexicon
from hoyle.stages.channel import Channel, Rule

STATES = 6
"""How many words are kept in mind at one character."""

REACH = 1.0
"""How far (log) the channel may stay behind the best word found; that word's own probability is set
against the one of a common word, so the true reach is some 6."""

HOPELESS = 9.0
"""A reading that ends at a character is given up if one that passed it is so much better (log)."""

RIVALS = 6
"""How many words are proposed for the same stretch of text."""

MOST_STATES = 400
"""How many prefixes are looked at from one character."""

_EDGES = ",.;:!?()«»\"“”„—–…[]"
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


class Proposer(Protocol):
    """Says which words may begin at a character of the text."""

    def propose(self, text: str, start: int, stop: int) -> list[Arc]:
        """The arcs that begin at ``start`` and end at ``stop`` or before."""


class Found(NamedTuple):
    """An arc of the most probable reading and its posterior probability."""

    arc: Arc
    posterior: float


class _Edge(NamedTuple):
    source: tuple[int, str]
    target: tuple[int, str]
    arc: Arc | None
    score: float


def decode(text: str, start: int, stop: int, proposer: Proposer, lexicon: Lexicon) -> list[Found]:
    """The most probable words of ``text[start:stop]``.

    Args:
        text: the whole text (words do not reach over ``stop``).
        start: where to begin; a word must be able to begin there.
        stop: where to end.
        proposer: gives the candidates.
        lexicon: weighs them.
    """
    edges: list[_Edge] = []
    forward: dict[int, dict[str, float]] = defaultdict(dict, {start: {"": 0.0}})
    best: dict[int, dict[str, tuple[float, _Edge | None]]] = defaultdict(dict, {start: {"": (0.0, None)}})
    for at in range(start, stop):
        if not forward[at]:
            continue
        _prune(forward[at], best[at], _ahead(forward, at) - HOPELESS)
        if not forward[at]:
            continue
        for edge in _edges(text, at, stop, sorted(forward[at]), proposer, lexicon):
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
    return max((max(words.values()) for end, words in forward.items() if end > at and words), default=-math.inf)


def _prune(forward: dict[str, float], best: dict[str, tuple[float, _Edge | None]], least: float) -> None:
    ranked = sorted(forward, key=lambda w: (-forward[w], w))
    for i, word in enumerate(ranked):
        if i >= STATES or forward[word] < least:
            del forward[word], best[word]


def _edges(
    text: str, at: int, stop: int, words: list[str], proposer: Proposer, lexicon: Lexicon
) -> Iterator[_Edge]:
    char = text[at]
    if not char.isalnum():
        keeps = char.isspace() or char == "-"
        score = 0.0 if char.isspace() or char in ",.;:!?()«»\"“”„—–…[]-'’" else _JUNK
        for word in words:
            yield _Edge((at, word), (at + 1, word if keeps else ""), None, score)
    if char.isspace():
        return
    for arc in proposer.propose(text, at, stop):
        for word in words:
            own = arc.own
            if own is None:
                own = lexicon.log_probability(arc.word, word)
            yield _Edge((at, word), (arc.end, arc.word), arc, arc.channel + own)


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
        edge = best[at][word][1]
        if edge is None:
            break
        if edge.arc:
            found.append(Found(edge.arc, min(1.0, share[edge.arc.start, edge.arc.end, edge.arc.word])))
        at, word = edge.source
    return found[::-1]


def _add(a: float, b: float) -> float:
    """log(exp a + exp b)."""
    if a < b:
        a, b = b, a
    return a if b == -math.inf else a + math.log1p(math.exp(b - a))


class LexiconProposer:
    """Proposes the words of the lexicon that the channel can have turned into the text.

    Args:
        lexicon: the words of the orthography.
        channel: the channel of the document.
        unlisted: gives the log probability of a word that is in no list.
        most: negative log probability of the channel above which no word is proposed.
    """

    def __init__(self, lexicon: Lexicon, channel: Channel, unlisted: Unlisted, most: float = 13.0) -> None:
        self._lexicon = lexicon
        self._channel = channel
        self._unlisted = unlisted
        self._most = most
        self._text = ""
        self._stop = 0
        self._known_steps: dict[int, list[tuple[float, Change]]] = {}
        self._prefixes: dict[str, bool] = {"": True}

    def propose(self, text: str, start: int, stop: int) -> list[Arc]:
        """See :class:`Proposer`; the word as it stands is always among the proposals."""
        found: dict[tuple[int, str], Arc] = {}
        for arc in self._search(text, start, stop, self._most):
            key = (arc.end, arc.word)
            if key not in found or found[key].channel < arc.channel:
                found[key] = arc
        arcs = self._likeliest(found.values())
        if start == 0 or not text[start - 1].isalnum():
            arcs += self._literal(text, start, stop)
        return arcs

    def _likeliest(self, arcs: Iterable[Arc]) -> list[Arc]:
        """For each end, the arcs that do not fall far behind the best one."""
        by_end: dict[int, list[tuple[float, Arc]]] = defaultdict(list)
        for arc in arcs:
            by_end[arc.end].append((arc.channel + self._lexicon.log_probability(arc.word), arc))
        kept: list[Arc] = []
        for weighed in by_end.values():
            weighed.sort(key=lambda pair: (-pair[0], pair[1].word))
            kept += [arc for weight, arc in weighed[:RIVALS] if weight > weighed[0][0] - HOPELESS]
        return kept

    def rivals(self, word: str, most: float) -> Iterator[Arc]:
        """The listed words that the channel can have turned into the whole of ``word``."""
        for arc in self._search(word, 0, len(word), most):
            if arc.end == len(word) and arc.word != word.lower():
                yield arc

    def _search(self, text: str, start: int, stop: int, most: float) -> Iterator[Arc]:
        """Best-first search through the prefixes of the lexicon; a place and prefix is seen once.

        It ends where the loss is above ``most``, or so high that even a common word would fall far
        behind the best word found for the whole token.
        """
        lexicon, is_prefix, options = self._lexicon, self._is_prefix, self._options(text, stop)
        token_end = _token_end(text, start, stop)
        heap: list[_State] = [(0.0, start, "", ())]
        seen: set[tuple[int, str]] = set()
        while heap and len(seen) < MOST_STATES:
            loss, at, prefix, changes = heappop(heap)
            if loss > most:
                return
            if (at, prefix) in seen:
                continue
            seen.add((at, prefix))
            if prefix and prefix in lexicon:
                score = self._end(text, at, stop, prefix) - loss
                yield Arc(start, at, prefix, score, _unlink(changes))
                if at >= token_end:
                    most = min(most, REACH - score - lexicon.log_probability(prefix))
            if at >= stop:
                continue
            if at not in options:
                options[at] = self._steps(text, at, stop)
            for cost, change in options[at]:
                total = loss + cost
                if total > most:
                    break
                longer = prefix + change.after
                if longer and (not change.after or is_prefix(longer)):
                    heappush(heap, (total, at + change.size, longer, (change, changes)))

    def _options(self, text: str, stop: int) -> dict[int, list[tuple[float, Change]]]:
        """What was found out about the characters of this text; forgotten with the next one."""
        if self._text is not text or self._stop != stop:
            self._text, self._stop, self._known_steps = text, stop, {}
        return self._known_steps

    def _steps(self, text: str, at: int, stop: int) -> list[tuple[float, Change]]:
        """What may stand behind ``text[at]``, cheapest first: itself, a closed gap, every confusion."""
        char = text[at]
        if char == " ":
            return [(-_space(text, at, self._channel), Change(1, "", _CLOSED))]
        steps: list[tuple[float, Change]] = []
        small = char.lower()
        if char.isalnum() or char in "'’":
            steps.append((0.0, Change(1, "'" if char == "’" else small, None)))
        rules = self._channel.rules
        for rule in (*rules.get(char, ()), *(rules.get(small, ()) if small != char else ())):
            if -rule.log_rate <= self._most and _matches(text, at, rule.ocr, stop):
                steps.append((-rule.log_rate, Change(len(rule.ocr), rule.print, rule)))
        return sorted(steps, key=itemgetter(0))

    def _end(self, text: str, at: int, stop: int, prefix: str) -> float:
        """Log probability that a word ends before ``text[at]``."""
        if at >= stop or prefix.endswith("'"):
            return 0.0
        char = text[at]
        if char == " ":
            return math.log1p(-math.exp(min(-0.05, _space(text, at, self._channel))))
        if char.isalnum():
            return self._channel.space_lost - (4.0 if len(prefix) == 1 else 0.0)
        return 0.0

    def _is_prefix(self, prefix: str) -> bool:
        known = self._prefixes.get(prefix)
        if known is None:
            known = self._prefixes[prefix] = self._lexicon.starts_a_word(prefix)
        return known

    def _literal(self, text: str, start: int, stop: int) -> Iterator[Arc]:
        """What stands there, as a word of no list: up to the next space, or joined if letterspaced."""
        end = start
        while end < stop and not text[end].isspace():
            end += 1
        while end > start + 1 and text[end - 1] in _EDGES:
            end -= 1
        piece = text[start:end]
        word = piece.lower()
        own = self._unlisted(piece)
        yield Arc(start, end, word, self._end(text, end, stop, word), (Change(end - start, piece, None),), own)


class Unlisted(Protocol):
    """Weighs a word that is in no list."""

    def __call__(self, word: str) -> float:
        """Natural log probability of the word (as it stands, capitals and all)."""


_CLOSED = Rule(" ", "", 0.0, "")

_State: TypeAlias = tuple[float, int, str, tuple[object, ...]]
"""Loss so far (negative log), place, prefix, changes as a linked list."""


def _token_end(text: str, start: int, stop: int) -> int:
    end = start
    while end < stop and not text[end].isspace() and text[end] not in _EDGES:
        end += 1
    return end


def _unlink(changes: tuple[object, ...]) -> tuple[Change, ...]:
    out: list[Change] = []
    while changes:
        change, changes = changes  # type: ignore[misc, assignment]
        out.append(change)  # type: ignore[arg-type]
    return tuple(reversed(out))


def _matches(text: str, at: int, ocr: str, stop: int) -> bool:
    if len(ocr) == 1:
        return True
    return at + len(ocr) <= stop and (text.startswith(ocr, at) or text[at : at + len(ocr)].lower() == ocr)


def _space(text: str, at: int, channel: Channel) -> float:
    """Log probability that the space at ``at`` was put into a word."""
    left, right = _run(text, at, -1), _run(text, at, 1)
    if left == 1 and right == 1:
        return -0.35
    if left <= 2 and right <= 2:
        return -1.2
    if left <= 1 or right <= 1:
        return max(-3.0, channel.space_inserted)
    return channel.space_inserted


def _run(text: str, at: int, step: int) -> int:
    """How many letters stand next to the space at ``at`` on one side (4 stands for more)."""
    size = 0
    at += step
    while 0 <= at < len(text) and size < 4 and text[at].isalnum():
        size += 1
        at += step
    return size
