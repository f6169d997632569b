"""Files that are ZIP archives of XML: DOCX, ODT, EPUB; read without harm."""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO

from hoyle.errors import SourceError
from hoyle.inputs.text import check_size

SIZE = 20
"""How many times the limit of a text such a file may have: it may hold the images of the pages."""


class Archive:
    """A ZIP archive from which members are read up to a limit.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        max_bytes: the limit of the file, and of all that is read from it together, in bytes.

    Raises:
        SourceError: it is too large or broken.
    """

    def __init__(self, data: bytes, *, name: str, max_bytes: int) -> None:
        self.name = name
        check_size(len(data), name=name, max_bytes=max_bytes)
        if not data.startswith(b"PK"):
            raise SourceError("is not what its name says; if it is text, name it .txt", document=name)
        self._left = self._limit = max_bytes
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OSError) as error:
            raise SourceError(f"is a broken or cut file ({error}); get it again", document=name) from None
        self.names = frozenset(self._zip.namelist())

    def read(self, member: str) -> bytes:
        """The bytes of a member.

        Raises:
            SourceError: it is not there, is broken or encrypted, or more than the limit is read.
        """
        try:
            with self._zip.open(member) as file:
                found = file.read(self._left + 1)
        except KeyError:
            raise SourceError(f"has no {member} inside; get it again", document=self.name) from None
        # NotImplementedError, a RuntimeError, is of a compression that is not known.
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as error:
            message = f"{member} inside is broken ({error}); get the file again"
            raise SourceError(message, document=self.name) from None
        except RuntimeError:
            raise SourceError("is encrypted; save it without a password", document=self.name) from None
        if len(found) > self._left:
            message = f"unpacks to more than {self._limit:,} bytes; raise the limit with --max-size"
            raise SourceError(message, document=self.name)
        self._left -= len(found)
        return found


def members(data: bytes) -> frozenset[str]:
    """The names of what is in a ZIP archive; none if it is no archive or a broken one."""
    if not data.startswith(b"PK\x03\x04"):
        return frozenset()
    try:
        return frozenset(zipfile.ZipFile(BytesIO(data)).namelist())
    except (zipfile.BadZipFile, ValueError, OSError):
        return frozenset()


def begins_as(data: bytes, member: str) -> bool:
    """Whether an archive, even a broken one, names a member near its beginning.

    Args:
        data: the bytes of a file.
        member: the name of the member.
    """
    return data.startswith(b"PK\x03\x04") and member.encode() in data[:4096]
