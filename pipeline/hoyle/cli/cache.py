"""``hoyle cache``: what ``hoyle build`` keeps of documents that it has annotated."""

from __future__ import annotations

import click

from hoyle.cli.common import guarded


@click.command()
@click.option("--clear", is_flag=True, help="Delete all that it holds.")
@guarded
def cache(*, clear: bool) -> None:
    """Show where the cache is and how much it holds, or clear it.

    ``hoyle build`` keeps each annotated document there, by the checksum of all it rests on, and takes it from
    there while nothing of that changes. What was used least recently is deleted beyond 2 GiB.
    HOYLE_CACHE_DIR names another folder.
    """
    from hoyle.batch.cache import LIMIT, Cache, default_folder

    kept = Cache(default_folder())
    if clear:
        kept.clear()
    usage = kept.usage()
    size, limit = usage.size / 1024**2, LIMIT / 1024**2
    click.echo(f"{kept.folder}: {usage.documents} documents, {size:.1f} MiB of at most {limit:.0f} MiB")
