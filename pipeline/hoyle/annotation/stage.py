"""The stage ``tag``: game, actors, offences, penalties, modality, conditions and amounts of each unit.

The cue table ``languages/<folder>/cues.tsv`` proposes concepts for words of the corrected text, and the
models of :mod:`hoyle.annotation.scoring` decide. What is likely but not likely enough is a finding
``suggestion``. Each tag is mapped to spans of the raw text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from spacy.tokens import Doc

from hoyle.annotation.amounts import AmountFinder, AmountMatch
from hoyle.annotation.conditions import find_conditions
from hoyle.annotation.features import WEAK, Features, Passage
from hoyle.annotation.games import GameAssignment, GameWeights, assign_games
from hoyle.annotation.penalties import PenaltyHistory, PenaltyMatch, find_penalties
from hoyle.annotation.penalties_by_reference import add_referenced_penalties
from hoyle.annotation.pipeline import nlp_pipeline, scope_markers
from hoyle.annotation.scope import ScopeMarkers
from hoyle.annotation.scoring import (
    DECIDED,
    ScoredMatch,
    certainties,
    context,
    is_asserted,
    modality,
    rule_score,
    score_matches,
    with_penalties,
)
from hoyle.annotation.selection import CueMatch, cue_matches, longest, of_facet
from hoyle.annotation.units import ParsedUnit, parse_units
from hoyle.document import Amount, Clause, Condition, Document, Evidence, Finding, Item, Tag
from hoyle.facets import facets
from hoyle.languages import Language

TEXT = frozenset({"paragraph", "rule", "foreword", "footnote"})
"""Kinds of block that are tagged like clauses; headings and captions are evidence for the game only."""
DAMAGED = 0.8
"""Factor of the confidence of a match with a restored word (see :mod:`hoyle.annotation.damaged_words`)."""
CONDITION: Final = 0.87
"""Share of conditions with the right extent and consequence: 112 of 125 in the editions, by eye, smoothed."""
UNDECIDED: Final = 0.5
"""Confidence of a tag of a facet that no model knows."""
SUGGESTED: Final = 0.75
"""Least probability of a suggestion, as a share of that from which on a tag is asserted."""
ALSO: Final = 0.2
"""Least probability of a further modality of a unit."""
BY_MODEL: Final = "annotation/weights.tsv"
"""Evidence of a modality that no single cue shows."""
PARTS = {
    "obligation": "must",
    "prohibition": "must",
    "penalty": "suffers",
    "permission": "may",
    "entitlement": "may",
}


@dataclass(frozen=True)
class ReadUnit:
    """A unit with its passage, its game and the log odds that it is a rule (0 for headings and captions)."""

    parsed: ParsedUnit
    passage: Passage
    game: GameAssignment | None
    is_text: bool
    rule: float


def annotate(document: Document, language: Language) -> Iterable[Item]:
    """Return the tags of a document, unit by unit, and then its conditions, amounts and suggestions.

    Args:
        document: the document with units, corrections and references.
        language: its language.

    Returns:
        Tags, conditions, amounts and findings; none for a language without tagging tables.
    """
    found = list(_found(document, language.cue_language))
    tags = [item for item in found if isinstance(item, Tag)]
    yield from add_referenced_penalties(tags, document.references)
    yield from (item for item in found if not isinstance(item, Tag))


def find_tags(document: Document, language: Language) -> Iterator[Tag]:
    """Yield the tags of a document, unit by unit.

    Args:
        document: the document with units, corrections and references.
        language: its language.

    Yields:
        The tags.
    """
    yield from (item for item in annotate(document, language) if isinstance(item, Tag))


def _found(document: Document, language: Language) -> Iterator[Tag | Condition | Amount | Finding]:
    units = list(parse_units(document, language))
    known = _games(document, language, units)
    read = [_read(parsed, language, known.get(parsed.unit.id)) for parsed in units]
    rules = [one.rule for one in read if one.is_text]
    if sum(rules) < 0 and not document.meta.games:  # no rulebook: it names games without being about one
        read = [replace(one, game=None) for one in read]
    history = PenaltyHistory()
    for one in read:
        if one.is_text:
            yield from _of_text(one, context(one.rule, rules), history, language)
        elif one.game:
            yield from _game(one)


def _read(parsed: ParsedUnit, language: Language, game: GameAssignment | None) -> ReadUnit:
    matches = cue_matches(parsed.doc, game.game if game else "")
    passage = Passage(parsed.doc, matches, language.base)
    is_text = isinstance(parsed.unit, Clause) or parsed.unit.kind in TEXT
    return ReadUnit(parsed, passage, game, is_text, rule_score(passage) if is_text else 0.0)


def _of_text(
    one: ReadUnit, text: Features, history: PenaltyHistory, language: Language
) -> Iterator[Tag | Condition | Amount | Finding]:
    parsed, passage = one.parsed, one.passage
    if one.game:
        yield from _game(one)
    scored = {facet: score_matches(passage, facet, text) for facet in DECIDED}
    asserted = {facet: [match for match in scored[facet] if is_asserted(facet, match)] for facet in DECIDED}
    for actor in asserted["actor"]:
        yield _tag(parsed, "actor", actor, part=_part(actor.match, asserted["actor"], passage))
    for facet in facets():
        if facet not in (*DECIDED, "game", "modality"):  # a facet of a plugin: what its rows say
            rows = longest(of_facet(passage.matches, facet))
            yield from (_tag(parsed, facet, ScoredMatch(row, 0.0, UNDECIDED)) for row in rows)
    for offence in asserted["offence"]:
        yield _tag(parsed, "offence", offence)
    amounts = list(language.resource(AmountFinder).find(parsed.doc))
    found = find_penalties(parsed.doc, asserted, passage.sentences, history, amounts)
    history.add(found, [offence.match.cue.concept for offence in asserted["offence"]])
    for penalty in found:
        spans, words = parsed.to_raw(penalty.scored.match.start, penalty.scored.match.end)
        amount = parsed.doc[penalty.amount.start : penalty.amount.end].text if penalty.amount else ""
        yield Tag(
            parsed.unit.id, "penalty", penalty.value, spans, words, _why(parsed, penalty.scored),
            against=penalty.against, exacted_by=penalty.by, amount=amount,
        )  # fmt: skip
    yield from _modalities(one, scored, asserted["penalty"])
    for facet in DECIDED:
        yield from _suggestions(parsed, facet, scored[facet])
    said = [match.start for match in passage.modal if match.cue.concept not in WEAK]
    said += [one.match.start for one in asserted["penalty"]]
    yield from _conditions(parsed, passage.matches, said, scope_markers(language))
    yield from _amounts(parsed, language, amounts, found)


def _suggestions(parsed: ParsedUnit, facet: str, scored: Iterable[ScoredMatch]) -> Iterator[Finding]:
    """Yield what is likely enough to be listed, and not enough to be asserted."""
    for match in scored:
        if not is_asserted(facet, match) and match.probability >= SUGGESTED * certainties()[facet].least:
            spans, words = parsed.to_raw(match.match.start, match.match.end)
            value = f"{parsed.unit.id}: {facet} {match.match.cue.concept}: {words}"
            yield Finding("suggestion", value, _why(parsed, match), spans[0] if spans else None)


def _games(document: Document, language: Language, units: Sequence[ParsedUnit]) -> dict[str, GameAssignment]:
    evidence: dict[str, GameWeights] = {unit.id: {} for unit in document.units}
    for parsed in units:
        evidence[parsed.unit.id] = _weights(parsed.doc)
    title: GameWeights = {}
    if document.meta.title and units:
        title = _weights(nlp_pipeline(language)(document.meta.title))
    return assign_games(document, evidence, title)


def _weights(doc: Doc) -> GameWeights:
    weights: defaultdict[str, float] = defaultdict(float)
    for match in longest(of_facet(cue_matches(doc, ""), "game")):
        weights[match.cue.concept] += match.cue.weight
    return weights


def _game(one: ReadUnit) -> Iterator[Tag]:
    """Yield one tag for the game of a unit, with the words that name it if there are any."""
    if one.game:
        named = [m for m in of_facet(one.passage.matches, "game") if m.cue.concept == one.game.game]
        shown = [one.parsed.to_raw(match.start, match.end) for match in named]
        spans = tuple(dict.fromkeys(span for spans, _ in shown for span in spans))
        words = " … ".join(text for _, text in shown)
        yield Tag(one.parsed.unit.id, "game", one.game.game, spans, words, one.game.why)


def _modalities(
    one: ReadUnit, scored: Mapping[str, Sequence[ScoredMatch]], penalties: Sequence[ScoredMatch]
) -> Iterator[Tag]:
    """Yield the main modality of a unit, and further ones that a main clause shows."""
    parsed, passage = one.parsed, one.passage
    if not any(map(str.isalpha, parsed.doc.text)):
        return
    main = True
    for value, sure in modality(with_penalties(passage, scored)).items():
        shown = [match for match in passage.modal if match.cue.concept == value]
        outside = [m for m in shown if not passage.sentences.token_in_subordinate_clause(m.start)]
        if value == "penalty":
            outside = [*(one.match for one in penalties[:1]), *outside]
        best = next(iter(outside or (shown if main else ())), None)
        if best:
            tag = _tag(parsed, "modality", ScoredMatch(best, 0.0, sure), main=main)
        else:
            why = Evidence(BY_MODEL, round(sure, 3))
            tag = Tag(parsed.unit.id, "modality", value, (), "", why, main=main)
        if main or (best and sure >= ALSO):
            yield replace(tag, value=value)
        main = False


def _conditions(
    parsed: ParsedUnit, matches: Sequence[CueMatch], said: Sequence[int], markers: ScopeMarkers
) -> Iterator[Condition]:
    for pair in find_conditions(parsed.doc, matches, said, markers):
        spans, text = parsed.to_raw(*pair.condition)
        then_spans, then = parsed.to_raw(*pair.consequence)
        yield Condition(parsed.unit.id, spans, text, then_spans, then, Evidence(pair.where, CONDITION))


def _amounts(
    parsed: ParsedUnit,
    language: Language,
    amounts: Sequence[AmountMatch],
    found_penalties: Sequence[PenaltyMatch],
) -> Iterator[Amount]:
    """Yield the amounts that have a unit of measure, or that a penalty names."""
    sure = language.resource(AmountFinder).confidence
    of = {p.amount: min(sure, _why(parsed, p.scored).confidence) for p in found_penalties if p.amount}
    for amount in amounts:
        if amount.measure or amount in of:
            spans, text = parsed.to_raw(amount.start, amount.end)
            why = Evidence(amount.where, sure if amount.measure else of[amount])
            yield Amount(parsed.unit.id, spans, text, amount.low, amount.high, amount.measure, why)


def _tag(parsed: ParsedUnit, facet: str, scored: ScoredMatch, *, part: str = "", main: bool = False) -> Tag:
    spans, text = parsed.to_raw(scored.match.start, scored.match.end)
    return Tag(
        parsed.unit.id,
        facet,
        scored.match.cue.concept,
        spans,
        text,
        _why(parsed, scored),
        part=part,
        main=main,
    )


def _why(parsed: ParsedUnit, scored: ScoredMatch) -> Evidence:
    match = scored.match
    damaged = any(token._.damaged for token in parsed.doc[match.start : match.end])
    return Evidence(match.cue.where, round(scored.probability * (DAMAGED if damaged else 1.0), 3))


def _part(actor: CueMatch, actors: Sequence[ScoredMatch], passage: Passage) -> str:
    """Return the part of an actor: that of the first modal cue after the actor in the same sentence."""
    sentence = passage.sentences.number(actor.start)
    rivals = [one.match.start for one in actors if one.match.start > actor.start]
    for match in passage.modal:
        if match.end > actor.start and passage.sentences.number(match.start) == sentence:
            return "" if any(rival < match.start for rival in rivals) else PARTS.get(match.cue.concept, "")
    return ""
