"""The edition in TEI-XML: one file a document, from which its raw text can be rebuilt."""

from __future__ import annotations

from pathlib import Path

from hoyle.document import Document
from hoyle.errors import OutputError
from hoyle.tei.write import tei_bytes

__all__ = ["TeiOutput", "tei_bytes"]


class TeiOutput:
    """Writes ``tei/<document id>.xml`` below the folder of the build."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "tei"

    def add(self, document: Document) -> None:
        """Write the file of ``document``, whole or not at all.

        Raises:
            OutputError: it cannot be written, or the document is not sound.
        """
        path = self._folder / f"{document.id}.xml"
        if path.parent != self._folder or not document.id:
            raise OutputError("the id must be the name of a file, without a path", document=document.id)
        data = tei_bytes(document)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            raise OutputError(f"cannot write {path} ({error.strerror})", document=document.id) from error

    def close(self) -> None:
        """Nothing is left to do."""
