"""hOCR: words with their boxes in the ``title`` of HTML elements (hOCR 1.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from hoyle.document import Box
from hoyle.inputs.gutters import box_of
from hoyle.inputs.markup import is_html, local_name, parse_html
from hoyle.inputs.pages import Line, Page, Word, left_out, read_pages
from hoyle.inputs.text import MAX_BYTES, DecodedText

BY = "inputs/hocr"
_LINES = frozenset({"ocr_line", "ocrx_line", "ocr_header", "ocr_footer", "ocr_caption", "ocr_textfloat"})
_WORDS = frozenset({"ocrx_word", "ocr_word"})
_BLOCKS = frozenset({"ocr_par", "ocr_carea", "ocrx_block", "ocr_page"})
_CLASS = re.compile(rb"""class\s*=\s*["']?[^"'>]*\bocrx?_(?:page|line|word|carea|par)\b""")
_IMAGE = re.compile(r"""(?<!\w)image\s+["']([^"']*)["']""")
_BOX = re.compile(r"(?<!\w)bbox((?:\s+[^\s;]+){4})")


def decode(data: bytes, *, name: str, encoding: str = "", max_bytes: int = MAX_BYTES) -> DecodedText:
    """The text of an hOCR file and the order in which its geometry shows it is to be read.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        encoding: of a file in HTML that does not declare one; if empty, it is detected.
        max_bytes: refuse anything larger.

    Raises:
        SourceError: too large, no HTML, cut off, in an unknown encoding, or without a line of hOCR.
    """
    root, fault, doubts = parse_html(data, name=name, max_bytes=max_bytes, encoding=encoding, closed=True)
    found = [*pages(root)]
    doubts += left_out(found, _texts(root))
    return read_pages(found, name=name, by=BY, doubts=(fault, *doubts) if fault else doubts)


def accepts(data: bytes) -> bool:
    """Whether a file is hOCR: HTML, or a part of it, with an element of a class of hOCR."""
    return (is_html(data) or data.lstrip().startswith(b"<")) and _CLASS.search(data) is not None


def pages(root: etree._Element) -> Iterator[Page]:
    """The pages of an hOCR document."""
    found = [element for element in root.iter() if "ocr_page" in _classes(element)]
    for page in found or [root]:
        yield _page(page)


def _page(page: etree._Element) -> Page:
    box, image = _box(page), _IMAGE.search(page.get("title") or "")
    size = (box.right - box.left, box.bottom - box.top) if box else (0.0, 0.0)
    return Page(tuple(_lines(page)), *size, image[1] if image else "")


def _lines(page: etree._Element) -> Iterator[Line]:
    block: etree._Element | None = None
    for element in page.iter():
        if not _classes(element) & _LINES or any(_classes(a) & _LINES for a in element.iterancestors()):
            continue
        own = next((a for a in element.iterancestors() if _classes(a) & _BLOCKS), None)
        words = tuple(_words(element))
        if words:
            yield Line(words, own is not block)
            block = own


def _words(line: etree._Element) -> Iterator[Word]:
    found = [element for element in line.iter() if _classes(element) & _WORDS]
    for element in found or [line]:
        text = " ".join("".join(map(str, element.itertext())).split())
        if text:
            yield Word(text, _box(element))


def _texts(element: etree._Element) -> Iterator[str]:
    """All text that a reader sees."""
    if local_name(element) not in {"", "head", "script", "style"}:
        yield element.text or ""
        for child in element:
            yield from _texts(child)
            yield child.tail or ""


def _classes(element: etree._Element) -> set[str]:
    return set((element.get("class") or "").split()) if isinstance(element.tag, str) else set()


def _box(element: etree._Element) -> Box | None:
    match = _BOX.search(element.get("title") or "")
    return box_of(*match[1].split()) if match else None
