"""Counts in how many works each cue fires, drops rows that fire in none, and gives each an attested example.

A row stays if it fires in one work at least. The works are the texts of ``../shared`` (shelf, documents,
composed texts, period corpora), without those of ``tests/gold`` that are ``held``. A row without an example
of its own gets the words that it matches first, with the name of their work.

    PYTHONPATH=pipeline:pipeline/training python pipeline/training/attest_cues.py ../shared
"""

from __future__ import annotations

import json
import lzma
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tagged_passages import COMPOSED, CORPORA, GOLD

from hoyle.annotation.cues import COLUMNS, cues
from hoyle.annotation.pipeline import collapse_whitespace, nlp_pipeline
from hoyle.languages import Language, language

MOST = 80_000
"""Characters that are read of a work."""
STEP = 911
PIECE = 4_000
"""Characters that are processed at a time."""
UNATTESTED = "-"


def works(shared: Path) -> Iterator[tuple[str, str, str]]:
    """Yield name, language and text of each work."""
    held = {
        Path(file).stem
        for path in GOLD.glob("*.json")
        if (work := json.loads(path.read_text(encoding="utf-8")))["split"] == "held"
        for file in work["files"]
    }
    for name in COMPOSED:
        text = json.loads((shared / "composed" / f"{name}.json").read_text(encoding="utf-8"))
        yield "composed", text["lang"], "\n\n".join(clause["text"] for clause in text["clauses"])
    for folder in ("gold", "documents", "shelf"):
        for path in sorted((shared / folder).glob("raw/*.txt" if folder != "gold" else "*.json")):
            if path.stem not in held:
                text = path.read_text(encoding="utf-8", errors="ignore")
                if folder == "gold":
                    units = json.loads(text)["units"]
                    text = "\n\n".join(unit["corrected"] for unit in units if unit.get("corrected"))
                yield (
                    path.stem,
                    "ru" if sum("а" <= c <= "я" for c in text) > len(text) / 4 else "fr",
                    text[:MOST],
                )
    for lang, name in CORPORA.items():
        with lzma.open(shared / name, "rt", encoding="utf-8") as lines:
            yield name.split("/")[-1], lang[:2], "\n\n".join(islice(lines, 0, None, STEP))[:MOST]


def attest(shared: Path) -> tuple[dict[str, set[str]], dict[str, tuple[str, str]]]:
    """Return the works each row fires in and the words it matches first with their work, by file and line."""
    fired: defaultdict[str, set[str]] = defaultdict(set)
    first: dict[str, tuple[str, str]] = {}
    for name, lang, text in works(shared):
        tables = language(lang).cue_language
        parts = [collapse_whitespace(part)[0] for part in text.split("\n\n")]
        pieces = [part[at : at + PIECE] for part in parts for at in range(0, len(part), PIECE)]
        for doc in nlp_pipeline(tables).pipe(pieces):
            for span, reach in zip(doc.spans["cues"], doc._.reach, strict=True):
                fired[span.id_].add(name)
                words = doc[span.start : max(span.end, span.start + reach)].text
                first.setdefault(span.id_, (" ".join(words.split()), name))
    return dict(fired), first


def rewrite(tables: Language, fired: dict[str, set[str]], first: dict[str, tuple[str, str]]) -> None:
    """Write the table without the rows that fire nowhere.

    Args:
        tables: the language.
        fired: the works each row fires in.
        first: what each row matches first.
    """
    kept = [cue for cue in cues(tables) if cue.where in fired]
    lines = ["\t".join(COLUMNS)]
    for cue in kept:
        example, place = (cue.example, cue.place) if cue.example != UNATTESTED else first[cue.where]
        games, weight = " ".join(sorted(cue.games)), "" if cue.weight == 1 else f"{cue.weight:g}"
        row = (
            cue.facet,
            cue.concept,
            cue.pattern,
            games,
            weight,
            cue.against,
            cue.by,
            example,
            place,
            cue.counter,
        )
        lines.append("\t".join(row))
    (tables.folder / "cues.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    counts = [len(fired[cue.where]) for cue in kept]
    dropped = len(cues(tables)) - len(kept)
    print(
        f"{tables.folder.name}: {len(kept)} rows, {dropped} dropped; in two works or more {share(counts):.0%}"
    )


def share(counts: list[int]) -> float:
    """Return the share of rows that fire in two works or more."""
    return sum(count > 1 for count in counts) / max(len(counts), 1)


def main(shared: Path) -> None:
    """Rewrite the tables."""
    fired, first = attest(shared)
    for lang in ("fr", "ru"):
        rewrite(language(lang).cue_language, fired, first)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
