"""Validation: whether the layers of a document agree with each other and with its text.

The outputs rely on it. A document that fails is reported before any of it is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from hoyle.document import Amount, Condition, Document
from hoyle.document.text_layers import layer_text
from hoyle.errors import StageError
from hoyle.facets import concept, facets


def validate(document: Document) -> None:
    """Validate the layers of a document.

    Raises:
        StageError: the first error, with its offset (characters of the raw text) if it has one.
    """
    for message, offset in _errors(document):
        raise StageError(message, document=document.id, offset=offset)


def _errors(document: Document) -> Iterator[tuple[str, int | None]]:
    yield from _extents(document)
    blocks = [*document.units, *document.furniture]
    for ident, times in Counter(block.id for block in blocks).items():
        if times > 1:
            yield f"the id {ident!r} occurs {times} times", None
    yield from _statements(document, {block.id for block in blocks})
    for unit in document.units:
        layer_text(document, unit.spans, "corrected")  # raises if edits do not match
        layer_text(document, unit.spans, "modern")


def _statements(document: Document, ids: Collection[str]) -> Iterator[tuple[str, int | None]]:
    """Check that tags, conditions, amounts and references belong to existing units (``ids``)."""
    for tag in document.tags:
        if tag.unit not in ids:
            yield f"a tag of the facet {tag.facet} names the unit {tag.unit!r}, which does not exist", None
        if tag.facet not in facets():
            yield (
                f"a tag of {tag.unit!r} has the facet {tag.facet!r}, which is not in schemas/facets.toml",
                None,
            )
        elif concept(tag.facet, tag.value) is None:
            yield f"the {tag.facet} {tag.value!r} is not in its vocabulary", None
    items: tuple[Condition | Amount, ...] = (*document.conditions, *document.amounts)
    for item in items:
        if item.unit not in ids:
            kind = type(item).__name__.lower()
            yield f"the {kind} {item.text!r} names the unit {item.unit!r}, which does not exist", None
    for reference in document.references:
        if reference.unit not in ids or (reference.target and reference.target not in ids):
            yield (
                f"the reference {reference.text!r} points to {reference.target!r}, which does not exist",
                None,
            )


def _extents(document: Document) -> Iterator[tuple[str, int | None]]:
    """Check that every character except white space belongs to exactly one unit or furniture block."""
    text = document.source.text
    owned = bytearray(len(text))
    for block in (*document.units, *document.furniture):
        for start, end in block.spans:
            if not 0 <= start <= end <= len(text):
                yield f"{block.id} extends beyond the text", start
            elif any(owned[start:end]):
                yield f"{block.id} overlaps another unit", start
            owned[start:end] = b"\x01" * (end - start)
    for at, own in enumerate(owned):
        if not own and not text[at].isspace():
            yield f"the character {text[at]!r} belongs to no unit", at
            return
