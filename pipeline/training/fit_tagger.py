"""Trains the models of :mod:`hoyle.annotation.scoring` and calibrates them with whole works left out.

It learns from ``tests/gold`` (the works of ``develop``), three composed texts, the five gold editions,
the sentences of ``tests/golden/tags`` and, as text that is no rule, paragraphs of the period corpora. Every
figure it prints, every threshold and every probability comes from models that have not seen the work in
question (grouped cross-validation).

    PYTHONPATH=pipeline:tests:pipeline/training python pipeline/training/fit_tagger.py ../shared
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from tagged_passages import GoldPassage, training_passages

from hoyle.annotation.features import Features, Passage
from hoyle.annotation.pipeline import collapse_whitespace, nlp_pipeline
from hoyle.annotation.scoring import CLIP, DECIDED, RIGHT, RULE, Certainty, context, log_odds
from hoyle.annotation.selection import CueMatch, cue_matches, of_facet
from hoyle.languages import language

FOLDER = Path(__file__).parents[1] / "hoyle" / "annotation"
FOLDS = 10
STRENGTH = {"rule": 0.03, "modality": 0.3, "actor": 0.3, "offence": 0.3, "penalty": 0.3}
"""Inverse strength of the regularisation (L2), chosen by cross-validation."""
WORDLESS = {"penalty"}
"""Models that generalise better without words."""
WEIGHT = {"edition": 2.0, "sentence": 0.4}
"""Weight of a passage of a source, else 1; both were annotated before the guidelines."""
FEWEST_WORKS = 2
"""Works a feature must occur in, unless it is a row of the cue table."""
NEARLY = 0.04
"""F1 given away for fewer wrong tags."""
SMALLEST = 0.02
"""Smallest weight that is kept."""


@dataclass
class Case:
    """Something to learn: features, the answer, the work, and what it is about (passage and concept)."""

    features: Features
    answer: str
    work: str
    weight: float
    about: tuple[int, str]
    scored: bool


class Model:
    """A logistic regression on named features."""

    def __init__(self, name: str, cases: Sequence[Case]) -> None:
        works: defaultdict[str, set[str]] = defaultdict(set)
        for case in cases:
            for feature in case.features:
                works[feature].add(case.work)
        self._kept = {
            feature
            for feature, those in works.items()
            if len(those) >= FEWEST_WORKS or (not _is_word(feature) and feature[2:3] == ":")
        }
        self._vectors = DictVectorizer()
        rows = self._vectors.fit_transform([self._known(case.features) for case in cases])
        self._fitted = LogisticRegression(C=STRENGTH[name], max_iter=300, fit_intercept=False)
        self._fitted.fit(rows, [case.answer for case in cases], [case.weight for case in cases])

    def _known(self, features: Features) -> Features:
        return {name: value for name, value in features.items() if name in self._kept}

    def probabilities(self, cases: Sequence[Case]) -> list[dict[str, float]]:
        """Return the probability of each answer for each case."""
        rows = self._vectors.transform([self._known(case.features) for case in cases])
        return [
            dict(zip(self._fitted.classes_, row, strict=True)) for row in self._fitted.predict_proba(rows)
        ]

    def weights(self) -> Iterable[tuple[str, str, float]]:
        """Yield label, feature and weight; of two answers that of the second (``right``, ``rule``)."""
        labels, rows = self._fitted.classes_, self._fitted.coef_
        for label, row in zip(labels if len(rows) > 1 else labels[1:], rows, strict=True):
            for feature, weight in zip(self._vectors.feature_names_, row, strict=True):
                if abs(weight) >= SMALLEST:
                    yield str(label), feature, float(weight)


def left_out(name: str, cases: Sequence[Case]) -> list[dict[str, float]]:
    """Return the probabilities of each case from models that have not seen its work."""
    sizes, load, fold = Counter(case.work for case in cases), [0] * FOLDS, {}
    for work, size in sorted(sizes.items(), key=lambda pair: (-pair[1], pair[0])):
        fold[work] = load.index(min(load))
        load[fold[work]] += size
    found: list[dict[str, float]] = [{} for _ in cases]
    for n in range(FOLDS):
        held = [i for i, case in enumerate(cases) if fold[case.work] == n]
        model = Model(name, [case for case in cases if fold[case.work] != n])
        for i, probabilities in zip(held, model.probabilities([cases[i] for i in held]), strict=True):
            found[i] = probabilities
    return found


def calibrate(scores: Sequence[float], right: Sequence[bool]) -> Certainty:
    """Fit slope and intercept to scores of works left out (Platt 1999)."""
    fitted = LogisticRegression(C=100.0).fit(np.array(scores).reshape(-1, 1), right)
    return Certainty(float(fitted.coef_[0][0]), float(fitted.intercept_[0]), 0.0)


def best_threshold(pairs: Sequence[tuple[float, bool]], missed: int) -> tuple[float, float]:
    """Return the highest probability from which on F1 is nearly the best, and that F1.

    Args:
        pairs: a probability each, and whether it is right.
        missed: how many in the gold no match proposes.

    Returns:
        The threshold and the F1.
    """
    wanted = missed + sum(right for _, right in pairs)
    grid = [n / 100 for n in range(20, 71, 2)]

    def f1(least: float) -> float:
        taken = [right for sure, right in pairs if sure >= least]
        return 2 * sum(taken) / max(len(taken) + wanted, 1)

    best = max(map(f1, grid))
    least = max(one for one in grid if f1(one) >= best - NEARLY)
    return least, f1(least)


@dataclass
class Parsed:
    """A gold passage and how the models see it."""

    gold: GoldPassage
    passage: Passage
    matches: Sequence[CueMatch]


def parse(passages: Sequence[GoldPassage]) -> list[Parsed]:
    """Process the passages by the pipeline of their language."""
    found: list[Parsed] = []
    for lang in sorted({one.lang for one in passages}):
        those = [one for one in passages if one.lang == lang]
        tables = language(lang).cue_language
        docs = nlp_pipeline(tables).pipe(collapse_whitespace(one.text)[0] for one in those)
        for gold, doc in zip(those, docs, strict=True):
            matches = cue_matches(doc, gold.game)
            found.append(Parsed(gold, Passage(doc, matches, tables.base), matches))
    return found


def _case(one: Parsed, n: int, features: Features, answer: str, concept: str = "") -> Case:
    weight = WEIGHT.get(one.gold.source, 1.0)
    return Case(
        features, answer, one.gold.work, weight, (n, concept), one.gold.source in ("gold", "composed")
    )


def fit(parsed: Sequence[Parsed]) -> tuple[dict[str, Model], dict[str, Certainty]]:
    """Train and calibrate all models.

    Args:
        parsed: the passages.

    Returns:
        Models and calibrations by name.
    """
    trained: dict[str, Model] = {}
    sure: dict[str, Certainty] = {}
    cases = [
        _case(one, n, one.passage.words | one.passage.build, RULE if one.gold.rule else "no rule")
        for n, one in enumerate(parsed)
    ]
    trained["rule"] = Model("rule", cases)
    rules = [max(min(log_odds(p[RULE]), CLIP), -CLIP) for p in left_out("rule", cases)]
    sure["rule"] = calibrate(rules, [case.answer == RULE for case in cases])
    of_work: defaultdict[str, list[float]] = defaultdict(list)
    for one, score in zip(parsed, rules, strict=True):
        of_work[one.gold.work].append(score)
    surest: dict[str, dict[int, float]] = {}
    for facet in DECIDED:
        texts = [context(rules[n], of_work[one.gold.work]) for n, one in enumerate(parsed)]
        trained[facet], sure[facet], surest[facet] = _fit_matches(facet, parsed, texts)
    trained["modality"], sure["modality"] = _fit_modality(parsed, surest)
    return trained, sure


def _fit_matches(
    facet: str, parsed: Sequence[Parsed], texts: Sequence[Features]
) -> tuple[Model, Certainty, dict[int, float]]:
    cases: list[Case] = []
    missed = 0
    for n, one in enumerate(parsed):
        gold = one.gold.concepts(facet)
        if gold is None:
            continue
        proposed = of_facet(one.matches, facet)
        for match in proposed:
            features = one.passage.of_match(match, texts[n])
            if facet in WORDLESS:
                features = {name: value for name, value in features.items() if not _is_word(name)}
            answer = RIGHT if match.cue.concept in gold else "no"
            cases.append(_case(one, n, features, answer, match.cue.concept))
        if one.gold.source in ("gold", "composed"):
            missed += len(gold - {match.cue.concept for match in proposed})
    best: dict[tuple[int, str], tuple[float, Case]] = {}
    for case, found in zip(cases, left_out(facet, cases), strict=True):
        score = log_odds(found[RIGHT])
        if case.about not in best or score > best[case.about][0]:
            best[case.about] = score, case
    judged = [(score, case.answer == RIGHT) for score, case in best.values() if case.scored]
    certainty = calibrate(*zip(*judged, strict=True))
    least, f1 = best_threshold([(certainty.of(score), right) for score, right in judged], missed)
    print(f"{facet}: F1 {f1:.3f} from {least} on; {missed} proposed by no row")
    surest: dict[int, float] = {}
    for (n, _), (score, _) in best.items():
        surest[n] = max(surest.get(n, -CLIP), min(score, CLIP))
    return Model(facet, cases), certainty._replace(least=least), surest


def _is_word(feature: str) -> bool:
    return feature[2:3] == ":" and ":" not in feature[3:]


def _fit_modality(
    parsed: Sequence[Parsed], surest: Mapping[str, Mapping[int, float]]
) -> tuple[Model, Certainty]:
    cases: list[Case] = []
    for n, one in enumerate(parsed):
        if one.gold.modality:
            told = {f"surest {facet}": surest[facet].get(n, -CLIP) for facet in ("penalty", "offence")}
            cases.append(_case(one, n, one.passage.build | told, one.gold.modality))
    judged = []
    for case, found in zip(cases, left_out("modality", cases), strict=True):
        best = max(found, key=lambda label: found[label])
        if case.scored:
            judged.append((log_odds(found[best]), best == case.answer))
    right = sum(one for _, one in judged)
    print(f"modality: {right / len(judged):.3f} of {len(judged)}")
    return Model("modality", cases), calibrate(*zip(*judged, strict=True))


def write(trained: Mapping[str, Model], sure: Mapping[str, Certainty]) -> None:
    """Write ``weights.tsv`` and ``certainty.tsv``.

    Args:
        trained: the models.
        sure: their calibrations.
    """
    note = "# By pipeline/training/fit_tagger.py.\n"
    rows = [
        f"{name}\t{label}\t{feature}\t{weight:.2f}"
        for name, model in trained.items()
        for label, feature, weight in sorted(model.weights())
    ]
    text = note + "model\tlabel\tfeature\tweight\n" + "\n".join(rows) + "\n"
    (FOLDER / "weights.tsv").write_text(text, encoding="utf-8")
    lines = [f"{name}\t{one.slope:.3f}\t{one.intercept:.3f}\t{one.least}" for name, one in sure.items()]
    text = note + "model\tslope\tintercept\tleast\n" + "\n".join(lines) + "\n"
    (FOLDER / "certainty.tsv").write_text(text, encoding="utf-8")
    print(f"{len(rows)} weights")


def main(arguments: Sequence[Any]) -> None:
    """Train on the texts of the folder given and write the models."""
    write(*fit(parse(training_passages(Path(arguments[0])))))


if __name__ == "__main__":
    main(sys.argv[1:])
