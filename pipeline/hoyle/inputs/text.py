"""Plain text of any encoding that can be detected without doubt.

Nothing is translated: the text encodes back to the very bytes of the file.
"""

from __future__ import annotations

import codecs
import unicodedata
from dataclasses import dataclass
from typing import NamedTuple

import chardet

from hoyle.document import PageLayout, Span
from hoyle.errors import SourceError

MAX_BYTES = 25_000_000
"""Largest source text read by default, in bytes: about 40 volumes in octavo."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_GUESSED = ("cp1251", "koi8-r", "mac-cyrillic", "cp866", "iso8859-5", "cp1252", "mac-roman", "cp850")
"""One-byte encodings of Russian and French texts; chardet distinguishes them by the statistics of letters."""
_CYRILLIC = frozenset("абвгдеёжзийклмнопрстуфхцчшщъыьэюяіѣѳѵ")
_ACCENTED = frozenset("àâæçèéêëîïôùûüœ")
_LEAST = {"Cyrillic": 50, "Latin": 10}
"""How many letters that are not ASCII a guess needs."""
_LIKELY = 0.9
"""The share of them that must be letters of the language; nearly all are, in the right encoding."""
_CONTROLS = frozenset(chr(c) for c in [*range(9), *range(14, 32), 127])


class OrderedSpan(NamedTuple):
    """A stretch of a text, the column it was printed in, and what says so."""

    span: Span
    column: str
    by: str


PAGE_BREAK = "\f"
"""Stands alone on a line between two pages of a text that was made of pages."""


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A text, the encoding it was in, and what a reader of it should know."""

    text: str
    encoding: str
    doubts: tuple[tuple[str, int], ...] = ()
    """Remarks, each with the offset in characters it is about."""
    flow: tuple[OrderedSpan, ...] = ()
    """The text in reading order, where the file shows another one than its own."""
    rules: tuple[Span, ...] = ()
    """Characters that represent the rule between two columns."""
    extracted: bool = False
    """Whether the text was made of marked-up words, so that it does not encode to the file."""
    pages: tuple[PageLayout, ...] = ()
    """The pages with the places of their words, where the file has them."""


def decode(data: bytes, *, name: str, encoding: str = "", max_bytes: int = MAX_BYTES) -> DecodedText:
    """Decode the bytes of a text file.

    Args:
        data: the bytes of the file.
        name: what to call the file in messages.
        encoding: the declared encoding; if empty, it is that of a byte-order mark, else UTF-8, else a
            one-byte encoding of Russian or French where the letters leave no doubt.
        max_bytes: refuse anything larger.

    Returns:
        The text, its encoding, and remarks on what a reader should know.

    Raises:
        SourceError: empty, too large, binary, or in an encoding that cannot be detected.
    """
    if not data.strip():
        raise SourceError("the file is empty; there is nothing to edit", document=name)
    check_size(len(data), name=name, max_bytes=max_bytes)
    text, used = _declared(data, name, encoding) if encoding else _detected(data, name)
    doubts = _encoding_doubts(data, used, declared=bool(encoding))
    if text.encode(used) != data:
        message = f"does not survive decoding as {used} and encoding again; convert it to UTF-8"
        raise SourceError(message, document=name)
    if not any(unicodedata.category(c)[0] in "LMNPS" for c in text):
        raise SourceError("the file holds nothing that can be read", document=name)
    return DecodedText(text, used, (*doubts, *_control_characters(text, name), *_line_ends(text)))


def check_size(size: int, *, name: str, max_bytes: int) -> None:
    """Refuse what is larger than the limit.

    Args:
        size: in bytes.
        name: what to call the file in messages.
        max_bytes: the limit.

    Raises:
        SourceError: it is larger.
    """
    if size > max_bytes:
        message = (
            f"{size:,} bytes, over the limit of {max_bytes:,}; split it into volumes, "
            "or raise the limit with --max-size"
        )
        raise SourceError(message, document=name)


def codec_name(encoding: str) -> str:
    """The name by which Python knows an encoding of texts.

    Raises:
        ValueError: there is no such encoding.
    """
    try:
        used = codecs.lookup(encoding).name
        "".encode(used)  # refuses what turns text into text, such as rot13
    except (LookupError, ValueError):  # ValueError: the codec "undefined", or a NUL in the name
        raise ValueError(f"unknown encoding {encoding!r}; say for instance utf-8, cp1251, koi8-r") from None
    return used


def _declared(data: bytes, name: str, encoding: str, why: str = "as declared") -> tuple[str, str]:
    try:
        used = codec_name(encoding)
    except ValueError as error:
        raise SourceError(str(error), document=name) from None
    bom, exact = next(((b, e) for b, e in _BOMS if data.startswith(b)), (b"", used))
    if bom and used in {"utf-16", "utf-32", "utf-8-sig", exact}:
        used = exact
    try:
        return data.decode(used), used
    except UnicodeDecodeError as error:
        byte = f"byte {error.start} ({data[error.start]:#04x})"
        raise SourceError(f"is not {used} {why}: {byte}, {error.reason}", document=name) from None


def _detected(data: bytes, name: str) -> tuple[str, str]:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _declared(data, name, encoding, "as its byte-order mark says")
    try:
        return data.decode(), "utf-8"
    except UnicodeDecodeError as error:
        at = error.start
    if 0 in data:
        message = (
            f"a binary file, or UTF-16 without a mark (byte {data.index(0)} is zero); "
            "give the plain text of the OCR, or declare its encoding"
        )
        raise SourceError(message, document=name)
    if guessed := _guess(data):
        return data.decode(guessed), guessed
    message = (
        f"is not UTF-8 at byte {at} ({data[at]:#04x}), and no other encoding is certain; tried: utf-16 with "
        f"a byte-order mark, {', '.join(_GUESSED)}; declare the encoding with --encoding or in meta.toml"
    )
    raise SourceError(message, document=name)


def _guess(data: bytes) -> str:
    """The one-byte encoding of a Russian or French text; empty if there is any doubt."""
    valid = sum(not c.isascii() for c in data.decode(errors="ignore"))
    if valid > data.decode(errors="replace").count("\ufffd"):
        return ""  # UTF-8 with some broken bytes
    found = chardet.detect(data, include_encodings=_GUESSED, compat_names=False)["encoding"] or ""
    try:
        text = data.decode(found)
    except (LookupError, UnicodeDecodeError):
        return ""
    letters = [c for c in text.lower() if not c.isascii() and c.isalpha()]
    for script, expected in (("Cyrillic", _CYRILLIC), ("Latin", _ACCENTED)):
        if sum(c in expected for c in letters) >= max(_LEAST[script], _LIKELY * len(letters)):
            return codecs.lookup(found).name
    return ""


def _encoding_doubts(data: bytes, used: str, *, declared: bool) -> tuple[tuple[str, int], ...]:
    """A remark on an encoding that was guessed, or that the text speaks against."""
    if data.isascii() or used.startswith("utf"):
        return ()
    try:
        likely = data.decode() and "utf-8"
    except UnicodeDecodeError:
        likely = _guess(data)
    if not declared:
        return ((f"read as {used}, which its letters speak for; declare the encoding if that is wrong", 0),)
    if likely and data.decode(likely, "replace") != data.decode(used, "replace"):
        return ((f"read as {used}, as declared, but its letters speak for {likely}", 0),)
    return ()


def _control_characters(text: str, name: str) -> tuple[tuple[str, int], ...]:
    found = [i for i, c in enumerate(text) if c in _CONTROLS]
    if not found:
        return ()
    if len(found) > len(text) * 0.05:
        message = f"a binary file: {len(found):,} of its {len(text):,} characters are controls"
        raise SourceError(message, document=name, offset=found[0])
    first = f"U+{ord(text[found[0]]):04X}"
    return ((f"{len(found)} control characters are kept, the first {first}", found[0]),)


def _line_ends(text: str) -> tuple[tuple[str, int], ...]:
    """A remark on signs that end lines in some programs and are not taken for line ends here."""
    for sign, name in (("\r", "carriage returns"), ("\x85", "NEL signs"), ("\u2028", "line separators")):
        lone = text.replace("\r\n", "  ").find(sign)
        if lone >= 0 and text.count(sign) > text.count("\n"):
            return ((f"lines end with {name}, which are not seen as line ends; convert them", lone),)
    return ()
