"""Units as tokens of the corrected text, for linguistic formats: sentences, lemmas, raw places, modern forms.

Tokens and lemmas are those of the tagging pipeline; a language that has none is split at spaces
and punctuation. spaCy is imported only when tokens are asked for.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hoyle.document import Clause, Document, Edit, Span, Unit
from hoyle.document.text_layers import LayerText, layer_text

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_STOPS = frozenset(".!?…")
_CLOSING = frozenset("»”\"'’)]")
_POS = {
    **dict.fromkeys(("N", "NA"), "NOUN"),
    **dict.fromkeys(("V", "V3P", "INF", "FUT", "PA", "PAT"), "VERB"),
    **dict.fromkeys((".", ","), "PUNCT"),
}
"""Universal parts of speech by the word classes of :mod:`hoyle.annotation.lemmas`; ``X`` may be any."""


class Ranges:
    """Maps raw spans to characters of a layer's text (``LayerText.to_raw`` maps them back)."""

    def __init__(self, reading: LayerText) -> None:
        self._pieces = sorted(reading.segments, key=lambda piece: piece.raw)
        self._ends = [piece.raw.end for piece in self._pieces]

    def of(self, raw: Span) -> list[Span]:
        """The ranges of the reading that show the raw characters ``raw``, in raw order."""
        found: list[Span] = []
        for piece in self._pieces[bisect_right(self._ends, raw.start) :]:
            if piece.raw.start >= raw.end:
                break
            low, high = piece.at, piece.at + len(piece.text)
            if piece.unchanged:
                high = low + min(raw.end, piece.raw.end) - piece.raw.start
                low += max(raw.start, piece.raw.start) - piece.raw.start
            if low >= high:
                continue
            if found and found[-1].end == low:
                found[-1] = Span(found[-1].start, high)
            else:
                found.append(Span(low, high))
        return found


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its place in the doc, in the corrected reading and in the raw text.

    ``modern`` is its form in modern spelling; where one change takes in several tokens, the first
    of them has the whole form and the others the empty one.
    """

    index: int
    at: Span
    raw: tuple[Span, ...]
    text: str
    modern: str


@dataclass(frozen=True)
class TokenUnit:
    """A unit and its tokens; ``sentences`` are half-open ranges of ``tokens``."""

    unit: Unit
    doc: Doc
    tokens: Sequence[Token]
    sentences: Sequence[tuple[int, int]]
    ranges: Ranges

    def lemma(self, token: Token) -> str:
        """The lemma of a token, a cue key; of a number the number, for which the matcher has ``0``.

        It is empty where the language has no lemmas.
        """
        return token.text if token.text.isdigit() else self.doc[token.index].lemma_

    def pos(self, token: Token) -> str:
        """The part of speech of a token as Universal Dependencies call it; empty where it is not known."""
        if token.text.isdigit():
            return "NUM"
        return _POS.get(self.doc[token.index].tag_, "")

    def runs(self, spans: Sequence[Span]) -> list[tuple[int, int]]:
        """Ranges of tokens of the doc that have a share in the raw ``spans``; neighbours joined."""
        hit: set[int] = set()
        for start, end in (r for span in spans for r in self.ranges.of(span)):
            first = bisect_right(self.tokens, start, key=lambda token: token.at.end)
            last = bisect_left(self.tokens, end, key=lambda token: token.at.start)
            hit.update(token.index for token in self.tokens[first:last])
        found: list[tuple[int, int]] = []
        for index in sorted(hit):
            if found and found[-1][1] == index:
                found[-1] = (found[-1][0], index + 1)
            else:
                found.append((index, index + 1))
        return found


def token_units(document: Document) -> Iterator[TokenUnit]:
    """Every unit that has text, in reading order."""
    from hoyle.annotation.pipeline import collapse_whitespace  # noqa: PLC0415 - spaCy only where it is needed

    nlp = _pipeline(document.lang)
    idle = [name for name in nlp.pipe_names if name == "cues"]  # the tags are known by now
    readings = [(unit, layer_text(document, unit.spans, "corrected")) for unit in document.units]
    kept = [
        (unit, reading, *collapse_whitespace(reading.text))
        for unit, reading in readings
        if reading.text.strip()
    ]
    docs = nlp.pipe((text for *_, text, _ in kept), disable=idle)
    for (unit, reading, _, places), doc in zip(kept, docs, strict=True):
        ranges = Ranges(reading)
        tokens = list(_tokens(document, unit, reading, doc, places))
        cut = list(_sentences(doc, tokens, unit))
        yield TokenUnit(unit, doc, tokens, cut, ranges)


def lemmas(text: str, lang: str) -> str:
    """Return the lemmas of some words, with a space between two.

    Args:
        text: corrected text.
        lang: tag of its language.

    Returns:
        The lemmas as :meth:`TokenUnit.lemma` has them; empty for a language without lemmas.
    """
    from hoyle.annotation.pipeline import collapse_whitespace  # noqa: PLC0415

    nlp = _pipeline(lang)
    idle = [name for name in ("scopes", "cues") if nlp.has_pipe(name)]
    doc = nlp(collapse_whitespace(text)[0], disable=idle)
    found = (token.text if token.text.isdigit() else token.lemma_ for token in doc if not token.is_space)
    return " ".join(filter(None, found))


def _pipeline(tag: str) -> Language:
    import spacy  # noqa: PLC0415

    from hoyle.annotation.lemmas import has_tables  # noqa: PLC0415
    from hoyle.annotation.pipeline import nlp_pipeline  # noqa: PLC0415
    from hoyle.languages import language  # noqa: PLC0415

    tables = language(tag).cue_language
    return nlp_pipeline(tables) if has_tables(tables) else spacy.blank("xx")


def _tokens(
    document: Document, unit: Unit, reading: LayerText, doc: Doc, places: Sequence[int]
) -> Iterator[Token]:
    ranges = Ranges(reading)
    edits = [e for e in document.edits_in(unit.spans, "modern") if e.kind == "regularise"]
    changes = sorted((*_place(e, r, reading.text), e.after) for e in edits if (r := ranges.of(e.span)))
    ends = [end for _, end, _ in changes]
    for token in doc:
        if token.is_space:
            continue
        low, high = places[token.idx], places[token.idx + len(token) - 1] + 1
        modern, at = "", low
        for start, end, after in changes[bisect_right(ends, low) :]:
            if start >= high:
                break
            modern += reading.text[at : max(at, start)] + (after if start >= low else "")
            at = min(end, high)
        modern += reading.text[at:high]
        yield Token(token.i, Span(low, high), reading.to_raw(Span(low, high)), token.text, modern)


def _place(edit: Edit, ranges: Sequence[Span], text: str) -> Span:
    """Where a regularisation stands in the corrected text; letters inserted at its ends belong to it."""
    (start, _), (_, end) = ranges[0], ranges[-1]
    length = len(edit.before)
    for place in (Span(start, end), Span(end - length, end), Span(start, start + length)):
        if place.start >= 0 and text[place.start : place.end] == edit.before:
            return place
    return Span(start, end)


def _sentences(doc: Doc, tokens: Sequence[Token], unit: Unit) -> Iterator[tuple[int, int]]:
    """Ranges of tokens: a sentence ends at a stop that no small letter follows, and at a paragraph's end.

    The full stop of a clause's label ends nothing.
    """
    label = unit.label_span if isinstance(unit, Clause) else None
    start = 0
    stopped = False
    for number, token in enumerate(tokens):
        new_line = number > 0 and token.index - tokens[number - 1].index > 1 and (
            "\n" in doc[tokens[number - 1].index + 1 : token.index].text)  # fmt: skip
        again = stopped and not token.text[0].islower() and token.text not in _CLOSING
        if number > start and (new_line or (again and token.text[0] not in _STOPS)):
            yield start, number
            start = number
        if token.text not in _CLOSING:
            in_label = label is not None and any(label.covers(span) for span in token.raw)
            stopped = token.text[0] in _STOPS and not in_label
    if tokens:
        yield start, len(tokens)
