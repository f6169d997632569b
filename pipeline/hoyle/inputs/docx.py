"""DOCX: the paragraphs, notes and page breaks of a Word file (ECMA-376, WordprocessingML)."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from hoyle.inputs.markup import attribute, local_name, parse
from hoyle.inputs.paragraphs import numbers_lost, read_paragraphs
from hoyle.inputs.text import MAX_BYTES, PAGE_BREAK, DecodedText
from hoyle.inputs.zipped import SIZE, Archive, begins_as, members

_BODY = "word/document.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "softHyphen": "\u00ad"}
_PAGE_ENDS = frozenset({"lastRenderedPageBreak", "pageBreakBefore"})


def decode(data: bytes, *, name: str, encoding: str = "", max_bytes: int = MAX_BYTES) -> DecodedText:
    """The text of a Word file, notes after the paragraphs that cite them, pages as Word broke them.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        encoding: not used; the file itself says what it is in.
        max_bytes: refuse more text than that, and a file of :data:`~hoyle.inputs.zipped.SIZE` times that.

    Raises:
        SourceError: too large, broken, encrypted, or without text.
    """
    del encoding
    archive = Archive(data, name=name, max_bytes=SIZE * max_bytes)
    body = parse(archive.read(_BODY), name=f"{name}: {_BODY}", max_bytes=max_bytes)
    notes: dict[tuple[str, str], etree._Element] = {}
    for member in archive.names.intersection(_NOTES):
        root = parse(archive.read(member), name=f"{name}: {member}", max_bytes=max_bytes)
        notes |= {(local_name(note), attribute(note, "id")): note for note in root}
    counted = sum(local_name(element) == "numPr" for element in body.iter())
    doubts = numbers_lost(counted, "Word", "pandoc FILE -t plain --wrap=none -o text.txt")
    return read_paragraphs(_paragraphs(body, notes), name=name, doubts=doubts, max_bytes=max_bytes)


def accepts(data: bytes) -> bool:
    """Whether a file is DOCX."""
    return _BODY in members(data) or begins_as(data, "word/")


def _paragraphs(body: etree._Element, notes: dict[tuple[str, str], etree._Element]) -> Iterator[str]:
    for paragraph in body.iter():
        if local_name(paragraph) != "p":
            continue
        text: list[str] = []
        cited: list[etree._Element] = []
        for element in paragraph.iter():
            kind = local_name(element)
            if kind in _PAGE_ENDS or (kind == "br" and attribute(element, "type") == "page"):
                yield "".join(text)
                yield PAGE_BREAK
                text = []
            elif kind == "t":
                text.append(element.text or "")
            elif kind in {"footnoteReference", "endnoteReference"}:
                note = notes.get((kind.removesuffix("Reference"), attribute(element, "id")))
                cited += [] if note is None else [note]
            elif kind in _SIGNS and local_name(element.getparent()) == "r":
                text.append(_SIGNS[kind])
        yield "".join(text)
        for note in cited:
            yield from _paragraphs(note, {})
