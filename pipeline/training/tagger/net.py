"""A neural tagger of edits: what each character of an OCR text becomes, and what follows it.

``tagger_xx_yyyy.onnx`` is the exported net of the orthography ``xx-yyyy``; ``tagger_xx_yyyy.toml`` holds
its alphabets and says how it was made. It is run with one thread over overlapping windows, so that the
same text always gets the same tags.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import regex

from hoyle.errors import TableError
from hoyle.resources import Lexicon, lexicon
from hoyle.tables import read_toml

BUCKETS = 6
"""Classes of how common a word is: 0 unknown … 4 very common; 5 is for what is no word."""

WINDOW = 512
"""Characters that go through the net at once."""

MARGIN = 48
"""Characters at either edge of a window whose tags are taken from the next window, which sees further."""

_BATCH = 16
_STEPS = (3, 10, 100, 1000)
_WORD = regex.compile(r"\p{L}+")

_Heads: TypeAlias = "tuple[np.ndarray[Any, Any], ...]"


class Tag(NamedTuple):
    """The likeliest change at a character of the text and its probability.

    ``becomes`` is what stands for the character if it changes ("": nothing), ``after`` what is put
    behind it if anything is.
    """

    becomes: str
    becomes_p: float
    after: str
    after_p: float


def bucket(count: float) -> int:
    """The class of a word that was counted ``count`` times."""
    return sum(count >= step for step in _STEPS)


def known_classes(text: str, words: Lexicon) -> list[int]:
    """For each character the class of the word it is in."""
    classes = [BUCKETS - 1] * len(text)
    for match in _WORD.finditer(text):
        start, end = match.span()
        classes[start:end] = [bucket(words.count(match.group().lower()))] * (end - start)
    return classes


class TaggerNet:
    """The net of one orthography.

    Args:
        tag: the orthography.
        folder: where its files lie.

    Raises:
        TableError: if a file of the net is missing or broken.
    """

    def __init__(self, tag: str, folder: Path) -> None:
        import onnxruntime  # noqa: PLC0415 - takes half a second, and only corrections need it

        path = folder / f"tagger_{tag.replace('-', '_')}.onnx"
        note = read_toml(path.with_suffix(".toml"))
        self.where = f"{folder.name}/{path.stem}"
        try:
            self._codes = {char: i + 2 for i, char in enumerate(note["inputs"])}
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
        self._lexicon = lexicon(tag)

    def tags(self, text: str) -> list[Tag]:
        """The tags of all characters of ``text``."""
        return self.all_tags([text])[0]

    def all_tags(self, texts: Sequence[str]) -> list[list[Tag]]:
        """The tags of several texts, taken through the net together."""
        windows = [(i, at, end) for i, text in enumerate(texts) for at, end in _windows(len(text))]
        done: list[list[Tag]] = [[] for _ in texts]
        # Windows of like length lie side by side, so that little is padded.
        order = sorted(range(len(windows)), key=lambda w: windows[w][2] - windows[w][1])
        found: dict[int, list[Tag]] = {}
        classes = [known_classes(text, self._lexicon) for text in texts]
        for first in range(0, len(order), _BATCH):
            some = order[first : first + _BATCH]
            pieces = [(texts[i][a:b], classes[i][a:b]) for i, a, b in (windows[w] for w in some)]
            found.update(zip(some, self._run(pieces), strict=True))
        for w, (i, at, end) in enumerate(windows):
            begin = len(done[i]) - at
            stop = end - at if end == len(texts[i]) else end - at - MARGIN
            done[i] += found[w][begin:stop]
        return done

    def _run(self, pieces: Sequence[tuple[str, list[int]]]) -> Iterator[list[Tag]]:
        shape = (len(pieces), max(len(text) for text, _ in pieces))
        chars, known = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        for row, (text, classes) in enumerate(pieces):
            chars[row, : len(text)] = [self._codes.get(c, 1) for c in text]
            known[row, : len(text)] = classes
        heads: _Heads = self._session.run(None, {"chars": chars, "known": known})
        for row, (text, _) in enumerate(pieces):
            become, become_p, after, after_p = (head[row, : len(text)].tolist() for head in heads)
            yield [
                Tag(self._letters[a], pa, self._letters[b], pb)
                for a, pa, b, pb in zip(become, become_p, after, after_p, strict=True)
            ]


def _windows(length: int) -> Iterator[tuple[int, int]]:
    at = 0
    while at < length:
        end = min(length, at + WINDOW)
        yield at, end
        if end == length:
            return
        at = end - 2 * MARGIN
