"""``hoyle correct``, ``modernise`` and ``clauses``: commands from text to text, for other data."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

import hoyle
from hoyle.cli.common import ENCODING, LANG, ROOT, SOME_FAILED, guarded, print_rows
from hoyle.document import Edit, Layer
from hoyle.errors import HoyleError

if TYPE_CHECKING:
    from hoyle.pipeline import Subset


def _read(file: str, lang: str, encoding: str, steps: Subset) -> hoyle.AnnotatedDocument:
    """The document a command works on (``-`` is standard input), annotated; tells doubts about the file."""
    pipeline = hoyle.Pipeline(steps, root=ROOT)
    if file == "-":
        data = sys.stdin.buffer.read() if sys.stdin else b""
        document = pipeline(data, lang=lang, encoding=encoding, name="stdin")
    else:
        document = pipeline.read(Path(file), lang=lang, encoding=encoding)
    for finding in document.findings:
        if finding.doubt and finding.topic == "input":
            click.echo(f"hoyle: {document.id}: {finding.value}", err=True)
    return document


def _corrected(file: str, lang: str, encoding: str) -> hoyle.AnnotatedDocument:
    """A file corrected; doubts about its language go to standard error."""
    document = _read(file, lang, encoding, "text")
    for finding in document.findings:
        if finding.doubt and finding.topic.startswith("language"):
            said = f"{finding.topic}: {finding.value} ({finding.why.confidence:.2f})"
            click.echo(f"hoyle: {document.id}: {said}; name the right one with --lang", err=True)
    return document


@click.command(epilog="Example: hoyle correct one.txt two.txt --to corrected")
@click.argument("files", metavar="FILE|-", nargs=-1)
@click.option("--to", type=click.Path(path_type=Path, file_okay=False), help="Folder for a text a FILE.")
@click.option("--layer", type=click.Choice(["corrected", "modern"]), default="corrected", show_default=True)
@click.option("--explain", is_flag=True, help="List the changes on standard error, with rule and certainty.")
@click.option("--jsonl", metavar="FILE|-", help="One JSON object a line; each comes back with 'corrected'.")
@click.option("--field", default="ocr", show_default=True, help="Field of the records that holds the text.")
@LANG
@ENCODING
@guarded
def correct(
    files: tuple[str, ...],
    *,
    to: Path | None,
    layer: Layer,
    explain: bool,
    jsonl: str | None,
    field: str,
    lang: str,
    encoding: str,
) -> None:
    """Correct texts, or with --jsonl the records of a file, one after the other.

    A text goes to standard output; several go into the folder --to, under the names of their files.
    """
    if bool(files) == (jsonl is not None):
        raise click.UsageError("give either FILE (or -) or --jsonl FILE")
    if len(files) > 1 and to is None:
        raise click.UsageError("give the folder for the corrected texts with --to")
    if jsonl is not None:
        made = _records(jsonl, field, lang, layer)
    elif to is None:
        document = _corrected(files[0], lang, encoding)
        click.echo(document.text(layer))
        if explain:
            for edit in document.edits:
                click.echo(_line(edit), err=True)
        return
    else:
        made = _written(files, to, lang, encoding, layer)
    failed = False
    for one in made:
        if isinstance(one, HoyleError):
            failed = True
            click.echo(f"hoyle: failed: {one}", err=True)
        else:
            click.echo(one)
    sys.exit(SOME_FAILED if failed else 0)


def _written(
    files: Sequence[str], to: Path, lang: str, encoding: str, layer: Layer
) -> Iterator[str | HoyleError]:
    """The path of each corrected text, once it is written, or what is wrong with its file."""
    to.mkdir(parents=True, exist_ok=True)
    names: set[str] = set()
    for file in files:
        path = to / f"{Path(file).stem}.txt"
        try:
            _claim(path, file, names)
            text = _corrected(file, lang, encoding).text(layer)
            path.write_text(f"{text}\n", encoding="utf-8", errors="replace", newline="\n")
            yield str(path)
        except HoyleError as error:
            yield error


def _claim(path: Path, file: str, names: set[str]) -> None:
    """Raise if the corrected text of a file would be written over a file that is there."""
    if path.name in names or path.resolve() == Path(file).resolve():
        message = f"its text would be written over {path}; give it another name or another --to"
        raise HoyleError(message, document=file)
    names.add(path.name)


def _records(path: str, field: str, lang: str, layer: Layer) -> Iterator[str | HoyleError]:
    """Each record of a JSON Lines file with the corrected text of its ``field`` added, or what is wrong."""
    from hoyle.inputs.jsonl import line as line_of
    from hoyle.inputs.jsonl import parse_record as record_of

    pipeline = hoyle.Pipeline("text", root=ROOT)
    with click.open_file(path, "rb") as lines:
        for number, line in enumerate(lines, 1):
            where = f"{path}:{number}"
            try:
                record = record_of(line, field)
                if record is None:
                    continue
                text = record[field]
                if text.strip():
                    text = pipeline(text, lang=lang, name=where).text(layer)
                yield line_of({**record, "corrected": text})
            except HoyleError as error:
                yield HoyleError(error.message, document=where)


def _line(edit: Edit) -> str:
    start, end = edit.span
    change = f"{edit.before!r} → {edit.after!r}"
    return f"{start}–{end}\t{edit.kind}\t{change}\t{edit.why.by}\t{edit.why.confidence:.2f}"


@click.command()
@click.argument("file", metavar="FILE|-")
@LANG
@ENCODING
@guarded
def modernise(file: str, lang: str, encoding: str) -> None:
    """Modernise the spelling of a text, after correction."""
    click.echo(_corrected(file, lang, encoding).text("modern"))


@click.command()
@click.argument("file", metavar="FILE|-")
@click.option(
    "--format", "form", type=click.Choice(["table", "csv", "jsonl"]), default="table", show_default=True
)
@LANG
@ENCODING
@guarded
def clauses(file: str, form: str, lang: str, encoding: str) -> None:
    """List the numbered clauses of a text."""
    records = _read(file, lang, encoding, "all").to_dicts("clauses")
    if form == "jsonl":
        for record in records:
            click.echo(json.dumps(record, ensure_ascii=False))
    elif not records:
        click.echo(f"hoyle: {file}: no numbered clause found", err=True)
    else:
        columns = ["number", "label_raw", "corrected"] if form == "table" else list(records[0])
        print_rows(columns, [[record[name] for name in columns] for record in records], form)
