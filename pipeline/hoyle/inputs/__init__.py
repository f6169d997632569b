"""Inputs: one file a format. ``INPUTS`` is the table of all; a plug-in adds one by ``hoyle.inputs``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from hoyle import plugins
from hoyle.inputs import alto, hocr, text, xml_formats


@dataclass(frozen=True, slots=True)
class Input:
    """A format of source files.

    Attributes:
        name: what it is called.
        suffixes: what the names of its files end with, in small letters (``.hocr``).
        decode: from the bytes of a file to its text: ``decode(data, name=…, encoding=…, max_bytes=…)``.
        accepts: whether the bytes of a file are of this format, where its suffix does not say so; a
            file of another format with this suffix goes to the next input that accepts it.
        in_folders: whether such files are read where only their folder is named.
        places: whether the file has the places of words on the page; it then lends the reading order
            that they show to a text file of the same name.
    """

    name: str
    suffixes: tuple[str, ...]
    decode: Callable[..., text.DecodedText]
    accepts: Callable[[bytes], bool] | None = None
    in_folders: bool = True
    places: bool = False


TEXT = Input("text", (".txt", ".text", ".md"), text.decode)
MARKUP = Input("markup", (".xml", ".html", ".htm", ".xhtml"), xml_formats.decode, in_folders=False)
"""XML and HTML of which only the root tells what they are."""

INPUTS = (
    TEXT,
    Input("hocr", (".hocr",), hocr.decode, places=True),
    Input("alto", (".alto", ".alto.xml"), alto.decode, places=True),
    MARKUP,
)
"""Hoyle's own formats; of two whose suffix fits the name of a file, the first is taken."""


@cache
def inputs() -> tuple[Input, ...]:
    """Every format in the order in which they are tried: those of plug-ins, then Hoyle's own.

    Raises:
        PluginError: a plug-in cannot be used.
    """
    added = plugins.additions(plugins.INPUTS, Input, [one.name for one in INPUTS])
    return (*added.values(), *INPUTS)


def input_of(name: str, data: Callable[[], bytes]) -> Input:
    """The format that a file is read as; plain text where no suffix fits its name.

    Args:
        name: name of the file.
        data: gives the bytes of the file; called only if its name does not tell the format.
    """
    low = name.lower()
    for one in inputs():
        if low.endswith(one.suffixes) and (one.accepts is None or one.accepts(data())):
            return one
    return TEXT


def page_suffixes() -> tuple[str, ...]:
    """What the names of files with the places of words end with."""
    return tuple(suffix for one in inputs() if one.places for suffix in one.suffixes)


def is_source(name: str) -> bool:
    """Whether a file in a folder is taken for a source: XML and HTML only under names that say so."""
    return name.lower().endswith(tuple(s for one in inputs() if one.in_folders for s in one.suffixes))
