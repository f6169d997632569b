"""Names, ids, pointers and attribute values in the TEI files of Hoyle."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Literal
from urllib.parse import quote, unquote

from hoyle.document import EditKind, Span
from hoyle.facets import facets

NS = "http://www.tei-c.org/ns/1.0"
XML = "http://www.w3.org/XML/1998/namespace"
ID = f"{{{XML}}}id"
LANG = f"{{{XML}}}lang"
SPACE = f"{{{XML}}}space"

FW_TYPE = {"running-head": "header", "page-number": "pageNum", "signature": "sig"}
"""``fw/@type`` of kinds of furniture that TEI suggests a name for; other kinds keep the name of the model."""

CORR_TYPE: dict[EditKind, str] = {
    "correct": "ocr",
    "misprint": "print",
    "layout": "layout",
    "drop": "drop",
}
"""``corr/@type`` of each kind of edit; ``regularise`` is ``reg``."""

PARTS = {"start": "F", "end": "I", "both": "M", "": None}
"""``div/@part`` of a clause by the end that is lost: a clause without its start is a final part."""


@cache
def tei(name: str) -> str:
    """Return the name of a TEI element with its namespace, in lxml's notation."""
    return f"{{{NS}}}{name}"


# Ids. Only characters that the editions of XML 1.0 agree on are used unescaped.
_NAME = re.compile(r"[\w.-]+", re.ASCII)
_OUTSIDE = re.compile(
    r"[^0-9A-Za-z_.\-À-ÖØ-öø-ÿ\u0401-\u040c\u040e-\u044f\u0451-\u045c\u045e-\u0481\u0490-\u04c4Α-ΡΣ-Ϋά-ώ]"
)
_START = re.compile(
    r"[A-Za-zÀ-ÖØ-öø-ÿ\u0401-\u040c\u040e-\u044f\u0451-\u045c\u045e-\u0481\u0490-\u04c4Α-ΡΣ-Ϋά-ώ]"
)
_ESCAPED = re.compile(r"·([0-9a-f]+)·")


@cache
def _reserved_names() -> frozenset[str]:
    """Return the names that ids of the header and of the facsimile begin with."""
    return frozenset({"hoyle", "facs", *facets()})


@lru_cache(maxsize=4096)
def xml_id(name: str) -> str:
    """Encode the name of a document, unit or concept as ``xml:id``; :func:`parse_xml_id` reverses it.

    A character that ids cannot contain becomes its code point between middle dots (``*`` → ``·2a·``).
    An id that would not begin with a letter, or would begin with a name that the header uses
    (``hoyle``, ``actor`` …), gets the prefix ``_``.
    """
    safe = name if _NAME.fullmatch(name) else _OUTSIDE.sub(lambda m: f"·{ord(m[0]):x}·", name)
    if not _START.match(safe) or safe.split(".", 1)[0] in _reserved_names():
        return "_" + safe
    return safe


def parse_xml_id(identifier: str) -> str:
    """Decode an id that :func:`xml_id` encoded."""
    return _ESCAPED.sub(lambda m: chr(int(m[1], 16)), identifier.removeprefix("_"))


def is_header_id(identifier: str) -> bool:
    """Return whether it is an id of the header or facsimile: of the software, a layer, a concept, a page."""
    return identifier.split(".", 1)[0] in _reserved_names()


def concept_id(facet: str, value: str) -> str:
    """Return the ``xml:id`` of a concept (``actor.dealer``).

    Args:
        facet: an entry of ``schemas/facets.toml``.
        value: the id of the concept in the vocabulary of the facet.

    Returns:
        The id; :func:`parse_concept_id` reverses it.
    """
    return f"{facet}.{xml_id('x' + value)[1:]}"


def parse_concept_id(identifier: str) -> tuple[str, str]:
    """Return facet and concept of an id that :func:`concept_id` made."""
    facet, _, value = identifier.partition(".")
    return facet, _ESCAPED.sub(lambda m: chr(int(m[1], 16)), value)


def layer_id(layer: str) -> str:
    """Return the ``xml:id`` of the ``respStmt`` of a layer (``hoyle.correct``)."""
    return concept_id("hoyle", layer)


# Pointers.
_RANGE = re.compile(r"(\d+),(\d+)")


def raw_pointer(span: Span) -> str:
    """Return a pointer to characters of the raw text: ``raw:12,20``."""
    return f"raw:{span.start},{span.end}"


def parse_raw_pointer(pointer: str) -> Span | None:
    """Return the span that a ``raw:`` pointer addresses; ``None`` if it is another pointer."""
    found = _RANGE.fullmatch(pointer.removeprefix("raw:")) if pointer.startswith("raw:") else None
    return Span(int(found[1]), int(found[2])) if found else None


def char_range(file: str, span: Span) -> str:
    """Return a URI for characters of a text file: ``001.txt#char=12,20`` (RFC 5147).

    Args:
        file: the name of the file.
        span: characters of its text.

    Returns:
        The URI; :func:`parse_char_range` reads the span back.
    """
    return f"{quote(file)}#char={span.start},{span.end}"


def parse_char_range(pointer: str) -> Span | None:
    """Return the span of a URI that :func:`char_range` made; ``None`` if it has another form."""
    found = _RANGE.fullmatch(pointer.rpartition("#char=")[2]) if "#char=" in pointer else None
    return Span(int(found[1]), int(found[2])) if found else None


def source_uri(by: str) -> str:
    """Return the source of an item (``Evidence.by``) as a URI: ``hoyle:languages/fr/confusions.tsv:14``."""
    return "hoyle:" + quote(by, safe="/:").replace("//", "/%2F")


def parse_source_uri(pointer: str) -> str:
    """Return the source that :func:`source_uri` encoded."""
    return unquote(pointer.removeprefix("hoyle:"))


def encode_token(text: str) -> str:
    """Encode ``text`` as one token without white space (``@type``, ``@subtype``); ``unquote`` reverses it."""
    return text if _NAME.fullmatch(text) else quote(text, safe="")


def certainty_level(confidence: float) -> Literal["high", "medium", "low"]:
    """Return ``@cert`` for a probability (0–1): high from 0.9, medium from 0.7 (``teidata.certainty``)."""
    return "high" if confidence >= 0.9 else "medium" if confidence >= 0.7 else "low"


# Attributes cannot contain control characters either.
_BARRED = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\\]")


def escape_attribute(text: str) -> str:
    r"""Escape control characters as ``\x{7}``; :func:`unescape_attribute` reverses it."""
    return _BARRED.sub(lambda m: f"\\x{{{ord(m[0]):x}}}", text)


def unescape_attribute(text: str) -> str:
    """Reverse :func:`escape_attribute`."""
    return re.sub(r"\\x\{([0-9a-f]+)\}", lambda m: chr(int(m[1], 16)), text)


def format_number(number: Iterable[str]) -> str:
    """Return the number of a clause as an attribute value (``45.C.2``); :func:`parse_number` reverses it."""
    return ".".join(escape_attribute(part).replace(".", "\\x{2e}") for part in number)


def parse_number(text: str | None) -> tuple[str, ...]:
    """Return the number that :func:`format_number` wrote; empty if there is no attribute."""
    return () if text is None else tuple(unescape_attribute(part) for part in text.split("."))
