"""Languages and orthographies: one folder each, tables only.

A folder ``xx_yyyy`` holds ``language.toml`` (what it is, its alphabet, what it regularises to)
and the tables that the stages ask for by name. To add a language, add a folder.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hoyle.errors import HoyleError, TableError
from hoyle.tables import Row, data_file, read_table, read_toml


@dataclass(frozen=True)
class Language:
    """A language in one orthography.

    Attributes:
        tag: BCP 47 tag (``ru-petr1708``); the folder is the tag with ``_`` for ``-``.
        name: its English name.
        base: ISO 639 code of the language (``ru``, ``fr``).
        modern: tag of the orthography its texts are regularised to.
        letters: its alphabet, small letters.
        settings: all of ``language.toml``.
        folder: where its tables lie.
    """

    tag: str
    name: str
    base: str
    modern: str
    letters: frozenset[str]
    settings: Mapping[str, Any]
    folder: Path

    def table(self, name: str, columns: Collection[str]) -> list[Row]:
        """The rows of ``<name>.tsv`` in this language's folder, ``[]`` if it has none.

        Raises:
            TableError: see :func:`hoyle.tables.read_table`.
        """
        path = self.folder / f"{name}.tsv"
        return read_table(path, columns) if path.exists() else []


@cache
def language(tag: str) -> Language:
    """The language with this tag.

    Raises:
        HoyleError: if there is no folder for it; the message names those there are.
        TableError: if its ``language.toml`` lacks a key.
    """
    if tag not in known():
        raise HoyleError(f"unknown language {tag!r}; known are {', '.join(known())}")
    folder = _root() / tag.replace("-", "_")
    settings = read_toml(folder / "language.toml")
    try:
        return Language(
            tag=tag,
            name=settings["name"],
            base=settings["base"],
            modern=settings["modern"],
            letters=frozenset(settings["letters"]),
            settings=settings,
            folder=folder,
        )
    except KeyError as error:
        raise TableError(
            f"lacks the key {error}", document=f"languages/{folder.name}/language.toml"
        ) from None


@cache
def known() -> tuple[str, ...]:
    """The tags of all languages there are folders for."""
    return tuple(sorted(p.parent.name.replace("_", "-") for p in _root().glob("*/language.toml")))


def _root() -> Path:
    return data_file("languages")
