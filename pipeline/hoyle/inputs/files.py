"""Files read whole: bytes, format, and text, with the order and places of words of a page file beside."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hoyle.errors import SourceError
from hoyle.inputs import Input, bare_name, decode, input_of, largest, page_suffixes
from hoyle.inputs.compressed import unpacked
from hoyle.inputs.sidecar import align
from hoyle.inputs.text import MAX_BYTES, DecodedText, check_size

_HEAD = 65_536
"""Bytes by which XML is told."""


def read_bytes(path: Path, max_bytes: int = MAX_BYTES) -> bytes:
    """What is in a file; nothing but a plain file with a readable name will do.

    Args:
        path: the file.
        max_bytes: the limit of a text; the file may be larger only as far as any format allows.

    Raises:
        SourceError: it is too large or cannot be read, or its name is not Unicode.
    """
    try:
        str(path).encode()
    except UnicodeEncodeError:
        name = ascii(path.name)
        raise SourceError("the name of the file is not Unicode; rename it", document=name) from None
    if path.exists() and not path.is_file():
        raise SourceError("is not a regular file", document=str(path))
    try:
        check_size(path.stat().st_size, name=str(path), max_bytes=largest(max_bytes))
        return path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", document=str(path)) from error


def format_of(path: Path, max_bytes: int = MAX_BYTES) -> Input:
    """The format that a file is read as.

    Args:
        path: the file.
        max_bytes: refuse anything larger.

    Raises:
        SourceError: it cannot be read.
    """
    data = unpacked(read_bytes(path, max_bytes), name=str(path), max_bytes=largest(max_bytes))
    return input_of(path.name, lambda: data)


def format_of_xml(path: Path) -> Input:
    """The format of an XML file by its root; only the beginning of the file is read.

    Raises:
        SourceError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", document=str(path)) from error
    return input_of(path.name, lambda: head)


def read_file(path: Path, data: bytes, *, encoding: str = "", max_bytes: int = MAX_BYTES) -> DecodedText:
    """The text of a file, with the order and the places that a page file of the same name beside it shows.

    Args:
        path: the file.
        data: its bytes.
        encoding: of a text or HTML file; told by what it holds if empty.
        max_bytes: the limit of a text.

    Raises:
        SourceError: see :func:`hoyle.inputs.decode`.
    """
    read = decode(data, name=str(path), encoding=encoding, max_bytes=max_bytes)
    page = page_beside(path)
    if read.extracted or page is None:
        return read
    beside = decode(read_bytes(page, max_bytes), name=str(page), max_bytes=max_bytes)
    flow, pages = align(read.text, beside)
    return replace(read, flow=flow, pages=pages)


def page_beside(path: Path) -> Path | None:
    """The file of the same name that has the places of words, if there is one."""
    for suffix in page_suffixes():
        page = path.with_name(stem(path) + suffix)
        if page != path and page.is_file() and format_of(page).places:
            return page
    return None


def stem(path: Path) -> str:
    """The name of a file without the suffix of its format (and of its compression)."""
    name = path.name[: len(bare_name(path.name))]
    suffix = next((s for s in page_suffixes() if name.lower().endswith(s)), Path(name).suffix)
    return name[: len(name) - len(suffix)]
