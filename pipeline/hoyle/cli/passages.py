"""``hoyle evaluate --text``: the corrector measured on passages of OCR and gold."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hoyle.cli.common import print_rows

if TYPE_CHECKING:
    from hoyle.evaluate.bootstrap import Estimate
    from hoyle.evaluate.correction import Report

_COLUMNS = (
    "errors_removed",
    "words_corrected_per_1000",
    "words_broken_per_1000",
    "words_broken_unhyphenated_per_1000",
    "hyphens_joined_per_1000",
    "false_changes_per_10000",
)
_BAND_COLUMNS = (
    "changes_per_1000",
    "right",
    "wrong",
    "cer_after",
    "words_corrected_per_1000",
    "words_broken_per_1000",
)


def evaluate_passages(files: Sequence[Path], lang: str, *, as_json: bool) -> dict[str, dict[str, float]]:
    """Measure files of passages and print the figures.

    Args:
        files: files of passages.
        lang: language of the passages that do not say theirs.
        as_json: whether to print JSON instead of tables.

    Returns:
        The figures of each file, all strata together.
    """
    from hoyle.evaluate.correction import ALL, correct_document, report, score_passages
    from hoyle.evaluate.passages import group_passages, read_passages

    made: dict[str, dict[str, Report]] = {}
    for path in files:
        sets = group_passages(read_passages(path, lang))
        made[str(path)] = report(
            o for s in sets for o in score_passages(correct_document(s.document), s.passages)
        )
    if as_json:
        click.echo(json.dumps({name: _record(one) for name, one in made.items()}, ensure_ascii=False))
    else:
        for name, one in made.items():
            _print(name, one)
    return {name: {k: v.value for k, v in one[ALL].figures.items()} for name, one in made.items()}


def _record(reports: Mapping[str, Report]) -> dict[str, object]:
    """The reports of a file as JSON: an estimate is a list of value, low, high."""
    return {
        stratum: {
            "passages": one.passages,
            "characters": one.characters,
            "figures": _rounded(one.figures),
            "bands": {band: _rounded(rates) for band, rates in one.bands.items()},
        }
        for stratum, one in reports.items()
    }


def _rounded(estimates: Mapping[str, Estimate]) -> dict[str, list[float]]:
    return {name: [round(number, 4) for number in one] for name, one in estimates.items()}


def _print(name: str, reports: Mapping[str, Report]) -> None:
    from hoyle.evaluate.correction import ALL

    heading = ["stratum", "passages", "cer", "wer", *_COLUMNS]
    rows = []
    for stratum, one in reports.items():
        rates = [_change(one.figures, rate) for rate in ("cer", "wer")]
        others = [_shown(one.figures[column]) for column in _COLUMNS]
        rows.append([stratum, str(one.passages), *rates, *others])
    click.echo(f"{name}: {reports[ALL].characters:,} characters of gold")
    print_rows(heading, rows, "table")
    click.echo()
    bands = reports[ALL].bands
    shown = [[_shown(rates[c]) if c in rates else "" for c in _BAND_COLUMNS] for rates in bands.values()]
    print_rows(
        ["band", *_BAND_COLUMNS], [[band, *cells] for band, cells in zip(bands, shown, strict=True)], "table"
    )
    click.echo()


def _change(figures: Mapping[str, Estimate], rate: str) -> str:
    return f"{figures[f'{rate}_before'].value:.2f} → {_shown(figures[f'{rate}_after'])}"


def _shown(one: Estimate) -> str:
    return f"{one.value:.2f} [{one.low:.2f}–{one.high:.2f}]"
