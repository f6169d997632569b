"""Two columns read across and run together without line ends, put back into two streams.

The text of such a region is a row of printed lines after the other: one line of the left and one
of the right column, in either order. Where one line ends and the next begins does not show, words
are cut without a hyphen, and a letterspaced word is a row of single letters.

:func:`separate` finds the best way to cut the region into lines and to share them between two
streams. A way is judged, against leaving the text as it is, by how well each line goes on from
the line before it in its own stream (sequences of letters, a word cut or whole), by the length of
the lines (near a constant), by labels (each begins a line and counts on in its stream), and by
strict alternation. The search is exact (dynamic programming) but for a bound on the states kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from hoyle.layout.column_region import Line, Region, Token
from hoyle.resources.letters import Letters

_REGION_OPENS = -8.0
_SHORT_LINE = -3.0
_BROKEN = -7.0
"""A line that the reader broke in two, with the other column's line between (uneven base lines)."""
_LINE = -0.5
"""For each line: what the best of many cuts gains by chance on text that is in order."""
_SPREAD = 0.1
"""Standard deviation of the length of a full line, as a share of it (letterspacing closed)."""
_POOR_FIT = -8.0
_HALF_ROW, _ENDS_INSIDE_PAGE = -2.0, -15.0
_ORDER = (math.log(0.75), math.log(0.25))
"""Share of rows whose left line is read first, and whose right line is."""
_STATES, _FEW_STATES, _FEW_BROKEN = 60, 20, 8
_LENGTHS = range(29, 62, 3)
"""Letters of a full line that are tried."""


class Separated(NamedTuple):
    """The lines of a region in reading order (all of stream 0, then all of stream 1).

    ``gain`` (natural log) is against leaving the text as it stands; ``length`` is that of a full
    line in letters; ``resumption`` is the token of the text before the region at which stream 0 goes in.
    """

    lines: tuple[Line, ...]
    gain: float
    length: int
    resumption: int = 0

    @property
    def confidence(self) -> float:
        """How sure it is that a letter is in the right stream, as a probability."""
        return round(1 - 0.5 * math.exp(-0.5 * self.gain / len(self.lines)), 2)


class _State(NamedTuple):
    """Where a search stands: the last token and the last label of each stream, which line is due.

    A token of −1: the stream has not begun. ``due`` is the stream of the second line of a row,
    −1 where a new row begins.
    """

    last: tuple[int, int]
    labels: tuple[int, int]
    due: int


class _Step(NamedTuple):
    score: float
    came: tuple[int, _State] | None
    lines: tuple[Line, ...]


_Steps: TypeAlias = list[dict[_State, _Step]]


def separate(
    tokens: Sequence[Token],
    letters: Letters,
    opens: tuple[int, int],
    resumptions: tuple[int, int],
    labels: tuple[int, int],
) -> Separated | None:
    """Share a region between two streams.

    Args:
        tokens: of the region, with some before it.
        letters: of its language.
        opens: first and last token at which the region may begin; it ends where it fits best.
        resumptions: tokens ``[first, after)`` before which stream 0 may go in the text before the region.
        labels: the last label before the tokens in stream 0 and in stream 1 (the text before).

    Returns:
        The best way, or ``None`` if the text is better left as it is.
    """
    region = Region(tokens, letters, labels)
    rough = max(_LENGTHS, key=lambda length: _search(region, length, opens, _FEW_STATES).gain)
    found = [_search(region, rough + more, opens, _STATES) for more in (-1, 0, 1)]
    best = max(found, key=lambda way: way.gain)
    if not best.lines or best.gain <= 0:
        return None
    left = [line for line in best.lines if line.stream == 0]
    at = max(range(*resumptions), key=lambda at: _resumption_score(region, left, at))
    return best._replace(resumption=at)


def _resumption_score(region: Region, left: Sequence[Line], at: int) -> float:
    """How well the lines of stream 0 fit in before token ``at``."""
    into = region.follows(at - 1, left[0].first) + region.follows(left[-1].after - 1, at)
    return into - region.follows(at - 1, at)


def _search(region: Region, length: int, opens: tuple[int, int], most: int) -> Separated:
    count = len(region.tokens)
    fits = _fits(region, length)
    afters = [list(_afters(region, at, fits)) for at in range(count)]
    best: _Steps = [{} for _ in range(count + 1)]
    for at in range(opens[0], opens[1] + 1):
        before = next((t.label for t in reversed(region.tokens[:at]) if t.label), region.labels[1])
        cost = 0.0 if at == opens[1] else _REGION_OPENS
        for due in (-1, 0):
            best[at][_State((-1, at - 1), (region.labels[0], before), due)] = _Step(cost, None, ())
    for at in range(opens[0], count):
        states = sorted(best[at].items(), key=lambda item: -item[1].score)[:most]
        best[at] = dict(states)
        broken = _broken_rows(region, at, fits) if states and most > _FEW_STATES else []
        for rank, (state, step) in enumerate(states):
            _read_line(region, best, (at, state, step.score), afters[at])
            if state.due < 0 and rank < _FEW_STATES:
                _read_broken_row(region, best, (at, state, step.score), broken)
    ends = [
        (step.score + _closing(region, at, state), at, state)
        for at in range(opens[1] + 1, count + 1)
        for state, step in best[at].items()
        if step.came
    ]
    if not ends:
        return Separated((), 0.0, length)
    gain, at, state = max(ends)
    return Separated(_lines(best, at, state), gain, length)


def _closing(region: Region, at: int, state: _State) -> float:
    """What it costs (natural log) that the region ends before token ``at``."""
    cost = _HALF_ROW if state.due >= 0 else 0.0
    return cost + (0.0 if at == len(region.tokens) or region.tokens[at].opens_page else _ENDS_INSIDE_PAGE)


def _fits(region: Region, length: int) -> Callable[[int, int], float]:
    """How well so many tokens make a line of the given length (natural log, 0 for a full line)."""

    def fit(size: int, after: int) -> float:
        score = -0.5 * ((size - length) / (_SPREAD * length)) ** 2
        if size < length and region.tokens[after - 1].ends_sentence:
            score = max(score, _SHORT_LINE)
        return score

    return fit


def _offer(steps: dict[_State, _Step], state: _State, step: _Step) -> None:
    if state not in steps or step.score > steps[state].score:
        steps[state] = step


def _afters(
    region: Region, first: int, fit: Callable[[int, int], float], so_far: int = 0
) -> Iterator[tuple[int, float]]:
    """Where a line that begins at ``first`` may end, and how well its length fits."""
    full = False
    for after in range(first + (2 if region.tokens[first].label else 1), len(region.tokens) + 1):
        if region.tokens[after - 1].label:
            continue
        score = fit(so_far + region.size(first, after), after)
        if score > _POOR_FIT:
            full = True
            yield after, score
        elif full and score < 2 * _POOR_FIT:
            return


def _read_line(
    region: Region, best: _Steps, here: tuple[int, _State, float], afters: Sequence[tuple[int, float]]
) -> None:
    """Let the next line of the text be one of either stream."""
    at, state, score = here
    for after, fitting in afters:
        for stream in (0, 1) if state.due < 0 else (state.due,):
            line = Line(at, after, stream)
            labels, cost = region.labels_after(line, state.labels)
            gain = region.follows(state.last[stream], at) - region.stands[at] + fitting + cost + _LINE
            if state.due < 0:
                gain += _ORDER[stream]
            last = (after - 1, state.last[1]) if stream == 0 else (state.last[0], after - 1)
            due = 1 - stream if state.due < 0 else -1
            _offer(best[after], _State(last, labels, due), _Step(score + gain, (at, state), (line,)))


class _Broken(NamedTuple):
    """A row whose one line is in two pieces around the other; ``turned``: the second piece reads first."""

    middle: int
    second: int
    after: int
    turned: bool
    score: float


def _broken_rows(region: Region, at: int, fit: Callable[[int, int], float]) -> list[_Broken]:
    """The likeliest broken rows that begin at ``at``, whichever stream the broken line is of."""
    found: list[_Broken] = []
    tokens, stands = region.tokens, region.stands
    for middle in range(at + 1, len(tokens)):
        if fit(region.size(at, middle), middle) > _POOR_FIT or tokens[middle - 1].label:
            break
        for second, fitting in _afters(region, middle, fit):
            if second == len(tokens):
                break
            for after, fitting_pieces in _afters(region, second, fit, region.size(at, middle) + 1):
                if any(token.label for token in tokens[second:after]):
                    break
                score = fitting + fitting_pieces + _BROKEN + 2 * _LINE
                score -= stands[at] + stands[middle] + stands[second]
                for turned, join in ((False, (middle - 1, second)), (True, (after - 1, at))):
                    found.append(_Broken(middle, second, after, turned, score + region.follows(*join)))
    return sorted(found, key=lambda row: -row.score)[:_FEW_BROKEN]


def _read_broken_row(
    region: Region, best: _Steps, here: tuple[int, _State, float], rows: Sequence[_Broken]
) -> None:
    """Let the next row be one of which a line is broken in two."""
    at, state, score = here
    for row in rows:
        for stream in (0, 1):
            pieces = [Line(at, row.middle, stream), Line(row.second, row.after, stream)]
            if row.turned:
                pieces.reverse()
            whole = Line(row.middle, row.second, 1 - stream)
            labels, cost = region.labels_after(whole, state.labels)
            gain = row.score + cost
            gain += region.follows(state.last[1 - stream], row.middle)
            gain += region.follows(state.last[stream], pieces[0].first)
            ends = (whole.after - 1, pieces[1].after - 1)
            last = (ends[1], ends[0]) if stream == 0 else ends
            _offer(
                best[row.after],
                _State(last, labels, -1),
                _Step(score + gain, (at, state), (*pieces, whole)),
            )


def _lines(best: _Steps, at: int, state: _State) -> tuple[Line, ...]:
    """The lines that led to a state, in reading order."""
    steps: list[_Step] = []
    step = best[at][state]
    while step.came is not None:
        steps.append(step)
        at, state = step.came
        step = best[at][state]
    lines = [line for step in reversed(steps) for line in step.lines]
    return tuple(sorted(lines, key=lambda line: line.stream))
