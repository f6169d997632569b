"""TEI files, read back into the documents they were made of (see :mod:`hoyle.tei.read`)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from hoyle.document import Document
from hoyle.errors import SourceError
from hoyle.inputs.markup import has_root
from hoyle.inputs.text import MAX_BYTES
from hoyle.tei.read import read_document

__all__ = ["accepts", "decode", "read_document", "read_tei"]


def read_tei(path: Path) -> Document:
    """The document in the TEI file at ``path``, with all its layers.

    Raises:
        SourceError: the file cannot be read, is no TEI file of Hoyle, or its raw text is incomplete.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", document=str(path)) from error
    document = read_document(data, name=path.name)
    return replace(document, source=replace(document.source, folder=str(path.resolve().parent)))


def accepts(data: bytes) -> bool:
    """Whether a file is TEI."""
    return has_root(data, "TEI") or has_root(data, "teiCorpus")


def decode(data: bytes, *, name: str, encoding: str = "", max_bytes: int = MAX_BYTES) -> NoReturn:
    """Refuse TEI as a source: it is an edition already, or not one of Hoyle's.

    Args:
        data: not used.
        name: what to call it in messages.
        encoding: not used.
        max_bytes: not used.

    Raises:
        SourceError: always.
    """
    del data, encoding, max_bytes
    message = "is TEI, and no source; `hoyle verify` and `hoyle build --from-tei` read editions of Hoyle"
    raise SourceError(message, document=name)
