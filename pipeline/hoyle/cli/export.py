"""``hoyle export``: one document in a format that other programs ask for."""

from __future__ import annotations

import click

from hoyle.cli.common import ENCODING, LANG, ROOT, USAGE, fail, guarded


@click.command()
@click.argument("source")
@click.option("--alto", "form", flag_value="alto", help="Corrected words in their boxes, as ALTO 4.")
@click.option("--hocr", "form", flag_value="hocr", help="Corrected words in their boxes, as hOCR.")
@click.option("--iiif", "base", metavar="URL", help="IIIF manifest, of a build published at URL.")
@click.option("--as-one", is_flag=True, help="The files of a folder are the pages of one document.")
@LANG
@ENCODING
@guarded
def export(
    source: str, *, form: str | None, base: str | None, as_one: bool, lang: str, encoding: str
) -> None:
    """Write SOURCE with its corrections to standard output, for libraries and viewers.

    SOURCE is what `hoyle build` takes, one document with places of words: hOCR, ALTO, PAGE, PDF, or an
    edition in TEI that was made of one.
    """
    from hoyle import loading
    from hoyle.batch.annotate import annotate_document
    from hoyle.outputs import corrected_pages, iiif
    from hoyle.pipeline import stages

    if (form is None) == (base is None):
        fail("say one of --alto, --hocr and --iiif URL", USAGE)
    if base is not None and not base.startswith(("http://", "https://")):
        fail(f"--iiif needs the address (https://…) at which the build is published, not {base!r}", USAGE)
    found = loading.find(source, ROOT, as_one=as_one, lang=lang, encoding=encoding).requests
    if len(found) != 1:
        fail(f"{source} holds {len(found)} documents; name one of them, or give --as-one", USAGE)
    document = annotate_document(found[0], ROOT, stages("text"))
    if base is not None:
        made = iiif.manifest(document, base)
    elif form == "alto":
        made = corrected_pages.alto(document)
    else:
        made = corrected_pages.hocr(document)
    click.echo(made, nl=False)
