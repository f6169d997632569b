"""The site: pages to read, compare and cite, without server, script or network.

A folder a document under ``doc/`` (the whole text, and a page a clause with ``.txt``, ``.json``
and, where the TEI was built before, ``.xml`` beside it; the network of its references), indexes
under ``by/`` and ``concordance/``, a search index under ``search/``, downloads under ``files/``.
Every address is relative, so that the folder works wherever it lies.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hoyle.document import Block, Clause, Document
from hoyle.errors import OutputError
from hoyle.outputs.site import about as site_about
from hoyle.outputs.site import concordance as site_concordance
from hoyle.outputs.site import dates as site_dates
from hoyle.outputs.site import index as site_index
from hoyle.outputs.site import reading as site_reading
from hoyle.outputs.site import search as site_search
from hoyle.outputs.site.cite import citation
from hoyle.outputs.site.clause_files import as_json, as_tei, as_text
from hoyle.outputs.site.document import Edition, TagView
from hoyle.outputs.site.files import File, Files
from hoyle.outputs.site.findings import word
from hoyle.outputs.site.pages import Names, Pages, address, facet_styles, languages
from hoyle.outputs.site.store import DocumentRow, Spool, UnitRow
from hoyle.outputs.site.text import DOUBTFUL, visible
from hoyle.outputs.site.units import Units, UnitView
from hoyle.tables import data_file


@dataclass(frozen=True, slots=True)
class Change:
    """A changed word in the table of a clause's page."""

    raw: str
    corrected: str
    modern: str
    kinds: list[str]
    by: list[tuple[int, str]]
    confidence: float
    doubtful: bool


class Site:
    """The output ``site/``; see :class:`hoyle.outputs.Output`.

    Args:
        folder: of the whole build.
    """

    def __init__(self, folder: Path) -> None:
        self._build = folder
        self._files = Files(folder)
        self._pages = Pages(folder / "site")
        self._spool = Spool()
        self._names = Names()
        self._documents = 0
        self._units = 0
        try:
            shutil.copytree(data_file("site", "assets"), folder / "site" / "assets")
            sheet = folder / "site" / "assets" / "hoyle.css"
            rules = sheet.read_text(encoding="utf-8").replace("/* facets */\n", facet_styles())
            sheet.write_text(rules, encoding="utf-8", newline="")
        except OSError as error:
            raise OutputError(f"cannot be written ({error})", document="site/assets") from error

    def add(self, document: Document) -> None:
        """Write the pages of ``document`` and remember what the indexes need."""
        edition = Edition(document, self._pages)
        edition.folder = self._names.give(document.id)
        units = Units(edition, inside=True)
        views = list(units)
        files = self._files.of(document.id)
        site_reading.write(edition, views, units.trailing, files)
        self._clause_pages(edition)
        self._remember(edition, views, files)

    def close(self) -> None:
        """Write home page, indexes, search index and all that belongs to the edition as a whole."""
        self._spool.index()
        for part in (site_index, site_concordance, site_dates, site_search):
            part.write(self._spool, self._pages)
        site_about.write(self._spool, self._pages, self._files.rest())
        languages(self._pages)
        self._spool.close()

    def _clause_pages(self, edition: Edition) -> None:
        clauses = edition.document.clauses
        tei: set[str] = set()
        if (path := self._build / "tei" / f"{edition.document.id}.xml").is_file():
            for name, xml in as_tei(path, frozenset(edition.files)):
                self._pages.text(f"doc/{edition.folder}/{edition.files[name]}.xml", xml)
                tei.add(name)
        views = {v.id: v for v in Units(edition, inside=False) if v.kind == "clause"}
        children: dict[str, list[Clause]] = {}
        for clause in clauses:
            if above := views[clause.id].above:
                children.setdefault(above[-1], []).append(clause)
        for index, clause in enumerate(clauses):
            near = [clauses[i] if 0 <= i < len(clauses) else None for i in (index - 1, index + 1)]
            self._clause_page(
                edition, views[clause.id], clause, near, children.get(clause.id, []), xml=clause.id in tei
            )

    def _clause_page(
        self,
        edition: Edition,
        view: UnitView,
        clause: Clause,
        near: list[Clause | None],
        children: list[Clause],
        *,
        xml: bool,
    ) -> None:
        document, pages = edition.document, self._pages
        stem = f"doc/{edition.folder}/{edition.files[clause.id]}"
        cite = citation(document, f"{stem}.html", clause)
        before, after = ({"href": edition.href(c.id), "n": c.n} if c else None for c in near)
        pages.page(
            f"{stem}.html",
            "clause.html",
            meta=document.meta,
            dlang=document.lang,
            mlang=edition.modern or document.lang,
            clause=clause,
            view=view,
            before=before,
            after=after,
            place=edition.place(clause.id),
            above=list(_above(edition, view)),
            children=[
                {"href": edition.href(c.id), "n": c.n, "text": edition.preview(c.id)} for c in children
            ],
            columns=self._columns(edition, clause),
            changes=list(self._changes(edition, clause)),
            refs=edition.refs.get(clause.id, []),
            refs_in=edition.refs_in.get(clause.id, []),
            conditions=edition.conditions_of.get(clause.id, []),
            details={tag.css: self._details(tag) for tag in view.tags},
            facts=list(self._facts(edition, clause)),
            citation=cite,
            files=[
                f"{edition.files[clause.id]}.{kind}" for kind in ("txt", "json", *(["xml"] if xml else []))
            ],
        )
        pages.text(f"{stem}.txt", as_text(edition, clause, cite))
        pages.text(f"{stem}.json", as_json(edition, clause))

    def _columns(self, edition: Edition, clause: Clause) -> list[dict[str, str]]:
        t, lang = self._pages.t, edition.document.lang
        raw = visible(edition.reading(clause, "raw"))
        return [
            {"name": t["layer_raw"], "css": "raw", "lang": lang, "text": raw},
            {
                "name": t["layer_corrected"],
                "css": "corrected",
                "lang": lang,
                "text": visible(edition.plain(clause, "corrected")),
            },
            {
                "name": t["layer_modern"],
                "css": "modern",
                "lang": edition.modern or lang,
                "text": visible(edition.plain(clause, "modern")),
            },
        ]

    def _changes(self, edition: Edition, clause: Clause) -> Iterator[Change]:
        for atom in (a for part in edition.parts(clause) for a in part if a.changed):
            kinds = dict.fromkeys(self._pages.t[f"kind_{e.kind}"] for e in atom.edits)
            by = dict.fromkeys((edition.rule(e.why.by), e.why.by) for e in atom.edits)
            raw, corrected, modern = (visible(x) for x in (atom.raw, atom.corrected, atom.modern))
            sure = atom.confidence
            yield Change(raw, corrected, modern, list(kinds), list(by), sure, sure < DOUBTFUL)

    def _details(self, tag: TagView) -> list[list[str]]:
        """What a tag says besides its concept: each detail as the words it is made of."""
        t = self._pages.t
        found = [[t[f"part_{tag.part}"]]] if f"part_{tag.part}" in t else []
        for key, actor in (("against", tag.against), ("exacted_by", tag.exacted_by)):
            if actor:
                found.append([t[key], self._pages.label("actor", actor)])
        return [*found, [tag.amount]] if tag.amount else found

    def _facts(self, edition: Edition, clause: Clause) -> Iterator[tuple[str, str]]:
        t = self._pages.t
        places = ", ".join(f"{s.start}–{s.end}" for s in clause.spans)
        yield t["number"], clause.n
        yield t["label_in_scan"], visible(clause.label) or t["none"]
        if clause.scheme:
            yield t["scheme"], word(t, "scheme", clause.scheme)
        yield t["by_rule"], f"{clause.why.by}, {clause.why.confidence:.0%}"
        yield t["characters"], f"{edition.document.source.name} {places}"
        for flag in clause.flags:
            yield t["flags"], word(t, "flag", flag)

    def _remember(self, edition: Edition, views: list[UnitView], files: list[File]) -> None:
        document, ordinal = edition.document, self._documents
        base = f"doc/{address(edition.folder)}/"
        meta = document.meta
        row = DocumentRow(
            ordinal, document.id, meta.name, meta.author, meta.date, document.lang, f"{base}index.html",
            len(document.clauses), sum(v.changes for v in views), sum(v.doubtful for v in views),
            len(document.source.text), "\n".join(file.href for file in files), document.source.sha256,
        )  # fmt: skip
        self._spool.add_document(row, Counter(str(e.kind) for e in document.edits))
        self._documents += 1
        for view in views:
            text = " ".join(visible(edition.plain(view.unit, "corrected")).split())
            if not text:
                continue
            number = view.n if view.kind == "clause" else self._pages.t[f"kind_{view.kind}"]
            unit = UnitRow(self._units, ordinal, view.id, number, base + edition.href(view.id), text)
            tags = [(tag.facet, tag.value, "; ".join(tag.words), tag.confidence) for tag in view.tags]
            self._spool.add_unit(unit, tags, site_search.index(edition.parts(view.unit)))
            self._units += 1


def _above(edition: Edition, view: UnitView) -> Iterator[dict[str, str]]:
    """The heading and the clauses a clause stands under, as links."""
    heading = edition.units.get(view.heading)
    if isinstance(heading, Block) and heading.spans:
        yield {"href": edition.href(heading.id), "text": edition.preview(heading.id, 60)}
    for name in view.above:
        yield {"href": edition.href(name), "text": edition.units[name].n}
