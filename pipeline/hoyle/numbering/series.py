"""From decoded starts to numbered labels: weak series dropped, paths written, restarts counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hoyle.document import Span
from hoyle.numbering import schemes
from hoyle.numbering.belief import FARTHEST_PARENT, doubtful_runs
from hoyle.numbering.decoder import Start
from hoyle.numbering.levels import Level, Stack
from hoyle.numbering.scheme import Sighting


@dataclass(frozen=True, slots=True)
class Label:
    """A label and the number it stands for.

    Attributes:
        at: offset into the text where its unit starts.
        span: the label in the text; empty where it is lost.
        path: its number, component by component.
        scheme: name of the scheme.
        value: its number on its own level.
        series: how often the numbering has begun, this time included.
        runs: the unbroken series it stands in, from the outermost level to its own.
        flags: doubts, as ``Clause.flags`` has them.
        confidence: probability that a unit starts here with this number.
        sighting: the label as it was seen; ``None`` where it is lost.
    """

    at: int
    span: Span
    path: tuple[str, ...]
    scheme: str
    value: int
    series: int
    runs: tuple[int, ...]
    flags: tuple[str, ...]
    confidence: float
    sighting: Sighting | None = None

    @property
    def before(self) -> tuple[str, ...]:
        """The number before this one on its level."""
        return (*self.path[:-1], written(self.scheme, self.value - 1, self.path[-1]))


def written(scheme: str, value: int, like: str) -> str:
    """A number as a component of a clause number, in the style of a sibling.

    Args:
        scheme: name of the scheme.
        value: the number.
        like: a component of the same level.
    """
    if like[:1].isdigit() or scheme not in schemes():
        return str(value)
    style = "roman" if scheme in {"law", "article", "roman", "section"} else "A" if like.isupper() else "a"
    return schemes()[scheme].write(value, style)


def labels(starts: Sequence[Start], text: str, stated: Sequence[int] = ()) -> list[Label]:
    """The labels of all starts that belong to a series.

    Args:
        starts: what :func:`hoyle.numbering.decoder.decode` found.
        text: the text that they were found in.
        stated: offsets into the text from which on an editor gave the levels.
    """
    kept = list(starts)
    while True:
        runs = _runs(kept, stated)
        weak = doubtful_runs(kept, runs, text)
        if not weak:
            break
        kept = [start for start, run in zip(kept, runs, strict=True) if run[-1] not in weak]
    styles = _styles(kept, runs)
    numbered = [_label(kept, at, runs[at], styles) for at in range(len(kept))]
    return _numbered_series(_with_parents(_detached(numbered)))


def _runs(starts: Sequence[Start], stated: Sequence[int]) -> list[tuple[int, ...]]:
    """For each start the numbers of the runs it stands in, one for each open level."""
    found: list[tuple[int, ...]] = []
    levels: Stack = ()
    open_runs: tuple[int, ...] = ()
    count = 0
    at = 0
    for start in starts:
        fresh = any(at < s <= start.at for s in stated) or (not found and 0 in stated)
        depth = len(start.levels)
        shared = 0
        while shared < min(depth - 1, len(levels)):
            if not _same(levels[shared], start.levels[shared]) or (fresh and shared == 0):
                break
            shared += 1
        own = open_runs[depth - 1] if depth <= len(open_runs) else None
        joins = start.move in {"next", "gap", "fill", "repeat"} and not fresh
        runs = list(open_runs[:shared])
        while len(runs) < depth:
            if len(runs) == depth - 1 and joins and own is not None:
                runs.append(own)
                continue
            count += 1
            runs.append(count)
        if _path(start) and joins and open_runs:
            runs = [open_runs[0], *runs[1:]]
        found.append(tuple(runs))
        levels, open_runs, at = start.levels, tuple(runs), start.at
    return found


def _path(start: Start) -> bool:
    return bool(start.candidate.sighting.path)


def _same(one: Level, other: Level) -> bool:
    return (one.scheme, one.last, one.suffix) == (other.scheme, other.last, other.suffix)


def _styles(starts: Sequence[Start], runs: Sequence[tuple[int, ...]]) -> Mapping[int, str]:
    """The commonest style of the labels of each run (Roman or arabic articles, size of letters)."""
    votes: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for start, run in zip(starts, runs, strict=True):
        if start.candidate.sighting.style:
            votes[run[-1]][start.candidate.sighting.style] += 1
    return {run: min(count.items(), key=lambda item: (-item[1], item[0]))[0] for run, count in votes.items()}


def _label(starts: Sequence[Start], at: int, runs: tuple[int, ...], styles: Mapping[int, str]) -> Label:
    start = starts[at]
    sighting = start.candidate.sighting
    written_levels = zip(start.levels, runs, strict=True)
    path = [_written(level, styles.get(run, level.style)) for level, run in written_levels]
    if sighting.path:
        path = list(sighting.parts)
    if sighting.path and sighting.suffix:
        path[-1] += sighting.suffix
    if sighting.until:
        path[-1] = f"{start.value}–{path[-1]}"
    flags = []
    if sighting.value != start.value:
        flags.append("number-read-from-damage")
    if start.move == "back":
        flags.append("out-of-sequence")
    if start.move == "repeat":
        flags.append("repeated")
    if start.move == "fill":
        flags.append("interleaved")
    # What follows in turn confirms a number; what does not leaves it to stand alone.
    after = starts[at + 1] if at + 1 < len(starts) else None
    confirmed = after is not None and after.move == "next" and len(after.levels) <= len(start.levels)
    return Label(
        at=start.at,
        span=sighting.label,
        path=tuple(path),
        scheme=sighting.scheme if start.levels[-1].scheme == "" else start.levels[-1].scheme,
        value=start.value,
        series=1,
        runs=runs,
        flags=tuple(flags),
        confidence=round(_confidence(start, confirmed=confirmed), 3),
        sighting=sighting,
    )


def _confidence(start: Start, *, confirmed: bool) -> float:
    lift = 1.5 if confirmed else 0.0
    return min(0.999, replace(start, margin=start.margin + lift).confidence)


def _written(level: Level, style: str) -> str:
    shown = schemes()[level.scheme].write(level.last, style) if level.scheme else str(level.last)
    return shown + level.suffix


def _detached(found: list[Label]) -> list[Label]:
    """Takes from a run the levels above it whose own series ended long before it began."""
    last_of = {label.runs[-1]: at for at, label in enumerate(found)}
    begun: dict[int, int] = {}
    cut: dict[int, int] = {}
    for at, label in enumerate(found):
        run = label.runs[-1]
        if run not in begun:
            begun[run] = at
            for depth in range(len(label.runs) - 1):
                parent = last_of.get(label.runs[depth], -1)
                if parent < at and label.at - found[max(parent, 0)].at > FARTHEST_PARENT:
                    cut[run] = depth + 1
    freed = []
    for label in found:
        less = max((cut.get(run, 0) for run in label.runs), default=0)
        freed.append(replace(label, path=label.path[less:], runs=label.runs[less:]) if less else label)
    return freed


def _with_parents(found: list[Label]) -> list[Label]:
    """Labels before the first law of an excerpt belong to the law before it.

    ``E. F. G. Правило 45. A. B.`` : the sections E to G are of law 44, which the text does not say.
    """
    for at, label in enumerate(found):
        below = [
            other for other in found[at + 1 :][:1] if len(other.path) == 2 and other.runs[0] == label.runs[0]
        ]
        if len(label.path) != 1 or not below or label.value < 2:
            continue
        before, scheme = found[:at], below[0].scheme
        if label.scheme == scheme or any(b.scheme != scheme or len(b.path) > 1 for b in before):
            break
        parent = label.before[-1]
        return [
            replace(
                b, path=(parent, *b.path), runs=(label.runs[0], *b.runs), flags=(*b.flags, "parent-inferred")
            )
            for b in before
        ] + found[at:]
    return found


def _numbered_series(found: list[Label]) -> list[Label]:
    """Counts a new series wherever a run brings a number that was there before.

    A run below another belongs to the series of that one, or to a later one.
    """
    taken: dict[tuple[str, ...], int] = {}
    by_run: defaultdict[int, list[Label]] = defaultdict(list)
    for label in found:
        by_run[label.runs[-1]].append(label)
    series: dict[int, int] = {}
    for run, group in by_run.items():
        above = max((series.get(outer, 1) for outer in group[0].runs[:-1]), default=1)
        before = max(taken.get(label.path, 0) for label in group)
        series[run] = max(above, before + 1)
        for label in group:
            taken[label.path] = series[run]
    return [replace(label, series=series[label.runs[-1]]) for label in found]
