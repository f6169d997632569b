"""What a rewriting of the tagger is worth, alone and shared: ``tagger_<language>.tsv``.

    python pipeline/training/tagger/calibrate.py DATA_FOLDER NET_FOLDER --lang TAG [--against FILE]...

Counted on what the training kept back (real OCR) and on clean text of its own corpus that is misread
by the noise profiles. For each sort of rewriting that the lattice does not propose too, in steps of
probability, the share that made the text better; pooled until a higher probability is never worth less
(isotonic regression).
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from data import Material, forbidden, material
from measure import applied, joined
from net import TaggerNet
from noise import STYLED, Noise, corrupt, noise_for
from opinion import SAME, same
from pairs import Pair
from rapidfuzz.distance import Levenshtein
from rewrite import SORTS, Rewriting, rewritings

from hoyle.resources import lexicon
from hoyle.stages.correct import readings
from hoyle.stages.words import Correction

STEPS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98)

LEAST = 6
"""Changes that a step of the table must rest on (the last one may rest on fewer)."""

Counts = tuple[float, int, int]
"""From which probability on; rewritings counted; right ones among them."""


def noisy(found: Material, noise: Noise, count: int) -> list[Pair]:
    """Clean passages, misread; three in a row share a profile."""
    rng = random.Random(99)
    pairs = []
    texts_ = found.clean[-count:]
    for i in range(0, len(texts_), 3):
        layers = noise.profile(rng)
        for text in texts_[i : i + 3]:
            parts = corrupt(text, rng, layers)
            pairs.append(Pair("".join(p.ocr for p in parts), text))
    return pairs


def outcomes(pairs: Sequence[Pair], tag: str, net: TaggerNet) -> Iterator[tuple[str, float, bool]]:
    """Sort (or "same"), probability and whether it made the text better, of each candidate."""
    words = lexicon(tag)
    for i in range(0, len(pairs), 8):
        some = pairs[i : i + 8]
        for (text, parts, corrections), pair in zip(readings(joined(some, tag)), some, strict=True):
            gold = " ".join(pair.gold.split())
            before = Levenshtein.distance(text, gold)
            made = list(rewritings(text, net.tags(text), parts, words))
            shared = [c for c in corrections if any(same(text, c, r) for r in made)]
            alone = [r for r in made if not any(same(text, c, r) for c in corrections)]
            found: list[tuple[str, Correction | Rewriting]] = [(SAME, c) for c in shared]
            found += [(r.sort, r) for r in alone]
            for sort, change in found:
                better = Levenshtein.distance(applied(text, [change]), gold) < before
                yield sort, change.probability, better


def isotonic(counts: Iterable[Counts]) -> list[Counts]:
    """Neighbouring steps pooled until each has :data:`LEAST` changes and the share never falls."""
    pooled: list[Counts] = []
    for step in counts:
        pooled.append(step)
        while len(pooled) > 1 and (pooled[-2][1] < LEAST or _share(pooled[-2]) > _share(pooled[-1])):
            (start, n, right), (_, more, good) = pooled[-2:]
            pooled[-2:] = [(start, n + more, right + good)]
    return pooled


def _share(counts: Counts) -> float:
    """The share that is right, one right and one wrong added."""
    return (counts[2] + 1) / (counts[1] + 2)


def main() -> None:
    """Count, write and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path, help="where the net lies")
    parser.add_argument("--lang", required=True, choices=sorted(STYLED))
    parser.add_argument("--against", type=Path, nargs="*", default=[])
    parser.add_argument("--passages", type=int, default=300, help="of real OCR, and again of misread text")
    chosen = parser.parse_args()
    tag = chosen.lang
    found = material(chosen.data, tag, lexicon(tag), forbidden(chosen.against), 1_000_000)
    pairs = noisy(found, noise_for(tag, found.pairs), chosen.passages)
    pairs += [p for held in found.held.values() for p in held[: chosen.passages]]
    tally: dict[str, dict[float, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for sort, probability, better in outcomes(pairs, tag, TaggerNet(tag, chosen.folder)):
        tally[sort][max(s for s in STEPS if s <= probability)].append(better)
    rows = []
    for sort in (SAME, *SORTS):
        steps = [(start, len(v), sum(v)) for start, v in sorted(tally[sort].items())]
        for start, n, right in isotonic(steps):
            rows.append("\t".join([sort, f"{start:g}", f"{_share((start, n, right)):.3f}", str(n)]))
    heading = """\
# What a change proposed by the tagger is worth. sort: see rewrite.py; "same": the lattice proposes
# it too; posterior: probability (of the lattice, for "same") from here on; p: share that was right; n:
# changes counted. Made by pipeline/training/tagger/calibrate.py.
sort\tposterior\tp\tn
"""
    path = chosen.folder / f"tagger_{tag.replace('-', '_')}.tsv"
    path.write_text(heading + "\n".join(rows) + "\n", encoding="utf-8")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
