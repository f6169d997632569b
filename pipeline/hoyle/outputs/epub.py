"""EPUB 3: a book a document, as it was printed and in modern spelling, clause by clause.

The anchor of a clause is its ``xml:id`` in the TEI. Nothing in the file depends on the clock:
its date is that of ``schemas/publication.toml``, its entries are dated 1980, its identifier is
made of the document's.
"""

from __future__ import annotations

import io
import uuid
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import quote

import jinja2

from hoyle import __version__
from hoyle.document import Block, Clause, Document, Layer, Unit
from hoyle.document.citation import citable_id, make_citation
from hoyle.document.publication import publication_settings
from hoyle.languages import languages
from hoyle.outputs.book_text import Paragraph, Passages
from hoyle.outputs.files import DocumentFiles, Files
from hoyle.outputs.site.text import visible
from hoyle.tables import data_file
from hoyle.tei.names import xml_id


class Epub(DocumentFiles):
    """Writes ``epub/<document id>.epub``; see :class:`hoyle.outputs.Output`."""

    subfolder = "epub"

    @staticmethod
    def files(document: Document) -> Files:
        """See :meth:`DocumentFiles.files`."""
        return {".epub": epub(document)}


@dataclass(frozen=True, slots=True)
class Chapter:
    """A file of the book: under a heading, or a series of clauses, or the whole text."""

    name: str
    title: str
    units: tuple[Unit, ...]

    @property
    def headed(self) -> bool:
        """Whether its text begins with a heading of its own."""
        first = self.units[0]
        return isinstance(first, Block) and first.kind == "heading"


@dataclass(frozen=True)
class BookLayer:
    """The whole text in one layer: the chapters, and which of them holds a unit."""

    layer: Layer
    name: str
    lang: str
    chapters: Sequence[Chapter]
    files: Mapping[str, str] = field(default_factory=dict)

    def href(self, unit: str) -> str:
        """The address of a unit in the book."""
        return f"{self.files[unit]}.xhtml#{quote(xml_id(unit))}"


@dataclass(frozen=True, slots=True)
class UnitView:
    """A unit ready for the template; ``other`` leads to its other reading."""

    kind: str
    anchor: str
    paragraphs: list[Paragraph]
    start_lost: bool
    end_lost: bool
    other: str


def epub(document: Document) -> bytes:
    """Make ``document`` an EPUB 3 file."""
    passages = Passages(document)
    groups = list(_groups(document.units))
    readings = [_reading(passages, groups, "corrected", "As printed", document.lang, "c")]
    if any(edit.kind == "regularise" for edit in document.edits):
        readings.append(_reading(passages, groups, "modern", "Modern spelling", _modern(document.lang), "m"))
    base = publication_settings().base
    shared = {
        "about": publication_settings(),
        "citation": make_citation(document),
        "example": next((clause.id for clause in document.clauses), document.id),
        "lang": document.lang,
        "meta": document.meta,
        "readings": readings,
        "source": document.source,
        "title": " ".join(document.meta.name.split()) or document.id,
        "uid": uuid.uuid5(uuid.NAMESPACE_URL, base + citable_id(document)).urn,
        "version": __version__,
    }
    files = {"META-INF/container.xml": _render("container.xml", {})}
    for name in ("package.opf", "nav.xhtml", "style.css", "title.xhtml"):
        files[f"EPUB/{name}"] = _render(name, shared)
    for number, reading in enumerate(readings):
        other = readings[1 - number] if len(readings) > 1 else None
        for chapter in reading.chapters:
            values = {
                "reading": reading,
                "chapter": chapter,
                "other": other.name if other else "",
                "units": [_view(passages, unit, reading, other) for unit in chapter.units],
            }
            files[f"EPUB/{chapter.name}.xhtml"] = _render("chapter.xhtml", values)
    return _zip(files)


def _modern(tag: str) -> str:
    return languages()[tag].modern if tag in languages() else tag


def _groups(units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """The units, divided before each heading and where the numbering starts again."""
    group: list[Unit] = []
    series = 1
    for unit in units:
        heads = isinstance(unit, Block) and unit.kind == "heading" and not all(map(_heads, group))
        again = isinstance(unit, Clause) and unit.series != series
        if isinstance(unit, Clause):
            series = unit.series
        if group and (heads or again):
            keep = len(group)
            while keep and (_heads(group[keep - 1]) or _captions(group[keep - 1])):
                keep -= 1
            if keep:
                yield group[:keep]
                group = group[keep:]
        group.append(unit)
    if group:
        yield group


def _heads(unit: Unit) -> bool:
    return isinstance(unit, Block) and unit.kind == "heading"


def _captions(unit: Unit) -> bool:
    return isinstance(unit, Block) and unit.kind == "caption"


def _reading(
    passages: Passages, groups: Sequence[Sequence[Unit]], layer: Layer, name: str, lang: str, prefix: str
) -> BookLayer:
    digits = len(str(len(groups)))
    chapters = [
        Chapter(f"{prefix}{number:0{digits}}", _title(passages, group, layer, len(groups)), tuple(group))
        for number, group in enumerate(groups, 1)
    ]
    return BookLayer(layer, name, lang, chapters, {u.id: c.name for c in chapters for u in c.units})


def _title(passages: Passages, group: Sequence[Unit], layer: Layer, of: int) -> str:
    """The headings (or caption) a chapter begins with; else the title of the whole, and the clauses."""
    first: list[str] = []
    for unit in group:
        if not (_heads(unit) or (_captions(unit) and not first)):
            break
        first.append(passages.line(unit, layer))
    if title := " ".join(" ".join(first).split()):
        return title
    title = " ".join(passages.document.meta.name.split()) or passages.document.id
    numbers = [unit.n for unit in group if isinstance(unit, Clause)]
    if of == 1 or not numbers:
        return title
    return f"{title}, {'–'.join(dict.fromkeys([numbers[0], numbers[-1]]))}"


def _view(passages: Passages, unit: Unit, reading: BookLayer, other: BookLayer | None) -> UnitView:
    cut = unit.incomplete if isinstance(unit, Clause) else ""
    clause = isinstance(unit, Clause)
    return UnitView(
        "clause" if isinstance(unit, Clause) else unit.kind,
        xml_id(unit.id),
        passages.paragraphs(unit, reading.layer),
        cut in ("start", "both"),
        cut in ("end", "both"),
        other.href(unit.id) if other and clause else "",
    )


@cache
def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(data_file("site", "templates", "epub")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )


def _render(template: str, values: Mapping[str, object]) -> bytes:
    return _templates().get_template(template).render(values).encode()


def _zip(files: Mapping[str, bytes]) -> bytes:
    """The files as a container (OCF): the media type first and not compressed, every date 1980-01-01."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in {"mimetype": b"application/epub+zip", **files}.items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            info.create_system = 3  # Unix, wherever it is built
            info.external_attr = 0o100644 << 16
            archive.writestr(info, data)
    return out.getvalue()
