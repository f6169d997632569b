"""The only file input and output on ``seeds/`` and ``corpus/``, and on the user's own sources."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hoyle.document import Block, Document, Evidence, Finding, Fragment, Item, Meta, Source, Span
from hoyle.editorial import decisions
from hoyle.errors import SourceError, TableError
from hoyle.inputs import MARKUP, TEXT, Input, input_of, inputs, is_source, page_suffixes
from hoyle.inputs.sidecar import align_reading_order
from hoyle.inputs.text import MAX_BYTES, DecodedText
from hoyle.settings import Settings, check_language, line_of, meta_of, read_settings
from hoyle.tables import read_toml

_ORDER_CONFIDENCE = 0.98
"""Probability that the places of words tell the order of a column rightly."""
TEI = ".xml"
"""The suffix of TEI files."""
EDITION = "edition"
"""The folder of a corpus document that holds its published TEI."""


@dataclass(frozen=True, slots=True)
class Request:
    """One document to be read: its text file and, where there is one, its ``meta.toml``."""

    path: Path
    settings: Path | None = None
    lang: str = ""
    encoding: str = ""
    max_bytes: int = MAX_BYTES

    @property
    def is_tei(self) -> bool:
        """Whether it is an edition already: a TEI file, which holds source, description and layers."""
        return self.settings is None and self.path.suffix.lower() == TEI and _format(self.path) is MARKUP

    @property
    def name(self) -> str:
        """What to call it in messages before anything is read."""
        return self.settings.parent.name if self.settings else str(self.path)


def requests(
    source: str, root: Path, *, lang: str = "", encoding: str = "", max_bytes: int = MAX_BYTES
) -> Iterator[Request]:
    """What a SOURCE on the command line stands for.

    Args:
        source: id of a document in ``root/corpus``, a folder, or a text file.
        root: the folder that holds ``corpus/`` and ``seeds/``.
        lang: tag of the language of documents without ``meta.toml``; detected if empty.
        encoding: of text files without ``meta.toml``; told by what they hold if empty.
        max_bytes: refuse larger files.

    Raises:
        SourceError: if it is none of these, or a folder without any document.
    """
    bare = Request(Path(source), None, lang, encoding, max_bytes)
    path = bare.path
    settings = root / "corpus" / source / "meta.toml"
    if "/" not in source and settings.is_file():
        yield Request(path, settings)
    elif path.is_file():
        beside = path.parent / "meta.toml"
        mine = beside.is_file() and read_toml(beside).get("file") == path.name
        yield Request(path, beside) if mine else bare
    elif path.is_dir():
        found = [one if one.settings else replace(bare, path=one.path) for one in _folder(path)]
        if not found:
            suffixes = ", ".join(suffix for one in inputs() for suffix in one.suffixes)
            raise SourceError(f"no text here (looked for meta.toml and {suffixes})", document=source)
        yield from found
    else:
        ids = ", ".join(sorted(p.parent.name for p in root.glob("corpus/*/meta.toml"))) or "none here"
        raise SourceError(
            f"no such file, folder or corpus document (corpus documents: {ids})", document=source
        )


def _folder(folder: Path) -> Iterator[Request]:
    if (folder / "meta.toml").is_file():
        yield Request(folder, folder / "meta.toml")
        return
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", document=str(folder)) from error
    for path in paths:
        if (path / "meta.toml").is_file():
            yield Request(path, path / "meta.toml")
        elif is_source(path.name) and not _lends_order(path):
            yield Request(path)


def _lends_order(path: Path) -> bool:
    """Whether a page file only says in what order the text of the same name is to be read."""
    pages = path.name.lower().endswith(page_suffixes())
    return pages and any(path.with_name(_stem(path) + suffix).is_file() for suffix in TEXT.suffixes)


def _format(path: Path) -> Input:
    """The format that a file is read as."""
    return input_of(path.name, lambda: _bytes(path))


def corpus(root: Path) -> Iterator[Request]:
    """Every document of ``root/corpus``, in the order of their ids.

    Raises:
        SourceError: if there is no corpus in ``root``.
    """
    found = sorted(root.glob("corpus/*/meta.toml"))
    if not found:
        raise SourceError(
            "no corpus/*/meta.toml here; name a text file or go to the corpus", document=str(root)
        )
    for settings in found:
        yield Request(settings.parent, settings)


def editions(sources: Sequence[str], root: Path) -> Iterator[Request]:
    """The TEI files that SOURCES (files, folders) stand for; without any, those of ``root/corpus/*/edition``.

    Raises:
        SourceError: no such file, or none in a folder.
    """
    paths = [Path(source) for source in sources] or sorted(root.glob(f"corpus/*/{EDITION}"))
    if not paths:
        raise SourceError("no corpus/*/edition here; name TEI files or their folder", document=str(root))
    for path in paths:
        found = sorted(path.glob(f"*{TEI}")) if path.is_dir() else [path]
        if not found or not all(p.is_file() and p.suffix.lower() == TEI for p in found):
            raise SourceError(f"no TEI file (*{TEI}) there", document=str(path))
        yield from map(Request, found)


def load(request: Request, root: Path) -> Document:
    """Read a document: its source, meta, decisions, and an ``input`` layer of doubts about the file.

    Raises:
        HoyleError: unreadable or broken file, wrong checksum, unknown language, bad id.
    """
    settings = request.settings
    known = read_settings(settings) if settings else Settings()
    path = _text_file(request, known.file, root)
    data = _bytes(path)
    ident = settings.parent.name if settings else slug(_stem(path))
    meta = _decided(meta_of(known, ident=ident, file=path.name, lang=request.lang), request)
    sha256 = hashlib.sha256(data).hexdigest()
    if meta.sha256 and meta.sha256 != sha256:
        message = (
            f"{path.name} has the sha256 {sha256}, meta.toml says {meta.sha256}; "
            "restore the file, or put the new sum there if the change is meant"
        )
        raise SourceError(message, document=meta.id)
    read = _read(path, data, request.encoding or known.encoding, request.max_bytes)
    name = path.name
    if read.extracted:
        # The text stands for itself then; the file it was made of is named by its checksum.
        made = f"text made of {path.name}, sha256 {sha256}"
        meta = replace(meta, origin=f"{meta.origin}; {made}" if meta.origin else made)
        data = read.text.encode(read.encoding)
        name, sha256 = f"{path.name}.txt", hashlib.sha256(data).hexdigest()
    for excerpt in meta.excerpts:
        if not 0 <= excerpt.at < len(read.text):
            message = f"an excerpt begins at {excerpt.at}, but the text has {len(read.text)} characters"
            raise TableError(message, document=line_of(settings, "excerpts"))
    source = Source(meta.id, name, read.text, sha256, len(data), read.encoding)
    return Document(source, meta).with_layer("input", _items(meta.id, read))


def _bytes(path: Path) -> bytes:
    """What is in a file; nothing but a plain file with a readable name will do."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        name = ascii(path.name)
        raise SourceError("the name of the file is not Unicode; rename it", document=name) from None
    if path.exists() and not path.is_file():
        raise SourceError("is no plain file", document=str(path))
    try:
        return path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", document=str(path)) from error


def _read(path: Path, data: bytes, encoding: str, max_bytes: int) -> DecodedText:
    """The text in ``data``, in the order that a page file of the same name beside it shows."""
    form = input_of(path.name, lambda: data)
    read = form.decode(data, name=str(path), encoding=encoding, max_bytes=max_bytes)
    page = next((p for s in page_suffixes() if (p := path.with_name(_stem(path) + s)).is_file()), None)
    if read.extracted or page is None:
        return read
    beside = _format(page).decode(_bytes(page), name=str(page), encoding="", max_bytes=max_bytes)
    return replace(read, flow=align_reading_order(read.text, beside))


def _stem(path: Path) -> str:
    """The name of a file without the suffix of its format."""
    name = path.name
    return next((name[: -len(s)] for s in page_suffixes() if name.lower().endswith(s)), path.stem)


def from_text(text: str, *, lang: str = "", document: str = "text") -> Document:
    """A document made of a string, for the commands that work on other people's data."""
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
