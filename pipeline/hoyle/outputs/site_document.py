"""A document as its pages show it: units in reading order, with margins, tags and references."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from markupsafe import Markup

from hoyle.errors import HoyleError
from hoyle.languages import language
from hoyle.model import Block, Clause, Document, Reference, Span, Tag, Unit
from hoyle.outputs.site_pages import Names, Pages, address, file_name
from hoyle.outputs.site_text import (
    DOUBTFUL,
    Atom,
    Mark,
    Parts,
    Setting,
    atoms,
    markup,
    paragraphs,
    visible,
)
from hoyle.reading import plain

SHOWN = ("modality", "actor", "offence", "penalty", "game")
"""Facets in the order in which the margin lists them."""


@dataclass(slots=True)
class TagView:
    """A concept that a unit speaks of: its chip in the margin and the words that show it."""

    facet: str
    value: str
    label: str
    css: str
    href: str
    spans: tuple[Span, ...] = ()
    words: tuple[str, ...] = ()
    confidence: float = 1.0
    by: str = ""
    part: str = ""
    against: str = ""
    exacted_by: str = ""
    amount: str = ""


@dataclass(frozen=True, slots=True)
class RefView:
    """A cross-reference as a link: ``href`` is empty where its goal lies outside the text."""

    text: str
    number: str
    status: str
    href: str
    preview: str
    unit: str
    by: str
    confidence: float
    spans: tuple[Span, ...]


@dataclass(slots=True)
class UnitView:
    """A unit ready for the templates; ``before`` is the furniture that stands ahead of it."""

    unit: Unit
    kind: str
    n: str
    name: str
    level: int
    depth: int
    before: list[Markup]
    label: Markup = field(default_factory=Markup)
    title: Markup = field(default_factory=Markup)
    body: list[Markup] = field(default_factory=list)
    tags: list[TagView] = field(default_factory=list)
    side: list[TagView] = field(default_factory=list)
    """The tags named in the margin: not the game where the document has only one."""
    changes: int = 0
    doubtful: int = 0
    heading: str = ""
    """Id of the heading it stands under."""
    above: list[str] = field(default_factory=list)
    """Ids of the clauses it is a part of, outermost first."""

    @property
    def id(self) -> str:
        """The id of the unit, also the anchor on the document page."""
        return self.unit.id

    @property
    def start_lost(self) -> bool:
        """Whether the beginning of its text is lost."""
        return isinstance(self.unit, Clause) and self.unit.incomplete in ("start", "both")

    @property
    def end_lost(self) -> bool:
        """Whether the end of its text is lost."""
        return isinstance(self.unit, Clause) and self.unit.incomplete in ("end", "both")


class Edition:
    """One document, looked up in all the ways its pages need.

    Args:
        document: the annotated document.
        pages: the site it goes to (labels, strings).
    """

    def __init__(self, document: Document, pages: Pages) -> None:
        self.document = document
        self.pages = pages
        self.folder = file_name(document.id)
        names = Names("index")
        self.files = {c.id: names.give(c.id.removeprefix(f"{document.id}.")) for c in document.clauses}
        self.units = {u.id: u for u in document.units}
        self.rules: dict[str, int] = {}
        self._atoms: dict[str, Parts] = {}

    @cached_property
    def modern(self) -> str:
        """Language tag of the modern layer where it differs from the document's, else empty."""
        try:
            tag = language(self.document.lang).modern
        except HoyleError:  # a language without a folder is regularised to nothing
            return ""
        return "" if tag == self.document.lang else tag

    def parts(self, unit: Unit) -> Parts:
        """The atoms of a unit, part by part."""
        if unit.id not in self._atoms:
            cuts = []
            if isinstance(unit, Clause):
                cuts = [at for span in (unit.label_span, unit.heading) if span for at in span]
            self._atoms[unit.id] = atoms(self.document, unit.spans, cuts)
        return self._atoms[unit.id]

    def reading(self, unit: Unit, layer: str) -> str:
        """A unit's text in one layer, white space as it stands in the edition."""
        return "".join(str(getattr(a, layer)) for part in self.parts(unit) for a in part)

    def plain(self, unit: Unit, layer: str) -> str:
        """A unit's text in one layer, white space tidied."""
        return plain(self.reading(unit, layer))

    def preview(self, unit_id: str, length: int = 160) -> str:
        """The first words of a unit as corrected, on one line."""
        text = " ".join(visible(self.plain(self.units[unit_id], "corrected")).split())
        return text if len(text) <= length else text[:length].rsplit(" ", 1)[0] + " …"

    def rule(self, by: str) -> int:
        """The number under which the page lists a source of changes."""
        return self.rules.setdefault(by, len(self.rules) + 1)

    def href(self, unit_id: str) -> str:
        """The permalink of a clause, or the place of another unit on the document page."""
        if unit_id in self.files:
            return address(self.files[unit_id] + ".html")
        return f"index.html#{address(unit_id)}"

    @cached_property
    def games(self) -> frozenset[str]:
        """The games the document speaks of."""
        return frozenset(t.value for t in self.document.tags if t.facet == "game")

    @cached_property
    def tags_of(self) -> Mapping[str, list[Tag]]:
        """The tags of the model by unit id."""
        found: dict[str, list[Tag]] = {}
        for tag in self.document.tags:
            found.setdefault(tag.unit, []).append(tag)
        return found

    @cached_property
    def refs_of(self) -> Mapping[str, list[Reference]]:
        """The references of the model by the id of the unit they stand in."""
        found: dict[str, list[Reference]] = {}
        for ref in self.document.references:
            found.setdefault(ref.unit, []).append(ref)
        return found

    @cached_property
    def tags(self) -> Mapping[str, list[TagView]]:
        """Tags by unit id; one concept once a unit, with all its words."""
        found: dict[str, dict[tuple[str, str], TagView]] = {}
        for tag in sorted(self.document.tags, key=lambda t: (SHOWN.index(t.facet), not t.main)):
            views = found.setdefault(tag.unit, {})
            view = views.get((tag.facet, tag.value))
            if view is None:
                view = views[tag.facet, tag.value] = self._tag(tag, len(views) + 1)
            view.spans += tag.spans
            view.words += (tag.text,) if tag.text and tag.text not in view.words else ()
            view.confidence = min(view.confidence, tag.why.confidence)
        return {unit: list(views.values()) for unit, views in found.items()}

    def _tag(self, tag: Tag, number: int) -> TagView:
        href = address("by", tag.facet, file_name(tag.value) + ".html")
        view = TagView(tag.facet, tag.value, self.pages.label(tag.facet, tag.value), f"t{number}", href)
        view.by, view.part, view.amount = tag.why.by, tag.part, tag.amount
        view.against, view.exacted_by = tag.against, tag.exacted_by
        return view

    @cached_property
    def refs(self) -> Mapping[str, list[RefView]]:
        """References out of a unit, by its id."""
        return {unit: [self._ref(ref, ref.target) for ref in refs] for unit, refs in self.refs_of.items()}

    @cached_property
    def refs_in(self) -> Mapping[str, list[RefView]]:
        """References to a unit from others of the document, by its id."""
        found: dict[str, list[RefView]] = {}
        for ref in self.document.references:
            if ref.target in self.units and ref.unit in self.units:
                found.setdefault(ref.target, []).append(self._ref(ref, ref.unit))
        return found

    def _ref(self, ref: Reference, unit: str) -> RefView:
        """A reference seen from its other end, ``unit``."""
        href, preview, number = "", "", ".".join(ref.number)
        if unit in self.units:
            href, preview, number = self.href(unit), self.preview(unit), self.number(unit)
        why = ref.why
        return RefView(ref.text, number, ref.status, href, preview, unit, why.by, why.confidence, ref.spans)

    def number(self, unit_id: str) -> str:
        """The number of a clause, or the first words of another unit."""
        unit = self.units[unit_id]
        return unit.n if isinstance(unit, Clause) else self.preview(unit_id, 40)

    def marks(self, unit: Unit, *, inside: bool) -> list[Mark]:
        """The words of a unit that are tagged or refer; ``inside`` the page links to its own anchors."""
        found = [Mark(tag.spans, css=tag.css) for tag in self.tags.get(unit.id, ()) if tag.spans]
        for ref in self.refs.get(unit.id, ()):
            if not ref.href:
                found.append(Mark(ref.spans, css="outside"))
                continue
            href = f"#{address(ref.unit)}" if inside else ref.href
            found.append(Mark(ref.spans, href=href, hint=f"{ref.number}: {ref.preview}"))
        return found

    def views(self, *, inside: bool) -> Iterator[UnitView]:
        """All units in reading order, ready for a page.

        Args:
            inside: whether references lead to anchors of the same page (the document page) or to
                the pages of the clauses.
        """
        level, above, heading = 1, 1, ""
        levels: dict[str, int] = {}
        stack: list[Clause] = []
        for index, unit in enumerate(self.document.units):
            if isinstance(unit, Block):
                if unit.kind == "heading":
                    stack.clear()
                    above = min(levels.get(unit.parent, 1) + 1, level + 1)
                    level = levels[unit.id] = above
                    heading = unit.id
                yield self._view(index, unit, level=max(above, 2), depth=len(stack), inside=inside)
                continue
            while stack and not _holds(stack[-1], unit):
                stack.pop()
            view = self._view(index, unit, level=min(above + 1 + len(stack), level + 1, 6),
                              depth=len(stack), inside=inside)  # fmt: skip
            if view.title:
                level = view.level
            view.heading = unit.under or heading
            view.above = [c.id for c in stack]
            stack.append(unit)
            yield view

    def _view(self, index: int, unit: Unit, *, level: int, depth: int, inside: bool) -> UnitView:
        kind = "clause" if isinstance(unit, Clause) else unit.kind
        before = [self.furniture(b) for b in self.placed.get((index, 0), ())]
        view = UnitView(unit, kind, unit.n, self.files.get(unit.id, ""), level, depth, before)
        flow: list[list[Atom]] = []
        for number, part in enumerate(self.parts(unit)):
            blocks = self.placed.get((index, number), ()) if number else ()
            at = Span(unit.spans[number].start, unit.spans[number].start)
            flow.append([Atom(at, "", "", "", block=b) for b in blocks])
            flow.append(part)
        every = [a for part in flow for a in part]
        view.changes = sum(a.changed for a in every)
        view.doubtful = sum(a.changed and a.confidence < DOUBTFUL for a in every)
        view.tags = self.tags.get(unit.id, [])
        view.side = [t for t in view.tags if t.facet != "game" or len(self.games) > 1]
        marks, setting = self.marks(unit, inside=inside), Setting(self.rule, self.furniture, self.modern)
        if isinstance(unit, Clause):
            label, title, flow = _front(unit, flow)
            view.label, view.title = (markup(_trim(x), (), setting) for x in (label, title))
        view.body = [markup(_trim(p), marks, setting) for p in paragraphs(flow)]
        return view

    def furniture(self, block: Block) -> Markup:
        """A page number, running head … where it stands."""
        text = self.document.source.text
        raw = visible(" ".join(text[s.start : s.end] for s in block.spans))
        if block.kind == "page-number" or (block.kind == "running-head" and block.n):
            number = block.n or raw.strip(" -–—.\n")
            return Markup('<span class="pg" id="{}"><span class="vh">{} </span>{}</span>{}').format(
                block.id, self.pages.t["page"], number, Markup('<span class="fw">{}</span>').format(raw)
            )
        if block.kind == "note-ref":
            goal = next((u for u in self.document.units if isinstance(u, Block) and u.kind == "footnote"
                         and u.n == block.n and u.spans > block.spans), None)  # fmt: skip
            if goal:
                return Markup('<sup class="nr"><a href="#{}">{}</a></sup>').format(goal.id, block.n or raw)
            return Markup('<sup class="nr">{}</sup>').format(block.n or raw)
        return Markup('<span class="fw">{}</span>').format(raw)

    @cached_property
    def placed(self) -> Mapping[tuple[int, int], list[Block]]:
        """Furniture by the unit (index) and part (index) that it stands before in the raw text."""
        where = sorted((s.start, s.end, u, p) for u, unit in enumerate(self.document.units)
                       for p, s in enumerate(unit.spans))  # fmt: skip
        starts = [start for start, *_ in where]
        found: dict[tuple[int, int], list[Block]] = {}
        for block in self.document.furniture:
            at = bisect_right(starts, block.spans[0].start)
            key = where[at][2:] if at < len(where) else (len(self.document.units), 0)
            found.setdefault(key, []).append(block)
        return found

    @cached_property
    def trailing(self) -> list[Markup]:
        """Furniture after the last unit."""
        return [self.furniture(b) for b in self.placed.get((len(self.document.units), 0), ())]


def _holds(outer: Clause, inner: Clause) -> bool:
    depth = len(outer.number)
    return outer.series == inner.series and len(inner.number) > depth and inner.number[:depth] == outer.number


def _front(clause: Clause, flow: Parts) -> tuple[list[Atom], list[Atom], Parts]:
    """The label and the clause's own heading, taken off the front of its text."""
    label: list[Atom] = []
    title: list[Atom] = []
    rest: Parts = []
    for part in flow:
        rest.append([])
        for atom in part:
            if clause.label_span and not atom.block and clause.label_span.covers(atom.span):
                label.append(atom)
            elif clause.heading and not atom.block and clause.heading.covers(atom.span):
                title.append(atom)
            else:
                rest[-1].append(atom)
    return label, title, rest


def _trim(flow: Sequence[Atom]) -> list[Atom]:
    """Without the white space at both ends that parted a label or a heading from the text."""
    kept = list(flow)
    while kept and _plain(kept[0]) and not kept[0].raw.strip():
        kept.pop(0)
    while kept and _plain(kept[-1]) and not kept[-1].raw.strip():
        kept.pop()
    if kept and _plain(kept[0]):
        first = kept[0]
        text = first.raw.lstrip()
        kept[0] = Atom(Span(first.span.end - len(text), first.span.end), text, text, text)
    return kept


def _plain(atom: Atom) -> bool:
    return not atom.edits and atom.block is None
