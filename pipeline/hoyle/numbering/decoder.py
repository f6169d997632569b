"""Reads the sequence of labels: which candidates start a unit, and with which number.

The candidates of a text are taken in order. Each may be skipped at no cost, or accepted, which
earns the weight of its form and place and pays for damage, gaps, restarts and levels opened
(``levels``). What is kept is the best path to each stack of open levels (a Viterbi search over
stacks), and of the stacks only the best few (a beam), so time grows with the number of
candidates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hoyle.numbering.candidates import Candidate
from hoyle.numbering.context import Surroundings
from hoyle.numbering.letter import CYRILLIC, LATIN
from hoyle.numbering.levels import Level, Move, Option, Setting, Stack
from hoyle.numbering.options import options
from hoyle.numbering.scheme import from_roman
from hoyle.numbering.weights import weight

BEAM = 8
"""Stacks kept after each place."""
SLACK = 6.0
"""A stack this much worse than the best is given up (logarithm of odds)."""
LEAST_GAIN = -1.2
"""An acceptance that costs more than this cannot pay off later."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """An editor's statement: from ``at`` on (offset into the text), these levels are open."""

    at: int
    stack: Stack


@dataclass(frozen=True, slots=True)
class Choice:
    """One way a candidate could be taken, and what it gains (logarithm of odds)."""

    candidate: Candidate
    option: Option
    gain: float


Bias: TypeAlias = Callable[[Choice], float]


@dataclass(frozen=True, slots=True)
class Start:
    """A unit starts here.

    Attributes:
        at: offset into the text where the unit starts.
        candidate: the label and its place.
        value: its number on its own level.
        move: how it follows on the number before.
        levels: the open levels, its own last.
        gain: weight less costs (logarithm of odds).
        margin: by how much it beats the next best choice for the same label.
        choices: everything that was considered for this label on the chosen path, best first.
    """

    at: int
    candidate: Candidate
    value: int
    move: Move
    levels: Stack
    gain: float
    margin: float
    choices: tuple[Choice, ...]

    @property
    def confidence(self) -> float:
        """Probability that the unit starts here with this number."""
        return min(0.999, 1 / (1 + math.exp(-0.8 * self.margin)))


@dataclass(slots=True)
class _Node:
    """A path that ends with the acceptance of one candidate."""

    before: _Node | None
    group: int
    choice: Choice
    stack: Stack
    score: float

    @property
    def end(self) -> int:
        return self.choice.candidate.sighting.label.end


_State = tuple[float, _Node | None]


def decode(
    groups: Sequence[tuple[Candidate, ...]],
    surroundings: Surroundings,
    anchors: Sequence[Anchor] = (),
    bias: Bias | None = None,
) -> list[Start]:
    """The best reading of all candidates together, in the order of the text.

    Args:
        groups: what :func:`hoyle.numbering.candidates.candidates` found.
        surroundings: the text they were found in.
        anchors: sorted statements of an editor; each overrules what was open before it.
        bias: what else speaks for a way to take a candidate (to fit the weights).
    """
    beam: dict[Stack, _State] = {(): (0.0, None)}
    pending = list(reversed(anchors))
    resets: dict[int, Stack] = {}
    for number, group in enumerate(groups):
        while pending and pending[-1].at <= group[0].sighting.label.start:
            resets[number] = pending.pop().stack
            best = max(beam.values(), key=lambda state: state[0])
            beam = {resets[number]: best}
        beam = _advance(beam, number, group, surroundings, fresh=number in resets, bias=bias)
    best = max(beam.values(), key=lambda state: state[0])
    return _starts(best[1], groups, surroundings, resets)


def _advance(
    beam: dict[Stack, _State],
    number: int,
    group: tuple[Candidate, ...],
    surroundings: Surroundings,
    *,
    fresh: bool,
    bias: Bias | None,
) -> dict[Stack, _State]:
    new = dict(beam)
    # The beam is sorted: its best state sets early what the others must reach.
    best = max(score for score, _ in beam.values())
    for stack, (score, node) in beam.items():
        end = node.end if node else 0
        short = best - SLACK - score
        for choice in _choices(stack, group, end, surroundings, first=node is None, fresh=fresh, least=short):
            total = score + choice.gain + (bias(choice) if bias else 0.0)
            reached = choice.option.stack
            if reached not in new or total > new[reached][0]:
                new[reached] = (total, _Node(node, number, choice, reached, total))
                best = max(best, total)
    ranked = sorted(new.items(), key=lambda item: -item[1][0])
    least = ranked[0][1][0] - SLACK
    return {stack: state for stack, state in ranked[:BEAM] if state[0] >= least}


def _choices(
    stack: Stack,
    group: tuple[Candidate, ...],
    end: int,
    surroundings: Surroundings,
    *,
    first: bool,
    fresh: bool,
    least: float = LEAST_GAIN,
) -> list[Choice]:
    """All ways to accept one candidate of a group that gain more than ``least``."""
    found: list[Choice] = []
    least = max(least, LEAST_GAIN)
    for candidate in group:
        at = candidate.sighting.label.start
        budget = candidate.weight - least
        if at < end or budget <= weight("due"):
            continue
        setting = Setting(
            first=first,
            interruption=fresh or surroundings.interruption_in(end, at),
            paragraph=candidate.place.new_paragraph,
            part=surroundings.part_in(end, at - 1),
        )
        found += [
            Choice(candidate, option, candidate.weight - option.cost)
            for option in options(stack, candidate, setting, budget)
        ]
    return found


def _starts(
    node: _Node | None,
    groups: Sequence[tuple[Candidate, ...]],
    surroundings: Surroundings,
    resets: dict[int, Stack],
) -> list[Start]:
    path: list[_Node] = []
    while node is not None:
        path.append(node)
        node = node.before
    path.reverse()
    starts: list[Start] = []
    stack: Stack = ()
    end = reached = 0
    for step in path:
        passed = [resets[n] for n in range(reached, step.group + 1) if n in resets]
        stack = passed[-1] if passed else stack
        considered = _choices(
            stack, groups[step.group], end, surroundings, first=not starts, fresh=step.group in resets
        )
        considered.sort(key=lambda choice: -choice.gain)
        made = step.choice
        others = [
            c.gain for c in considered if (c.option.value, c.candidate) != (made.option.value, made.candidate)
        ]
        starts.append(
            Start(
                at=made.candidate.place.start,
                candidate=made.candidate,
                value=made.option.value,
                move=made.option.move,
                levels=step.stack,
                gain=made.gain,
                margin=made.gain - max(0.0, *others) if others else made.gain,
                choices=tuple(considered),
            )
        )
        stack, end, reached = step.stack, step.end, step.group + 1
    return starts


def anchor(at: int, path: tuple[str, ...]) -> Anchor:
    """The levels that an editor's clause number opens.

    Args:
        at: offset into the text.
        path: components as clause numbers have them: arabic, Roman or a letter.
    """
    return Anchor(at, tuple(_stated(part) for part in path))


def _stated(part: str) -> Level:
    if part.isdecimal():
        return Level("", "", int(part), int(part))
    if (roman := from_roman(part)) and len(part) > 1:
        return Level("roman", "", roman, roman)
    scheme, alphabet = ("latin", LATIN) if part.isascii() else ("cyrillic", CYRILLIC)
    value = alphabet.find(part.lower()) + 1
    return Level(scheme, "A" if part.isupper() else "a", value, value)
