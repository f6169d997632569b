"""Inputs: one file a format. ``INPUTS`` maps a file's suffix to what reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from hoyle.inputs import alto, hocr, text
from hoyle.inputs import xml_formats as sniff

INPUTS: Mapping[str, Callable[..., text.Read]] = MappingProxyType(
    {
        ".txt": text.decode,
        ".text": text.decode,
        ".md": text.decode,
        ".hocr": hocr.decode,
        ".alto": alto.decode,
        ".xml": sniff.decode,
        ".html": sniff.decode,
        ".htm": sniff.decode,
        ".xhtml": sniff.decode,
    }
)
"""Reads the bytes of a file: ``INPUTS[suffix](data, name=…, encoding=…)``."""

PAGE_SUFFIXES = (".hocr", ".alto", ".alto.xml")
"""What names of files with the places of words end with."""

TEXT_SUFFIXES = (".txt", ".text", ".md")


def is_source(name: str) -> bool:
    """Whether a file in a folder is taken for a source: XML and HTML only under names that say so."""
    return name.lower().endswith((*TEXT_SUFFIXES, *PAGE_SUFFIXES))
