"""Files of one document in a folder of the build."""

from __future__ import annotations

import errno
from pathlib import Path

from hoyle.errors import OutputError

_OF_THE_NAME = {errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ}
"""Faults of the name of a file, not of the disk."""


class DocumentFolder:
    """A folder of a build with one or more files a document, named by the id of the document.

    Args:
        folder: the folder; it is created with the first file.
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
            OutputError: the id is no name of a file, or none that this disk takes.
            OSError: nothing can be written there.
        """
        path = self._folder / f"{document}{ending}"
        shown = f"{self._folder.name}/{path.name}"  # the build has a temporary name yet
        if path.parent != self._folder or not document:
            raise OutputError("the id must be the name of a file, without a path", document=document)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            if error.errno not in _OF_THE_NAME:
                raise  # the disk is full, say: no document can be written then
            raise OutputError(f"cannot write {shown} ({error.strerror})", document=document) from error
        except ValueError as error:
            raise OutputError(f"cannot write {shown} ({error})", document=document) from error
