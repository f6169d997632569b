"""Settings of commands that are given once: ``hoyle.toml`` and environment variables; ``hoyle settings``.

Any option of a command can be set in ``hoyle.toml`` (a table a command) or by a variable
``HOYLE_<COMMAND>_<OPTION>``; what is given on the command line comes first, then the variable, then the file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from hoyle.cli.common import ROOT, guarded
from hoyle.errors import TableError
from hoyle.tables import read_toml

FILE = "hoyle.toml"
PREFIX = "HOYLE"
"""What the names of environment variables begin with."""

_SOURCES = {
    ParameterSource.ENVIRONMENT: "environment",
    ParameterSource.DEFAULT_MAP: FILE,
    ParameterSource.DEFAULT: "default",
}


def read_settings(group: click.Group, folder: Path = ROOT) -> dict[str, dict[str, Any]]:
    """The settings of ``hoyle.toml``, by command and option; none without the file.

    Args:
        group: the commands.
        folder: where the file lies.

    Raises:
        TableError: the file is broken, or names a command or an option that there is not.
    """
    path = folder / FILE
    if not path.is_file():
        return {}
    found = read_toml(path)
    for name, given in found.items():
        command = group.commands.get(name)
        if command is None or not isinstance(given, dict):
            message = f"there is no command {name!r}; a table is named {', '.join(sorted(group.commands))}"
            raise TableError(message, document=FILE)
        known = [option.name for option in _options(command)]
        if strange := [key for key in given if key not in known]:
            message = f"{name} has no option {strange[0]!r}; it has {', '.join(map(str, known))}"
            raise TableError(message, document=FILE)
    return found


def _options(command: click.Command) -> list[click.Option]:
    return [option for option in command.params if isinstance(option, click.Option)]


@click.command()
@click.pass_context
@guarded
def settings(context: click.Context) -> None:
    """Show every option that hoyle.toml or the environment can set, its value, and where that comes from."""
    parent = context.find_root()
    commands = parent.command.commands if isinstance(parent.command, click.Group) else {}
    for name, command in sorted(commands.items()):
        inner = click.Context(command, info_name=name, parent=parent)
        for option in _options(command):
            value, source = option.consume_value(inner, {})
            shown = option.get_default(inner) if source is ParameterSource.DEFAULT else value
            where = _SOURCES.get(source, "default")
            variable = f"{PREFIX}_{name}_{option.name}".upper()
            click.echo(f"{name}.{option.name} = {shown}  ({where}; {variable})")
