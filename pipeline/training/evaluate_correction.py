"""Measures the corrector on gold editions, on {ocr, gold} pairs and on clean text.

    python pipeline/training/evaluate_correction.py [--gold TAG JSON RAW]... [--pairs TAG FILE]...
                                                    [--clean TAG FILE]... [--show]

CER is the edit distance by characters of the gold text, white space counted as one space; broken words
are gold words that the raw text had right and the corrected one has wrong, for each 1000 right ones.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pairs import kept_words, read_pairs
from rapidfuzz.distance import Levenshtein

from hoyle.model import FURNITURE, Block, Document, Evidence, Meta, Source, Span
from hoyle.reading import read
from hoyle.stages.correct import find

_BY = Evidence("gold", 1.0)


@dataclass
class Figures:
    """Sums over passages."""

    characters: int = 0
    before: int = 0
    after: int = 0
    right: int = 0
    broken: int = 0
    wrong: int = 0
    mended: int = 0
    seconds: float = 0.0
    loose: bool = False

    def add(self, raw: str, corrected: str, gold: str) -> list[tuple[str, str]]:
        """Count one passage; returns the words that were broken, as (gold, corrected text near)."""
        raw, corrected, gold = (self._plain(text) for text in (raw, corrected, gold))
        self.characters += len(gold)
        self.before += Levenshtein.distance(raw, gold)
        self.after += Levenshtein.distance(corrected, gold)
        words = gold.split(" ")
        had, has = kept_words(words, raw.split(" ")), kept_words(words, corrected.split(" "))
        self.right += len(had)
        self.broken += len(had - has)
        self.wrong += len(words) - len(had)
        self.mended += len(has - had)
        return [(words[i], "") for i in sorted(had - has)]

    def _plain(self, text: str) -> str:
        """White space as one space, apostrophes alike; if ``loose``, no hyphens and no spaces at signs."""
        text = text.replace("’", "'")
        if self.loose:
            text = re.sub(r"(?<=\w)[-\u00ac]\s*(?=\w)", "", text)
            text = re.sub(r"\s+(?=[.,;:!?])", "", text)
        return " ".join(text.split())

    def __str__(self) -> str:
        n = max(1, self.characters)
        return (
            f"{self.characters:8d} chars  CER {100 * self.before / n:5.2f} → {100 * self.after / n:5.2f}"
            f"  broken {1000 * self.broken / max(1, self.right):5.2f} per 1000 ({self.broken})"
            f"  mended {100 * self.mended / max(1, self.wrong):4.1f} % of {self.wrong}"
            f"  {n / max(1e-6, self.seconds):7.0f} chars/s"
        )


def document(name: str, text: str, lang: str, spans: Sequence[Sequence[Span]]) -> Document:
    """A document whose units are paragraphs with the given spans."""
    data = text.encode()
    source = Source(name, name, text, hashlib.sha256(data).hexdigest(), len(data))
    units = [Block(f"{name}.p{i}", "paragraph", tuple(s), _BY) for i, s in enumerate(spans)]
    return Document(source, Meta(name, lang=lang)).with_layer("clauses", units)


def correct(bare: Document) -> tuple[Document, float]:
    """The document with its corrections, and the seconds that took."""
    start = time.process_time()
    done = bare.with_layer("correct", find(bare))
    return done, time.process_time() - start


def gold_edition(path: Path, raw: Path, lang: str) -> tuple[Figures, list[tuple[str, str]]]:
    """Figures of one gold edition, its units given."""
    gold = json.loads(path.read_text(encoding="utf-8"))
    text = raw.read_bytes().decode()
    units = [u for u in gold["units"] if u["type"] not in FURNITURE and u.get("spans")]
    spans = [[Span(*s) for s in u["spans"] if text[s[0] : s[1]].strip()] for u in units]
    done, seconds = correct(document(path.stem, text, lang, spans))
    figures, broken = Figures(seconds=seconds), []
    for unit, block in zip(units, done.units, strict=True):
        before = "".join(text[a:b] for a, b in unit["spans"])
        broken += figures.add(before, read(done, block.spans, "corrected").text, unit["corrected"])
    return figures, broken


def passages(
    pairs: Iterator[tuple[str, str]], lang: str, *, together: int = 8, loose: bool = False
) -> tuple[Figures, list[tuple[str, str]]]:
    """Figures of pairs, some in one document."""
    figures, broken = Figures(loose=loose), []
    chosen = list(pairs)
    for i in range(0, len(chosen), together):
        some = chosen[i : i + together]
        text, spans = "", []
        for ocr, _ in some:
            ocr_ = ocr.strip()
            spans.append([Span(len(text), len(text) + len(ocr_))])
            text += ocr_ + "\n\n"
        done, seconds = correct(document(f"pair{i}", text, lang, spans))
        figures.seconds += seconds
        for (ocr, gold), block in zip(some, done.units, strict=True):
            broken += figures.add(ocr, read(done, block.spans, "corrected").text, gold)
    return figures, broken


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


def main() -> None:
    """Print one line for each set."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--gold", nargs=3, action="append", default=[], metavar=("LANG", "JSON", "RAW"))
    parser.add_argument("--pairs", nargs=2, action="append", default=[], metavar=("LANG", "FILE"))
    parser.add_argument("--clean", nargs=2, action="append", default=[], metavar=("LANG", "FILE"))
    parser.add_argument("--characters", type=int, default=100_000, help="of each clean text")
    parser.add_argument("--loose", action="store_true", help="pairs: leave out hyphens and gaps at signs")
    parser.add_argument("--show", action="store_true", help="the broken words")
    chosen = parser.parse_args()
    for lang, path, raw in chosen.gold:
        _report(Path(path).stem, gold_edition(Path(path), Path(raw), lang), show=chosen.show)
    for lang, path in chosen.pairs:
        pairs = ((p.ocr, p.gold) for p in read_pairs(Path(path)))
        _report(Path(path).name, passages(pairs, lang, loose=chosen.loose), show=chosen.show)
    for lang, path in chosen.clean:
        lines = clean_lines(Path(path), chosen.characters)
        _report(f"clean {Path(path).name}", passages(lines, lang), show=chosen.show)


def _report(name: str, result: tuple[Figures, list[tuple[str, str]]], *, show: bool) -> None:
    figures, broken = result
    print(f"{name:26s} {figures}", flush=True)
    if show and broken:
        print("    broken:", " ".join(word for word, _ in broken[:60]))


if __name__ == "__main__":
    main()
