"""Cue tables, and the mini-syntax of their patterns.

A pattern is a row of atoms parted by spaces, one atom a word of the text:

===============  ==========================================================================
``игрок``        any form of the word, in old or new spelling
``=игрока``      just this form (in old or new spelling)
``:INF``         any word of this class (:mod:`hoyle.stages.tagging.words`)
``@cards``       any form of a word of this row of ``cues_classes.tsv``
``a|=b|#C``      one of these
``!a|b``         one word that is none of these
``a?``           a word that may be missing
``_`` ``_3``     up to one, up to three words, no punctuation
``~3``           up to three words or commas, no end of a sentence
``[ … ]``        the part that is tagged, where the rest is only its surroundings
===============  ==========================================================================

Elided and contracted words are written as the folding leaves them: ``que il ne avoir``.
A number is ``0``, a comma ``,``. A row whose id is ``-`` tags nothing: it is a place where the
other rows of its table must not fire (the longest match wins).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from hoyle.errors import TableError
from hoyle.stages.tagging.words import Fold, Lemmatise, folder, home
from hoyle.tables import Row, vocabulary

FACETS: Final[Mapping[str, str]] = {
    "game": "games",
    "actor": "actors",
    "offence": "offences",
    "penalty": "penalties",
    "modality": "modalities",
}
NOTHING: Final = "-"
COLUMNS: Final = ("pattern", "id", "games", "example", "place", "counter")
MORE: Final[Mapping[str, tuple[str, ...]]] = {"penalty": ("against", "by"), "game": ("weight",)}
PRIOR_WEIGHT: Final = 4.0
"""How many occurrences the precision of the facet counts against those of a row."""


@dataclass(frozen=True, slots=True)
class Cue:
    """One row of a cue table.

    ``games`` are ids of games (the narrower ones included) or ``none`` for texts that are about no
    game; empty: everywhere. ``place`` says where ``example`` stands: id of a document, or
    ``composed``. of cues of one length the one whose ``order`` in the tables is first
    stands; ``confidence`` is the smoothed precision of the row.
    """

    facet: str
    pattern: str
    concept: str
    games: frozenset[str]
    example: str
    place: str
    counter: str
    where: str
    order: int
    confidence: float
    against: str = ""
    by: str = ""
    weight: float = 1.0

    @property
    def key(self) -> str:
        """What names the row within its language, line numbers aside."""
        return f"{self.facet}:{self.concept}:{self.pattern}"


@cache
def cues(tag: str) -> tuple[Cue, ...]:
    """All cues of the language ``tag`` in the order of the tables.

    Raises:
        TableError: a concept or game that no vocabulary has, a row without example, counter-example
            or place, a row given twice.
    """
    precision = _precision(tag)
    found: dict[str, Cue] = {}
    for facet, name in FACETS.items():
        for row in home(tag).table(f"cues_{name}", [*COLUMNS, *MORE.get(facet, ())]):
            cue = _cue(row, facet, len(found), precision)
            if cue.key in found:
                raise TableError(f"the pattern {cue.pattern!r} is given twice for {cue.concept!r}", document=row.where)
            found[cue.key] = cue
    return tuple(found.values())


def _cue(row: Row, facet: str, order: int, precision: Mapping[str, tuple[float, float]]) -> Cue:
    concept, games = row["id"], frozenset(row["games"].split())
    if concept != NOTHING and concept not in vocabulary(FACETS[facet]):
        message = f"{concept!r} is not in schemas/vocabulary/{FACETS[facet]}.tsv"
        raise TableError(message, document=row.where)
    for game in games - {"none"}:
        if game not in vocabulary("games"):
            raise TableError(f"{game!r} is not in schemas/vocabulary/games.tsv", document=row.where)
    for column in ("pattern", "example", "place", "counter"):
        if not row[column]:
            raise TableError(f"the column {column!r} is empty; every row needs it", document=row.where)
    cue = Cue(
        facet, row["pattern"], concept, games, row["example"], row["place"], row["counter"], row.where, order, 0.5,
        against=row.cells.get("against", ""),
        by=row.cells.get("by", ""),
        weight=row.number("weight") if "weight" in row.cells else 1.0,
    )  # fmt: skip
    return replace(cue, confidence=_smoothed(cue.key, facet, precision))


def by_default(tag: str, facet: str, concept: str) -> float:
    """How sure a tag is that no cue shows (probability)."""
    return _smoothed(f"{facet}:by default:{concept}", facet, _precision(tag))


def _smoothed(key: str, facet: str, precision: Mapping[str, tuple[float, float]]) -> float:
    right, fired = precision.get(key, (0.0, 0.0))
    prior_right, prior_fired = precision.get(facet, (0.0, 0.0))
    prior = (prior_right + 1) / (prior_fired + 2)
    return (right + PRIOR_WEIGHT * prior) / (fired + PRIOR_WEIGHT)


@cache
def _precision(tag: str) -> dict[str, tuple[float, float]]:
    """How often each row (and each facet) fired on gold, and how often it was right."""
    rows = home(tag).table("cue_precision", ["cue", "right", "fired"])
    return {row["cue"]: (row.number("right"), row.number("fired")) for row in rows}


@cache
def classes(tag: str) -> Mapping[str, tuple[str, ...]]:
    """The word classes ``@name`` of a language."""
    rows = home(tag).table("cues_classes", ["name", "words"])
    return {row["name"]: tuple(row["words"].split()) for row in rows}


def lexicon(tag: str) -> frozenset[str]:
    """Every word of the cue tables, folded."""
    fold = folder(tag)
    words = (word for cue in cues(tag) for atom in cue.pattern.split() for word in _plain(atom, tag))
    return frozenset(fold(word) for word in words if not word.startswith(("=", ":")))


def _plain(atom: str, tag: str) -> list[str]:
    """The alternatives of an atom, classes spelled out."""
    atom = atom.strip("[]?!") if atom not in ("[", "]", "?", "!") else atom
    found: list[str] = []
    for word in atom.split("|"):
        found += classes(tag).get(word[1:], ()) if word.startswith("@") else (word,)
    return found


@dataclass(frozen=True, slots=True)
class Compiled:
    """A pattern for spaCy's Matcher, and which of its tokens are tagged (half-open range)."""

    tokens: tuple[Mapping[str, Any], ...]
    shown: tuple[int, int]

    @property
    def first(self) -> tuple[str, str]:
        """Attribute and value of the first token."""
        ((attribute, value),) = self.tokens[0].items()
        return attribute, value


MOST_VARIANTS: Final = 48


def compile_pattern(cue: Cue, tag: str, fold: Fold, lemmatise: Lemmatise) -> Iterator[Compiled]:
    """The Matcher patterns of a cue: one, or several where alternatives are spelled out.

    Spelled out, they are compared in C; a set of alternatives costs a call of Python each time.

    Raises:
        TableError: an unknown class or a gap that is no number.
    """
    steps: list[list[Mapping[str, Any]]] = []
    start, end = 0, -1
    for atom in cue.pattern.split():
        if atom.startswith("["):
            start = len(steps)
        if atom.endswith("]") and atom != "]":
            end = len(steps) + 1
        steps.append(_step(atom.strip("[]"), cue, tag, fold, lemmatise))
    variants = 1
    for i, step in enumerate(steps):
        variants *= len(step)
        if variants > MOST_VARIANTS and i:
            variants //= len(step)
            steps[i] = _joined(step)
            variants *= len(steps[i])
    end = end if end > 0 else len(steps)
    while "OP" in steps[0][0] and steps[0][0]["OP"] == "?":  # may be missing: with it and without it
        for tokens in itertools.product([_must(test) for test in steps[0]], *steps[1:]):
            yield Compiled(tokens, (start, end))
        steps, start, end = steps[1:], max(start - 1, 0), end - 1
    if any(set(test) - {"LEMMA", "NORM", "TAG"} or not isinstance(value, str) for test in steps[0] for value in test.values()):
        raise TableError(f"the pattern {cue.pattern!r} must begin with a word", document=cue.where)
    for tokens in itertools.product(*steps):
        yield Compiled(tokens, (start, end))


def _must(test: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in test.items() if name != "OP"}


def _step(atom: str, cue: Cue, tag: str, fold: Fold, lemmatise: Lemmatise) -> list[Mapping[str, Any]]:
    if atom[0] in "_~":
        most = atom[1:] or "1"
        if not most.isdigit():
            raise TableError(f"{atom!r} is no gap; write {atom[0]}3", document=cue.where)
        never = [".", ","] if atom[0] == "_" else ["."]
        return [{"TAG": {"NOT_IN": never}, "OP": f"{{0,{most}}}"}]
    rest, option = (atom[:-1], {"OP": "?"}) if atom.endswith("?") and len(atom) > 1 else (atom, {})
    if rest.startswith("!"):
        lemmas = [lemmatise(fold(word)).lemma for word in _words(rest[1:], cue, tag)]
        return [{"LEMMA": {"NOT_IN": lemmas}, "TAG": {"NOT_IN": [".", ","]}, **option}]
    return [{**_test(word, fold, lemmatise), **option} for word in _words(rest, cue, tag)]


def _words(atom: str, cue: Cue, tag: str) -> Iterable[str]:
    for word in atom.split("|"):
        if word.startswith("@") and word[1:] not in classes(tag):
            raise TableError(f"there is no class {word!r} in cues_classes.tsv", document=cue.where)
    return dict.fromkeys(_plain(atom, tag))


def _test(word: str, fold: Fold, lemmatise: Lemmatise) -> dict[str, Any]:
    if word[0] == ":" and len(word) > 1:
        return {"TAG": word[1:]}
    if word[0] == "=" and len(word) > 1:
        return {"NORM": fold(word[1:])}
    return {"LEMMA": lemmatise(fold(word)).lemma}


def _joined(step: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Alternatives of one attribute as a set."""
    grouped: dict[str, list[str]] = {}
    for test in step:
        (name, value), *_ = test.items()
        grouped.setdefault(name, []).append(value)
    option = {"OP": step[0]["OP"]} if "OP" in step[0] else {}
    return [{name: {"IN": values} if len(values) > 1 else values[0], **option} for name, values in grouped.items()]
