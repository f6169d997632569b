"""The document: one immutable source text, and layers of items that point into it.

A stage returns a new ``Document`` with one more layer; nothing is edited in place.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Protocol, TypeVar

from hoyle.document.items import (
    DECISIONS,
    FURNITURE,
    Block,
    Clause,
    Condition,
    Edit,
    Evidence,
    Finding,
    Fragment,
    Item,
    Layer,
    Meta,
    Reference,
    Source,
    Span,
    Tag,
    Unit,
)
from hoyle.errors import StageError


@dataclass(frozen=True)
class Document:
    """A source, what editors know of it, and the layers that the stages have added so far."""

    source: Source
    meta: Meta
    layers: Mapping[str, tuple[Item, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def __reduce__(self) -> tuple[Callable[..., Document], tuple[Source, Meta, dict[str, tuple[Item, ...]]]]:
        """Documents travel between processes; what is derived from the layers stays behind."""
        return _document, (self.source, self.meta, dict(self.layers))

    @property
    def id(self) -> str:
        """The document's id; the ids of its clauses start with it."""
        return self.source.id

    def with_layer(self, name: str, items: Iterable[Item]) -> Document:
        """This document with one more layer; a layer is never overwritten.

        Raises:
            StageError: if a layer of that name is there already.
        """
        if name in self.layers:
            raise StageError(f"layer {name!r} is there already", document=self.id)
        return replace(self, layers=MappingProxyType({**self.layers, name: tuple(items)}))

    @cached_property
    def in_force(self) -> Mapping[str, tuple[Item, ...]]:
        """The layers without what editors' decisions have taken the place of.

        An item of the layer ``decisions`` wins: an edit over every edit of an earlier layer that it
        touches, a unit over the one of the same spans, a tag over the one of the same unit and
        concept. An edit that changes nothing and a tag of probability 0 only take away.
        """
        if not any(isinstance(i, (Edit, Tag, Clause, Block)) for i in self.layers.get(DECISIONS, ())):
            return self.layers
        return MappingProxyType(_in_force(self.layers))

    def _items(self) -> Iterator[Item]:
        for items in self.in_force.values():
            yield from items

    @cached_property
    def lang(self) -> str:
        """Language-and-orthography tag: the editor's, else the detected one, else ``und``."""
        found = (f.value for f in self.findings if f.topic == "language")
        return self.meta.lang or next(found, "und")

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Clauses and text blocks in reading order (furniture is not among them)."""
        return tuple(i for i in self.in_force.get("clauses", ()) if isinstance(i, (Clause, Block)))

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The numbered clauses in reading order."""
        return tuple(u for u in self.units if isinstance(u, Clause))

    @cached_property
    def furniture(self) -> tuple[Block, ...]:
        """Running heads, page numbers, notices … in raw order."""
        found = (i for i in self._items() if isinstance(i, Block) and i.kind in FURNITURE)
        return tuple(sorted(found, key=lambda b: b.spans))

    @cached_property
    def flow(self) -> tuple[Fragment, ...]:
        """The whole text in reading order, as the columns stage found it."""
        whole = Fragment(Span(0, len(self.source.text)), "", Evidence("reading order", 1.0))
        found = tuple(i for i in self._items() if isinstance(i, Fragment))
        return found or (whole,)

    @cached_property
    def tags(self) -> tuple[Tag, ...]:
        """All tags, clause by clause."""
        return tuple(i for i in self._items() if isinstance(i, Tag))

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """All conditions with what they bring about, clause by clause."""
        return tuple(i for i in self._items() if isinstance(i, Condition))

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """All cross-references, clause by clause."""
        return tuple(i for i in self._items() if isinstance(i, Reference))

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What was detected and what is doubtful."""
        return tuple(i for i in self._items() if isinstance(i, Finding))

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """Every edit of every kind in raw order; furniture appears as ``drop``."""
        text = self.source.text
        drops = [
            Edit(span, text[span.start : span.end], "", "drop", block.why)
            for block in self.furniture
            for span in block.spans
        ]
        made = [i for i in self._items() if isinstance(i, Edit)]
        return tuple(sorted(drops + made, key=lambda e: (e.span, e.kind == "regularise")))

    @cached_property
    def _edit_starts(self) -> list[int]:
        return [edit.span.start for edit in self.edits]

    def edits_in(self, spans: Sequence[Span], layer: Layer) -> list[Edit]:
        """The edits that make ``spans`` read as ``layer``, none overlapping another.

        For ``modern`` a regularisation takes the place of the edits it was built upon.
        """
        if layer == "raw":
            return []
        found: list[Edit] = []
        begun = {start for start, _ in spans}
        for start, end in sorted(spans):
            first, last = (bisect_left(self._edit_starts, at) for at in (start, end))
            # An insertion at the very end belongs to a part, unless another begins there.
            while end not in begun and last < len(self.edits) and self.edits[last].span == (end, end):
                last += 1
            found += self.edits[first:last]
        if layer == "corrected":
            return [e for e in found if e.kind != "regularise"]
        modern = [e for e in found if e.kind == "regularise"]
        starts = [e.span.start for e in modern]
        below = [e for e in found if e.kind != "regularise" and not _covered(e, modern, starts)]
        return sorted(modern + below, key=lambda e: e.span)


def _document(source: Source, meta: Meta, layers: dict[str, tuple[Item, ...]]) -> Document:
    return Document(source, meta, MappingProxyType(layers))


def _in_force(layers: Mapping[str, tuple[Item, ...]]) -> dict[str, tuple[Item, ...]]:
    decided = layers[DECISIONS]
    spans = sorted(i.span for i in decided if isinstance(i, Edit))
    units = {_place(i): i for i in decided if isinstance(i, (Clause, Block))}
    tags = {(i.unit, i.facet, i.value) for i in decided if isinstance(i, Tag)}
    main = {(i.unit, i.facet) for i in decided if isinstance(i, Tag) and i.main}

    def kept(item: Item, *, earlier: bool) -> Item | None:
        if isinstance(item, Edit):
            return None if earlier and _decided(item.span, spans) else item
        if isinstance(item, (Clause, Block)):
            return units.get(_place(item), item)
        if isinstance(item, Tag):
            if (item.unit, item.facet, item.value) in tags:
                return None
            return replace(item, main=False) if item.main and (item.unit, item.facet) in main else item
        return item

    found: dict[str, tuple[Item, ...]] = {}
    for name, items in layers.items():
        if name == DECISIONS:
            found[name] = tuple(i for i in items if not _only_takes_away(i))
        else:
            given = (kept(i, earlier=DECISIONS not in found) for i in items)
            found[name] = tuple(i for i in given if i is not None)
    return found


def _place(unit: Unit) -> tuple[str, tuple[Span, ...]]:
    return unit.kind if isinstance(unit, Block) else "clause", unit.spans


def _only_takes_away(item: Item) -> bool:
    """Whether an item of the layer ``decisions`` is none of the edition (units stand with the others)."""
    if isinstance(item, Edit):
        return item.before == item.after
    return isinstance(item, (Clause, Block)) or (isinstance(item, Tag) and item.why.confidence == 0)


class _OfUnit(Protocol):
    @property
    def unit(self) -> str:
        """The id of the unit that the item belongs to."""


_Belonging = TypeVar("_Belonging", bound=_OfUnit)


def by_unit(items: Iterable[_Belonging]) -> dict[str, list[_Belonging]]:
    """Tags, references or conditions by the id of their unit, in their order."""
    found: dict[str, list[_Belonging]] = {}
    for item in items:
        found.setdefault(item.unit, []).append(item)
    return found


def _decided(span: Span, spans: Sequence[Span]) -> bool:
    """Whether one of the (sorted, disjoint) decided ``spans`` touches ``span``."""
    at = bisect_left(spans, span)
    return any(touch(span, other) for other in spans[max(0, at - 2) : at + 2])


def touch(span: Span, decided: Span) -> bool:
    """Whether an edit of ``span`` changes what is decided for ``decided``; an insertion at its edge does."""
    if span.start == span.end:
        return decided.start <= span.start <= decided.end
    return span.start < decided.end and decided.start < span.end


def _covered(edit: Edit, modern: Sequence[Edit], starts: Sequence[int]) -> bool:
    """Whether one of the (sorted, disjoint) ``modern`` edits holds ``edit``."""
    at = bisect_left(starts, edit.span.start + 1) - 1
    return any(holds(outer, edit) for outer in modern[max(0, at - 1) : at + 1])


def holds(outer: Edit, edit: Edit) -> bool:
    """Whether the regularisation ``outer`` was built upon ``edit``, which it takes the place of.

    What is inserted at the edge of a word is part of it only if the corrected word has it there:
    a letter that the scan lost, but not a space.
    """
    if not outer.span.covers(edit.span):
        return False
    if edit.span == (outer.span.start, outer.span.start):
        return outer.before.startswith(edit.after)
    return edit.span != (outer.span.end, outer.span.end) or outer.before.endswith(edit.after)
