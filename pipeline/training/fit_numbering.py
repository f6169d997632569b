"""Fits the weights of the numbering decoder (``numbering/weights.tsv``) on texts whose starts are known.

The decoder's score is linear in its weights once a reading is chosen, so a structured perceptron fits
them (Collins 2002): where the decoder prefers a wrong reading, weights move from what that reading used
to what the best reading that agrees with the gold used. They are drawn to the values set by hand, and
averaged. Figures count only with the document at hand left out (``--folds``).

    python pipeline/training/fit_numbering.py tests/golden/numbering STARTS… --folds 6 --write

STARTS are files of clause starts (``{n, start}``, see ``hoyle evaluate``) beside a folder ``raw``, gold
editions, or folders of golden numbering cases; a plain text file is one without any clause.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from hoyle.document import Document, Meta, Source
from hoyle.languages import UNDETERMINED, language
from hoyle.languages.detection import detect_language
from hoyle.layout.blocks import Layout
from hoyle.layout.flow import Flow
from hoyle.layout.furniture import find_furniture
from hoyle.numbering import schemes
from hoyle.numbering.cues import CueWords
from hoyle.numbering.decoder import Choice, Start, decode
from hoyle.numbering.series import labels
from hoyle.numbering.weights import fitted, using
from hoyle.segmentation.clauses import gathered, segment
from hoyle.tables import data_file, read_table

GRACE = 6
"""Characters by which a start may lie beside the gold one."""
RATE = 0.01
PULL = 0.01
"""Share by which each update draws the weights back to those set by hand."""
AGREE, DISAGREE = 4.0, -4.0
"""What speaks for a choice that agrees with the gold, and against another, to find the best such reading."""


class Text(NamedTuple):
    """A text and its clause starts: offset into the raw text → number."""

    name: str
    document: Document
    gold: Mapping[int, str]


class Traced(float):
    """A number that knows of which weights it is the sum, and how often each is in it."""

    terms: Mapping[str, float]

    def __new__(cls, value: float, terms: Mapping[str, float]) -> Self:
        """A number and what it is made of."""
        made = super().__new__(cls, value)
        made.terms = terms
        return made

    def __add__(self, other: float) -> Traced:
        terms = getattr(other, "terms", None)
        if not terms:
            return Traced(float(self) + float(other), self.terms)
        both = dict(self.terms)
        for name, times in terms.items():
            both[name] = both.get(name, 0.0) + times
        return Traced(float(self) + float(other), both)

    __radd__ = __add__

    def __neg__(self) -> Traced:
        return self * -1.0

    def __sub__(self, other: float) -> Traced:
        return self + -other

    def __rsub__(self, other: float) -> Traced:
        return -self + other

    def __mul__(self, factor: float) -> Traced:
        return Traced(float(self) * factor, {name: times * factor for name, times in self.terms.items()})

    __rmul__ = __mul__


def read_texts(paths: Iterable[Path]) -> Iterator[Text]:
    """The texts of files and folders, whatever their form."""
    for path in paths:
        if path.is_dir():
            yield from read_texts(sorted(p for p in path.iterdir() if p.suffix in {".json", ".txt"}))
        elif path.suffix == ".json":
            yield _starts(path)
        elif path.suffix == ".txt":
            yield _case(path)


def _case(path: Path) -> Text:
    text, _, wanted = path.read_bytes().decode().partition("\n===\n")
    gold, at = {}, 0
    for line in wanted.splitlines():
        number, start = line.split("\t", 1)
        at = text.index(start, at)
        gold[at] = number
        at += 1
    return Text(path.stem, _document(path.stem, text), gold)


def _starts(path: Path) -> Text:
    data = json.loads(path.read_text(encoding="utf-8"))
    name = path.name.split(".")[0]
    file = data.get("file", "") if isinstance(data, dict) else ""
    places = (
        path.parent.parent / "raw" / f"{name}.txt",
        *(p / file for p in (Path("seeds"), path.parent.parent)),
    )
    raw = next(p for p in places if p.is_file()).read_bytes().decode()
    if isinstance(data, dict) and "units" in data:
        labelled = [u for u in data["units"] if u["type"] == "clause" and u.get("n") and u.get("label_raw")]
        return Text(name, _document(name, raw), {u["spans"][0][0]: str(u["n"]) for u in labelled})
    starts = data["starts"] if isinstance(data, dict) else data
    return Text(name, _document(name, raw), {s["start"]: str(s["n"]).replace(" ", "") for s in starts})


def _document(name: str, text: str) -> Document:
    bare = Document(Source(name, f"{name}.txt", text, "", 0), Meta(name, numbering=("detect",)))
    told = bare.with_layer("language", detect_language(bare, UNDETERMINED))
    return told.with_layer("furniture", find_furniture(told, language(told.lang)))


def read(text: Text, weights: Mapping[str, float], *, agree: bool) -> dict[int, Start]:
    """The best reading of a text, or the best one that agrees with the gold: believed starts by place."""
    flow = Flow(text.document)
    gold = {flow.offset(at): number for at, number in text.gold.items()}

    def bias(choice: Choice) -> float:
        at = choice.candidate.sighting.label.start
        near = next((n for g, n in gold.items() if abs(g - at) <= GRACE), None)
        if near is None:
            return DISAGREE
        return (
            AGREE
            if _number(choice) == near
            else AGREE / 4
            if _last(choice) == near.rpartition(".")[2]
            else DISAGREE
        )

    with using(weights):
        cues = language(text.document.lang).resource(CueWords)
        groups, surroundings = gathered(text.document, flow, Layout(flow, cues), cues)
        starts = decode(groups, surroundings, bias=bias if agree else None)
        believed = {label.at: label.path for label in labels(starts, flow.text)}
    if not agree:
        return {start.at: start for start in starts if start.at in believed}
    near = {g + beside for g in gold for beside in range(-GRACE, GRACE + 1)}
    return {start.at: start for start in starts if start.candidate.sighting.label.start in near}


def _last(choice: Choice) -> str:
    level = choice.option.stack[-1]
    shown = (
        schemes()[level.scheme].write(choice.option.value, level.style) if level.scheme else str(level.last)
    )
    return shown + choice.candidate.sighting.suffix


def _number(choice: Choice) -> str:
    levels = choice.option.stack[:-1]
    above = [schemes()[one.scheme].write(one.last, one.style) + one.suffix for one in levels if one.scheme]
    return ".".join((*above, _last(choice)))


def terms(starts: Iterable[Start]) -> Mapping[str, float]:
    """How often a reading uses each weight."""
    total = sum((start.gain for start in starts), Traced(0.0, {}))
    return getattr(total, "terms", {})


def _shown(start: Start | None) -> tuple[int, ...]:
    """What tells two readings of a label apart."""
    return tuple(level.last for level in start.levels) if start else ()


def fit(texts: Sequence[Text], prior: Mapping[str, float], epochs: int, seed: int = 0) -> dict[str, float]:
    """The averaged weights, after one of ``epochs`` passes, that read ``texts`` best, or the prior."""
    best, most = dict(prior), f1(figures(texts, prior))
    rng = random.Random(seed)
    weights, steps = dict(prior), 0
    totals: defaultdict[str, float] = defaultdict(float)
    order = list(texts)
    for _ in range(epochs):
        rng.shuffle(order)
        for text in order:
            traced = {name: Traced(value, {name: 1.0}) for name, value in weights.items()}
            found, wanted = read(text, traced, agree=False), read(text, traced, agree=True)
            odd = {at for at in {*found, *wanted} if _shown(found.get(at)) != _shown(wanted.get(at))}
            if odd:
                plus, minus = (
                    terms(s for at, s in starts.items() if at in odd) for starts in (wanted, found)
                )
                for name, value in weights.items():
                    step = (plus.get(name, 0.0) - minus.get(name, 0.0)) / len(odd)
                    pull = PULL * (prior[name] - value)
                    weights[name] = value + RATE * max(-1.0, min(1.0, step)) + pull
            steps += 1
            for name, value in weights.items():
                totals[name] += value
        averaged = {name: totals[name] / steps for name in weights}
        if (reached := f1(figures(texts, averaged))) > most:
            best, most = averaged, reached
    return best


def figures(texts: Sequence[Text], weights: Mapping[str, float]) -> tuple[int, int, int]:
    """Starts found with the right number, found, and wanted, by the whole stage."""
    right = found = wanted = 0
    with using(weights):
        for text in texts:
            document = text.document.with_layer(
                "clauses", segment(text.document, language(text.document.lang))
            )
            left = [({c.spans[0].start, (c.label_span or c.spans[0]).start}, c.n) for c in document.clauses]
            found += len(left)
            wanted += len(text.gold)
            for at, number in text.gold.items():
                hit = next(
                    (x for x in left if min(abs(p - at) for p in x[0]) <= GRACE and _same(x[1], number)), None
                )
                if hit:
                    left.remove(hit)
                    right += 1
    return right, found, wanted


def _same(found: str, wanted: str) -> bool:
    return found == wanted or found.endswith("." + wanted)


def f1(counts: tuple[int, int, int]) -> float:
    """Harmonic mean of precision and recall."""
    right, found, wanted = counts
    return 2 * right / max(1, found + wanted)


def main() -> None:
    """Fits, says what it brings with documents left out, and writes the table if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("texts", type=Path, nargs="+")
    parser.add_argument("--folds", type=int, default=0, help="documents are left out in so many parts")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="write numbering/weights.tsv")
    options = parser.parse_args()
    texts = list(read_texts(options.texts))
    path = data_file("numbering", "weights.tsv")
    prior = {row["name"]: row.number("set") for row in read_table(path, ("name", "weight", "set", "meaning"))}
    by_hand = figures(texts, prior)
    print(f"set by hand: F1 {f1(by_hand):.4f} {by_hand}", flush=True)
    left_out = (0, 0, 0)
    for fold in range(options.folds):
        rest = [t for at, t in enumerate(texts) if at % options.folds != fold]
        mine = [t for at, t in enumerate(texts) if at % options.folds == fold]
        counts = figures(mine, fit(rest, prior, options.epochs))
        print(f"fold {fold}: by hand {f1(figures(mine, prior)):.4f}", end=", ")
        left_out = tuple(a + b for a, b in zip(left_out, counts, strict=True))  # type: ignore[assignment]
        print(f"fitted on the others F1 {f1(counts):.4f} {counts}", flush=True)
    if options.folds:
        print(f"left out: F1 {f1(left_out):.4f} {left_out}")
    if options.write:
        write(path, fit(texts, prior, options.epochs))


def write(path: Path, weights: Mapping[str, float]) -> None:
    """Puts fitted weights into the table."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        name, *rest = line.split("\t")
        known = name in fitted()
        lines.append("\t".join((name, f"{weights[name]:.3g}", *rest[1:])) if known else line)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
