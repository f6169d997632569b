"""Reads the stand-off part of a TEI file: tags, conditions, amounts, references, findings and evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import unquote

from lxml import etree

from hoyle.document import Amount, Condition, Evidence, Finding, Fragment, Item, Reference, Span, Tag
from hoyle.tei.names import (
    ID,
    parse_concept_id,
    parse_number,
    parse_raw_pointer,
    parse_source_uri,
    parse_xml_id,
    tei,
    unescape_attribute,
)
from hoyle.tei.problems import Problem, problem_at
from hoyle.tei.xml_text import read_text

decode_token = unquote
"""Reverses :func:`hoyle.tei.names.encode_token`."""

EvidenceTarget: TypeAlias = str | tuple[str, Span]
"""What evidence is about: the id of a unit, or an edit by the element that encodes it and its span."""

BY_HAND = "TEI edited by hand"
_DEGREES = {"high": 0.95, "medium": 0.8, "low": 0.5}


@dataclass(slots=True)
class UnitNotes:
    """Facts about a unit from ``note`` elements: those that the tree cannot express."""

    under: str | None = None
    label: str = ""
    label_span: Span | None = None
    heading: Span | None = None
    flags: tuple[str, ...] = ()


@dataclass(slots=True)
class StandOffData:
    """The content of the stand-off part.

    Attributes:
        items: tags, conditions, amounts, references, findings and columns, each with the name of its layer.
        evidence: the evidence of units and edits.
        notes: facts about units, by the id of the unit.
        responsible: the names of people who made manual changes, by the id of their ``respStmt``.
    """

    items: list[tuple[str, Item]] = field(default_factory=list)
    evidence: dict[EvidenceTarget, Evidence] = field(default_factory=dict)
    notes: dict[str, UnitNotes] = field(default_factory=dict)
    responsible: Mapping[str, str] = field(default_factory=dict)

    def notes_on(self, unit: str) -> UnitNotes:
        """Return the facts about a unit."""
        return self.notes.get(unit) or UnitNotes()

    def layer_of(self, element: etree._Element, usual: str) -> str:
        """Return the layer of an element.

        Args:
            element: an element that encodes a unit or an edit.
            usual: the layer if ``@resp`` is missing.

        Returns:
            The name of the layer.
        """
        pointer = element.get("resp")
        if not pointer:
            return usual
        return parse_concept_id(pointer[1:])[1] if pointer.startswith("#hoyle.") else pointer.lstrip("#")

    def evidence_of(self, element: etree._Element, key: EvidenceTarget) -> Evidence:
        """Return the evidence of a unit or edit; one without evidence is a manual change.

        Args:
            element: the element that encodes it.
            key: the id of the unit, or the element name and span of the edit.

        Returns:
            The evidence.
        """
        if found := self.evidence.get(key):
            return found
        hand = self.responsible.get(element.get("resp", "").lstrip("#"), "")
        return Evidence(f"{BY_HAND}: {hand}" if hand else BY_HAND, _DEGREES.get(element.get("cert", ""), 1.0))


def parse_standoff(root: etree._Element, problems: list[Problem]) -> StandOffData:
    """Read the stand-off part of a TEI file.

    Args:
        root: the root element.
        problems: a list; problems of the part are appended to it.

    Returns:
        The content of the part.
    """
    found = StandOffData(responsible=_hands(root))
    for element in root.iterfind(f"{tei('standOff')}/*"):
        try:
            _take(found, element)
        except (ValueError, LookupError) as error:
            problems.append(problem_at(element, f"cannot be read ({error})"))
    return found


def _hands(root: etree._Element) -> dict[str, str]:
    statements = root.iterfind(f"{tei('teiHeader')}//{tei('titleStmt')}/{tei('respStmt')}")
    return {
        s.get(ID, ""): " ".join((s.findtext("{*}name") or s.findtext("{*}persName") or "").split())
        for s in statements
    }


def _take(found: StandOffData, element: etree._Element) -> None:
    name = etree.QName(element).localname
    if name == "spanGrp":
        layer = parse_concept_id(element.get("resp", "#hoyle.")[1:])[1]
        found.items += [
            (layer, _READERS[element.get("type", "")](span)) for span in element.iterfind(tei("span"))
        ]
    elif name == "certainty":
        why = _evidence(element)
        for pointer in element.get("target", "").split():
            span = parse_raw_pointer(pointer)
            found.evidence[(element.get("match", ""), span) if span else parse_xml_id(pointer[1:])] = why
    elif name == "note":
        _note(found, element)


def _note(found: StandOffData, note: etree._Element) -> None:
    unit, *others = note.get("target", "").split()
    notes = found.notes.setdefault(parse_xml_id(unit[1:]), UnitNotes())
    span = parse_raw_pointer(others[0]) if others else None
    match note.get("type"):
        case "under":
            notes.under = parse_xml_id(others[0][1:]) if others else ""
        case "label":
            notes.label, notes.label_span = read_text(note), span
        case "heading":
            notes.heading = span
        case "flag":
            notes.flags += (read_text(note),)


def _evidence(certainty: etree._Element) -> Evidence:
    return Evidence(parse_source_uri(certainty.get("source", "")), float(certainty.get("degree", "1")))


def _common(span: etree._Element) -> tuple[list[str], tuple[Span, ...], Evidence]:
    """Return the ids and raw spans that a ``span`` points to, and its evidence."""
    pointers = span.get("target", "").split()
    places = [parse_raw_pointer(p) for p in pointers]
    certainty = span.find(tei("certainty"))
    why = (
        _evidence(certainty)
        if certainty is not None
        else Evidence(BY_HAND, _DEGREES.get(span.get("cert", ""), 1.0))
    )
    ids = [parse_xml_id(p[1:]) for p, s in zip(pointers, places, strict=True) if s is None]
    return ids, tuple(s for s in places if s is not None), why


def _words(span: etree._Element) -> str:
    mentioned = span.find(tei("mentioned"))
    return read_text(span if mentioned is None else mentioned)


def _tag(span: etree._Element) -> Tag:
    ids, spans, why = _common(span)
    facet, value = parse_concept_id(span.get("ana", "")[1:])
    actors = {p.get("type"): parse_concept_id(p.get("target", "")[1:])[1] for p in span.iterfind(tei("ptr"))}
    amount = span.find(tei("measure"))
    kind = decode_token(span.get("type", ""))
    main = "main" in (kind, span.get("subtype"))
    return Tag(
        unit=ids[0],
        facet=facet,
        value=value,
        spans=spans,
        text=_words(span),
        why=why,
        part="" if kind == "main" else kind,
        against=actors.get("against", ""),
        exacted_by=actors.get("by", ""),
        amount="" if amount is None else read_text(amount),
        main=main,
    )


def _reference(span: etree._Element) -> Reference:
    ids, spans, why = _common(span)
    ref = span.find(tei("ref"))
    if ref is None:
        raise ValueError("a span of references needs a ref")
    status: Any = ref.get("type", "outside")
    target = parse_xml_id(ref.get("target", "")[1:])
    return Reference(ids[0], spans, read_text(ref), parse_number(ref.get("n")), target, status, why)


def _condition(span: etree._Element) -> Condition:
    ids, spans, why = _common(span)
    ref = span.find(tei("ref"))
    if ref is None:
        raise ValueError("a span of conditions needs a ref")
    places = (parse_raw_pointer(pointer) for pointer in ref.get("target", "").split())
    then_spans = tuple(place for place in places if place is not None)
    return Condition(ids[0], spans, _words(span), then_spans, read_text(ref), why)


def _amount(span: etree._Element) -> Amount:
    ids, spans, why = _common(span)
    num = span.find(f"{tei('measure')}/{tei('num')}")
    if num is None:
        raise ValueError("a span of amounts needs a measure with a num")
    ends = (num.get("value") or num.get(end) for end in ("atLeast", "atMost"))
    low, high = (float(end) if end else None for end in ends)
    unit = decode_token(next(num.iterancestors()).get("unit", ""))
    return Amount(ids[0], spans, read_text(num), low, high, unit, why)


def _fragment(span: etree._Element) -> Fragment:
    _, spans, why = _common(span)
    return Fragment(spans[0], unescape_attribute(span.get("n", "")), why)


def _finding(span: etree._Element) -> Finding:
    _, spans, why = _common(span)
    doubt = span.get("subtype") == "doubt"
    return Finding(decode_token(span.get("type", "")), _words(span), why, spans[0] if spans else None, doubt)


_READERS: dict[str, Callable[[etree._Element], Item]] = {
    "tags": _tag,
    "conditions": _condition,
    "amounts": _amount,
    "references": _reference,
    "columns": _fragment,
    "findings": _finding,
}
