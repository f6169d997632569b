"""Measure the corrector on gold editions, on {ocr, gold} pairs and on clean text.

    python pipeline/training/evaluate_correction.py [--gold TAG JSON RAW]... [--pairs TAG FILE]...
                                                    [--clean TAG FILE]... [--show]

It prints one line for each set, with the speed on this machine; :mod:`hoyle.evaluate.text` defines the
counts. ``hoyle evaluate --text`` reports more of a set of pairs (strata, confidence bands, intervals).
"""

from __future__ import annotations

import argparse
import json
import lzma
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hoyle.document import FURNITURE, Span
from hoyle.document.text_layers import layer_text
from hoyle.evaluate.correction import correct_document
from hoyle.evaluate.passages import Passage, Sample, group_passages, make_document, read_passages
from hoyle.evaluate.text import TextScore, broken_words, score_text


@dataclass
class Figures:
    """The counts, the processor time, and the broken words."""

    score: TextScore = field(default_factory=TextScore)
    seconds: float = 0.0
    broken: list[str] = field(default_factory=list)

    def add(self, sample: Sample) -> None:
        """Correct a document and add its counts."""
        start = time.process_time()
        done = correct_document(sample.document)
        self.seconds += time.process_time() - start
        for unit, passage in zip(done.units, sample.passages, strict=True):
            raw, out = (layer_text(done, unit.spans, layer).text for layer in ("raw", "corrected"))
            self.score += score_text(raw, out, passage.gold)
            self.broken += broken_words(raw, out, passage.gold)

    def __str__(self) -> str:
        one = self.score
        wrong = one.words - one.words_right_before
        return (
            f"{one.characters:8d} chars  CER {one.cer_before:5.2f} → {one.cer_after:5.2f}"
            f"  broken {one.words_broken_per_1000:5.2f} per 1000 ({one.words_broken})"
            f"  corrected {100 * one.words_corrected / max(1, wrong):4.1f} % of {wrong}"
            f"  {one.characters / max(1e-6, self.seconds):7.0f} chars/s"
        )


def gold_edition(path: Path, raw: Path, lang: str) -> Sample:
    """Make passages of the units of a gold edition, with their spans.

    Args:
        path: the gold edition (JSON).
        raw: its source.
        lang: tag of its language; detected if empty.

    Returns:
        The document and its passages.
    """
    text = raw.read_bytes().decode()
    units = json.loads(path.read_text(encoding="utf-8"))["units"]
    units = [u for u in units if u["type"] not in FURNITURE and u.get("spans")]
    spans = [[Span(*s) for s in u["spans"] if text[s[0] : s[1]].strip()] for u in units]
    passages = [Passage("".join(text[a:b] for a, b in u["spans"]), u["corrected"]) for u in units]
    return Sample(make_document(path.stem, text, lang, spans), passages)


def clean_lines(path: Path, characters: int) -> Iterator[tuple[str, str]]:
    """Yield every 97th line of a clean corpus as a pair of equal texts, up to so many ``characters``."""
    opener = lzma.open if path.suffix == ".xz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file):
            if number % 97 == 0 and len(line) > 60 and " ," not in line and " ." not in line:
                yield line, line
                characters -= len(line)
                if characters < 0:
                    return


def clean_passages(path: Path, lang: str, characters: int) -> Iterator[Passage]:
    """Make passages of a clean corpus, in which every change is wrong.

    Args:
        path: a text file, plain or compressed with xz.
        lang: tag of its language.
        characters: how many characters to take.

    Returns:
        The passages.
    """
    return (Passage(line, same, lang=lang) for line, same in clean_lines(path, characters))


def main() -> None:
    """Print one line for each set."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--gold", nargs=3, action="append", default=[], metavar=("LANG", "JSON", "RAW"))
    parser.add_argument("--pairs", nargs=2, action="append", default=[], metavar=("LANG", "FILE"))
    parser.add_argument("--clean", nargs=2, action="append", default=[], metavar=("LANG", "FILE"))
    parser.add_argument("--characters", type=int, default=100_000, help="of each clean text")
    parser.add_argument("--show", action="store_true", help="the broken words")
    chosen = parser.parse_args()
    for lang, path, raw in chosen.gold:
        _report(Path(path).stem, [gold_edition(Path(path), Path(raw), lang)], show=chosen.show)
    for lang, path in chosen.pairs:
        _report(Path(path).name, group_passages(read_passages(Path(path), lang)), show=chosen.show)
    for lang, path in chosen.clean:
        found = clean_passages(Path(path), lang, chosen.characters)
        _report(f"clean {Path(path).name}", group_passages(found), show=chosen.show)


def _report(name: str, sets: Iterable[Sample], *, show: bool) -> None:
    figures = Figures()
    for sample in sets:
        figures.add(sample)
    print(f"{name:26s} {figures}", flush=True)
    if show and figures.broken:
        print("    broken:", " ".join(figures.broken[:60]))


if __name__ == "__main__":
    main()
