"""The words of a PDF, read by PDFium in a process of its own (see :func:`main`).

PDFium unpacks what it is given, whole, and may crash on a broken file. The process has a limit of memory,
and neither harms the one that asked. The PDF comes on standard input; each page goes to standard output
as a line of JSON, an error as one with the key ``error``.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from hoyle.document import Box
from hoyle.document.places import around
from hoyle.inputs.pages import Line, Page, Word

if TYPE_CHECKING:
    from pypdfium2 import PdfPage, PdfTextPage

MEMORY = 2_000_000_000
"""Bytes of memory that the process may use, where the system can limit it (not on Windows)."""
_MOST_PAGES = 20_000
DPI = 300
"""Pixels to the inch in which places are given; a PDF itself counts in points, 72 to the inch."""
_SCALE = DPI / 72
_PARAGRAPH = 1.5
"""Distance of two lines, in usual distances, from which on a paragraph ends between them."""


class _Sign(NamedTuple):
    """A character and its box, from the top left of the page in pixels."""

    text: str
    box: Box


def main() -> None:
    """Read the PDF on standard input; the first argument is the limit of its characters."""
    limit_memory()
    import pypdfium2  # noqa: PLC0415 - an extra

    try:
        for page in _pages(sys.stdin.buffer.read(), int(sys.argv[1])):
            print(json.dumps(page))  # noqa: T201 - this is what the process is for
    except (pypdfium2.PdfiumError, ValueError) as error:
        print(json.dumps({"error": str(error)}))  # noqa: T201


def page_of(record: dict[str, Any], number: int) -> Page:
    """The page in a line that the process wrote.

    Args:
        record: what the line says.
        number: of the page in the PDF, from 1.
    """
    lines = tuple(
        Line(tuple(Word(text, Box(*box) if box else None) for text, box in words), opens)
        for words, opens in record["lines"]
    )
    return Page(lines, record["width"], record["height"], f"#page={number}")


def limit_memory() -> None:
    """Limit the memory of this process, where the system can."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _pages(data: bytes, most: int) -> Iterator[dict[str, Any]]:
    """The pages, one at a time in memory; ``most`` is the limit of their characters together."""
    import pypdfium2  # noqa: PLC0415 - an extra

    pdf = pypdfium2.PdfDocument(data)
    if len(pdf) > _MOST_PAGES:
        raise ValueError(f"{len(pdf):,} pages, over the limit of {_MOST_PAGES:,}")
    total = 0
    for number in range(len(pdf)):
        page = pdf[number]
        text = page.get_textpage()
        total += text.count_chars()
        if total > most:
            raise ValueError(f"{total:,} characters, over the limit of {most:,}; raise it with --max-size")
        left, bottom, right, top = page.get_cropbox()
        lines = [(line.words, line.opens) for line in _lines(_runs(page, text))]
        size = {"width": round(_SCALE * (right - left)), "height": round(_SCALE * (top - bottom))}
        yield {**size, "lines": lines}
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
        box = (x - left, top - upper, right - left, top - y)
        yield _Sign(said, Box(*(round(_SCALE * place, 1) for place in box)))


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
