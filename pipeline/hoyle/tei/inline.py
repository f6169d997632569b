"""The text of a segment with its edits, as TEI: ``choice`` (TEI P5, 3.5), ``lb``, ``num`` and others."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from hoyle.document import Clause, Document, Edit, Evidence, Span, replaces
from hoyle.errors import OutputError
from hoyle.tei.names import CORR_TYPE, certainty_level, layer_id
from hoyle.tei.partition import Segment, strip_span
from hoyle.tei.xml_text import LINE_END, XmlWriter, write_text

USUAL_LAYER = {"regularise": "regularise"}
"""The layer of edits of a kind if the TEI names none; for other kinds it is ``correct``."""


class EvidenceKey(NamedTuple):
    """The evidence of an edit or unit, with the name of the element that encodes it (empty for a unit)."""

    match: str
    why: Evidence


class LayerEdit(NamedTuple):
    """An edit and the name of its layer."""

    edit: Edit
    layer: str


class Wrapper(NamedTuple):
    """An element around characters (label ``num`` or title ``seg`` of a clause), or a page break (``pb``)."""

    name: str
    span: Span
    value: str | None = None
    facs: str | None = None


InlineItem: TypeAlias = LayerEdit | Wrapper


@dataclass(slots=True)
class InlineNode:
    """An edit or wrapper, with the edits and wrappers inside it."""

    item: InlineItem
    start: int
    end: int
    children: list[InlineNode] = field(default_factory=list)


@dataclass(frozen=True)
class EditIndex:
    """The edits of a document by position, and their evidence (collected while they are written)."""

    document: Document
    edits: Sequence[LayerEdit]
    starts: Sequence[int]
    evidence: dict[EvidenceKey, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, document: Document) -> EditIndex:
        """Index all edits of ``document`` except those of page furniture."""
        found = [
            LayerEdit(i, name)
            for name, items in document.effective_layers.items()
            for i in items
            if isinstance(i, Edit)
        ]
        found.sort(key=lambda c: (c.edit.span, c.edit.kind == "regularise"))
        for one, other in pairwise(found):
            if one.edit.span == other.edit.span and one.edit.kind != "regularise" != other.edit.kind:
                message = "two edits change the same characters; join them into one"
                raise OutputError(message, document=document.id, offset=other.edit.span.start)
        last = max((c.edit.span.end for c in found), default=0)
        if last > len(document.source.text):
            raise OutputError("an edit lies outside the text", document=document.id, offset=last)
        return cls(document, found, [c.edit.span.start for c in found])

    def starting_in(self, span: Span, *, last: bool) -> Sequence[LayerEdit]:
        """Return the edits that begin in a span.

        Args:
            span: characters of the raw text.
            last: whether it is the last span of the text; an insertion at its end then belongs to it.

        Returns:
            The edits in the order of the raw text.
        """
        if span.start == span.end:
            return ()
        return self.edits[bisect_left(self.starts, span.start) : bisect_left(self.starts, span.end + last)]

    def add_evidence(self, match: str, why: Evidence, pointer: str) -> None:
        """Record the evidence of an edit or unit.

        Args:
            match: the name of the element that encodes it; empty for a unit.
            why: the evidence.
            pointer: a pointer to it.
        """
        self.evidence.setdefault(EvidenceKey(match, why), []).append(pointer)


def clause_wrappers(index: EditIndex, clause: Clause, segment: Segment) -> Iterator[Wrapper]:
    """Yield wrappers for label and title of a clause, unless an edit crosses their borders.

    Args:
        index: the edits of the document.
        clause: the clause.
        segment: a segment of it.

    Yields:
        The wrappers inside the segment.
    """
    found: list[Wrapper] = []
    if clause.heading and clause.heading.end > clause.heading.start:
        found.append(Wrapper("seg", clause.heading))
    span = clause.label_span
    if span and span.end > span.start and index.document.source.text[span.start : span.end] == clause.label:
        last = clause.number[-1] if clause.number else ""
        found.append(Wrapper("num", span, last if last.isascii() and last.isdigit() else None))
    if len(found) == 2 and _crossing(found[0].span, found[1].span):
        found.pop(0)
    edits = index.starting_in(segment.padded_span, last=False)
    for wrap in found:
        if segment.padded_span.covers(wrap.span) and not any(
            _crossing(wrap.span, c.edit.span) for c in edits
        ):
            yield wrap


def _crossing(outer: Span, inner: Span) -> bool:
    """Return whether two spans overlap and ``inner`` does not lie inside ``outer``."""
    apart = inner.end <= outer.start or inner.start >= outer.end
    return not apart and not outer.covers(inner)


def write_inline(
    writer: XmlWriter,
    index: EditIndex,
    segment: Segment,
    around: Sequence[Wrapper] = (),
    breaks: Sequence[Wrapper] = (),
    *,
    last: bool = False,
) -> None:
    """Write the text of a segment with its edits.

    Args:
        writer: the writer of the element around it.
        index: the edits of the document.
        segment: the segment.
        around: wrappers of parts of it.
        breaks: the beginnings of pages in it.
        last: whether it is the last segment of the text.

    Raises:
        OutputError: edits overlap, extend beyond the segment or do not match the text.
    """
    span = segment.padded_span
    nodes = _nest(index, index.starting_in(span, last=last), around, span)
    for at in () if segment.span == strip_span(index.document.source.text, span) else (0, 1):
        edge = Span(segment.span[at], segment.span[at])
        nodes = _anchored(nodes, Wrapper(("start", "end")[at], edge))
    for page in reversed(breaks):
        nodes = _anchored(nodes, page)
    _InlineWriter(index).content(writer, nodes, span)


def _anchored(nodes: list[InlineNode], mark: Wrapper) -> list[InlineNode]:
    """Add an empty element: where a page begins, or where text of a unit does, if white space hides it."""
    at, n = mark.span.start, 0
    while n < len(nodes) and _before(nodes[n], at, mark.name):
        n += 1
    if n < len(nodes) and nodes[n].start < at and not _is_plain(nodes[n]):
        nodes[n].children = _anchored(nodes[n].children, mark)
        return nodes
    if n < len(nodes):
        at = min(at, nodes[n].start)  # a page may begin in the middle of a line end that an edit joins
    return [*nodes[:n], InlineNode(mark, at, at), *nodes[n:]]


def _before(node: InlineNode, at: int, name: str) -> bool:
    """Return whether ``node`` precedes the anchor; an insertion there is part of the text of the unit."""
    return node.end < at or (node.end == at and (name == "end" or node.start < at))


def _nest(
    index: EditIndex, edits: Sequence[LayerEdit], around: Sequence[Wrapper], whole: Span
) -> list[InlineNode]:
    modern = {c.edit.span.start: c.edit for c in edits if c.edit.kind == "regularise"}
    nodes = [InlineNode(w, *w.span) for w in around] + [InlineNode(c, *c.edit.span) for c in edits]
    nodes.sort(key=lambda node: _outermost_first(node, modern.get(node.start)))
    roots: list[InlineNode] = []
    above: list[InlineNode] = []
    for node in nodes:
        while above and _ends_before(above[-1], node):
            above.pop()
        if (above and (node.end > above[-1].end or _is_plain(above[-1]))) or node.end > whole.end:
            what = "overlaps another" if above else "extends beyond its unit"
            message = f"the edit at {node.start}–{node.end} {what}"
            raise OutputError(message, document=index.document.id, offset=node.start)
        (above[-1].children if above else roots).append(node)
        above.append(node)
    return roots


def _is_plain(node: InlineNode) -> bool:
    """Return whether it is an edit that contains no others (any kind but a regularisation)."""
    return isinstance(node.item, LayerEdit) and node.item.edit.kind != "regularise"


def _outermost_first(node: InlineNode, modern: Edit | None) -> tuple[int, int, int, int]:
    """Sort key: nodes that begin at one position, the outermost first.

    ``modern`` is the regularisation that begins there.
    """
    if not isinstance(node.item, LayerEdit):
        return node.start, 1, -node.end, int(node.item.name == "num")
    edit = node.item.edit
    if edit.kind == "regularise":
        return node.start, 1, -node.end, 2
    if node.end > node.start:
        return node.start, 3, 0, 0
    return node.start, 2 if modern and replaces(modern, edit) else 0, 0, 0


def _ends_before(above: InlineNode, node: InlineNode) -> bool:
    """Return whether ``node`` follows ``above``; an insertion at the end of ``above`` may lie in it."""
    if above.end != node.start or node.end > node.start:
        return above.end <= node.start
    outer, inner = above.item, node.item
    if not isinstance(outer, LayerEdit) or not isinstance(inner, LayerEdit) or _is_plain(above):
        return True
    return not replaces(outer.edit, inner.edit)


class _InlineWriter:
    def __init__(self, index: EditIndex) -> None:
        self._index = index
        self._text = index.document.source.text

    def content(self, writer: XmlWriter, nodes: Sequence[InlineNode], span: Span) -> None:
        """Write the characters of ``span`` with ``nodes`` in them."""
        at = span.start
        for node in nodes:
            writer.text(self._text[at : node.start])
            if isinstance(node.item, Wrapper):
                self._wrap(writer, node, node.item)
            elif node.item.edit.kind == "regularise":
                self._regularised(writer, node, node.item)
            else:
                self._checked(node.item.edit)
                self._changed(writer, node.item)
            at = node.end
        writer.text(self._text[at : span.end])

    def _wrap(self, writer: XmlWriter, node: InlineNode, wrap: Wrapper) -> None:
        if wrap.name in ("start", "end"):
            writer.add("anchor", type=wrap.name)
            return
        if wrap.name == "pb":
            writer.add("pb", n=wrap.value, facs=wrap.facs)
            return
        kind = "clause" if wrap.name == "num" else "heading"
        made = writer.add(wrap.name, type=kind, value=wrap.value)
        self.content(XmlWriter(made), node.children, wrap.span)

    def _regularised(self, writer: XmlWriter, node: InlineNode, change: LayerEdit) -> None:
        choice = XmlWriter(writer.add("choice"))
        only = node.children[0].item if len(node.children) == 1 else None
        if isinstance(only, LayerEdit) and only.edit.span == change.edit.span and not _is_line_end(only.edit):
            self._checked(only.edit)
            choice = XmlWriter(self._correction(choice, only).add("choice"))
            write_text(choice.add("orig"), only.edit.after)
        else:
            self.content(XmlWriter(choice.add("orig")), node.children, change.edit.span)
        write_text(choice.add("reg", **self._said("reg", change)), change.edit.after)

    def _changed(self, writer: XmlWriter, change: LayerEdit) -> None:
        edit = change.edit
        if not _is_line_end(edit):
            self._correction(XmlWriter(writer.add("choice")), change).text(edit.after)
            return
        end = "\r\n" if edit.before.endswith("\r\n") else "\n"
        if hyphen := edit.before.removesuffix(end):
            write_text(writer.add("pc", force="weak"), hyphen)
        writer.add(
            "lb", rend=LINE_END[end], **{"break": "yes" if edit.after else "no"}, **self._said("lb", change)
        )

    def _correction(self, choice: XmlWriter, change: LayerEdit) -> XmlWriter:
        edit = change.edit
        write_text(choice.add("sic"), edit.before)
        said = self._said("corr", change)
        said["cert"] = certainty_level(edit.why.confidence)
        said["resp"] = "#" + layer_id(change.layer)
        return XmlWriter(choice.add("corr", type=CORR_TYPE[edit.kind], **said))

    def _said(self, match: str, change: LayerEdit) -> dict[str, str | None]:
        """Return ``@cert`` and ``@resp`` of an edit if they differ from the defaults."""
        edit, layer = change
        self._index.add_evidence(match, edit.why, f"raw:{edit.span.start},{edit.span.end}")
        sure = certainty_level(edit.why.confidence)
        usual = USUAL_LAYER.get(edit.kind, "correct")
        return {
            "cert": None if sure == "high" else sure,
            "resp": None if layer == usual else "#" + layer_id(layer),
        }

    def _checked(self, edit: Edit) -> None:
        text = self._text[edit.span.start : edit.span.end]
        if text != edit.before:
            message = f"the raw text is {text!r}, but the edit expects {edit.before!r}"
            raise OutputError(message, document=self._index.document.id, offset=edit.span.start)


def _is_line_end(edit: Edit) -> bool:
    r"""Return whether ``lb`` encodes it: ``\n`` replaced by a space, or a hyphen and ``\n`` removed."""
    before = edit.before
    if edit.kind != "layout" or not before.endswith("\n") or "\n" in before[:-1]:
        return False
    return not edit.after or (edit.after == " " and before in LINE_END)
