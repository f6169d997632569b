"""The units of a document in reading order, prepared for the templates: margins, headings, page numbers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from markupsafe import Markup

from hoyle.document import Block, Clause, Span, Unit
from hoyle.facets import facets
from hoyle.outputs.site.document import Edition, TagView, holds
from hoyle.outputs.site.scans import PageView
from hoyle.outputs.site.text import Atom, MarkupContext, Parts, markup, paragraphs, visible


@dataclass(slots=True)
class UnitView:
    """A unit prepared for the templates; ``before`` is the furniture that precedes it."""

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
    """The tags named in the margin."""
    changes: int = 0
    doubtful: int = 0
    heading: str = ""
    """Id of the heading it stands under."""
    above: list[str] = field(default_factory=list)
    """Ids of the clauses it is a part of, outermost first."""
    at: str = ""
    """Where it stands on the scans, as the script reads it."""
    scans: list[PageView] = field(default_factory=list)
    """The pages that the text comes to with it, on a page of the site."""

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


class Units:
    """The units of an edition, prepared for a page.

    Args:
        edition: the document.
        inside: whether references lead to anchors of the same page (the document page) or to
            the pages of the clauses.
    """

    def __init__(self, edition: Edition, *, inside: bool) -> None:
        self.edition = edition
        self.inside = inside
        self._came: dict[str, set[int]] = {}

    def __iter__(self) -> Iterator[UnitView]:
        """Iterate over all units in reading order."""
        level, above, heading = 1, 1, ""
        levels: dict[str, int] = {}
        stack: list[Clause] = []
        for index, unit in enumerate(self.edition.document.units):
            if isinstance(unit, Block):
                if unit.kind == "heading":
                    stack.clear()
                    above = min(levels.get(unit.parent, 1) + 1, level + 1, 6)
                    level = levels[unit.id] = above
                    heading = unit.id
                yield self._view(index, unit, level=max(above, 2), depth=len(stack))
                continue
            while stack and not holds(stack[-1], unit):
                stack.pop()
            wanted = min(above + 1 + len(stack), level + 1, 6)
            view = self._view(index, unit, level=wanted, depth=len(stack))
            if view.title:
                level = view.level
            view.heading = unit.under or heading
            view.above = [c.id for c in stack]
            stack.append(unit)
            yield view

    def _view(self, index: int, unit: Unit, *, level: int, depth: int) -> UnitView:
        kind = "clause" if isinstance(unit, Clause) else unit.kind
        here = self.edition.page_of[unit.id] if self.inside else ""
        furniture = partial(self.furniture, here=here)
        before = [furniture(b) for b in self.placed.get((index, 0), ())]
        view = UnitView(unit, kind, unit.n, self.edition.files.get(unit.id, ""), level, depth, before)
        flow: list[list[Atom]] = []
        for number, part in enumerate(self.edition.parts(unit)):
            blocks = self.placed.get((index, number), ()) if number else ()
            at = Span(unit.spans[number].start, unit.spans[number].start)
            flow.append([Atom(at, "", "", "", block=b) for b in blocks])
            flow.append(part)
        every = [a for part in flow for a in part]
        view.changes = sum(a.corrected_here for a in every)
        view.doubtful = sum(a.doubtful for a in every)
        view.tags = self.edition.tags.get(unit.id, [])
        view.side = [tag for tag in view.tags if self._in_margin(tag)]
        marks = self.edition.marks(unit, inside=self.inside)
        # Another orthography of the same language needs no tag of its own: screen readers read it alike.
        same = self.edition.modern.split("-")[0] == self.edition.document.lang.split("-")[0]
        scans = self.edition.scans
        modern = "" if same else self.edition.modern
        context = MarkupContext(self.edition.rule, furniture, modern, scans.places)
        view.at = scans.places(unit.spans)
        came = self._came.setdefault(here, set())
        view.scans = [page for page in scans.pages_of(unit.spans) if page.number not in came]
        came.update(page.number for page in view.scans)
        if isinstance(unit, Clause):
            label, title, flow = _front(unit, flow)
            view.label, view.title = (markup(_trim(x), (), context) for x in (label, title))
        view.body = [markup(_trim(p), marks, context) for p in paragraphs(flow)]
        return view

    def _in_margin(self, tag: TagView) -> bool:
        """Whether the margin names a tag.

        Of a facet with a main tag it names that one, and the game only if the document speaks of several.
        """
        if tag.facet == "game":
            return len(self.edition.games) > 1
        return tag.main or not facets()[tag.facet].main

    def furniture(self, block: Block, here: str) -> Markup:
        """Return the HTML of a page number, running head or note mark.

        Args:
            block: the furniture.
            here: the page that it stands on.
        """
        text = self.edition.document.source.text
        raw = visible(" ".join(text[s.start : s.end] for s in block.spans))
        if block.kind == "page-number" or (block.kind == "running-head" and block.n):
            number = block.n or raw.strip(" -–—.\n")
            return Markup('<span class="pg" id="{}"><span class="vh">{} </span>{}</span>{}').format(
                block.id,
                self.edition.pages.t["page"],
                number,
                Markup('<span class="fw">{}</span>').format(raw),
            )
        if block.kind == "note-ref":
            return self._note_mark(block, raw, here)
        return Markup('<span class="fw">{}</span>').format(raw)

    def _note_mark(self, block: Block, raw: str, here: str) -> Markup:
        shown = block.n or raw
        for unit in self.edition.document.units:
            note = isinstance(unit, Block) and unit.kind == "footnote" and unit.n == block.n
            if note and unit.spans > block.spans:
                href = self.edition.place(unit.id, here)
                return Markup('<sup class="nr"><a href="{}">{}</a></sup>').format(href, shown)
        return Markup('<sup class="nr">{}</sup>').format(shown)

    @cached_property
    def placed(self) -> Mapping[tuple[int, int], list[Block]]:
        """Furniture by the unit (index) and part (index) that it stands before in the raw text."""
        where = sorted((s.start, s.end, u, p) for u, unit in enumerate(self.edition.document.units)
                       for p, s in enumerate(unit.spans))  # fmt: skip
        starts = [start for start, *_ in where]
        found: dict[tuple[int, int], list[Block]] = {}
        for block in self.edition.document.furniture:
            at = bisect_right(starts, block.spans[0].start)
            key = where[at][2:] if at < len(where) else (len(self.edition.document.units), 0)
            found.setdefault(key, []).append(block)
        return found

    @cached_property
    def trailing(self) -> list[Markup]:
        """Furniture after the last unit."""
        here = next(reversed(list(self.edition.page_of.values())), "")
        return [self.furniture(b, here) for b in self.placed.get((len(self.edition.document.units), 0), ())]


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
