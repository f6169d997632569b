"""Counts how often each cue occurs in period prose that has nothing to do with the gold documents.

A cue that the period's own prose attests was not made up for one rulebook: leaving a document out
(:mod:`support.score_tags`) may keep it. Written to ``pipeline/hoyle/languages/<folder>/cue_attested.tsv``;
only counts are kept. Every ``STEP``-th paragraph of the corpus is read.

``PYTHONPATH=pipeline:tests python pipeline/training/attest_cues.py LANGUAGE CORPUS.xz``
"""

from __future__ import annotations

import lzma
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from hoyle.annotation.pipeline import collapse_whitespace, nlp_pipeline
from hoyle.languages import language

STEP = 11
CHARACTERS = 2_500_000
LONGEST = 4_000


def paragraphs(corpus: Path) -> Iterator[str]:
    """Every so many paragraphs, until enough characters are read."""
    left = CHARACTERS
    with lzma.open(corpus, "rt", encoding="utf-8") as lines:
        for line in islice(lines, 0, None, STEP):
            if left <= 0:
                return
            text = collapse_whitespace(line[:LONGEST])[0]
            left -= len(text)
            if text:
                yield text


def main(lang: str, corpus: Path) -> None:
    """Write the table of one language."""
    counts: Counter[str] = Counter()
    tables = language(lang).cue_language
    for doc in nlp_pipeline(tables).pipe(paragraphs(corpus)):
        counts.update({span._.cue.key for span in doc.spans["cues"]})
    path = tables.folder / "cue_attested.tsv"
    note = (
        f"# By pipeline/training/attest_cues.py: paragraphs of {CHARACTERS:,} characters of period prose"
        " in which each cue fires.\n"
    )
    rows = [f"{key}\t{counts[key]}" for key in sorted(counts)]
    path.write_text(note + "cue\tparagraphs\n" + "\n".join(rows) + "\n", encoding="utf-8")
    print(f"{path.name}: {len(rows)} cues attested")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
