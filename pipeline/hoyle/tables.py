"""Loads the tables that hold Hoyle's knowledge; an error names file and line.

A table is a UTF-8 file of tab-separated values whose first line names the columns; lines
that start with ``#`` are comments, empty lines are skipped. A cell holds what it shows:
no quoting, no escapes, except ``␣`` for a space and ``␤`` for a line feed at places where
they would not be seen.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from hoyle.errors import TableError


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table, and where it stands (``where`` is ``languages/fr/confusions.tsv:14``)."""

    where: str
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    def number(self, column: str) -> float:
        """The cell as a number.

        Raises:
            TableError: if it is none.
        """
        try:
            return float(self.cells[column])
        except ValueError:
            message = f"{column} must be a number, not {self.cells[column]!r}"
            raise TableError(message, document=self.where) from None


def data_file(*parts: str) -> Path:
    """A file of the installed package (or, in a checkout, of the repository) by its path.

    ``languages`` and ``resources`` lie in the package; ``schemas`` and ``site`` lie in the
    package when it is installed from a wheel and at the top of the repository otherwise.
    """
    package = Path(str(files("hoyle")))
    inside = package.joinpath(*parts)
    return inside if inside.exists() else package.parent.parent.joinpath(*parts)


def read_table(path: Path, columns: Collection[str], renamed: Mapping[str, str] | None = None) -> list[Row]:
    """The rows of the table at ``path``.

    Args:
        path: the file; the last three parts of its path name it in messages and evidence.
        columns: the columns it must have; further ones are kept.
        renamed: former names of columns and what they are called now.

    Returns:
        The rows in the order of the file, comments and empty lines left out.

    Raises:
        TableError: file missing, not UTF-8, a column missing, a row too short or too long.
    """
    name = "/".join(path.parts[-3:])
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise TableError(f"cannot be read as a UTF-8 table ({error})", document=name) from error
    header: list[str] = []
    rows: list[Row] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [_shown(cell) for cell in line.rstrip("\r").split("\t")]
        where = f"{name}:{number}"
        if not header:
            header = [(renamed or {}).get(cell, cell) for cell in cells]
            if missing := [c for c in columns if c not in header]:
                raise TableError(f"the heading lacks the columns {', '.join(missing)}", document=where)
            continue
        if len(cells) != len(header):
            message = f"{len(cells)} cells, but the heading has {len(header)} ({', '.join(header)})"
            raise TableError(message, document=where)
        rows.append(Row(where, dict(zip(header, cells, strict=True))))
    if not header:
        raise TableError("the table is empty; it needs a line of column names", document=name)
    return rows


def _shown(cell: str) -> str:
    return cell.replace("␣", " ").replace("␤", "\n")


def read_toml(path: Path) -> dict[str, Any]:
    """The settings file at ``path``.

    Raises:
        TableError: file missing or no valid TOML; the message has the line.
    """
    name = "/".join(path.parts[-3:])
    try:
        text = path.read_text(encoding="utf-8-sig")
        return tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        raise TableError(f"cannot be read ({error})", document=name) from error
    except tomllib.TOMLDecodeError as error:
        last = f"at line {len(text.splitlines())}, the last"
        message = str(error).replace("at end of document", last)
        raise TableError(f"is no valid TOML: {message}", document=name) from error
    except (
        ValueError,
        RecursionError,
    ) as error:  # an integer of thousands of digits, lists in lists in lists
        raise TableError(f"is no TOML that can be read: {error}", document=name) from error


@dataclass(frozen=True, slots=True)
class Concept:
    """One row of a vocabulary: a concept, the broader one, and its labels by language tag.

    A comma in a label parts synonyms, the preferred one first. ``scope`` (English, may be empty)
    says how the concept is used where the label does not make it plain.
    """

    id: str
    broader: str
    labels: Mapping[str, str]
    where: str
    scope: str = ""

    def label(self, lang: str) -> str:
        """The label in ``lang`` (``en``, ``fr``, ``ru``, ``ru-petr1708``), else the English one."""
        return self.labels.get(lang) or self.labels["en"]


@cache
def vocabulary(name: str) -> Mapping[str, Concept]:
    """The concepts of ``schemas/vocabulary/<name>.tsv`` by id, in the order of the table.

    Raises:
        TableError: a broken table, an id given twice, or a broader concept that is not there.
    """
    labels = {f"label_{tag.replace('-', '_')}": tag for tag in ("en", "fr", "ru", "ru-petr1708")}
    rows = read_table(data_file("schemas", "vocabulary", f"{name}.tsv"), ["id", "broader", *labels])
    concepts: dict[str, Concept] = {}
    for row in rows:
        if row["id"] in concepts:
            raise TableError(f"the id {row['id']!r} is given twice", document=row.where)
        texts = {tag: row[column] for column, tag in labels.items() if row[column]}
        scope = row.cells.get("scope_en", "")
        concepts[row["id"]] = Concept(row["id"], row["broader"], texts, row.where, scope)
    for concept in concepts.values():
        if concept.broader and concept.broader not in concepts:
            raise TableError(
                f"the broader concept {concept.broader!r} is not in the table", document=concept.where
            )
    return concepts
