"""Plug-ins: what installed packages add to Hoyle, found by their entry points.

A package declares in its ``pyproject.toml`` what it adds, for instance

    [project.entry-points."hoyle.languages"]
    de-fraktur = "hoyle_german.de_fraktur"

and it is there as soon as the package is installed. Nothing is imported before a group is asked
for. CONTRIBUTING says what an entry of each group must be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, TypeVar

from hoyle.errors import HoyleError

LANGUAGES = "hoyle.languages"
"""A folder of tables with a ``language.toml``: a package (a module) or a ``Path``. Its name is the tag."""

NUMBERING = "hoyle.numbering"
"""A numbering scheme (:class:`hoyle.numbering.scheme.Scheme`)."""

INPUTS = "hoyle.inputs"
"""A format of source files (:class:`hoyle.inputs.Input`)."""

OUTPUTS = "hoyle.outputs"
"""A class of outputs (:class:`hoyle.outputs.Output`)."""

STAGES = "hoyle.stages"
"""A stage of the pipeline (:class:`hoyle.pipeline.Stage`)."""

GROUPS = (LANGUAGES, NUMBERING, INPUTS, OUTPUTS, STAGES)

Added = TypeVar("Added")


class PluginError(HoyleError):
    """An installed plug-in cannot be used; the message names the package it comes from."""


@cache
def entries(group: str) -> Mapping[str, Any]:
    """What installed packages have declared in a group, loaded.

    Args:
        group: name of the group of entry points, such as :data:`LANGUAGES`.

    Returns:
        The loaded objects by their names, in alphabetical order.

    Raises:
        PluginError: one of them cannot be imported, or two packages declare the same name.
    """
    points = sorted(entry_points(group=group), key=lambda point: point.name)
    for name, times in Counter(point.name for point in points).items():
        if times > 1:
            packages = " and ".join(sorted(_package(point) for point in points if point.name == name))
            message = f"{packages} both add {name!r} to {group}; uninstall one of them"
            raise PluginError(message)
    return MappingProxyType({point.name: _load(point) for point in points})


def additions(group: str, kind: type[Added], taken: Collection[str] = ()) -> Mapping[str, Added]:
    """The objects that installed packages add to a group, checked.

    Args:
        group: name of the group of entry points.
        kind: the class (or runtime-checkable protocol) of which each entry must be an object.
        taken: names that Hoyle itself uses in this group.

    Returns:
        The objects by name, in alphabetical order; the ``name`` of an object is its key here.

    Raises:
        PluginError: an entry cannot be loaded, is of another class, or has a name that is taken.
    """
    found = entries(group)
    for name, entry in found.items():
        if name in taken:
            raise unusable(group, name, f"Hoyle has a {name!r} of its own; it must have another name")
        if isinstance(entry, type) or not isinstance(entry, kind):
            raise unusable(group, name, f"must be an object of the class {kind.__name__}, not {entry!r}")
        if (called := getattr(entry, "name", name)) != name:
            raise unusable(group, name, f"its name is {called!r}; the entry point must have the same")
    return found


def folders(group: str) -> Mapping[str, Path]:
    """The folders of data that installed packages add to a group, by name.

    Args:
        group: name of the group of entry points, such as :data:`LANGUAGES`.

    Raises:
        PluginError: an entry cannot be loaded, or is no folder of files.
    """
    return MappingProxyType({name: _folder(group, name, entry) for name, entry in entries(group).items()})


def packages() -> list[str]:
    """The packages that add something to Hoyle, with their versions."""
    return sorted({_package(point) for group in GROUPS for point in entry_points(group=group)})


def _folder(group: str, name: str, entry: object) -> Path:
    """The folder that a package or a ``Path`` stands for."""
    places = list(entry.__path__) if isinstance(entry, ModuleType) and hasattr(entry, "__path__") else []
    folder = Path(places[0]) if places else entry
    if not (isinstance(folder, Path) and folder.is_dir()):
        raise unusable(group, name, "must be a package or the pathlib.Path of a folder of files")
    return folder


def _load(point: EntryPoint) -> Any:
    try:
        return point.load()
    except Exception as error:
        what = f"cannot be loaded from {point.value!r} ({type(error).__name__}: {error})"
        raise unusable(point.group, point.name, what) from error


def unusable(group: str, name: str, what: str) -> PluginError:
    """The error that says what is wrong with a plug-in, and from which package it comes.

    Args:
        group: name of the group of entry points.
        name: name of the entry point.
        what: what is wrong with it.
    """
    point = next(point for point in entry_points(group=group) if point.name == name)
    message = f"plug-in {name!r} of {group}: {what}; update the package or uninstall it"
    return PluginError(message, document=_package(point))


def _package(point: EntryPoint) -> str:
    """The package that declares an entry point, with its version."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else "an unnamed package"
