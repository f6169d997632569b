"""RO-Crate 1.2: ``ro-crate-metadata.json`` at the top of a build says what every file in it is.

It must be the last output. Nothing in it depends on the clock: ``datePublished`` is the day that
``schemas/publication.toml`` states. Memory holds the names of the files of one folder at a time.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from hoyle import __version__
from hoyle.document import Document
from hoyle.document.citation import make_citation
from hoyle.document.publication import publication_settings
from hoyle.errors import OutputError
from hoyle.tables import data_file, read_table

NAME = "ro-crate-metadata.json"
LATER = "hoyle-build.json"
"""The report of the build, which is written when all outputs are closed."""

PENDING = ".ro-crate-documents"
"""Temporary file of the entities of documents, until all files are there."""

SPECIFICATION = "https://w3id.org/ro/crate/1.2"
FOLDERS = {
    "tei": "Editions in TEI-XML",
    "tables": "Tables in CSV, JSON Lines, Parquet and SQLite",
    "vocabularies": "Vocabularies in SKOS",
    "epub": "Books in EPUB",
    "markdown": "Corrected texts in Markdown",
    "text": "Plain text, a file a layer",
    "conllu": "Tokens in CoNLL-U",
    "spacy": "Tokens and tags for spaCy",
    "site": "Site to read, search and cite, without server",
}

Entity = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """A row of ``schemas/files.tsv``: what files whose path fits ``pattern`` are."""

    pattern: re.Pattern[str]
    type: str
    name: str
    format: str
    format_name: str


_PLACES = {r"\{doc\}": r"(?P<doc>[^/]+)", r"\*\*": ".*", r"\*": "[^/]*"}
_TYPES = {
    "css": "text/css",
    "html": "text/html",
    "js": "text/javascript",
    "json": "application/json",
    "svg": "image/svg+xml",
    "txt": "text/plain",
    "xml": "application/xml",
}
"""Media types by ending, where a row gives none."""


@cache
def kinds() -> tuple[Kind, ...]:
    """The kinds of file, in the order in which they are tried.

    Raises:
        TableError: the table is broken.
    """
    columns = ("type", "name", "format", "format_name")
    rows = read_table(data_file("schemas", "files.tsv"), ["pattern", *columns])
    found = []
    for row in rows:
        pattern = re.escape(row["pattern"])
        for sign, meaning in _PLACES.items():
            pattern = pattern.replace(sign, meaning)
        found.append(Kind(re.compile(pattern), *(row[column] for column in columns)))
    return tuple(found)


class Crate:
    """Writes the description of the build; see :class:`hoyle.outputs.Output`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._documents = folder / PENDING

    def add(self, document: Document) -> None:
        """Keep the description of ``document``.

        Raises:
            OutputError: it cannot be written.
        """
        try:
            with self._documents.open("a", encoding="utf-8", newline="\n") as file:
                for entity in _document(document):
                    file.write(json.dumps(entity) + "\n")
        except OSError as error:
            raise OutputError(f"cannot be written ({error.strerror})", document=PENDING) from error

    def close(self) -> None:
        """Describe every file of the build.

        Raises:
            OutputError: it cannot be written.
        """
        try:
            with (self._folder / NAME).open("w", encoding="utf-8", newline="\n") as out:
                out.write(f'{{"@context": "{SPECIFICATION}/context", "@graph": [\n')
                for number, entity in enumerate(self._entities()):
                    out.write((",\n" if number else "") + json.dumps(entity, ensure_ascii=False))
                out.write("\n]}\n")
            self._documents.unlink(missing_ok=True)
        except OSError as error:
            raise OutputError(f"cannot be written ({error.strerror})", document=NAME) from error

    def _entities(self) -> Iterator[Entity]:
        yield from _about_all()
        yield from self._below("")
        if self._documents.exists():
            with self._documents.open(encoding="utf-8") as file:
                yield from map(json.loads, file)

    def _below(self, path: str) -> Iterator[Entity]:
        """A folder, then what it holds, file by file, in the order of names."""
        names = {entry.name: entry.is_dir() for entry in (self._folder / path).iterdir()}
        if not path:
            names = {name: inside for name, inside in names.items() if name not in (NAME, PENDING)}
            names[LATER] = False
        parts = [f"{path}{name}/" if names[name] else f"{path}{name}" for name in sorted(names)]
        yield _folder(path, parts)
        for part in parts:
            if part.endswith("/"):
                yield from self._below(part)
            else:
                yield self._file(part)

    def _file(self, path: str) -> Entity:
        found = ((kind, kind.pattern.fullmatch(path)) for kind in kinds())
        kind, match = next(((k, m) for k, m in found if m), (None, None))
        ending = path.rpartition(".")[2]
        media = (kind.type if kind else "") or _TYPES.get(ending, "application/octet-stream")
        of = match.groupdict().get("doc") if match else None
        stem = path.split("/", 1)[-1]
        name = kind.name.replace("{doc}", of or "").replace("{name}", stem) if kind else path
        entity: dict[str, Any] = {"@id": quote(path), "@type": "File", "name": name, "encodingFormat": media}
        if kind and kind.format:
            entity["encodingFormat"] = [media, {"@id": kind.format}]
        if of:
            entity["about"] = {"@id": _fragment(of)}
        if path != LATER:
            with (self._folder / path).open("rb") as file:
                entity["sha256"] = hashlib.file_digest(file, "sha256").hexdigest()
                entity["contentSize"] = str(file.tell())
        return entity


def _fragment(document: str) -> str:
    return f"#document-{quote(document)}"


def _about_all() -> Iterator[Entity]:
    """The description itself, the licence, the publisher, the software, the formats."""
    about = publication_settings()
    yield {
        "@id": NAME,
        "@type": "CreativeWork",
        "conformsTo": {"@id": SPECIFICATION},
        "about": {"@id": "./"},
    }
    yield {
        "@id": about.licence_url,
        "@type": "CreativeWork",
        "name": about.licence_name,
        "description": about.licence_description,
    }
    yield {"@id": "#publisher", "@type": "Organization", "name": about.publisher}
    yield {
        "@id": "#hoyle",
        "@type": "SoftwareApplication",
        "name": "Hoyle",
        "softwareVersion": __version__,
    }
    yield {
        "@id": "#build",
        "@type": "CreateAction",
        "name": "hoyle build",
        "instrument": {"@id": "#hoyle"},
        "result": {"@id": "./"},
    }
    formats = {kind.format: kind.format_name for kind in kinds() if kind.format}
    for uri, name in formats.items():
        yield {"@id": uri, "@type": "WebPage", "name": name}


def _folder(path: str, parts: list[str]) -> Entity:
    parts_of = [{"@id": quote(part)} for part in parts]
    if path:
        name = FOLDERS.get(path.rstrip("/"), path)
        return {"@id": quote(path), "@type": "Dataset", "name": name, "hasPart": parts_of}
    about = publication_settings()
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": about.name,
        "description": about.description,
        "datePublished": about.published,
        "inLanguage": about.language,
        "version": __version__,
        "license": {"@id": about.licence_url},
        "author": {"@id": "#publisher"},
        "publisher": {"@id": "#publisher"},
        "mentions": {"@id": "#build"},
        "hasPart": parts_of,
    }


def _document(document: Document) -> Iterator[Entity]:
    """The edition of a document, and the source text it was made of."""
    meta, source, cite = document.meta, document.source, make_citation(document)
    text = f"#source-{quote(document.id)}"
    facts = {
        "author": meta.author,
        "publisher": meta.publisher,
        "temporalCoverage": meta.date,
        "inLanguage": document.lang,
        "license": meta.licence,
    }
    yield {
        "@id": _fragment(document.id),
        "@type": "CreativeWork",
        "name": meta.name,
        "identifier": cite.id,
        "creditText": cite.chicago,
        **{key: value for key, value in facts.items() if value},
        "isBasedOn": {"@id": text},
    }
    yield {
        "@id": text,
        "@type": "CreativeWork",
        "name": source.name,
        "sha256": source.sha256,
        "size": f"{source.size} bytes",
    }
