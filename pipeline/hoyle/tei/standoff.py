"""The stand-off part of a TEI file: tags, conditions, references, findings, and what everything rests on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lxml import etree

from hoyle.document import Condition, Document, Evidence, Finding, Fragment, Reference, Span, Tag
from hoyle.tei.body import Remark
from hoyle.tei.inline import Known
from hoyle.tei.names import attribute, certainty, concept_id, layer_id, path, raw, rule, word, xml_id
from hoyle.tei.xml_text import Pen, needs_g, write_text


def write(
    root: etree._Element, document: Document, remarks: Sequence[Remark], known: dict[Known, list[str]]
) -> None:
    """Write ``standOff``, if there is anything to say in it.

    Args:
        root: the element to write it into.
        document: the document.
        remarks: what the tree of the text leaves unsaid.
        known: what edits and units rest on, with pointers to them.
    """
    standoff = Pen(Pen(root).add("standOff"))
    for layer, items in document.effective_layers.items():
        for kind, (name, write_one) in _GROUPS.items():
            if found := [item for item in items if isinstance(item, kind)]:
                group = Pen(standoff.add("spanGrp", type=name, resp="#" + layer_id(layer)))
                for item in found:
                    write_one(group, item, document)
    for remark in remarks:
        note = standoff.add("note", type=remark.kind, target=" ".join(remark.targets))
        write_text(note, remark.text)
    for match, why in sorted(known, key=lambda k: (k.match, k.why.by, -k.why.confidence)):
        _certainty(standoff, why, match=match or None, target=" ".join(known[Known(match, why)]))
    if not len(standoff.parent):
        root.remove(standoff.parent)
    for element in standoff.parent.iter(standoff.parent.tag, "{*}spanGrp"):
        element.text = "\n"
        for child in element:
            child.tail = "\n"


def _certainty(pen: Pen, why: Evidence, **attributes: str | None) -> None:
    degree, source = repr(float(why.confidence)), rule(why.by) if why.by else None
    pen.add("certainty", locus="value", degree=degree, source=source, **attributes)


def _span(
    group: Pen, spans: Sequence[Span], why: Evidence, text: str, *targets: str, **attributes: str | None
) -> Pen:
    pointers = " ".join([*targets, *map(raw, spans)]) or None
    span = Pen(group.add("span", target=pointers, **attributes, cert=certainty(why.confidence)))
    if needs_g(text):  # which a span itself may not hold
        write_text(span.add("mentioned"), text)
    else:
        span.text(text)
    _certainty(span, why)
    return span


def _tag(group: Pen, tag: Tag, _: Document) -> None:
    main = "main" if tag.main else None
    kind = word(tag.part) if tag.part else main
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


def _reference(group: Pen, reference: Reference, _: Document) -> None:
    span = _span(group, reference.spans, reference.why, "", "#" + xml_id(reference.unit))
    number = path(reference.number) if reference.number else None
    target = "#" + xml_id(reference.target) if reference.target else None
    write_text(span.add("ref", type=reference.status, n=number, target=target), reference.text)


def _condition(group: Pen, condition: Condition, _: Document) -> None:
    span = _span(group, condition.spans, condition.why, condition.text, "#" + xml_id(condition.unit))
    target = " ".join(map(raw, condition.then_spans)) or None
    write_text(span.add("ref", type="consequence", target=target), condition.then)


def _fragment(group: Pen, fragment: Fragment, _: Document) -> None:
    column = attribute(fragment.column) if fragment.column else None
    _span(group, [fragment.span], fragment.why, "", n=column)


def _finding(group: Pen, finding: Finding, document: Document) -> None:
    spans = [finding.span] if finding.span else []
    doubt = "doubt" if finding.doubt else None
    _span(
        group,
        spans,
        finding.why,
        finding.value,
        "#" + xml_id(document.id),
        type=word(finding.topic),
        subtype=doubt,
    )


_GROUPS: dict[type, tuple[str, Callable[[Pen, Any, Document], None]]] = {
    Finding: ("findings", _finding),
    Fragment: ("columns", _fragment),
    Tag: ("tags", _tag),
    Condition: ("conditions", _condition),
    Reference: ("references", _reference),
}
"""The groups of spans, by what they say, in their order."""
