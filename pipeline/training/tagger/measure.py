"""Measures lattice, tagger and both together.

    python pipeline/training/tagger/measure.py TAG NET_FOLDER
        [--pairs FILE]... [--clean FILE]... [--gold JSON RAW]...

Layout and signs are mended first, as in the stage. ``lattice`` is what the stage does today; ``both``
is :mod:`opinion`; ``gate`` the tagger alone behind its limits; ``0.5`` and ``0.8`` without them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from evaluate_correction import clean_lines, document
from figures import Figures
from opinion import LIMITS, SecondOpinion
from pairs import Pair, read_pairs
from rewrite import SORTS, Rewriting, is_sure, rewritings

from hoyle.languages import language
from hoyle.model import FURNITURE, Document, Span
from hoyle.stages.correct import readings
from hoyle.stages.words import Correction

TOGETHER = 8
"""Pairs that make a document."""

Set = Iterator[tuple[Document, Sequence[Pair]]]


def _together(pairs: Sequence[Pair], tag: str) -> Set:
    for i in range(0, len(pairs), TOGETHER):
        yield joined(pairs[i : i + TOGETHER], tag), pairs[i : i + TOGETHER]


def joined(pairs: Sequence[Pair], tag: str) -> Document:
    """Pairs as the paragraphs of one document."""
    text, spans = "", []
    for ocr in (p.ocr.strip() for p in pairs):
        spans.append([Span(len(text), len(text) + len(ocr))])
        text += ocr + "\n\n"
    return document("pairs", text, tag, spans)


def _gold(path: Path, raw: Path, tag: str) -> Set:
    text = raw.read_bytes().decode()
    units = json.loads(path.read_text(encoding="utf-8"))["units"]
    units = [u for u in units if u["type"] not in FURNITURE and u.get("spans")]
    spans = [[Span(*s) for s in u["spans"] if text[s[0] : s[1]].strip()] for u in units]
    pairs = [Pair("".join(text[a:b] for a, b in u["spans"]), u["corrected"]) for u in units]
    yield document(path.stem, text, tag, spans), pairs


def applied(text: str, chosen: Sequence[Rewriting | Correction]) -> str:
    """The text with the changes made."""
    out, at = [], 0
    for change in chosen:
        out += [text[at : change.start], change.after]
        at = change.end
    return "".join([*out, text[at:]])


def report(name: str, documents: Set, tag: str, second: SecondOpinion) -> None:
    """Print one line for each way to correct."""
    least = language(tag).settings["correct"]["thresholds"]
    limits = {"gate": LIMITS, "0.5": dict.fromkeys(SORTS, 0.5), "0.8": dict.fromkeys(SORTS, 0.8)}
    figures = {way: Figures() for way in ("lattice", "both", *limits)}
    for bare, pairs in documents:
        for (text, parts, found), pair in zip(readings(bare), pairs, strict=True):
            sure = [c for c in found if c.probability >= least[c.sort]]
            figures["lattice"].add(pair, applied(text, sure))
            figures["both"].add(pair, applied(text, second.sure(text, parts, found, least)))
            made = list(rewritings(text, second.net.tags(text), parts, second.lexicon))
            for way, limit in limits.items():
                figures[way].add(pair, applied(text, [r for r in made if is_sure(r, limit)]))
    for way, sums in figures.items():
        print(f"{name:24s} {way:8s} {sums}", flush=True)


def main() -> None:
    """Report on each set of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tag")
    parser.add_argument("folder", type=Path, help="where the net lies")
    parser.add_argument("--pairs", type=Path, nargs="*", default=[])
    parser.add_argument("--clean", type=Path, nargs="*", default=[])
    parser.add_argument("--gold", type=Path, nargs=2, action="append", default=[])
    parser.add_argument("--characters", type=int, default=100_000, help="of each clean text")
    chosen = parser.parse_args()
    second = SecondOpinion(chosen.tag, chosen.folder)
    for path in chosen.pairs:
        pairs = [p for p in read_pairs(path) if p.ocr.strip()]
        report(path.name, _together(pairs, chosen.tag), chosen.tag, second)
    for path in chosen.clean:
        lines = [Pair(*both) for both in clean_lines(path, chosen.characters)]
        report(f"clean {path.name}"[:24], _together(lines, chosen.tag), chosen.tag, second)
    for path, raw in chosen.gold:
        report(path.stem, _gold(path, raw, chosen.tag), chosen.tag, second)


if __name__ == "__main__":
    main()
