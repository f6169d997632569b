"""PDF with a text layer: characters with places, read by PDFium (the extra ``pdf``)."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec

from hoyle.errors import SourceError
from hoyle.inputs import pdfium
from hoyle.inputs.pages import Page, read_pages
from hoyle.inputs.text import MAX_BYTES, DecodedText, check_size

BY = "inputs/pdf"
_PROCESS = "from hoyle.inputs.pdfium import main; main()"
SIZE = 20
"""How many times the limit of a text the file may have: it may hold the images of the pages."""
_OCR = "`ocrmypdf -l fra FILE out.pdf` (rus for Russian) adds one"


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
    if not accepts(data):
        raise SourceError("is no PDF, though its name says so; if it is text, name it .txt", document=name)
    found = _pages(data, name, max_bytes)
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


def _pages(data: bytes, name: str, max_bytes: int) -> list[Page]:
    """The pages that a process of PDFium finds."""
    if find_spec("pypdfium2") is None:
        raise SourceError("is a PDF; to read it, pip install 'hoyle[pdf]'", document=name)
    command = [sys.executable, "-c", _PROCESS, str(max_bytes)]
    made = subprocess.run(command, input=data, capture_output=True, check=False)  # noqa: S603 - our own
    records = [json.loads(line) for line in made.stdout.splitlines()] if made.returncode == 0 else []
    if not records:
        message = (
            f"is a PDF that PDFium cannot read in {pdfium.MEMORY:,} bytes of memory; try `qpdf FILE out.pdf`"
        )
        raise SourceError(message, document=name)
    fault = records[-1].get("error", "")
    if "password" in fault.lower():
        raise SourceError(
            "is encrypted; take the password off with `qpdf --decrypt FILE out.pdf`", document=name
        )
    if "limit" in fault:
        raise SourceError(f"has {fault}", document=name)
    if fault:
        message = f"is a broken or cut PDF ({fault}); get it again, or try `qpdf FILE out.pdf`"
        raise SourceError(message, document=name)
    return [pdfium.page_of(record, number) for number, record in enumerate(records, 1)]
