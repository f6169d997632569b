"""The open levels of a numbering, and what each way of going on with them costs.

Costs are negative natural logarithms of odds, like the weights of ``context``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from hoyle.numbering import schemes
from hoyle.numbering.auto import NAME as AUTO
from hoyle.numbering.candidates import Candidate
from hoyle.numbering.confusions import near_numbers
from hoyle.numbering.scheme import Sighting
from hoyle.numbering.weights import weight

Move: TypeAlias = Literal["open", "next", "gap", "fill", "repeat", "restart", "back"]
"""How a number follows on what came before.

``open`` starts a level; ``next`` is the number due; ``gap`` skips some; ``fill`` is one skipped
earlier (columns read across); ``repeat`` is the last one again; ``restart`` is 1 again;
``back`` is a smaller one out of turn.
"""

MOST_DAMAGE = 1.25
"""Damage to each digit beyond which a label is not believed to have been the number."""
LONGEST_GAP = 40
MISSING_KEPT = 24


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


def options(stack: Stack, candidate: Candidate, setting: Setting, budget: float) -> Iterator[Option]:
    """Every way to take a candidate that costs less than a budget.

    Args:
        stack: the levels that are open.
        candidate: the possible label.
        setting: what lies between it and the start before it.
        budget: the highest cost (natural logarithm of odds).
    """
    sighting = candidate.sighting
    if sighting.path:
        yield from _path_options(stack, sighting, setting)
        return
    for index in range(len(stack) - 1, -1, -1):
        misfit = _misfit(stack[index], sighting)
        if index and sighting.scheme == "arabic" and stack[index].scheme == "decimal":
            # A number alone goes on the outermost component of a path.
            continue
        if misfit is not None:
            yield from _continue(stack, index, sighting, setting, budget - misfit, misfit)
    if sighting.value is not None or sighting.guess is not None:
        yield from _open(stack, sighting, setting, budget)


def _misfit(level: Level, sighting: Sighting) -> float | None:
    """Cost of a sighting continuing a level of perhaps another style; ``None`` if it cannot."""
    if level.scheme == sighting.scheme:
        same = not level.style or not sighting.style or level.style == sighting.style
        return 0.0 if same else _style_cost(level.style, sighting.style)
    if not level.scheme:
        return 0.0 if sighting.scheme in _ARABIC_WRITTEN else None
    if sighting.scheme == "arabic":
        # A lost sign or cue word, the first component of a path, a figure for a word.
        return {"section": weight("other_scheme"), "decimal": 0.2, "law": 3.0, "article": 3.0}.get(
            level.scheme
        )
    return None


_ARABIC_WRITTEN = frozenset({"arabic", "section", "article", "law"})


def _style_cost(level: str, sighting: str) -> float | None:
    if level[:1] in {"a", "A"} and level[:1] != sighting[:1]:
        return None
    return weight("other_style")


def _continue(
    stack: Stack, index: int, sighting: Sighting, setting: Setting, budget: float, misfit: float
) -> Iterator[Option]:
    level = stack[index]
    scheme = schemes()[sighting.scheme]
    exact = sighting.value
    values = [level.high + 1]
    if level.last != level.high:
        values.append(level.last + 1)
    if sighting.scheme == AUTO:
        values = [1] if setting.part else values[:1]
    elif exact is None:
        values += [level.high + 2, level.high + 3, *sorted(level.missing)[:8]]
    else:
        near = [level.high + 2, level.high + 3] if exact > 9 else []
        values += [v for v in (exact, *near, *sorted(level.missing)[:8]) if v not in values]
    for value in values:
        damage = 0.0 if exact == value else scheme.cost(sighting.surface, value)
        if exact is not None and exact != value:
            damage += weight("override")
        if damage + weight("due") >= budget or damage > MOST_DAMAGE * (len(str(value)) + 0.5):
            continue
        move, cost = _step(level, value, setting)
        if sighting.suffix and value == level.last == exact and sighting.suffix != level.suffix:
            move, cost = "next", weight("due")
        if damage == 0 and move == "next":
            cost = weight("due")
        if cost + damage >= budget:
            continue
        opened = level.scheme or sighting.scheme
        yield Option(
            value,
            move,
            (*stack[:index], _advanced(level, opened, sighting, value, move)),
            cost + damage + misfit,
        )


def _step(level: Level, value: int, setting: Setting) -> tuple[Move, float]:
    ahead = value - level.high
    if ahead == 1:
        return "next", 0.0
    if ahead > 1:
        return "gap", min(1.2 + 1.1 * math.log2(ahead), 7.0) if ahead <= LONGEST_GAP else 9.0
    if value in level.missing:
        return "fill", weight("fill_in_turn") if value == level.last + 1 else weight("fill")
    return _step_back(level, value, setting)


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


def _advanced(level: Level, scheme: str, sighting: Sighting, value: int, move: Move) -> Level:
    missing, high, last = level.missing, level.high, sighting.until or value
    if move in {"next", "gap"}:
        if move == "gap" and value - high <= LONGEST_GAP:
            missing = frozenset(sorted(missing | set(range(high + 1, value)))[-MISSING_KEPT:])
        high = max(high, last)
    elif move == "fill":
        missing = missing - {value}
    elif move != "repeat":
        missing, high = frozenset(), last
    return Level(scheme, level.style or sighting.style, high, last, missing, sighting.suffix, level.below)


def _open(stack: Stack, sighting: Sighting, setting: Setting, budget: float) -> Iterator[Option]:
    rank = _rank_of(sighting.scheme, sighting.style)
    for value, damage in _beginnings(sighting, setting):
        start = damage + _cost_to_begin(value, sighting, setting)
        if start >= budget:
            continue
        last = sighting.until or value
        new = Level(sighting.scheme, sighting.style, last, last, suffix=sighting.suffix)
        leaving = 0.0
        for kept in range(len(stack), -1, -1):
            if kept < len(stack) and value == 1 and _misfit(stack[kept], sighting) == 0:
                continue  # the level begins again, which is another move
            if kept < len(stack) and _rank(stack[kept]) <= rank:
                leaving += weight("leave_higher_rank")
            cost = start + leaving + _cost_below(stack[:kept], value, sighting, rank)
            cost += _cost_of_habit(stack, kept, sighting)
            if cost < budget:
                above = stack[:kept]
                if above:
                    above = (*above[:-1], above[-1]._replace(below=(sighting.scheme, sighting.style)))
                yield Option(value, "open", (*above, new), cost)


def _beginnings(sighting: Sighting, setting: Setting) -> Iterator[tuple[int, float]]:
    """The numbers that a level may begin with, and the damage to the label that each supposes."""
    if sighting.value is None:
        if sighting.guess is not None:
            yield sighting.guess
        return
    yield sighting.value, 0.0
    if setting.first and sighting.value > 9:
        # Nothing before it says what number is due.
        for value, cost in near_numbers(sighting.surface):
            yield value, cost + weight("override")


def _cost_to_begin(value: int, sighting: Sighting, setting: Setting) -> float:
    if value == 1:
        return weight("open_first")
    far = weight("far_start") if sighting.scheme in _ARABIC_WRITTEN else weight("far_start_counted")
    return (
        weight("open_excerpt") + far * value
        if setting.first or setting.interruption
        else weight("open_later") + 5 * far * value
    )


def _cost_below(above: Stack, value: int, sighting: Sighting, rank: int) -> float:
    """Cost of a level beginning below others."""
    if not above:
        return 0.0
    cost = weight("under_lower_rank") if _rank(above[-1]) > rank else 0.0
    if value != 1:
        cost += weight("late_below")
    for level in above:
        if level.scheme == sighting.scheme and (not sighting.style or level.style in {"", sighting.style}):
            return cost + weight("same_scheme_inside")
    return cost


def _cost_of_habit(stack: Stack, kept: int, sighting: Sighting) -> float:
    """Cost of a level beginning elsewhere than one like it has begun before."""
    kind = (sighting.scheme, sighting.style)
    if kept and stack[kept - 1].below == kind:
        return -weight("habit")
    return weight("habit") if any(level.below == kind for level in stack) else 0.0


@cache
def _rank_of(scheme: str, style: str) -> int:
    return schemes()[scheme].rank(style) if scheme else 1


def _rank(level: Level) -> int:
    return _rank_of(level.scheme, level.style)


def _path_options(stack: Stack, sighting: Sighting, setting: Setting) -> Iterator[Option]:
    """A label that shows its whole path leaves no choice but whether to believe it."""
    now = tuple(level.last for level in stack)
    path = sighting.path
    new = tuple(_component(part, value) for part, value in zip(sighting.parts, path, strict=True))
    shared = next(
        (i for i, (a, b) in enumerate(zip(now, path, strict=False)) if a != b), min(len(now), len(path))
    )
    if stack and shared:
        # I. above 1.1 goes on with II.
        new = (stack[0], *new[1:])
    tail = path[shared:]
    move: Move
    if not tail:
        move, cost = ("repeat", weight("repeat")) if path == now else ("back", weight("back"))
        if sighting.suffix and path == now:
            move, cost = "next", weight("due")
    elif not now:
        first = all(part == 1 for part in path[1:])
        move, cost = (
            "open",
            weight("open_first")
            if first
            else weight("open_excerpt")
            if setting.first or setting.interruption
            else weight("open_later"),
        )
    else:
        step = tail[0] - (now[shared] if shared < len(now) else 0)
        rest = sum(part - 1 for part in tail[1:])
        if step < 1:
            move, cost = "back", weight("back")
        elif step == 1 and rest == 0:
            move, cost = "next", weight("due")
        else:
            move, cost = "gap", min(1.2 + 1.1 * math.log2(step + rest), 7.0)
    yield Option(path[-1], move, new, cost)


def _component(part: str, value: int) -> Level:
    """The level of one component of a path."""
    if part.isdigit():
        return Level("decimal", "", value, value)
    return Level("latin" if part.isascii() else "cyrillic", "A", value, value)
