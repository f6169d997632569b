"""The units of a document as spaCy docs, and back from tokens to the raw text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spacy.tokens import Doc

from hoyle.annotation.lemmas import has_tables
from hoyle.annotation.pipeline import collapse_whitespace, nlp_pipeline
from hoyle.document import Document, Span, Unit
from hoyle.document.text_layers import LayerText, layer_text
from hoyle.languages import Language


@dataclass(frozen=True)
class ParsedUnit:
    """A unit as a spaCy ``Doc``; ``offsets`` maps characters of the doc to those of the corrected text."""

    unit: Unit
    reading: LayerText
    doc: Doc
    offsets: Sequence[int]

    def to_raw(self, start: int, end: int) -> tuple[tuple[Span, ...], str]:
        """Map a range of tokens to the raw text.

        Args:
            start: the first token.
            end: the token after the last.

        Returns:
            The spans of the raw text and the corrected text; both are empty for an empty range.
        """
        if start >= end:
            return (), ""
        first, last = self.doc[start], self.doc[end - 1]
        low, high = self.offsets[first.idx], self.offsets[last.idx + len(last) - 1] + 1
        return self.reading.to_raw(Span(low, high)), self.doc[start:end].text


def parse_units(document: Document, language: Language) -> Iterator[ParsedUnit]:
    """Process every unit with text by the spaCy pipeline; the matches are in ``doc.spans["cues"]``.

    Args:
        document: the document with units and corrections.
        language: its language.

    Yields:
        The units in reading order; none for a language without tagging tables.
    """
    tables = language.cue_language
    if not has_tables(tables):
        return
    nlp = nlp_pipeline(tables)
    readings = [(unit, layer_text(document, unit.spans, "corrected")) for unit in document.units]
    kept = [(unit, reading) for unit, reading in readings if reading.text.strip()]
    collapsed = [collapse_whitespace(reading.text) for _, reading in kept]
    docs = nlp.pipe(text for text, _ in collapsed)
    for (unit, reading), (_, offsets), doc in zip(kept, collapsed, docs, strict=True):
        yield ParsedUnit(unit, reading, doc, offsets)
