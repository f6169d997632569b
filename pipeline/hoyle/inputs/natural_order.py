"""The order in which people count files: ``page 2`` before ``page 10``."""

from __future__ import annotations

import re
from pathlib import Path

_NUMBER = re.compile(r"([0-9]+)")


def natural(path: Path) -> list[list[str | int]]:
    """The key of natural order: ``page 2`` before ``page 10``, the files of a folder together."""
    return [
        [int(part) if part.isdigit() else part for part in _NUMBER.split(name.casefold())]
        for name in path.parts
    ]
