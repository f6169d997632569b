"""A document as the bytes of a TEI file."""

from __future__ import annotations

from lxml import etree

from hoyle.document import Document
from hoyle.tei import standoff
from hoyle.tei.body import Body
from hoyle.tei.header import Header
from hoyle.tei.names import ID, NS, tei, xml_id


def tei_bytes(document: Document) -> bytes:
    """The TEI file of ``document``: UTF-8, the same bytes for the same document and version.

    Everything the document holds is in it (:func:`hoyle.tei.read.document_of` gives it back).

    Raises:
        OutputError: spans or edits overlap, leave the text or do not match it.
    """
    root = etree.Element(tei("TEI"), nsmap={None: NS})  # type: ignore[dict-item]  # the stubs know no default namespace
    root.set(ID, xml_id(document.id))
    Header(document, root).write()
    body = Body(document, root)
    body.write()
    standoff.write(root, document, body.remarks, body.changes.known)
    root.text = "\n"
    for child in root:
        child.tail = "\n"
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True) + b"\n"
