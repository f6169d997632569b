"""What the stand-off part of a TEI file says: tags, conditions, references, findings, what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import unquote

from lxml import etree

from hoyle.document import Condition, Evidence, Finding, Fragment, Item, Reference, Span, Tag
from hoyle.tei.names import ID, concept_of, name_of, path_of, raw_span, rule_of, tei, unattribute
from hoyle.tei.problems import Problem, problem
from hoyle.tei.xml_text import read_text

unword = unquote
"""Leads back from :func:`hoyle.tei.names.word`."""

Key: TypeAlias = str | tuple[str, Span]
"""A unit by its id, or a change by the element that shows it and its span."""

BY_HAND = "TEI edited by hand"
_DEGREES = {"high": 0.95, "medium": 0.8, "low": 0.5}


@dataclass(slots=True)
class Remarks:
    """What notes say of a unit that the tree does not."""

    under: str | None = None
    label: str = ""
    label_span: Span | None = None
    heading: Span | None = None
    flags: tuple[str, ...] = ()


@dataclass(slots=True)
class StandOff:
    """What the stand-off part says.

    Attributes:
        items: tags, conditions, references, findings and columns, each with the name of its layer.
        known: what units and changes rest on.
        noted: what notes say of units, by the unit's id.
        hands: the names of those who made changes by hand, by the id of their statement of responsibility.
    """

    items: list[tuple[str, Item]] = field(default_factory=list)
    known: dict[Key, Evidence] = field(default_factory=dict)
    noted: dict[str, Remarks] = field(default_factory=dict)
    hands: Mapping[str, str] = field(default_factory=dict)

    def remarks(self, unit: str) -> Remarks:
        """What notes say of a unit."""
        return self.noted.get(unit) or Remarks()

    def layer(self, element: etree._Element, usual: str) -> str:
        """The layer that ``element`` belongs to: the one its ``@resp`` names, or the usual one."""
        pointer = element.get("resp")
        if not pointer:
            return usual
        return concept_of(pointer[1:])[1] if pointer.startswith("#hoyle.") else pointer.lstrip("#")

    def why(self, element: etree._Element, key: Key) -> Evidence:
        """What a unit or change rests on; one that nothing is said of was made by hand."""
        if found := self.known.get(key):
            return found
        hand = self.hands.get(element.get("resp", "").lstrip("#"), "")
        return Evidence(f"{BY_HAND}: {hand}" if hand else BY_HAND, _DEGREES.get(element.get("cert", ""), 1.0))


def read(root: etree._Element, problems: list[Problem]) -> StandOff:
    """What the stand-off part of the file ``root`` says; ``problems`` takes what is wrong with it."""
    found = StandOff(hands=_hands(root))
    for element in root.iterfind(f"{tei('standOff')}/*"):
        try:
            _take(found, element)
        except (ValueError, LookupError) as error:
            problems.append(problem(element, f"cannot be read ({error})"))
    return found


def _hands(root: etree._Element) -> dict[str, str]:
    statements = root.iterfind(f"{tei('teiHeader')}//{tei('titleStmt')}/{tei('respStmt')}")
    return {
        s.get(ID, ""): " ".join((s.findtext("{*}name") or s.findtext("{*}persName") or "").split())
        for s in statements
    }


def _take(found: StandOff, element: etree._Element) -> None:
    name = etree.QName(element).localname
    if name == "spanGrp":
        layer = concept_of(element.get("resp", "#hoyle.")[1:])[1]
        found.items += [
            (layer, _READERS[element.get("type", "")](span)) for span in element.iterfind(tei("span"))
        ]
    elif name == "certainty":
        why = _evidence(element)
        for pointer in element.get("target", "").split():
            span = raw_span(pointer)
            found.known[(element.get("match", ""), span) if span else name_of(pointer[1:])] = why
    elif name == "note":
        _note(found, element)


def _note(found: StandOff, note: etree._Element) -> None:
    unit, *others = note.get("target", "").split()
    remarks = found.noted.setdefault(name_of(unit[1:]), Remarks())
    span = raw_span(others[0]) if others else None
    match note.get("type"):
        case "under":
            remarks.under = name_of(others[0][1:]) if others else ""
        case "label":
            remarks.label, remarks.label_span = read_text(note), span
        case "heading":
            remarks.heading = span
        case "flag":
            remarks.flags += (read_text(note),)


def _evidence(certainty: etree._Element) -> Evidence:
    return Evidence(rule_of(certainty.get("source", "")), float(certainty.get("degree", "1")))


def _common(span: etree._Element) -> tuple[list[str], tuple[Span, ...], Evidence]:
    """The ids and the spans that a ``span`` points to, and what it rests on."""
    pointers = span.get("target", "").split()
    places = [raw_span(p) for p in pointers]
    certainty = span.find(tei("certainty"))
    why = (
        _evidence(certainty)
        if certainty is not None
        else Evidence(BY_HAND, _DEGREES.get(span.get("cert", ""), 1.0))
    )
    ids = [name_of(p[1:]) for p, s in zip(pointers, places, strict=True) if s is None]
    return ids, tuple(s for s in places if s is not None), why


def _words(span: etree._Element) -> str:
    mentioned = span.find(tei("mentioned"))
    return read_text(span if mentioned is None else mentioned)


def _tag(span: etree._Element) -> Tag:
    ids, spans, why = _common(span)
    facet, value = concept_of(span.get("ana", "")[1:])
    actors = {p.get("type"): concept_of(p.get("target", "")[1:])[1] for p in span.iterfind(tei("ptr"))}
    amount = span.find(tei("measure"))
    kind = unword(span.get("type", ""))
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
    target = name_of(ref.get("target", "")[1:])
    return Reference(ids[0], spans, read_text(ref), path_of(ref.get("n")), target, status, why)


def _condition(span: etree._Element) -> Condition:
    ids, spans, why = _common(span)
    ref = span.find(tei("ref"))
    if ref is None:
        raise ValueError("a span of conditions needs a ref")
    places = (raw_span(pointer) for pointer in ref.get("target", "").split())
    then_spans = tuple(place for place in places if place is not None)
    return Condition(ids[0], spans, _words(span), then_spans, read_text(ref), why)


def _fragment(span: etree._Element) -> Fragment:
    _, spans, why = _common(span)
    return Fragment(spans[0], unattribute(span.get("n", "")), why)


def _finding(span: etree._Element) -> Finding:
    _, spans, why = _common(span)
    doubt = span.get("subtype") == "doubt"
    return Finding(unword(span.get("type", "")), _words(span), why, spans[0] if spans else None, doubt)


_READERS: dict[str, Callable[[etree._Element], Item]] = {
    "tags": _tag,
    "conditions": _condition,
    "references": _reference,
    "columns": _fragment,
    "findings": _finding,
}
