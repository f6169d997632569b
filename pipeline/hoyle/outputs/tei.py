"""The edition in TEI-XML: one file a document, from which its raw text can be rebuilt."""

from __future__ import annotations

from pathlib import Path

from hoyle.document import Document
from hoyle.outputs.files import DocumentFolder
from hoyle.tei.write import tei_bytes

__all__ = ["TeiOutput", "tei_bytes"]


class TeiOutput:
    """Writes ``tei/<document id>.xml`` below the folder of the build."""

    def __init__(self, folder: Path) -> None:
        self._folder = DocumentFolder(folder / "tei")

    def add(self, document: Document) -> None:
        """Write the file of ``document``.

        Raises:
            OutputError: the id is no name of a file, or the document is not sound.
        """
        self._folder.write(document.id, ".xml", tei_bytes(document))

    def close(self) -> None:
        """Nothing is left to do."""
