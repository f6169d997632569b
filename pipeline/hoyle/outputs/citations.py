"""How to cite every document and clause: ``citations.json`` (CSL-JSON) and ``citations.bib``."""

from __future__ import annotations

import json
from pathlib import Path

from hoyle.document import Document
from hoyle.document.citation import make_citation
from hoyle.errors import OutputError

NAMES = ("citations.json", "citations.bib")


class Citations:
    """Writes the citations of a build, document by document; see :class:`hoyle.outputs.Output`."""

    def __init__(self, folder: Path) -> None:
        self._json, self._bib = (folder / name for name in NAMES)
        self._empty = True
        _append(self._json, "[")
        _append(self._bib, "")

    def add(self, document: Document) -> None:
        """Append the citations of ``document`` and of its clauses.

        Raises:
            OutputError: they cannot be written.
        """
        made = [make_citation(document), *(make_citation(document, clause) for clause in document.clauses)]
        items = [json.dumps(one.csl, ensure_ascii=False) for one in made]
        _append(self._json, ("\n" if self._empty else ",\n") + ",\n".join(items))
        _append(self._bib, "".join(f"{one.bibtex}\n\n" for one in made))
        self._empty = False

    def close(self) -> None:
        """Finish the list."""
        _append(self._json, "\n]\n")


def _append(path: Path, text: str) -> None:
    try:
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise OutputError(f"cannot be written ({error.strerror})", document=path.name) from error
