"""Counts how often each cue is right, for the confidence of tags.

Each gold document is tagged three times: with those cues switched off that no other gold document
has, with those that the period's prose has not either, and with all. The counts are added up: a book may
be as strange as the first or as familiar as the last (what the ``unseen`` cases of tests/golden/tags
gave when they were first run lies between). Written to
``pipeline/hoyle/languages/<folder>/cue_precision.tsv``: ``fired`` pairs of unit and concept, of
which ``right`` are in the gold; a facet's own row holds the sum over all documents.

``PYTHONPATH=pipeline:tests python pipeline/training/calibrate_cues.py``
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from hoyle.annotation.cues import cues
from hoyle.annotation.stage import find_tags
from hoyle.evaluate.tags import is_scored
from hoyle.languages import language
from support import score_tags  # type: ignore[import-not-found]

JUDGED = ("actor", "penalty", "modality")
OFFENCES = (19, 20)
"""Offences right and found when the ``unseen`` cases were first run: no gold edition has any."""

CONDITIONS = {
    "fr": {"if": (45, 53), "who": (9, 9), "case": (1, 1)},
    "ru": {"if": (53, 58), "who": (2, 2), "case": (2, 2)},
}
"""Conditions right (extent and consequence) and found, by eye, in the gold documents and ``unseen3``."""


def count() -> dict[str, tuple[Counter[str], Counter[str]]]:
    """By folder: how often each cue (by its key) was right, and how often it fired."""
    counts: dict[str, tuple[Counter[str], Counter[str]]] = {}
    for name, (document, gold) in {**score_tags.corpus(), **score_tags.others()}.items():
        right, fired = counts.setdefault(
            language(document.lang).cue_language.folder.name, (Counter(), Counter())
        )
        keys = {cue.where: cue.key for cue in cues(document.lang)}
        judged = {unit for unit, _ in gold["modality"]}
        seen: set[tuple[str, str, str, int]] = set()
        switched_off = [score_tags.places(name, period=period) for period in (False, True)]
        for way, off in enumerate([*switched_off, frozenset[str]()]):
            for tag in find_tags(document, language(document.lang), off):
                if tag.facet not in JUDGED or not is_scored(tag):
                    continue
                if tag.facet == "modality" and tag.unit not in judged:
                    continue
                key = keys.get(tag.why.by, f"{tag.facet}:by default:{tag.value}")
                if (key, tag.unit, tag.value, way) in seen:
                    continue
                seen.add((key, tag.unit, tag.value, way))
                for name_of in (key, tag.facet):
                    fired[name_of] += 1
                    right[name_of] += (tag.unit, tag.value) in gold[tag.facet]
    return counts


def _of_conditions(judged: Mapping[str, tuple[int, int]]) -> list[str]:
    total = [sum(counts[n] for kinds in CONDITIONS.values() for counts in kinds.values()) for n in (0, 1)]
    rows = {"condition": total, **{f"condition:{kind}": list(counts) for kind, counts in judged.items()}}
    return [f"{name}\t{right}\t{found}" for name, (right, found) in rows.items()]


def main() -> None:
    """Write the tables."""
    counts = count()
    total: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for right, fired in counts.values():
        total += Counter({facet: fired[facet] for facet in JUDGED})
        hits += Counter({facet: right[facet] for facet in JUDGED})
    root = Path(__file__).parents[1] / "hoyle" / "languages"
    for folder, (right, fired) in counts.items():
        lines = ["cue\tright\tfired", *(f"{facet}\t{hits[facet]}\t{total[facet]}" for facet in JUDGED)]
        lines.append("\t".join(["offence", *map(str, OFFENCES)]))
        lines += _of_conditions(CONDITIONS[folder])
        lines += [f"{key}\t{right[key]}\t{fired[key]}" for key in sorted(fired) if key not in JUDGED]
        note = "# By pipeline/training/calibrate_cues.py from the gold documents, leaving one document out.\n"
        (root / folder / "cue_precision.tsv").write_text(note + "\n".join(lines) + "\n", encoding="utf-8")
        print(f"{folder}: {len(lines) - 1} rows")
    print({facet: f"{hits[facet]}/{total[facet]}" for facet in JUDGED})


if __name__ == "__main__":
    main()
