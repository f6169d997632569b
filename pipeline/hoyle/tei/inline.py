"""The text of one tile with its changes, as TEI: ``choice``, ``lb``, ``num`` and the like."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from hoyle.document import Clause, Document, Edit, Evidence, Span, replaces
from hoyle.errors import OutputError
from hoyle.tei.names import CORR_TYPE, certainty, layer_id
from hoyle.tei.partition import Tile, trimmed
from hoyle.tei.xml_text import LINE_END, Pen, write_text

USUAL_LAYER = {"regularise": "regularise"}
"""The layer that edits of a kind come from if the TEI names none; of other kinds, ``correct``."""


class Known(NamedTuple):
    """What an edit or unit rests on: the elements it is shown by (empty for a unit), and the evidence."""

    match: str
    why: Evidence


class Change(NamedTuple):
    """An edit and the layer it is in."""

    edit: Edit
    layer: str


class Wrap(NamedTuple):
    """Characters that an element stands around: a clause's label (``num``) or its own title (``seg``)."""

    name: str
    span: Span
    value: str | None = None


Made: TypeAlias = Change | Wrap


@dataclass(slots=True)
class Node:
    """A change or wrap, with those inside it."""

    made: Made
    start: int
    end: int
    inside: list[Node] = field(default_factory=list)


@dataclass(frozen=True)
class Changes:
    """The edits of a document by place, and what each of them rests on (filled while they are written)."""

    document: Document
    edits: Sequence[Change]
    starts: Sequence[int]
    known: dict[Known, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, document: Document) -> Changes:
        """All edits of ``document``, those that stand for furniture left out."""
        found = [
            Change(i, name)
            for name, items in document.effective_layers.items()
            for i in items
            if isinstance(i, Edit)
        ]
        found.sort(key=lambda c: (c.edit.span, c.edit.kind == "regularise"))
        for one, other in pairwise(found):
            if one.edit.span == other.edit.span and one.edit.kind != "regularise" != other.edit.kind:
                message = "two edits of the same characters; join them into one"
                raise OutputError(message, document=document.id, offset=other.edit.span.start)
        last = max((c.edit.span.end for c in found), default=0)
        if last > len(document.source.text):
            raise OutputError("an edit lies outside the text", document=document.id, offset=last)
        return cls(document, found, [c.edit.span.start for c in found])

    def within(self, span: Span, *, last: bool) -> Sequence[Change]:
        """The edits that begin in ``span``; at its very end only if it is the ``last`` one of the text."""
        if span.start == span.end:
            return ()
        return self.edits[bisect_left(self.starts, span.start) : bisect_left(self.starts, span.end + last)]

    def rests_on(self, match: str, why: Evidence, pointer: str) -> None:
        """Note down what the thing that ``pointer`` means rests on."""
        self.known.setdefault(Known(match, why), []).append(pointer)


def wraps(changes: Changes, clause: Clause, tile: Tile) -> Iterator[Wrap]:
    """What of the label and the title of ``clause`` can be shown in ``tile``: what no edit cuts across."""
    found: list[Wrap] = []
    if clause.heading and clause.heading.end > clause.heading.start:
        found.append(Wrap("seg", clause.heading))
    span = clause.label_span
    if span and span.end > span.start and changes.document.source.text[span.start : span.end] == clause.label:
        last = clause.number[-1] if clause.number else ""
        found.append(Wrap("num", span, last if last.isascii() and last.isdigit() else None))
    if len(found) == 2 and _crossing(found[0].span, found[1].span):
        found.pop(0)
    edits = changes.within(tile.range, last=False)
    for wrap in found:
        if tile.range.covers(wrap.span) and not any(_crossing(wrap.span, c.edit.span) for c in edits):
            yield wrap


def _crossing(outer: Span, inner: Span) -> bool:
    """Whether two spans overlap and ``inner`` does not lie inside ``outer``."""
    apart = inner.end <= outer.start or inner.start >= outer.end
    return not apart and not outer.covers(inner)


def write(pen: Pen, changes: Changes, tile: Tile, around: Sequence[Wrap] = (), *, last: bool = False) -> None:
    """Write the text of ``tile`` with its changes.

    Args:
        pen: where to.
        changes: those of the document.
        tile: what to write.
        around: elements to put around parts of it.
        last: whether it is the last tile of the text.

    Raises:
        OutputError: edits overlap, leave the tile or do not match the text.
    """
    span = tile.range
    nodes = _nest(changes, changes.within(span, last=last), around, span)
    for at in () if tile.span == trimmed(changes.document.source.text, span) else (0, 1):
        nodes = _anchored(nodes, tile.span[at], ("start", "end")[at])
    _Writer(changes).content(pen, nodes, span)


def _anchored(nodes: list[Node], at: int, name: str) -> list[Node]:
    """``nodes`` with a mark where a tile's own text starts or ends: where white space does not tell."""
    n = 0
    while n < len(nodes) and _before(nodes[n], at, name):
        n += 1
    if n < len(nodes) and nodes[n].start < at and not _is_plain(nodes[n]):
        nodes[n].inside = _anchored(nodes[n].inside, at, name)
        return nodes
    return [*nodes[:n], Node(Wrap(name, Span(at, at)), at, at), *nodes[n:]]


def _before(node: Node, at: int, name: str) -> bool:
    """Whether ``node`` comes before the mark; an insertion at that place is part of the tile's own text."""
    return node.end < at or (node.end == at and (name == "end" or node.start < at))


def _nest(changes: Changes, edits: Sequence[Change], around: Sequence[Wrap], whole: Span) -> list[Node]:
    modern = {c.edit.span.start: c.edit for c in edits if c.edit.kind == "regularise"}
    nodes = [Node(w, *w.span) for w in around] + [Node(c, *c.edit.span) for c in edits]
    nodes.sort(key=lambda node: _outermost_first(node, modern.get(node.start)))
    roots: list[Node] = []
    above: list[Node] = []
    for node in nodes:
        while above and _ends_before(above[-1], node):
            above.pop()
        if (above and (node.end > above[-1].end or _is_plain(above[-1]))) or node.end > whole.end:
            what = "overlaps another" if above else "leaves its unit"
            message = f"the edit of {node.start}–{node.end} {what}"
            raise OutputError(message, document=changes.document.id, offset=node.start)
        (above[-1].inside if above else roots).append(node)
        above.append(node)
    return roots


def _is_plain(node: Node) -> bool:
    """Whether it is an edit that holds no others (all but regularisations)."""
    return isinstance(node.made, Change) and node.made.edit.kind != "regularise"


def _outermost_first(node: Node, modern: Edit | None) -> tuple[int, int, int, int]:
    """Sorts what begins at one place; ``modern`` is the regularisation that begins there."""
    if not isinstance(node.made, Change):
        return node.start, 1, -node.end, int(node.made.name == "num")
    edit = node.made.edit
    if edit.kind == "regularise":
        return node.start, 1, -node.end, 2
    if node.end > node.start:
        return node.start, 3, 0, 0
    return node.start, 2 if modern and replaces(modern, edit) else 0, 0, 0


def _ends_before(above: Node, node: Node) -> bool:
    """Whether ``node`` comes after ``above``, not inside it; an insertion at its end may be either."""
    if above.end != node.start or node.end > node.start:
        return above.end <= node.start
    outer, inner = above.made, node.made
    if not isinstance(outer, Change) or not isinstance(inner, Change) or _is_plain(above):
        return True
    return not replaces(outer.edit, inner.edit)


class _Writer:
    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self._text = changes.document.source.text

    def content(self, pen: Pen, nodes: Sequence[Node], span: Span) -> None:
        """The characters of ``span`` with ``nodes`` in their places."""
        at = span.start
        for node in nodes:
            pen.text(self._text[at : node.start])
            if isinstance(node.made, Wrap):
                self._wrap(pen, node, node.made)
            elif node.made.edit.kind == "regularise":
                self._regularised(pen, node, node.made)
            else:
                self._checked(node.made.edit)
                self._changed(pen, node.made)
            at = node.end
        pen.text(self._text[at : span.end])

    def _wrap(self, pen: Pen, node: Node, wrap: Wrap) -> None:
        if wrap.name in ("start", "end"):
            pen.add("anchor", type=wrap.name)
            return
        kind = "clause" if wrap.name == "num" else "heading"
        made = pen.add(wrap.name, type=kind, value=wrap.value)
        self.content(Pen(made), node.inside, wrap.span)

    def _regularised(self, pen: Pen, node: Node, change: Change) -> None:
        choice = Pen(pen.add("choice"))
        only = node.inside[0].made if len(node.inside) == 1 else None
        if isinstance(only, Change) and only.edit.span == change.edit.span and not _is_line_end(only.edit):
            self._checked(only.edit)
            choice = Pen(self._correction(choice, only).add("choice"))
            write_text(choice.add("orig"), only.edit.after)
        else:
            self.content(Pen(choice.add("orig")), node.inside, change.edit.span)
        write_text(choice.add("reg", **self._said("reg", change)), change.edit.after)

    def _changed(self, pen: Pen, change: Change) -> None:
        edit = change.edit
        if not _is_line_end(edit):
            self._correction(Pen(pen.add("choice")), change).text(edit.after)
            return
        end = "\r\n" if edit.before.endswith("\r\n") else "\n"
        if hyphen := edit.before.removesuffix(end):
            write_text(pen.add("pc", force="weak"), hyphen)
        pen.add(
            "lb", rend=LINE_END[end], **{"break": "yes" if edit.after else "no"}, **self._said("lb", change)
        )

    def _correction(self, choice: Pen, change: Change) -> Pen:
        edit = change.edit
        write_text(choice.add("sic"), edit.before)
        said = self._said("corr", change)
        said["cert"] = certainty(edit.why.confidence)
        said["resp"] = "#" + layer_id(change.layer)
        return Pen(choice.add("corr", type=CORR_TYPE[edit.kind], **said))

    def _said(self, match: str, change: Change) -> dict[str, str | None]:
        """``@cert`` and ``@resp`` of a change where they are not the usual ones."""
        edit, layer = change
        self._changes.rests_on(match, edit.why, f"raw:{edit.span.start},{edit.span.end}")
        sure = certainty(edit.why.confidence)
        usual = USUAL_LAYER.get(edit.kind, "correct")
        return {
            "cert": None if sure == "high" else sure,
            "resp": None if layer == usual else "#" + layer_id(layer),
        }

    def _checked(self, edit: Edit) -> None:
        text = self._text[edit.span.start : edit.span.end]
        if text != edit.before:
            message = f"the text reads {text!r}, the edit says {edit.before!r}"
            raise OutputError(message, document=self._changes.document.id, offset=edit.span.start)


def _is_line_end(edit: Edit) -> bool:
    r"""Whether it is shown by ``lb``: ``\n`` read as a space, or ``\n`` and what is before it left out."""
    before = edit.before
    if edit.kind != "layout" or not before.endswith("\n") or "\n" in before[:-1]:
        return False
    return not edit.after or (edit.after == " " and before in LINE_END)
