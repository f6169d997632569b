"""Inputs: one file a format. ``INPUTS`` is the table of all; a plug-in adds one by ``hoyle.inputs``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from hoyle import plugins
from hoyle.errors import SourceError
from hoyle.inputs import (
    abbyy,
    alto,
    compressed,
    djvu_xml,
    docx,
    epub,
    hocr,
    html,
    odt,
    page_xml,
    pdf,
    tei,
    text,
    unreadable,
    zipped,
)


@dataclass(frozen=True, slots=True)
class Input:
    """A format of source files.

    Attributes:
        name: what it is called.
        suffixes: what the names of its files end with, in small letters (``.hocr``).
        decode: from the bytes of a file to its text: ``decode(data, name=…, encoding=…, max_bytes=…)``.
        accepts: whether the bytes of a file are of this format. An input without it takes every file
            with one of its suffixes that no other accepts.
        in_folders: whether such files are read where only their folder is named.
        places: whether the file has the places of words on the page; it then lends the reading order
            that they show to a text file of the same name.
        size: how many times the limit of a text its files may have, where they hold more than text.
    """

    name: str
    suffixes: tuple[str, ...]
    decode: Callable[..., text.DecodedText]
    accepts: Callable[[bytes], bool] | None = None
    in_folders: bool = True
    places: bool = False
    size: int = 1


TEXT = Input("text", (".txt", ".text", ".md"), text.decode)
TEI = Input("tei", (".tei",), tei.decode, tei.accepts, in_folders=False)
UNREADABLE = Input("unreadable", (".xml",), unreadable.decode, unreadable.accepts, in_folders=False)
"""What holds no text; its ``decode`` says what the file is and what to do with it."""

INPUTS = (
    Input("pdf", (".pdf",), pdf.decode, pdf.accepts, places=True, size=pdf.SIZE),
    Input("docx", (".docx",), docx.decode, docx.accepts, size=zipped.SIZE),
    Input("odt", (".odt",), odt.decode, odt.accepts, size=zipped.SIZE),
    Input("epub", (".epub",), epub.decode, epub.accepts, size=zipped.SIZE),
    Input("page", (".page.xml", ".page", ".xml"), page_xml.decode, page_xml.accepts, places=True),
    Input("alto", (".alto.xml", ".alto", ".xml"), alto.decode, alto.accepts, places=True),
    Input(
        "abbyy",
        (".abbyy.xml", "_abbyy.xml", "_abbyy", ".xml"),
        abbyy.decode,
        abbyy.accepts,
        places=True,
        size=abbyy.SIZE,
    ),
    Input("djvu-xml", (".djvu.xml", "_djvu.xml", ".xml"), djvu_xml.decode, djvu_xml.accepts, places=True),
    Input(
        "hocr",
        (".hocr", ".hocr.html", "_hocr.html", ".html", ".htm", ".xhtml"),
        hocr.decode,
        hocr.accepts,
        places=True,
    ),
    Input("html", (".html", ".htm", ".xhtml"), html.decode, html.accepts),
    TEI,
    UNREADABLE,
    TEXT,
)
"""Hoyle's own formats; the first that accepts a file reads it."""

_SIZE = max(one.size for one in INPUTS)
"""How many times the limit of a text any file may have."""


@cache
def inputs() -> tuple[Input, ...]:
    """Every format in the order in which they are tried: those of plug-ins, then Hoyle's own.

    Raises:
        PluginError: a plug-in cannot be used.
    """
    added = plugins.additions(plugins.INPUTS, Input, [one.name for one in INPUTS])
    return (*added.values(), *INPUTS)


def input_of(name: str, data: Callable[[], bytes]) -> Input:
    """The format that a file is read as: what its content says, or else the suffix of its name.

    Args:
        name: name of the file.
        data: gives the bytes of the file, unpacked; called once at most.

    Returns:
        The first input that accepts the content; without one, that whose suffix fits best (so that a
        broken file is refused by the reader of its kind); plain text where none fits.
    """
    content = data()
    accepted = (one for one in inputs() if one.accepts is not None and one.accepts(content))
    return next(accepted, None) or _by_suffix(name)


def _by_suffix(name: str) -> Input:
    """The input with the longest suffix that fits; of equals that of a plug-in, then the plainest format."""
    low = bare_name(name)
    fits = [
        (max(map(len, mine)), one not in INPUTS, at, one)
        for at, one in enumerate(inputs())
        if (mine := [suffix for suffix in one.suffixes if low.endswith(suffix)])
    ]
    return max(fits, key=lambda fit: fit[:3])[-1] if fits else TEXT


def bare_name(name: str) -> str:
    """The name of a file in small letters, without the suffix of a compression."""
    low = name.lower()
    return next((low.removesuffix(s) for s in compressed.SUFFIXES if low.endswith(s)), low)


def decode(
    data: bytes, *, name: str, encoding: str = "", max_bytes: int = text.MAX_BYTES
) -> text.DecodedText:
    """The text of a file of any format that is read, compressed or not.

    Args:
        data: the bytes of the file.
        name: its name; what it ends with is a hint where the content does not tell the format.
        encoding: the declared encoding of a text or HTML file; if empty, told by what the file holds.
        max_bytes: the limit of a text, in bytes.

    Raises:
        SourceError: too large, broken, empty, or of a kind without text; the message says what to do.
    """
    content = compressed.unpacked(data, name=name, max_bytes=largest(max_bytes))
    if not content.strip():
        raise SourceError("the file is empty; there is nothing to edit", document=name)
    form = input_of(name, lambda: content)
    read = form.decode(content, name=name, encoding=encoding, max_bytes=max_bytes)
    return read if content is data else replace(read, extracted=True)


def largest(max_bytes: int) -> int:
    """The size in bytes of the largest file of any format, if a text may have ``max_bytes``."""
    return _SIZE * max_bytes


def page_suffixes() -> tuple[str, ...]:
    """What the names of files with the places of words end with, the longest first."""
    found = {suffix for one in inputs() if one.places for suffix in one.suffixes}
    return tuple(sorted(found, key=lambda suffix: (-len(suffix), suffix)))


def suffixes() -> tuple[str, ...]:
    """What the names of files end with that are looked at in a folder."""
    return tuple(dict.fromkeys(suffix for one in inputs() if one.in_folders for suffix in one.suffixes))
