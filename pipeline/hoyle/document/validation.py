"""Whether the layers of a document agree with each other and with its text.

The outputs rely on it; a stage that breaks it is caught here, for one document, before anything
of that document is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from hoyle.document import Document
from hoyle.document.text_layers import read
from hoyle.errors import StageError
from hoyle.facets import concept, facets


def check(document: Document) -> None:
    """Raise if something in ``document`` does not hold.

    Raises:
        StageError: with the first fault, and its offset where it has one.
    """
    for message, offset in _faults(document):
        raise StageError(message, document=document.id, offset=offset)


def _faults(document: Document) -> Iterator[tuple[str, int | None]]:
    yield from _extents(document)
    blocks = [*document.units, *document.furniture]
    for ident, times in Counter(block.id for block in blocks).items():
        if times > 1:
            yield f"the id {ident!r} is given {times} times", None
    yield from _statements(document, {block.id for block in blocks})
    for unit in document.units:
        read(document, unit.spans, "corrected")  # raises where edits do not fit
        read(document, unit.spans, "modern")


def _statements(document: Document, ids: Collection[str]) -> Iterator[tuple[str, int | None]]:
    """Tags, conditions and references belong to units that are there (``ids``)."""
    for tag in document.tags:
        if tag.unit not in ids:
            yield f"a {tag.facet} is tagged in {tag.unit!r}, which is not there", None
        if tag.facet not in facets():
            yield f"{tag.facet!r} is tagged in {tag.unit!r}, which is no facet of schemas/facets.toml", None
        elif concept(tag.facet, tag.value) is None:
            yield f"the {tag.facet} {tag.value!r} is in no vocabulary", None
    for condition in document.conditions:
        if condition.unit not in ids:
            yield f"a condition is found in {condition.unit!r}, which is not there", None
    for reference in document.references:
        if reference.unit not in ids or (reference.target and reference.target not in ids):
            yield f"the reference {reference.text!r} leads to {reference.target!r}, which is not there", None


def _extents(document: Document) -> Iterator[tuple[str, int | None]]:
    """Every character that is no white space belongs to one unit or piece of furniture."""
    text = document.source.text
    owned = bytearray(len(text))
    for block in (*document.units, *document.furniture):
        for start, end in block.spans:
            if not 0 <= start <= end <= len(text):
                yield f"{block.id} leaves the text", start
            elif any(owned[start:end]):
                yield f"{block.id} overlaps another unit", start
            owned[start:end] = b"\x01" * (end - start)
    for at, own in enumerate(owned):
        if not own and not text[at].isspace():
            yield f"{text[at]!r} belongs to no unit", at
            return
