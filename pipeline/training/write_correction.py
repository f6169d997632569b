"""Writes the figures of docs/correction.md: the corrector on every set of correction_sets.tsv.

    python pipeline/training/write_correction.py DATA_FOLDER [--only NAME]... [--characters N]

Between the two marks of the page everything is written anew, the rest stays. ``--only`` measures some sets
and prints them, and leaves the page alone. DATA_FOLDER holds ``ru/`` and ``fr/``, as for build_lexicon.py;
of clean texts and of what the training keeps back at most N characters are taken.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "tagger"))

from data import material
from evaluate_correction import clean_passages, gold_edition

from hoyle import __version__
from hoyle.evaluate.bootstrap import Estimate
from hoyle.evaluate.correction import ALL, Outcome, Report, corrected, outcomes, report
from hoyle.evaluate.passages import Passage, Sample, read_passages, samples
from hoyle.languages import language
from hoyle.outputs.site.about import fingerprint
from hoyle.tables import Row, read_table

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "correction.md"
SETS = Path(__file__).with_name("correction_sets.tsv")
COLUMNS = ("name", "lang", "kind", "file", "about")
CHARACTERS = 200_000

BEGIN = "<!-- figures: written by pipeline/training/write_correction.py; a test compares the headings -->"
END = "<!-- end of figures -->"
TEXT_HEADINGS = (
    "set", "characters", "CER", "gone, %", "CER without hyphens", "WER", "fixed", "broken",
    "broken without hyphens", "joined", "false changes",
)  # fmt: skip
WORD_RATES = ("fixed_per_1000", "broken_per_1000", "broken_unhyphened_per_1000", "joined_per_1000")
ZONE_HEADINGS = ("set", "zone", "changes", "right, %", "wrong, %", "CER so far", "broken so far")
STRATUM_HEADINGS = ("set", "stratum", "passages", "CER", "gone, %", "fixed", "broken")

Reports = Mapping[str, Mapping[str, Report]]
"""By set and stratum."""


def sets() -> list[Row]:
    """The rows of the table of sets."""
    return read_table(SETS, COLUMNS)


def documents(row: Row, folder: Path, characters: int) -> Iterator[Sample]:
    """The documents of a set."""
    lang, file = row["lang"], row["file"]
    if row["kind"] == "pairs":
        yield from samples(read_passages(folder / file, lang))
    elif row["kind"] == "clean":
        yield from samples(clean_passages(folder / file, lang, characters))
    elif row["kind"] == "held":
        pairs = material(folder, lang, language(lang).lexicon, set(), 0).held[file]
        found = [Passage(pair.ocr, pair.gold, lang=lang) for pair in pairs if pair.ocr.strip()]
        yield from samples(_first(found, characters))
    else:
        base = ROOT if row["kind"] == "edition" else folder.parent
        for path in sorted(base.glob(file)):
            yield gold_edition(path, _source(path), lang)


def _first(passages: Sequence[Passage], characters: int) -> Iterator[Passage]:
    for passage in passages:
        yield passage
        characters -= len(passage.gold)
        if characters < 0:
            return


def _source(gold: Path) -> Path:
    name = json.loads(gold.read_text(encoding="utf-8")).get("file") or f"{gold.stem}.txt"
    folders = (gold.parent.parent / "raw", ROOT / "seeds")
    return next(folder / name for folder in folders if (folder / name).is_file())


def measured(row: Row, folder: Path, characters: int) -> dict[str, Report]:
    """The figures of a set; of gold editions together, not one by one."""
    found: list[Outcome] = []
    for sample in documents(row, folder, characters):
        found += outcomes(corrected(sample.document), sample.passages)
    return report(found if row["kind"] == "pairs" else [replace(one, stratum="") for one in found])


def tables(made: Reports) -> str:
    """The part of the page that is written anew."""
    whole = {name: strata[ALL] for name, strata in made.items()}
    zones = [row for name, one in whole.items() for row in _zone_rows(name, one)]
    strata = [
        _stratum_row(name, stratum, one)
        for name, some in made.items()
        for stratum, one in some.items()
        if stratum != ALL
    ]
    return "\n\n".join(
        (
            BEGIN,
            f"Measured with Hoyle {__version__}, rules and models `{fingerprint()[:12]}`.",
            "\n".join(f"* **{row['name']}**: {row['about']}" for row in sets() if row["name"] in made),
            _table(TEXT_HEADINGS, [_text_row(name, one) for name, one in whole.items()], words=1),
            "### By certainty",
            _table(ZONE_HEADINGS, zones, words=2),
            "### By stratum",
            _table(STRATUM_HEADINGS, strata, words=2),
            END,
        )
    )


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, words: int) -> str:
    """A table in Markdown whose first ``words`` columns are words, the others numbers."""
    lines = [headings, [*["---"] * words, *["---:"] * (len(headings) - words)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _text_row(name: str, one: Report) -> Sequence[str]:
    made = one.figures
    return (
        name,
        f"{one.characters:,}",
        _both(made, "cer_before", "cer_after"),
        _shown(made["gain"]) if made["cer_before"].value else "",
        _both(made, "cer_unhyphened_before", "cer_unhyphened_after"),
        _both(made, "wer_before", "wer_after"),
        *(_shown(made[rate]) for rate in WORD_RATES),
        _shown(made["wrong_changes_per_10000"]),
    )


def _zone_rows(name: str, one: Report) -> Iterator[Sequence[str]]:
    for zone, rates in one.zones.items():
        if not rates["changes_per_1000"].value:
            continue
        so_far = [_shown(rates[r]) if r in rates else "" for r in ("cer_after", "broken_per_1000")]
        yield name, zone, *(_shown(rates[r]) for r in ("changes_per_1000", "right", "wrong")), *so_far


def _stratum_row(name: str, stratum: str, one: Report) -> Sequence[str]:
    made = one.figures
    rates = [_shown(made[rate]) for rate in ("gain", "fixed_per_1000", "broken_per_1000")]
    return name, stratum, str(one.passages), _both(made, "cer_before", "cer_after"), *rates


def _both(made: Mapping[str, Estimate], before: str, after: str) -> str:
    return f"{made[before].value:.2f} → {_shown(made[after])}"


def _shown(one: Estimate) -> str:
    return f"{one.value:.2f} [{one.low:.2f}–{one.high:.2f}]"


def written(page: str, made: Reports) -> str:
    """The page with its figures written anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + tables(made) + after


def main() -> None:
    """Measure the sets and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--characters", type=int, default=CHARACTERS)
    chosen = parser.parse_args()
    made: dict[str, dict[str, Report]] = {}
    for row in sets():
        if not chosen.only or row["name"] in chosen.only:
            print(f"{row['name']} …", file=sys.stderr, flush=True)
            made[row["name"]] = measured(row, chosen.folder, chosen.characters)
    if chosen.only:
        print(tables(made))
    else:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), made), encoding="utf-8")


if __name__ == "__main__":
    main()
