"""What editors ruled: their readings, numbers and tags, which win over the machine's.

A ruling stands on a raw span and the raw text there. It holds as long as that text is there,
whatever the stages before make of it: what they say of the same place is left in their layers
but is no longer in force (:attr:`hoyle.model.Document.in_force`). Each ruling that is applied is
recorded as a finding; one that cannot be, or clashes with another, is a doubt and changes nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from hoyle.decisions import tag_of
from hoyle.model import (
    RULINGS,
    Block,
    Clause,
    Document,
    Edit,
    EditKind,
    Evidence,
    Finding,
    Item,
    Ruling,
    RulingKind,
    Span,
    Tag,
    Unit,
    touch,
)
from hoyle.reading import Reading, plain

TOPIC = "ruling"
_LINE_END = re.compile(r"[-¬\u00ad]?[ \t]*\r?\n[ \t]*")
_DONE = {
    "accept": "accepted as the machine reads it",
    "reject": "stands as the scan reads it",
    "read-as": "read as {value!r}",
    "number": "is number {value}",
    "tag": "tagged {value}",
}


class _UnfitError(Exception):
    """A ruling cannot be applied, and why."""


@dataclass(frozen=True)
class _Applied:
    """A ruling and what comes of it."""

    ruling: Ruling
    items: tuple[Item, ...]

    @property
    def extent(self) -> Span:
        """The text it decides upon."""
        spans = [self.ruling.span, *(i.span for i in self.items if isinstance(i, Edit))]
        return Span(min(s.start for s in spans), max(s.end for s in spans))


def find(document: Document) -> Iterator[Item]:
    """What the editors' rulings on ``document`` come to: edits, units, tags; and a finding for each.

    Args:
        document: with the layers up to ``correct``; the rulings are in its ``meta``.
    """
    applied: list[_Applied] = []
    for kinds, clashes in _PASSES:
        # Numbers are ruled in a text that editors have read, tags in clauses they have numbered.
        so_far = document.with_layer(RULINGS, _items(applied))
        made: list[_Applied] = []
        for ruling in sorted(document.meta.rulings, key=_depth):
            if ruling.kind in kinds:
                try:
                    made.append(_apply(so_far, ruling))
                except _UnfitError as error:
                    yield _doubt(document, ruling, str(error))
        bad = clashes(so_far, made)
        for one in made:
            if one.ruling in bad:
                yield _doubt(document, one.ruling, bad[one.ruling])
            else:
                applied.append(one)
    yield from _items(applied)
    for one in applied:
        yield _record(one.ruling)


def _depth(ruling: Ruling) -> int:
    """Numbers of clauses come before those of clauses inside them."""
    return ruling.value.count(".") if ruling.kind == "number" else 0


def _items(applied: Sequence[_Applied]) -> list[Item]:
    return [item for one in applied for item in one.items]


def _record(ruling: Ruling) -> Finding:
    done = _DONE[ruling.kind].format(value=ruling.value)
    because = f": {ruling.reason}" if ruling.reason else ""
    text = f"{ruling.text!r} {done}{because} ({ruling.editor}, {ruling.date})"
    return Finding(TOPIC, text, Evidence(ruling.where, 1.0), ruling.span)


def _doubt(document: Document, ruling: Ruling, message: str) -> Finding:
    inside = ruling.span.end <= len(document.source.text)
    text = f"{ruling.where} is not applied: {message}"
    return Finding(TOPIC, text, Evidence(ruling.where, 1.0), ruling.span if inside else None, doubt=True)


def _apply(document: Document, ruling: Ruling) -> _Applied:
    """Raises _UnfitError if the ruling is none on this text."""
    text = document.source.text
    there = text[ruling.span.start : ruling.span.end]
    if there != ruling.text or ruling.span.end > len(text):
        raise _UnfitError(f"the source reads {there!r} there, not {ruling.text!r}")
    unit = _unit(document, ruling.span)
    return _Applied(ruling, tuple(_MAKERS[ruling.kind](document, ruling, unit)))


def _unit(document: Document, span: Span) -> Unit:
    for unit in document.units:
        if any(part.covers(span) for part in unit.spans):
            return unit
    raise _UnfitError("the place lies in no one part of a clause or paragraph")


# Readings


def _touched(document: Document, span: Span) -> list[Edit]:
    """The machine's edits of ``span``."""
    return [e for e in document.edits if e.kind != "drop" and touch(e.span, span)]


def _read_as(_document: Document, ruling: Ruling, _: Unit) -> Iterator[Edit]:
    line_end = _LINE_END.fullmatch(ruling.text) and not ruling.value.strip()
    kind: EditKind = "layout" if line_end else "correct"
    yield Edit(ruling.span, ruling.text, ruling.value, kind, Evidence(ruling.where, 1.0))


def _accept(document: Document, ruling: Ruling, _: Unit) -> Iterator[Edit]:
    touched = _touched(document, ruling.span)
    if ruling.value and (now := _reading(document, ruling.span)) != ruling.value:
        raise _UnfitError(f"what was accepted is {ruling.value!r}, but the machine now reads {now!r}")
    if not touched and not ruling.value:
        raise _UnfitError("the machine changes nothing there any more")
    for edit in touched:
        yield replace(edit, why=Evidence(ruling.where, 1.0))


def _reject(document: Document, ruling: Ruling, _: Unit) -> Iterator[Edit]:
    for edit in _touched(document, ruling.span):
        if edit.kind != "layout":
            yield replace(edit, after=edit.before, why=Evidence(ruling.where, 1.0))


def _reading(document: Document, span: Span) -> str:
    """The corrected text of ``span``; an edit that leaves it is not read."""
    edits = [e for e in document.edits_in([span], "corrected") if span.covers(e.span)]
    return plain(Reading(document.source.text, edits, [span], document=document.id).text)


def _overlaps(_: Document, made: Sequence[_Applied]) -> dict[Ruling, str]:
    """The rulings on readings that decide upon the same text."""
    found: dict[Ruling, str] = {}
    widest: _Applied | None = None
    for one in sorted(made, key=lambda a: a.extent):
        if widest and (one.extent.start < widest.extent.end or one.extent == widest.extent):
            _clash(found, one, widest)
        if widest is None or one.extent.end >= widest.extent.end:
            widest = one
    return found


def _clash(found: dict[Ruling, str], one: _Applied, other: _Applied) -> None:
    for ruling, against in ((one.ruling, other.ruling), (other.ruling, one.ruling)):
        found.setdefault(ruling, f"it clashes with {against.where}; keep one of the two")


# Numbers


def _numbered(document: Document, ruling: Ruling, unit: Unit) -> Iterator[Item]:
    """The clause with its new number, what is below it, and the repair of its label."""
    if not isinstance(unit, Clause) or ruling.span not in (unit.label_span, _first(unit)):
        message = "a number is ruled at the label of a clause, or where it begins (start = end)"
        raise _UnfitError(message)
    why = Evidence(ruling.where, 1.0)
    number = tuple(ruling.value.split("."))
    series = "" if unit.series == 1 else f"s{unit.series}."
    names = {}
    for clause in sorted(document.clauses, key=lambda c: c is not unit):
        if clause.series == unit.series and clause.number[: len(unit.number)] == unit.number:
            path = number + clause.number[len(unit.number) :]
            names[clause.id] = f"{document.id}.{series}{'.'.join(path)}"
            yield replace(clause, id=names[clause.id], number=path, why=why if clause is unit else clause.why)
    for block in document.units:
        if isinstance(block, Block) and block.parent in names:
            yield replace(block, parent=names[block.parent])
    ruled = document.layers[RULINGS]
    for edit in document.edits:
        if unit.number and edit.span == unit.label_span and edit not in ruled:
            yield replace(edit, after=edit.after.replace(unit.number[-1], number[-1], 1), why=why)


def _first(unit: Clause) -> Span:
    start = unit.spans[0].start
    return Span(start, start)


def _numbered_twice(document: Document, made: Sequence[_Applied]) -> dict[Ruling, str]:
    """The rulings that give one clause two numbers, or two clauses one."""
    found: dict[Ruling, str] = {}
    first: dict[tuple[Span, ...], _Applied] = {}
    for one in made:
        clause = one.items[0]
        if isinstance(clause, Clause) and first.setdefault(clause.spans, one) is not one:
            _clash(found, one, first[clause.spans])
    units: dict[tuple[object, ...], str] = {(type(u), u.spans): u.id for u in document.units}
    for one in made:
        if one.ruling not in found:
            units |= {(type(i), i.spans): i.id for i in one.items if isinstance(i, Clause)}
    twice = {ident for ident, times in Counter(units.values()).items() if times > 1}
    for one in made:
        if any(isinstance(i, Clause) and i.id in twice for i in one.items):
            found.setdefault(one.ruling, f"there is another clause {one.ruling.value}")
    return found


# Tags


def _tagged(document: Document, ruling: Ruling, unit: Unit) -> Iterator[Tag]:
    label = unit.label_span if isinstance(unit, Clause) else None
    whole = ruling.span in (*unit.spans, label) or ruling.span.start == ruling.span.end
    if whole:  # the unit is meant, not the words
        yield tag_of(ruling, unit.id, (), "")
    else:
        yield tag_of(ruling, unit.id, (ruling.span,), _reading(document, ruling.span))


def _contradictions(_: Document, made: Sequence[_Applied]) -> dict[Ruling, str]:
    """The rulings that give and deny a unit the same tag, or give it two main modalities."""
    found: dict[Ruling, str] = {}
    first: dict[tuple[str, ...], tuple[_Applied, object]] = {}
    for one in made:
        for key, said in _said(one):
            before, same = first.setdefault(key, (one, said))
            if same != said:
                _clash(found, one, before)
    return found


def _said(one: _Applied) -> Iterator[tuple[tuple[str, ...], object]]:
    for tag in one.items:
        if isinstance(tag, Tag):
            yield (tag.unit, tag.facet, tag.value), tag.why.confidence
            if tag.main and tag.why.confidence:
                yield (tag.unit, tag.facet), tag.value


_MAKERS: dict[RulingKind, Callable[[Document, Ruling, Unit], Iterator[Item]]] = {
    "accept": _accept,
    "reject": _reject,
    "read-as": _read_as,
    "number": _numbered,
    "tag": _tagged,
}
_PASSES: tuple[tuple[tuple[RulingKind, ...], Callable[..., dict[Ruling, str]]], ...] = (
    (("accept", "reject", "read-as"), _overlaps),
    (("number",), _numbered_twice),
    (("tag",), _contradictions),
)
"""The kinds of ruling in the order they are applied, and what tells which of them clash."""
