"""How often corrections of a given posterior are right: languages/<folder>/calibration.tsv.

    python pipeline/training/calibrate_correction.py TAG PAIRS.jsonl[.xz] [LIMIT]

Each word correction that the stage considers, sure or not, is compared with the stretch of the true
text that it covers. The table gives, for each sort of correction and from each posterior on, the share
that was right (one right and one wrong added, and never less sure for a higher posterior).
"""

from __future__ import annotations

import sys
from collections import defaultdict
from itertools import islice
from pathlib import Path

from evaluate_correction import document
from pairs import Pair, read_pairs
from rapidfuzz.distance import Levenshtein

from hoyle.languages import language
from hoyle.model import Span
from hoyle.stages.correct import considered

BINS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9999)
TOGETHER = 12
"""Passages treated as one document."""


def main(arguments: list[str]) -> None:
    """Count, print and write the table."""
    tag, path, *limit = arguments
    pairs = list(islice(read_pairs(Path(path)), int(limit[0]) if limit else None))
    tally: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for i in range(0, len(pairs), TOGETHER):
        for sort, posterior, right in _outcomes(tag, pairs[i : i + TOGETHER]):
            entry = tally[sort][sum(posterior >= b for b in BINS) - 1]
            entry[0] += 1
            entry[1] += right
    rows = [row for sort in sorted(tally) for row in _rows(sort, tally[sort])]
    heading = f"""\
# What the posterior of a word correction is worth. sort: see hoyle.stages.words.Correction; posterior: from
# here on; p: share that was right; n: corrections counted. Made by pipeline/training/calibrate_correction.py
# from {Path(path).name}.
sort\tposterior\tp\tn
"""
    (language(tag).folder / "calibration.tsv").write_text(heading + "\n".join(rows) + "\n", encoding="utf-8")
    print("\n".join(rows))


def _outcomes(tag: str, pairs: list[Pair]) -> list[tuple[str, float, bool]]:
    text, spans = "", []
    for pair in pairs:
        ocr = pair.ocr.strip()
        spans.append([Span(len(text), len(text) + len(ocr))])
        text += ocr + "\n\n"
    found: list[tuple[str, float, bool]] = []
    works = considered(document("pairs", text, tag, spans))
    for (reading, corrections), pair in zip(works, pairs, strict=True):
        gold = " ".join(pair.gold.split())
        places = _places(reading, gold)
        for c in corrections:
            truth = gold[places[c.start] : places[c.end]]
            found.append((c.sort, c.probability, _same(truth, c.after)))
    return found


def _rows(sort: str, bins: dict[int, list[int]]) -> list[str]:
    rows: list[str] = []
    least = 0.0
    for bin_ in sorted(bins):
        n, right = bins[bin_]
        least = max(least, (right + 1) / (n + 2))
        rows.append(f"{sort}\t{BINS[bin_]}\t{least:.3f}\t{n}")
    return rows


def _same(a: str, b: str) -> bool:
    return a.replace("’", "'").strip() == b.replace("’", "'").strip()


def _places(text: str, gold: str) -> list[int]:
    """For each place in a text the place in the true one."""
    places = [0] * (len(text) + 1)
    for op in Levenshtein.opcodes(text, gold):
        size = max(1, op.src_end - op.src_start)
        for i in range(op.src_start, op.src_end):
            places[i] = op.dest_start + (i - op.src_start) * (op.dest_end - op.dest_start) // size
    places[len(text)] = len(gold)
    return places


if __name__ == "__main__":
    main(sys.argv[1:])
