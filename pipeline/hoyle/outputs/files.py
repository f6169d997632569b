"""Outputs of files that each rest on one document alone."""

from __future__ import annotations

import errno
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, TypeAlias

from hoyle.document import Document
from hoyle.errors import OutputError

_OF_THE_NAME = {errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ}
"""Faults of the name of a file, not of the disk."""

Files: TypeAlias = Mapping[str, bytes]
"""What files of a document hold, by what follows its id in their names (``.epub``)."""


def checksum(path: Path) -> str:
    """The SHA-256 checksum of a file, in hexadecimal digits.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class DocumentFiles(ABC):
    """An output of files named by the id of their document; see :class:`hoyle.outputs.Output`.

    Its files are made by the process that annotates the document, and kept in the cache with it.

    Args:
        folder: of the whole build.
    """

    subfolder: ClassVar[str]
    """The folder of the build that holds the files; it is created with the first of them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / self.subfolder

    @staticmethod
    @abstractmethod
    def files(document: Document) -> Files:
        """The files of a document.

        Args:
            document: with all its layers.

        Raises:
            HoyleError: they cannot be made of it.
        """

    def add(self, document: Document) -> None:
        """Make and write the files of ``document``; see :meth:`write`."""
        self.write(document.id, self.files(document))

    def write(self, document: str, files: Files) -> None:
        """Write the files of a document.

        Args:
            document: its id.
            files: what :meth:`files` made.

        Raises:
            OutputError: the id is no name of a file, or none that this disk takes.
            OSError: nothing can be written there.
        """
        for ending, data in files.items():
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

    def close(self) -> None:  # noqa: B027 - nothing is left to do, and no output must
        """Every file is complete when its document is added."""
