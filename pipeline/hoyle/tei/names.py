"""What the TEI files of Hoyle are made of: names, ids, pointers and attributes."""

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
"""TEI's own names for kinds of furniture; the other kinds keep the name of the model."""

CORR_TYPE: dict[EditKind, str] = {
    "correct": "ocr",
    "misprint": "print",
    "layout": "layout",
    "drop": "drop",
}
"""``corr/@type`` of each kind of edit; ``regularise`` is ``reg``."""

PARTS = {"start": "F", "end": "I", "both": "M", "": None}
"""``div/@part`` of a clause by the end that is lost: without its start it is a final part."""


@cache
def tei(name: str) -> str:
    """The name of a TEI element as lxml writes it."""
    return f"{{{NS}}}{name}"


# Ids. Of what XML 1.0 allows in an id, only what every parser agrees upon is used as it stands.
_NAME = re.compile(r"[\w.-]+", re.ASCII)
_OUTSIDE = re.compile(
    r"[^0-9A-Za-z_.\-À-ÖØ-öø-ÿ\u0401-\u040c\u040e-\u044f\u0451-\u045c\u045e-\u0481\u0490-\u04c4Α-ΡΣ-Ϋά-ώ]"
)
_START = re.compile(
    r"[A-Za-zÀ-ÖØ-öø-ÿ\u0401-\u040c\u040e-\u044f\u0451-\u045c\u045e-\u0481\u0490-\u04c4Α-ΡΣ-Ϋά-ώ]"
)
_ESCAPED = re.compile(r"·([0-9a-f]+)·")


@cache
def _ours() -> frozenset[str]:
    """The names that ids of the header begin with."""
    return frozenset({"hoyle", *facets()})


@lru_cache(maxsize=4096)
def xml_id(name: str) -> str:
    """The ``xml:id`` of a document, unit or concept of this name; :func:`name_of` leads back.

    A character that ids cannot hold becomes its code between middle dots (``*`` → ``·2a·``); an id
    that would begin with something else than a letter, or with a name that the header uses
    (``hoyle``, ``actor`` …), gets a ``_`` before it.
    """
    safe = name if _NAME.fullmatch(name) else _OUTSIDE.sub(lambda m: f"·{ord(m[0]):x}·", name)
    if not _START.match(safe) or safe.split(".", 1)[0] in _ours():
        return "_" + safe
    return safe


def name_of(identifier: str) -> str:
    """The name that :func:`xml_id` made this id of."""
    return _ESCAPED.sub(lambda m: chr(int(m[1], 16)), identifier.removeprefix("_"))


def is_fixed(identifier: str) -> bool:
    """Whether it is an id of the header: of the software, a layer, a facet or a concept."""
    return identifier.split(".", 1)[0] in _ours()


def concept_id(facet: str, value: str) -> str:
    """The ``xml:id`` of a concept of the vocabulary (``actor.dealer``)."""
    return f"{facet}.{xml_id('x' + value)[1:]}"


def concept_of(identifier: str) -> tuple[str, str]:
    """Facet and value behind an id made by :func:`concept_id`."""
    facet, _, value = identifier.partition(".")
    return facet, _ESCAPED.sub(lambda m: chr(int(m[1], 16)), value)


def layer_id(layer: str) -> str:
    """The ``xml:id`` of the statement of responsibility for a layer (``hoyle.correct``)."""
    return concept_id("hoyle", layer)


# Pointers.
_RANGE = re.compile(r"(\d+),(\d+)")


def raw(span: Span) -> str:
    """A pointer to characters of the source text: ``raw:12,20``."""
    return f"raw:{span.start},{span.end}"


def raw_span(pointer: str) -> Span | None:
    """The characters a ``raw:`` pointer means; ``None`` if it is no such pointer."""
    found = _RANGE.fullmatch(pointer.removeprefix("raw:")) if pointer.startswith("raw:") else None
    return Span(int(found[1]), int(found[2])) if found else None


def place(file: str, span: Span) -> str:
    """The range of a fragment in its file: ``001.txt#char=12,20`` (after RFC 5147)."""
    return f"{quote(file)}#char={span.start},{span.end}"


def placed(pointer: str) -> Span | None:
    """The range that :func:`place` wrote; ``None`` if the pointer is of another form."""
    found = _RANGE.fullmatch(pointer.rpartition("#char=")[2]) if "#char=" in pointer else None
    return Span(int(found[1]), int(found[2])) if found else None


def rule(by: str) -> str:
    """The name of a rule, a model or a decision as a URI: ``hoyle:languages/fr/confusions.tsv:14``."""
    return "hoyle:" + quote(by, safe="/:").replace("//", "/%2F")


def rule_of(pointer: str) -> str:
    """The name that :func:`rule` wrote."""
    return unquote(pointer.removeprefix("hoyle:"))


def word(text: str) -> str:
    """``text`` as one word without white space (``@type``, ``@subtype``); :func:`unquote` leads back."""
    return text if _NAME.fullmatch(text) else quote(text, safe="")


def certainty(confidence: float) -> Literal["high", "medium", "low"]:
    """TEI's word for a probability: high from .9, medium from .7."""
    return "high" if confidence >= 0.9 else "medium" if confidence >= 0.7 else "low"


# Attributes cannot hold control characters either.
_BARRED = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\\]")


def attribute(text: str) -> str:
    r"""``text`` as an attribute holds it, control characters as ``\x{7}``; :func:`unattribute` leads back."""
    return _BARRED.sub(lambda m: f"\\x{{{ord(m[0]):x}}}", text)


def unattribute(text: str) -> str:
    """The text that :func:`attribute` wrote."""
    return re.sub(r"\\x\{([0-9a-f]+)\}", lambda m: chr(int(m[1], 16)), text)


def path(number: Iterable[str]) -> str:
    """A number as an attribute holds it (``45.C.2``); :func:`path_of` leads back."""
    return ".".join(attribute(part).replace(".", "\\x{2e}") for part in number)


def path_of(text: str | None) -> tuple[str, ...]:
    """The number that :func:`path` wrote; none if there is no attribute."""
    return () if text is None else tuple(unattribute(part) for part in text.split("."))
