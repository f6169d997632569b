"""Gold editions read from JSON and checked before anything is measured against them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, NonNegativeInt, ValidationError

from hoyle.errors import SourceError
from hoyle.evaluate.tags import GoldUnit, scored_facets


def _file_name(name: str) -> str:
    if "\0" in name or Path(name).name != name:
        raise ValueError("must be the name of a file, without a path")
    return name


def _range(span: tuple[int, int]) -> tuple[int, int]:
    if span[0] > span[1]:
        raise ValueError("ends before it begins")
    return span


class _Reference(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)

    target: str | int | None = None
    kind: str | None = None


class _Unit(BaseModel):
    """What the measures read of a unit; the README of the gold editions describes the rest."""

    model_config = ConfigDict(extra="allow")

    type: str
    n: str | int | None = None
    spans: list[Annotated[tuple[NonNegativeInt, NonNegativeInt], AfterValidator(_range)]]
    corrected: str
    modern: str | None = None
    refs: list[_Reference] | None = None


class _Edition(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)

    file: Annotated[str, AfterValidator(_file_name)] = ""
    id: Annotated[str, AfterValidator(_file_name)] = ""
    units: list[Annotated[_Unit, Field(strict=False)]]


def read_gold(path: Path) -> Mapping[str, Any]:
    """Read a gold edition.

    Args:
        path: a JSON file.

    Returns:
        The edition as it is in the file: ``file`` or ``id`` of its source, and ``units``.

    Raises:
        SourceError: the file cannot be read or is no gold edition; the message names the place in it.
    """
    try:
        made: Any = json.loads(path.read_bytes())
        edition = _Edition.model_validate(made)
        for number, unit in enumerate(made["units"]):
            _check_facets(unit, number)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise SourceError(f"is no gold edition: {place}: {first['msg']}", document=str(path)) from None
    except (OSError, ValueError, RecursionError) as error:
        raise SourceError(f"is no gold edition ({error})", document=str(path)) from error
    if not (edition.file or edition.id):
        raise SourceError("is no gold edition: it names no source (file or id)", document=str(path))
    return dict(made)


def _check_facets(unit: GoldUnit, number: int) -> None:
    """Raises ValueError unless each facet of a unit is stated as the registry says."""
    for facet, gold in scored_facets().items():
        given = unit.get(gold.field)
        items = given if isinstance(given, list) else [given] if given else []
        for item in items:
            concept = item.get(gold.id) if isinstance(item, dict) else item
            if not isinstance(concept, str):
                place = f"units.{number}.{gold.field}"
                raise ValueError(f"{place}: no concept of the facet {facet}: {item!r:.80}")  # noqa: TRY004


def check_spans(units: list[GoldUnit], characters: int, path: Path) -> None:
    """Check that a gold edition is one of its source.

    Args:
        units: its units.
        characters: length of the source text.
        path: the gold edition, for the message.

    Raises:
        SourceError: a unit ends after the source.
    """
    for number, unit in enumerate(units):
        if any(end > characters for _, end in unit["spans"]):
            message = f"units.{number}: ends after its source, which has {characters:,} characters"
            raise SourceError(message, document=str(path))
