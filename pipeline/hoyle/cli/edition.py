"""``hoyle build``, ``publish`` and ``serve``: commands that make an edition, keep it and show it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

import hoyle
from hoyle.cli.common import FINDINGS, OUT, ROOT, SOME_FAILED, guarded, stoppable
from hoyle.cli.progress import Reporter
from hoyle.errors import HoyleError, OutputError
from hoyle.inputs.text import MAX_BYTES

if TYPE_CHECKING:
    from hoyle.batch.build import Report


@click.command(
    epilog="Example: hoyle build scans/ --jobs 2 --without site --log-file shelf.jsonl --out shelf"
)
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("build"), show_default=True, help="Folder to make."
)
@click.option("--from-tei", is_flag=True, help="SOURCES are TEI files, or folders of them.")
@click.option("--as-one", is_flag=True, help="The files of a folder are the pages of one document.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes to use.")
@click.option("--keep-going/--fail-fast", default=True, show_default=True, help="When a document fails.")
@click.option("--tokens", is_flag=True, help="Fill the table of tokens as well.")
@click.option("--check", is_flag=True, help="Verify every TEI; exit 1 if one fails or has no clause.")
@click.option("--json", "as_json", is_flag=True, help="Report on standard output as JSON.")
@click.option("--lang", default="", help="Language of sources without meta.toml (else detected).")
@click.option("--encoding", default="", help="Encoding of sources without meta.toml (else detected).")
@click.option("--max-size", type=click.IntRange(1), default=MAX_BYTES, show_default=True, help="In bytes.")
@click.option("--only", default="", metavar="OUTPUT,…", help="Write only these outputs (tei,tables).")
@click.option("--without", default="", metavar="OUTPUT,…", help="Write all outputs but these (site).")
@click.option("--cache/--no-cache", default=True, help="Take unchanged documents from the cache.")
@click.option("--log-file", type=click.Path(path_type=Path), help="Write a JSON object a document there.")
@click.option("-q", "--quiet", is_flag=True, help="Say only what failed.")
@click.option("-v", "--verbose", is_flag=True, help="Say what each document took.")
@click.pass_context
@guarded
def build(
    context: click.Context,
    sources: tuple[str, ...],
    out: Path,
    *,
    from_tei: bool,
    as_one: bool,
    jobs: int,
    keep_going: bool,
    tokens: bool,
    check: bool,
    as_json: bool,
    lang: str,
    encoding: str,
    max_size: int,
    only: str,
    without: str,
    cache: bool,
    log_file: Path | None,
    quiet: bool,
    verbose: bool,
) -> None:
    """Build everything: TEI, tables and site of the SOURCEs (default: all of corpus/).

    SOURCE is the id of a corpus document, a folder, or a file (text, PDF, hOCR, ALTO, PAGE, FineReader,
    DjVu XML, HTML, EPUB, DOCX, ODT). A file without meta.toml works too: language,
    orthography and numbering are detected and reported. A TEI file is an edition already: nothing is
    detected, and the outputs are made of what it holds, changes by hand included. --from-tei takes
    folders of TEI files (default: corpus/<id>/edition).

    Documents that have not changed are taken from the cache (hoyle cache). Files of the earlier build that
    were changed by hand are kept beside the new one.
    """
    from hoyle.batch.cache import Cache, default_folder

    if sources and context.get_parameter_source("out") is ParameterSource.DEFAULT:
        _spare_the_corpus(sources, out)
    chosen = _outputs(only, without)
    with stoppable() as step, Reporter(step, log=log_file, quiet=quiet, verbose=verbose) as progress:
        report = hoyle.build(
            sources,
            out,
            from_tei=from_tei,
            as_one=as_one,
            jobs=jobs,
            fail_fast=not keep_going,
            tokens=tokens,
            lang=lang,
            encoding=encoding,
            max_bytes=max_size,
            root=ROOT,
            progress=progress,
            only=chosen,
            cache=Cache(default_folder()) if cache else None,
        )
    for failure in report.failures:
        error = HoyleError(failure.message, document=failure.document, offset=failure.offset)
        click.echo(f"hoyle: failed: {error}", err=True)
    for skipped in report.skipped:
        click.echo(f"hoyle: not read: {skipped.file}: {skipped.why}", err=True)
    for path in report.kept:
        click.echo(f"hoyle: changed by hand in the earlier build, and kept: {path}", err=True)
    if as_json:
        click.echo(report.json(), nl=False)
    elif not quiet:
        _tell(report, out)
    found = check and _check(out, report)
    if report.failures or found:
        sys.exit(SOME_FAILED if report.failures else FINDINGS)


def _spare_the_corpus(sources: Sequence[str], out: Path) -> None:
    """Raise if the edition of the corpus would give way to that of other sources, by the default of --out."""
    from hoyle.batch.build import Report
    from hoyle.batch.workplace import is_build

    if not is_build(out):
        return
    there = [made.id for made in Report.of(out).documents if (ROOT / "corpus" / made.id).is_dir()]
    if lost := [name for name in there if name not in sources]:
        message = f"holds the edition of {', '.join(lost)}; give --out FOLDER, or --out {out} to replace it"
        raise OutputError(message, document=str(out))


def _outputs(only: str, without: str) -> list[str]:
    """The names of the outputs to write; none for all of them."""
    from hoyle.outputs import outputs

    named, not_named = (list(filter(None, given.replace(" ", "").split(","))) for given in (only, without))
    if strange := [name for name in named + not_named if name not in outputs()]:
        message = f"there is no output {strange[0]!r}; there are {', '.join(outputs())}"
        raise click.UsageError(message)
    chosen = named or (list(outputs()) if not_named else [])
    return [name for name in chosen if name not in not_named]


def _tell(report: Report, out: Path) -> None:
    """What was made, for people."""
    if report.unchanged:
        click.echo(f"Nothing has changed: {out}/ is as it would be made.", err=True)
    for made in report.documents:
        click.echo(
            f"{made.id}: {made.lang}, {made.characters:,} characters, {made.clauses} clauses, "
            f"{made.edits:,} edits, {made.tags} tags, {made.references} references",
            err=True,
        )
        if not made.clauses:
            click.echo(f"  {made.id}: no numbered clause found; the text is kept as paragraphs", err=True)
        for remark in (*made.doubts, *made.by_hand):
            click.echo(f"  {made.id}: {remark}", err=True)
    if report.documents and not report.unchanged:
        made_of = ", ".join(f"{path.name}/" for path in sorted(out.iterdir()) if path.is_dir())
        click.echo(f"Made {out}/ with {made_of}.", err=True)
    if (out / "site").is_dir():
        click.echo(
            f"Open {out / 'site' / 'index.html'} in a browser, or run: hoyle serve --out {out}", err=True
        )


def _check(out: Path, report: Report) -> bool:
    """Whether there is something to complain of; each complaint goes to standard error."""
    problems = [f"{made.id}: no numbered clause" for made in report.documents if not made.clauses]
    for path in (out / "tei" / f"{made.id}.xml" for made in report.documents):
        problems += [f"{path.name}: {problem}" for problem in hoyle.verify(path)]
    for problem in problems:
        click.echo(f"hoyle: {problem}", err=True)
    return bool(problems)


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--force", is_flag=True, help="Write over editions that were changed by hand, too.")
@guarded
def publish(ids: tuple[str, ...], *, force: bool) -> None:
    """Write the published editions, corpus/<id>/edition/<id>.xml, from today's sources and decisions.

    Without ID, those of all documents of corpus/. An edition that was changed by hand is left alone.
    """
    from hoyle import loading
    from hoyle.batch.publish import publish as publish_one

    wanted = [r for i in ids for r in loading.requests(i, ROOT)] if ids else list(loading.corpus(ROOT))
    failed = False
    for request in wanted:
        try:
            path, written = publish_one(request, ROOT, force=force)
        except HoyleError as error:
            click.echo(f"hoyle: failed: {error}", err=True)
            failed = True
        else:
            click.echo(f"{path}: {'written' if written else 'is up to date'}", err=True)
    sys.exit(SOME_FAILED if failed else 0)


@click.command()
@OUT
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@guarded
def serve(out: Path, port: int) -> None:
    """Serve the built site on 127.0.0.1 until interrupted."""
    from hoyle.serve import serve as run_server

    run_server(out, port, lambda url: click.echo(f"Serving {out} on {url} (Ctrl-C ends)", err=True))
