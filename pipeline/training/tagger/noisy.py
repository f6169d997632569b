"""Writes passages that the tagger was not trained on, misread as documents are, to calibrate on.

    python pipeline/training/tagger/noisy.py DATA_FOLDER OUT.jsonl --lang TAG [--rendered FILE]...
        [--pages FILE]... [--held NAME:PERCENT]... [--against FILE]...

The passages are of the other half of the corpus; some in a row share a profile of noise and make one
document. Pages of that half that ``render.py`` has made are put after them, and the last PERCENT of the real
OCR of the set NAME that the training keeps back (what comes before is left to be measured on).
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from data import Material, forbidden, has_misread, material, unbroken
from noise import STYLED, Noise, corrupt, noise_for
from pairs import Pair

from hoyle.languages import language
from hoyle.resources import Lexicon

TOGETHER = 6
"""Passages of a document."""


def passages(found: Material, noise: Noise, count: int) -> Iterator[dict[str, str]]:
    """So many passages, each with the document it is of."""
    rng = random.Random(99)
    for i, gold in enumerate(found.clean[:count]):
        if i % TOGETHER == 0:
            layers = noise.profile(rng)
        ocr = "".join(part.ocr for part in corrupt(gold, rng, layers))
        yield {"ocr": ocr, "gold": gold, "doc": str(i // TOGETHER)}


def page_passages(path: Path, words: Lexicon) -> Iterator[dict[str, str]]:
    """The paragraphs of rendered pages as running text, each page a document; none with a misread word."""
    with path.open(encoding="utf-8") as file:
        for record in map(json.loads, file):
            pair = unbroken(Pair(record["ocr"], record["gold"]))
            if has_misread(pair.gold, words):
                continue
            yield {"ocr": pair.ocr, "gold": pair.gold, "doc": record["page"]}


def held_passages(found: Material, part: str) -> Iterator[dict[str, str]]:
    """The last per cent of the pairs of a set kept back (``ocr_abbyy:50``)."""
    name, _, percent = part.partition(":")
    pairs = found.held[name]
    for pair in pairs[len(pairs) * (100 - int(percent)) // 100 :]:
        yield {"ocr": pair.ocr, "gold": pair.gold}


def main() -> None:
    """Write what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--lang", required=True, choices=sorted(STYLED))
    parser.add_argument("--rendered", type=Path, nargs="*", default=[], help="as the tagger was trained with")
    parser.add_argument("--pages", type=Path, nargs="*", default=[], help="of the other half, by render.py")
    parser.add_argument("--held", nargs="*", default=[], help="sets kept back and per cent: ocr_abbyy:50")
    parser.add_argument("--against", type=Path, nargs="*", default=[])
    parser.add_argument("--passages", type=int, default=600)
    chosen = parser.parse_args()
    words = language(chosen.lang).lexicon
    found = material(
        chosen.data,
        chosen.lang,
        words,
        forbidden(chosen.against),
        400 * chosen.passages,
        first=1,
        rendered=chosen.rendered,
    )
    noise = noise_for(chosen.lang, found.pairs)
    with chosen.out.open("w", encoding="utf-8") as file:
        made = passages(found, noise, chosen.passages)
        held = (held_passages(found, part) for part in chosen.held)
        pages = (page_passages(path, words) for path in chosen.pages)
        for passage in itertools.chain(made, *pages, *held):
            if passage["ocr"].strip():
                file.write(json.dumps(passage, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
