"""EPUB: the chapters of a book in the order of its spine (W3C EPUB 3.3, and EPUB 2)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote

from hoyle.errors import SourceError
from hoyle.inputs import html
from hoyle.inputs.markup import local_name, parse, parse_html
from hoyle.inputs.paragraphs import numbers_lost, read_paragraphs
from hoyle.inputs.text import MAX_BYTES, DecodedText
from hoyle.inputs.zipped import SIZE, Archive, begins_as, members

_CONTAINER = "META-INF/container.xml"
_RIGHTS = "META-INF/rights.xml"
_PAGES = frozenset({"application/xhtml+xml", "text/html"})


def decode(data: bytes, *, name: str, encoding: str = "", max_bytes: int = MAX_BYTES) -> DecodedText:
    """The text of an EPUB, chapter by chapter; a page ends where the file marks it.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        encoding: not used; the file itself says what it is in.
        max_bytes: refuse more text than that, and a file of :data:`~hoyle.inputs.zipped.SIZE` times that.

    Raises:
        SourceError: too large, broken, protected, or without text.
    """
    del encoding
    archive = Archive(data, name=name, max_bytes=SIZE * max_bytes)
    if _RIGHTS in archive.names:
        raise SourceError("is protected against copying; get a copy without protection", document=name)
    paragraphs: list[str] = []
    doubts: list[str] = []
    counted = 0
    for member, doubt in _spine(archive, max_bytes):
        if doubt:
            doubts.append(doubt)
            continue
        root, fault, found = parse_html(archive.read(member), name=f"{name}: {member}", max_bytes=max_bytes)
        doubts += [f"{member}: {message}" for message in (fault, *found) if message]
        counted += sum(
            local_name(item) == "li" and local_name(item.getparent()) == "ol" for item in root.iter()
        )
        paragraphs += html.paragraphs(root)
    doubts += numbers_lost(counted, "HTML", "pandoc FILE -t plain --wrap=none -o text.txt")
    return read_paragraphs(
        html.without_rules(paragraphs), name=name, doubts=tuple(doubts), max_bytes=max_bytes
    )


def accepts(data: bytes) -> bool:
    """Whether a file is an EPUB."""
    return begins_as(data, "application/epub+zip") or _CONTAINER in members(data)


def _spine(archive: Archive, max_bytes: int) -> Iterator[tuple[str, str]]:
    """The names of the chapters in reading order, or why one is not read.

    The table of contents is no chapter.
    """
    container = parse(archive.read(_CONTAINER), name=f"{archive.name}: {_CONTAINER}", max_bytes=max_bytes)
    package = next((e.get("full-path") or "" for e in container.iter() if local_name(e) == "rootfile"), "")
    root = parse(archive.read(package), name=f"{archive.name}: {package}", max_bytes=max_bytes)
    items = {e.get("id"): e for e in root.iter() if local_name(e) == "item"}
    spine = next((element for element in root.iter() if local_name(element) == "spine"), ())
    for reference in spine:
        named = reference.get("idref") or ""
        if (item := items.get(named)) is None:
            yield "", f"{package}: the spine names {named!r}, which the manifest lacks; it is not read"
        elif "nav" in (item.get("properties") or "").split():
            continue
        elif (kind := item.get("media-type")) not in _PAGES:
            yield "", f"{package}: {named!r} of the spine is of the type {kind}, which is not read"
        else:
            folder = posixpath.dirname(package)
            yield posixpath.normpath(posixpath.join(folder, unquote(item.get("href") or ""))), ""
