"""Parses TEI files from any source safely: no network, no other files, no entities, bounded memory."""

from __future__ import annotations

import codecs
import re

from lxml import etree

from hoyle.errors import SourceError
from hoyle.tei.names import tei

MAX_BYTES = 256 * 1024 * 1024
"""Largest TEI file that is read, in bytes. Its tree takes about ten times as much memory."""

MAX_DEPTH = 100
"""Deepest nesting of elements; editions of Hoyle stay below 20."""

_LONG = 10_000_000
"""Longest text node, in bytes, that libxml2 accepts without ``huge_tree``."""

_ENCODING = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([^"']*)["']""")


def parse(data: bytes, *, name: str) -> etree._Element:
    """Parse a TEI file.

    Args:
        data: the bytes of the file.
        name: the name of the file, for messages.

    Returns:
        The root element.

    Raises:
        SourceError: it is not a TEI file in UTF-8, too large or too deep, or declares a document type.
    """
    _check(data, name)
    parser = etree.XMLParser(
        encoding="utf-8",  # overrides the declaration: the checks decoded the file as UTF-8
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
        huge_tree=len(data) > _LONG,
        collect_ids=False,  # verify reports duplicate ids, with the line of the first
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise SourceError(f"is not well-formed XML: {error.msg}", document=name) from None
    _check_depth(root, name)
    if root.tag != tei("TEI"):
        raise SourceError(f"is no TEI file: its root is {root.tag}, not {tei('TEI')}", document=name)
    return root


def _check(data: bytes, name: str) -> None:
    if len(data) > MAX_BYTES:
        raise SourceError(f"is larger than {MAX_BYTES // 2**20} MiB; split it", document=name)
    _check_encoding(data, name)
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        line = data[: data.find(b"<!")].count(b"\n") + 1
        message = (
            f"line {line}: declares a document type or entities, which are never read; remove the declaration"
        )
        raise SourceError(message, document=name)


def _check_encoding(data: bytes, name: str) -> None:
    declared = _ENCODING.match(data.removeprefix(codecs.BOM_UTF8)[:200])
    if declared and not _is_utf8(declared[1]):
        said = declared[1].decode("ascii", "replace")
        raise SourceError(f"declares the encoding {said}; save it in UTF-8", document=name)
    try:
        data.decode("utf-8")
        at = data.find(b"\0")
    except UnicodeDecodeError as error:
        at = error.start
    if at >= 0:
        line = data[:at].count(b"\n") + 1
        message = f"line {line}: is not in UTF-8 (byte {data[at]:02X}); save it in that encoding"
        raise SourceError(message, document=name)


def _is_utf8(encoding: bytes) -> bool:
    try:
        return codecs.lookup(encoding.decode("ascii")).name in ("utf-8", "ascii")
    except (LookupError, ValueError):
        return False


def _check_depth(root: etree._Element, name: str) -> None:
    depth = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > MAX_DEPTH:
            message = f"line {element.sourceline}: elements are nested more than {MAX_DEPTH} deep"
            raise SourceError(message, document=name)
