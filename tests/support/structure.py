"""Documents taken through furniture and clauses alone."""

from __future__ import annotations

from hoyle.document import Document, Excerpt, Meta, Source
from hoyle.languages import UNDETERMINED, language
from hoyle.languages.detection import detect_language
from hoyle.layout.furniture import find_furniture
from hoyle.segmentation.clauses import segment


def document(text: str, name: str = "x", excerpts=(), numbering=("detect",)) -> Document:
    """A document of a text, with an editor's excerpts (offset and number) if there are any."""
    stated = tuple(Excerpt(at, tuple(number.split("."))) for at, number in excerpts)
    source = Source(name, f"{name}.txt", text, "", len(text.encode()))
    return Document(source, Meta(id=name, excerpts=stated, numbering=numbering))


def structured(doc: Document) -> Document:
    """With its language, furniture and clauses found."""
    doc = doc.with_layer("language", detect_language(doc, UNDETERMINED))
    doc = doc.with_layer("furniture", find_furniture(doc, language(doc.lang)))
    return doc.with_layer("clauses", segment(doc, language(doc.lang)))


def clause_starts(doc: Document) -> list[tuple[int, str]]:
    """Where each clause starts in the raw text, and its number."""
    return [(clause.spans[0].start, clause.n) for clause in doc.clauses]
