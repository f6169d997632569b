"""The open levels of a numbering, and what each way of going on with them costs.

Costs are negative natural logarithms of odds, like the weights of ``context``.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from hoyle.numbering import schemes
from hoyle.numbering.scheme import Sighting
from hoyle.numbering.weights import weight

Move: TypeAlias = Literal["open", "next", "gap", "fill", "repeat", "restart", "back"]
"""How a number follows on what came before.

``open`` starts a level; ``next`` is the number due; ``gap`` skips some; ``fill`` is one skipped
earlier (columns read across); ``repeat`` is the last one again; ``restart`` is 1 again;
``back`` is a smaller one out of turn.
"""

MISSING_KEPT = 24
ARABIC_WRITTEN = frozenset({"arabic", "section", "article", "law"})
"""Schemes that are written in arabic numbers as a rule."""


class Level(NamedTuple):
    """One open level.

    Attributes:
        scheme: name of its scheme; empty where an editor gave only an arabic number.
        style: style of its labels; empty while none has shown.
        high: highest number so far.
        last: last number.
        missing: skipped numbers that may still come.
        suffix: what follows the last number as part of it (``bis``).
        below: scheme and style of the level that was last open below it.
    """

    scheme: str
    style: str
    high: int
    last: int
    missing: frozenset[int] = frozenset()
    suffix: str = ""
    below: tuple[str, str] = ("", "")


Stack: TypeAlias = tuple[Level, ...]


class Option(NamedTuple):
    """One way to take a candidate: its number, the levels then open, and what that costs."""

    value: int
    move: Move
    stack: Stack
    cost: float


class Setting(NamedTuple):
    """What lies between a candidate and the start before it.

    Attributes:
        first: there is no start before it.
        interruption: page furniture, or the border of an excerpt.
        paragraph: an empty line directly before the candidate.
        part: the heading of a new part, where numbering may begin again.
    """

    first: bool
    interruption: bool
    paragraph: bool
    part: bool


def misfit_cost(level: Level, sighting: Sighting) -> float | None:
    """Cost of a sighting continuing a level of perhaps another style; ``None`` if it cannot.

    Args:
        level: an open level.
        sighting: the possible label.
    """
    if level.scheme == sighting.scheme:
        same = not level.style or not sighting.style or level.style == sighting.style
        return 0.0 if same else _style_cost(level.style, sighting.style)
    if not level.scheme:
        return 0.0 if sighting.scheme in ARABIC_WRITTEN else None
    if sighting.scheme == "arabic":
        # A lost sign or cue word, the first component of a path, a figure for a word.
        return {"section": weight("other_scheme"), "decimal": 0.2, "law": 3.0, "article": 3.0}.get(
            level.scheme
        )
    return None


def _style_cost(level: str, sighting: str) -> float | None:
    if level[:1] in {"a", "A"} and level[:1] != sighting[:1]:
        return None
    return weight("other_style")


def step(level: Level, value: int, setting: Setting) -> tuple[Move, float]:
    """How a number goes on with a level, and what that costs.

    Args:
        level: an open level.
        value: the number.
        setting: what lies between it and the start before it.
    """
    ahead = value - level.high
    if ahead == 1:
        return "next", 0.0
    if ahead > 1:
        return "gap", cost_of_gap(ahead)
    if value in level.missing:
        return "fill", weight("fill_in_turn") if value == level.last + 1 else weight("fill")
    return _step_back(level, value, setting)


def cost_of_gap(ahead: int) -> float:
    """Cost of a number so many ahead of the last one."""
    return min(weight("gap") + weight("gap_doubled") * math.log2(ahead), weight("far_gap"))


def _step_back(level: Level, value: int, setting: Setting) -> tuple[Move, float]:
    broken = setting.interruption or setting.paragraph
    if value == 1:
        if setting.part:
            return "restart", 0.0
        single = weight("restart_of_one") if level.high == 1 else 0.0
        return "restart", single + (weight("restart_after_break") if broken else weight("restart"))
    if value == 2 and setting.paragraph and level.high > 2:
        # The label of the first is lost.
        return "restart", weight("restart_after_break") + weight("restart_late")
    if value == level.last:
        return "repeat", weight("repeat")
    return "back", weight("back_after_interruption") if setting.interruption else weight("back")


def advanced(level: Level, sighting: Sighting, value: int, move: Move) -> Level:
    """A level after one more of its labels.

    Args:
        level: the level.
        sighting: the label.
        value: its number.
        move: how it goes on with the level.
    """
    missing, high, last = level.missing, level.high, sighting.until or value
    if move in {"next", "gap"}:
        if move == "gap" and value - high <= MISSING_KEPT:
            missing = frozenset(sorted(missing | set(range(high + 1, value)))[-MISSING_KEPT:])
        high = max(high, last)
    elif move == "fill":
        missing = missing - {value}
    elif move != "repeat":
        missing, high = frozenset(), last
    scheme = level.scheme or sighting.scheme
    return Level(scheme, level.style or sighting.style, high, last, missing, sighting.suffix, level.below)


@cache
def rank_of(scheme: str, style: str) -> int:
    """The usual place of a level in a hierarchy, 0 outermost.

    Args:
        scheme: name of its scheme.
        style: style of its labels.
    """
    return schemes()[scheme].rank(style) if scheme else 1


def rank(level: Level) -> int:
    """The usual place of an open level in a hierarchy, 0 outermost."""
    return rank_of(level.scheme, level.style)
