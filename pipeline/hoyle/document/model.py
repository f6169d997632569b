"""The document: one immutable source text, and layers of stand-off items that point into it.

A stage adds a layer and returns a new ``Document``; nothing is edited in place.
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
    PLACES,
    Amount,
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
    Tag,
    Unit,
)
from hoyle.document.places import PageLayout, Span
from hoyle.errors import StageError


@dataclass(frozen=True)
class Document:
    """A source, its metadata, and the layers that the stages have added so far."""

    source: Source
    meta: Meta
    layers: Mapping[str, tuple[Item, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def __reduce__(self) -> tuple[Callable[..., Document], tuple[Source, Meta, dict[str, tuple[Item, ...]]]]:
        """Pickle source, metadata and layers only; cached properties are computed again."""
        return _document, (self.source, self.meta, dict(self.layers))

    @property
    def id(self) -> str:
        """The id of the document; the ids of its clauses begin with it."""
        return self.source.id

    def with_layer(self, name: str, items: Iterable[Item]) -> Document:
        """Return this document with one more layer.

        Args:
            name: the name of the layer.
            items: its items.

        Returns:
            A new document.

        Raises:
            StageError: the document has a layer of this name already.
        """
        if name in self.layers:
            raise StageError(f"the document already has a layer {name!r}", document=self.id)
        return replace(self, layers=MappingProxyType({**self.layers, name: tuple(items)}))

    @cached_property
    def effective_layers(self) -> Mapping[str, tuple[Item, ...]]:
        """The layers after the editorial decisions have overridden the items of other layers.

        An edit of the layer ``decisions`` overrides every edit of an earlier layer that it touches, a unit
        the one with the same spans, a tag the one of the same unit and concept. An edit that changes
        nothing, and a tag of probability 0, only remove what they override.
        """
        if not any(isinstance(i, (Edit, Tag, Clause, Block)) for i in self.layers.get(DECISIONS, ())):
            return self.layers
        return MappingProxyType(_effective_layers(self.layers))

    def _items(self) -> Iterator[Item]:
        for items in self.effective_layers.values():
            yield from items

    @cached_property
    def lang(self) -> str:
        """The tag of the orthography: the editor's, else the detected one, else ``und`` (BCP 47)."""
        found = (f.value for f in self.findings if f.topic == "language")
        return self.meta.lang or next(found, "und")

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The clauses and text blocks in reading order, without page furniture."""
        return tuple(i for i in self.effective_layers.get("clauses", ()) if isinstance(i, (Clause, Block)))

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The numbered clauses in reading order."""
        return tuple(u for u in self.units if isinstance(u, Clause))

    @cached_property
    def furniture(self) -> tuple[Block, ...]:
        """The page furniture (running heads, page numbers …) in the order of the raw text."""
        found = (i for i in self._items() if isinstance(i, Block) and i.kind in FURNITURE)
        return tuple(sorted(found, key=lambda b: b.spans))

    @cached_property
    def flow(self) -> tuple[Fragment, ...]:
        """The whole text in reading order, as the stage ``columns`` found it."""
        whole = Fragment(Span(0, len(self.source.text)), "", Evidence("reading order", 1.0))
        found = tuple(i for i in self._items() if isinstance(i, Fragment))
        return found or (whole,)

    @cached_property
    def pages(self) -> tuple[PageLayout, ...]:
        """The pages in the order of the raw text; none where the source does not part them."""
        return tuple(i for i in self.layers.get(PLACES, ()) if isinstance(i, PageLayout))

    @cached_property
    def _page_numbers(self) -> list[Block]:
        return [b for b in self.furniture if b.n and b.spans and b.kind in ("page-number", "running-head")]

    def printed_number(self, page: PageLayout) -> str:
        """The number printed on a page, alone or in its running head; empty if none was found."""
        at = bisect_left(self._page_numbers, page.span.start, key=lambda b: b.spans[0].start)
        found: dict[str, str] = {}
        while at < len(self._page_numbers) and self._page_numbers[at].spans[0].start < page.span.end:
            found.setdefault(self._page_numbers[at].kind, self._page_numbers[at].n)
            at += 1
        return found.get("page-number") or found.get("running-head", "")

    @cached_property
    def tags(self) -> tuple[Tag, ...]:
        """All tags, unit by unit."""
        return tuple(i for i in self._items() if isinstance(i, Tag))

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """All conditions with their consequences, unit by unit."""
        return tuple(i for i in self._items() if isinstance(i, Condition))

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        """All amounts, unit by unit."""
        return tuple(i for i in self._items() if isinstance(i, Amount))

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """All cross-references, unit by unit."""
        return tuple(i for i in self._items() if isinstance(i, Reference))

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What was detected and what is doubtful."""
        return tuple(i for i in self._items() if isinstance(i, Finding))

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """All edits in the order of the raw text; page furniture appears as ``drop``."""
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
        """Return the edits between the raw text of ``spans`` and a layer; no two of them overlap.

        For ``modern``, a regularisation replaces the edits that its ``before`` includes.

        Args:
            spans: characters of the raw text.
            layer: the layer.

        Returns:
            The edits, in the order of the raw text.
        """
        if layer == "raw":
            return []
        found: list[Edit] = []
        begun = {start for start, _ in spans}
        for start, end in sorted(spans):
            first, last = (bisect_left(self._edit_starts, at) for at in (start, end))
            # An insertion at the end of a span belongs to it, unless another span begins there.
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


def _effective_layers(layers: Mapping[str, tuple[Item, ...]]) -> dict[str, tuple[Item, ...]]:
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
    """Return whether an item of the layer ``decisions`` only overrides others.

    (Decided units appear in the layer of the units.)
    """
    if isinstance(item, Edit):
        return item.before == item.after
    return isinstance(item, (Clause, Block)) or (isinstance(item, Tag) and item.why.confidence == 0)


class _OfUnit(Protocol):
    @property
    def unit(self) -> str:
        """The id of the unit that the item belongs to."""


_Belonging = TypeVar("_Belonging", bound=_OfUnit)


def group_by_unit(items: Iterable[_Belonging]) -> dict[str, list[_Belonging]]:
    """Group tags, references or conditions by the id of their unit, in their order."""
    found: dict[str, list[_Belonging]] = {}
    for item in items:
        found.setdefault(item.unit, []).append(item)
    return found


def _decided(span: Span, spans: Sequence[Span]) -> bool:
    """Return whether one of the (sorted, disjoint) decided ``spans`` touches ``span``."""
    at = bisect_left(spans, span)
    return any(touches(span, other) for other in spans[max(0, at - 2) : at + 2])


def touches(span: Span, decided: Span) -> bool:
    """Return whether an edit of ``span`` changes the text of ``decided``.

    Args:
        span: the span of an edit (characters of the raw text); an empty one is an insertion and
            touches ``decided`` at its edges too.
        decided: the span of a decision.

    Returns:
        Whether the two overlap.
    """
    if span.start == span.end:
        return decided.start <= span.start <= decided.end
    return span.start < decided.end and decided.start < span.end


def _covered(edit: Edit, modern: Sequence[Edit], starts: Sequence[int]) -> bool:
    """Return whether one of the (sorted, disjoint) ``modern`` edits replaces ``edit``."""
    at = bisect_left(starts, edit.span.start + 1) - 1
    return any(replaces(outer, edit) for outer in modern[max(0, at - 1) : at + 1])


def replaces(outer: Edit, edit: Edit) -> bool:
    """Return whether the regularisation ``outer`` includes ``edit`` and so replaces it.

    An insertion at the edge of a word belongs to the word only if the corrected word has the inserted
    text there: a letter that OCR lost, but not a space.

    Args:
        outer: an edit of the kind ``regularise``.
        edit: an edit of another kind.

    Returns:
        Whether ``outer.before`` includes the result of ``edit``.
    """
    if not outer.span.covers(edit.span):
        return False
    if edit.span == (outer.span.start, outer.span.start):
        return outer.before.startswith(edit.after)
    return edit.span != (outer.span.end, outer.span.end) or outer.before.endswith(edit.after)
