"""Counts how often each cue is right, for the confidence of tags.

Each gold document is tagged with those cues switched off whose only attestation is in it
(leave one document out), so the counts are of text that did not give the cue. Written to
``pipeline/hoyle/languages/<folder>/cue_precision.tsv``: ``fired`` pairs of unit and concept, of
which ``right`` are in the gold; a facet's own row holds the sum over all documents.

``PYTHONPATH=pipeline:tests python pipeline/training/calibrate_cues.py``
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from hoyle.stages.tag import tags
from hoyle.stages.tagging.cues import cues
from hoyle.stages.tagging.words import home
from support import score_tags  # type: ignore[import-not-found]

JUDGED = ("actor", "penalty", "modality")


def count() -> dict[str, tuple[Counter[str], Counter[str]]]:
    """By folder: how often each cue (by its key) was right, and how often it fired."""
    counts: dict[str, tuple[Counter[str], Counter[str]]] = {}
    for name, (document, gold) in {**score_tags.corpus(), **score_tags.others()}.items():
        right, fired = counts.setdefault(home(document.lang).folder.name, (Counter(), Counter()))
        keys = {cue.where: cue.key for cue in cues(document.lang)}
        judged = {unit for unit, _ in gold["modality"]}
        seen: set[tuple[str, str, str]] = set()
        for tag in tags(document, score_tags.places(name)):
            if tag.facet not in JUDGED:
                continue
            if tag.facet == "modality" and not (tag.main and tag.unit in judged):
                continue
            key = keys.get(tag.why.by, f"{tag.facet}:by default:{tag.value}")
            if (key, tag.unit, tag.value) in seen:
                continue
            seen.add((key, tag.unit, tag.value))
            for name_of in (key, tag.facet):
                fired[name_of] += 1
                right[name_of] += (tag.unit, tag.value) in gold[tag.facet]
    return counts


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
        lines += [f"{key}\t{right[key]}\t{fired[key]}" for key in sorted(fired) if key not in JUDGED]
        note = "# By pipeline/training/calibrate_cues.py from the gold documents, leaving one document out.\n"
        (root / folder / "cue_precision.tsv").write_text(note + "\n".join(lines) + "\n", encoding="utf-8")
        print(f"{folder}: {len(lines) - 1} rows")
    print({facet: f"{hits[facet]}/{total[facet]}" for facet in JUDGED})


if __name__ == "__main__":
    main()
