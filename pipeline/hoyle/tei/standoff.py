"""Writes the stand-off part of a TEI file (TEI P5, 16): tags, conditions, amounts, references, findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lxml import etree

from hoyle.document import Amount, Condition, Document, Evidence, Finding, Fragment, Reference, Span, Tag
from hoyle.tei.body import UnitNote
from hoyle.tei.inline import EvidenceKey
from hoyle.tei.names import (
    certainty_level,
    concept_id,
    encode_token,
    escape_attribute,
    format_number,
    layer_id,
    raw_pointer,
    source_uri,
    xml_id,
)
from hoyle.tei.xml_text import XmlWriter, needs_g, write_text


def write_standoff(
    root: etree._Element,
    document: Document,
    notes: Sequence[UnitNote],
    evidence: dict[EvidenceKey, list[str]],
) -> None:
    """Write ``standOff``, unless it would be empty.

    Args:
        root: the parent element.
        document: the document.
        notes: facts about units that the tree cannot express.
        evidence: the evidence of edits and units, with pointers to them.
    """
    standoff = XmlWriter(XmlWriter(root).add("standOff"))
    for layer, items in document.effective_layers.items():
        for kind, (name, write_one) in _GROUPS.items():
            if found := [item for item in items if isinstance(item, kind)]:
                group = XmlWriter(standoff.add("spanGrp", type=name, resp="#" + layer_id(layer)))
                for item in found:
                    write_one(group, item, document)
    for note in notes:
        element = standoff.add("note", type=note.kind, target=" ".join(note.targets))
        write_text(element, note.text)
    for match, why in sorted(evidence, key=lambda k: (k.match, k.why.by, -k.why.confidence)):
        _certainty(standoff, why, match=match or None, target=" ".join(evidence[EvidenceKey(match, why)]))
    if not len(standoff.parent):
        root.remove(standoff.parent)
    for element in standoff.parent.iter(standoff.parent.tag, "{*}spanGrp"):
        element.text = "\n"
        for child in element:
            child.tail = "\n"


def _certainty(writer: XmlWriter, why: Evidence, **attributes: str | None) -> None:
    degree, source = repr(float(why.confidence)), source_uri(why.by) if why.by else None
    writer.add("certainty", locus="value", degree=degree, source=source, **attributes)


def _span(
    group: XmlWriter, spans: Sequence[Span], why: Evidence, text: str, *targets: str, **attributes: str | None
) -> XmlWriter:
    pointers = " ".join([*targets, *map(raw_pointer, spans)]) or None
    span = XmlWriter(group.add("span", target=pointers, **attributes, cert=certainty_level(why.confidence)))
    if needs_g(text):  # TEI does not allow g in span
        write_text(span.add("mentioned"), text)
    else:
        span.text(text)
    _certainty(span, why)
    return span


def _tag(group: XmlWriter, tag: Tag, _: Document) -> None:
    main = "main" if tag.main else None
    kind = encode_token(tag.part) if tag.part else main
    concept = "#" + concept_id(tag.facet, tag.value)
    span = _span(
        group, tag.spans, tag.why, tag.text, "#" + xml_id(tag.unit),
        ana=concept, type=kind, subtype=main if kind != main else None,
    )  # fmt: skip
    for part, actor in (("against", tag.against), ("by", tag.exacted_by)):
        if actor:
            span.add("ptr", type=part, target="#" + concept_id("actor", actor))
    if tag.amount:
        write_text(span.add("measure", type="amount"), tag.amount)


def _reference(group: XmlWriter, reference: Reference, _: Document) -> None:
    span = _span(group, reference.spans, reference.why, "", "#" + xml_id(reference.unit))
    number = format_number(reference.number) if reference.number else None
    target = "#" + xml_id(reference.target) if reference.target else None
    write_text(span.add("ref", type=reference.status, n=number, target=target), reference.text)


def _condition(group: XmlWriter, condition: Condition, _: Document) -> None:
    span = _span(group, condition.spans, condition.why, condition.text, "#" + xml_id(condition.unit))
    target = " ".join(map(raw_pointer, condition.then_spans)) or None
    write_text(span.add("ref", type="consequence", target=target), condition.then)


def _amount(group: XmlWriter, amount: Amount, _: Document) -> None:
    span = _span(group, amount.spans, amount.why, "", "#" + xml_id(amount.unit))
    unit = encode_token(amount.measure) if amount.measure else None
    ends = (
        {"value": amount.low} if amount.low == amount.high else {"atLeast": amount.low, "atMost": amount.high}
    )
    numbers = {name: repr(value).removesuffix(".0") for name, value in ends.items() if value is not None}
    write_text(XmlWriter(span.add("measure", unit=unit)).add("num", **numbers), amount.text)


def _fragment(group: XmlWriter, fragment: Fragment, _: Document) -> None:
    column = escape_attribute(fragment.column) if fragment.column else None
    _span(group, [fragment.span], fragment.why, "", n=column)


def _finding(group: XmlWriter, finding: Finding, document: Document) -> None:
    spans = [finding.span] if finding.span else []
    doubt = "doubt" if finding.doubt else None
    _span(
        group,
        spans,
        finding.why,
        finding.value,
        "#" + xml_id(document.id),
        type=encode_token(finding.topic),
        subtype=doubt,
    )


_GROUPS: dict[type, tuple[str, Callable[[XmlWriter, Any, Document], None]]] = {
    Finding: ("findings", _finding),
    Fragment: ("columns", _fragment),
    Tag: ("tags", _tag),
    Condition: ("conditions", _condition),
    Amount: ("amounts", _amount),
    Reference: ("references", _reference),
}
"""The ``spanGrp`` elements by the class of their items, in their order."""
