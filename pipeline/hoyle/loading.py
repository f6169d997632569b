"""Sources: what a SOURCE on the command line stands for, and the document that is read from it.

The only module that reads ``seeds/``, ``corpus/`` and the user's own files.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from hoyle.document import (
    PLACES,
    Block,
    Document,
    Evidence,
    Finding,
    Fragment,
    Item,
    Meta,
    Source,
    Span,
)
from hoyle.editorial import decisions
from hoyle.errors import SourceError, TableError
from hoyle.inputs import TEI as TEI_INPUT
from hoyle.inputs import suffixes
from hoyle.inputs.files import format_of_xml, read_bytes, read_file, stem
from hoyle.inputs.folder import Contents, Skipped, contents
from hoyle.inputs.joining import joined
from hoyle.inputs.natural_order import natural
from hoyle.inputs.placing import placed
from hoyle.inputs.text import MAX_BYTES, DecodedText, check_size
from hoyle.settings import Settings, check_language, line_of, meta_of, read_settings
from hoyle.tables import read_toml

_ORDER_CONFIDENCE = 0.98
"""Probability that the places of words tell the order of a column rightly."""
TEI_SUFFIX = ".xml"
SETTINGS = "meta.toml"
"""The file that describes a document."""
EDITION = "edition"
"""The folder of a corpus document that holds its published TEI."""


@dataclass(frozen=True, slots=True)
class Request:
    """One document to be read.

    Attributes:
        path: its file, or the folder of its files.
        settings: its ``meta.toml``, where there is one.
        lang: tag of its language; that of the settings, or detected, if empty.
        encoding: of its text files; that of the settings, or told by what they hold, if empty.
        max_bytes: refuse a larger text.
        pages: the files that are the document together, in their order; empty if it is one file.
        edition: whether the file is taken for a TEI edition, whatever it holds.
    """

    path: Path
    settings: Path | None = None
    lang: str = ""
    encoding: str = ""
    max_bytes: int = MAX_BYTES
    pages: tuple[Path, ...] = ()
    edition: bool = False

    @property
    def is_tei(self) -> bool:
        """Whether it is an edition already: a TEI file, which holds source, description and layers."""
        return self.edition or (
            self.settings is None and not self.pages and format_of_xml(self.path) is TEI_INPUT
        )

    @property
    def name(self) -> str:
        """What to call it in messages before anything is read."""
        return self.settings.parent.name if self.settings else str(self.path)


class Found(NamedTuple):
    """The documents that a source stands for, and the files of a folder that are in none of them."""

    requests: tuple[Request, ...]
    skipped: tuple[Skipped, ...] = ()


def requests(
    source: str, root: Path, *, lang: str = "", encoding: str = "", max_bytes: int = MAX_BYTES
) -> Iterator[Request]:
    """See :func:`find`; only the documents."""
    yield from find(source, root, lang=lang, encoding=encoding, max_bytes=max_bytes).requests


def find(
    source: str,
    root: Path,
    *,
    as_one: bool = False,
    lang: str = "",
    encoding: str = "",
    max_bytes: int = MAX_BYTES,
) -> Found:
    """What a SOURCE on the command line stands for.

    Args:
        source: id of a document in ``root/corpus``, a folder, or a file.
        root: the folder that holds ``corpus/`` and ``seeds/``.
        as_one: whether the files of a folder are the pages of one document.
        lang: tag of the language of documents without ``meta.toml``; detected if empty.
        encoding: of text files without ``meta.toml``; detected if empty.
        max_bytes: refuse larger texts.

    Raises:
        SourceError: if it is none of these, or a folder without any document.
    """
    bare = Request(Path(source), None, lang, encoding, max_bytes)
    path = bare.path
    settings = root / "corpus" / source / "meta.toml"
    if "/" not in source and settings.is_file():
        return _described(Request(path, settings))
    if path.is_file():
        beside = path.parent / "meta.toml"
        mine = beside.is_file() and read_toml(beside).get("file") == path.name
        return Found((Request(path, beside) if mine else bare,))
    if path.is_dir():
        found = _folder(path, bare, as_one=as_one)
        if not found.requests:
            known = ", ".join(suffixes())
            raise SourceError(f"no text here (looked for meta.toml and {known})", document=source)
        return found
    ids = ", ".join(sorted(p.parent.name for p in root.glob("corpus/*/meta.toml"))) or "none here"
    message = f"no such file, folder or corpus document (corpus documents: {ids})"
    raise SourceError(message, document=source)


def _folder(folder: Path, bare: Request, *, as_one: bool) -> Found:
    """The documents of a folder: it is one itself, its files are, and its subfolders with ``meta.toml``."""
    if (folder / SETTINGS).is_file():
        return _described(Request(folder, folder / SETTINGS))
    found = contents(folder, walk=as_one)
    if as_one:
        return Found((replace(bare, pages=found.files),) if found.files else (), found.skipped)
    wanted = [replace(bare, path=path) for path in found.files]
    skipped = list(found.skipped)
    for path in folder.iterdir():
        if (path / SETTINGS).is_file():
            inner = _described(Request(path, path / SETTINGS))
            wanted += inner.requests
            skipped += inner.skipped
        elif path.is_dir() and path not in found.files and not path.name.startswith("."):
            skipped.append(Skipped(path, "is a folder; name it, or give --as-one if it holds pages"))
    return Found(tuple(sorted(wanted, key=lambda one: natural(one.path))), tuple(skipped))


def _described(request: Request) -> Found:
    """A document with ``meta.toml``; without ``file`` there, the files of its folder are its pages."""
    if request.settings is None or "file" in read_toml(request.settings):
        return Found((request,))
    found = _pages(request.settings)
    return Found((replace(request, pages=found.files),), found.skipped)


def _pages(settings: Path) -> Contents:
    return contents(settings.parent, walk=True)


def corpus(root: Path) -> Iterator[Request]:
    """Every document of ``root/corpus``, in the order of their ids.

    Raises:
        SourceError: if there is no corpus in ``root``.
    """
    found = sorted(root.glob("corpus/*/meta.toml"))
    if not found:
        raise SourceError(
            "no corpus/*/meta.toml here; name a text file, or run hoyle in the folder that holds corpus/",
            document=str(root),
        )
    for settings in found:
        yield Request(settings.parent, settings)


def editions(sources: Sequence[str], root: Path) -> Iterator[Request]:
    """The TEI files that SOURCES stand for.

    Args:
        sources: files and folders; without any, the published editions of the corpus.
        root: the folder that holds ``corpus/``.

    Raises:
        SourceError: no such file, or none in a folder.
    """
    paths = [Path(source) for source in sources] or sorted(root.glob(f"corpus/*/{EDITION}"))
    if not paths:
        raise SourceError("no corpus/*/edition here; name TEI files or their folder", document=str(root))
    for path in paths:
        found = sorted(path.glob(f"*{TEI_SUFFIX}")) if path.is_dir() else [path]
        if not found or not all(p.is_file() and p.suffix.lower() == TEI_SUFFIX for p in found):
            raise SourceError(f"no TEI file (*{TEI_SUFFIX}) there", document=str(path))
        yield from (Request(one, edition=True) for one in found)


def load(request: Request, root: Path) -> Document:
    """Read a document: its source, meta, decisions, and an ``input`` layer of doubts about the file.

    Args:
        request: the document to read.
        root: the folder that holds ``corpus/`` and ``seeds/``.

    Raises:
        HoyleError: see :func:`load_with_places`.
    """
    return load_with_places(request, root)[0]


def load_with_places(request: Request, root: Path) -> tuple[Document, DecodedText]:
    """Read a document, and give what was read of its files with it: pages and the places of words.

    Args:
        request: the document to read.
        root: the folder that holds ``corpus/`` and ``seeds/``.

    Raises:
        HoyleError: unreadable or broken file, wrong checksum, unknown language, bad id.
    """
    settings = request.settings
    known = read_settings(settings) if settings else Settings()
    files = files_of(request, root)
    folder = settings.parent if settings else request.path
    pages = files if request.pages or (settings and not known.file) else ()
    path = folder if pages else files[0]
    ident = settings.parent.name if settings else slug(path.name if pages else stem(path))
    meta = _decided(meta_of(known, ident=ident, file=path.name, lang=request.lang), request)
    sums, reads = _read(files, request, request.encoding or known.encoding)
    read = joined(reads) if pages else reads[0]
    check_size(len(read.text), name=request.name, max_bytes=request.max_bytes)
    sha256 = sums[0] if not pages else hashlib.sha256(_listing(pages, sums, path).encode()).hexdigest()
    if meta.sha256 and meta.sha256 != sha256:
        message = (
            f"{path.name} has the sha256 {sha256}, meta.toml says {meta.sha256}; "
            "restore the file, or put the new sum there if the change is meant"
        )
        raise SourceError(message, document=meta.id)
    name, data = path.name, read.text.encode(read.encoding)
    if read.extracted:
        # The text stands for itself then; the file it was made of is named by its checksum.
        many = f"{len(pages)} files of {path.name}" if pages else path.name
        made = f"text made of {many}, sha256 {sha256}"
        meta = replace(meta, origin=f"{meta.origin}; {made}" if meta.origin else made)
        name, sha256 = f"{path.name}.txt", hashlib.sha256(data).hexdigest()
    for excerpt in meta.excerpts:
        if not 0 <= excerpt.at < len(read.text):
            message = f"an excerpt begins at {excerpt.at}, but the text has {len(read.text)} characters"
            raise TableError(message, document=line_of(settings, "excerpts"))
    beside = _home(request, files)
    read = placed(read, list(zip(files, reads, strict=True)), beside, listed=bool(pages or settings))
    source = Source(meta.id, name, read.text, sha256, len(data), read.encoding, str(beside.resolve()))
    document = Document(source, meta).with_layer("input", _items(meta.id, read))
    return (document.with_layer(PLACES, read.pages) if read.pages else document), read


def _home(request: Request, files: Sequence[Path]) -> Path:
    """The folder to which the images of pages are relative: of a book, its own; else that of the file."""
    if request.pages or (request.settings and not read_settings(request.settings).file):
        return request.settings.parent if request.settings else request.path
    return files[0].parent


def at_home(document: Document, request: Request, root: Path) -> Document:
    """A document that was made of equal files elsewhere, with the folder of these ones for its images.

    Args:
        document: the document.
        request: what it was asked for as.
        root: the folder that holds ``corpus/`` and ``seeds/``.
    """
    folder = str(_home(request, files_of(request, root)).resolve())
    return replace(document, source=replace(document.source, folder=folder))


def files_of(request: Request, root: Path) -> tuple[Path, ...]:
    """The files of a document that are read.

    Args:
        request: the document.
        root: the folder that holds ``corpus/`` and ``seeds/``.

    Raises:
        HoyleError: its ``meta.toml`` is broken or names no file that is there.
    """
    if request.pages or not request.settings:
        return request.pages or (request.path,)
    named = read_settings(request.settings).file
    pages = () if named else _pages(request.settings).files
    return pages or (_text_file(request, named, root),)


def _read(paths: Sequence[Path], request: Request, encoding: str) -> tuple[list[str], list[DecodedText]]:
    """The checksums of the files, and what was read of each."""
    sums, reads = [], []
    for path in paths:
        data = read_bytes(path, request.max_bytes)
        sums.append(hashlib.sha256(data).hexdigest())
        reads.append(read_file(path, data, encoding=encoding, max_bytes=request.max_bytes))
    return sums, reads


def _listing(pages: Sequence[Path], sums: Sequence[str], folder: Path) -> str:
    """The checksums as ``sha256sum`` lists them; a book of many files has the checksum of this list."""
    names = [
        page.relative_to(folder).as_posix() if page.is_relative_to(folder) else page.name for page in pages
    ]
    return "".join(f"{digest}  {name}\n" for digest, name in zip(sums, names, strict=True))


def from_text(text: str, *, lang: str = "", document: str = "text") -> Document:
    """A document made of a string.

    Args:
        text: the text.
        lang: tag of its language; detected if empty.
        document: the id of the document.

    Raises:
        HoyleError: the language is unknown.
    """
    data = text.encode("utf-8", "surrogatepass")
    source = Source(document, f"{document}.txt", text, hashlib.sha256(data).hexdigest(), len(data))
    check_language(lang, document)
    return Document(source, Meta(id=document, lang=lang))


def _items(document: str, read: DecodedText) -> Iterator[Item]:
    """Doubts about the file, the order its geometry shows, and the rules between its columns."""
    by = Evidence("inputs/text", 1.0)
    for message, at in read.doubts:
        yield Finding("input", message, by, Span(at, at + 1), doubt=True)
    for span, column, reader in read.flow:
        yield Fragment(span, column, Evidence(f"{reader}: places of the words", _ORDER_CONFIDENCE))
    for n, span in enumerate(read.rules, 1):
        yield Block(f"{document}.cr{n}", "separator", (span,), Evidence("inputs/geometry", _ORDER_CONFIDENCE))


def _text_file(request: Request, name: str, root: Path) -> Path:
    if not request.settings:
        return request.path
    where = line_of(request.settings, "file")
    if not name or Path(name).name != name:
        message = f"file must name a file in the document's folder or in seeds/, not {name!r}"
        raise TableError(message, document=where)
    places = [request.settings.parent, root / "seeds"]
    for folder in places:
        if (folder / name).is_file():
            return folder / name
    raise TableError(f"file {name!r} is neither in {places[0]} nor in {places[1]}", document=where)


def _decided(meta: Meta, request: Request) -> Meta:
    """``meta`` with the editors' decisions that lie beside ``meta.toml``."""
    if not request.settings:
        return meta
    found = decisions.read_decisions(request.settings.with_name(decisions.FILE))
    return replace(meta, decisions=found, editors=tuple(dict.fromkeys(r.editor for r in found)))


def slug(name: str) -> str:
    """A document id made of a file name: letters, digits and hyphens, a letter first."""
    words = re.findall(r"\w+", unicodedata.normalize("NFC", name).replace("_", " "))
    ident = "-".join(words).lower() or "document"
    return ident if ident[0].isalpha() else f"d{ident}"
