"""Count OCR confusions in aligned pairs: languages/<folder>/confusions.tsv.

    python pipeline/training/learn_confusions.py TAG PAIRS.jsonl[.xz] ...

A pair is a JSON object with ``ocr`` and ``gold``. Confusions of up to three characters on either side are
counted (Kernighan, Church & Gale 1990; Brill & Moore 2000). A lost character is counted together with the
one before it. The printed side is in lower case; differences of case alone are not counted. Only counts and
one attested word for each row are kept.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from pairs import Difference, Pair, differences, read_pairs

from hoyle.languages import language

MAX_LENGTH = 3
MIN_COUNT = 3
"""Occurrences from which a confusion is kept."""


def main(arguments: list[str]) -> None:
    """Write the table of the language ``arguments[0]`` from the files that follow."""
    tag, *files = arguments
    pairs = [pair for name in files for pair in read_pairs(Path(name))]
    counts: Counter[tuple[str, str]] = Counter()
    printed: Counter[str] = Counter()
    examples: dict[tuple[str, str], str] = {}
    for pair in pairs:
        gold = pair.gold.lower()
        for size in range(1, MAX_LENGTH + 1):
            printed.update(gold[i : i + size] for i in range(len(gold) - size + 1))
        for ocr, print_, example in _confusions(pair):
            counts[ocr, print_] += 1
            examples.setdefault((ocr, print_), example)
    _write(tag, counts, printed, examples, [Path(name).name for name in files])


def _confusions(pair: Pair) -> Iterable[tuple[str, str, str]]:
    for d in differences(pair):
        ocr, print_, at = d.ocr, d.print.lower(), d.at
        if d.print[:1].isupper():  # capital for capital: as for small letters
            ocr = ocr.lower()
        if not ocr and at and not pair.gold[at - 1].isspace() and print_ != " ":
            before = pair.gold[at - 1]
            ocr, print_ = before.lower(), before.lower() + print_
        if ocr.lower() == print_ or max(len(ocr), len(print_)) > MAX_LENGTH:
            continue
        if any(c.isspace() for c in (ocr + print_).strip(" ")) or " " in (ocr + print_)[1:-1]:
            continue
        yield ocr, print_, _example(pair, d)


def _example(pair: Pair, d: Difference) -> str:
    """The attested word: ``misread → printed``."""
    return f"{_word(pair.ocr, d.ocr_at, len(d.ocr))} → {_word(pair.gold, d.at, len(d.print))}"


def _word(text: str, at: int, size: int) -> str:
    start = max((m.end() for m in re.finditer(r"\s", text[:at])), default=0)
    end = re.compile(r"\s|$").search(text, at + size)
    return text[start : end.start() if end else len(text)].replace("\n", " ")[:40]


def _write(
    tag: str,
    counts: Counter[tuple[str, str]],
    printed: Counter[str],
    examples: dict[tuple[str, str], str],
    sources: list[str],
) -> None:
    """The table, most frequent first."""
    total = sum(n for text, n in printed.items() if len(text) == 1)
    rows = []
    for (ocr, print_), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if count >= MIN_COUNT and _wanted(ocr, print_):
            of = max(count, printed[print_] if print_ and print_ != " " else total)
            cells = (_shown(ocr), _shown(print_), str(count), str(of), examples[ocr, print_])
            rows.append("\t".join(c.replace("\t", " ") for c in cells))
    path = language(tag).folder / "confusions.tsv"
    heading = f"""\
# What OCR makes of print. ocr: as read; print: as printed (small letters); count: occurrences, of: times
# the print occurred (for an empty print: characters in all); example: one attested word, read → printed.
# Learnt by pipeline/training/learn_confusions.py from {", ".join(sources)}.
ocr\tprint\tcount\tof\texample
"""
    path.write_text(heading + "\n".join(rows) + "\n", encoding="utf-8")
    print(f"{path}: {len(rows)} rows")


def _wanted(ocr: str, print_: str) -> bool:
    """Whether a word may be built on the confusion: letters are printed, or signs came into a word."""
    if {ocr, print_} == {" ", ""}:
        return True
    return " " not in ocr + print_ and all(c.isalpha() or c in "'’" for c in print_)


def _shown(text: str) -> str:
    return text.replace(" ", "␣")


if __name__ == "__main__":
    main(sys.argv[1:])
