"""Which game each unit of a document is about.

Evidence are the editor's statement (``meta.games``), names of games in title, headings, running
heads (damaged ones too) and text, and the terms that belong to a game. A section begins at a heading
that names a game and where the numbering starts again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple, TypeAlias

from hoyle.annotation.selection import lineage
from hoyle.document import Block, Clause, Document, Evidence, Unit
from hoyle.tables import vocabulary

TITLE, HEADING, RUNNING_HEAD = 4.0, 3.0, 2.0
"""What a cue counts in title and heading, and a name in a running head, against one in the text."""
ENOUGH: Final = 3.0
"""Weight of evidence from which on a text is taken to be about a game (one name and no other)."""
LIKENESS: Final = 0.75
"""From this share of matching characters on a damaged running head is read as the name of a game."""
SHORTEST_NAME: Final = 5
Weights: TypeAlias = Mapping[str, float]
"""Weight of the evidence for each game."""
STATED: Final = Evidence("meta.games", 0.99)


class Found(NamedTuple):
    """A game and how it is known."""

    game: str
    why: Evidence


def games(document: Document, evidence: Mapping[str, Weights], title: Weights) -> dict[str, Found]:
    """The game of each unit, by id; a unit of no known game is missing.

    Args:
        document: with the units.
        evidence: for each unit, the weight of the cues for each game.
        title: the same for the title.
    """
    stated = tuple(game for game in document.meta.games if game in vocabulary("games"))
    if len(stated) == 1:
        return {unit.id: Found(stated[0], STATED) for unit in document.units}
    sections = list(_sections(document, evidence))
    totals = [_total(section, evidence) for section in sections]
    if stated:
        chosen = _stated(totals, stated)
    else:
        named = {game: weight * TITLE for game, weight in title.items()}
        whole = _sum([*totals, named, _running_heads(document)])
        chosen = _detected(totals, whole)
    return {
        unit.id: found
        for section, found in zip(sections, chosen, strict=True)
        if found is not None
        for unit in section
    }


def _sections(document: Document, evidence: Mapping[str, Weights]) -> Iterator[list[Unit]]:
    section: list[Unit] = []
    numbered: str | None = None  # number and series of the first clause of this section
    for unit in document.units:
        names = _is_title(unit) and max(evidence[unit.id].values(), default=0.0) > 1.0
        restarts = False
        if isinstance(unit, Clause):
            series = str(unit.series)
            restarts = numbered != series
            numbered = series
        if names or restarts:
            above = len(section)
            while above and _is_title(section[above - 1]):
                above -= 1  # headings right above belong to what follows
            if above:
                yield section[:above]
                section = section[above:]
        section.append(unit)
    if section:
        yield section


def _is_title(unit: Unit) -> bool:
    return isinstance(unit, Block) and unit.kind in ("heading", "caption")


def _total(section: Sequence[Unit], evidence: Mapping[str, Weights]) -> Weights:
    factors = {unit.id: HEADING if _is_title(unit) else 1.0 for unit in section}
    return _sum(
        {game: weight * factors[unit.id] for game, weight in evidence[unit.id].items()} for unit in section
    )


def _sum(parts: Iterable[Weights]) -> Weights:
    total: defaultdict[str, float] = defaultdict(float)
    for part in parts:
        for game, weight in part.items():
            total[game] += weight
    return dict(total)


def _stated(totals: Sequence[Weights], stated: Sequence[str]) -> list[Found | None]:
    """Each section gets the one of the stated games its terms speak for; a last one goes by elimination."""
    chosen: list[Found | None] = []
    for total in totals:
        best = max(stated, key=lambda game: total.get(game, 0.0))
        chosen.append(Found(best, Evidence("cues_games and meta.games", 0.9)) if total.get(best) else None)
    left = [game for game in stated if game not in {found.game for found in chosen if found}]
    common = frozenset.intersection(*map(lineage, stated)) if stated else frozenset()
    broader = max(sorted(common), key=lambda game: len(lineage(game)), default="")
    rest = left[0] if len(left) == 1 else broader
    by = (
        Evidence("the one of meta.games that is left", 0.8) if len(left) == 1 else Evidence("meta.games", 0.7)
    )
    return [found or (Found(rest, by) if rest else None) for found in chosen]


def _detected(totals: Sequence[Weights], whole: Weights) -> list[Found | None]:
    """The game of the document, or of a section that speaks clearly for another."""
    main = _best(whole)
    if main is None:
        return [None] * len(totals)
    return [_of_section(total, main) for total in totals]


def _of_section(total: Weights, main: Found) -> Found:
    """A section's own game where it speaks clearly for one.

    A narrower game counts only within a family (the patiences): the kinds of preference are one game.
    """
    inclusive = _with_narrower(total)
    family = not vocabulary("games")[main.game].broader
    narrower = [
        g for g in sorted(total) if g != main.game and main.game in lineage(g) and total[g] >= 2 * ENOUGH
    ]
    if family and narrower:
        return Found(max(narrower, key=lambda g: total[g]), Evidence("cues_games", 0.8))
    own = _best(total)
    if (
        own
        and main.game not in lineage(own.game)
        and inclusive[own.game] > max(2 * ENOUGH, 2 * inclusive.get(main.game, 0.0))
    ):
        return own
    return main


def _best(weights: Weights) -> Found | None:
    """The game with most evidence, narrower games counted in; none if there is not enough."""
    inclusive = _with_narrower(weights)
    named = {game: weight for game, weight in inclusive.items() if game in weights}
    if not named:
        return None
    game = max(sorted(named), key=lambda g: named[g])
    if named[game] < ENOUGH:
        return None
    rivals = sum(w for g, w in weights.items() if game not in lineage(g) and g not in lineage(game))
    return Found(game, Evidence("cues_games", round(named[game] / (named[game] + rivals + 1.0), 3)))


def _with_narrower(weights: Weights) -> Weights:
    return _sum(dict.fromkeys(lineage(game), weight) for game, weight in weights.items())


def _running_heads(document: Document) -> Weights:
    """Names of games in running heads, letters lost or misread allowed for."""
    found: defaultdict[str, float] = defaultdict(float)
    text = document.source.text
    names = [
        (label.lower(), concept.id)
        for concept in vocabulary("games").values()
        for label in sorted({*concept.labels.values()})
        if len(label) >= SHORTEST_NAME and " " not in label
    ]
    heads = Counter(
        word.lower()
        for block in document.furniture
        if block.kind == "running-head"
        for span in block.spans
        for word in text[span.start : span.end].split()
        if len(word) >= SHORTEST_NAME
    )
    for word, times in heads.items():
        likeness, game = max(((_likeness(word, name), game) for name, game in names), default=(0.0, ""))
        if likeness >= LIKENESS:
            found[game] += times * likeness * RUNNING_HEAD
    return found


def _likeness(word: str, name: str) -> float:
    matcher = SequenceMatcher(None, word.strip(".,;:»«"), name, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= LIKENESS else 0.0
