"""The mini-syntax of cues, compiled to patterns of spaCy's Matcher.

A pattern is a row of atoms parted by spaces, one atom a word of the text:

===============  ==========================================================================
``игрок``        any form of the word, in old or new spelling
``=игрока``      just this form (in old or new spelling)
``:INF``         any word of this class (:mod:`hoyle.annotation.lemmas`)
``@cards``       any form of a word of this row of ``cues_classes.tsv``
``a|=b|:C``      one of these
``!a|b``         one word that is none of these
``a?``           a word that may be missing
``_`` ``_3``     up to one, up to three words, no punctuation
``~3``           up to three words or commas, no end of a sentence
``[ … ]``        the part that is tagged, where the rest is only its surroundings
===============  ==========================================================================

Elided and contracted words are written as the folding leaves them: ``que il ne avoir``.
A number is ``0``, a comma ``,``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hoyle.annotation.cues import Cue, cues
from hoyle.annotation.lemmas import Fold, Lemmatise, folder, participles
from hoyle.errors import TableError
from hoyle.languages import Language


def classes(language: Language) -> Mapping[str, tuple[str, ...]]:
    """The word classes ``@name`` of a language."""
    return language.resource(_classes)


def _classes(language: Language) -> Mapping[str, tuple[str, ...]]:
    rows = language.table("cues_classes", ["name", "words"])
    return {row["name"]: tuple(row["words"].split()) for row in rows}


def lexicon(language: Language) -> frozenset[str]:
    """Every word of the cue tables, folded."""
    fold = folder(language)
    words = (
        word for cue in cues(language) for atom in cue.pattern.split() for word in _plain(atom, language)
    )
    return frozenset(fold(word) for word in words if not word.startswith(("=", ":")))


def _plain(atom: str, language: Language) -> list[str]:
    """The alternatives of an atom, classes spelled out."""
    atom = atom.strip("[]?!") if atom not in ("[", "]", "?", "!") else atom
    found: list[str] = []
    for word in atom.split("|"):
        found += classes(language).get(word[1:], ()) if word.startswith("@") else (word,)
    return found


@dataclass(frozen=True, slots=True)
class Compiled:
    """A pattern for spaCy's Matcher.

    ``shown`` are its tokens that are tagged (half-open range); ``gaps`` says how many words a token of
    it that stands for a gap may take in. (The Matcher has ``{0,n}`` too, but follows 2ⁿ ways through it.)
    """

    tokens: tuple[Mapping[str, Any], ...]
    shown: tuple[int, int]
    gaps: Mapping[int, int]

    @property
    def first(self) -> tuple[str, str]:
        """Attribute and value of the first token."""
        ((attribute, value),) = self.tokens[0].items()
        return attribute, value

    @property
    def longest(self) -> int:
        """How many words it may take in at most."""
        return len(self.tokens) + sum(self.gaps.values())

    def part(self, alignment: Sequence[int]) -> range | None:
        """Which of the matched words are tagged; none if a gap is too wide.

        Args:
            alignment: for each word, the token of the pattern that it matched.
        """
        if any(alignment.count(token) > most for token, most in self.gaps.items()):
            return None
        first, last = self.shown
        shown = [i for i, token in enumerate(alignment) if first <= token < last]
        return range(shown[0], shown[-1] + 1) if shown else None


MOST_VARIANTS: Final = 48


def compile_pattern(cue: Cue, language: Language, fold: Fold, lemmatise: Lemmatise) -> Iterator[Compiled]:
    """The Matcher patterns of a cue: one, or several where alternatives are spelled out.

    Spelled out, they are compared in C; a set of alternatives costs a call of Python each time.

    Raises:
        TableError: an unknown class, a gap that is no number, a pattern that begins with a gap.
    """
    steps: list[list[Mapping[str, Any]]] = []
    gaps: dict[int, int] = {}
    start, end = 0, -1
    for i, atom in enumerate(cue.pattern.split()):
        start = i if atom.startswith("[") else start
        end = i + 1 if atom.endswith("]") else end
        bare = atom.strip("[]")
        if bare[0] in "_~":
            gaps[i] = _width(bare, cue)
        steps.append(_step(bare, cue, language, fold, lemmatise))
    _limit(steps)
    yield from _variants(cue, steps, (start, end if end > 0 else len(steps)), gaps)


def _limit(steps: list[list[Mapping[str, Any]]]) -> None:
    """Leave alternatives together where spelling them out would give too many patterns."""
    variants = len(steps[0])
    for i, step in enumerate(steps[1:], 1):
        if variants * len(step) > MOST_VARIANTS:
            steps[i] = _joined(step)
        variants *= len(steps[i])


def _variants(
    cue: Cue, steps: list[list[Mapping[str, Any]]], shown: tuple[int, int], gaps: Mapping[int, int]
) -> Iterator[Compiled]:
    if not all(isinstance(value, str) for test in steps[0] for value in test.values()):
        raise TableError(f"the pattern {cue.pattern!r} must begin with a word", document=cue.where)
    firsts = [{name: value for name, value in test.items() if name != "OP"} for test in steps[0]]
    for tokens in itertools.product(firsts, *steps[1:]):
        yield Compiled(tokens, shown, gaps)
    if "OP" in steps[0][0]:  # the first word may be missing: the same without it
        fewer = {i - 1: most for i, most in gaps.items()}
        yield from _variants(cue, steps[1:], (max(shown[0] - 1, 0), shown[1] - 1), fewer)


def _width(gap: str, cue: Cue) -> int:
    most = gap[1:] or "1"
    if not most.isdigit():
        raise TableError(f"{gap!r} is no gap; write {gap[0]}3", document=cue.where)
    return int(most)


def _step(
    atom: str, cue: Cue, language: Language, fold: Fold, lemmatise: Lemmatise
) -> list[Mapping[str, Any]]:
    if atom[0] in "_~":
        return [{"TAG": {"NOT_IN": [".", ","] if atom[0] == "_" else ["."]}, "OP": "*"}]
    rest, option = (atom[:-1], {"OP": "?"}) if atom.endswith("?") and len(atom) > 1 else (atom, {})
    if rest.startswith("!"):
        lemmas = [lemmatise(fold(word)).lemma for word in _words(rest[1:], cue, language)]
        return [{"LEMMA": {"NOT_IN": lemmas}, "TAG": {"NOT_IN": [".", ","]}, **option}]
    words = list(_words(rest, cue, language))
    if cue.facet == "offence":  # "сдѣлавшій ренонсъ" is he who has made it
        active = participles(language)
        words = list(dict.fromkeys(w for word in words for w in (word, *active(fold(word)))))
    return [{**_test(word, fold, lemmatise), **option} for word in words]


def _words(atom: str, cue: Cue, language: Language) -> Iterable[str]:
    for word in atom.split("|"):
        if word.startswith("@") and word[1:] not in classes(language):
            raise TableError(f"there is no class {word!r} in cues_classes.tsv", document=cue.where)
    return dict.fromkeys(_plain(atom, language))


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
    return [
        {name: {"IN": values} if len(values) > 1 else values[0], **option} for name, values in grouped.items()
    ]
