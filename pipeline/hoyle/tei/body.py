"""The text of a document as TEI: units in reading order, furniture in its place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lxml import etree

from hoyle.document import Block, Clause, Document, Span, Unit
from hoyle.tei import inline
from hoyle.tei.inline import Changes, Wrap
from hoyle.tei.names import (
    FW_TYPE,
    LANG,
    PARTS,
    SPACE,
    attribute,
    concept_id,
    layer_id,
    path,
    place,
    raw,
    tei,
    word,
    xml_id,
)
from hoyle.tei.outline import Outline, break_lines
from hoyle.tei.partition import Tile, Tiling, tile
from hoyle.tei.xml_text import Pen, put


class Remark(NamedTuple):
    """What the tree cannot show of a unit, or shows otherwise; becomes a ``note`` in the stand-off part."""

    kind: str
    targets: tuple[str, ...]
    text: str = ""


class Body:
    """Writes the ``text`` of a TEI file.

    Args:
        document: what to write.
        root: the element to write it into.

    Attributes:
        changes: the edits of the document, and what edits and units rest on.
        remarks: what is left to say about units.
    """

    def __init__(self, document: Document, root: etree._Element) -> None:
        self._document = document
        self._root = root
        self.changes = Changes.of(document)
        self.remarks: list[Remark] = []
        self._modality = {
            t.unit: t.value for t in reversed(document.tags) if t.main and t.facet == "modality"
        }
        self._layer = {
            block.id: name
            for name, items in document.effective_layers.items()
            for block in items
            if isinstance(block, Block)
        }
        self._columns = sorted((f.span, f.column) for f in document.flow)
        self._column = ""

    def write(self) -> None:
        """Write all of it.

        Raises:
            OutputError: spans or edits overlap or do not fit the text.
        """
        tiling = tile(self._document)
        text = Pen(self._root).add("text")
        text.set(LANG, self._document.lang)
        text.set(SPACE, "preserve")
        body = Pen(text).add("body")
        self._outline = Outline(body, several=any(c.series != 1 for c in self._document.clauses))
        self._rest(body, self._followers(body, tiling.opening))
        for (unit, tiles), coming in zip(tiling.units, _coming(tiling), strict=True):
            self._rests_on(unit)
            if isinstance(unit, Clause):
                self._clause(unit, tiles)
            elif unit.kind == "heading":
                self._heading(unit, tiles)
            else:
                self._outline.block(coming)
                self._block(unit, tiles)
        if not any(child.tag in (tei("div"), tei("p"), tei("ab")) for child in body):
            Pen(body).add("ab")
        break_lines(body)

    def _rests_on(self, unit: Unit) -> None:
        self.changes.rests_on("", unit.why, "#" + xml_id(unit.id))

    def _remark(self, kind: str, unit: Unit, *targets: str, text: str = "") -> None:
        self.remarks.append(Remark(kind, ("#" + xml_id(unit.id), *targets), text))

    def _under(self, unit: Unit, heading: str) -> None:
        """Say what the tree cannot: that ``unit`` stands under a heading that is closed already."""
        if not self._outline.is_open(heading):
            self._remark("under", unit, "#" + xml_id(heading))

    def _clause(self, clause: Clause, tiles: Sequence[Tile]) -> None:
        self._under(clause, clause.under)
        div = self._outline.clause(clause)
        modality = self._modality.get(clause.id)
        put(
            div,
            subtype=word(clause.scheme) if clause.scheme else None,
            n=path(clause.number) if clause.number else None,
            part=PARTS[clause.incomplete],
            id_=xml_id(clause.id),
            ana="#" + concept_id("modality", modality) if modality else None,
        )
        shown: set[str] = set()
        for n, found in enumerate(tiles):
            around = list(inline.wraps(self.changes, clause, found))
            shown |= {w.name for w in around}
            self._fragment(div, "ab", found, {"part": _part(n, len(tiles))}, around)
            self._rest(div, self._followers(div, found.followers))
        if (clause.label or clause.label_span) and "num" not in shown:
            self._remark(
                "label", clause, *([raw(clause.label_span)] if clause.label_span else []), text=clause.label
            )
        if clause.heading and "seg" not in shown:
            self._remark("heading", clause, raw(clause.heading))
        for flag in clause.flags:
            self._remark("flag", clause, text=flag)

    def _heading(self, heading: Block, tiles: Sequence[Tile]) -> None:
        self._under(heading, heading.parent)
        before = self._outline.section(heading)
        put(before, n=attribute(heading.n) if heading.n else None, id_=xml_id(heading.id))
        unclaimed: list[Tile] = []
        for found in tiles:
            self._fragment(before, "head", found, {})
            unclaimed += self._followers(before, found.followers)
        if not tiles:
            Pen(before).add("head")
        self._rest(before, unclaimed)

    def _block(self, block: Block, tiles: Sequence[Tile]) -> None:
        if block.kind != "footnote" and block.parent:
            self._remark("under", block, "#" + xml_id(block.parent))
        name, said = _element(block, tiles)
        outer = self._outline.text() if name in ("p", "ab") else self._outline.here
        if name == "figure":
            outer = Pen(outer).add("figure", **said)
            name, said = "head", {}
        if not tiles:
            Pen(outer).add(name, **said)
        again = {} if name == "head" else {"prev": "#" + xml_id(block.id)}
        unclaimed: list[Tile] = []
        for n, found in enumerate(tiles):
            part = _part(n, len(tiles)) if name in ("p", "ab") else None
            self._fragment(outer, name, found, {**(again if n else said), "part": part})
            unclaimed += self._followers(outer, found.followers)
        if unclaimed:
            self._rest(self._outline.text(), unclaimed)

    def _fragment(
        self,
        parent: etree._Element,
        name: str,
        found: Tile,
        attributes: Mapping[str, str | None],
        around: Sequence[Wrap] = (),
    ) -> None:
        """One tile as an element that names its range; a column break before it where one is due."""
        nearest = bisect_right(
            self._columns, (Span(found.span.start, len(self._document.source.text) + 1), "")
        )
        column = self._columns[nearest - 1][1] if nearest else ""
        if column and column != self._column:
            Pen(parent).add("cb", n=attribute(column))
            self._column = column
        element = Pen(parent).add(name, **attributes, corresp=place(self._document.source.name, found.range))
        last = found.range.end == len(self._document.source.text)
        inline.write(Pen(element), self.changes, found, around, last=last)

    def _followers(self, parent: etree._Element, tiles: Sequence[Tile]) -> list[Tile]:
        """Write the furniture among ``tiles``; what is not furniture comes back."""
        page = _page_starts(tiles)
        for n, found in enumerate(tiles):
            block = found.owner
            if not isinstance(block, Block):
                continue
            if n in page:
                Pen(parent).add("pb", n=attribute(page[n]) if page[n] else None)
            layer = self._layer[block.id]
            attributes: dict[str, str | None] = {"type": FW_TYPE.get(block.kind, block.kind)}
            if found.first:
                self._rests_on(block)
                attributes |= {"n": attribute(block.n) if block.n else None, "id_": xml_id(block.id)}
                attributes |= {"resp": None if layer == "furniture" else "#" + layer_id(layer)}
                if block.parent:
                    self._remark("under", block, "#" + xml_id(block.parent))
            else:
                attributes |= {"prev": "#" + xml_id(block.id)}
            if block.spans:
                self._fragment(parent, "fw", found, attributes)
            else:
                Pen(parent).add("fw", **attributes)
        return [t for t in tiles if t.owner is None]

    def _rest(self, parent: etree._Element, tiles: Sequence[Tile]) -> None:
        for found in tiles:
            self._fragment(parent, "ab", found, {"type": "rest"})


def _element(block: Block, tiles: Sequence[Tile]) -> tuple[str, dict[str, str | None]]:
    """The element that shows ``block``, and its attributes."""
    said: dict[str, str | None] = {"n": attribute(block.n) if block.n else None, "id_": xml_id(block.id)}
    match block.kind:
        case "paragraph":
            return "p", said
        case "caption":
            return "figure", said
        case "footnote":
            target = "#" + xml_id(block.parent) if block.parent else None
            return "note", {"type": "footnote", "place": "bottom", **said, "target": target}
        case "gap" if len(tiles) <= 1 and all(t.range.start == t.range.end for t in tiles):
            return "gap", {"reason": "lost", "extent": "unknown", **said}
    return "ab", {"type": block.kind, **said}


def _coming(tiling: Tiling) -> Iterator[Clause | None]:
    """For each unit, the next clause after it, unless a heading comes first."""
    found: list[Clause | None] = []
    clause: Clause | None = None
    for unit, _ in reversed(tiling.units):
        found.append(clause)
        if isinstance(unit, Clause) or unit.kind == "heading":
            clause = unit if isinstance(unit, Clause) else None
    return reversed(found)


def _page_starts(tiles: Sequence[Tile]) -> dict[int, str]:
    """Where a page begins in a run of furniture (at a running head), and the number it shows.

    A page number alone may stand at the foot as well as at the top, so it does not tell.
    """
    starts: dict[int, str] = {}
    run: list[tuple[int, Block]] = []
    for n, found in enumerate([*tiles, None]):
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
    """``@part`` of the n-th of several fragments."""
    return None if of == 1 else "I" if n == 0 else "F" if n == of - 1 else "M"
