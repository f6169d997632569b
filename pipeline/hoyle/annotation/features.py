"""Features of a passage and of its cue matches, for the models of :mod:`hoyle.annotation.scoring`.

A feature is a name with a value. Names that begin with the language and a colon are its words; all others say
how a passage is built (what stands in a condition, what comes before what) and hold for every language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias

from spacy.tokens import Doc

from hoyle.annotation.selection import CueMatch, Sentences, longest, of_facet

Features: TypeAlias = dict[str, float]

WINDOW: Final = 3
"""Words to each side of a match that are features of it."""
OPENING: Final = 4
"""First words of a passage whose position counts."""
STRONG: Final = 3.0
"""Value of the first modal word that says more than what is or is done."""
WEAK: Final = ("definition", "procedure", "commentary")
LONG: Final = (12, 25, 50, 100)
"""Bounds of the classes of length, in tokens."""


class Passage:
    """A passage with its cue matches, as the models see it.

    Args:
        doc: the passage, processed by the pipeline.
        matches: its cue matches; of those that show a modality, ``modal`` has the longest.
        prefix: the language of the words, before a colon.
    """

    def __init__(self, doc: Doc, matches: Sequence[CueMatch], prefix: str) -> None:
        self.doc = doc
        self.matches = matches
        self.sentences = Sentences(doc)
        self._prefix = prefix
        self.modal = longest(of_facet(matches, "modality"))
        self._offences = of_facet(matches, "offence")
        self._penalties = of_facet(matches, "penalty")
        self._length = f"length={sum(len(doc) > bound for bound in LONG)}"

    def _place(self, start: int) -> str:
        if self.sentences.in_condition_at(start):
            return "condition"
        return "relative" if self.sentences.token_in_subordinate_clause(start) else "main"

    @cached_property
    def words(self) -> Features:
        """The lemmas of the passage, each once, and those of its opening."""
        lemmas = [token.lemma_ for token in self.doc if token.tag_ not in (".", ",")]
        found = dict.fromkeys((f"{self._prefix}:{lemma}" for lemma in lemmas), 1.0)
        return found | {f"{self._prefix}:^{lemma}": 1.0 for lemma in lemmas[:OPENING]}

    @cached_property
    def build(self) -> Features:
        """How the passage is built: its modal cues by order and place, penalties, offences, conditions."""
        found: Features = {"bias": 1.0, self._length: 1.0}
        main = [match for match in self.modal if self._place(match.start) == "main"]
        strong = [match for match in main if match.cue.concept not in WEAK]
        found[f"modal={strong[0].cue.concept if strong else 'none'}"] = STRONG
        found[f"last={strong[-1].cue.concept if strong else 'none'}"] = 1.0
        for n, match in enumerate(main[:2]):
            found[f"modal{n}={match.cue.concept}"] = 2.0
        for match in self.modal:
            found[f"{self._place(match.start)}:{match.cue.concept}"] = 1.0
            found[f"{self._prefix}:{match.cue.key}"] = 1.0
        found |= dict.fromkeys(self._sanctions(strong or main), 1.0)
        tags = [token.tag_ for token in self.doc if token.tag_ in ("V", "V3P", "INF", "FUT")]
        found |= {f"has={tag}": 1.0 for tag in tags}
        opening = [token.tag_ for token in self.doc if token.is_alpha and len(token) > 1][:2]
        found |= {f"opens {n} {tag}": 1.0 for n, tag in enumerate(opening)}
        found |= {f"actor={match.cue.concept}": 0.5 for match in of_facet(self.matches, "actor")}
        return found

    def _sanctions(self, main: Sequence[CueMatch]) -> Iterator[str]:
        offence, penalty = bool(self._offences), bool(self._penalties)
        conditions = self.doc.spans["conditions"]
        yield f"offence={offence}"
        yield f"penalty={penalty}"
        yield f"offence={offence} penalty={penalty} condition={bool(conditions)}"
        yield f"condition={len(conditions) and (1 + (conditions[0].start > 2))}"
        for match in self._penalties:
            yield f"{self._place(match.start)} penalty"
            yield f"names {match.cue.concept}"
            if any(other.start < match.start for other in self._offences):
                yield "offence before penalty"
        if main and self._penalties:
            order = "before" if main[0].start <= self._penalties[0].start else "after"
            yield f"{main[0].cue.concept} {order} penalty"

    def of_match(self, match: CueMatch, text: Mapping[str, float]) -> Features:
        """Return the features of a match as evidence for its concept.

        Args:
            match: the match.
            text: features of the whole passage to add: what the other models say of it.

        Returns:
            The features.
        """
        concept, place = match.cue.concept, self._place(match.start)
        found: Features = {"bias": 1.0, **text}
        names = [f"is {concept}", place, f"is {concept} {place}", self._length]
        names += [f"{self._prefix}:{match.cue.key}"]
        around = list(self._around(match))
        names += around
        names += [f"is {concept} {name}" for name in around]
        names += self._rivals(match)
        names += self._neighbours(match)
        return found | dict.fromkeys(names, 1.0)

    def _around(self, match: CueMatch) -> Iterator[str]:
        """Which other facets are near: an offence before, a penalty, a prohibition."""
        sentence = self.sentences.number(match.start)
        offences = [one for one in self._offences if one != match]
        near = [one for one in offences if self.sentences.number(one.start) == sentence]
        yield (
            "no offence"
            if not offences
            else "offence before"
            if any(one.start < match.start for one in near)
            else "offence near"
            if near
            else "offence elsewhere"
        )
        penalties = [one for one in self._penalties if one != match]
        yield (
            "no penalty"
            if not penalties
            else "penalty near"
            if any(self.sentences.number(one.start) == sentence for one in penalties)
            else "penalty elsewhere"
        )
        modal = [one for one in self.modal if self.sentences.number(one.start) == sentence]
        yield f"modal {modal[0].cue.concept if modal else 'none'}"
        if any(scope.start < match.start for scope in self.doc.spans["conditions"]):
            yield "after condition"

    def _rivals(self, match: CueMatch) -> Iterator[str]:
        rivals = [one for one in of_facet(self.matches, match.cue.facet) if one != match]
        same = [one for one in rivals if one.cue.concept == match.cue.concept]
        yield f"same {min(len(same), 2)}"
        yield f"others {min(len({one.cue.concept for one in rivals} - {match.cue.concept}), 3)}"
        for one in rivals:
            if one.cue.concept != match.cue.concept and one.start < match.end and match.start < one.end:
                longer = (one.reach, -one.cue.order) > (match.reach, -match.cue.order)
                yield "beaten" if longer else "beats"
                yield f"is {match.cue.concept} {'beaten by' if longer else 'beats'} {one.cue.concept}"
            elif one.cue.concept != match.cue.concept:
                yield f"is {match.cue.concept} with {one.cue.concept}"

    def _neighbours(self, match: CueMatch) -> Iterator[str]:
        doc = self.doc
        inside = {token.lemma_ for token in doc[match.start : match.end]}
        before = {token.lemma_ for token in doc[max(match.start - WINDOW, 0) : match.start]}
        after = {token.lemma_ for token in doc[match.end : match.end + WINDOW]}
        for side, lemmas in (("", inside), ("<", before), (">", after)):
            for lemma in sorted(one for one in lemmas if not one.isspace()):
                yield f"{self._prefix}:{side}{lemma}"
        yield f"first {match.start <= OPENING}"
