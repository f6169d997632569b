"""Assigns a game to each unit of a document.

The evidence is the editor's statement (``meta.games``), names of games in the title, headings, running
heads (also damaged ones) and text, and terms of a game. A section begins at a heading that names a
game, and where the numbering restarts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple, TypeAlias

from hoyle.annotation.selection import with_broader_games
from hoyle.document import Block, Clause, Document, Evidence, Unit
from hoyle.tables import vocabulary

TITLE, HEADING, RUNNING_HEAD = 4.0, 3.0, 2.0
"""Weight of a cue in title and heading, and of a name in a running head; a cue in the text has weight 1."""
ENOUGH: Final = 3.0
"""Least weight of evidence for a game (a name in a heading)."""
LIKENESS: Final = 0.75
"""Least similarity (0–1) at which a damaged running head is read as the name of a game."""
SHORTEST_NAME: Final = 5
GameWeights: TypeAlias = Mapping[str, float]
"""Weight of the evidence for each game."""
STATED: Final = Evidence("meta.games", 0.99)


class GameAssignment(NamedTuple):
    """A game and its evidence."""

    game: str
    why: Evidence


def assign_games(
    document: Document, evidence: Mapping[str, GameWeights], title: GameWeights
) -> dict[str, GameAssignment]:
    """Assign a game to each unit.

    Args:
        document: the document, with its units.
        evidence: for each unit, by id, the weight of the cues for each game.
        title: the same for the title.

    Returns:
        The games by the id of the unit; units without a known game are missing.
    """
    stated = tuple(game for game in document.meta.games if game in vocabulary("games"))
    if len(stated) == 1:
        return {unit.id: GameAssignment(stated[0], STATED) for unit in document.units}
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


def _sections(document: Document, evidence: Mapping[str, GameWeights]) -> Iterator[list[Unit]]:
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
                above -= 1  # headings directly above belong to the new section
            if above:
                yield section[:above]
                section = section[above:]
        section.append(unit)
    if section:
        yield section


def _is_title(unit: Unit) -> bool:
    return isinstance(unit, Block) and unit.kind in ("heading", "caption")


def _total(section: Sequence[Unit], evidence: Mapping[str, GameWeights]) -> GameWeights:
    factors = {unit.id: HEADING if _is_title(unit) else 1.0 for unit in section}
    return _sum(
        {game: weight * factors[unit.id] for game, weight in evidence[unit.id].items()} for unit in section
    )


def _sum(parts: Iterable[GameWeights]) -> GameWeights:
    total: defaultdict[str, float] = defaultdict(float)
    for part in parts:
        for game, weight in part.items():
            total[game] += weight
    return dict(total)


def _stated(totals: Sequence[GameWeights], stated: Sequence[str]) -> list[GameAssignment | None]:
    """Assign one of the stated games to each section by its terms; the last game by elimination."""
    chosen: list[GameAssignment | None] = []
    for total in totals:
        best = max(stated, key=lambda game: total.get(game, 0.0))
        chosen.append(
            GameAssignment(best, Evidence("cues_games and meta.games", 0.9)) if total.get(best) else None
        )
    left = [game for game in stated if game not in {found.game for found in chosen if found}]
    common = frozenset.intersection(*map(with_broader_games, stated)) if stated else frozenset()
    broader = max(sorted(common), key=lambda game: len(with_broader_games(game)), default="")
    rest = left[0] if len(left) == 1 else broader
    by = (
        Evidence("the one of meta.games that is left", 0.8) if len(left) == 1 else Evidence("meta.games", 0.7)
    )
    return [found or (GameAssignment(rest, by) if rest else None) for found in chosen]


def _detected(totals: Sequence[GameWeights], whole: GameWeights) -> list[GameAssignment | None]:
    """Assign the game of the document to each section without clear evidence for another."""
    main = _best(whole)
    if main is None:
        return [None] * len(totals)
    return [_of_section(total, main) for total in totals]


def _of_section(total: GameWeights, main: GameAssignment) -> GameAssignment:
    """Return the game of a section if its evidence is clear, else that of the document.

    A narrower game counts only in a family of games (the patiences): the kinds of preference are one game.
    """
    inclusive = _with_narrower(total)
    family = not vocabulary("games")[main.game].broader
    narrower = [
        g
        for g in sorted(total)
        if g != main.game and main.game in with_broader_games(g) and total[g] >= 2 * ENOUGH
    ]
    if family and narrower:
        return GameAssignment(max(narrower, key=lambda g: total[g]), Evidence("cues_games", 0.8))
    own = _best(total)
    if (
        own
        and main.game not in with_broader_games(own.game)
        and inclusive[own.game] > max(2 * ENOUGH, 2 * inclusive.get(main.game, 0.0))
    ):
        return own
    return main


def _best(weights: GameWeights) -> GameAssignment | None:
    """Return the game with most evidence, including its narrower games; ``None`` if it is not enough."""
    inclusive = _with_narrower(weights)
    named = {game: weight for game, weight in inclusive.items() if game in weights}
    if not named:
        return None
    game = max(sorted(named), key=lambda g: named[g])
    if named[game] < ENOUGH:
        return None
    rivals = sum(
        w
        for g, w in weights.items()
        if game not in with_broader_games(g) and g not in with_broader_games(game)
    )
    return GameAssignment(game, Evidence("cues_games", round(named[game] / (named[game] + rivals + 1.0), 3)))


def _with_narrower(weights: GameWeights) -> GameWeights:
    return _sum(dict.fromkeys(with_broader_games(game), weight) for game, weight in weights.items())


def _running_heads(document: Document) -> GameWeights:
    """Return the weight of names of games in running heads, which may have OCR errors."""
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
