"""The text of documents that have paragraphs and no places: HTML, EPUB, DOCX, ODT."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from hoyle.errors import SourceError
from hoyle.inputs.text import MAX_BYTES, PAGE_BREAK, DecodedText, check_size

_BLANK = re.compile(r"[ \t\r\f\v]+")
# XML names that stand for characters no text file has; soft hyphens are kept, they are in the print.
_INVISIBLE = str.maketrans("", "", "\u200b\u2060\ufeff")


def read_paragraphs(
    paragraphs: Iterable[str],
    *,
    name: str,
    doubts: Sequence[str] = (),
    max_bytes: int = MAX_BYTES,
) -> DecodedText:
    """The text of paragraphs, an empty line between them.

    Args:
        paragraphs: their texts, in which a line feed ends a line and other white space is as good as a
            blank; :data:`PAGE_BREAK` alone where a page ends.
        name: what to call the file in messages.
        doubts: what a reader of the file should know.
        max_bytes: refuse a text that is longer, in characters.

    Raises:
        SourceError: there is no text, or it is too long.
    """
    text: list[str] = []
    length, broken = 0, False
    for paragraph in paragraphs:
        if paragraph == PAGE_BREAK:
            broken = bool(text)
            continue
        lines = [_BLANK.sub(" ", line).strip() for line in paragraph.translate(_INVISIBLE).split("\n")]
        bare = "\n".join(lines).strip("\n")
        if not bare:
            continue
        lead = f"{PAGE_BREAK}\n" if broken else "\n" if text else ""
        text.append(f"{lead}{bare}\n")
        length, broken = length + len(text[-1]), False
        check_size(length, name=name, max_bytes=max_bytes)
    if not text:
        raise SourceError("holds no text; if it shows images of pages, give their OCR", document=name)
    return DecodedText("".join(text), "utf-8", tuple((doubt, 0) for doubt in doubts), extracted=True)


def numbers_lost(count: int, what: str, command: str) -> tuple[str, ...]:
    """A remark on numbers that the program counts and the file does not hold; none if ``count`` is 0.

    Args:
        count: how many paragraphs are numbered so.
        what: the program that numbers them.
        command: a command that writes the numbers out.
    """
    if not count:
        return ()
    message = (
        f"{count} paragraphs are numbered by {what}; the file and so the text lacks their numbers; "
        f"`{command}` writes them out"
    )
    return (message,)
