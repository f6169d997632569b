"""spaCy DocBin: a Doc a unit, with sentences, lemmas, and the tags as span groups.

The groups are called by facet (``game``, ``actor`` …), ``reference``, ``conditions`` and
``consequences``. A span's label is the id of the concept, its ``kb_id_`` the URI of the SKOS
vocabulary, its ``id_`` the rule it rests on; a condition and what it brings about have the same
``kb_id_``, the number of the condition in the unit. The
probabilities stand in ``group.attrs["confidence"]``. What is said of the whole unit is in
``doc.cats``, the id of the unit in ``doc.user_data["unit"]``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from hoyle.document import Clause, Condition, Document, Evidence, Reference, Span, Tag, group_by_unit
from hoyle.document.publication import publication_settings
from hoyle.outputs.files import DocumentFiles, Files
from hoyle.outputs.tokens import TokenUnit, token_units

if TYPE_CHECKING:
    from spacy.tokens import Doc

ATTRIBUTES = ("ORTH", "NORM", "LEMMA", "TAG", "SENT_START")


class DocBins(DocumentFiles):
    """Writes ``spacy/<document id>.spacy``; see :class:`hoyle.outputs.Output`."""

    subfolder = "spacy"

    @staticmethod
    def files(document: Document) -> Files:
        """See :meth:`DocumentFiles.files`."""
        return {".spacy": docbin(document)}


def docbin(document: Document) -> bytes:
    """The units of ``document`` as a DocBin (``DocBin().from_bytes(…).get_docs(vocab)``)."""
    from spacy.tokens import DocBin  # noqa: PLC0415 - spaCy only where it is needed

    return DocBin(attrs=ATTRIBUTES, store_user_data=True, docs=docs(document)).to_bytes()


def docs(document: Document) -> Iterator[Doc]:
    """The units of ``document`` that have text, as spaCy documents."""
    items: list[_Said] = [*document.tags, *document.references, *document.conditions]
    said = group_by_unit(items)
    for unit in token_units(document):
        yield _doc(unit, said.get(unit.unit.id, []))


_Said: TypeAlias = Tag | Reference | Condition


class _Found(NamedTuple):
    start: int
    end: int
    label: str
    link: str
    why: Evidence


def _doc(unit: TokenUnit, items: Sequence[_Said]) -> Doc:
    from spacy.tokens import Span as DocSpan  # noqa: PLC0415
    from spacy.tokens import SpanGroup  # noqa: PLC0415

    doc = unit.doc
    starts = {unit.tokens[start].index for start, _ in unit.sentences}
    for token in doc:
        token.is_sent_start = token.i in starts or token.i == 0
    doc.user_data.clear()
    kind = "clause" if isinstance(unit.unit, Clause) else unit.unit.kind
    doc.user_data.update({"unit": unit.unit.id, "kind": kind, "n": unit.unit.n})
    groups: dict[str, list[_Found]] = {}
    for group in ("cues", "conditions", "consequences", "relatives"):
        doc.spans.pop(group, None)
    for item, name, label, link, spans in _about(items):
        runs = unit.runs(spans)
        groups.setdefault(name, []).extend(_Found(a, b, label, link, item.why) for a, b in runs)
        if isinstance(item, Tag) and (item.main or not runs):
            doc.cats[f"{name}.{label}"] = max(doc.cats.get(f"{name}.{label}", 0.0), item.why.confidence)
    for name, found in groups.items():
        made = [DocSpan(doc, f.start, f.end, label=f.label, kb_id=f.link, span_id=f.why.by) for f in found]
        attrs = {"confidence": [f.why.confidence for f in found]}
        doc.spans[name] = SpanGroup(doc, name=name, attrs=attrs, spans=made)
    return doc


def _about(items: Sequence[_Said]) -> Iterator[tuple[_Said, str, str, str, Sequence[Span]]]:
    """Each item with its group, label, link and spans; a condition and its consequence apart."""
    conditions = 0
    for item in items:
        if isinstance(item, Condition):
            conditions += 1
            yield item, "conditions", "condition", str(conditions), item.spans
            yield item, "consequences", "consequence", str(conditions), item.then_spans
        elif isinstance(item, Reference):
            yield item, "reference", item.status, item.target, item.spans
        else:
            uri = f"{publication_settings().base}{item.facet}.{item.value}"
            yield item, item.facet, item.value, uri, item.spans
