"""XML and HTML from outside, parsed without harm: no entities, no network, no huge trees."""

from __future__ import annotations

from lxml import etree

from hoyle.errors import SourceError

_KINDS = {"alto": "alto", "html": "hocr", "TEI": "tei"}


def parse(data: bytes, *, name: str, max_bytes: int) -> etree._Element:
    """The root of an XML file, or of an HTML file that is no XML.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        max_bytes: refuse anything larger.

    Raises:
        SourceError: if it is larger, if it is neither, or declares entities of its own.
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
    else:
        declared = root.getroottree().docinfo.internalDTD
        if declared is not None and any(
            True
            for _ in declared.iterentities()  # type: ignore[union-attr]  # lxml-stubs lacks it
        ):
            raise SourceError("declares entities, which are not read; save it without them", document=name)
        return root
    lenient = etree.HTMLParser(no_network=True, huge_tree=False, remove_comments=True)
    try:
        root = etree.fromstring(data, lenient)
    except etree.XMLSyntaxError as error:
        raise SourceError(f"is neither XML nor HTML ({error.msg})", document=name) from None
    if root is None:
        raise SourceError("is neither XML nor HTML", document=name)
    return root


def local(element: etree._Element) -> str:
    """The name of an element without its namespace; empty for comments and the like."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def kind_of(root: etree._Element) -> str:
    """``alto``, ``hocr``, ``tei`` or empty: what a file is, by its root."""
    return _KINDS.get(local(root), "")
