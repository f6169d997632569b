"""The one family of errors Hoyle raises on purpose.

A message is written for the person at the command line: it names the document
(or file and line), the offset in characters where there is one, and what to do.
"""

from __future__ import annotations


class HoyleError(Exception):
    """Something in the input or the set-up that the user can put right.

    Args:
        message: what is wrong and what to do about it.
        document: id of the document or name of the file concerned, if any.
        offset: where in the source text, in characters, if it is known.
    """

    def __init__(self, message: str, *, document: str = "", offset: int | None = None) -> None:
        self.message = message
        self.document = document
        self.offset = offset
        super().__init__(message, document, offset)

    def __str__(self) -> str:
        where = self.document
        if self.offset is not None:
            where += f" at character {self.offset}"
        return f"{where}: {self.message}" if where else self.message


class UnknownUnitError(HoyleError, KeyError):
    """A document has no clause of this number, and no unit of this id."""


class SourceError(HoyleError):
    """A source text that cannot be read (encoding, size, checksum, nothing in it)."""


class TableError(HoyleError):
    """A table or settings file of the project or of a corpus folder is broken."""


class StageError(HoyleError):
    """A stage could not do its work on a document."""


class OutputError(HoyleError):
    """An output cannot be written, or a written one does not hold what it must."""
