"""Calibrate the probabilities of candidates for correction: languages/<folder>/calibration.tsv.

    python pipeline/training/calibrate_correction.py TAG FILE[:FIRST-LAST]...

Each candidate, whatever its score, is carried out alone on passages of a file ({ocr, gold}, see
:mod:`hoyle.evaluate.passages`; FIRST-LAST are percents of its passages). It is right if it brings the text
nearer to its gold. For each change type, in steps of the score of its generator, the table has the share
that was right (one right and one wrong added); steps are pooled until the share never falls with the score
(isotonic regression, Zadrozny & Elkan 2002). The steps are counted over all bands of OCR quality and in each
band; to the counts of a band :data:`PRIOR_COUNT` candidates with the share of all bands are added.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from hoyle.correction.ranking import ANY_QUALITY, CHANGE_TYPES, QUALITY_BANDS
from hoyle.correction.units import score_units
from hoyle.correction.word_correction import Candidate
from hoyle.evaluate.passages import Passage, group_passages, read_passages
from hoyle.evaluate.text import normalise
from hoyle.languages import language

STEPS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)

MIN_COUNT = 8
"""Candidates that a step of the table must rest on (the last one may rest on fewer)."""

PRIOR_COUNT = 2
"""Candidates with the share of all bands that are added to the counts of one band."""

MAX_PROBABILITY = 0.998
"""Upper limit of a calibrated probability, as so few documents were counted."""

Counts = tuple[float, float, float]
"""Lowest score of a step; candidates counted; right ones among them."""

Tally = dict[tuple[str, str], dict[float, list[bool]]]
"""By change type and OCR quality, and by step of the score: whether each candidate was right."""


def main(arguments: list[str]) -> None:
    """Count, print and write the table."""
    tag, *files = arguments
    tally: Tally = defaultdict(lambda: defaultdict(list))
    for name in files:
        for quality, candidate, is_right in outcomes(_part(name, tag)):
            step = max(s for s in STEPS if s <= candidate.probability)
            for band in (ANY_QUALITY, quality):
                tally[candidate.change_type, band][step].append(is_right)
    rows = [row for change_type in CHANGE_TYPES for row in _rows(change_type, tally)]
    sources = ", ".join(Path(name).name for name in files)
    heading = f"""\
# Calibrated probability of a candidate. change_type, quality: see hoyle/correction/ranking.py; score: of its
# generator, from here on; probability: share that was right; count: candidates counted. Made by
# pipeline/training/calibrate_correction.py from {sources}.
change_type\tquality\tscore\tprobability\tcount
"""
    (language(tag).folder / "calibration.tsv").write_text(heading + "\n".join(rows) + "\n", encoding="utf-8")
    print("\n".join(rows))


def _part(name: str, tag: str) -> list[Passage]:
    path, _, percents = name.partition(":")
    passages = list(read_passages(Path(path), tag))
    first, last = (int(p) for p in percents.split("-")) if percents else (0, 100)
    return passages[len(passages) * first // 100 : len(passages) * last // 100]


def outcomes(passages: Iterable[Passage]) -> Iterator[tuple[str, Candidate, bool]]:
    """Yield the OCR quality, each candidate, and whether it brings its text nearer to the gold."""
    for document, some in group_passages(passages):
        for scored, passage in zip(
            score_units(document, language(document.lang), calibrate=False), some, strict=True
        ):
            text, gold = scored.edited.text, normalise(passage.gold)
            before = Levenshtein.distance(normalise(text), gold)
            for candidate in scored.candidates:
                carried_out = text[: candidate.start] + candidate.after + text[candidate.end :]
                yield scored.quality, candidate, Levenshtein.distance(normalise(carried_out), gold) < before


def _rows(change_type: str, tally: Tally) -> Iterator[str]:
    steps = {start: (len(v), sum(v)) for start, v in sorted(tally[change_type, ANY_QUALITY].items())}
    together = isotonic((start, n + 2, right + 1) for start, (n, right) in steps.items())
    for quality in (ANY_QUALITY, *QUALITY_BANDS):
        counted = tally[change_type, quality]
        if quality == ANY_QUALITY:
            found = together
        else:
            found = isotonic(
                (start, len(v) + PRIOR_COUNT, sum(v) + PRIOR_COUNT * _probability(together, start))
                for start, v in sorted(counted.items())
            )
        ends = [*(start for start, *_ in found[1:]), 2.0][: len(found)]
        for step, end in zip(found, ends, strict=True):
            start = step[0]
            n = sum(len(v) for at, v in counted.items() if start <= at < end)
            yield f"{change_type}\t{quality}\t{start:g}\t{min(MAX_PROBABILITY, _share(step)):.3f}\t{n}"


def _probability(steps: Iterable[Counts], score: float) -> float:
    return [_share(step) for step in steps if score >= step[0]][-1]


def isotonic(counts: Iterable[Counts]) -> list[Counts]:
    """Pool neighbouring steps until each has :data:`MIN_COUNT` candidates and the share never falls."""
    pooled: list[Counts] = []
    for step in counts:
        pooled.append(step)
        while len(pooled) > 1 and (pooled[-2][1] < MIN_COUNT or _share(pooled[-2]) > _share(pooled[-1])):
            (start, n, right), (_, more, good) = pooled[-2:]
            pooled[-2:] = [(start, n + more, right + good)]
    return pooled


def _share(counts: Counts) -> float:
    return counts[2] / counts[1]


if __name__ == "__main__":
    main(sys.argv[1:])
