"""How to cite a document or a clause: Chicago style and BibTeX."""

from __future__ import annotations

from dataclasses import dataclass

from hoyle import __version__
from hoyle.model import Clause, Document

_TEX = str.maketrans(
    {c: f"\\{c}" for c in "{}%&$#_"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}
)


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation ready to be copied."""

    chicago: str
    bibtex: str


def citation(document: Document, address: str, clause: Clause | None = None) -> Citation:
    """The citation of a document, or of one clause of it.

    Args:
        document: the document.
        address: of the page, relative to the site.
        clause: the clause, if only one is meant.
    """
    meta, source = document.meta, document.source
    edition = f"Hoyle edition, version {__version__}, source {source.sha256[:12]}"
    part = (
        f"clause {clause.n}" + (f" (series {clause.series})" if clause and clause.series > 1 else "")
        if clause
        else ""
    )
    facts = [
        meta.author,
        f"“{part[0].upper()}{part[1:]}”" if part else "",
        meta.name,
        meta.publisher,
        meta.date,
        edition,
    ]
    ending = f"{clause.id if clause else document.id}, {address}"
    chicago = ". ".join(f.rstrip(".") for f in facts if f) + f". {ending}."
    key = (clause.id if clause else document.id).replace(".", ":")
    fields = {
        "author": meta.author,
        "title": f"{part[0].upper()}{part[1:]}" if part else meta.name,
        "booktitle": meta.name if part else "",
        "publisher": meta.publisher,
        "year": meta.date,
        "note": f"{edition}, {ending}",
    }
    lines = [f"  {name} = {{{value.translate(_TEX)}}}," for name, value in fields.items() if value]
    kind = "incollection" if part else "book"
    return Citation(chicago, "\n".join([f"@{kind}{{{key},", *lines, "}"]))
