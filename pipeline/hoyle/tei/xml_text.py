"""Writes and reads text in XML, including characters that XML cannot contain (TEI P5, 5: ``g``)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from hoyle.tei.names import ID, tei
from hoyle.tei.problems import ProblemError, problem_at

# XML 1.0 excludes most control characters; editors and line-end normalisation change others.
_SPECIAL = re.compile(
    "\r\n|[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff"
    "\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U0003fffe\U0003ffff\U0004fffe\U0004ffff"
    "\U0005fffe\U0005ffff\U0006fffe\U0006ffff\U0007fffe\U0007ffff\U0008fffe\U0008ffff"
    "\U0009fffe\U0009ffff\U000afffe\U000affff\U000bfffe\U000bffff\U000cfffe\U000cffff"
    "\U000dfffe\U000dffff\U000efffe\U000effff\U000ffffe\U000fffff\U0010fffe\U0010ffff]"
)


def needs_g(text: str) -> bool:
    """Return whether ``text`` contains a character that must be written as ``g``."""
    return any(found[0] not in LINE_END for found in _SPECIAL.finditer(text))


LINE_END = {"\n": None, "\r\n": "crlf"}
"""``lb/@rend`` of each kind of line end (a lone carriage return is written as ``g``)."""


def set_attributes(element: etree._Element, **attributes: str | None) -> None:
    """Set attributes of an element.

    Args:
        element: the element.
        **attributes: names and values; ``None`` is omitted, ``id_`` stands for ``xml:id``.
    """
    for key, value in attributes.items():
        if value is not None:
            element.set(ID if key == "id_" else key, value)


class XmlWriter:
    """Appends text and elements to a parent element."""

    __slots__ = ("last", "parent")

    def __init__(self, parent: etree._Element) -> None:
        self.parent = parent
        self.last: etree._Element | None = None

    def add(self, name: str, **attributes: str | None) -> etree._Element:
        """Append an element.

        Args:
            name: its TEI name.
            **attributes: its attributes, as in :func:`set_attributes`.

        Returns:
            The element.
        """
        said = {ID if key == "id_" else key: value for key, value in attributes.items() if value is not None}
        self.last = element = etree.SubElement(self.parent, tei(name), said)
        return element

    def _raw(self, text: str) -> None:
        if self.last is None:
            self.parent.text = (self.parent.text or "") + text
        else:
            self.last.tail = (self.last.tail or "") + text

    def text(self, text: str) -> None:
        """Append text; line ends become ``lb``, characters that XML cannot contain become ``g``."""
        if not _SPECIAL.search(text):
            if text:
                self._raw(text)
            return
        at = 0
        for found in _SPECIAL.finditer(text):
            if found.start() > at:
                self._raw(text[at : found.start()])
            at = found.end()
            if found[0] in LINE_END:
                self.add("lb", rend=LINE_END[found[0]])
            else:
                self.add("g", ref=f"char:{ord(found[0]):04X}")
        if at < len(text):
            self._raw(text[at:])


def write_text(element: etree._Element, text: str) -> etree._Element:
    """Write the text of an element.

    Args:
        element: a new, empty element.
        text: its text; line ends become ``lb``, characters that XML cannot contain become ``g``.

    Returns:
        The element.
    """
    XmlWriter(element).text(text)
    return element


def represented_text(element: etree._Element) -> str:
    """Return the raw characters that an ``lb`` or ``g`` represents.

    Raises:
        ProblemError: a ``g`` without a code point.
    """
    if element.tag == tei("lb"):
        return "\r\n" if element.get("rend") == "crlf" else "\n"
    code = re.fullmatch(r"char:([0-9A-Fa-f]{4,6})", element.get("ref", ""))
    if not code or int(code[1], 16) > 0x10FFFF:
        raise ProblemError(problem_at(element, 'needs a code point such as ref="char:000D"'))
    return chr(int(code[1], 16))


def read_text(element: etree._Element) -> str:
    """Return the text directly inside ``element``, with the characters that ``lb`` and ``g`` represent."""
    return "".join(_texts(element))


def _texts(element: etree._Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag in (tei("lb"), tei("g")):
            yield represented_text(child)
        yield child.tail or ""
