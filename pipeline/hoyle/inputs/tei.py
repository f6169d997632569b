"""TEI files, read back into the documents they were made of (see :mod:`hoyle.tei.read`)."""

from __future__ import annotations

from pathlib import Path

from hoyle.document import Document
from hoyle.errors import SourceError
from hoyle.tei.read import read_document

__all__ = ["read_document", "read_tei"]


def read_tei(path: Path) -> Document:
    """The document in the TEI file at ``path``, with all its layers.

    Raises:
        SourceError: the file cannot be read, is no TEI file of Hoyle, or its raw text is incomplete.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", document=str(path)) from error
    return read_document(data, name=path.name)
