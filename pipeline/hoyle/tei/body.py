"""The TEI ``text`` element: units in reading order, page furniture where it stands (TEI P5, 4 and 12.6)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lxml import etree

from hoyle.document import Block, Clause, Document, Span, Unit
from hoyle.tei import inline
from hoyle.tei.facsimile import FacsimileIndex, surface_id
from hoyle.tei.inline import EditIndex, Wrapper
from hoyle.tei.names import (
    FW_TYPE,
    LANG,
    PARTS,
    SPACE,
    char_range,
    concept_id,
    encode_token,
    escape_attribute,
    format_number,
    layer_id,
    raw_pointer,
    tei,
    xml_id,
)
from hoyle.tei.outline import DivisionStack, add_line_breaks
from hoyle.tei.partition import Partition, Segment, partition_text
from hoyle.tei.xml_text import XmlWriter, set_attributes


class UnitNote(NamedTuple):
    """A fact about a unit that the tree cannot express; it becomes a ``note`` in the stand-off part."""

    kind: str
    targets: tuple[str, ...]
    text: str = ""


class BodyWriter:
    """Writes the ``text`` element of a TEI file.

    Args:
        document: the document.
        root: the parent element.

    Attributes:
        edit_index: the edits of the document, and the evidence of edits and units.
        notes: the facts about units that the tree cannot express.
    """

    def __init__(self, document: Document, root: etree._Element) -> None:
        self._document = document
        self._root = root
        self.edit_index = EditIndex.of(document)
        self.notes: list[UnitNote] = []
        self._modality = {
            t.unit: t.value for t in reversed(document.tags) if t.main and t.facet == "modality"
        }
        self._layer = {
            block.id: name
            for name, items in document.effective_layers.items()
            for block in items
            if isinstance(block, Block)
        }
        self._facsimile = FacsimileIndex(document)
        self._columns = sorted((f.span, f.column) for f in document.flow)
        self._column = ""

    def write(self) -> None:
        """Write the element.

        Raises:
            OutputError: spans or edits overlap or do not match the text.
        """
        partition = partition_text(self._document)
        text = XmlWriter(self._root).add("text")
        text.set(LANG, self._document.lang)
        text.set(SPACE, "preserve")
        body = XmlWriter(text).add("body")
        self._divisions = DivisionStack(body, several=any(c.series != 1 for c in self._document.clauses))
        self._rest(body, self._followers(body, partition.opening))
        for (unit, segments), next_clause in zip(partition.units, _next_clauses(partition), strict=True):
            self._add_evidence(unit)
            if isinstance(unit, Clause):
                self._clause(unit, segments)
            elif unit.kind == "heading":
                self._heading(unit, segments)
            else:
                self._divisions.close_clauses(next_clause)
                self._block(unit, segments)
        if not any(child.tag in (tei("div"), tei("p"), tei("ab")) for child in body):
            XmlWriter(body).add("ab")
        add_line_breaks(body)

    def _add_evidence(self, unit: Unit) -> None:
        self.edit_index.add_evidence("", unit.why, "#" + xml_id(unit.id))

    def _add_note(self, kind: str, unit: Unit, *targets: str, text: str = "") -> None:
        self.notes.append(UnitNote(kind, ("#" + xml_id(unit.id), *targets), text))

    def _under(self, unit: Unit, heading: str) -> None:
        """Add a note if ``unit`` belongs to a heading whose division is closed already."""
        if not self._divisions.is_open(heading):
            self._add_note("under", unit, "#" + xml_id(heading))

    def _clause(self, clause: Clause, segments: Sequence[Segment]) -> None:
        self._under(clause, clause.under)
        div = self._divisions.open_clause(clause)
        modality = self._modality.get(clause.id)
        set_attributes(
            div,
            subtype=encode_token(clause.scheme) if clause.scheme else None,
            n=format_number(clause.number) if clause.number else None,
            part=PARTS[clause.incomplete],
            id_=xml_id(clause.id),
            facs=self._facsimile.lines_of(clause.spans),
            ana="#" + concept_id("modality", modality) if modality else None,
        )
        shown: set[str] = set()
        for n, found in enumerate(segments):
            around = list(inline.clause_wrappers(self.edit_index, clause, found))
            shown |= {w.name for w in around}
            self._fragment(div, "ab", found, {"part": _part(n, len(segments))}, around)
            self._rest(div, self._followers(div, found.followers))
        if (clause.label or clause.label_span) and "num" not in shown:
            self._add_note(
                "label",
                clause,
                *([raw_pointer(clause.label_span)] if clause.label_span else []),
                text=clause.label,
            )
        if clause.heading and "seg" not in shown:
            self._add_note("heading", clause, raw_pointer(clause.heading))
        for flag in clause.flags:
            self._add_note("flag", clause, text=flag)

    def _heading(self, heading: Block, segments: Sequence[Segment]) -> None:
        self._under(heading, heading.parent)
        before = self._divisions.open_section(heading)
        set_attributes(before, n=escape_attribute(heading.n) if heading.n else None, id_=xml_id(heading.id))
        unclaimed: list[Segment] = []
        for found in segments:
            self._fragment(before, "head", found, {})
            unclaimed += self._followers(before, found.followers)
        if not segments:
            XmlWriter(before).add("head")
        self._rest(before, unclaimed)

    def _block(self, block: Block, segments: Sequence[Segment]) -> None:
        if block.kind != "footnote" and block.parent:
            self._add_note("under", block, "#" + xml_id(block.parent))
        name, said = _element(block, segments)
        outer = self._divisions.text_parent() if name in ("p", "ab") else self._divisions.innermost
        if name == "figure":
            outer = XmlWriter(outer).add("figure", **said)
            name, said = "head", {}
        if not segments:
            XmlWriter(outer).add(name, **said)
        again = {} if name == "head" else {"prev": "#" + xml_id(block.id)}
        unclaimed: list[Segment] = []
        for n, found in enumerate(segments):
            part = _part(n, len(segments)) if name in ("p", "ab") else None
            self._fragment(outer, name, found, {**(again if n else said), "part": part})
            unclaimed += self._followers(outer, found.followers)
        if unclaimed:
            self._rest(self._divisions.text_parent(), unclaimed)

    def _fragment(
        self,
        parent: etree._Element,
        name: str,
        found: Segment,
        attributes: Mapping[str, str | None],
        around: Sequence[Wrapper] = (),
    ) -> None:
        """Write a segment as an element with its range, after a column break if the column changes."""
        nearest = bisect_right(
            self._columns, (Span(found.span.start, len(self._document.source.text) + 1), "")
        )
        column = self._columns[nearest - 1][1] if nearest else ""
        if column and column != self._column:
            XmlWriter(parent).add("cb", n=escape_attribute(column))
            self._column = column
        element = XmlWriter(parent).add(
            name, **attributes, corresp=char_range(self._document.source.name, found.padded_span)
        )
        last = found.padded_span.end == len(self._document.source.text)
        breaks = [self._page_break(number) for number in self._facsimile.pages_in(found.padded_span)]
        inline.write_inline(XmlWriter(element), self.edit_index, found, around, breaks, last=last)

    def _page_break(self, number: int) -> Wrapper:
        page = self._document.pages[number - 1]
        label = page.label or self._document.printed_number(page)
        start = Span(page.span.start, page.span.start)
        return Wrapper("pb", start, escape_attribute(label) or None, "#" + surface_id(number))

    def _followers(self, parent: etree._Element, segments: Sequence[Segment]) -> list[Segment]:
        """Write the page furniture among ``segments``; return the other segments."""
        page = {} if self._document.pages else _page_starts(segments)
        for n, found in enumerate(segments):
            block = found.owner
            if not isinstance(block, Block):
                continue
            if n in page:
                XmlWriter(parent).add("pb", n=escape_attribute(page[n]) if page[n] else None)
            layer = self._layer[block.id]
            attributes: dict[str, str | None] = {"type": FW_TYPE.get(block.kind, block.kind)}
            if found.first:
                self._add_evidence(block)
                attributes |= {"n": escape_attribute(block.n) if block.n else None, "id_": xml_id(block.id)}
                attributes |= {"resp": None if layer == "furniture" else "#" + layer_id(layer)}
                if block.parent:
                    self._add_note("under", block, "#" + xml_id(block.parent))
            else:
                attributes |= {"prev": "#" + xml_id(block.id)}
            if block.spans:
                self._fragment(parent, "fw", found, attributes)
            else:
                XmlWriter(parent).add("fw", **attributes)
        return [t for t in segments if t.owner is None]

    def _rest(self, parent: etree._Element, segments: Sequence[Segment]) -> None:
        for found in segments:
            self._fragment(parent, "ab", found, {"type": "rest"})


def _element(block: Block, segments: Sequence[Segment]) -> tuple[str, dict[str, str | None]]:
    """Return the element name of ``block`` and its attributes."""
    said: dict[str, str | None] = {
        "n": escape_attribute(block.n) if block.n else None,
        "id_": xml_id(block.id),
    }
    match block.kind:
        case "paragraph":
            return "p", said
        case "caption":
            return "figure", said
        case "footnote":
            target = "#" + xml_id(block.parent) if block.parent else None
            return "note", {"type": "footnote", "place": "bottom", **said, "target": target}
        case "gap" if len(segments) <= 1 and all(t.padded_span.start == t.padded_span.end for t in segments):
            return "gap", {"reason": "lost", "extent": "unknown", **said}
    return "ab", {"type": block.kind, **said}


def _next_clauses(partition: Partition) -> Iterator[Clause | None]:
    """Yield for each unit the next clause after it, or ``None`` if a heading comes first."""
    found: list[Clause | None] = []
    clause: Clause | None = None
    for unit, _ in reversed(partition.units):
        found.append(clause)
        if isinstance(unit, Clause) or unit.kind == "heading":
            clause = unit if isinstance(unit, Clause) else None
    return reversed(found)


def _page_starts(segments: Sequence[Segment]) -> dict[int, str]:
    """Return where pages begin in a run of page furniture (index → page number).

    A page begins at a running head. A page number alone may be at the foot of a page, so it does not count.
    """
    starts: dict[int, str] = {}
    run: list[tuple[int, Block]] = []
    for n, found in enumerate([*segments, None]):
        block = found.owner if found else None
        if found and isinstance(block, Block) and block.kind in ("running-head", "page-number"):
            run.append((n, block))
            continue
        if any(b.kind == "running-head" for _, b in run):
            by_kind = sorted((b for _, b in run if b.n), key=lambda b: b.kind)  # page numbers first
            starts[run[0][0]] = by_kind[0].n if by_kind else ""
        run = []
    return starts


def _part(n: int, of: int) -> str | None:
    """Return ``@part`` of the n-th of several fragments (TEI P5, 4): initial, middle or final."""
    return None if of == 1 else "I" if n == 0 else "F" if n == of - 1 else "M"
