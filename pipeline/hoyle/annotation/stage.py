"""What each clause and text block says: game, actors, offences, penalties, modality, conditions.

Cues of the tables ``languages/<folder>/cues_*.tsv`` are found with spaCy in the corrected text;
every tag leads back to the raw text. See :mod:`hoyle.pipeline.tagging`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from spacy.tokens import Doc

from hoyle.annotation.conditions import pairs
from hoyle.annotation.cues import by_default, of_conditions
from hoyle.annotation.games import Found, Weights, games
from hoyle.annotation.lemmas import has_tables
from hoyle.annotation.penalties import Memory, Penalty, penalties
from hoyle.annotation.penalties_by_reference import with_taken_over
from hoyle.annotation.pipeline import openers, pipeline, squeeze
from hoyle.annotation.selection import Hit, Sentences, main_modality, of, stands
from hoyle.document import Clause, Condition, Document, Evidence, Item, Span, Tag, Unit
from hoyle.document.text_layers import LayerText, layer_text
from hoyle.facets import facets
from hoyle.languages import Language

TEXT = frozenset({"paragraph", "footnote"})
"""Kinds of block that are tagged as clauses are; headings and captions are evidence for the game only."""
DAMAGED = 0.8
"""What confidence is multiplied by where a word of the cue was guessed from what the scan left of it."""
_OWN_RULES = frozenset({"game", "actor", "penalty", "modality"})
"""Facets whose tags need more than a cue; those of the others are the cues that fire."""
PARTS = {
    "obligation": "must",
    "prohibition": "must",
    "penalty": "suffers",
    "permission": "may",
    "entitlement": "may",
}


@dataclass(frozen=True)
class Parsed:
    """A unit as spaCy sees it: ``places`` leads from characters of the doc to those of the reading."""

    unit: Unit
    reading: LayerText
    doc: Doc
    places: Sequence[int]

    def raw(self, start: int, end: int) -> tuple[tuple[Span, ...], str]:
        """Raw spans and corrected text of a range of tokens (none of an empty one)."""
        if start >= end:
            return (), ""
        first, last = self.doc[start], self.doc[end - 1]
        low, high = self.places[first.idx], self.places[last.idx + len(last) - 1] + 1
        return self.reading.to_raw(Span(low, high)), self.doc[start:end].text


def annotate(document: Document, language: Language) -> Iterable[Item]:
    """The tags of a document, unit by unit, and then the conditions."""
    found = list(_found(document, language.cue_language, ()))
    yield from with_taken_over([one for one in found if isinstance(one, Tag)], document.references)
    yield from (one for one in found if isinstance(one, Condition))


def tags(document: Document, language: Language, off: Collection[str] = ()) -> Iterator[Tag]:
    """The tags of a document, unit by unit.

    Args:
        document: with units, corrections and references.
        language: its language.
        off: keys of cues to leave out (for measuring).
    """
    found = [one for one in _found(document, language.cue_language, off) if isinstance(one, Tag)]
    yield from with_taken_over(found, document.references)


def _found(document: Document, language: Language, off: Collection[str]) -> Iterator[Tag | Condition]:
    parsed = list(parse(document, language))
    known = _games(document, language, parsed, off)
    memory = Memory()
    for one in parsed:
        found = known.get(one.unit.id)
        if isinstance(one.unit, Clause) or one.unit.kind in TEXT:
            hits = stands(one.doc, found.game if found else "", off)
            laid = penalties(one.doc, hits, Sentences(one.doc), memory)
            memory.note(laid, hits)
            yield from _tags(one, language, found, hits, laid)
            yield from _conditions(one, language, hits)
        elif found:
            yield from _game(one, found, of(stands(one.doc, found.game, off), "game"))


def parse(document: Document, language: Language) -> Iterator[Parsed]:
    """Every unit with text as a spaCy ``Doc`` (cues in ``doc.spans["cues"]``), in reading order.

    A language without tagging tables gives nothing.
    """
    tables = language.cue_language
    if not has_tables(tables):
        return
    nlp = pipeline(tables)
    readings = [(unit, layer_text(document, unit.spans, "corrected")) for unit in document.units]
    kept = [(unit, reading) for unit, reading in readings if reading.text.strip()]
    squeezed = [squeeze(reading.text) for _, reading in kept]
    docs = nlp.pipe(text for text, _ in squeezed)
    for (unit, reading), (_, places), doc in zip(kept, squeezed, docs, strict=True):
        yield Parsed(unit, reading, doc, places)


def _games(
    document: Document, language: Language, parsed: Sequence[Parsed], off: Collection[str]
) -> dict[str, Found]:
    evidence: dict[str, Weights] = {unit.id: {} for unit in document.units}
    for one in parsed:
        evidence[one.unit.id] = _weights(one.doc, off)
    title: Weights = {}
    if document.meta.title and parsed:
        title = _weights(pipeline(language)(document.meta.title), off)
    return games(document, evidence, title)


def _weights(doc: Doc, off: Collection[str]) -> Weights:
    weights: defaultdict[str, float] = defaultdict(float)
    for hit in of(stands(doc, "", off), "game"):
        weights[hit.cue.concept] += hit.cue.weight
    return weights


def _tags(
    one: Parsed, language: Language, found: Found | None, hits: Sequence[Hit], laid: Sequence[Penalty]
) -> Iterator[Tag]:
    where = Sentences(one.doc)
    if found:
        yield from _game(one, found, of(hits, "game"))
    for hit in of(hits, "actor"):
        yield _tag(one, "actor", hit, part=_part(hit, hits, where))
    for facet in facets():
        if facet not in _OWN_RULES:
            for hit in of(hits, facet):
                yield _tag(one, facet, hit)
    for penalty in laid:
        spans, text = one.raw(penalty.hit.start, penalty.hit.end)
        yield Tag(
            one.unit.id, "penalty", penalty.value, spans, text, _why(one, penalty.hit),
            against=penalty.against, exacted_by=penalty.by, amount=penalty.amount,
        )  # fmt: skip
    yield from _modalities(one, language, hits, where)


def _game(one: Parsed, found: Found, hits: Sequence[Hit]) -> Iterator[Tag]:
    """The game once a unit, with the words that name it where there are any."""
    shown = [one.raw(hit.start, hit.end) for hit in hits if hit.cue.concept == found.game]
    spans = tuple(dict.fromkeys(span for spans, _ in shown for span in spans))
    yield Tag(one.unit.id, "game", found.game, spans, " … ".join(text for _, text in shown), found.why)


def _modalities(one: Parsed, language: Language, hits: Sequence[Hit], where: Sentences) -> Iterator[Tag]:
    if not any(map(str.isalpha, one.doc.text)):
        return
    value, speaker = main_modality(one.doc, hits, where)
    said = of(hits, "modality")
    if speaker is None:
        why = Evidence("tag: no modal cue", round(by_default(language, "modality", value), 3))
        yield Tag(one.unit.id, "modality", value, (), "", why, main=True)
    elif speaker not in said or speaker.cue.concept != value:
        spans, text = one.raw(speaker.start, speaker.end)
        yield Tag(one.unit.id, "modality", value, spans, text, _why(one, speaker), main=True)
        speaker = None
    for hit in said:
        yield _tag(one, "modality", hit, main=hit == speaker)


def _conditions(one: Parsed, language: Language, hits: Sequence[Hit]) -> Iterator[Condition]:
    for pair in pairs(one.doc, hits, openers(language)):
        spans, text = one.raw(*pair.condition)
        then_spans, then = one.raw(*pair.consequence)
        why = Evidence(pair.where, round(of_conditions(language, pair.kind), 3))
        yield Condition(one.unit.id, spans, text, then_spans, then, why)


def _tag(one: Parsed, facet: str, hit: Hit, *, part: str = "", main: bool = False) -> Tag:
    spans, text = one.raw(hit.start, hit.end)
    return Tag(one.unit.id, facet, hit.cue.concept, spans, text, _why(one, hit), part=part, main=main)


def _why(one: Parsed, hit: Hit) -> Evidence:
    damaged = any(token._.damaged for token in one.doc[hit.start : hit.end])
    return Evidence(hit.cue.where, round(hit.cue.confidence * (DAMAGED if damaged else 1.0), 3))


def _part(actor: Hit, hits: Sequence[Hit], where: Sentences) -> str:
    """What the first modal word after an actor in his sentence makes of him."""
    sentence = where.number(actor.start)
    rivals = [hit.start for hit in of(hits, "actor") if hit.start > actor.start]
    for hit in of(hits, "modality"):
        if hit.end > actor.start and where.number(hit.start) == sentence:
            return "" if any(rival < hit.start for rival in rivals) else PARTS.get(hit.cue.concept, "")
    return ""
