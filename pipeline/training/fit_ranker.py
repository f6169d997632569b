"""Fit the ranking model of a language: languages/<folder>/ranker.tsv.

    python pipeline/training/fit_ranker.py dump DATA_FOLDER TAG FILE.npz
    python pipeline/training/fit_ranker.py fit TAG FILE.npz [--write]

``dump`` writes the candidates of the sets that have a weight in correction_sets.tsv, with their features and
whether each brings its text nearer to the gold (hyphens of line ends left aside). ``fit`` fits
gradient-boosted trees and prints what they make of each set when the works that are measured are left out of
the fit (:data:`FOLDS`); the slope of the calibration (Platt 1999, without a shift) is fitted on these scores
of works left out. ``--write`` writes the table, fitted on all works.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from write_correction import documents, sets

from hoyle.correction.candidate import Candidate, Change
from hoyle.correction.constraints import NEAR_CERTAIN
from hoyle.correction.features import FEATURES, UNKNOWN
from hoyle.correction.ranking import MAX_PROBABILITY, select
from hoyle.correction.units import score_units
from hoyle.evaluate.text import TextScore, bare_hyphens, normalise, score_text
from hoyle.languages import language

FOLDS = 8
"""Parts of the works, each measured with weights fitted on the others."""

CHARACTERS = 120_000
"""Characters of a set of clean text or of pairs at most."""

TREES, LEARNING_RATE, LEAVES = 120, 0.07, 8
"""Size of the model; on works left out more trees or leaves brought nothing."""

SHORT = 0.3
"""Share of the candidates that are seen a second time as in a short text."""

RISING = {"tagger", "lattice", "both", "context_gain", "document_rate"}
"""Features with which the probability never falls."""

FALLING = {"rival_tagger", "rival_lattice"}
"""Features with which it never rises."""

Array = np.ndarray[Any, Any]


class Dump(NamedTuple):
    """The candidates of all sets, and the passages that they belong to.

    The arrays of candidates are ``features``, ``right`` (does it bring the text nearer to the gold),
    ``wrong`` (farther from it), ``negation``, ``passage`` (index), ``start``, ``end`` and ``after``; those
    of passages ``raw``, ``text`` (edited), ``gold``, ``work`` and ``name`` (set).
    """

    features: Array
    right: Array
    wrong: Array
    negation: Array
    passage: Array
    start: Array
    end: Array
    after: Array
    raw: Array
    text: Array
    gold: Array
    work: Array
    name: Array


def main() -> None:
    """Dump candidates or fit the model."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("dump")
    one.add_argument("folder", type=Path)
    two = commands.add_parser("fit")
    two.add_argument("--write", action="store_true")
    for command in (one, two):
        command.add_argument("tag")
        command.add_argument("file", type=Path)
    chosen = parser.parse_args()
    if chosen.command == "dump":
        dump(chosen.folder, chosen.tag, chosen.file)
    else:
        fit(chosen.tag, chosen.file, write=chosen.write)


def dump(folder: Path, tag: str, file: Path) -> None:
    """Write the candidates of the sets of a language.

    Args:
        folder: the data folder.
        tag: the language.
        file: the file to write (``.npz``).
    """
    rows: list[tuple[object, ...]] = []
    passages: list[tuple[str, ...]] = []
    for row in sets():
        if row["lang"] != tag or not row["weight"]:
            continue
        for document, some in documents(row, folder, CHARACTERS):
            work = f"{row['name']}/{document.id}"
            for scored, passage in zip(score_units(document, language(tag)), some, strict=True):
                text, gold = scored.edited.text, bare_hyphens(normalise(passage.gold))
                place = len(passages)
                passages.append((passage.ocr, text, passage.gold, work, row["name"]))
                before = Levenshtein.distance(bare_hyphens(normalise(text)), gold)
                for candidate, features in zip(scored.candidates, scored.features, strict=True):
                    made = text[: candidate.start] + candidate.after + text[candidate.end :]
                    after = Levenshtein.distance(bare_hyphens(normalise(made)), gold)
                    rows.append(
                        (features, after < before, after > before, candidate.negation, place,
                         candidate.start, candidate.end, candidate.after)
                    )  # fmt: skip
        print(row["name"], len(passages), len(rows), flush=True)
    columns = [np.array(column) for column in (*zip(*rows, strict=True), *zip(*passages, strict=True))]
    np.savez_compressed(file, allow_pickle=False, **dict(zip(Dump._fields, columns, strict=True)))


def load(file: Path) -> Dump:
    """Read what :func:`dump` wrote."""
    with np.load(file) as arrays:
        return Dump(*(arrays[name] for name in Dump._fields))


def fit(tag: str, file: Path, *, write: bool) -> None:
    """Fit the model, print the figures of works left out, and write the table.

    Args:
        tag: the language.
        file: the file that :func:`dump` wrote.
        write: whether the table is written.
    """
    found = load(file)
    weights = {row["name"]: row.number("weight") for row in sets() if row["lang"] == tag and row["weight"]}
    name = found.name[found.passage]
    weight = np.array([weights[n] for n in name])
    fold = np.array([int(hashlib.sha256(w.encode()).hexdigest(), 16) % FOLDS for w in found.work])
    scores = np.zeros(len(found.right))
    for part in range(FOLDS):
        out = fold[found.passage] == part
        model = _trees(found.features[~out], found.right[~out], weight[~out])
        scores[out] = model.decision_function(found.features[out])
    platt = LogisticRegression(C=1e6, fit_intercept=False).fit(
        scores[:, None], found.right, sample_weight=weight
    )
    slope = float(platt.coef_[0, 0])
    probability = np.minimum(MAX_PROBABILITY, 1 / (1 + np.exp(-slope * scores)))
    probability[found.negation & (probability < NEAR_CERTAIN)] = 0
    for line in figures(found, probability, float(language(tag).settings["correct"]["min_probability"])):
        print(line)
    if write:
        _write(tag, _trees(found.features, found.right, weight), slope, found)


def _trees(features: Array, right: Array, weight: Array) -> HistGradientBoostingClassifier:
    """Fit the trees; some candidates are seen a second time as in a text too short to tell its error rate."""
    short = np.random.default_rng(1).random(len(right)) < SHORT
    unknown = features[short].copy()
    unknown[:, FEATURES.index("error_rate")] = UNKNOWN
    features = np.concatenate([features, unknown])
    right, weight = np.concatenate([right, right[short]]), np.concatenate([weight, weight[short]])
    return HistGradientBoostingClassifier(
        max_iter=TREES,
        learning_rate=LEARNING_RATE,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=20,
        l2_regularization=1.0,
        early_stopping=False,
        monotonic_cst=[(name in RISING) - (name in FALLING) for name in FEATURES],
    ).fit(features, right, sample_weight=weight)


def figures(found: Dump, probability: Array, min_probability: float) -> Iterator[str]:
    """Yield a line for each set: CER, broken words, and the changes by confidence band.

    Args:
        found: the candidates.
        probability: of each.
        min_probability: from which a candidate is carried out.
    """
    by_passage: dict[int, list[int]] = {}
    for i, place in enumerate(found.passage.tolist()):
        by_passage.setdefault(place, []).append(i)
    for name in dict.fromkeys(found.name.tolist()):
        total, sure = TextScore(), [0, 0, 0]
        for place in np.flatnonzero(found.name == name).tolist():
            text = str(found.text[place])
            candidates = {
                Candidate(
                    int(found.start[i]),
                    int(found.end[i]),
                    (Change(int(found.end[i] - found.start[i]), str(found.after[i]), None),),
                    "",
                    probability=float(probability[i]),
                ): i
                for i in by_passage.get(place, ())
            }
            made, at = [], 0
            for c in select(text, candidates, min_probability):
                made += [text[at : c.start], c.after]
                at = c.end
                if c.probability >= 0.9:
                    i = candidates[c]
                    sure = [sure[0] + 1, sure[1] + bool(found.right[i]), sure[2] + bool(found.wrong[i])]
            total += score_text(str(found.raw[place]), "".join([*made, text[at:]]), str(found.gold[place]))
        n = max(1, sure[0])
        unhyphenated = 100 * total.unhyphenated_after / max(1, total.characters)
        yield (
            f"{name:22s} {total.characters:7d}  CER {total.cer_before:5.2f} → {total.cer_after:5.2f}"
            f" ({100 * total.unhyphenated_before / max(1, total.characters):5.2f} → {unhyphenated:5.2f})"
            f"  broken {total.words_broken_per_1000:5.2f}"
            f" ({1000 * total.unhyphenated_words_broken / max(1, total.words_right_before):5.2f})"
            f"  sure {sure[0]:5d}, right {100 * sure[1] / n:5.1f}, wrong {100 * sure[2] / n:4.1f} %"
        )


def _write(tag: str, model: HistGradientBoostingClassifier, slope: float, found: Dump) -> None:
    names = ", ".join(dict.fromkeys(found.name.tolist()))
    lines = [
        "# The ranking model (hoyle/correction/ranking.py): decision trees on hoyle/correction/features.py.",
        "# Where the feature is not above the value, the node left follows, else right; the value of a leaf",
        "# is added to the score. bias: where the score begins; slope: of its calibration. Made by",
        f"# pipeline/training/fit_ranker.py from {len(found.right)} candidates of: {names}.",
        "tree\tnode\tfeature\tvalue\tleft\tright",
        f"bias\t\t\t{float(model._baseline_prediction[0, 0]):.4f}\t\t",  # noqa: SLF001 - no public name
        f"slope\t\t\t{slope:.4f}\t\t",
    ]
    for number, (tree,) in enumerate(model._predictors):  # noqa: SLF001 - no public name
        for place, node in enumerate(tree.nodes):
            if node["is_leaf"]:
                lines.append(f"{number}\t{place}\t\t{node['value']:.4f}\t\t")
            else:
                name, value = FEATURES[node["feature_idx"]], node["num_threshold"]
                lines.append(f"{number}\t{place}\t{name}\t{value:.6g}\t{node['left']}\t{node['right']}")
    (language(tag).folder / "ranker.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
