"""XML and HTML files of which only the root tells what they are."""

from __future__ import annotations

from io import BytesIO

from lxml import etree

from hoyle.errors import SourceError
from hoyle.inputs import alto, hocr
from hoyle.inputs.markup import parse_markup, root_format
from hoyle.inputs.text import MAX_BYTES, DecodedText

_READERS = {"alto": alto.decode, "hocr": hocr.decode}


def decode(data: bytes, *, name: str, encoding: str = "", max_bytes: int = MAX_BYTES) -> DecodedText:
    """The text of an hOCR or ALTO file.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        encoding: of HTML that does not declare one; if empty, it is detected.
        max_bytes: refuse anything larger.

    Raises:
        SourceError: if it is neither, or what :func:`hoyle.inputs.hocr.decode` refuses.
    """
    kind = root_format(parse_markup(data, name=name, encoding=encoding, max_bytes=max_bytes).root)
    if kind == "hocr" and b"ocr_" not in data:
        kind = ""
    if kind not in _READERS:
        is_tei = "is TEI; `hoyle verify` reads that" if kind == "tei" else "is neither hOCR nor ALTO"
        raise SourceError(f"{is_tei}; give the OCR as text, hOCR or ALTO", document=name)
    return _READERS[kind](data, name=name, encoding=encoding, max_bytes=max_bytes)


def is_page(data: bytes) -> bool:
    """Whether an XML file is hOCR or ALTO by its root; only its beginning is looked at."""
    try:
        _, root = next(iter(etree.iterparse(BytesIO(data), events=("start",), resolve_entities=False)))
    except (etree.XMLSyntaxError, StopIteration):
        return False
    return root_format(root) in _READERS
