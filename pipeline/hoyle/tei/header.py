"""The TEI header (TEI P5, 2): the source, the responsibilities, and the encoding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any
from urllib.parse import quote

from lxml import etree

from hoyle import __version__
from hoyle.document import DECISIONS, Document, Span
from hoyle.document.citation import make_citation
from hoyle.document.publication import publication_settings
from hoyle.facets import facets, vocabularies
from hoyle.languages import languages
from hoyle.tables import Concept, data_file, read_toml
from hoyle.tei.names import LANG, concept_id, format_number, layer_id, raw_pointer, tei
from hoyle.tei.xml_text import XmlWriter, set_attributes, write_text


@cache
def header_texts() -> Mapping[str, Any]:
    """Read the prose of the header: ``schemas/tei.toml``."""
    return read_toml(data_file("schemas", "tei.toml"))


class HeaderWriter:
    """Writes the ``teiHeader`` of a document into ``root``.

    Args:
        document: the document.
        root: the parent element.
    """

    def __init__(self, document: Document, root: etree._Element) -> None:
        self._document = document
        self._source = document.source
        self._meta = document.meta
        self._header = XmlWriter(XmlWriter(root).add("teiHeader"))

    def write(self) -> None:
        """Write the element."""
        file = XmlWriter(self._header.add("fileDesc"))
        self._title(XmlWriter(file.add("titleStmt")))
        self._publication(XmlWriter(file.add("publicationStmt")))
        self._notes(XmlWriter(file.add("notesStmt")))
        self._sources(XmlWriter(file.add("sourceDesc")))
        self._encoding(XmlWriter(self._header.add("encodingDesc")))
        self._profile(XmlWriter(self._header.add("profileDesc")))
        change = XmlWriter(self._header.add("revisionDesc")).add("change", who="#hoyle")
        change.text = f"Made by Hoyle {__version__} from the source file with sha256 {self._source.sha256}."
        _break_lines(self._header.parent)

    def _title(self, title: XmlWriter) -> None:
        write_text(title.add("title"), self._meta.name)
        if self._meta.author:
            write_text(title.add("author"), self._meta.author)
        for layer in self._document.layers:
            editors = self._meta.editors if layer == DECISIONS else ()
            if layer == DECISIONS and not (editors or self._document.layers[layer]):
                continue  # there are no decisions
            statement = XmlWriter(title.add("respStmt", id_=layer_id(layer)))
            task = header_texts()["layers"].get(layer, layer)
            write_text(statement.add("resp"), task.replace("{vocabularies}", ", ".join(vocabularies())))
            for editor in editors:
                write_text(statement.add("name"), editor)
            if not editors:
                statement.add("name", type="software", ref="#hoyle").text = "Hoyle"

    def _publication(self, statement: XmlWriter) -> None:
        edition = publication_settings()
        statement.add("publisher").text = edition.publisher
        statement.add("date", when=edition.published)
        write_text(statement.add("idno", type="hoyle"), self._document.id)
        availability = XmlWriter(statement.add("availability"))
        licence = availability.add("licence", target=edition.licence_url)
        licence.text = f"{edition.licence_name}. {edition.licence_description}"
        if self._meta.licence:
            write_text(availability.add("licence", n="source"), self._meta.licence)

    def _notes(self, notes: XmlWriter) -> None:
        for note in self._meta.notes:
            write_text(notes.add("note", type="editor"), note)
        for kind, note in (("date", self._meta.date_note), ("origin", self._meta.origin)):
            if note:
                write_text(notes.add("note", type=kind), note)
        for excerpt in self._meta.excerpts:
            made = notes.add("note", type="excerpt", n=format_number(excerpt.number))
            write_text(made, excerpt.note).set("target", raw_pointer(Span(excerpt.at, excerpt.at)))
        if self._meta.iiif:
            notes.add("relatedItem", type="iiif", target=self._meta.iiif)
        write_text(notes.add("note", type="citation"), make_citation(self._document).chicago)

    def _sources(self, sources: XmlWriter) -> None:
        file = XmlWriter(sources.add("bibl", type="file"))
        write_text(file.add("idno", type="file"), self._source.name)
        write_text(file.add("idno", type="sha256"), self._source.sha256)
        write_text(file.add("idno", type="encoding"), self._source.encoding)
        extent = XmlWriter(file.add("extent"))
        for unit, size in (("byte", self._source.size), ("character", len(self._source.text))):
            extent.add("measure", unit=unit, quantity=str(size))
        title = "" if self._meta.title == self._document.id else self._meta.title
        parts = [("title", title)] + [
            (name, getattr(self._meta, name)) for name in ("author", "publisher", "date")
        ]
        if any(value for _, value in parts):
            book = XmlWriter(sources.add("bibl", type="print"))
            for name, value in parts:
                if value:
                    write_text(book.add(name), value)

    def _encoding(self, encoding: XmlWriter) -> None:
        application = XmlWriter(
            XmlWriter(encoding.add("appInfo")).add(
                "application", id_="hoyle", ident="hoyle", version=__version__
            )
        )
        application.add("label").text = f"Hoyle {__version__}"
        declaration = XmlWriter(encoding.add("editorialDecl"))
        for name, text in header_texts()["editorial"].items():
            XmlWriter(declaration.add(name)).add("p").text = " ".join(text.split())
        prefixes = XmlWriter(encoding.add("listPrefixDef"))
        for name, prefix in header_texts()["prefixes"].items():
            replacement = prefix["replacement"].replace("{file}", quote(self._source.name))
            made = prefixes.add(
                "prefixDef", ident=name, matchPattern=prefix["pattern"], replacementPattern=replacement
            )
            XmlWriter(made).add("p").text = prefix["means"]
        citing = XmlWriter(encoding.add("refsDecl"))
        citing.add("citeStructure", unit="clause", match="//tei:div[@type='clause']", use="@xml:id")
        used = concepts_used(self._document)
        if any(used.values()):
            classes = XmlWriter(encoding.add("classDecl"))
            for facet, concepts in used.items():
                if concepts:
                    _taxonomy(
                        XmlWriter(
                            classes.add("taxonomy", id_=facet, corresp=publication_settings().base + facet)
                        ),
                        facet,
                        concepts,
                    )

    def _profile(self, profile: XmlWriter) -> None:
        lang = self._document.lang
        made = XmlWriter(profile.add("langUsage")).add(
            "language", ident=lang, n="given" if self._meta.lang else "detected"
        )
        write_text(made, languages()[lang].name if lang in languages() else lang)
        classes = XmlWriter(profile.add("textClass"))
        if self._meta.games:
            games = " ".join("#" + concept_id("game", game) for game in self._meta.games)
            classes.add("catRef", scheme="#game", target=games)
        keywords = XmlWriter(classes.add("keywords", scheme="hoyle:numbering"))
        for scheme in self._meta.numbering or ("",):
            write_text(keywords.add("term"), scheme)


def concepts_used(document: Document) -> dict[str, dict[str, Concept]]:
    """Return the concepts that tags and metadata of a document name, with their broader concepts.

    Returns:
        For each facet the concepts by id, in the order of the vocabulary.
    """
    named: dict[str, set[str]] = {facet: set() for facet in facets()}
    named["game"].update(document.meta.games)
    for tag in document.tags:
        named[tag.facet].add(tag.value)
        named["actor"].update((tag.against, tag.exacted_by))
    return {facet: _with_broader(facets()[facet].concepts, values) for facet, values in named.items()}


def _with_broader(concepts: Mapping[str, Concept], named: Iterable[str]) -> dict[str, Concept]:
    kept: set[str] = set()
    for name in named:
        above = name
        while above in concepts and above not in kept:
            kept.add(above)
            above = concepts[above].broader
    return {name: concept for name, concept in concepts.items() if name in kept}


def _taxonomy(taxonomy: XmlWriter, facet: str, concepts: Mapping[str, Concept]) -> None:
    made = {name: taxonomy.add("category", id_=concept_id(facet, name)) for name in concepts}
    for name, category in made.items():
        for lang, label in concepts[name].labels.items():
            set_attributes(write_text(XmlWriter(category).add("catDesc"), label), **{LANG: lang})
    for name, category in made.items():
        made.get(concepts[name].broader, taxonomy.parent).append(category)


def _break_lines(header: etree._Element) -> None:
    """Put each element with text, and each concept, on a line."""
    for element in header.iter():
        if len(element) and not element.text and element[0].tag not in (tei("lb"), tei("g"), tei("catDesc")):
            element.text = "\n"
            for child in element:
                child.tail = "\n"
        elif element.tag == tei("category"):
            for child in element.iterchildren(tei("category")):
                child.tail = "\n"
                before = child.getprevious()
                if before is not None:
                    before.tail = "\n"
