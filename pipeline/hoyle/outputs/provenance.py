"""What a build rests on: the rows of the table ``provenance``.

Nothing here depends on the clock, so the same program makes the same rows; the date is the one that
``schemas/publication.toml`` states (docs/decisions/0007-uris-and-dates.md).
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hoyle import __version__, plugins
from hoyle.document.publication import publication_settings
from hoyle.outputs.files import checksum
from hoyle.tables import data_file

LIBRARIES = ("spacy", "pymorphy3", "pymorphy3-dicts-ru", "onnxruntime", "marisa-trie")
"""Libraries whose version may change a reading or a tag."""
_MODELS = frozenset({".onnx", ".marisa", ".counts"})
_RULES = frozenset({".tsv", ".toml"})


def provenance_records(settings: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The rows of the table ``provenance``.

    Args:
        settings: options of the build that decide what is written, by name.

    Yields:
        The program, the libraries and plug-ins, each file of models and of rules, the settings.
    """
    yield _row("program", "hoyle", __version__)
    yield _row("program", "python", platform.python_version())
    for name in LIBRARIES:
        yield _row("library", name, version(name))
    for package in plugins.packages():
        name, _, value = package.rpartition(" ")
        yield _row("plug-in", name, value)
    yield _row("setting", "published", publication_settings().published)
    for name, value in settings.items():
        yield _row("setting", name, value)
    for name, path in sorted(_files()):
        kind = "model" if path.suffix in _MODELS else "rules"
        yield _row(kind, name, sha256=checksum(path), size=path.stat().st_size)


def _files() -> set[tuple[str, Path]]:
    """The files of models and of rules by their path in the package (``schemas`` may lie beside it)."""
    roots = {data_file(): data_file(), data_file("schemas"): data_file("schemas").parent}
    return {
        (path.relative_to(above).as_posix(), path)
        for root, above in roots.items()
        for path in root.rglob("*")
        if path.suffix in _MODELS | _RULES
    }


def _row(
    kind: str, name: str, value: str | None = None, sha256: str | None = None, size: int | None = None
) -> dict[str, Any]:
    return {"kind": kind, "name": name, "value": value, "sha256": sha256, "size": size}
