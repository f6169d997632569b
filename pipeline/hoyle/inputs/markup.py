"""XML and HTML from outside, parsed without harm: no entities, no network, no huge trees."""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree

from hoyle.errors import SourceError
from hoyle.inputs import text

_KINDS = {"alto": "alto", "html": "hocr", "TEI": "tei"}
_CHARSET = re.compile(rb"<meta[^>]*?\bcharset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_HEAD = 4096
"""Bytes in which an HTML file declares its encoding; HTML itself allows 1024."""


class Parsed(NamedTuple):
    """The root of a file and what a reader of it should know."""

    root: etree._Element
    doubts: tuple[str, ...] = ()


def parse(data: bytes, *, name: str, max_bytes: int) -> etree._Element:
    """The root of an XML file, or of an hOCR file in HTML that is no XML; see :func:`parse_markup`."""
    return parse_markup(data, name=name, max_bytes=max_bytes).root


def parse_markup(data: bytes, *, name: str, encoding: str = "", max_bytes: int) -> Parsed:
    """Parse an XML file, or an hOCR file in HTML that is no XML.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        encoding: of an HTML file that does not declare one; if empty, it is detected.
        max_bytes: refuse anything larger.

    Returns:
        The root, and for HTML a doubt that names the first line that is no XML.

    Raises:
        SourceError: if it is larger, if it is neither, breaks off, or declares entities of its own.
    """
    if len(data) > max_bytes:
        message = f"{len(data):,} bytes, over the limit of {max_bytes:,}; raise it with --max-size"
        raise SourceError(message, document=name)
    strict = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True
    )
    try:
        root = etree.fromstring(data, strict)
    except etree.XMLSyntaxError as error:
        if b"ocr_page" not in data:
            line = error.lineno or 0
            raise SourceError(f"line {line}: is no well-formed XML ({error.msg})", document=name) from None
        fault = f"line {error.lineno or 0}: is no well-formed XML ({error.msg}); read as HTML"
    else:
        declared = root.getroottree().docinfo.internalDTD
        if declared is not None and any(
            True
            for _ in declared.iterentities()  # type: ignore[union-attr]  # lxml-stubs lacks it
        ):
            raise SourceError("declares entities, which are not read; save it without them", document=name)
        return Parsed(root)
    declared_as = _CHARSET.search(data[:_HEAD])
    encoding = declared_as[1].decode() if declared_as else encoding
    read = text.decode(data, name=name, encoding=encoding, max_bytes=max_bytes)
    return Parsed(_html(read.text, name), (fault, *(doubt for doubt, _ in read.doubts)))


def _html(source: str, name: str) -> etree._Element:
    """The root of an HTML file that is whole: what holds pages is closed."""
    low = source.lower()
    for tag in ("html", "div"):
        missing = len(re.findall(rf"<{tag}\b", low)) - low.count(f"</{tag}")
        if missing > 0:
            lines = source.count("\n") + 1
            message = f"</{tag}> is missing {missing} times up to the end (line {lines}); give the whole file"
            raise SourceError(message, document=name)
    lenient = etree.HTMLParser(no_network=True, huge_tree=False, remove_comments=True, encoding="utf-8")
    try:
        root = etree.fromstring(source.encode(), lenient)
    except etree.XMLSyntaxError as error:
        raise SourceError(f"is neither XML nor HTML ({error.msg})", document=name) from None
    if root is None:
        raise SourceError("is neither XML nor HTML", document=name)
    return root


def local_name(element: etree._Element) -> str:
    """The name of an element without its namespace; empty for comments and the like."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def root_format(root: etree._Element) -> str:
    """``alto``, ``hocr``, ``tei`` or empty: what a file is, by its root."""
    return _KINDS.get(local_name(root), "")
