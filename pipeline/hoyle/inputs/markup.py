"""XML and HTML from outside, parsed without harm: no entities, no network, no huge trees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from lxml import etree

from hoyle.errors import SourceError
from hoyle.inputs import text
from hoyle.inputs.text import check_size

_HEAD = 65_536
"""Bytes at the beginning of a file in which its root is looked for."""
_CHARSET = re.compile(rb"<meta[^>]*?\bcharset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_CHARSET_WITHIN = 4096
"""Bytes in which an HTML file declares its encoding; HTML itself allows 1024."""
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*(?:<!doctype html|<html)", re.IGNORECASE | re.DOTALL
)
_HTML_END = re.compile(r"</html\s*>", re.IGNORECASE)
"""Taken out: libxml2 reads nothing after it, where HTML says that the body goes on."""
_BARE_AMPERSAND = re.compile(r"&(?!#?\w+;)")
_ILL_FORMED = "is no well-formed XML"


def parse(data: bytes, *, name: str, max_bytes: int) -> etree._Element:
    """The root of an XML file.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        max_bytes: refuse anything larger.

    Raises:
        SourceError: if it is larger, no well-formed XML, or declares entities of its own.
    """
    check_size(len(data), name=name, max_bytes=max_bytes)
    strict = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True
    )
    try:
        root = etree.fromstring(data, strict)
    except etree.XMLSyntaxError as error:
        line = error.lineno or 0
        raise SourceError(f"line {line}: {_ILL_FORMED} ({error.msg})", document=name) from None
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and any(
        True
        for _ in declared.iterentities()  # type: ignore[union-attr]  # lxml-stubs lacks it
    ):
        raise SourceError("declares entities, which are not read; save it without them", document=name)
    return root


class Parsed(NamedTuple):
    """The root of an HTML file and what a reader of it should know.

    Attributes:
        root: the root.
        fault: the first fault for which the file is no XML, with its line; empty if it is XML.
        doubts: remarks on its encoding and its markup.
    """

    root: etree._Element
    fault: str = ""
    doubts: tuple[str, ...] = ()


def parse_html(data: bytes, *, name: str, encoding: str = "", max_bytes: int, closed: bool = False) -> Parsed:
    """Parse an HTML file, XHTML or not.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        encoding: of a file that does not declare one; if empty, it is detected.
        max_bytes: refuse anything larger.
        closed: whether a file that breaks off is refused; programs for OCR close what they open. Other HTML
            is doubted only, as the end of ``html`` may be left out.

    Raises:
        SourceError: if it is larger, breaks off, never ends a comment, declares entities of its own, is in
            an encoding that cannot be told, or is no HTML.
    """
    try:
        return Parsed(parse(data, name=name, max_bytes=max_bytes))
    except SourceError as error:
        if _ILL_FORMED not in error.message:
            raise
        fault = f"{error.message}; read as HTML"
    if b"<!ENTITY" in data:
        raise SourceError("declares entities, which are not read; save it without them", document=name)
    declared = _CHARSET.search(data[:_CHARSET_WITHIN])
    used = declared[1].decode() if declared else encoding
    read = text.decode(data, name=name, encoding=used, max_bytes=max_bytes)
    doubts = [doubt for doubt, _ in read.doubts]
    if (opened := read.text.rfind("<!--")) > read.text.rfind("-->"):
        line = read.text.count("\n", 0, opened) + 1
        raise SourceError(f"line {line}: a comment begins that never ends; close it with -->", document=name)
    for tag, missing in _unclosed(read.text):
        line = read.text.count("\n") + 1
        message = f"</{tag}> is missing {missing} times up to the end (line {line}); give the whole file"
        if closed:
            raise SourceError(message, document=name)
        if tag == "html":
            doubts.append(message)
    if bare := _BARE_AMPERSAND.search(read.text):
        line = read.text.count("\n", 0, bare.start()) + 1
        doubts.append(f"line {line}: a bare & that begins no entity; the word there may be damaged")
    return Parsed(_html(read.text, name), fault, tuple(doubts))


def _unclosed(source: str) -> Iterator[tuple[str, int]]:
    """What holds pages and is not closed, and how often."""
    low = source.lower()
    for tag in ("html", "div"):
        missing = len(re.findall(rf"<{tag}\b", low)) - low.count(f"</{tag}")
        if missing > 0:
            yield tag, missing


def _html(source: str, name: str) -> etree._Element:
    lenient = etree.HTMLParser(no_network=True, huge_tree=False, remove_comments=True, encoding="utf-8")
    try:
        root = etree.fromstring(_HTML_END.sub("", source.lstrip("\ufeff")).encode(), lenient)
    except etree.XMLSyntaxError as error:
        raise SourceError(f"is neither XML nor HTML ({error.msg})", document=name) from None
    if root is None:
        raise SourceError("is neither XML nor HTML", document=name)
    return root


def local_name(element: etree._Element | None) -> str:
    """The name of an element without its namespace; empty for comments and the like."""
    if element is None or not isinstance(element.tag, str):
        return ""
    # etree.QName refuses names such as "p}", which its own parser of HTML lets through.
    return element.tag.rpartition("}")[2] if element.tag.startswith("{") else element.tag


def attribute(element: etree._Element, name: str) -> str:
    """An attribute in whatever namespace; empty if there is none.

    Args:
        element: the element.
        name: the name without namespace.
    """
    found = (str(value) for key, value in element.items() if re.split("[}:]", str(key))[-1] == name)
    return next(found, "")


def number(element: etree._Element, name: str) -> float:
    """A number in an attribute; 0 if there is none or it is no finite number.

    Args:
        element: the element.
        name: the name of the attribute.
    """
    try:
        value = float(element.get(name) or 0)
    except ValueError:
        return 0.0
    return value if abs(value) < 1e9 else 0.0


def root_of(data: bytes) -> str:
    """The tag of the root of an XML file, as ``{namespace}name``; empty if it is none."""
    return _root_of(data[:_HEAD])


@lru_cache(maxsize=1)
def _root_of(head: bytes) -> str:
    if b"<" not in head[:400]:
        return ""
    parser = etree.XMLPullParser(events=("start",), resolve_entities=False, no_network=True)
    with suppress(etree.XMLSyntaxError):  # what was read until the fault counts
        parser.feed(head)
    with suppress(etree.XMLSyntaxError):
        for _, root in parser.read_events():
            return str(root.tag) if isinstance(root, etree._Element) else ""  # noqa: SLF001 - its only name
    return ""


def has_root(data: bytes, name: str) -> bool:
    """Whether a file is XML whose root has this name, in whatever namespace.

    Args:
        data: the bytes of the file.
        name: the name without namespace.
    """
    return root_of(data).rpartition("}")[2] == name


def is_html(data: bytes) -> bool:
    """Whether a file begins as HTML does."""
    return _HTML.match(data[:_HEAD].removeprefix(b"\xef\xbb\xbf")) is not None
