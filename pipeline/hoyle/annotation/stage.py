"""The stage ``tag``: game, actors, offences, penalties, modality, conditions and amounts of each unit.

It finds the cues of the tables ``languages/<folder>/cues_*.tsv`` in the corrected text with spaCy, and
maps each tag to spans of the raw text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from spacy.tokens import Doc

from hoyle.annotation.amounts import AmountFinder, AmountMatch
from hoyle.annotation.conditions import find_conditions
from hoyle.annotation.cues import condition_confidence, default_confidence
from hoyle.annotation.games import GameAssignment, GameWeights, assign_games
from hoyle.annotation.lemmas import has_tables
from hoyle.annotation.penalties import PenaltyHistory, PenaltyMatch, find_penalties
from hoyle.annotation.penalties_by_reference import add_referenced_penalties
from hoyle.annotation.pipeline import collapse_whitespace, nlp_pipeline, scope_markers
from hoyle.annotation.selection import CueMatch, Sentences, active_matches, main_modality, of_facet
from hoyle.document import Amount, Clause, Condition, Document, Evidence, Item, Span, Tag, Unit
from hoyle.document.text_layers import LayerText, layer_text
from hoyle.facets import facets
from hoyle.languages import Language

TEXT = frozenset({"paragraph", "rule", "foreword", "footnote"})
"""Kinds of block that are tagged like clauses; headings and captions are evidence for the game only."""
DAMAGED = 0.8
"""Factor of the confidence of a match with a restored word (see :mod:`hoyle.annotation.damaged_words`)."""
_OWN_RULES = frozenset({"game", "actor", "penalty", "modality"})
"""Facets with rules of their own; a tag of another facet is an active match."""
PARTS = {
    "obligation": "must",
    "prohibition": "must",
    "penalty": "suffers",
    "permission": "may",
    "entitlement": "may",
}


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


def annotate(document: Document, language: Language) -> Iterable[Item]:
    """Return the tags of a document, unit by unit, and then its conditions and amounts.

    Args:
        document: the document with units, corrections and references.
        language: its language.

    Returns:
        Tags, conditions and amounts; none for a language without tagging tables.
    """
    found = list(_found(document, language.cue_language, ()))
    yield from add_referenced_penalties(
        [item for item in found if isinstance(item, Tag)], document.references
    )
    yield from (item for item in found if not isinstance(item, Tag))


def find_tags(document: Document, language: Language, disabled: Collection[str] = ()) -> Iterator[Tag]:
    """Yield the tags of a document, unit by unit.

    Args:
        document: the document with units, corrections and references.
        language: its language.
        disabled: keys of cues to ignore (for evaluation).

    Yields:
        The tags.
    """
    found = [item for item in _found(document, language.cue_language, disabled) if isinstance(item, Tag)]
    yield from add_referenced_penalties(found, document.references)


def _found(
    document: Document, language: Language, disabled: Collection[str]
) -> Iterator[Tag | Condition | Amount]:
    units = list(parse_units(document, language))
    known = _games(document, language, units, disabled)
    history = PenaltyHistory()
    for parsed in units:
        found = known.get(parsed.unit.id)
        if isinstance(parsed.unit, Clause) or parsed.unit.kind in TEXT:
            matches = active_matches(parsed.doc, found.game if found else "", disabled)
            amounts = list(language.resource(AmountFinder).find(parsed.doc))
            found_penalties = find_penalties(parsed.doc, matches, Sentences(parsed.doc), history, amounts)
            history.add(found_penalties, matches)
            yield from _tags(parsed, language, found, matches, found_penalties)
            yield from _conditions(parsed, language, matches)
            yield from _amounts(parsed, language, amounts, found_penalties)
        elif found:
            yield from _game(
                parsed, found, of_facet(active_matches(parsed.doc, found.game, disabled), "game")
            )


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


def _games(
    document: Document, language: Language, units: Sequence[ParsedUnit], disabled: Collection[str]
) -> dict[str, GameAssignment]:
    evidence: dict[str, GameWeights] = {unit.id: {} for unit in document.units}
    for parsed in units:
        evidence[parsed.unit.id] = _weights(parsed.doc, disabled)
    title: GameWeights = {}
    if document.meta.title and units:
        title = _weights(nlp_pipeline(language)(document.meta.title), disabled)
    return assign_games(document, evidence, title)


def _weights(doc: Doc, disabled: Collection[str]) -> GameWeights:
    weights: defaultdict[str, float] = defaultdict(float)
    for match in of_facet(active_matches(doc, "", disabled), "game"):
        weights[match.cue.concept] += match.cue.weight
    return weights


def _tags(
    parsed: ParsedUnit,
    language: Language,
    found: GameAssignment | None,
    matches: Sequence[CueMatch],
    found_penalties: Sequence[PenaltyMatch],
) -> Iterator[Tag]:
    sentences = Sentences(parsed.doc)
    if found:
        yield from _game(parsed, found, of_facet(matches, "game"))
    for match in of_facet(matches, "actor"):
        yield _tag(parsed, "actor", match, part=_part(match, matches, sentences))
    for facet in facets():
        if facet not in _OWN_RULES:
            for match in of_facet(matches, facet):
                yield _tag(parsed, facet, match)
    for penalty in found_penalties:
        spans, text = parsed.to_raw(penalty.match.start, penalty.match.end)
        amount = parsed.doc[penalty.amount.start : penalty.amount.end].text if penalty.amount else ""
        yield Tag(
            parsed.unit.id, "penalty", penalty.value, spans, text, _why(parsed, penalty.match),
            against=penalty.against, exacted_by=penalty.by, amount=amount,
        )  # fmt: skip
    yield from _modalities(parsed, language, matches, sentences)


def _game(parsed: ParsedUnit, found: GameAssignment, matches: Sequence[CueMatch]) -> Iterator[Tag]:
    """Yield one tag for the game of a unit, with the words that name it if there are any."""
    shown = [parsed.to_raw(match.start, match.end) for match in matches if match.cue.concept == found.game]
    spans = tuple(dict.fromkeys(span for spans, _ in shown for span in spans))
    yield Tag(parsed.unit.id, "game", found.game, spans, " … ".join(text for _, text in shown), found.why)


def _modalities(
    parsed: ParsedUnit, language: Language, matches: Sequence[CueMatch], sentences: Sentences
) -> Iterator[Tag]:
    if not any(map(str.isalpha, parsed.doc.text)):
        return
    value, main_match = main_modality(parsed.doc, matches, sentences)
    modal = of_facet(matches, "modality")
    if main_match is None:
        why = Evidence("tag: no modal cue", round(default_confidence(language, "modality", value), 3))
        yield Tag(parsed.unit.id, "modality", value, (), "", why, main=True)
    elif main_match not in modal or main_match.cue.concept != value:
        spans, text = parsed.to_raw(main_match.start, main_match.end)
        yield Tag(parsed.unit.id, "modality", value, spans, text, _why(parsed, main_match), main=True)
        main_match = None
    for match in modal:
        yield _tag(parsed, "modality", match, main=match == main_match)


def _conditions(parsed: ParsedUnit, language: Language, matches: Sequence[CueMatch]) -> Iterator[Condition]:
    for pair in find_conditions(parsed.doc, matches, scope_markers(language)):
        spans, text = parsed.to_raw(*pair.condition)
        then_spans, then = parsed.to_raw(*pair.consequence)
        why = Evidence(pair.where, round(condition_confidence(language, pair.kind), 3))
        yield Condition(parsed.unit.id, spans, text, then_spans, then, why)


def _amounts(
    parsed: ParsedUnit,
    language: Language,
    amounts: Sequence[AmountMatch],
    found_penalties: Sequence[PenaltyMatch],
) -> Iterator[Amount]:
    """Yield the amounts that have a unit of measure, or that a penalty names."""
    sure = language.resource(AmountFinder).confidence
    of = {p.amount: min(sure, _why(parsed, p.match).confidence) for p in found_penalties if p.amount}
    for amount in amounts:
        if amount.measure or amount in of:
            spans, text = parsed.to_raw(amount.start, amount.end)
            why = Evidence(amount.where, sure if amount.measure else of[amount])
            yield Amount(parsed.unit.id, spans, text, amount.low, amount.high, amount.measure, why)


def _tag(parsed: ParsedUnit, facet: str, match: CueMatch, *, part: str = "", main: bool = False) -> Tag:
    spans, text = parsed.to_raw(match.start, match.end)
    return Tag(
        parsed.unit.id, facet, match.cue.concept, spans, text, _why(parsed, match), part=part, main=main
    )


def _why(parsed: ParsedUnit, match: CueMatch) -> Evidence:
    damaged = any(token._.damaged for token in parsed.doc[match.start : match.end])
    return Evidence(match.cue.where, round(match.cue.confidence * (DAMAGED if damaged else 1.0), 3))


def _part(actor: CueMatch, matches: Sequence[CueMatch], sentences: Sentences) -> str:
    """Return the part of an actor: that of the first modal cue after the actor in the same sentence."""
    sentence = sentences.number(actor.start)
    rivals = [match.start for match in of_facet(matches, "actor") if match.start > actor.start]
    for match in of_facet(matches, "modality"):
        if match.end > actor.start and sentences.number(match.start) == sentence:
            return "" if any(rival < match.start for rival in rivals) else PARTS.get(match.cue.concept, "")
    return ""
