"""How often what is proposed for words is right: languages/<folder>/calibration.tsv.

    python pipeline/training/calibrate_correction.py TAG FILE[:FIRST-LAST]...

Each proposal that the stage considers, sure or not, is carried out alone on passages of a file ({ocr, gold},
see :mod:`hoyle.evaluate.passages`; FIRST-LAST are percents of its passages): right is what brings the text
nearer to its gold. For each sort of proposal, in steps of the score its maker gives, the table has the
share that was right (one right and one wrong added); steps are pooled until a higher score is never
worth less (isotonic regression). So for all scans together, and for clean, fair and bad ones apart, where
:data:`WEIGHT` proposals as in all scans are added to what was counted.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from hoyle.correction.ranking import ANY, SCANS, SORTS
from hoyle.correction.units import consider
from hoyle.correction.word_correction import Correction
from hoyle.evaluate.passages import Passage, read_passages, samples
from hoyle.evaluate.text import tidy
from hoyle.languages import language

STEPS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)

LEAST = 8
"""Proposals that a step of the table must rest on (the last one may rest on fewer)."""

WEIGHT = 2
"""Proposals of all scans added to those counted in one sort of scan."""

SUREST = 0.998
"""Nothing that was counted on so few documents is surer."""

Counts = tuple[float, float, float]
"""From which score on; proposals counted; right ones among them."""

Tally = dict[tuple[str, str], dict[float, list[bool]]]
"""By sort of proposal and of scan, and by step of the score: whether each was right."""


def main(arguments: list[str]) -> None:
    """Count, print and write the table."""
    tag, *files = arguments
    tally: Tally = defaultdict(lambda: defaultdict(list))
    for name in files:
        for scan, proposal, is_right in outcomes(_part(name, tag)):
            step = max(s for s in STEPS if s <= proposal.probability)
            for kind in (ANY, scan):
                tally[proposal.sort, kind][step].append(is_right)
    rows = [row for sort in SORTS for row in _rows(sort, tally)]
    sources = ", ".join(Path(name).name for name in files)
    heading = f"""\
# What a proposal for a word is worth. sort, scan: see hoyle/correction/ranking.py; posterior: score of its
# maker from here on; p: share that was right; n: proposals counted. Made by
# pipeline/training/calibrate_correction.py from {sources}.
sort\tscan\tposterior\tp\tn
"""
    (language(tag).folder / "calibration.tsv").write_text(heading + "\n".join(rows) + "\n", encoding="utf-8")
    print("\n".join(rows))


def _part(name: str, tag: str) -> list[Passage]:
    path, _, percents = name.partition(":")
    passages = list(read_passages(Path(path), tag))
    first, last = (int(p) for p in percents.split("-")) if percents else (0, 100)
    return passages[len(passages) * first // 100 : len(passages) * last // 100]


def outcomes(passages: Iterable[Passage]) -> Iterator[tuple[str, Correction, bool]]:
    """The scan, each proposal for the passages, and whether it brings its text nearer to the gold."""
    for document, some in samples(passages):
        for one, passage in zip(
            consider(document, language(document.lang), calibrate=False), some, strict=True
        ):
            text, gold = one.view.text, tidy(passage.gold)
            before = Levenshtein.distance(tidy(text), gold)
            for proposal in one.proposed:
                carried_out = text[: proposal.start] + proposal.after + text[proposal.end :]
                yield one.scan, proposal, Levenshtein.distance(tidy(carried_out), gold) < before


def _rows(sort: str, tally: Tally) -> Iterator[str]:
    steps = {start: (len(v), sum(v)) for start, v in sorted(tally[sort, ANY].items())}
    together = isotonic((start, n + 2, right + 1) for start, (n, right) in steps.items())
    for scan in (ANY, *SCANS):
        counted = tally[sort, scan]
        if scan == ANY:
            found = together
        else:
            found = isotonic(
                (start, len(v) + WEIGHT, sum(v) + WEIGHT * _worth(together, start))
                for start, v in sorted(counted.items())
            )
        ends = [*(start for start, *_ in found[1:]), 2.0][: len(found)]
        for step, end in zip(found, ends, strict=True):
            start = step[0]
            n = sum(len(v) for at, v in counted.items() if start <= at < end)
            yield f"{sort}\t{scan}\t{start:g}\t{min(SUREST, _share(step)):.3f}\t{n}"


def _worth(steps: Iterable[Counts], score: float) -> float:
    return [_share(step) for step in steps if score >= step[0]][-1]


def isotonic(counts: Iterable[Counts]) -> list[Counts]:
    """Neighbouring steps pooled until each has :data:`LEAST` proposals and the share never falls."""
    pooled: list[Counts] = []
    for step in counts:
        pooled.append(step)
        while len(pooled) > 1 and (pooled[-2][1] < LEAST or _share(pooled[-2]) > _share(pooled[-1])):
            (start, n, right), (_, more, good) = pooled[-2:]
            pooled[-2:] = [(start, n + more, right + good)]
    return pooled


def _share(counts: Counts) -> float:
    return counts[2] / counts[1]


if __name__ == "__main__":
    main(sys.argv[1:])
