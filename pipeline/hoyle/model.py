"""The document: one immutable source text, and layers of items that point into it.

Every span counts characters of ``Source.text``, never of a corrected text.
A stage returns a new ``Document`` with one more layer; nothing is edited in place.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from hoyle.errors import StageError

EditKind: TypeAlias = Literal["correct", "misprint", "layout", "drop", "regularise"]
"""What an edit is for.

``correct``
    a fault of the OCR;
``misprint``
    a fault of the print itself, mended in the corrected layer;
``layout``
    what only the setting of the print put there: a hyphen at a line end, a line end
    inside a paragraph (line feed → space);
``drop``
    furniture inside a clause: a running head, a page number, a separator;
``regularise``
    historical → modern spelling; its ``before`` is the *corrected* reading.
"""

BlockKind: TypeAlias = Literal[
    "notice",
    "running-head",
    "page-number",
    "signature",
    "separator",
    "note-ref",
    "footnote",
    "caption",
    "heading",
    "paragraph",
    "gap",
]
"""What a stretch of text is when it is not a numbered clause (terms of the gold editions)."""

FURNITURE: frozenset[str] = frozenset(
    {"notice", "running-head", "page-number", "signature", "separator", "note-ref"}
)
"""Kinds of block that belong to the page (or the web reader), not to the text."""

RULINGS = "rulings"
"""The layer of what editors decided; see :attr:`Document.in_force`."""

RulingKind: TypeAlias = Literal["accept", "reject", "read-as", "number", "tag"]
Facet: TypeAlias = Literal["game", "actor", "offence", "penalty", "modality"]
RefStatus: TypeAlias = Literal["exact", "ancestor", "outside", "ambiguous"]
Layer: TypeAlias = Literal["raw", "corrected", "modern"]


class Span(NamedTuple):
    """A half-open range ``[start, end)`` of characters of the source text."""

    start: int
    end: int

    def covers(self, other: Span) -> bool:
        """Whether ``other`` lies wholly inside this span."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Source:
    """A source text exactly as it was read: nothing is translated, nothing is lost.

    ``text.encode(encoding)`` gives the bytes of the file again (a byte-order mark stays
    in ``text`` as U+FEFF); ``sha256`` (hexadecimal) and ``size`` (bytes) are of those bytes.
    """

    id: str
    name: str
    text: str
    sha256: str
    size: int
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Who said so: a rule of a table, a model, or an editor.

    ``by`` names it so that it can be found (``languages/fr/confusions.tsv:14``,
    ``numbering/decoder``, ``corpus/quinze/meta.toml``); ``confidence`` is a probability.
    """

    by: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of reading: ``before``, at ``span``, is to be read as ``after``.

    ``before`` is the raw text of ``span``; for ``regularise`` it is the corrected one.
    """

    span: Span
    before: str
    after: str
    kind: EditKind
    why: Evidence


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of the source that is no numbered clause: a heading, paragraph, running head.

    ``n`` is the number it shows, if any (page number, note mark, number of a law in a heading);
    ``parent`` is the id of the unit a footnote belongs to, or of the heading a heading stands under.
    A ``gap`` (text lost) has one empty span, at its place.
    """

    id: str
    kind: BlockKind
    spans: tuple[Span, ...]
    why: Evidence
    n: str = ""
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """A numbered rule.

    ``label`` is as it stands in the raw text (``44*``, ``^d.``; empty where none is left) at
    ``label_span``; ``number`` is the normalised path (``("52",)``, ``("45", "C", "2")``);
    ``spans`` are the parts of its text in reading order, label included, white space at their
    ends excluded; ``series`` counts restarts of the numbering (1, 2 …); ``heading`` is the raw
    span of the clause's own title, inside ``spans``; ``under`` is the id of the heading block
    it stands under; ``incomplete`` says which end of its text is lost.
    """

    id: str
    label: str
    number: tuple[str, ...]
    spans: tuple[Span, ...]
    why: Evidence
    label_span: Span | None = None
    scheme: str = ""
    series: int = 1
    heading: Span | None = None
    under: str = ""
    incomplete: Literal["", "start", "end", "both"] = ""
    flags: tuple[str, ...] = ()

    @property
    def n(self) -> str:
        """The number as people write it: ``45.C.2``."""
        return ".".join(self.number)


Unit: TypeAlias = Clause | Block


@dataclass(frozen=True, slots=True)
class Tag:
    """What a unit says: a concept of the vocabulary and the words (``spans``) that show it.

    ``unit`` is the id of the clause or block; ``value`` an id of ``schemas/vocabulary``;
    ``text`` the words as corrected; ``part`` the actor's part in the clause (``must``, ``may``,
    ``suffers``, ``benefits`` or empty); ``against`` and ``exacted_by`` are actor ids (penalties only);
    ``main`` marks the one modality that speaks for the whole clause. A tag without words of
    its own (a game taken from the document) has empty ``spans``.
    """

    unit: str
    facet: Facet
    value: str
    spans: tuple[Span, ...]
    text: str
    why: Evidence
    part: str = ""
    against: str = ""
    exacted_by: str = ""
    amount: str = ""
    main: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    """A cross-reference: its words, the number it names, and the clause that is meant.

    ``number`` is the path named (``("45", "C", "4", "b")``); ``target`` is the id of the clause
    (for ``ancestor``: of the nearest one above that the text holds), empty when ``outside``.
    """

    unit: str
    spans: tuple[Span, ...]
    text: str
    number: tuple[str, ...]
    target: str
    status: RefStatus
    why: Evidence


@dataclass(frozen=True, slots=True)
class Fragment:
    """One piece of the flow of the text: raw ``span`` and the column it was printed in."""

    span: Span
    column: str
    why: Evidence


@dataclass(frozen=True, slots=True)
class Finding:
    """Something the reader of a report should know: what was detected, or a doubt.

    ``topic`` is a short key (``language``, ``numbering``, ``sequence``, ``encoding`` …).
    """

    topic: str
    value: str
    why: Evidence
    span: Span | None = None
    doubt: bool = False


Item: TypeAlias = Edit | Block | Clause | Tag | Reference | Fragment | Finding


@dataclass(frozen=True, slots=True)
class Excerpt:
    """An editor's statement: from character ``at`` on, the text belongs to unit ``number``."""

    at: int
    number: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """An editor's decision about one place (a row of ``corpus/<id>/decisions.tsv``).

    ``text`` is the raw text of ``span`` as the editor saw it: the ruling holds only while it is
    there. ``value`` is what is to be read (``read-as``), what is accepted (``accept``; may be
    empty), a number path (``number``) or ``facet:concept``, with ``-`` before it to deny it (``tag``).
    ``where`` is file and line.
    """

    span: Span
    text: str
    kind: RulingKind
    value: str
    editor: str
    date: str
    reason: str
    where: str


@dataclass(frozen=True, slots=True)
class Meta:
    """What an editor knows of a document (``corpus/<id>/meta.toml``); all but ``id`` may be unknown.

    ``lang`` is a language-and-orthography tag (``ru-petr1708``, ``ru``, ``fr``) or empty
    (detected); ``numbering`` names schemes of ``hoyle.numbering`` or is ``("detect",)``.
    ``rulings`` are the editors' decisions on single places, ``editors`` the names of those who
    made them.
    """

    id: str
    title: str = ""
    lang: str = ""
    date: str = ""
    date_note: str = ""
    author: str = ""
    publisher: str = ""
    licence: str = ""
    file: str = ""
    sha256: str = ""
    numbering: tuple[str, ...] = ("detect",)
    games: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()
    origin: str = ""
    rulings: tuple[Ruling, ...] = ()
    editors: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The title, or the id where no title is known."""
        return self.title or self.id


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
        """The layers without what editors' rulings have taken the place of.

        An item of the layer ``rulings`` wins: an edit over every edit of an earlier layer that it
        touches, a unit over the one of the same spans, a tag over the one of the same unit and
        concept. An edit that changes nothing and a tag of probability 0 only take away.
        """
        if not any(isinstance(i, (Edit, Tag, Clause, Block)) for i in self.layers.get(RULINGS, ())):
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
    ruled = layers[RULINGS]
    spans = sorted(i.span for i in ruled if isinstance(i, Edit))
    units = {_place(i): i for i in ruled if isinstance(i, (Clause, Block))}
    tags = {(i.unit, i.facet, i.value) for i in ruled if isinstance(i, Tag)}
    modal = {i.unit for i in ruled if isinstance(i, Tag) and i.facet == "modality" and i.main}

    def kept(item: Item, *, earlier: bool) -> Item | None:
        if isinstance(item, Edit):
            return None if earlier and _ruled(item.span, spans) else item
        if isinstance(item, (Clause, Block)):
            return units.get(_place(item), item)
        if isinstance(item, Tag):
            if (item.unit, item.facet, item.value) in tags:
                return None
            return replace(item, main=False) if item.main and item.unit in modal else item
        return item

    found: dict[str, tuple[Item, ...]] = {}
    for name, items in layers.items():
        if name == RULINGS:
            found[name] = tuple(i for i in items if not _only_takes_away(i))
        else:
            given = (kept(i, earlier=RULINGS not in found) for i in items)
            found[name] = tuple(i for i in given if i is not None)
    return found


def _place(unit: Unit) -> tuple[str, tuple[Span, ...]]:
    return unit.kind if isinstance(unit, Block) else "clause", unit.spans


def _only_takes_away(item: Item) -> bool:
    """Whether an item of the layer ``rulings`` is none of the edition (units stand with the others)."""
    if isinstance(item, Edit):
        return item.before == item.after
    return isinstance(item, (Clause, Block)) or (isinstance(item, Tag) and item.why.confidence == 0)


def _ruled(span: Span, spans: Sequence[Span]) -> bool:
    """Whether one of the (sorted, disjoint) ruled ``spans`` touches ``span``."""
    at = bisect_left(spans, span)
    return any(touch(span, other) for other in spans[max(0, at - 2) : at + 2])


def touch(span: Span, ruled: Span) -> bool:
    """Whether an edit of ``span`` changes what is ruled for ``ruled``; an insertion at its edge does."""
    if span.start == span.end:
        return ruled.start <= span.start <= ruled.end
    return span.start < ruled.end and ruled.start < span.end


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
