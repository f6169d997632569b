"""``hoyle inspect``: what a file or a folder is, before anything is built."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

import click

from hoyle.cli.common import ENCODING, LANG, ROOT, SOME_FAILED, guarded


@click.command()
@click.argument("source", metavar="FILE|FOLDER")
@click.option("--as-one", is_flag=True, help="The files of a folder are the pages of one document.")
@click.option("--json", "as_json", is_flag=True, help="Everything that is found as JSON.")
@LANG
@ENCODING
@guarded
def inspect(source: str, *, as_one: bool, as_json: bool, lang: str, encoding: str) -> None:
    """Say what a file or folder is, and what build would make of it.

    Format, pages, words, places, language, numbering, and the quality of the OCR, estimated by the share of
    its words that the lexicon lists. Nothing is written. Exit code 3 if a document cannot be read.
    """
    from hoyle.inspection import inspect as inspect_source
    from hoyle.inspection import rows

    found = inspect_source(source, ROOT, as_one=as_one, lang=lang, encoding=encoding)
    skipped = [{"file": str(one.path), "why": one.why} for one in found.skipped]
    if as_json:
        documents = [asdict(one) for one in found.documents]
        click.echo(json.dumps({"documents": documents, "skipped": skipped}, ensure_ascii=False, indent=1))
    else:
        for name, value in rows(found.documents):
            click.echo(f"{name:<12} {value}".rstrip())
        for one in skipped:
            click.echo(f"not read     {one['file']}: {one['why']}")
    sys.exit(SOME_FAILED if any(one.error for one in found.documents) else 0)
