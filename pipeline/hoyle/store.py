"""The only file input and output on ``seeds/`` and ``corpus/``, and on the user's own sources."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hoyle import decisions
from hoyle.errors import HoyleError, SourceError, TableError
from hoyle.inputs import INPUTS, PAGE_SUFFIXES, TEXT_SUFFIXES, is_source
from hoyle.inputs.beside import order_of
from hoyle.inputs.text import MAX_BYTES, Read
from hoyle.languages import known
from hoyle.model import Block, Document, Evidence, Excerpt, Finding, Fragment, Item, Meta, Source, Span
from hoyle.tables import read_toml, vocabulary

_ORDER_CONFIDENCE = 0.98
"""Probability that the places of words tell the order of a column rightly."""
_ID = re.compile(r"[^\W\d_](?:[\w.-]*\w)?")
_STRINGS = (
    *("id", "title", "lang", "date", "date_note", "author", "publisher", "licence", "origin"),
    *("file", "sha256", "encoding"),
)
TEI = ".xml"
"""The suffix of TEI files."""

_LISTS = ("numbering", "games", "notes")


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
        return self.settings is None and self.path.suffix.lower() == TEI

    @property
    def name(self) -> str:
        """What to call it in messages before anything is read."""
        return self.settings.parent.name if self.settings else str(self.path)


def requests(source: str, root: Path) -> Iterator[Request]:
    """What a SOURCE on the command line stands for.

    Args:
        source: id of a document in ``root/corpus``, a folder, or a text file.
        root: the folder that holds ``corpus/`` and ``seeds/``.

    Raises:
        SourceError: if it is none of these, or a folder without any document.
    """
    path = Path(source)
    settings = root / "corpus" / source / "meta.toml"
    if "/" not in source and settings.is_file():
        yield Request(path, settings)
    elif path.is_file():
        beside = path.parent / "meta.toml"
        mine = beside.is_file() and read_toml(beside).get("file") == path.name
        yield Request(path, beside if mine else None)
    elif path.is_dir():
        found = list(_folder(path))
        if not found:
            raise SourceError(f"no text here (looked for meta.toml and {', '.join(INPUTS)})", document=source)
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
    for path in sorted(folder.iterdir()):
        if (path / "meta.toml").is_file():
            yield Request(path, path / "meta.toml")
        elif path.is_file() and is_source(path.name) and not _lends_order(path):
            yield Request(path)


def _lends_order(path: Path) -> bool:
    """Whether a page file only says in what order the text of the same name is to be read."""
    pages = path.name.lower().endswith(PAGE_SUFFIXES)
    return pages and any(path.with_name(_stem(path) + suffix).is_file() for suffix in TEXT_SUFFIXES)


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
    paths = [Path(source) for source in sources] or sorted(root.glob("corpus/*/edition"))
    if not paths:
        raise SourceError("no corpus/*/edition here; name TEI files or their folder", document=str(root))
    for path in paths:
        found = sorted(path.glob(f"*{TEI}")) if path.is_dir() else [path]
        if not found or not all(p.is_file() and p.suffix.lower() == TEI for p in found):
            raise SourceError(f"no TEI file (*{TEI}) there", document=str(path))
        yield from map(Request, found)


def load(request: Request, root: Path) -> Document:
    """The document asked for: its source, meta and rulings, and an ``input`` layer of doubts about the file.

    Raises:
        HoyleError: unreadable or broken file, wrong checksum, unknown language, bad id.
    """
    raw = _settings(request.settings) if request.settings else {}
    path = _text_file(request, raw, root)
    meta = _ruled(_meta(request, raw, path), request)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", document=str(path)) from error
    sha256 = hashlib.sha256(data).hexdigest()
    if meta.sha256 and meta.sha256 != sha256:
        message = (
            f"{path.name} has the sha256 {sha256}, meta.toml says {meta.sha256}; "
            "restore the file, or put the new sum there if the change is meant"
        )
        raise SourceError(message, document=meta.id)
    read = _read(path, data, request.encoding or raw.get("encoding", ""), request.max_bytes)
    name = path.name
    if read.extracted:
        # The text stands for itself then; the file it was made of is named by its checksum.
        made = f"text made of {path.name}, sha256 {sha256}"
        meta = replace(meta, origin=f"{meta.origin}; {made}" if meta.origin else made)
        data = read.text.encode(read.encoding)
        name, sha256 = f"{path.name}.txt", hashlib.sha256(data).hexdigest()
    source = Source(meta.id, name, read.text, sha256, len(data), read.encoding)
    return Document(source, meta).with_layer("input", _items(meta.id, read))


def _read(path: Path, data: bytes, encoding: str, max_bytes: int) -> Read:
    """The text in ``data``, in the order that a page file of the same name beside it shows."""
    reader = INPUTS.get(path.suffix.lower(), INPUTS[".txt"])
    read = reader(data, name=str(path), encoding=encoding, max_bytes=max_bytes)
    page = next((p for s in PAGE_SUFFIXES if (p := path.with_name(_stem(path) + s)).is_file()), None)
    if read.extracted or page is None:
        return read
    try:
        beside = INPUTS[page.suffix](page.read_bytes(), name=str(page), max_bytes=max_bytes)
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", document=str(page)) from error
    return replace(read, flow=order_of(read.text, beside))


def _stem(path: Path) -> str:
    """The name of a file without the suffix of its format."""
    name = path.name
    return next((name[: -len(s)] for s in PAGE_SUFFIXES if name.lower().endswith(s)), path.stem)


def from_text(text: str, *, lang: str = "", document: str = "text") -> Document:
    """A document made of a string, for the commands that work on other people's data."""
    data = text.encode("utf-8", "surrogatepass")
    source = Source(document, f"{document}.txt", text, hashlib.sha256(data).hexdigest(), len(data))
    return Document(source, Meta(id=document, lang=_language(lang, document)))


def _items(document: str, read: Read) -> Iterator[Item]:
    """Doubts about the file, the order its geometry shows, and the rules between its columns."""
    by = Evidence("inputs/text", 1.0)
    for message, at in read.doubts:
        yield Finding("input", message, by, Span(at, at + 1), doubt=True)
    for span, column, reader in read.flow:
        yield Fragment(span, column, Evidence(f"{reader}: places of the words", _ORDER_CONFIDENCE))
    for n, span in enumerate(read.rules, 1):
        yield Block(f"{document}.cr{n}", "separator", (span,), Evidence("inputs/geometry", _ORDER_CONFIDENCE))


def _settings(path: Path) -> dict[str, Any]:
    """``meta.toml`` as a mapping, each value of the right type."""
    raw = read_toml(path)
    for key, value in raw.items():
        if key not in (*_STRINGS, *_LISTS, "excerpts"):
            keys = ", ".join(sorted((*_STRINGS, *_LISTS, "excerpts")))
            raise TableError(f"unknown key {key!r}; known are {keys}", document=_line(path, key))
        if key in _STRINGS and not isinstance(value, str):
            raise TableError(f"{key} must be a string, not {value!r}", document=_line(path, key))
        if key in _LISTS and not (isinstance(value, list) and all(isinstance(v, str) for v in value)):
            raise TableError(f"{key} must be a list of strings, not {value!r}", document=_line(path, key))
    return raw


def _line(path: Path | None, key: str) -> str:
    """Where in a settings file ``key`` is set, as ``corpus/quinze/meta.toml:3``."""
    if path is None:
        return ""
    name = "/".join(path.parts[-3:])
    lines = path.read_text(encoding="utf-8").splitlines()
    found = (i for i, line in enumerate(lines, 1) if re.match(rf"[\s\[]*{re.escape(key)}\b", line))
    return f"{name}:{next(found, 1)}"


def _text_file(request: Request, raw: Mapping[str, Any], root: Path) -> Path:
    if not request.settings:
        return request.path
    name = str(raw.get("file", ""))
    where = _line(request.settings, "file")
    if not name or Path(name).name != name:
        message = f"file must name a file in the document's folder or in seeds/, not {name!r}"
        raise TableError(message, document=where)
    places = [request.settings.parent, root / "seeds"]
    for folder in places:
        if (folder / name).is_file():
            return folder / name
    raise TableError(f"file {name!r} is neither in {places[0]} nor in {places[1]}", document=where)


def _meta(request: Request, raw: Mapping[str, Any], path: Path) -> Meta:
    settings = request.settings
    ident = raw.get("id") or (settings.parent.name if settings else slug(_stem(path)))
    if not _ID.fullmatch(ident) or ".." in ident:
        message = f"the id {ident!r} will not do; it names files: letters, digits, - . _, a letter first"
        raise TableError(message, document=_line(settings, "id") or str(path))
    games = tuple(raw.get("games", ()))
    if strange := [g for g in games if g not in vocabulary("games")]:
        message = f"games: {', '.join(strange)} not in schemas/vocabulary/games.tsv"
        raise TableError(message, document=_line(settings, "games"))
    texts = {k: raw[k] for k in _STRINGS if k in raw and k not in ("id", "encoding")}
    where = _line(settings, "excerpts")
    meta = Meta(
        **{**texts, "id": ident, "file": path.name},
        numbering=tuple(raw.get("numbering", ("detect",))),
        games=games,
        notes=tuple(raw.get("notes", ())),
        excerpts=tuple(_excerpt(e, where) for e in raw.get("excerpts", ())),
    )
    return replace(meta, lang=_language(request.lang or meta.lang, _line(settings, "lang") or str(path)))


def _ruled(meta: Meta, request: Request) -> Meta:
    """``meta`` with the editors' rulings that lie beside ``meta.toml``."""
    if not request.settings:
        return meta
    found = decisions.rulings(request.settings.with_name(decisions.FILE))
    return replace(meta, rulings=found, editors=tuple(dict.fromkeys(r.editor for r in found)))


def _excerpt(raw: object, where: str) -> Excerpt:
    if (
        not isinstance(raw, dict)
        or not isinstance(raw.get("at"), int)
        or not isinstance(raw.get("number"), str)
    ):
        raise TableError("an excerpt needs at = <character> and number = '<path>'", document=where)
    return Excerpt(raw["at"], tuple(raw["number"].split(".")), str(raw.get("note", "")))


def _language(tag: str, where: str) -> str:
    if tag and tag not in known():
        raise HoyleError(f"unknown language {tag!r}; known are {', '.join(known())}", document=where)
    return tag


def slug(name: str) -> str:
    """A document id made of a file name: letters, digits and hyphens, a letter first."""
    words = re.findall(r"\w+", unicodedata.normalize("NFC", name).replace("_", " "))
    ident = "-".join(words).lower() or "document"
    return ident if ident[0].isalpha() else f"d{ident}"
