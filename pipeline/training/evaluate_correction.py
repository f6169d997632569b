"""Measures the corrector on gold editions, on {ocr, gold} pairs and on clean text.

    python pipeline/training/evaluate_correction.py [--gold TAG JSON RAW]... [--pairs TAG FILE]...
                                                    [--clean TAG FILE]... [--show]

One line for each set, with the speed on this machine; :mod:`hoyle.evaluate.text` says what is counted.
``hoyle evaluate --text`` tells more of a set of pairs (strata, certainty, intervals).
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
from hoyle.document.text_layers import read
from hoyle.evaluate.correction import corrected
from hoyle.evaluate.passages import Passage, Sample, document, read_passages, samples
from hoyle.evaluate.text import TextScore, broken_words, score_text


@dataclass
class Figures:
    """What was counted, how long it took, and the words that were broken."""

    score: TextScore = field(default_factory=TextScore)
    seconds: float = 0.0
    broken: list[str] = field(default_factory=list)

    def add(self, sample: Sample) -> None:
        """Correct a document and count it."""
        start = time.process_time()
        done = corrected(sample.document)
        self.seconds += time.process_time() - start
        for unit, passage in zip(done.units, sample.passages, strict=True):
            raw, out = (read(done, unit.spans, layer).text for layer in ("raw", "corrected"))
            self.score += score_text(raw, out, passage.gold)
            self.broken += broken_words(raw, out, passage.gold)

    def __str__(self) -> str:
        one = self.score
        wrong = one.words - one.right_before
        return (
            f"{one.characters:8d} chars  CER {one.cer_before:5.2f} → {one.cer_after:5.2f}"
            f"  broken {one.broken_per_1000:5.2f} per 1000 ({one.broken})"
            f"  mended {100 * one.fixed / max(1, wrong):4.1f} % of {wrong}"
            f"  {one.characters / max(1e-6, self.seconds):7.0f} chars/s"
        )


def gold_edition(path: Path, raw: Path, lang: str) -> Sample:
    """The units of a gold edition as passages of its source; their spans are given."""
    text = raw.read_bytes().decode()
    units = json.loads(path.read_text(encoding="utf-8"))["units"]
    units = [u for u in units if u["type"] not in FURNITURE and u.get("spans")]
    spans = [[Span(*s) for s in u["spans"] if text[s[0] : s[1]].strip()] for u in units]
    passages = [Passage("".join(text[a:b] for a, b in u["spans"]), u["corrected"]) for u in units]
    return Sample(document(path.stem, text, lang, spans), passages)


def clean_lines(path: Path, characters: int) -> Iterator[tuple[str, str]]:
    """Lines of a clean corpus from its middle on, as pairs of equals."""
    opener = lzma.open if path.suffix == ".xz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file):
            if number % 97 == 0 and len(line) > 60 and " ," not in line and " ." not in line:
                yield line, line
                characters -= len(line)
                if characters < 0:
                    return


def clean_passages(path: Path, lang: str, characters: int) -> Iterator[Passage]:
    """Lines of a clean corpus as passages in which every change is wrong."""
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
        _report(Path(path).name, samples(read_passages(Path(path), lang)), show=chosen.show)
    for lang, path in chosen.clean:
        found = clean_passages(Path(path), lang, chosen.characters)
        _report(f"clean {Path(path).name}", samples(found), show=chosen.show)


def _report(name: str, sets: Iterable[Sample], *, show: bool) -> None:
    figures = Figures()
    for sample in sets:
        figures.add(sample)
    print(f"{name:26s} {figures}", flush=True)
    if show and figures.broken:
        print("    broken:", " ".join(figures.broken[:60]))


if __name__ == "__main__":
    main()
