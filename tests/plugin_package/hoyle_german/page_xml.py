"""Files in PAGE XML, the format of Transkribus and OCR-D: the lines in the order of the file."""

from hoyle.errors import SourceError
from hoyle.inputs import Input
from hoyle.inputs.markup import local_name, parse
from hoyle.inputs.text import MAX_BYTES, DecodedText


def accepts(data: bytes) -> bool:
    """Whether a file is PAGE XML: its root says so, near the beginning."""
    return b"<PcGts" in data[:500]


def decode(data: bytes, *, name: str, encoding: str = "", max_bytes: int = MAX_BYTES) -> DecodedText:
    """The text of a file in PAGE XML.

    Raises:
        SourceError: it is no well-formed XML, too large, or has no line of text.
    """
    root = parse(data, name=name, max_bytes=max_bytes)
    lines = [element for element in root.iter() if local_name(element) == "TextLine"]
    texts = [child.text or "" for line in lines for child in line.iter() if local_name(child) == "Unicode"]
    if not any(texts):
        raise SourceError("has no line of text", document=name)
    return DecodedText("\n".join(texts) + "\n", "utf-8", extracted=True)


PAGE_XML = Input("page-xml", (".xml",), decode, accepts=accepts, in_folders=False)
