"""PDF with a text layer: characters with places, read by PDFium (the extra ``pdf``)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from hoyle.errors import SourceError
from hoyle.inputs.gutters import Box, around
from hoyle.inputs.pages import Line, Page, Word, read_pages
from hoyle.inputs.text import MAX_BYTES, DecodedText, check_size

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage, PdfTextPage

BY = "inputs/pdf"
SIZE = 20
"""How many times the limit of a text the file may have: it may hold the images of the pages."""
_MOST_PAGES = 20_000
_PARAGRAPH = 1.5
"""Distance of two lines, in usual distances, from which on a paragraph ends between them."""
_OCR = "`ocrmypdf -l fra FILE out.pdf` (rus for Russian) adds one"


class _Sign(NamedTuple):
    """A character and its box, from the top left of the page in points."""

    text: str
    box: Box


def decode(data: bytes, *, name: str, encoding: str = "", max_bytes: int = MAX_BYTES) -> DecodedText:
    """The text of a PDF and the order in which its geometry shows it is to be read.

    A PDF has no lines and no paragraphs: lines are those of PDFium, and of words that begin further
    left and lower; paragraphs are seen where lines are farther apart than is usual on the page.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        encoding: not used; the file itself says what it is in.
        max_bytes: refuse more text than that, and a file of :data:`SIZE` times that.

    Raises:
        SourceError: too large, broken, encrypted, without a text layer, or pypdfium2 is not installed.
    """
    del encoding
    check_size(len(data), name=name, max_bytes=SIZE * max_bytes)
    pdf = _opened(data, name)
    try:
        if len(pdf) > _MOST_PAGES:
            raise SourceError(f"has {len(pdf):,} pages, over the limit of {_MOST_PAGES:,}", document=name)
        found = [*_pages(pdf, name, max_bytes)]
    finally:
        pdf.close()
    empty = [n for n, page in enumerate(found, 1) if not page.lines]
    if len(empty) == len(found):
        message = f"is a PDF of {len(found)} pages without a text layer; {_OCR}"
        raise SourceError(message, document=name)
    doubts: tuple[str, ...] = ()
    if empty:
        some = ", ".join(map(str, empty[:10])) + (" …" if len(empty) > 10 else "")
        doubts = (f"{len(empty)} of {len(found)} pages have no text layer (page {some}); {_OCR}",)
    return read_pages(found, name=name, by=BY, doubts=doubts, max_bytes=max_bytes)


def accepts(data: bytes) -> bool:
    """Whether a file is PDF; some programs write something before its mark."""
    return b"%PDF-" in data[:1024]


def _opened(data: bytes, name: str) -> PdfDocument:
    try:
        import pypdfium2  # noqa: PLC0415 - an extra
    except ImportError:
        message = "is a PDF; to read it, pip install 'hoyle[pdf]'"
        raise SourceError(message, document=name) from None
    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            message = "is encrypted; take the password off with `qpdf --decrypt FILE out.pdf`"
        else:
            message = f"is a broken or cut PDF ({error}); get it again, or try `qpdf FILE out.pdf`"
        raise SourceError(message, document=name) from None


def _pages(pdf: PdfDocument, name: str, max_bytes: int) -> Iterator[Page]:
    """The pages, one at a time in memory."""
    from pypdfium2 import PdfiumError  # noqa: PLC0415 - an extra

    total = 0
    for number in range(len(pdf)):
        try:
            page = pdf[number]
            text = page.get_textpage()
        except PdfiumError as error:
            raise SourceError(f"page {number + 1} is broken ({error})", document=name) from None
        total += text.count_chars()
        check_size(total, name=name, max_bytes=max_bytes)
        left, bottom, right, top = page.get_cropbox()
        yield Page(tuple(_lines(_runs(page, text))), right - left, top - bottom)
        text.close()
        page.close()


def _runs(page: PdfPage, text: PdfTextPage) -> Iterator[list[Word]]:
    """The words line by line."""
    line: list[Word] = []
    word: list[_Sign] = []
    last: _Sign | None = None
    for sign in _signs(page, text):
        new_line = sign.text == "\n" or (last is not None and not sign.text.isspace() and _below(last, sign))
        if word and (new_line or sign.text.isspace()):
            line.append(_word(word, turned=page.get_rotation() != 0))
            word = []
        if new_line and line:
            yield line
            line = []
        if not sign.text.isspace():
            word.append(sign)
            last = sign if sign.box.bottom > sign.box.top else last
    if word:
        line.append(_word(word, turned=page.get_rotation() != 0))
    if line:
        yield line


def _signs(page: PdfPage, text: PdfTextPage) -> Iterator[_Sign]:
    """The characters of a page; PDFium says of some hyphens at line ends only that they are some."""
    from pypdfium2 import raw  # noqa: PLC0415 - an extra

    left, _, _, top = page.get_cropbox()
    high = ""
    for at in range(text.count_chars()):
        said = chr(raw.FPDFText_GetUnicode(text, at))
        if "\ud800" <= said <= "\udbff":
            high = said
            continue
        if "\udc00" <= said <= "\udfff":
            said = (high + said).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if raw.FPDFText_IsHyphen(text, at) == 1:
            said = "-"
        if unicodedata.category(said[0]) in {"Cc", "Cn"} and not said.isspace():
            continue
        x, y, right, upper = text.get_charbox(at)
        yield _Sign(said, Box(x - left, top - upper, right - left, top - y))


def _below(one: _Sign, other: _Sign) -> bool:
    """Whether a character begins a line under that of another."""
    height = one.box.bottom - one.box.top
    lower = (other.box.top + other.box.bottom - one.box.top - one.box.bottom) / 2
    back = one.box.left - other.box.left
    return (lower > 0.7 * height and back > 0) or (lower > 0.3 * height and back > 2 * height)


def _word(signs: list[_Sign], *, turned: bool) -> Word:
    """A word; on a page that is turned its box is not known."""
    said = unicodedata.normalize("NFC", "".join(sign.text for sign in signs))
    return Word(said, None if turned else around([sign.box for sign in signs]))


def _lines(runs: Iterator[list[Word]]) -> Iterator[Line]:
    """Lines with paragraphs, which open after a wider distance."""
    found = list(runs)
    tops = [min((word.box.bottom for word in words if word.box), default=0.0) for words in found]
    steps = [b - a for a, b in pairwise(tops)]
    usual = median([step for step in steps if step > 0] or [0.0])
    for words, step in zip(found, [0.0, *steps], strict=False):  # an empty page has no step either
        yield Line(tuple(words), bool(usual) and (step < 0 or step > _PARAGRAPH * usual))
