"""What editors decided: their readings, numbers and tags, which win over the machine's.

A decision stands on a raw span and the raw text there. It holds as long as that text is there,
whatever the stages before make of it: what they say of the same place is left in their layers
but is no longer in force (:attr:`hoyle.document.Document.effective_layers`). Each decision that is applied is
recorded as a finding; one that cannot be, or clashes with another, is a doubt and changes nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from hoyle.document import (
    DECISIONS,
    Block,
    Clause,
    Decision,
    DecisionKind,
    Document,
    Edit,
    EditKind,
    Evidence,
    Finding,
    Item,
    Span,
    Tag,
    Unit,
    touches,
)
from hoyle.document.text_layers import LayerText, normalise_whitespace
from hoyle.editorial.decisions import tag_of
from hoyle.languages import Language

TOPIC = "decision"
_LINE_END = re.compile(r"[-¬\u00ad]?[ \t]*\r?\n[ \t]*")
_DONE = {
    "accept": "accepted as the machine reads it",
    "reject": "stands as the scan reads it",
    "read-as": "read as {value!r}",
    "number": "is number {value}",
    "tag": "tagged {value}",
}


class _UnfitError(Exception):
    """A decision cannot be applied, and why."""


@dataclass(frozen=True)
class _Applied:
    """A decision and what comes of it."""

    decision: Decision
    items: tuple[Item, ...]

    @property
    def extent(self) -> Span:
        """The text it decides upon."""
        spans = [self.decision.span, *(i.span for i in self.items if isinstance(i, Edit))]
        return Span(min(s.start for s in spans), max(s.end for s in spans))


def apply_decisions(document: Document, _language: Language) -> Iterator[Item]:
    """What the editors' decisions on ``document`` come to: edits, units, tags; and a finding for each.

    Args:
        document: with the layers up to ``correct``; the decisions are in its ``meta``.
    """
    applied: list[_Applied] = []
    for kinds, clashes in _PASSES:
        # Numbers are decided in a text that editors have read, tags in clauses they have numbered.
        so_far = document.with_layer(DECISIONS, _items(applied))
        made: list[_Applied] = []
        for decision in sorted(document.meta.decisions, key=_depth):
            if decision.kind in kinds:
                try:
                    made.append(_apply(so_far, decision))
                except _UnfitError as error:
                    yield _doubt(document, decision, str(error))
        bad = clashes(so_far, made)
        for one in made:
            if one.decision in bad:
                yield _doubt(document, one.decision, bad[one.decision])
            else:
                applied.append(one)
    yield from _items(applied)
    for one in applied:
        yield _record(one.decision)


def _depth(decision: Decision) -> int:
    """Numbers of clauses come before those of clauses inside them."""
    return decision.value.count(".") if decision.kind == "number" else 0


def _items(applied: Sequence[_Applied]) -> list[Item]:
    return [item for one in applied for item in one.items]


def _record(decision: Decision) -> Finding:
    done = _DONE[decision.kind].format(value=decision.value)
    because = f": {decision.reason}" if decision.reason else ""
    text = f"{decision.text!r} {done}{because} ({decision.editor}, {decision.date})"
    return Finding(TOPIC, text, Evidence(decision.where, 1.0), decision.span)


def _doubt(document: Document, decision: Decision, message: str) -> Finding:
    inside = decision.span.end <= len(document.source.text)
    text = f"{decision.where} is not applied: {message}"
    return Finding(TOPIC, text, Evidence(decision.where, 1.0), decision.span if inside else None, doubt=True)


def _apply(document: Document, decision: Decision) -> _Applied:
    """Raises _UnfitError if the decision is none on this text."""
    text = document.source.text
    there = text[decision.span.start : decision.span.end]
    if there != decision.text or decision.span.end > len(text):
        raise _UnfitError(f"the source reads {there!r} there, not {decision.text!r}")
    unit = _unit(document, decision.span)
    return _Applied(decision, tuple(_MAKERS[decision.kind](document, decision, unit)))


def _unit(document: Document, span: Span) -> Unit:
    for unit in document.units:
        if any(part.covers(span) for part in unit.spans):
            return unit
    raise _UnfitError("the place lies in no one part of a clause or paragraph")


# Readings


def _touched(document: Document, span: Span) -> list[Edit]:
    """The machine's edits of ``span``."""
    return [e for e in document.edits if e.kind != "drop" and touches(e.span, span)]


def _read_as(_document: Document, decision: Decision, _: Unit) -> Iterator[Edit]:
    line_end = _LINE_END.fullmatch(decision.text) and not decision.value.strip()
    kind: EditKind = "layout" if line_end else "correct"
    yield Edit(decision.span, decision.text, decision.value, kind, Evidence(decision.where, 1.0))


def _accept(document: Document, decision: Decision, _: Unit) -> Iterator[Edit]:
    touched = _touched(document, decision.span)
    if decision.value and (now := _reading(document, decision.span)) != decision.value:
        raise _UnfitError(f"what was accepted is {decision.value!r}, but the machine now reads {now!r}")
    if not touched and not decision.value:
        raise _UnfitError("the machine changes nothing there any more")
    for edit in touched:
        yield replace(edit, why=Evidence(decision.where, 1.0))


def _reject(document: Document, decision: Decision, _: Unit) -> Iterator[Edit]:
    for edit in _touched(document, decision.span):
        if edit.kind != "layout":
            yield replace(edit, after=edit.before, why=Evidence(decision.where, 1.0))


def _reading(document: Document, span: Span) -> str:
    """The corrected text of ``span``; an edit that leaves it is not read."""
    edits = [e for e in document.edits_in([span], "corrected") if span.covers(e.span)]
    return normalise_whitespace(LayerText(document.source.text, edits, [span], document=document.id).text)


def _overlaps(_: Document, made: Sequence[_Applied]) -> dict[Decision, str]:
    """The decisions on readings that decide upon the same text."""
    found: dict[Decision, str] = {}
    widest: _Applied | None = None
    for one in sorted(made, key=lambda a: a.extent):
        if widest and (one.extent.start < widest.extent.end or one.extent == widest.extent):
            _clash(found, one, widest)
        if widest is None or one.extent.end >= widest.extent.end:
            widest = one
    return found


def _clash(found: dict[Decision, str], one: _Applied, other: _Applied) -> None:
    for decision, against in ((one.decision, other.decision), (other.decision, one.decision)):
        found.setdefault(decision, f"it clashes with {against.where}; keep one of the two")


# Numbers


def _numbered(document: Document, decision: Decision, unit: Unit) -> Iterator[Item]:
    """The clause with its new number, what is below it, and the repair of its label."""
    if not isinstance(unit, Clause) or decision.span not in (unit.label_span, _first(unit)):
        message = "a number is decided at the label of a clause, or where it begins (start = end)"
        raise _UnfitError(message)
    why = Evidence(decision.where, 1.0)
    number = tuple(decision.value.split("."))
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
    decided = document.layers[DECISIONS]
    for edit in document.edits:
        if unit.number and edit.span == unit.label_span and edit not in decided:
            yield replace(edit, after=edit.after.replace(unit.number[-1], number[-1], 1), why=why)


def _first(unit: Clause) -> Span:
    start = unit.spans[0].start
    return Span(start, start)


def _numbered_twice(document: Document, made: Sequence[_Applied]) -> dict[Decision, str]:
    """The decisions that give one clause two numbers, or two clauses one."""
    found: dict[Decision, str] = {}
    first: dict[tuple[Span, ...], _Applied] = {}
    for one in made:
        clause = one.items[0]
        if isinstance(clause, Clause) and first.setdefault(clause.spans, one) is not one:
            _clash(found, one, first[clause.spans])
    units: dict[tuple[object, ...], str] = {(type(u), u.spans): u.id for u in document.units}
    for one in made:
        if one.decision not in found:
            units |= {(type(i), i.spans): i.id for i in one.items if isinstance(i, Clause)}
    twice = {ident for ident, times in Counter(units.values()).items() if times > 1}
    for one in made:
        if any(isinstance(i, Clause) and i.id in twice for i in one.items):
            found.setdefault(one.decision, f"there is another clause {one.decision.value}")
    return found


# Tags


def _tagged(document: Document, decision: Decision, unit: Unit) -> Iterator[Tag]:
    label = unit.label_span if isinstance(unit, Clause) else None
    whole = decision.span in (*unit.spans, label) or decision.span.start == decision.span.end
    if whole:  # the unit is meant, not the words
        yield tag_of(decision, unit.id, (), "")
    else:
        yield tag_of(decision, unit.id, (decision.span,), _reading(document, decision.span))


def _contradictions(_: Document, made: Sequence[_Applied]) -> dict[Decision, str]:
    """The decisions that give and deny a unit the same tag, or give it two main modalities."""
    found: dict[Decision, str] = {}
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


_MAKERS: dict[DecisionKind, Callable[[Document, Decision, Unit], Iterator[Item]]] = {
    "accept": _accept,
    "reject": _reject,
    "read-as": _read_as,
    "number": _numbered,
    "tag": _tagged,
}
_PASSES: tuple[tuple[tuple[DecisionKind, ...], Callable[..., dict[Decision, str]]], ...] = (
    (("accept", "reject", "read-as"), _overlaps),
    (("number",), _numbered_twice),
    (("tag",), _contradictions),
)
"""The kinds of decision in the order they are applied, and what tells which of them clash."""
