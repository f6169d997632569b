"""Which runs of labels are believed: the others may well be numbers that only look like labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from hoyle.numbering import LETTERS
from hoyle.numbering.contents import contents
from hoyle.numbering.decoder import Start

FARTHEST_PARENT = 12_000
"""Characters after which a label no longer belongs under one whose own series has ended."""
LEAST_SUPPORT = 3.0
"""Total gain below which a series is taken for chance numbers."""
LEAST_INNER = 2.0
"""The same for letters in turn from the first on, below another label."""
LEAST_RESTART = 2.5
"""Gain that a series needs which begins anew after an empty line, where one like it stood before."""
LEAST_COUNTED = 3
"""Labels that a series of letters or Roman numerals needs if it does not begin with the first."""
LEAST_CLEAR = 0.4
"""Share of the labels of a series that must stand where a sentence may begin."""
_SAMPLE = 600
"""Characters of each unit that are looked at to tell sentences from lists."""
LONG_TEXT = 30_000
LEAST_NUMBERED = 0.08
"""Share of a long text that its numbered units must take up for short lists to count among them."""
LONGEST_ITEM = 1500
"""Characters that one unit counts with in that share."""
LONG_SERIES = 8
"""Labels at line starts from which on a series counts wherever it stands."""
_UNCUED = frozenset({"arabic", "roman", "ordinal", *LETTERS})
LEAST_ALONE = 3.5
"""Gain that a label without neighbours must have."""


def doubtful_runs(starts: Sequence[Start], runs: Sequence[tuple[int, ...]], text: str) -> set[int]:
    """Runs that are rather no labels: weak ones, lists of things, enumerations in sentences of a long text.

    Args:
        starts: what :func:`hoyle.numbering.decoder.decode` found.
        runs: for each start the numbers of the runs it stands in, from the outermost level to its own.
        text: the text that they were found in.
    """
    return _weak(starts, runs) or _lists(starts, runs, text) or _enumerations(starts, runs, text)


def _weak(starts: Sequence[Start], runs: Sequence[tuple[int, ...]]) -> set[int]:
    """Runs whose labels may well be numbers that only look like labels."""
    members: defaultdict[int, list[Start]] = defaultdict(list)
    carried: set[int] = set()
    for start, run in zip(starts, runs, strict=True):
        members[run[-1]].append(start)
        carried |= set(run[:-1])
    # Lists below the clauses of one series speak for each other.
    kin: defaultdict[tuple[object, ...], float] = defaultdict(float)
    for start, run in zip(starts, runs, strict=True):
        kin[_kind(start, run)] += start.gain
    above = {run[-1]: run for run in runs}
    return {
        run
        for run, group in members.items()
        if not _believed(group, carries=run in carried, support=kin[_kind(group[0], above[run])])
    }


def _lists(starts: Sequence[Start], runs: Sequence[tuple[int, ...]], text: str) -> set[int]:
    """Runs of bare numbers that count things: no sentences, or no stop behind any number of an inner list."""
    members: defaultdict[int, list[int]] = defaultdict(list)
    for at, levels in enumerate(runs):
        members[levels[-1]].append(at)
    found: set[int] = set()
    for run, group in members.items():
        if starts[group[0]].candidate.sighting.scheme != "arabic":
            continue
        ends = [starts[at + 1].at if at + 1 < len(starts) else len(text) for at in group]
        spans = [(starts[at].candidate.sighting.label.end, end) for at, end in zip(group, ends, strict=True)]
        bare = all(_bare(starts[at]) for at in group) and len(starts[group[0]].levels) > 1
        empty = sum(not any(map(str.isalpha, text[a:b])) for a, b in spans)
        several = len(group) > 1
        held = contents(text[a : min(b, a + _SAMPLE)] for a, b in spans)
        if bare or (several and (2 * empty >= len(group) or not held.sentences)):
            found.add(run)
    return found


def _enumerations(starts: Sequence[Start], runs: Sequence[tuple[int, ...]], text: str) -> set[int]:
    """Short lists of bare numbers in a long text that numbers next to nothing: its sentences enumerate."""
    if len(text) < LONG_TEXT or not starts:
        return set()
    outer: defaultdict[int, list[int]] = defaultdict(list)
    for at, levels in enumerate(runs):
        outer[levels[0]].append(at)
    extents = {top: starts[group[-1]].at - starts[group[0]].at for top, group in outer.items()}
    near = {top: min(extent, LONGEST_ITEM * len(outer[top])) for top, extent in extents.items()}
    if sum(near.values()) >= LEAST_NUMBERED * len(text):
        return set()
    short = {
        top
        for top, group in outer.items()
        if len(group) < LONG_SERIES or not all(starts[at].candidate.place.line_start for at in group)
        if all(starts[at].candidate.sighting.scheme in _UNCUED for at in group)
    }
    return {number for levels in runs if levels[0] in short for number in levels}


def _bare(start: Start) -> bool:
    sighting = start.candidate.sighting
    return sighting.label.end - sighting.label.start == len(sighting.surface)


def _kind(start: Start, run: tuple[int, ...]) -> tuple[object, ...]:
    sighting = start.candidate.sighting
    return (*(run[:-1] or run), sighting.scheme, sighting.style)


def _believed(group: Sequence[Start], *, carries: bool, support: float) -> bool:
    """Whether the labels of one run can be believed."""
    first = group[0]
    gain = max(support, sum(start.gain for start in group))
    if len(first.levels) > 1 and first.levels[-2].scheme == "":
        # Under a number that an editor has stated a single label is to be expected.
        return gain > 0
    if first.move == "restart" and first.candidate.place.new_paragraph and gain >= LEAST_RESTART:
        return True
    counted = first.candidate.sighting.scheme in {*LETTERS, "roman"}
    ordered = _counted_in_turn(group, carries=carries) if counted else _clear(group)
    inner = len(first.levels) > 1 and first.value == 1 and len(group) > 1 and counted
    if gain < (LEAST_INNER if inner else LEAST_SUPPORT) or not ordered:
        return False
    if len({start.value for start in group}) > 1:
        return True
    if first.candidate.place.line_start and not counted:
        return carries or gain >= LEAST_ALONE
    return _stands_alone(first, carries=carries)


def _clear(group: Sequence[Start]) -> bool:
    """Whether enough of the labels stand where a sentence may begin, or are more than a number."""
    if group[0].candidate.sighting.scheme != "arabic":
        return True
    clear = sum(start.candidate.place.clear or ")" in start.candidate.sighting.style for start in group)
    return clear >= LEAST_CLEAR * len(group)


def _counted_in_turn(group: Sequence[Start], *, carries: bool) -> bool:
    """Whether letters or Roman numerals number something: in turn and near each other, or above a list."""
    heads = group[0].value == 1 or all(start.candidate.place.line_start for start in group)
    near = sum(b.at - a.at <= FARTHEST_PARENT for a, b in pairwise(group))
    return (carries and (heads or len(group) > 1)) or (_in_turn(group) and 2 * near >= len(group) - 1)


def _in_turn(group: Sequence[Start]) -> bool:
    """Whether letters or Roman numerals follow one another, as the initials of names do not."""
    clear = all(start.candidate.place.line_start for start in group)
    if group[0].value > 1 and len(group) < (2 if clear else LEAST_COUNTED):
        return False
    return len(group) == 1 or any(start.move == "next" for start in group[1:])


def _stands_alone(start: Start, *, carries: bool) -> bool:
    """Whether a single label in mid line can be believed: it has a cue word, or levels below it."""
    cue = start.candidate.sighting.scheme in {"law", "article", "section"}
    return (cue or carries) and start.gain >= LEAST_ALONE
