"""``hoyle build``, ``publish`` and ``serve``: commands that make an edition, keep it and show it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import click

import hoyle
from hoyle.cli.common import FINDINGS, OUT, ROOT, SOME_FAILED, guarded, stoppable
from hoyle.errors import HoyleError
from hoyle.inputs.text import MAX_BYTES

if TYPE_CHECKING:
    from hoyle.batch.build import Report
    from hoyle.pipeline import Stage


@click.command()
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
@guarded
def build(
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
) -> None:
    """Build everything: TEI, tables and site of the SOURCEs (default: all of corpus/).

    SOURCE is the id of a corpus document, a folder, or a file (text, PDF, hOCR, ALTO, PAGE, FineReader,
    DjVu XML, HTML, EPUB, DOCX, ODT). A file without meta.toml works too: language,
    orthography and numbering are detected and reported. A TEI file is an edition already: nothing is
    detected, and the outputs are made of what it holds, changes by hand included. --from-tei takes
    folders of TEI files (default: corpus/<id>/edition).
    """
    with stoppable() as step, Bar(step) as bar:
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
            progress=bar,
        )
    for failure in report.failures:
        error = HoyleError(failure.message, document=failure.document, offset=failure.offset)
        click.echo(f"hoyle: failed: {error}", err=True)
    for skipped in report.skipped:
        click.echo(f"hoyle: not read: {skipped.file}: {skipped.why}", err=True)
    if as_json:
        click.echo(report.json(), nl=False)
    else:
        _tell(report, out)
    found = check and _check(out, report)
    if report.failures or found:
        sys.exit(SOME_FAILED if report.failures else FINDINGS)


def _tell(report: Report, out: Path) -> None:
    """What was made, for people."""
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
    if report.documents:
        click.echo(f"Made {out}/ with tei/, tables/ (SQLite, CSV, JSON Lines, Parquet) and site/.", err=True)
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


class Bar:
    """A progress bar on standard error over documents and stages; hidden where there is no terminal.

    Args:
        step: called at each step.
    """

    def __init__(self, step: Callable[[], None]) -> None:
        self._document = self._shown = ""
        self._step = step
        self._bar: Any = click.progressbar(
            length=1,
            label="hoyle",
            file=sys.stderr,
            hidden=not sys.stderr.isatty(),
            item_show_func=lambda _: self._shown,
        )

    def __enter__(self) -> Self:
        self._bar.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.__exit__(kind, error, trace)

    def begin(self, documents: int) -> None:
        """So many documents are asked for."""
        self._step()
        self._bar.length = documents

    def document(self, name: str) -> None:
        """Show the document at hand."""
        self._step()
        self._document = self._shown = name
        self._bar.render_progress()

    def stage(self, stage: Stage) -> None:
        """Show the stage at hand."""
        self._step()
        self._shown = f"{self._document}: {stage.does}"
        self._bar.render_progress()

    def done(self) -> None:
        """One document more is finished."""
        self._step()
        self._bar.update(1)


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
