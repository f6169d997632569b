"""Serialises a document as a TEI file."""

from __future__ import annotations

from lxml import etree

from hoyle.document import Document
from hoyle.tei import standoff
from hoyle.tei.body import BodyWriter
from hoyle.tei.facsimile import write_facsimile
from hoyle.tei.header import HeaderWriter
from hoyle.tei.names import ID, NS, tei, xml_id


def tei_bytes(document: Document) -> bytes:
    """Serialise ``document`` as TEI, in UTF-8; equal documents give equal bytes.

    The file contains the whole document (:func:`hoyle.tei.read.read_document` restores it).

    Raises:
        OutputError: spans or edits overlap, extend beyond the text or do not match it.
    """
    root = etree.Element(tei("TEI"), nsmap={None: NS})  # type: ignore[dict-item]  # the stubs know no default namespace
    root.set(ID, xml_id(document.id))
    HeaderWriter(document, root).write()
    write_facsimile(root, document)
    body = BodyWriter(document, root)
    body.write()
    standoff.write_standoff(root, document, body.notes, body.edit_index.evidence)
    root.text = "\n"
    for child in root:
        child.tail = "\n"
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True) + b"\n"
