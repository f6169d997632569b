"""``hoyle explain``, ``verify``, ``evaluate`` and ``query``: commands that look into an edition."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

import hoyle
from hoyle.cli.common import ENCODING, FINDINGS, LANG, OUT, ROOT, guarded, print_rows
from hoyle.errors import HoyleError

if TYPE_CHECKING:
    from hoyle.evaluate.tags import TagReport


@click.command()
@click.argument("place", metavar="DOC|FILE:OFFSET")
@click.argument("clause", required=False)
@click.option(
    "--profile",
    is_flag=True,
    help="Show the error profile of DOC: its confusions with their counts.",
)
@LANG
@ENCODING
@guarded
def explain(place: str, clause: str | None, *, profile: bool, lang: str, encoding: str) -> None:
    """Show every change and tag of a clause with its evidence.

    DOC CLAUSE names a clause of a corpus document or text file (hoyle explain quinze 52);
    FILE:OFFSET the unit that holds a character. --profile is of all of DOC.
    """
    if profile and clause is not None:
        raise click.UsageError("--profile is of a whole document: leave out the clause")
    source, offset = place, ""
    if clause is None and not profile:
        source, _, offset = place.rpartition(":")
        if not (source and re.fullmatch(r"[0-9]{1,15}", offset)):
            raise click.UsageError("say DOC CLAUSE, as in 'quinze 52', or FILE:OFFSET, as in 'my.txt:1200'")
    document = hoyle.read(source, lang=lang, encoding=encoding)
    if profile:
        click.echo("\n".join(document.profile()))
        return
    unit = document.at(int(offset)) if clause is None else document[clause]
    click.echo("\n".join(unit.explain()))


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="TEI...")
@guarded
def verify(files: tuple[Path, ...]) -> None:
    """Check TEI files: schema, meaning, and that they give the raw text back, byte for byte.

    Readings that were changed by hand are listed on standard error.
    """
    from hoyle.tei.verify import manual_changes

    bad = False
    for path in files:
        try:
            problems = [str(problem) for problem in hoyle.verify(path)]
        except HoyleError as error:
            problems = [error.message]
        bad = bad or bool(problems)
        for problem in problems:
            click.echo(f"{path}: {problem}")
        if not problems:
            for change in manual_changes(path.read_bytes(), name=path.name):
                click.echo(f"{path}: {change}", err=True)
            click.echo(f"{path}: valid; it gives the raw text back, byte for byte", err=True)
    sys.exit(FINDINGS if bad else 0)


@click.command()
@click.argument("gold", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="GOLD...")
@click.option("--text", is_flag=True, help="The files are passages of OCR: measure the corrector on them.")
@click.option("--json", "as_json", is_flag=True, help="Figures as JSON.")
@click.option(
    "--tags",
    is_flag=True,
    help="Also tags by facet and language, confusions, calibration.",
)
@click.option(
    "--at-least",
    multiple=True,
    metavar="FIGURE=VALUE",
    help="Exit 1 if a document falls short, as in starts_f1=1.",
)
@LANG
@guarded
def evaluate(
    gold: tuple[Path, ...], *, text: bool, as_json: bool, tags: bool, at_least: tuple[str, ...], lang: str
) -> None:
    """Measure everything against gold editions (JSON), or the corrector on passages (--text).

    Figures, and the thresholds of --at-least, are those of the machine alone; a document with editorial
    decisions has a second column, "… with decisions".

    Of files ID.starts.json (where the clauses of ../raw/ID.txt begin) only the segmentation is measured.

    Passages are JSON Lines (.xz is unpacked) with the fields ocr and gold and, if known, id, lang,
    doc, stratum or kind and level; --lang is for those that do not say. Intervals are of 95 %.
    """
    floors = dict(_floor(floor) for floor in at_least)
    if text:
        from hoyle.cli.passages import evaluate_passages

        if tags:
            raise click.UsageError("passages have no tags: leave out --tags or --text")
        _fail_if_short(evaluate_passages(gold, lang, as_json=as_json), floors)
        return
    if lang:
        raise click.UsageError(
            "--lang is for passages (--text); a gold edition's corpus folder names its own"
        )
    if all(path.name.endswith(".starts.json") for path in gold):
        _evaluate_starts(gold, floors, as_json=as_json)
        return
    _evaluate_editions(gold, floors, as_json=as_json, tags=tags)


def _evaluate_starts(gold: Sequence[Path], floors: Mapping[str, float], *, as_json: bool) -> None:
    from hoyle.evaluate.score import Score
    from hoyle.evaluate.starts import SUFFIX, StartsEvaluation, evaluate_starts

    made = {path.name.removesuffix(SUFFIX): evaluate_starts(path, ROOT) for path in gold}
    for lang in sorted({one.lang for one in made.values()}):
        mine = [one for name, one in made.items() if one.lang == lang]
        starts, items = (
            sum(scores, Score()) for scores in ((m.starts for m in mine), (m.items for m in mine))
        )
        made[f"all {lang}"] = StartsEvaluation(lang, starts, items)
    figures = {name: one.figures() for name, one in made.items()}
    if as_json:
        click.echo(json.dumps(figures, ensure_ascii=False, indent=1))
    else:
        columns = list(next(iter(figures.values())))
        rows = [[name, *(f"{one[column]:.3f}" for column in columns)] for name, one in figures.items()]
        print_rows(["text", *columns], rows, "table")
    _fail_if_short(figures, floors)


def _evaluate_editions(
    gold: Sequence[Path], floors: Mapping[str, float], *, as_json: bool, tags: bool
) -> None:
    from hoyle.evaluate import WITH_DECISIONS
    from hoyle.evaluate import evaluate as evaluate_file
    from hoyle.evaluate.tags import tag_report

    made = {name: one for path in gold for name, one in evaluate_file(path, ROOT).items()}
    figures = {name: one.figures() for name, one in made.items()}
    machine = [
        (one.lang, one.tags, one.scored_tags)
        for name, one in made.items()
        if not name.endswith(WITH_DECISIONS)
    ]
    details = tag_report(machine) if tags else None
    if as_json:
        extra = {"tags": {k: _rows(v) for k, v in details._asdict().items()}} if details else {}
        click.echo(json.dumps({**figures, **extra}, ensure_ascii=False, indent=1))
    else:
        names = list(next(iter(figures.values())))
        rows = [[name, *(f"{made[name]:.3f}" for made in figures.values())] for name in names]
        print_rows(["figure", *figures], rows, "table")
        if details:
            _print_details(details)
    _fail_if_short({n: f for n, f in figures.items() if not n.endswith(WITH_DECISIONS)}, floors)


def _fail_if_short(figures: Mapping[str, Mapping[str, float]], floors: Mapping[str, float]) -> None:
    if short := list(_short(figures, floors)):
        click.echo("\n".join(short), err=True)
        sys.exit(FINDINGS)


_DETAILS = {
    "facets": ["language", "facet", "precision", "recall", "f1", "in_gold"],
    "confusions": ["facet", "gold", "predicted", "times"],
    "reliability": ["from", "to", "tags", "confidence", "right"],
}


def _rows(table: Sequence[Sequence[object]]) -> list[list[object]]:
    return [[round(cell, 3) if isinstance(cell, float) else cell for cell in row] for row in table]


def _print_details(details: TagReport) -> None:
    for name, table in details._asdict().items():
        click.echo()
        print_rows(_DETAILS[name], _rows(table), "table")


def _floor(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise click.BadParameter(f"say FIGURE=NUMBER, not {text!r}", param_hint="--at-least") from None


def _short(figures: Mapping[str, Mapping[str, float]], floors: Mapping[str, float]) -> list[str]:
    """What falls short of its floor, a line each."""
    known = next(iter(figures.values()))
    if strange := [name for name in floors if name not in known]:
        raise HoyleError(f"no figure {', '.join(strange)}; there are {', '.join(known)}")
    return [
        f"hoyle: {document}: {name} is {made[name]:.3f}, under {floor:g}"
        for document, made in figures.items()
        for name, floor in floors.items()
        if made[name] < floor
    ]


@click.command()
@click.argument("sql")
@click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=100_000,
    show_default=True,
    metavar="ROWS",
    help="Rows that are shown; 0 for all of them.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="Longest time that the query may take.",
)
@OUT
@guarded
def query(sql: str, form: str, limit: int, timeout: float, out: Path) -> None:
    """Query the tables of a build in SQL (read-only)."""
    from hoyle.outputs.query import as_json

    columns, rows = hoyle.query(sql, out, seconds=timeout)
    shown = list(islice(rows, limit or None))
    if form == "json":
        made = list(as_json(columns, shown))
        click.echo(json.dumps(made, ensure_ascii=False, indent=1, allow_nan=False))
    else:
        print_rows(columns, shown, form)
    if limit and next(rows, None) is not None:
        click.echo(f"hoyle: these are the first {limit:,} rows; --limit 0 shows all", err=True)
