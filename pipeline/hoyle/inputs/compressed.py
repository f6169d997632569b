"""Files compressed whole (gzip, xz, bzip2), as archive.org's ``_abbyy.gz``; unpacked up to a limit."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from io import BytesIO
from typing import IO, cast

from hoyle.errors import SourceError

SUFFIXES = (".gz", ".xz", ".bz2")


def _gzip(file: IO[bytes]) -> IO[bytes]:
    return cast("IO[bytes]", gzip.GzipFile(fileobj=file))


_MAGIC = (b"\x1f\x8b", b"\xfd7zXZ\0", b"BZh")
_OPENERS: tuple[Callable[[IO[bytes]], IO[bytes]], ...] = (_gzip, lzma.open, bz2.open)


def unpacked(data: bytes, *, name: str, max_bytes: int) -> bytes:
    """What a compressed file holds; the bytes as they are if it is none.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        max_bytes: unpack no more than that.

    Raises:
        SourceError: it is cut or broken, or unpacks to more.
    """
    for magic, opened in zip(_MAGIC, _OPENERS, strict=True):
        if data.startswith(magic):
            try:
                with opened(BytesIO(data)) as file:
                    found = file.read(max_bytes + 1)
            except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
                raise SourceError(f"is a broken or cut file ({error}); get it again", document=name) from None
            if len(found) > max_bytes:
                message = f"unpacks to more than {max_bytes:,} bytes; raise the limit with --max-size"
                raise SourceError(message, document=name)
            return found
    return data
