"""The registry of facets (``schemas/facets.toml``): what a clause can be tagged with.

Tagger, TEI, tables, vocabularies, site and evaluation iterate over it, so a new facet is one entry
there, one vocabulary and, in each language, rows of the cue table. The head of the file describes the keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from types import MappingProxyType
from typing import Any

from hoyle.errors import TableError
from hoyle.tables import Concept, data_file, read_toml, vocabulary

_FILE = "schemas/facets.toml"

Words = Mapping[str, str]
"""A text of the interface by the language of the interface."""


@dataclass(frozen=True, slots=True)
class Gold:
    """How gold editions state a facet.

    ``field`` is a field of a unit. It holds one concept (``one``), or a list of concepts, each given
    by its id or by an object that has the id under the key ``id``.
    """

    field: str
    one: bool = False
    id: str = ""


@dataclass(frozen=True, slots=True)
class Facet:
    """One entry of the registry; ranks begin with 1, and 0 means that there is none."""

    id: str
    vocabulary: str
    name: Words
    plural: Words
    lead: Words
    margin: int
    none: Words = field(default_factory=dict)
    main: bool = False
    clauses_column: int = 0
    gold: Gold | None = None
    parted_by: str = ""
    concordance: str = ""
    colour: Mapping[str, str] = field(default_factory=dict)
    style: str = ""

    @property
    def concepts(self) -> Mapping[str, Concept]:
        """The concepts of its vocabulary by id."""
        return vocabulary(self.vocabulary)


@dataclass(frozen=True, slots=True)
class Matrix:
    """A table of the site that counts units by a concept ``down`` and a concept ``across``."""

    down: str
    across: str
    title: Words

    @property
    def id(self) -> str:
        """Its name in addresses: ``offence-penalty``."""
        return f"{self.down}-{self.across}"


@cache
def facets() -> Mapping[str, Facet]:
    """All facets by id, in the order of the registry.

    Raises:
        TableError: an unknown or missing key, or a facet named that is no entry.
    """
    found = {
        id_: _facet(id_, entry) for id_, entry in read_toml(data_file(*_FILE.split("/")))["facet"].items()
    }
    for facet in found.values():
        if missing := [key for key in ("name", "plural", "lead") if "en" not in getattr(facet, key)]:
            raise TableError(f"{facet.id}: {missing[0]} has no English text (en)", document=_FILE)
        for other in filter(None, (facet.parted_by, facet.concordance)):
            if other not in found:
                raise TableError(f"{facet.id}: there is no facet {other!r}", document=_FILE)
        if facet.parted_by and not found[facet.parted_by].none:
            raise TableError(
                f"{facet.parted_by}: {facet.id} is parted by it, so it needs 'none'", document=_FILE
            )
    return MappingProxyType(found)


def _facet(id_: str, entry: Mapping[str, Any]) -> Facet:
    known = {f.name for f in fields(Facet)}
    if strange := entry.keys() - known:
        raise TableError(f"{id_}: unknown key {min(strange)!r}", document=_FILE)
    try:
        gold = Gold(**entry["gold"]) if "gold" in entry else None
        return Facet(id_, **{**entry, "gold": gold})
    except TypeError as error:
        raise TableError(f"{id_}: {error}", document=_FILE) from error


@cache
def matrices() -> tuple[Matrix, ...]:
    """The tables of the site that cross two facets, in the order shown.

    Raises:
        TableError: a facet that is no entry.
    """
    found = tuple(Matrix(**entry) for entry in read_toml(data_file(*_FILE.split("/"))).get("matrix", ()))
    for facet in (facet for matrix in found for facet in (matrix.down, matrix.across)):
        if facet not in facets():
            raise TableError(f"matrix: there is no facet {facet!r}", document=_FILE)
    return found


def vocabularies() -> tuple[str, ...]:
    """The names of all vocabularies, in the order of the registry."""
    return tuple(facet.vocabulary for facet in facets().values())


def concept(facet: str, id_: str) -> Concept | None:
    """The concept behind a tag; ``None`` if the facet or the concept is unknown.

    Args:
        facet: id of the facet.
        id_: id of the concept within its vocabulary.
    """
    known = facets().get(facet)
    return known.concepts.get(id_) if known else None


def interface_texts(lang: str) -> Iterator[tuple[str, str]]:
    """Keys and texts of the interface that belong to facets and matrices, in one language.

    Args:
        lang: a language of the interface (``en``, ``fr``, ``ru``).

    Yields:
        ``by_<facet>`` (the index), ``lead_<facet>``, ``facet_<facet>`` (one tag), ``no_<facet>``,
        ``figure_<facet>_f1`` and ``matrix_<down>_<across>``.
    """
    for id_, facet in facets().items():
        plural = _in(facet.plural, lang)
        yield f"by_{id_}", plural
        yield f"lead_{id_}", _in(facet.lead, lang)
        yield f"facet_{id_}", _in(facet.name, lang)
        yield f"figure_{id_}_f1", f"{plural[0].lower()}{plural[1:]} (F1)"
        if facet.none:
            yield f"no_{id_}", _in(facet.none, lang)
    for matrix in matrices():
        yield f"matrix_{matrix.down}_{matrix.across}", _in(matrix.title, lang)


def _in(words: Words, lang: str) -> str:
    return words.get(lang) or words["en"]
