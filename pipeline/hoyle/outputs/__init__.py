"""Outputs: one file each. ``OUTPUTS`` is the table of all; a plug-in adds one by ``hoyle.outputs``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, runtime_checkable

from hoyle import plugins
from hoyle.document import Document
from hoyle.outputs.citations import Citations
from hoyle.outputs.conllu import Conllu
from hoyle.outputs.docbin import DocBins
from hoyle.outputs.epub import Epub
from hoyle.outputs.facsimiles import Facsimiles
from hoyle.outputs.markdown import Markdown
from hoyle.outputs.plain_text import PlainText
from hoyle.outputs.ro_crate import Crate
from hoyle.outputs.site.writer import Site
from hoyle.outputs.tables import Tables
from hoyle.outputs.tei import TeiOutput
from hoyle.outputs.vocabularies import Vocabularies


@runtime_checkable
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


OUTPUTS: Mapping[str, type[Output]] = MappingProxyType(
    {
        "facsimiles": Facsimiles,
        "tei": TeiOutput,
        "tables": Tables,
        "vocabularies": Vocabularies,
        "epub": Epub,
        "markdown": Markdown,
        "text": PlainText,
        "conllu": Conllu,
        "spacy": DocBins,
        "citations": Citations,
        "site": Site,
        "ro-crate": Crate,
    }
)
"""Hoyle's own outputs by name."""


@cache
def outputs() -> Mapping[str, type[Output]]:
    """Every output by name, in the order in which they are written.

    Those of plug-ins come after Hoyle's own, but before ``ro-crate``, which describes what all others wrote.

    Raises:
        PluginError: a plug-in cannot be used.
    """
    added = plugins.entries(plugins.OUTPUTS)
    for name, made in added.items():
        if name in OUTPUTS:
            raise plugins.unusable(plugins.OUTPUTS, name, "Hoyle has an output of that name")
        if not (isinstance(made, type) and issubclass(made, Output)):
            raise plugins.unusable(plugins.OUTPUTS, name, "must be a class with add(document) and close()")
    own = dict(OUTPUTS)
    last = own.pop("ro-crate")
    return MappingProxyType({**own, **added, "ro-crate": last})
