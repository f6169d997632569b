"""Reads a TEI file back into a document with all its layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from lxml import etree

from hoyle.document import DECISIONS, PLACES, Block, Clause, Document, Edit, Item, PageLayout, Source, Span
from hoyle.errors import SourceError
from hoyle.tei import read_header, read_standoff
from hoyle.tei.facsimile import misplaced, read_facsimile
from hoyle.tei.fragments import FragmentContent, read_fragment
from hoyle.tei.inline import USUAL_LAYER
from hoyle.tei.names import FW_TYPE, ID, PARTS, parse_number, parse_xml_id, tei, unescape_attribute
from hoyle.tei.parse import parse
from hoyle.tei.partition import strip_span
from hoyle.tei.problems import Problem, ProblemError, problem_at
from hoyle.tei.read_standoff import StandOffData

_KIND: Final = {name: kind for kind, name in FW_TYPE.items()}
_LOST: Final = {part: end for end, part in PARTS.items()}
_BLOCKS: Final = {"p": "paragraph", "note": "footnote", "gap": "gap"}


def read_document(data: bytes, *, name: str) -> Document:
    """Read a document from a TEI file; writing it again gives the same bytes.

    Args:
        data: the bytes of the file.
        name: the name of the file, for messages.

    Returns:
        The document.

    Raises:
        SourceError: it is not a TEI file of Hoyle, or its raw text is incomplete.
    """
    tree = EditionTree(parse(data, name=name), name=name)
    for found in tree.problems:
        raise ProblemError(found, document=name)
    return tree.document()


@dataclass(slots=True)
class UnitNode:
    """A unit or furniture block of the tree, before its evidence is known."""

    id: str
    kind: str
    element: etree._Element
    under: str = ""
    series: int = 1
    fragments: list[FragmentContent] = field(default_factory=list)


class EditionTree:
    """The content of a TEI file; problems are collected, not raised.

    Args:
        root: the root element.
        name: the name of the file, for messages.

    Attributes:
        problems: the problems found so far.
        source: the source text, restored from the file.
        nodes: units and furniture in the order of the file.
        fragments: all fragments, in the order of the file.
        standoff: the content of the stand-off part.
        pages: the pages with the places of words, as the facsimile has them.
    """

    def __init__(self, root: etree._Element, *, name: str) -> None:
        self.root = root
        self.name = name
        self.problems: list[Problem] = []
        self.nodes: list[UnitNode] = []
        self.fragments: list[FragmentContent] = []
        self._by_id: dict[str, UnitNode] = {}
        body = root.find(f"{tei('text')}/{tei('body')}")
        if body is None:
            raise SourceError("has no text with a body", document=name)
        self._continuations: list[tuple[etree._Element, str]] = []
        self._division(body, "", 1)
        self._continue()
        self.header = read_header.parse_header(root, name=name)
        self.source = self._source()
        self.pages = self._pages()
        self.standoff: StandOffData = read_standoff.parse_standoff(root, self.problems)

    # The tree of the text.

    def _division(self, division: etree._Element, under: str, series: int) -> None:
        for child in division:
            name = etree.QName(child).localname
            if name == "div":
                self._sub_division(child, under, series)
            elif name == "ab":
                self._anonymous(child, division, under)
            elif name == "head":
                self._add(self._by_id.get(division.get(ID, "")), child)
            elif name == "fw":
                kind = child.get("type", "")
                self._unit(child, _KIND.get(kind, kind), under)
            elif name == "figure":
                self._node(child, "caption", under, 1)
                self._division(child, under, series)
            elif name in _BLOCKS:
                self._unit(child, _BLOCKS[name], under)

    def _sub_division(self, div: etree._Element, under: str, series: int) -> None:
        kind = div.get("type", "")
        if kind == "series":
            n = div.get("n", "")
            if n.isdecimal():
                series = int(n)
            else:
                self._wrong(div, 'of type series needs its number, as in n="2"')
        elif kind in ("section", "clause"):
            node = self._node(div, "heading" if kind == "section" else "clause", under, series)
            under = node.id if kind == "section" else under
        self._division(div, under, series)

    def _anonymous(self, ab: etree._Element, division: etree._Element, under: str) -> None:
        kind = ab.get("type", "")
        if kind == "rest":
            self._add(None, ab)
        elif kind or "prev" in ab.attrib:
            self._unit(ab, kind, under)
        elif division.get("type") == "clause":
            self._add(self._by_id.get(division.get(ID, "")), ab)
        elif "corresp" in ab.attrib:
            self._wrong(ab, "is in no clause and has no type")

    def _node(self, element: etree._Element, kind: str, under: str, series: int) -> UnitNode:
        identifier = element.get(ID)
        if identifier is None:
            self._wrong(element, "needs an xml:id")
        node = UnitNode(parse_xml_id(identifier or ""), kind, element, under, series)
        self.nodes.append(node)
        self._by_id[identifier or ""] = node
        return node

    def _unit(self, element: etree._Element, kind: str, under: str) -> None:
        """Read a unit that is one element, or the continuation of a unit (``@prev``)."""
        if earlier := element.get("prev", ""):
            self._continuations.append((element, earlier[1:]))
            return
        self._add(self._node(element, kind, under, 1), element)

    def _continue(self) -> None:
        """Add continuations to their units (furniture that columns divide may be in any order)."""
        for element, earlier in self._continuations:
            node = self._by_id.get(earlier)
            if node is None:
                self._wrong(element, f"continues {earlier}, which is not there")
            self._add(node, element)

    def _add(self, node: UnitNode | None, element: etree._Element) -> None:
        if "corresp" not in element.attrib and not len(element) and not element.text:
            return  # a unit without text
        try:
            found = read_fragment(element)
        except ProblemError as error:
            self.problems.append(error.problem)
            return
        self.fragments.append(found)
        if node:
            node.fragments.append(found)

    def _wrong(self, element: etree._Element, message: str) -> None:
        self.problems.append(problem_at(element, message))

    # The source text.

    def _source(self) -> Source:
        at = 0
        parts: list[str] = []
        for found in sorted(self.fragments, key=lambda f: f.range):
            start, end = found.range
            if end - start != len(found.text):
                self._wrong(
                    found.element,
                    f"holds {len(found.text)} characters, but its range {start},{end} has {end - start}",
                )
            if any("\n" in said for said in found.element.itertext()):
                self._wrong(
                    found.element,
                    "has line feeds in its text, where a source has lb: the file was reformatted; "
                    "white space in it is that of the source",
                )
            if start == end == start + len(found.text):
                continue
            if start != at:
                what = (
                    f"characters {at} to {start} are missing"
                    if start > at
                    else f"characters {start} to {at} come twice"
                )
                self._wrong(found.element, f"does not follow what precedes it in the source: {what}")
            parts.append(found.text)
            at = end
        return self.header.source("".join(parts))

    def _pages(self) -> tuple[PageLayout, ...]:
        try:
            pages = tuple(read_facsimile(self.root))
        except ProblemError as error:
            self.problems.append(error.problem)
            return ()
        surfaces = self.root.findall(f"{tei('facsimile')}/{tei('surface')}")
        for number, message in misplaced(pages, len(self.source.text)):
            self._wrong(surfaces[number - 1], message)
        return pages

    # The document.

    def document(self) -> Document:
        """Return the document; only for a tree without problems."""
        layers: dict[str, list[Item]] = {name: [] for name in self.header.layers}
        for node in self.nodes:
            item = self._item(node)
            layer = "clauses"
            if node.element.tag == tei("fw"):
                layer = self.standoff.layer_of(node.element, "furniture")
            layers.setdefault(layer, []).append(item)
        for found in self._in_raw_order():
            for change in found.changes:
                match = etree.QName(change.element).localname
                usual = USUAL_LAYER.get(change.kind, "correct")
                if usual == "correct" and (match, change.span) not in self.standoff.evidence:
                    # A manual change is a decision; otherwise another decision could override it.
                    usual = DECISIONS if DECISIONS in layers else usual
                layer = self.standoff.layer_of(change.element, usual)
                why = self.standoff.evidence_of(change.element, (match, change.span))
                edit = Edit(change.span, change.before, change.after, change.kind, why)
                layers.setdefault(layer, []).append(edit)
        if self.pages:
            layers[PLACES] = [*self.pages]
        for layer, items in self.standoff.items:
            layers.setdefault(layer, []).append(items)
        frozen = MappingProxyType({name: tuple(items) for name, items in layers.items()})
        return Document(self.source, self.header.meta(self.source), frozen)

    def _in_raw_order(self) -> Sequence[FragmentContent]:
        return sorted(self.fragments, key=lambda f: f.range)

    def _item(self, node: UnitNode) -> Clause | Block:
        element = node.element
        spans = tuple(self._span(found) for found in node.fragments)
        why = self.standoff.evidence_of(element, node.id)
        notes = self.standoff.notes_on(node.id)
        under = notes.under if notes.under is not None else node.under
        if node.kind != "clause":
            parent = under if node.kind == "heading" or notes.under else ""
            if node.kind == "footnote":
                parent = parse_xml_id(element.get("target", "")[1:])
            if node.element.tag == tei("fw"):
                spans = tuple(sorted(spans))
            kind: Any = node.kind
            return Block(node.id, kind, spans, why, n=unescape_attribute(element.get("n", "")), parent=parent)
        marks = {name: span for found in node.fragments for name, span in found.marks.items()}
        label_span = marks.get("num", notes.label_span)
        label = notes.label
        if "num" in marks:
            label = self.source.text[marks["num"].start : marks["num"].end]
        return Clause(
            id=node.id,
            label=label,
            number=parse_number(element.get("n")),
            spans=spans,
            why=why,
            label_span=label_span,
            scheme=read_standoff.decode_token(element.get("subtype", "")),
            series=node.series,
            heading=marks.get("seg", notes.heading),
            under=under,
            incomplete=_lost(element.get("part")),
            flags=notes.flags,
        )

    def _span(self, found: FragmentContent) -> Span:
        span = strip_span(self.source.text, found.range)
        start, end = found.marks.get("start"), found.marks.get("end")
        return Span(start.start if start else span.start, end.start if end else span.end)


def _lost(part: str | None) -> Any:
    return _LOST.get(part, "")
