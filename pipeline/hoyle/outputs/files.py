"""Files of one document in a folder of the build."""

from __future__ import annotations

from pathlib import Path

from hoyle.errors import OutputError


class Shelf:
    """A folder of a build that has one file (or a few) a document, named by the document's id.

    Args:
        folder: the folder; it is made when the first file comes.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, document: str, ending: str, data: bytes) -> None:
        """Write the file of a document.

        Args:
            document: id of the document.
            ending: what follows the id in the name of the file (``.epub``).
            data: the whole file.

        Raises:
            OutputError: it cannot be written, or the id is no name of a file.
        """
        path = self._folder / f"{document}{ending}"
        if path.parent != self._folder or not document:
            raise OutputError("the id must be the name of a file, without a path", document=document)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except (OSError, ValueError) as error:
            raise OutputError(f"cannot write {path} ({error})", document=document) from error
