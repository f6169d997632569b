"""How a possible label may go on with the levels that are open, and what each way costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.numbering import schemes
from hoyle.numbering.auto import NAME as AUTO
from hoyle.numbering.candidates import Candidate
from hoyle.numbering.confusions import near_numbers
from hoyle.numbering.levels import (
    ARABIC_WRITTEN,
    Level,
    Move,
    Option,
    Setting,
    Stack,
    advanced,
    cost_of_gap,
    misfit_cost,
    rank,
    rank_of,
    step,
)
from hoyle.numbering.scheme import Sighting
from hoyle.numbering.weights import weight

_ONE_DIGIT = 9
_MOST_MISSING = 8
"""Skipped numbers that are tried again."""
MOST_DAMAGE = 1.25
"""Damage to each digit beyond which a label is not believed to have been the number."""


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
        misfit = misfit_cost(stack[index], sighting)
        if index and sighting.scheme == "arabic" and stack[index].scheme == "decimal":
            # A number alone goes on the outermost component of a path.
            continue
        if misfit is not None:
            yield from _continue(stack, index, candidate, setting, budget - misfit, misfit)
    if sighting.value is not None or sighting.guess is not None:
        yield from _open(stack, sighting, setting, budget)


def _continue(
    stack: Stack, index: int, candidate: Candidate, setting: Setting, budget: float, misfit: float
) -> Iterator[Option]:
    level, sighting = stack[index], candidate.sighting
    scheme, exact, due = schemes()[sighting.scheme], sighting.value, weight("due")
    other = 0.0 if exact is None else weight("override")
    other += weight("against_neighbours") if candidate.confirmed else 0.0
    for value in _numbers(level, sighting, setting):
        damage = 0.0
        if exact != value:
            if other + due >= budget:
                continue
            damage = other + scheme.cost(sighting.surface, value)
        if damage + due >= budget or damage > MOST_DAMAGE * (len(str(value)) + 0.5):
            continue
        move, cost = step(level, value, setting)
        if move == "gap" and candidate.confirmed:
            cost = min(cost, weight("confirmed_gap"))
        if sighting.suffix and value == level.last == exact and sighting.suffix != level.suffix:
            move, cost = "next", due
        if damage == 0 and move == "next":
            cost = due
        if cost + damage >= budget:
            continue
        yield Option(
            value,
            move,
            (*stack[:index], advanced(level, sighting, value, move)),
            cost + damage + misfit,
        )


def _numbers(level: Level, sighting: Sighting, setting: Setting) -> Sequence[int]:
    """The numbers that a sighting may show if it goes on with a level."""
    due = level.high + 1
    if sighting.scheme == AUTO:
        return [1] if setting.part else [due]
    again = [level.last + 1] if level.last != level.high else []
    exact = sighting.value
    if exact is not None:
        again.append(exact)
    near = [due + 1, due + 2] if exact is None or exact > _ONE_DIGIT else []
    return list(dict.fromkeys([due, *again, *near, *sorted(level.missing)[:_MOST_MISSING]]))


def _open(stack: Stack, sighting: Sighting, setting: Setting, budget: float) -> Iterator[Option]:
    own = rank_of(sighting.scheme, sighting.style)
    for value, damage in _beginnings(sighting, setting):
        start = damage + _cost_to_begin(value, sighting, setting)
        if start >= budget:
            continue
        last = sighting.until or value
        new = Level(sighting.scheme, sighting.style, last, last, suffix=sighting.suffix)
        leaving = 0.0
        for kept in range(len(stack), -1, -1):
            if kept < len(stack) and value == 1 and misfit_cost(stack[kept], sighting) == 0:
                continue  # the level begins again, which is another move
            if kept < len(stack) and rank(stack[kept]) <= own:
                leaving += weight("leave_higher_rank")
            cost = start + leaving + _cost_below(stack[:kept], value, sighting, own)
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
    far = weight("far_start") if sighting.scheme in ARABIC_WRITTEN else weight("far_start_counted")
    return (
        weight("open_excerpt") + far * value
        if setting.first or setting.interruption
        else weight("open_later") + 5 * far * value
    )


def _cost_below(above: Stack, value: int, sighting: Sighting, own: int) -> float:
    """Cost of a level beginning below others."""
    if not above:
        return 0.0
    cost = weight("under_lower_rank") if rank(above[-1]) > own else 0.0
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
            move, cost = "gap", cost_of_gap(step + rest)
    yield Option(path[-1], move, new, cost)


def _component(part: str, value: int) -> Level:
    """The level of one component of a path."""
    if part.isdecimal():
        return Level("decimal", "", value, value)
    return Level("latin" if part.isascii() else "cyrillic", "A", value, value)
