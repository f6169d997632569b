"""Documents taken through furniture and clauses alone."""

from __future__ import annotations

from hoyle.model import Document, Excerpt, Meta, Source
from hoyle.stages import clauses, furniture


def document(text: str, name: str = "x", excerpts=(), numbering=("detect",)) -> Document:
    """A document of a text, with an editor's excerpts (offset and number) if there are any."""
    stated = tuple(Excerpt(at, tuple(number.split("."))) for at, number in excerpts)
    source = Source(name, f"{name}.txt", text, "", len(text.encode()))
    return Document(source, Meta(id=name, excerpts=stated, numbering=numbering))


def structured(doc: Document) -> Document:
    """With its furniture and clauses found."""
    doc = doc.with_layer("furniture", furniture.find(doc))
    return doc.with_layer("clauses", clauses.find(doc))


def clause_starts(doc: Document) -> list[tuple[int, str]]:
    """Where each clause starts in the raw text, and its number."""
    return [(clause.spans[0].start, clause.n) for clause in doc.clauses]
