"""Counts how old prints are read, as styles of noise: scans_<language>.tsv beside this file.

    python pipeline/training/tagger/count_styles.py DATA_FOLDER --lang TAG

Only the prints that are trained on are counted. A letter at the end of a word and one before another letter
are told apart (ſ is read f, final s is not). The rates of a row are those of single prints (quantiles), so
that a document drawn from the table is misread as much as one of them.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from data import SCANS, split_scans
from pairs import Pair
from script import segments

LONGEST = 3
LEAST = 4
"""How often a stretch of print must be misread to have a row."""

SEEN = 8
"""How often a print must have a stretch for its own rate to be counted."""

QUANTILES = (0.1, 0.3, 0.5, 0.7, 0.9)


@dataclass
class Counts:
    """How one stretch of print was read.

    Attributes:
        reads: what was read for it, where that differs.
        wrong: how often it was misread, by print.
        example: one word, as read and as printed.
    """

    reads: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    example: str = ""


def confusions(pair: Pair) -> Iterator[tuple[str, str, str]]:
    """Pattern of the print, what was read and the word, for each stretch that was misread."""
    at = read_at = 0
    for part in segments(*pair):
        start, print_, ocr = at, *part
        at, read_at = at + len(part.print), read_at + len(part.ocr)
        if print_ == ocr or max(len(print_), len(ocr)) > LONGEST:
            continue
        if not print_:  # what was put in is tied to the character before it
            start, print_, ocr = start - 1, pair.gold[start - 1 : start], pair.gold[start - 1 : start] + ocr
        if print_.strip():
            words = _word(pair.ocr, read_at - len(part.ocr), read_at), _word(pair.gold, start, at)
            yield pattern(pair.gold, start, len(print_)), ocr, " → ".join(words)


def pattern(text: str, at: int, size: int) -> str:
    """The stretch as a regular expression, which says for a letter whether the word goes on."""
    print_, after = text[at : at + size], text[at + size : at + size + 1]
    if not print_[-1:].isalpha():
        return re.escape(print_)
    return re.escape(print_) + (r"\B" if after.isalpha() else r"\b")


def _word(text: str, start: int, end: int) -> str:
    return text[text.rfind(" ", 0, start) + 1 : (text + " ").index(" ", end)][:40]


def counted(prints: Mapping[str, list[Pair]]) -> tuple[dict[str, Counts], dict[str, Counter[str]]]:
    """How each stretch was read, and how often each print has it."""
    found: dict[str, Counts] = defaultdict(Counts)
    for name, pairs in prints.items():
        for print_, ocr, example in (c for pair in pairs for c in confusions(pair)):
            counts = found[print_]
            counts.reads[ocr] += 1
            counts.wrong[name] += 1
            counts.example = counts.example or example
    kept = {p: c for p, c in sorted(found.items()) if sum(c.reads.values()) >= LEAST}
    of = {p: Counter[str]() for p in kept}
    for name, pairs in prints.items():
        text = "\n".join(pair.gold for pair in pairs)
        for print_ in kept:
            of[print_][name] = len(re.findall(print_, text))
    return kept, of


def rates(wrong: Counter[str], of: Counter[str]) -> list[float]:
    """Quantiles of the rates of single prints; the rate of all together where few prints tell."""
    single = sorted(wrong[name] / n for name, n in of.items() if n >= SEEN)
    if len(single) < len(QUANTILES):
        single = [wrong.total() / max(of.total(), wrong.total())]
    chosen = {max(0.002, round(single[int(q * len(single))], 3)) for q in QUANTILES}
    return sorted(min(1.0, rate) for rate in chosen)


def table(layer: str, share: float, prints: Mapping[str, list[Pair]]) -> Iterator[str]:
    """The rows of one style, most frequent first."""
    kept, of = counted(prints)
    for print_, counts in sorted(kept.items(), key=lambda item: -item[1].reads.total()):
        reads = " ".join(f"{_shown(ocr)}={n}" for ocr, n in counts.reads.most_common() if n > 1)
        if reads:
            shown = " ".join(f"{rate:g}" for rate in rates(counts.wrong, of[print_]))
            total = str(counts.reads.total()), str(of[print_].total())
            yield "\t".join((layer, f"{share:g}", shown, print_, reads, *total, counts.example))


def _shown(text: str) -> str:
    return text.replace(" ", "␠") or "∅"


HEADING = """\
# How scans of old prints are read: a style of noise, for columns see the other table of the language.
# reads: with counts; count: times misread, of: times printed; example: as read → as printed.
# Counted by pipeline/training/tagger/count_styles.py in the prints that are trained on of
# {}.
layer\tshare\trates\tprint\treads\tcount\tof\texample
"""

SOURCES = {
    "ru-petr1708": ["civil_dev (books of 1752-1801; transcription MIT, M. Levchenko)"],
    "fr": ["prints_dev (OCR17, S. Gabay, CC BY 4.0)", "prints18_dev (Gallicorpora, CC0)"],
}

LAYERS = {"ru-petr1708": ("civil", 0.4), "fr": ("long-s", 0.35)}
"""Name of the style, and share of the documents that have it."""


def main() -> None:
    """Write the table that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--lang", required=True, choices=sorted(SCANS))
    chosen = parser.parse_args()
    prints: dict[str, list[Pair]] = defaultdict(list)
    for name in SCANS[chosen.lang]:
        trained, _ = split_scans(chosen.data, chosen.lang, name)
        for record, pair in trained.items():
            prints[record.rpartition("-")[0]].append(pair)
    rows = list(table(*LAYERS[chosen.lang], prints))
    path = Path(__file__).with_name(f"scans_{chosen.lang.replace('-', '_')}.tsv")
    heading = HEADING.format("; ".join(SOURCES[chosen.lang]))
    path.write_text(heading + "\n".join(rows) + "\n", encoding="utf-8")
    print(f"{path}: {len(rows)} rows")


if __name__ == "__main__":
    main()
