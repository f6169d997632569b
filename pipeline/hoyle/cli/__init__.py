"""The command line; what scripts outside rely on is described in docs/tables.md and README.

This package alone deals with progress and messages: results go to standard output, all else to
standard error. Exit codes: 0 done, 1 findings, 2 usage, 3 some documents failed (the others are
complete), 70 a fault of the program, 130 stopped by Ctrl-C. Commands import what they need when they
run, so that ``hoyle --help`` answers at once.
"""

from __future__ import annotations

import click

from hoyle import __version__
from hoyle.cli.cache import cache
from hoyle.cli.common import Group, guarded
from hoyle.cli.edition import build, publish, serve
from hoyle.cli.export import export
from hoyle.cli.inspect import evaluate, explain, query, verify
from hoyle.cli.inspect_source import inspect
from hoyle.cli.settings import PREFIX, read_settings, settings
from hoyle.cli.text import clauses, correct, modernise


@click.group(
    cls=Group, context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": PREFIX}
)
@click.version_option(__version__, prog_name="hoyle")
@click.option("--debug", is_flag=True, help="Show where the program failed, if it does.")
@click.pass_context
@guarded
def main(context: click.Context, *, debug: bool) -> None:  # noqa: ARG001 - Group reads it
    """From OCR'd rulebooks of games to an annotated edition: text, clauses, TEI, tables, site.

    Exit codes: 0 done, 1 findings, 2 usage, 3 some documents failed (the others are complete),
    70 a fault of the program, 130 stopped by Ctrl-C.

    Any option can be set once, in hoyle.toml or by a variable: hoyle settings shows how.
    """
    context.default_map = read_settings(main)


for command in (
    inspect,
    build,
    export,
    publish,
    correct,
    modernise,
    clauses,
    explain,
    verify,
    evaluate,
    query,
    serve,
    cache,
    settings,
):
    main.add_command(command)
