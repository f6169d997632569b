"""Reads the header of a TEI file: the source and the layers of the edition."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from hoyle.document import DECISIONS, Excerpt, Meta, Source
from hoyle.errors import SourceError
from hoyle.tei.names import ID, layer_id, parse_concept_id, parse_number, parse_raw_pointer, parse_xml_id, tei
from hoyle.tei.xml_text import read_text


@dataclass(frozen=True)
class HeaderData:
    """The content of a TEI header.

    Attributes:
        element: the ``teiHeader``.
        id: the id of the document.
        layers: the names of the layers, in the order of the stages.
        file, sha256, encoding, size: name, checksum, encoding and size (bytes) of the source file.
    """

    element: etree._Element
    id: str
    layers: tuple[str, ...]
    file: str
    sha256: str
    encoding: str
    size: int

    def source(self, text: str) -> Source:
        """Return the source with this text."""
        return Source(self.id, self.file, text, self.sha256, self.size, self.encoding)

    def meta(self, source: Source) -> Meta:
        """Return the metadata of the document."""
        language = self.element.find(".//{*}langUsage/{*}language")
        games = self.element.find(".//{*}catRef")
        title = self._first(".//{*}titleStmt/{*}title")
        return Meta(
            id=self.id,
            title="" if title == self.id else title,
            lang=language.get("ident", "") if language is not None and language.get("n") == "given" else "",
            date=self._first(".//{*}bibl[@type='print']/{*}date"),
            date_note=self._first(".//{*}notesStmt/{*}note[@type='date']"),
            author=self._first(".//{*}titleStmt/{*}author"),
            publisher=self._first(".//{*}bibl[@type='print']/{*}publisher"),
            licence=self._first(".//{*}licence[@n='source']"),
            file=source.name,
            sha256=source.sha256,
            numbering=tuple(n for n in self._all(".//{*}keywords[@scheme='hoyle:numbering']/{*}term") if n),
            games=tuple(
                parse_concept_id(g[1:])[1]
                for g in (games.get("target", "") if games is not None else "").split()
            ),
            notes=tuple(self._all(".//{*}notesStmt/{*}note[@type='editor']")),
            excerpts=tuple(self._excerpt(n) for n in self.element.iterfind(".//{*}note[@type='excerpt']")),
            editors=tuple(self._all(f".//{{*}}respStmt[@{ID}='{layer_id(DECISIONS)}']/{{*}}name")),
            iiif=self._manifest(),
            origin=self._first(".//{*}notesStmt/{*}note[@type='origin']"),
        )

    def _manifest(self) -> str:
        link = self.element.find(".//{*}notesStmt/{*}relatedItem[@type='iiif']")
        return "" if link is None else link.get("target", "")

    def _all(self, path: str) -> list[str]:
        return [read_text(found) for found in self.element.iterfind(path)]

    def _first(self, path: str) -> str:
        return next(iter(self._all(path)), "")

    @staticmethod
    def _excerpt(note: etree._Element) -> Excerpt:
        span = parse_raw_pointer(note.get("target", ""))
        return Excerpt(span.start if span else 0, parse_number(note.get("n")), read_text(note))


def parse_header(root: etree._Element, *, name: str) -> HeaderData:
    """Read the header of a TEI file.

    Args:
        root: the root element.
        name: the name of the file, for messages.

    Returns:
        The content of the header.

    Raises:
        SourceError: checksum, size or encoding of the source are missing.
    """
    header = root.find(tei("teiHeader"))
    facts: dict[str, str] = {}
    for wanted in ("file", "sha256", "encoding"):
        found = (
            None if header is None else header.find(f".//{{*}}bibl[@type='file']/{{*}}idno[@type='{wanted}']")
        )
        if found is None:
            raise SourceError(
                f"its header lacks the {wanted} of the source (sourceDesc/bibl/idno)", document=name
            )
        facts[wanted] = read_text(found)
    size = (
        None if header is None else header.find(".//{*}bibl[@type='file']/{*}extent/{*}measure[@unit='byte']")
    )
    quantity = "" if size is None else size.get("quantity", "")
    if header is None or not re.fullmatch("[0-9]{1,15}", quantity):
        raise SourceError("its header lacks the size of the source in bytes (extent/measure)", document=name)
    layers = tuple(
        parse_concept_id(statement.get(ID, ""))[1]
        for statement in header.iterfind(".//{*}titleStmt/{*}respStmt")
        if statement.get(ID, "").startswith("hoyle.")
    )
    return HeaderData(header, parse_xml_id(root.get(ID, "")), layers, size=int(quantity), **facts)
