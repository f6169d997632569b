"""Measure the corrector on every set of correction_sets.tsv and write docs/correction.md.

    python pipeline/training/write_correction.py DATA_FOLDER [--only NAME]... [--characters N]

The part of the page between its two marks is replaced. ``--only`` measures some sets, prints them and does
not write the page. DATA_FOLDER holds ``ru/`` and ``fr/``, as for build_lexicon.py. Of clean texts and of
pairs that the training leaves out at most N characters are measured.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "tagger"))

import noisy
from data import material, split_scans
from evaluate_correction import clean_passages, gold_edition
from noise import noise_for

from hoyle import __version__
from hoyle.evaluate.bootstrap import Estimate
from hoyle.evaluate.correction import ALL, PassageResult, Report, correct_document, report, score_passages
from hoyle.evaluate.passages import Passage, Sample, group_passages, read_passages
from hoyle.languages import language
from hoyle.outputs.site.about import fingerprint
from hoyle.tables import Row, read_table

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "correction.md"
SETS = Path(__file__).with_name("correction_sets.tsv")
COLUMNS = ("name", "lang", "kind", "file", "weight", "about")
CHARACTERS = 200_000

BEGIN = "<!-- figures: written by pipeline/training/write_correction.py; a test compares the headings -->"
END = "<!-- end of figures -->"
TEXT_HEADINGS = (
    "set", "characters", "CER", "errors removed, %", "CER without hyphens", "WER", "words corrected",
    "words broken", "words broken without hyphens", "hyphens joined", "false changes",
)  # fmt: skip
WORD_RATES = (
    "words_corrected_per_1000",
    "words_broken_per_1000",
    "words_broken_unhyphenated_per_1000",
    "hyphens_joined_per_1000",
)
BAND_HEADINGS = ("set", "band", "changes", "right, %", "wrong, %", "CER so far", "words broken so far")
STRATUM_HEADINGS = (
    "set",
    "stratum",
    "passages",
    "CER",
    "errors removed, %",
    "words corrected",
    "words broken",
)

Reports = Mapping[str, Mapping[str, Report]]
"""By set and stratum."""


def sets() -> list[Row]:
    """Read the table of sets."""
    return read_table(SETS, COLUMNS)


def documents(row: Row, folder: Path, characters: int) -> Iterator[Sample]:
    """Yield the documents of a set.

    Args:
        row: the row of the set.
        folder: the data folder.
        characters: how many characters of clean text or of pairs left out of training to take.
    """
    lang, file = row["lang"], row["file"]
    if row["kind"] == "pairs":
        yield from group_passages(read_passages(folder / file, lang))
    elif row["kind"] == "clean":
        yield from group_passages(clean_passages(folder / file, lang, characters))
    elif row["kind"] == "scans":
        yield from group_passages(left_out_scans(folder, lang, file))
    elif row["kind"] == "sound":
        texts = material(folder, lang, language(lang).lexicon, set(), characters, first=1)
        kept = [*texts.clean, *texts.alone[: len(texts.clean) // 4]]
        yield from group_passages(Passage(text, text, lang=lang) for text in kept)
    elif row["kind"] == "noise":
        yield from group_passages(noisy_passages(folder, lang, characters))
    elif row["kind"] == "held":
        pairs = material(folder, lang, language(lang).lexicon, set(), 0).held[file]
        found = [Passage(pair.ocr, pair.gold, lang=lang) for pair in pairs if pair.ocr.strip()]
        yield from group_passages(_first(found, characters))
    else:
        base = ROOT if row["kind"] == "edition" else folder.parent
        for path in sorted(base.glob(file)):
            yield gold_edition(path, _source(path), lang)


def left_out_scans(folder: Path, lang: str, file: str) -> Iterator[Passage]:
    """Yield the passages of the scans that the tagger is not trained on, with their line ends.

    Args:
        folder: the data folder.
        lang: the language.
        file: the file of the scans in the folder.
    """
    _, held = split_scans(folder, lang, file)
    with (folder / file).open(encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if record["id"] in held:
                yield Passage(record["ocr"], record["gold"], record["id"], lang, doc=record["doc"])


def noisy_passages(folder: Path, lang: str, characters: int) -> Iterator[Passage]:
    """Yield passages of the half of the corpus that nothing was trained on, with noise as in training.

    Args:
        folder: the data folder.
        lang: the language.
        characters: how many characters to take.
    """
    texts = material(folder, lang, language(lang).lexicon, set(), characters, first=1)
    for one in noisy.passages(texts, noise_for(lang, texts.pairs), characters // 400):
        yield Passage(one["ocr"], one["gold"], lang=lang, doc=one["doc"])


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
    """Measure a set; gold editions are measured together, not one by one.

    Args:
        row: the row of the set.
        folder: the data folder.
        characters: how many characters of clean text or of pairs left out of training to take.

    Returns:
        The figures by stratum.
    """
    found: list[PassageResult] = []
    for sample in documents(row, folder, characters):
        found += score_passages(correct_document(sample.document), sample.passages)
    return report(found if row["kind"] == "pairs" else [replace(one, stratum="") for one in found])


def tables(made: Reports) -> str:
    """Format the part of the page that is replaced."""
    whole = {name: strata[ALL] for name, strata in made.items()}
    bands = [row for name, one in whole.items() for row in _band_rows(name, one)]
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
            "### By confidence band",
            _table(BAND_HEADINGS, bands, words=2),
            "### By stratum",
            _table(STRATUM_HEADINGS, strata, words=2),
            END,
        )
    )


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, words: int) -> str:
    """Format a Markdown table whose first ``words`` columns are words, the others numbers."""
    lines = [headings, [*["---"] * words, *["---:"] * (len(headings) - words)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _text_row(name: str, one: Report) -> Sequence[str]:
    made = one.figures
    return (
        name,
        f"{one.characters:,}",
        _both(made, "cer_before", "cer_after"),
        _shown(made["errors_removed"]) if made["cer_before"].value else "",
        _both(made, "cer_unhyphenated_before", "cer_unhyphenated_after"),
        _both(made, "wer_before", "wer_after"),
        *(_shown(made[rate]) for rate in WORD_RATES),
        _shown(made["false_changes_per_10000"]),
    )


def _band_rows(name: str, one: Report) -> Iterator[Sequence[str]]:
    for band, rates in one.bands.items():
        if not rates["changes_per_1000"].value:
            continue
        so_far = [_shown(rates[r]) if r in rates else "" for r in ("cer_after", "words_broken_per_1000")]
        yield name, band, *(_shown(rates[r]) for r in ("changes_per_1000", "right", "wrong")), *so_far


def _stratum_row(name: str, stratum: str, one: Report) -> Sequence[str]:
    made = one.figures
    rates = [
        _shown(made[rate]) for rate in ("errors_removed", "words_corrected_per_1000", "words_broken_per_1000")
    ]
    return name, stratum, str(one.passages), _both(made, "cer_before", "cer_after"), *rates


def _both(made: Mapping[str, Estimate], before: str, after: str) -> str:
    return f"{made[before].value:.2f} → {_shown(made[after])}"


def _shown(one: Estimate) -> str:
    return f"{one.value:.2f} [{one.low:.2f}–{one.high:.2f}]"


def written(page: str, made: Reports) -> str:
    """Replace the figures of a page.

    Args:
        page: the page.
        made: the figures by set and stratum.

    Returns:
        The page with these figures.
    """
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
