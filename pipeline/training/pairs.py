"""Pairs of OCR and true text, and how they are aligned; shared by the training scripts."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein


class Pair(NamedTuple):
    """A passage as the engine read it and as it was printed."""

    ocr: str
    gold: str


class Difference(NamedTuple):
    """A stretch of a pair where the two differ: ``gold[at:at + len(print)]`` was read as ``ocr``."""

    at: int
    print: str
    ocr_at: int
    ocr: str


def read_pairs(path: Path) -> Iterator[Pair]:
    """The pairs of a JSON Lines file with the fields ``ocr`` and ``gold``, packed or not."""
    opener = lzma.open if path.suffix == ".xz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            yield Pair(record["ocr"], record["gold"])


def differences(pair: Pair) -> Iterator[Difference]:
    """Where the two texts differ; neighbouring edit operations count as one difference."""
    open_ = None
    for op in Levenshtein.opcodes(pair.gold, pair.ocr):
        if op.tag == "equal":
            if open_:
                yield _difference(pair, *open_)
            open_ = None
        else:
            start, _, ocr_start, _ = open_ or (op.src_start, 0, op.dest_start, 0)
            open_ = (start, op.src_end, ocr_start, op.dest_end)
    if open_:
        yield _difference(pair, *open_)


def _difference(pair: Pair, start: int, end: int, ocr_start: int, ocr_end: int) -> Difference:
    return Difference(start, pair.gold[start:end], ocr_start, pair.ocr[ocr_start:ocr_end])
