"""The vocabularies as SKOS: Turtle and JSON-LD, made from the rows that TEI, tables and site use.

Each facet is a concept scheme. The URI of a concept is the base of ``schemas/publication.toml``
and the id that the TEI taxonomies give it: ``urn:uuid:…#penalty.fine``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from hoyle import __version__
from hoyle.document import Document
from hoyle.document.publication import publication
from hoyle.errors import OutputError
from hoyle.outputs.schema import FACETS
from hoyle.tables import Concept, vocabulary

NAMESPACES = {
    "dct": "http://purl.org/dc/terms/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
}


class Literal(NamedTuple):
    """A text and its language tag (empty for a code)."""

    text: str
    lang: str = ""


class Link(NamedTuple):
    """A resource: a concept or scheme by its id, or any other by its whole URI."""

    uri: str


Value = Literal | Link


class Node(NamedTuple):
    """A resource of the vocabulary: its id, its class, and what is said of it."""

    id: str
    type: str
    facts: tuple[tuple[str, tuple[Value, ...]], ...]


class Vocabularies:
    """The output ``vocabularies/``; see :class:`hoyle.outputs.Output`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "vocabularies"

    def add(self, document: Document) -> None:
        """A vocabulary is the same whatever the documents."""

    def close(self) -> None:
        """Write ``hoyle.ttl`` and ``hoyle.jsonld``.

        Raises:
            OutputError: they cannot be written.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / "hoyle.ttl").write_text(turtle(), encoding="utf-8", newline="\n")
            (self._folder / "hoyle.jsonld").write_text(json_ld(), encoding="utf-8", newline="\n")
        except OSError as error:
            raise OutputError(f"cannot be written ({error.strerror})", document="vocabularies") from error


def nodes() -> Iterator[Node]:
    """Every scheme, each followed by its concepts, in the order of the tables."""
    about = publication()
    for facet, name in FACETS.items():
        concepts = vocabulary(name)
        top = tuple(Link(f"{facet}.{c.id}") for c in concepts.values() if not c.broader)
        yield Node(
            facet,
            "skos:ConceptScheme",
            (
                ("dct:title", (Literal(f"{about.vocabulary_title}: {name}", "en"),)),
                ("dct:publisher", (Literal(about.publisher, "en"),)),
                ("dct:license", (Link(about.licence_url),)),
                ("owl:versionInfo", (Literal(__version__),)),
                ("skos:hasTopConcept", top),
            ),
        )
        for concept in concepts.values():
            yield _concept(facet, concept)


def _concept(facet: str, concept: Concept) -> Node:
    names = {lang: label.split(", ") for lang, label in concept.labels.items()}
    facts: dict[str, list[Value]] = {
        "skos:inScheme": [Link(facet)],
        "skos:topConceptOf": [] if concept.broader else [Link(facet)],
        "skos:broader": [Link(f"{facet}.{concept.broader}")] if concept.broader else [],
        "skos:notation": [Literal(concept.id)],
        "skos:prefLabel": [Literal(first, lang) for lang, (first, *_) in names.items()],
        "skos:altLabel": [Literal(other, lang) for lang, (_, *others) in names.items() for other in others],
        "skos:scopeNote": [Literal(concept.scope, "en")] if concept.scope else [],
    }
    said = tuple((key, tuple(values)) for key, values in facts.items() if values)
    return Node(f"{facet}.{concept.id}", "skos:Concept", said)


def turtle() -> str:
    """All vocabularies as Turtle."""
    used = {key.split(":")[0] for node in nodes() for key in (node.type, *(k for k, _ in node.facts))}
    lines = [f"@prefix {name}: <{uri}> ." for name, uri in NAMESPACES.items() if name in used]
    for node in nodes():
        facts = [f"a {node.type}"]
        facts += [f"{key} {', '.join(map(_turtle, values))}" for key, values in node.facts]
        lines += ["", f"{_turtle(Link(node.id))}", "    " + " ;\n    ".join(facts) + " ."]
    return "\n".join(lines) + "\n"


_TURTLE = {
    **{code: f"\\u{code:04X}" for code in range(0x20)},
    **str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}),
}


def _turtle(value: Value) -> str:
    if isinstance(value, Link):
        return f"<{uri(value)}>"
    return f'"{value.text.translate(_TURTLE)}"' + (f"@{value.lang}" if value.lang else "")


def uri(link: Link) -> str:
    """The whole URI of a concept, a scheme or another resource."""
    return link.uri if "://" in link.uri else publication().base + link.uri


_CONTEXT: Mapping[str, object] = {
    **{name: NAMESPACES[name] for name in ("dct", "owl", "skos")},
    "id": "@id",
    "type": "@type",
    **{
        name: {"@id": f"skos:{name}", "@type": "@id"}
        for name in ("inScheme", "topConceptOf", "hasTopConcept", "broader")
    },
    "altLabel": {"@id": "skos:altLabel", "@container": ["@language", "@set"]},
    **{name: {"@id": f"skos:{name}", "@container": "@language"} for name in ("prefLabel", "scopeNote")},
    "notation": "skos:notation",
    "title": {"@id": "dct:title", "@container": "@language"},
    "publisher": {"@id": "dct:publisher", "@container": "@language"},
    "license": {"@id": "dct:license", "@type": "@id"},
    "versionInfo": "owl:versionInfo",
}
"""Short names, so that the file reads as plain JSON: ``"prefLabel": {"en": "dealer", …}``."""


def json_ld() -> str:
    """All vocabularies as JSON-LD 1.1, readable as plain JSON too."""
    graph = [
        {
            "id": uri(Link(node.id)),
            "type": node.type,
            **{key.split(":")[1]: _json(key, values) for key, values in node.facts},
        }
        for node in nodes()
    ]
    value = {"@context": {"@version": 1.1, **_CONTEXT}, "@graph": graph}
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _json(key: str, values: Iterable[Value]) -> object:
    if key == "skos:altLabel":
        found: dict[str, list[str]] = {}
        for value in values:
            if isinstance(value, Literal):
                found.setdefault(value.lang, []).append(value.text)
        return found
    if all(isinstance(value, Literal) and value.lang for value in values):
        return {value.lang: value.text for value in values if isinstance(value, Literal)}
    plain = [uri(value) if isinstance(value, Link) else value.text for value in values]
    return plain if key == "skos:hasTopConcept" else plain[0]
