"""Damaged labels as they were printed, as edits of the raw text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from hoyle.document import Clause, Edit, Evidence
from hoyle.numbering.cued import read_number
from hoyle.numbering.endings import is_ending
from hoyle.numbering.scheme import terminator_style
from hoyle.numbering.series import Label, written

_KEPT = {"ordinal", "decimal", "tail", "auto"}
_RAISED = {"'", "’", "»", "^", "”", '"'}
"""What recognition makes of a degree sign."""
_BARE = {"mention"}
_WORDS = {"article", "law"}
"""Schemes whose numbers may be ordinal words; such sightings have no style."""


def label_edits(source: str, made: Sequence[tuple[Clause, Label]]) -> list[Edit]:
    """Edits that give damaged labels their number and the terminator of their series.

    A label glued to its text gets a space; a sound label is left as it is.

    Args:
        source: the raw text.
        made: clauses and the labels they were made from.
    """
    ends: dict[int, Counter[str]] = {}
    for clause, label in made:
        end = _terminator(clause, label)
        if end and end in {".", ")", "°", "°)", ".,", ".)"}:
            ends.setdefault(label.runs[-1], Counter())[end] += 1
    usual = {run: min(c.items(), key=lambda item: (-item[1], item[0]))[0] for run, c in ends.items()}
    for run, group in groupby(sorted(made, key=_run), key=_run):
        raised = sum(_terminator(clause, label) in _RAISED for clause, label in group)
        usual.setdefault(run, "°" if raised > 1 else ".")
    edits = []
    for clause, label in made:
        span = clause.label_span
        if span is None or label.sighting is None or not clause.label:
            continue
        printed = _printed(clause, label, usual[label.runs[-1]])
        glued = source[span.end : span.end + 1].isalnum()
        if printed != clause.label or glued:
            why = Evidence("numbering/decoder", clause.why.confidence)
            edits.append(Edit(span, clause.label, printed + (" " if glued else ""), "correct", why))
    return edits


def _run(one: tuple[Clause, Label]) -> int:
    return one[1].runs[-1]


def _terminator(clause: Clause, label: Label) -> str:
    surface = label.sighting.surface if label.sighting else ""
    at = clause.label.rfind(surface)
    return clause.label[at + len(surface) :].strip() if at >= 0 else ""


def _printed(clause: Clause, label: Label, usual: str) -> str:
    """The label as its series has it."""
    assert label.sighting is not None  # noqa: S101 -- the caller asks only for labels that stand in the text
    sighting = label.sighting
    if label.scheme in _KEPT or sighting.suffix or "repeated" in clause.flags:
        return clause.label
    number = written(label.scheme, label.value, label.path[-1])
    at = clause.label.rfind(sighting.surface)
    before, end = clause.label[:at], _terminator(clause, label)
    if label.scheme == "section":
        before = "§. " if "." in before else "§ "
    ordinal = is_ending(end)
    if any(map(str.isalpha, end)) and not ordinal:
        return clause.label  # the cue word stands behind its number: Première règle.
    sound = terminator_style(end) or (end in {".,", ".)"}) or ordinal
    if not sound and label.scheme not in _BARE and (end or label.scheme in {"arabic", "section"}):
        end = usual
    sure = ordinal or sighting.surface.isdigit()  # else one numeral may be damage of the other
    spelled = sighting.value if label.scheme in _WORDS and not sighting.style else None
    shown = read_number(sighting.surface)[0] if sure else spelled
    if shown == label.value:
        number = sighting.surface
    return before + number + end
