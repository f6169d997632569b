"""What all commands share: exit codes, error messages, options, and the printing of rows."""

from __future__ import annotations

import json
import shlex
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn, ParamSpec, TypeVar

import click

from hoyle.errors import HoyleError, StageError

FINDINGS, USAGE, SOME_FAILED = 1, 2, 3
CRASH = 70
"""``EX_SOFTWARE`` of ``sysexits.h``: an internal software error."""
INTERRUPTED = 128 + signal.SIGINT
"""What a shell expects of a command that was stopped by Ctrl-C."""
ROOT = Path()
"""The folder that holds corpus/ and seeds/: where the command is given."""

LANG = click.option("--lang", default="", help="ru-petr1708, ru or fr; detected if left out.")
ENCODING = click.option("--encoding", default="", help="utf-8, cp1251, koi8-r …; detected if left out.")
OUT = click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("build"),
    show_default=True,
    help="Folder of the build.",
)

_LONGEST_MESSAGE = 300
"""Characters of an unforeseen error that are shown."""

P = ParamSpec("P")
R = TypeVar("R")


def fail(message: str, code: int) -> NoReturn:
    """Print an error message on standard error and exit.

    Args:
        message: what is wrong, and what to do.
        code: the exit code.
    """
    click.echo(f"hoyle: {message}", err=True)
    sys.exit(code)


class Group(click.Group):
    """A group of commands none of which ends with a traceback, unless ``--debug`` asks for it."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an error that is foreseen nowhere is one line, and the exit code :data:`CRASH`."""
        given = shlex.join([*ctx._protected_args, *ctx.args])  # noqa: SLF001 - click 8 hands them over so
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            fail("stopped", INTERRUPTED)
        except (click.ClickException, click.Abort, click.exceptions.Exit, OSError):
            raise
        except Exception as error:  # noqa: BLE001 - the last guard: nothing is to go past it
            _crash(f"{type(error).__name__}: {error}", given, debug=ctx.params["debug"])


def _crash(what: str, given: str, *, debug: bool) -> NoReturn:
    if debug:
        traceback.print_exc()
    shown = " ".join(what.split())[:_LONGEST_MESSAGE]
    advice = "please report it" if debug else f"`hoyle --debug {given}` shows where; please report it"
    fail(f"`hoyle {given}` failed by a fault of the program ({shown}); {advice}", CRASH)


def guarded(command: Callable[P, R]) -> Callable[P, R]:
    """Make errors of the user and of the system one line on standard error and exit code 2.

    What broke inside a stage is no error of the user: it goes on to :class:`Group`.
    """

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except HoyleError as error:
            if isinstance(error, StageError) and error.__cause__:
                raise
            fail(str(error), USAGE)
        except BrokenPipeError:
            raise  # whoever reads our output has had enough; click ends quietly
        except OSError as error:
            fail(f"{error.filename or 'output'}: {error.strerror or error}", USAGE)

    return run


@contextmanager
def stoppable() -> Iterator[Callable[[], None]]:
    """Within it, the signals that end a process unwind it, so that nothing half-written stays.

    It gives a function to be called at each step: it unwinds again where other code (a bare ``except`` in a
    package that is being imported, a destructor) swallowed the first try.
    """
    told: list[int] = []

    def stop(number: int, _frame: object) -> NoReturn:
        told.append(number)
        sys.exit(128 + number)

    def step() -> None:
        if told:
            sys.exit(128 + told[0])

    names = ("SIGINT", "SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield step
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def cell(value: object) -> str:
    """A value of a record as one cell of a table or CSV."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def print_rows(columns: Sequence[str], rows: Iterable[Sequence[object]], form: str) -> None:
    """Print rows on standard output.

    Args:
        columns: the heading.
        rows: the values of each row.
        form: ``csv`` as :func:`hoyle.outputs.csv_cells.csv_rows` writes it, or ``table``, whose cells are cut
            to what a line holds.
    """
    if form == "csv":
        from hoyle.outputs.csv_cells import csv_rows

        values = ([v if isinstance(v, (int, float)) else cell(v) for v in row] for row in rows)
        for text in csv_rows([columns, *values], line_end="\n"):
            click.echo(text, nl=False)
        return
    lines = [[cell(value).replace("\n", " ") for value in row] for row in (columns, *rows)]
    widths = [min(40, max(len(line[i]) for line in lines)) for i in range(len(columns))]
    widths[-1:] = [100] * len(widths[-1:])
    for line in lines:
        cells = [text[:width].ljust(width) for text, width in zip(line, widths, strict=True)]
        click.echo("  ".join(cells).rstrip())
