"""The citation that a page of the site shows: :mod:`hoyle.document.citation` with the page's address."""

from __future__ import annotations

from hoyle.document import Clause, Document
from hoyle.document.citation import Citation
from hoyle.document.citation import citation as cite

__all__ = ["Citation", "citation"]


def citation(document: Document, address: str, clause: Clause | None = None) -> Citation:
    """The citation of a document, or of one clause of it.

    Args:
        document: the document.
        address: of the page, relative to the site.
        clause: the clause, if only one is meant.
    """
    return cite(document, clause, address)
