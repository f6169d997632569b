"""Metadata of the edition as a whole: ``schemas/publication.toml``."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import cache
from typing import Any

from hoyle.errors import TableError
from hoyle.tables import data_file, read_toml


@dataclass(frozen=True, slots=True)
class Publication:
    """Name, date and rights of the edition, and the base of its URIs.

    ``published`` is a day (ISO 8601) that the publisher states, never the current date;
    ``base`` is the beginning of the URI of every concept.
    """

    name: str
    description: str
    publisher: str
    published: str
    language: str
    licence_name: str
    licence_url: str
    licence_description: str
    vocabulary_title: str
    base: str


@cache
def publication_settings() -> Publication:
    """Read the metadata of the edition.

    Raises:
        TableError: a key is missing, empty or not a string, or the date is not a day.
    """
    path = data_file("schemas", "publication.toml")
    name = "/".join(path.parts[-2:])
    raw = read_toml(path)

    def text(key: str, section: str = "") -> str:
        table: Any = raw.get(section, {}) if section else raw
        value = table.get(key) if isinstance(table, dict) else None
        if not isinstance(value, str) or not value:
            where = f"[{section}] {key}" if section else key
            raise TableError(f"{where} must be a non-empty string, not {value!r}", document=name)
        return value

    published = text("published")
    try:
        dt.date.fromisoformat(published)
    except ValueError:
        message = f"published must be a day such as 2026-01-31, not {published!r}"
        raise TableError(message, document=name) from None
    return Publication(
        name=text("name"),
        description=text("description"),
        publisher=text("publisher"),
        published=published,
        language=text("language"),
        licence_name=text("name", "licence"),
        licence_url=text("url", "licence"),
        licence_description=text("description", "licence"),
        vocabulary_title=text("title", "vocabulary"),
        base=text("base", "vocabulary"),
    )
