"""Counts sequences of letters for ``hoyle.resources.letters``.

    python pipeline/training/build_ngrams.py DATA_FOLDER [BASE ...]

DATA_FOLDER holds ``ru/corpus_ru_petr1708.txt.xz`` and ``fr/corpus_fr_1840_1920.txt.xz``. Only counts
are kept, no text: sequences of one to seven symbols met at least as often as ``LEAST`` says.
"""

from __future__ import annotations

import lzma
import math
import sys
from pathlib import Path

import marisa_trie
import numpy as np

from hoyle.resources import STEPS
from hoyle.resources.letters import LONGEST, fold, symbols
from hoyle.tables import data_file

CORPORA = {
    "ru": (
        "ru/corpus_ru_petr1708.txt.xz",
        "Russian of 1839-1910 (Otechestvennyja Zapiski: free; Tolstoy: CC BY-SA, counted only)",
    ),
    "fr": ("fr/corpus_fr_1840_1920.txt.xz", "French novels of 1840-1920 (ELTeC, public domain)"),
}
LEAST = {1: 1, 2: 1, 3: 2, 4: 3, 5: 4, 6: 6, 7: 8}
"""How often a sequence of so many symbols must be met to be kept."""
SYMBOLS = 12_000_000
"""About how many symbols are counted: lines at even distances all through the corpus."""


def main(arguments: list[str]) -> None:
    """Count the languages named, or all."""
    data = Path(arguments[0])
    for base in arguments[1:] or CORPORA:
        text = _folded(data / CORPORA[base][0], base)
        counts = _count(text)
        _write(base, counts, len(text))


def _folded(path: Path, base: str) -> str:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        lines = file.read().split("\n")
    step = max(1, sum(map(len, lines)) // SYMBOLS)
    return fold(" ".join(lines[::step]), symbols(data_file("resources", f"letters_{base}.tsv")))


def _count(text: str) -> dict[str, int]:
    """How often each sequence of up to ``LONGEST`` symbols occurs, rare ones left out."""
    alphabet = sorted(set(text))
    table = np.zeros(max(map(ord, alphabet)) + 1, dtype=np.int64)
    table[[ord(c) for c in alphabet]] = range(len(alphabet))
    stream = table[np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)]
    counts: dict[str, int] = {}
    for length in range(1, LONGEST + 1):
        keys = np.zeros(len(stream) - length + 1, dtype=np.int64)
        for k in range(length):
            keys = keys * len(alphabet) + stream[k : len(stream) - length + 1 + k]
        found, times = np.unique(keys, return_counts=True)
        kept = times >= LEAST[length]
        for key, count in zip(found[kept].tolist(), times[kept].tolist(), strict=True):
            counts[_sequence(key, length, alphabet)] = count
    return counts


def _sequence(key: int, length: int, alphabet: list[str]) -> str:
    letters = []
    for _ in range(length):
        key, code = divmod(key, len(alphabet))
        letters.append(alphabet[code])
    return "".join(reversed(letters))


def _write(base: str, counts: dict[str, int], total: int) -> None:
    trie = marisa_trie.Trie(sorted(counts))
    quantised = bytearray(len(trie))
    for sequence, count in counts.items():
        quantised[trie[sequence]] = min(255, 1 + round(STEPS * math.log2(count)))
    target = data_file("resources") / f"letters_{base}.marisa"
    trie.save(str(target))
    target.with_suffix(".counts").write_bytes(bytes(quantised))
    file, source = CORPORA[base]
    note = [
        f"# What letters_{base} was counted from.",
        f'command = "python pipeline/training/build_ngrams.py DATA_FOLDER {base}"',
        f'sources = ["{file}: {source}"]',
        f"symbols = {total}",
        f"sequences = {len(counts)}",
    ]
    target.with_suffix(".toml").write_text("\n".join(note) + "\n", encoding="utf-8")
    print(f"{target.name}: {len(counts)} sequences of {total} symbols, {target.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
