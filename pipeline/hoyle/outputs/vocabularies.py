"""The vocabularies as SKOS (W3C 2009), in Turtle and JSON-LD, made of the rows that TEI, tables and site use.

Each facet is a concept scheme. The URI of a concept is the base of ``schemas/publication.toml``
and the id that the TEI taxonomies give it: ``urn:uuid:…#penalty.fine``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hoyle import __version__
from hoyle.document import Document
from hoyle.document.publication import publication_settings
from hoyle.errors import OutputError
from hoyle.facets import facets
from hoyle.tables import Concept

_LANGUAGE_MAP = {"@container": "@language"}
_CONTEXT = {
    "@version": 1.1,
    "dct": "http://purl.org/dc/terms/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "id": "@id",
    "type": "@type",
    **{
        name: {"@id": f"skos:{name}", "@type": "@id"}
        for name in ("inScheme", "topConceptOf", "hasTopConcept", "broader")
    },
    "altLabel": {"@id": "skos:altLabel", "@container": ["@language", "@set"]},
    "prefLabel": {"@id": "skos:prefLabel", **_LANGUAGE_MAP},
    "scopeNote": {"@id": "skos:scopeNote", **_LANGUAGE_MAP},
    "notation": "skos:notation",
    "title": {"@id": "dct:title", **_LANGUAGE_MAP},
    "publisher": {"@id": "dct:publisher", **_LANGUAGE_MAP},
    "license": {"@id": "dct:license", "@type": "@id"},
    "versionInfo": "owl:versionInfo",
}
"""Short names, so that the file reads as plain JSON: ``"prefLabel": {"en": "dealer", …}``."""


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


def json_ld() -> str:
    """Write all vocabularies as JSON-LD 1.1, readable as plain JSON too."""
    return json.dumps(_vocabularies(), ensure_ascii=False, indent=1) + "\n"


def turtle() -> str:
    """Write all vocabularies as Turtle."""
    from rdflib import Graph  # noqa: PLC0415 - takes half a second
    from rdflib.plugins.parsers.jsonld import to_rdf  # noqa: PLC0415

    graph = Graph(bind_namespaces="none")
    to_rdf(_vocabularies(), graph)
    return graph.serialize(format="turtle")


def _vocabularies() -> dict[str, Any]:
    graph = []
    for facet, entry in facets().items():
        concepts = entry.concepts.values()
        graph += [
            _scheme(facet, entry.vocabulary, concepts),
            *(_concept(facet, concept) for concept in concepts),
        ]
    return {"@context": _CONTEXT, "@graph": graph}


def _scheme(facet: str, name: str, concepts: Iterable[Concept]) -> dict[str, Any]:
    about = publication_settings()
    return {
        "id": about.base + facet,
        "type": "skos:ConceptScheme",
        "title": {"en": f"{about.vocabulary_title}: {name}"},
        "publisher": {"en": about.publisher},
        "license": about.licence_url,
        "versionInfo": __version__,
        "hasTopConcept": [f"{about.base}{facet}.{c.id}" for c in concepts if not c.broader],
    }


def _concept(facet: str, concept: Concept) -> dict[str, Any]:
    scheme = publication_settings().base + facet
    names = {lang: labels.split(", ") for lang, labels in concept.labels.items()}
    facts = {
        "id": f"{scheme}.{concept.id}",
        "type": "skos:Concept",
        "inScheme": scheme,
        "topConceptOf": "" if concept.broader else scheme,
        "broader": f"{scheme}.{concept.broader}" if concept.broader else "",
        "notation": concept.id,
        "prefLabel": {lang: preferred for lang, (preferred, *_) in names.items()},
        "altLabel": {lang: others for lang, (_, *others) in names.items() if others},
        "scopeNote": {"en": concept.scope} if concept.scope else {},
    }
    return {key: value for key, value in facts.items() if value}
