"""A document as its pages show it: units in reading order, with margins, tags and references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

from hoyle.document import (
    Clause,
    Condition,
    Document,
    Reference,
    Span,
    Tag,
    Unit,
    group_by_unit,
)
from hoyle.document.text_layers import normalise_whitespace
from hoyle.errors import HoyleError
from hoyle.facets import facets
from hoyle.languages import language
from hoyle.outputs.site.lists import page_name, shorten
from hoyle.outputs.site.pages import FileNames, Pages, address, file_name
from hoyle.outputs.site.scans import Scans
from hoyle.outputs.site.text import Mark, Parts, atoms, visible

LIMIT = 850_000
"""Bytes that the texts of one page may weigh; with head, contents and foot it stays under 1 MB."""
UNIT = 220
"""Bytes around the text of one unit."""
WORD = 52
"""Bytes around the readings of one changed word."""
PLACE = 30
"""Bytes of the place of a word on the scan."""
LINK = 130
"""Bytes of the link to a page of the scan, and of its row in the list for the script."""
MARK = 150
"""Bytes of a tag or a reference: its words marked, its place in the margin."""


def weight(parts: Parts, marks: int) -> int:
    """Estimate the bytes of HTML of a unit.

    Args:
        parts: the text of the unit.
        marks: how many tags and references it has.
    """
    total = UNIT + MARK * marks
    for atom in chain.from_iterable(parts):
        readings = {atom.raw, atom.corrected, atom.modern} if atom.changed else {atom.raw}
        total += sum(len(text.encode(errors="replace")) for text in readings) + WORD * atom.changed
    return total


def paginate(units: Sequence[Unit], weights: Sequence[int], limit: int = LIMIT) -> Iterator[list[Unit]]:
    """Divide a document into pages, so that a page of any book opens at once.

    All pages weigh about the same. A page begins with a heading if there is one near the end of the
    last page, else with a clause that is no part of another one; only where neither comes in time, anywhere.

    Args:
        units: of the document, in reading order.
        weights: of each unit.
        limit: what a page may weigh; only a unit heavier than that makes a heavier page.
    """
    total = sum(weights)
    aim = total / max(1, -(-total // limit))
    page: list[Unit] = []
    here = 0
    for unit, begins, heavy in zip(units, _beginnings(units), weights, strict=True):
        wanted = {2: aim * 0.8, 1: aim}.get(begins, limit)
        if page and total > limit and (here + heavy > limit or here + heavy / 2 >= wanted):
            yield page
            total -= here
            page, here = [], 0
        page.append(unit)
        here += heavy
    if page:
        yield page


def _beginnings(units: Sequence[Unit]) -> Iterator[int]:
    """How well a page may begin with each unit: 2 a heading, 1 a clause of its own, 0 anything else."""
    outer: Clause | None = None
    for unit in units:
        if not isinstance(unit, Clause):
            yield 2 if unit.kind == "heading" else 0
        elif outer and holds(outer, unit):
            yield 0
        else:
            outer = unit
            yield 1


def holds(outer: Clause, inner: Clause) -> bool:
    """Whether a clause is numbered as a part of another one.

    Args:
        outer: the clause above.
        inner: the clause that may be a part of it.
    """
    depth = len(outer.number)
    return outer.series == inner.series and len(inner.number) > depth and inner.number[:depth] == outer.number


@dataclass(slots=True)
class TagView:
    """A concept that a unit is tagged with: its link in the margin and the words that show it."""

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
    main: bool = False


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


class Edition:
    """A document with the look-ups that its pages need.

    Args:
        document: the annotated document.
        pages: the site it goes to (labels, strings).
        images: the images of its pages that were made, by the number of the page.
    """

    def __init__(self, document: Document, pages: Pages, images: Mapping[int, Path] | None = None) -> None:
        self.document = document
        self.scans = Scans(document, images or {})
        self.pages = pages
        self.folder = file_name(document.id)
        names = FileNames("index")
        self.files = {c.id: names.assign(c.id.removeprefix(f"{document.id}.")) for c in document.clauses}
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
        """Return the text of a unit in one layer, white space as it stands in the edition.

        Args:
            unit: a clause or block.
            layer: ``raw``, ``corrected`` or ``modern``.
        """
        return "".join(str(getattr(a, layer)) for part in self.parts(unit) for a in part)

    def plain(self, unit: Unit, layer: str) -> str:
        """Return the text of a unit in one layer, white space tidied.

        Args:
            unit: a clause or block.
            layer: ``raw``, ``corrected`` or ``modern``.
        """
        return normalise_whitespace(self.reading(unit, layer))

    def preview(self, unit_id: str, length: int = 160) -> str:
        """Return the first words of a unit as corrected, on one line.

        Args:
            unit_id: id of the unit.
            length: characters at most.
        """
        return shorten(" ".join(visible(self.plain(self.units[unit_id], "corrected")).split()), length)

    def rule(self, by: str) -> int:
        """The number under which the page lists a source of changes."""
        return self.rules.setdefault(by, len(self.rules) + 1)

    def href(self, unit_id: str) -> str:
        """The permalink of a clause, or the place of another unit on the document page."""
        if unit_id in self.files:
            return address(self.files[unit_id] + ".html")
        return self.place(unit_id)

    def place(self, unit_id: str, here: str = "") -> str:
        """Return the address of a unit in the text of the document.

        Args:
            unit_id: id of the unit.
            here: the page that the link stands on.
        """
        page = self.page_of[unit_id]
        return f"{'' if page == here else address(page)}#{address(unit_id)}"

    @cached_property
    def page_of(self) -> Mapping[str, str]:
        """The page of the document on which a unit stands, by its id, in reading order."""
        units = self.document.units
        weights = [
            weight(self.parts(u), len(self.tags.get(u.id, ())) + len(self.refs_of.get(u.id, ())))
            + self._weight_of_places(u)
            for u in units
        ]
        pages = enumerate(paginate(units, weights))
        return {unit.id: page_name("index", number) for number, page in pages for unit in page}

    def _weight_of_places(self, unit: Unit) -> int:
        """The bytes that say where a unit and its corrected words stand on the scan."""
        if not self.scans:
            return 0
        words = sum(atom.corrected_here or atom.doubtful for part in self.parts(unit) for atom in part)
        pages = len(self.scans.pages_of(unit.spans))
        return len(self.scans.places(unit.spans)) + PLACE * words + LINK * pages

    @cached_property
    def games(self) -> frozenset[str]:
        """The games the document speaks of."""
        return frozenset(t.value for t in self.document.tags if t.facet == "game")

    @cached_property
    def tags_of(self) -> Mapping[str, list[Tag]]:
        """The tags of the model by unit id."""
        return group_by_unit(self.document.tags)

    @cached_property
    def conditions_of(self) -> Mapping[str, list[Condition]]:
        """The conditions of the model by the id of the unit they stand in."""
        return group_by_unit(self.document.conditions)

    @cached_property
    def refs_of(self) -> Mapping[str, list[Reference]]:
        """The references of the model by the id of the unit they stand in."""
        return group_by_unit(self.document.references)

    @cached_property
    def tags(self) -> Mapping[str, list[TagView]]:
        """Tags by unit id; one concept once a unit, with all its words."""
        found: dict[str, dict[tuple[str, str], TagView]] = {}
        for tag in sorted(self.document.tags, key=lambda t: (facets()[t.facet].margin, not t.main)):
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
        view.by, view.part, view.amount, view.main = tag.why.by, tag.part, tag.amount, tag.main
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
        """Return the words of a unit that are tagged or refer.

        Args:
            unit: a clause or block.
            inside: whether references lead to anchors of the page of the text.
        """
        found = [Mark(tag.spans, css=tag.css) for tag in self.tags.get(unit.id, ()) if tag.spans]
        for ref in self.refs.get(unit.id, ()):
            if not ref.href:
                found.append(Mark(ref.spans, css="outside"))
                continue
            if inside:
                # A clause of the same page is previewed by the script; this is for readers without.
                href = self.place(ref.unit, self.page_of[unit.id])
                hint = shorten(ref.preview, 60) if href.startswith("#") else ref.preview
            else:
                href, hint = ref.href, ref.preview
            found.append(Mark(ref.spans, href=href, hint=f"{ref.number}: {hint}"))
        return found
