"""Outputs: one file each. ``OUTPUTS`` is the table of all, in the order they are written."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from hoyle.model import Document
from hoyle.outputs.site import Site
from hoyle.outputs.tables import Tables
from hoyle.outputs.tei import TeiOutput


class Output(Protocol):
    """Something that is made of annotated documents, one at a time.

    It is created with the folder of the whole build (empty at first, shown to the world only
    when all outputs are complete), is given each document once, and is closed at the end.
    It must not keep documents: memory may not grow with their number.
    """

    def __init__(self, folder: Path) -> None: ...

    def add(self, document: Document) -> None:
        """Write what belongs to ``document``."""

    def close(self) -> None:
        """Write what belongs to all documents together; later outputs may read it."""


OUTPUTS: tuple[type[Output], ...] = (TeiOutput, Tables, Site)
