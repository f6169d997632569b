"""The site: pages to read, compare and cite, without server, script or network.

A folder a document under ``doc/`` (the whole text, and a page a clause with ``.txt``, ``.json``
and, where the TEI was built before, ``.xml`` beside it; the network of its references), indexes
under ``by/`` and ``concordance/``, a search index under ``search/``, downloads under ``files/``.
Every address is relative, so that the folder works wherever it lies.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from hoyle.document import (
    Document,
)
from hoyle.errors import OutputError
from hoyle.outputs.facsimiles import images_of
from hoyle.outputs.site.about import write_about
from hoyle.outputs.site.clause_pages import write_clauses
from hoyle.outputs.site.document import Edition
from hoyle.outputs.site.document_pages import write_document
from hoyle.outputs.site.index import write_indexes, write_timeline
from hoyle.outputs.site.interface import facet_styles
from hoyle.outputs.site.lists import write_concordance
from hoyle.outputs.site.pages import Download, Downloads, FileNames, Pages, address, write_translations
from hoyle.outputs.site.scans import FOLDER as SCANS
from hoyle.outputs.site.search import index_words, write_search
from hoyle.outputs.site.store import DocumentRow, TemporaryStore, UnitRow
from hoyle.outputs.site.text import visible
from hoyle.outputs.site.units import Units, UnitView
from hoyle.tables import data_file


class Site:
    """The output ``site/``; see :class:`hoyle.outputs.Output`.

    Args:
        folder: of the whole build.
    """

    def __init__(self, folder: Path) -> None:
        self._build = folder
        self._downloads = Downloads(folder)
        self._pages = Pages(folder / "site")
        self._store = TemporaryStore()
        self._names = FileNames()
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
        """Write the pages of ``document`` and remember what indexes and search need."""
        images = images_of(self._build, document)
        edition = Edition(document, self._pages, images)
        edition.folder = self._names.assign(document.id)
        units = Units(edition, inside=True)
        views = list(units)
        files = self._downloads.of_document(document.id)
        write_document(edition, views, units.trailing, files)
        write_clauses(edition, self._build / "tei" / f"{document.id}.xml")
        if images:
            self._link_scans(images, self._pages.root / "doc" / edition.folder / SCANS)
        self._remember(edition, views, files)

    def _link_scans(self, images: Mapping[int, Path], folder: Path) -> None:
        """Put the images, the style and the script of the scans where their pages look for them."""
        try:
            for name in ("scans.css", "scans.js"):
                shutil.copyfile(data_file("site", "scans", name), self._pages.root / "assets" / name)
        except OSError as error:
            raise OutputError(f"cannot be written ({error})", document="site/assets") from error
        for path in images.values():
            for one in (path, path.with_name(f"{path.stem}-small{path.suffix}")):
                self._downloads.place(one, folder / one.name)

    def close(self) -> None:
        """Write home page, indexes, search index and all that belongs to the edition as a whole."""
        self._store.index()
        for write in (write_indexes, write_concordance, write_timeline, write_search):
            write(self._store, self._pages)
        write_about(self._store, self._pages, self._downloads.of_build())
        write_translations(self._pages)
        self._store.close()

    def _remember(self, edition: Edition, views: list[UnitView], files: list[Download]) -> None:
        document, ordinal = edition.document, self._documents
        base = f"doc/{address(edition.folder)}/"
        meta = document.meta
        row = DocumentRow(
            ordinal, document.id, meta.name, meta.author, meta.date, document.lang, f"{base}index.html",
            len(document.clauses), sum(v.changes for v in views), sum(v.doubtful for v in views),
            len(document.source.text), "\n".join(file.href for file in files), document.source.sha256,
        )  # fmt: skip
        self._store.add_document(row, Counter(str(e.kind) for e in document.edits))
        self._documents += 1
        for view in views:
            text = " ".join(visible(edition.plain(view.unit, "corrected")).split())
            if not text:
                continue
            number = view.n if view.kind == "clause" else self._pages.t[f"kind_{view.kind}"]
            unit = UnitRow(self._units, ordinal, view.id, number, base + edition.href(view.id), text)
            tags = [(tag.facet, tag.value, "; ".join(tag.words), tag.confidence) for tag in view.tags]
            self._store.add_unit(unit, tags, index_words(edition.parts(view.unit)))
            self._units += 1
