"""Files that are ZIP archives: DOCX, ODT, EPUB of a few parts, of no date."""

from __future__ import annotations

import zipfile
from io import BytesIO
from zipfile import ZipInfo


def packed(**files: str | bytes) -> bytes:
    """A ZIP archive; ``__`` in a name stands for a slash, ``_dot_`` for a dot."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            member = ZipInfo(name.replace("__", "/").replace("_dot_", "."))
            archive.writestr(member, content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def docx(body: str, **more: str) -> bytes:
    """A Word file with this body; more members are XML with the name spaces at ``{space}``."""
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    xml = f"<w:document {space}><w:body>{body}</w:body></w:document>"
    return packed(word__document_dot_xml=xml, **{k: v.format(space=space) for k, v in more.items()})


def odt(body: str) -> bytes:
    """An OpenDocument text with this body."""
    names = "".join(f' xmlns:{p}="urn:oasis:names:tc:opendocument:xmlns:{p}:1.0"' for p in ("office", "text"))
    xml = f"<office:document-content{names}><office:body><office:text>{body}</office:text></office:body>"
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(ZipInfo("mimetype"), "application/vnd.oasis.opendocument.text")
        archive.writestr(ZipInfo("content.xml"), xml + "</office:document-content>")
    return out.getvalue()


def epub(*chapters: str, protected: bool = False) -> bytes:
    """An EPUB whose spine has the chapters from the last to the first."""
    container = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
    items = "".join(
        f'<item id="c{n}" href="c%20{n}.xhtml" media-type="application/xhtml+xml"/>'
        for n in range(len(chapters))
    )
    order = "".join(f'<itemref idref="c{n}"/>' for n in reversed(range(len(chapters))))
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(ZipInfo("mimetype"), "application/epub+zip")
        archive.writestr(ZipInfo("META-INF/container.xml"), container)
        archive.writestr(
            ZipInfo("OPS/book.opf"), f"<package><manifest>{items}</manifest><spine>{order}</spine></package>"
        )
        for n, chapter in enumerate(chapters):
            archive.writestr(
                ZipInfo(f"OPS/c {n}.xhtml"),
                f"<html><head><title>x</title></head><body>{chapter}</body></html>",
            )
        if protected:
            archive.writestr(ZipInfo("META-INF/rights.xml"), "<rights/>")
    return out.getvalue()
