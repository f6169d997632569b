"""Files that hold no text that can be read here: what each is, and the command that makes text of it."""

from __future__ import annotations

import json
import re
from typing import NamedTuple, NoReturn

from hoyle.errors import SourceError
from hoyle.inputs.markup import has_root, local_name, parse, root_of
from hoyle.inputs.text import MAX_BYTES

_OCR = "read it with `tesseract FILE page -l fra hocr` (rus for Russian)"
_UNPACK = "unpack it and name the folder"


class _Kind(NamedTuple):
    """How files of a kind begin, what they are, and what to do with them."""

    begins: re.Pattern[bytes]
    what: str
    advice: str


def _kind(begins: bytes, what: str, advice: str) -> _Kind:
    return _Kind(re.compile(begins, re.DOTALL), what, advice)


_KINDS = (
    _kind(rb"\s*\{\\rtf", "an RTF file", "convert it with `pandoc FILE -t plain --wrap=none -o text.txt`"),
    _kind(
        rb"level\tpage_num\tblock_num\t",
        "tesseract's table of words (TSV)",
        "give the hOCR: `tesseract scan.tif scan -l fra hocr`",
    ),
    _kind(
        rb"AT&TFORM",
        "a DjVu file",
        "take its text out with `djvutxt FILE text.txt`, or with places with `djvutoxml FILE text.xml`",
    ),
    _kind(rb"(?:II\*\0|MM\0\*)", "an image (TIFF)", _OCR),
    _kind(rb"\xff\xd8\xff", "an image (JPEG)", _OCR),
    _kind(rb"\x89PNG\r\n", "an image (PNG)", _OCR),
    _kind(rb"GIF8[79]a", "an image (GIF)", _OCR),
    _kind(rb"BM.{4}\0\0\0\0", "an image (BMP)", _OCR),
    _kind(rb"RIFF.{4}WEBP", "an image (WebP)", _OCR),
    _kind(
        rb"(?:\0\0\0\x0cjP  |\xff\x4f\xff\x51)",
        "an image (JPEG 2000)",
        "convert it with `opj_decompress -i FILE -o page.tif`, then " + _OCR,
    ),
    _kind(rb"Rar!\x1a\x07", "an archive (RAR)", _UNPACK),
    _kind(rb"7z\xbc\xaf\x27\x1c", "an archive (7z)", _UNPACK),
    _kind(rb".{257}ustar", "an archive (tar)", _UNPACK),
    _kind(rb"(?:\x1f\x8b|\xfd7zXZ\0|BZh\d)", "a compressed file in a compressed file", "unpack it twice"),
    _kind(
        rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "a Word file of before 2007, or of a kin",
        "save it as DOCX, or with `soffice --headless --convert-to docx FILE`",
    ),
    _kind(rb".{60}BOOKMOBI", "a Kindle book", "convert it with `ebook-convert FILE book.epub`"),
    _kind(rb"PK(?:\x03\x04|\x05\x06)", "an archive (ZIP), and no DOCX, ODT or EPUB", _UNPACK),
)


def accepts(data: bytes) -> bool:
    """Whether a file is known to hold no text, or is XML of an unknown kind, or JSON."""
    return (
        any(kind.begins.match(data) for kind in _KINDS)
        or data.lstrip().startswith(b"<?xml")
        or _is_json(data)
    )


def decode(data: bytes, *, name: str, encoding: str = "", max_bytes: int = MAX_BYTES) -> NoReturn:
    """Refuse a file.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        encoding: not used.
        max_bytes: the limit of a text.

    Raises:
        SourceError: always; it says what the file is, and which command makes text of it.
    """
    del encoding
    for kind in _KINDS:
        if kind.begins.match(data):
            raise SourceError(f"is {kind.what}; {kind.advice}", document=name)
    if _is_json(data):
        raise SourceError("is JSON, no text; give the text, or the OCR with places", document=name)
    root = root_of(data).rpartition("}")[2] or local_name(parse(data, name=name, max_bytes=max_bytes))
    what = f"is XML with the root <{root}>, which is not read"
    if has_root(data, "mets"):
        what = "is METS, a list of files; name the folder of the pages that it lists"
    known = "ALTO, PAGE, hOCR, FineReader XML, DjVu XML, TEI of Hoyle"
    raise SourceError(f"{what}; known are {known}", document=name)


def _is_json(data: bytes) -> bool:
    if not re.match(rb"\s*(?:\{\s*[\"}]|\[\s*[\[{\"])", data):
        return False
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True
