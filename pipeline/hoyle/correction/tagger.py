"""A neural tagger of edits: what each character of an OCR text becomes, and what follows it.

``resources/tagger_xx_yyyy.onnx`` is the net of the orthography ``xx-yyyy``; ``tagger_xx_yyyy.toml`` holds
its alphabets and says how it was made (``pipeline/training/tagger``). It is run with one thread over
overlapping windows, so that the same text always gets the same tags.
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

BUCKETS = 6
"""Classes of how common a word is: 0 unknown … 4 very common; 5 is for what is no word."""

CHOICES = 4
"""Changes of each kind that the net names for a character."""

WINDOW = 512
"""Characters that go through the net at once."""

MARGIN = 48
"""Characters at either edge of a window whose tags are taken from the next window, which sees further."""

SHAPES = {"’": "'", "ſ": "s"}
"""Other shapes of a sign; the net knows the usual one only, and takes the other for it."""

_USUAL = str.maketrans(SHAPES)

_BATCH = 16
_STEPS = (3, 10, 100, 1000)
_WORD = regex.compile(r"\p{L}+")

Profile: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
"""A number for each class of characters; see :func:`profile_of`."""

Codes: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
Chances: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"


@dataclass(frozen=True)
class Tags:
    """For each character of a text the likeliest changes, likeliest first, and their probabilities.

    The arrays have the axes character and choice (:data:`CHOICES`).

    Attributes:
        letters: what the classes of the next two stand for.
        becomes: class of what stands for the character if it changes ("": nothing).
        after: class of what is put behind it if anything is.
        becomes_p: probability that it becomes that.
        after_p: probability that that is put.
    """

    letters: Sequence[str]
    becomes: Codes
    becomes_p: Chances
    after: Codes
    after_p: Chances

    def becoming(self, at: int) -> str:
        """What most likely stands for the character at ``at`` if it changes."""
        return self.letters[int(self.becomes[at, 0])]

    def following(self, at: int) -> str:
        """What is most likely put behind the character at ``at`` if anything is."""
        return self.letters[int(self.after[at, 0])]

    def change(self) -> Chances:
        """For each character the probability of its likeliest change of either kind."""
        chances: Chances = np.maximum(self.becomes_p[:, 0], self.after_p[:, 0])
        return chances


def usual(text: str) -> str:
    """The text with the usual shapes of its signs, as long as it was."""
    return text.translate(_USUAL)


def bucket(count: float) -> int:
    """The class of a word that was counted ``count`` times."""
    return sum(count >= step for step in _STEPS)


def known_classes(text: str, words: Lexicon) -> list[int]:
    """For each character the class of the word it is in."""
    classes = [BUCKETS - 1] * len(text)
    for match in _WORD.finditer(usual(text)):
        start, end = match.span()
        classes[start:end] = [bucket(words.count(match.group().lower()))] * (end - start)
    return classes


def profile_of(texts: Iterable[str], codes: Mapping[str, int], classes: int) -> Profile:
    """The profile of a document: the square root of the share of each character in its raw text.

    It tells the habits of a scan: an engine that has no ѣ, stars for every final ъ.

    Args:
        texts: of the document, as the engine read them.
        codes: class of each character that the net tells apart, from 2 on; others are class 1.
        classes: how many classes there are.
    """
    profile = np.zeros(classes, np.float32)
    for char, count in Counter(itertools.chain.from_iterable(texts)).items():
        profile[codes.get(" " if char.isspace() else char, 1)] += count
    shares: Profile = np.sqrt(profile / max(1.0, float(profile.sum())))
    return shares


class Tagger:
    """The net of one orthography.

    Args:
        tag: the orthography.
        folder: where its files lie.

    Raises:
        TableError: if a file of the net is missing or broken.
    """

    def __init__(self, language: Language, folder: Path) -> None:
        import onnxruntime  # noqa: PLC0415 - takes half a second, and only corrections need it

        path = folder / _file(language)
        note = read_toml(path.with_suffix(".toml"))
        self.where = f"{folder.name}/{path.stem}"
        try:
            self.classes = len(note["inputs"]) + 2
            self.codes = {char: i + 2 for i, char in enumerate(note["inputs"])}
            self.codes |= {shape: self.codes.get(usual, 1) for shape, usual in SHAPES.items()}
            self._letters: list[str] = ["", "", *note["outputs"]]
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

    def tags(self, texts: Sequence[str], profile: Profile) -> Iterator[Tags]:
        """The tags of each of the texts of one document, which has the ``profile``."""
        windows = [(i, at, end) for i, text in enumerate(texts) for at, end in windows_of(len(text))]
        # Windows of like length lie side by side, so that little is padded.
        order = sorted(range(len(windows)), key=lambda w: windows[w][2] - windows[w][1])
        found: dict[int, Tags] = {}
        classes = [known_classes(text, self._lexicon) for text in texts]
        for first in range(0, len(order), _BATCH):
            some = order[first : first + _BATCH]
            pieces = [(texts[i][a:b], classes[i][a:b]) for i, a, b in (windows[w] for w in some)]
            found.update(zip(some, self._run(pieces, profile), strict=True))
        for _, group in itertools.groupby(range(len(windows)), key=lambda w: windows[w][0]):
            yield self._joined([(windows[w][1], found.pop(w)) for w in group])

    def _run(self, pieces: Sequence[tuple[str, list[int]]], profile: Profile) -> Iterator[Tags]:
        shape = (len(pieces), max(1, *(len(text) for text, _ in pieces)))
        chars, known = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        for row, (text, classes) in enumerate(pieces):
            chars[row, : len(text)] = [self.codes.get(c, 1) for c in text]
            known[row, : len(text)] = classes
        given = {"chars": chars, "known": known, "profile": np.repeat(profile[None], len(pieces), 0)}
        become, become_p, after, after_p = self._session.run(None, given)
        for row, (text, _) in enumerate(pieces):
            n = len(text)
            yield Tags(self._letters, become[row, :n], become_p[row, :n], after[row, :n], after_p[row, :n])

    def _joined(self, windows: Sequence[tuple[int, Tags]]) -> Tags:
        """The tags of a text from those of its windows, each with its place."""
        if len(windows) == 1:
            return windows[0][1]
        pieces: list[Tags] = []
        done = 0
        for number, (at, tags) in enumerate(windows):
            size = len(tags.becomes)
            stop = size if number == len(windows) - 1 else size - MARGIN
            cut = slice(done - at, stop)
            pieces.append(
                Tags(
                    self._letters, tags.becomes[cut], tags.becomes_p[cut], tags.after[cut], tags.after_p[cut]
                )
            )
            done = at + stop
        return Tags(
            self._letters,
            np.concatenate([piece.becomes for piece in pieces]),
            np.concatenate([piece.becomes_p for piece in pieces]),
            np.concatenate([piece.after for piece in pieces]),
            np.concatenate([piece.after_p for piece in pieces]),
        )


def windows_of(length: int) -> Iterator[tuple[int, int]]:
    """The windows of a text of that length (one if it is empty); neighbours share twice the margin."""
    at, end = 0, min(length, WINDOW)
    yield at, end
    while end < length:
        at = end - 2 * MARGIN
        end = min(length, at + WINDOW)
        yield at, end


def tagger(language: Language) -> Tagger | None:
    """The model of an orthography, ``None`` if there is none; use it as ``language.resource(tagger)``."""
    folder = language.data_folder(_file(language))
    return Tagger(language, folder) if folder else None


def _file(language: Language) -> str:
    return f"tagger_{language.tag.replace('-', '_')}.onnx"
