"""Outputs: one file each. ``OUTPUTS`` is the table of all, in the order they are written."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from hoyle.document import Document
from hoyle.outputs.citations import Citations
from hoyle.outputs.conllu import Conllu
from hoyle.outputs.docbin import DocBins
from hoyle.outputs.epub import Epub
from hoyle.outputs.markdown import Markdown
from hoyle.outputs.plain_text import PlainText
from hoyle.outputs.ro_crate import Crate
from hoyle.outputs.site.writer import Site
from hoyle.outputs.tables import Tables
from hoyle.outputs.tei import TeiOutput
from hoyle.outputs.vocabularies import Vocabularies


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


OUTPUTS: tuple[type[Output], ...] = (
    TeiOutput,
    Tables,
    Vocabularies,
    Epub,
    Markdown,
    PlainText,
    Conllu,
    DocBins,
    Citations,
    Site,
    Crate,  # describes what all others wrote, so it comes last
)
