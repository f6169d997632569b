"""Measures the tags of passages with gold: F1 by facet and language, certainty in five bins.

    PYTHONPATH=pipeline:pipeline/training python pipeline/training/measure_tags.py ../shared develop

Instead of ``develop``: ``held`` (figures that are taken once), ``editions`` or names of composed texts
(``fr-5``). ``develop`` and ``editions`` are what the models are trained on; the figures with works left out
are those that ``fit_tagger.py`` prints.
"""

from __future__ import annotations

import hashlib
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from tagged_passages import GoldPassage, composed, editions, of_works

from hoyle.annotation.scoring import DECIDED
from hoyle.annotation.stage import annotate
from hoyle.document import Clause, Document, Evidence, Meta, Source, Span, Tag
from hoyle.languages import language

BINS = 5


def passages(shared: Path, names: Sequence[str]) -> list[GoldPassage]:
    """Return the passages of a split, of the gold editions, or of composed texts.

    Args:
        shared: the folder of the texts.
        names: ``develop``, ``held``, ``editions`` or names of composed texts.

    Returns:
        The passages.
    """
    if names[0] in ("develop", "held"):
        return list(of_works(shared, names[0]))
    return list(editions(shared)) if names[0] == "editions" else list(composed(shared, tuple(names)))


def document(work: str, those: Sequence[GoldPassage]) -> Document:
    """Return the passages of a work as a document, a clause each, without anything said of its game."""
    text, clauses = "", []
    for n, one in enumerate(those):
        words = one.text.strip() or "-"
        span = Span(len(text), len(text) + len(words))
        clauses.append(Clause(f"{work}.{n}", "", (str(n),), (span,), Evidence("gold", 1.0)))
        text += words + "\n\n"
    raw = text.encode()
    source = Source(work, f"{work}.txt", text, hashlib.sha256(raw).hexdigest(), len(raw))
    return Document(source, Meta(work, lang=those[0].lang)).with_layer("clauses", clauses)


class Judged:
    """Counts of right, added and missed by facet and language; probabilities and whether they were right."""

    def __init__(self) -> None:
        self.counts: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
        self.sure: defaultdict[str, list[tuple[float, bool]]] = defaultdict(list)

    def add(self, facet: str, lang: str, got: Iterable[object], gold: Iterable[object]) -> None:
        """Compare what was found in a passage with its gold.

        Args:
            facet: what is compared.
            lang: the language.
            got: what was found.
            gold: what is right.
        """
        those, wanted = set(got), set(gold)
        for n, size in enumerate((len(those & wanted), len(those - wanted), len(wanted - those))):
            self.counts[facet, lang][n] += size

    def judge(self, one: GoldPassage, tags: Sequence[Tag]) -> None:
        """Compare the tags of a passage with its gold.

        Args:
            one: the passage.
            tags: its tags.
        """
        base = one.lang[:2]
        for facet in DECIDED:
            gold, got = one.concepts(facet), [tag for tag in tags if tag.facet == facet]
            if gold is not None:
                wanted = {_mapped(value, one) for value in gold}
                kind = facet if one.rule else f"{facet} of no rule"
                self.add(kind, base, {_mapped(tag.value, one) for tag in got}, wanted)
                self.sure[facet] += [(tag.why.confidence, _mapped(tag.value, one) in wanted) for tag in got]
        penalties = [tag for tag in tags if tag.facet == "penalty"]
        self.add("states a penalty", base, (True,) * bool(penalties), (True,) * bool(one.penalty))
        if one.source != "edition":
            self.add("against", base, {(tag.value, tag.against) for tag in penalties}, one.against)
        self.add("game", base, {tag.value for tag in tags if tag.facet == "game"}, {one.game} - {""})
        main = [tag for tag in tags if tag.facet == "modality" and tag.main and one.modality]
        self.sure["modality"] += [(tag.why.confidence, tag.value == one.modality) for tag in main]
        self.add("modality", base, [tag.value for tag in main], {one.modality} - {""})


def judge(found: Iterable[GoldPassage]) -> Judged:
    """Tag the passages work by work and compare; those of a work must stand together."""
    judged = Judged()
    for (work, lang), group in groupby(found, key=lambda one: (one.work, one.lang)):
        those = list(group)
        of_unit = defaultdict(list)
        for item in annotate(document(work, those), language(lang)):
            if isinstance(item, Tag):
                of_unit[item.unit].append(item)
        for n, one in enumerate(those):
            judged.judge(one, of_unit[f"{work}.{n}"])
    return judged


def _mapped(value: str, one: GoldPassage) -> str:
    return "player" if one.source == "edition" and value == "any-player" else value


def bins(pairs: Sequence[tuple[float, bool]]) -> list[tuple[float, float]]:
    """Return mean probability and share that was right in five bins of equal size."""
    ordered = sorted(pairs)
    size = -(-len(ordered) // BINS)
    parts = [ordered[at : at + size] for at in range(0, len(ordered), size or 1)]
    return [
        (sum(sure for sure, _ in part) / len(part), sum(right for _, right in part) / len(part))
        for part in parts
    ]


def main(shared: Path, names: Sequence[str]) -> None:
    """Print the figures."""
    found = passages(shared, names)
    judged = judge(found)
    counts, sure = judged.counts, judged.sure
    for facet in dict.fromkeys(facet for facet, _ in counts):
        rows = {lang: row for (name, lang), row in counts.items() if name == facet}
        rows["all"] = [sum(column) for column in zip(*rows.values(), strict=True)]
        shown = "  ".join(
            f"{lang} {2 * right / max(2 * right + extra + missed, 1):.3f} ({right} +{extra} -{missed})"
            for lang, (right, extra, missed) in sorted(rows.items())
        )
        print(f"{facet:20} {shown}")
    for facet, pairs in sure.items():
        shown = "  ".join(f"{mean:.2f}/{right:.2f}" for mean, right in bins(pairs))
        print(f"certainty/right {facet:10} {shown}")
    words = sum(len(one.text.split()) for one in found if not one.rule)
    print(f"{len(found)} passages, {words} words that are no rule")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
