"""The syntax of cue patterns, compiled to patterns of spaCy's ``Matcher``.

A pattern is a sequence of atoms separated by spaces; each atom matches one word of the text:

===============  ==========================================================================
``игрок``        any form of the word, in old or new spelling
``=игрока``      this form only (in old or new spelling)
``:INF``         any word of this class (:mod:`hoyle.annotation.lemmas`)
``@cards``       any form of a word of this row of ``cues_classes.tsv``
``a|=b|:C``      one of these
``!a|b``         one word that is none of these
``a?``           an optional word
``_`` ``_3``     up to one, up to three words, no punctuation
``~3``           up to three words or commas, no end of a sentence
``[ … ]``        the part that is tagged, if the rest is context only
===============  ==========================================================================

Elided and contracted words are written as their cue keys: ``que il ne avoir``.
A number is ``0``, a comma ``,``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hoyle.annotation.cues import Cue, cues
from hoyle.annotation.lemmas import CueKey, Lemmatise, active_participles, cue_key
from hoyle.errors import TableError
from hoyle.languages import Language


def word_classes(language: Language) -> Mapping[str, tuple[str, ...]]:
    """Return the word classes ``@name`` of a language."""
    return language.resource(_word_classes)


def _word_classes(language: Language) -> Mapping[str, tuple[str, ...]]:
    rows = language.table("cues_classes", ["name", "words"])
    return {row["name"]: tuple(row["words"].split()) for row in rows}


def cue_words(language: Language) -> frozenset[str]:
    """Return the cue key of every word of the cue tables."""
    key_of = cue_key(language)
    words = (
        word for cue in cues(language) for atom in cue.pattern.split() for word in _plain(atom, language)
    )
    return frozenset(key_of(word) for word in words if not word.startswith(("=", ":")))


def _plain(atom: str, language: Language) -> list[str]:
    """Return the alternatives of an atom, with the words of classes."""
    atom = atom.strip("[]?!") if atom not in ("[", "]", "?", "!") else atom
    found: list[str] = []
    for word in atom.split("|"):
        found += word_classes(language).get(word[1:], ()) if word.startswith("@") else (word,)
    return found


@dataclass(frozen=True, slots=True)
class CompiledPattern:
    """A pattern for spaCy's ``Matcher``.

    ``tagged`` are its tokens that are tagged (half-open range); ``gaps`` is the largest number of words that
    a gap token may match. (The ``Matcher`` has ``{0,n}`` too, but takes 2ⁿ steps for it.)
    """

    tokens: tuple[Mapping[str, Any], ...]
    tagged: tuple[int, int]
    gaps: Mapping[int, int]

    @property
    def first_test(self) -> tuple[str, str]:
        """The attribute and value that the first token must have."""
        ((attribute, value),) = self.tokens[0].items()
        return attribute, value

    @property
    def max_words(self) -> int:
        """The largest number of words it can match."""
        return len(self.tokens) + sum(self.gaps.values())

    def tagged_words(self, alignment: Sequence[int]) -> range | None:
        """Return which of the matched words are tagged; ``None`` if a gap is too wide.

        Args:
            alignment: for each matched word, the index of the pattern token it matched.
        """
        if any(alignment.count(token) > most for token, most in self.gaps.items()):
            return None
        first, last = self.tagged
        shown = [i for i, token in enumerate(alignment) if first <= token < last]
        return range(shown[0], shown[-1] + 1) if shown else None


MOST_VARIANTS: Final = 48


def compile_pattern(
    cue: Cue, language: Language, key_of: CueKey, lemmatise: Lemmatise
) -> Iterator[CompiledPattern]:
    """Compile a cue to ``Matcher`` patterns: one, or several if alternatives are expanded.

    The ``Matcher`` compares expanded alternatives in C; a set of alternatives needs a Python call each time.

    Args:
        cue: the cue.
        language: its language.
        key_of: returns the cue key of a word.
        lemmatise: returns lemma and word class of a cue key.

    Yields:
        The patterns.

    Raises:
        TableError: a class is unknown, a gap is not a number, or the pattern begins with a gap.
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
        steps.append(_step(bare, cue, language, key_of, lemmatise))
    _limit(steps)
    yield from _variants(cue, steps, (start, end if end > 0 else len(steps)), gaps)


def _limit(steps: list[list[Mapping[str, Any]]]) -> None:
    """Merge alternatives into sets where expansion would give too many patterns."""
    variants = len(steps[0])
    for i, step in enumerate(steps[1:], 1):
        if variants * len(step) > MOST_VARIANTS:
            steps[i] = _joined(step)
        variants *= len(steps[i])


def _variants(
    cue: Cue, steps: list[list[Mapping[str, Any]]], shown: tuple[int, int], gaps: Mapping[int, int]
) -> Iterator[CompiledPattern]:
    if not all(isinstance(value, str) for test in steps[0] for value in test.values()):
        raise TableError(f"the pattern {cue.pattern!r} must begin with a word", document=cue.where)
    firsts = [{name: value for name, value in test.items() if name != "OP"} for test in steps[0]]
    for tokens in itertools.product(firsts, *steps[1:]):
        yield CompiledPattern(tokens, shown, gaps)
    if "OP" in steps[0][0]:  # the first word may be missing: the same without it
        fewer = {i - 1: most for i, most in gaps.items()}
        yield from _variants(cue, steps[1:], (max(shown[0] - 1, 0), shown[1] - 1), fewer)


def _width(gap: str, cue: Cue) -> int:
    most = gap[1:] or "1"
    if not most.isdigit():
        raise TableError(f"{gap!r} is not a gap; write for example {gap[0]}3", document=cue.where)
    return int(most)


def _step(
    atom: str, cue: Cue, language: Language, key_of: CueKey, lemmatise: Lemmatise
) -> list[Mapping[str, Any]]:
    if atom[0] in "_~":
        return [{"TAG": {"NOT_IN": [".", ","] if atom[0] == "_" else ["."]}, "OP": "*"}]
    rest, option = (atom[:-1], {"OP": "?"}) if atom.endswith("?") and len(atom) > 1 else (atom, {})
    if rest.startswith("!"):
        lemmas = [lemmatise(key_of(word)).lemma for word in _words(rest[1:], cue, language)]
        return [{"LEMMA": {"NOT_IN": lemmas}, "TAG": {"NOT_IN": [".", ","]}, **option}]
    words = list(_words(rest, cue, language))
    if cue.facet == "offence":  # "сдѣлавшій ренонсъ" is he who has made it
        active = active_participles(language)
        words = list(dict.fromkeys(w for word in words for w in (word, *active(key_of(word)))))
    return [{**_test(word, key_of, lemmatise), **option} for word in words]


def _words(atom: str, cue: Cue, language: Language) -> Iterable[str]:
    for word in atom.split("|"):
        if word.startswith("@") and word[1:] not in word_classes(language):
            raise TableError(f"there is no class {word!r} in cues_classes.tsv", document=cue.where)
    return dict.fromkeys(_plain(atom, language))


def _test(word: str, key_of: CueKey, lemmatise: Lemmatise) -> dict[str, Any]:
    if word[0] == ":" and len(word) > 1:
        return {"TAG": word[1:]}
    if word[0] == "=" and len(word) > 1:
        return {"NORM": key_of(word[1:])}
    return {"LEMMA": lemmatise(key_of(word)).lemma}


def _joined(step: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Merge the alternatives of one attribute into a set."""
    grouped: dict[str, list[str]] = {}
    for test in step:
        (name, value), *_ = test.items()
        grouped.setdefault(name, []).append(value)
    option = {"OP": step[0]["OP"]} if "OP" in step[0] else {}
    return [
        {name: {"IN": values} if len(values) > 1 else values[0], **option} for name, values in grouped.items()
    ]
