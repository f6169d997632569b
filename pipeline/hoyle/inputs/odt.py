"""ODT: the paragraphs, notes and page breaks of an OpenDocument text (OASIS OpenDocument 1.3)."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from hoyle.inputs.markup import attribute, local_name, parse
from hoyle.inputs.paragraphs import numbers_lost, read_paragraphs
from hoyle.inputs.text import MAX_BYTES, PAGE_BREAK, DecodedText
from hoyle.inputs.zipped import SIZE, Archive, begins_as

_BODY = "content.xml"
_KIND = "application/vnd.oasis.opendocument.text"
_SKIPPED = frozenset({"tracked-changes", "annotation", "note-citation", "sequence-decls", "forms"})
_SIGNS = {"tab": "\t", "line-break": "\n"}
_MOST_BLANKS = 100


def decode(data: bytes, *, name: str, encoding: str = "", max_bytes: int = MAX_BYTES) -> DecodedText:
    """The text of an ODT file, notes after the paragraphs that cite them.

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
    root = parse(archive.read(_BODY), name=f"{name}: {_BODY}", max_bytes=max_bytes)
    counted = sum(local_name(element) == "list-item" for element in root.iter())
    doubts = numbers_lost(counted, "the word processor", "pandoc FILE -t plain --wrap=none -o text.txt")
    body = next((element for element in root.iter() if local_name(element) == "body"), root)
    return read_paragraphs(_paragraphs(body), name=name, doubts=doubts, max_bytes=max_bytes)


def accepts(data: bytes) -> bool:
    """Whether a file is an OpenDocument text: its first member says so."""
    return begins_as(data, _KIND)


def _paragraphs(element: etree._Element) -> Iterator[str]:
    for child in element:
        kind = local_name(child)
        if kind in {"p", "h"}:
            notes: list[etree._Element] = []
            yield from _broken("".join(_said(child, notes)))
            for note in notes:
                yield from _paragraphs(note)
        elif kind == "soft-page-break":
            yield PAGE_BREAK
        elif kind not in _SKIPPED:
            yield from _paragraphs(child)


def _broken(text: str) -> Iterator[str]:
    """A paragraph, in parts where a page ends within it."""
    first, *others = text.split(PAGE_BREAK)
    yield first
    for part in others:
        yield PAGE_BREAK
        yield part


def _said(element: etree._Element, notes: list[etree._Element]) -> Iterator[str]:
    yield _plain(element.text)
    for child in element:
        kind = local_name(child)
        if kind == "s":
            yield " " * _blanks(attribute(child, "c"))
        elif kind == "soft-page-break":
            yield PAGE_BREAK
        elif kind == "note-body":
            notes.append(child)
        elif kind in _SIGNS:
            yield _SIGNS[kind]
        elif kind and kind not in _SKIPPED:
            yield from _said(child, notes)
        yield _plain(child.tail)


def _blanks(count: str) -> int:
    """How many blanks ``text:s`` stands for."""
    return min(int(count), _MOST_BLANKS) if count.isdecimal() else 1


def _plain(text: str | None) -> str:
    """Text in which line ends are blanks, as the standard has it."""
    return (text or "").replace("\n", " ")
