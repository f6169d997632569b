"""The tagger: a neural model that predicts what becomes of each character and what is inserted after it.

``resources/tagger_xx_yyyy.onnx`` is the model of the orthography ``xx-yyyy``; ``tagger_xx_yyyy.toml``
holds its alphabets and says how it was trained (``pipeline/training/tagger``). It tags edits instead of
generating text (Omelianchuk et al. 2020). It runs with one thread over overlapping windows, so that the
same text always gets the same tags.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import regex

from hoyle.errors import TableError
from hoyle.languages import Language
from hoyle.resources import Lexicon
from hoyle.tables import read_toml

FREQUENCY_CLASSES = 6
"""Number of frequency classes of words: 0 unlisted … 4 very frequent; 5 is for what is no word."""

TOP_K = 4
"""Number of changes of each kind that the model gives for a character."""

WINDOW = 512
"""Characters that the model reads at once."""

MARGIN = 48
"""Characters at either edge of a window whose tags are taken from the neighbouring window."""

SIGN_VARIANTS = {"’": "'", "ſ": "s"}
"""Variants of signs and the form that the model knows."""

_NORMAL_SIGNS = str.maketrans(SIGN_VARIANTS)

_BATCH = 16
_FREQUENCY_STEPS = (3, 10, 100, 1000)
_WORD = regex.compile(r"\p{L}+")

CharacterProfile: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
"""A number for each class of characters; see :func:`character_profile`."""

Codes: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
Probabilities: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"


@dataclass(frozen=True)
class Tags:
    """The most probable changes of each character of a text, most probable first.

    The arrays have the axes character and rank (:data:`TOP_K`).

    Attributes:
        letters: the texts that the classes of ``replacement`` and ``insertion`` stand for.
        replacement: class of what replaces the character if it changes ("": it is deleted).
        replacement_p: probability of that replacement.
        insertion: class of what is inserted after it, if anything is.
        insertion_p: probability of that insertion.
    """

    letters: Sequence[str]
    replacement: Codes
    replacement_p: Probabilities
    insertion: Codes
    insertion_p: Probabilities

    def replacement_at(self, at: int) -> str:
        """Return the most probable replacement of the character at ``at``."""
        return self.letters[int(self.replacement[at, 0])]

    def insertion_at(self, at: int) -> str:
        """Return the most probable insertion after the character at ``at``."""
        return self.letters[int(self.insertion[at, 0])]

    def change_probability(self) -> Probabilities:
        """Return for each character the probability of its most probable change of either kind."""
        probabilities: Probabilities = np.maximum(self.replacement_p[:, 0], self.insertion_p[:, 0])
        return probabilities


def normalise_signs(text: str) -> str:
    """Replace variants of signs by the form that the model knows; the length stays."""
    return text.translate(_NORMAL_SIGNS)


def frequency_class(count: float) -> int:
    """Return the class of a word that occurs ``count`` times."""
    return sum(count >= step for step in _FREQUENCY_STEPS)


def frequency_classes(text: str, lexicon: Lexicon) -> list[int]:
    """Classify each character by the frequency of its word.

    Args:
        text: a text.
        lexicon: the lexicon of the language.

    Returns:
        A class below :data:`FREQUENCY_CLASSES` for each character.
    """
    classes = [FREQUENCY_CLASSES - 1] * len(text)
    for match in _WORD.finditer(normalise_signs(text)):
        start, end = match.span()
        classes[start:end] = [frequency_class(lexicon.count(match.group().lower()))] * (end - start)
    return classes


def character_profile(texts: Iterable[str], codes: Mapping[str, int], classes: int) -> CharacterProfile:
    """Compute the profile of a document: the square root of the share of each character in its raw text.

    It shows the habits of a scan: an engine that has no ѣ, stars for every final ъ.

    Args:
        texts: texts of the document, as OCR read them.
        codes: class of each character that the model tells apart, from 2 on; others are class 1.
        classes: number of classes.

    Returns:
        An array of ``classes`` numbers.
    """
    profile = np.zeros(classes, np.float32)
    for char, count in Counter(itertools.chain.from_iterable(texts)).items():
        profile[codes.get(" " if char.isspace() else char, 1)] += count
    shares: CharacterProfile = np.sqrt(profile / max(1.0, float(profile.sum())))
    return shares


class Tagger:
    """The model of one orthography.

    Args:
        language: the orthography, with a lexicon.
        folder: the folder of its files.

    Raises:
        TableError: a file of the model is missing or broken.
    """

    def __init__(self, language: Language, folder: Path) -> None:
        import onnxruntime  # noqa: PLC0415 - takes half a second, and only corrections need it

        path = folder / _file(language)
        metadata = read_toml(path.with_suffix(".toml"))
        self.where = f"{folder.name}/{path.stem}"
        try:
            self.classes = len(metadata["inputs"]) + 2
            self.codes = {char: i + 2 for i, char in enumerate(metadata["inputs"])}
            self.codes |= {variant: self.codes.get(sign, 1) for variant, sign in SIGN_VARIANTS.items()}
            self._letters: list[str] = ["", "", *metadata["outputs"]]
        except KeyError as error:
            raise TableError(f"lacks the key {error}", document=f"{self.where}.toml") from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        try:
            self._session = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime has no common class of its own
            raise TableError(f"cannot be read ({error})", document=f"{self.where}.onnx") from error
        self._lexicon = language.lexicon

    def predict(self, texts: Sequence[str], profile: CharacterProfile) -> Iterator[Tags]:
        """Predict the tags of texts.

        Args:
            texts: texts of one document.
            profile: the character profile of the document.

        Yields:
            The tags of each text, in order.
        """
        windows = [(i, at, end) for i, text in enumerate(texts) for at, end in split_windows(len(text))]
        # Windows are sorted by length, so that there is little padding.
        order = sorted(range(len(windows)), key=lambda w: windows[w][2] - windows[w][1])
        found: dict[int, Tags] = {}
        classes = [frequency_classes(text, self._lexicon) for text in texts]
        for first in range(0, len(order), _BATCH):
            batch = order[first : first + _BATCH]
            pieces = [(texts[i][a:b], classes[i][a:b]) for i, a, b in (windows[w] for w in batch)]
            found.update(zip(batch, self._run(pieces, profile), strict=True))
        for _, group in itertools.groupby(range(len(windows)), key=lambda w: windows[w][0]):
            yield self._merged([(windows[w][1], found.pop(w)) for w in group])

    def _run(self, pieces: Sequence[tuple[str, list[int]]], profile: CharacterProfile) -> Iterator[Tags]:
        shape = (len(pieces), max(1, *(len(text) for text, _ in pieces)))
        chars, known = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        for row, (text, classes) in enumerate(pieces):
            chars[row, : len(text)] = [self.codes.get(c, 1) for c in text]
            known[row, : len(text)] = classes
        given = {"chars": chars, "known": known, "profile": np.repeat(profile[None], len(pieces), 0)}
        replacement, replacement_p, insertion, insertion_p = self._session.run(None, given)
        for row, (text, _) in enumerate(pieces):
            n = len(text)
            yield Tags(
                self._letters,
                replacement[row, :n],
                replacement_p[row, :n],
                insertion[row, :n],
                insertion_p[row, :n],
            )

    def _merged(self, windows: Sequence[tuple[int, Tags]]) -> Tags:
        """Merge the tags of the windows of a text, each with its offset."""
        if len(windows) == 1:
            return windows[0][1]
        pieces: list[Tags] = []
        done = 0
        for number, (at, tags) in enumerate(windows):
            size = len(tags.replacement)
            stop = size if number == len(windows) - 1 else size - MARGIN
            cut = slice(done - at, stop)
            pieces.append(
                Tags(
                    self._letters,
                    tags.replacement[cut],
                    tags.replacement_p[cut],
                    tags.insertion[cut],
                    tags.insertion_p[cut],
                )
            )
            done = at + stop
        return Tags(
            self._letters,
            np.concatenate([piece.replacement for piece in pieces]),
            np.concatenate([piece.replacement_p for piece in pieces]),
            np.concatenate([piece.insertion for piece in pieces]),
            np.concatenate([piece.insertion_p for piece in pieces]),
        )


def split_windows(length: int) -> Iterator[tuple[int, int]]:
    """Yield the windows of a text of that length (one if it is empty); neighbours overlap by two margins."""
    at, end = 0, min(length, WINDOW)
    yield at, end
    while end < length:
        at = end - 2 * MARGIN
        end = min(length, at + WINDOW)
        yield at, end


def tagger(language: Language) -> Tagger | None:
    """Load the model of an orthography, ``None`` if there is none; use it as ``language.resource``."""
    folder = language.data_folder(_file(language))
    return Tagger(language, folder) if folder else None


def _file(language: Language) -> str:
    return f"tagger_{language.tag.replace('-', '_')}.onnx"
