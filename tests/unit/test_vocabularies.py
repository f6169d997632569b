from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
import rdflib
from rdflib.compare import isomorphic
from rdflib.namespace import RDF, SKOS

from hoyle import facets as registry
from hoyle.document import publication as settings
from hoyle.document.publication import publication_settings
from hoyle.errors import TableError
from hoyle.facets import facets
from hoyle.outputs.vocabularies import Vocabularies, json_ld, turtle
from hoyle.tables import Concept
from hoyle.tei.names import concept_id

# rdflib reads JSON-LD with a class of its own that it has deprecated.
pytestmark = pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")


@pytest.fixture(scope="module")
def graph():
    return rdflib.Graph().parse(data=turtle(), format="turtle")


def concept(facet, value):
    return rdflib.URIRef(f"{publication_settings().base}{facet}.{value}")


def test_turtle_and_json_ld_say_the_same(graph):
    assert isomorphic(graph, rdflib.Graph().parse(data=json_ld(), format="json-ld"))


def test_every_row_is_a_concept_with_its_labels(graph):
    expected = 0
    for facet, entry in facets().items():
        for row in entry.concepts.values():
            expected += 1
            node = concept(facet, row.id)
            assert (node, RDF.type, SKOS.Concept) in graph
            assert {label.language for label in graph.objects(node, SKOS.prefLabel)} == set(row.labels)
            for lang, label in row.labels.items():
                said = [*graph.objects(node, SKOS.prefLabel), *graph.objects(node, SKOS.altLabel)]
                assert {str(s) for s in said if s.language == lang} == set(label.split(", ")), row.where
            broader = [concept(facet, row.broader)] if row.broader else []
            assert list(graph.objects(node, SKOS.broader)) == broader
    assert len(list(graph.subjects(RDF.type, SKOS.Concept))) == expected


def test_integrity_of_skos(graph):
    """S9, S13, S14 and S27 of the SKOS Reference, and one preferred label a scheme and language."""
    for scheme in graph.subjects(RDF.type, SKOS.ConceptScheme):
        members = list(graph.subjects(SKOS.inScheme, scheme))
        assert members
        assert (scheme, RDF.type, SKOS.Concept) not in graph
        labels = [label for node in members for label in graph.objects(node, SKOS.prefLabel)]
        assert len(labels) == len(set(labels)), scheme
        for node in members:
            preferred = set(graph.objects(node, SKOS.prefLabel))
            assert not preferred & set(graph.objects(node, SKOS.altLabel)), node
            above = set(graph.transitive_objects(node, SKOS.broader)) - {node}
            tops = [a for a in (node, *above) if (a, SKOS.topConceptOf, scheme) in graph]
            assert len(tops) == 1, node
            assert (scheme, SKOS.hasTopConcept, tops[0]) in graph


def test_concepts_have_the_names_of_the_tei_taxonomies(graph):
    assert (concept("penalty", "fine"), RDF.type, SKOS.Concept) in graph
    assert str(concept("penalty", "fine")).endswith("#" + concept_id("penalty", "fine"))


def test_facets_that_share_an_id_are_told_apart_by_scope_notes(graph):
    for facet, value in (("penalty", "labet"), ("game", "bete"), ("game", "whist")):
        assert list(graph.objects(concept(facet, value), SKOS.scopeNote)), (facet, value)


def test_a_search_in_any_language_finds_the_dealer(graph):
    query = """
        PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
        SELECT ?c WHERE { ?c skos:prefLabel|skos:altLabel ?label FILTER(?label = %s) }"""
    for label in ('"dealer"@en', '"donneur"@fr', '"сдатчик"@ru', '"сдатчикъ"@ru-petr1708'):
        assert [row.c for row in graph.query(query % label)] == [concept("actor", "dealer")]


HOSTILE = 'a "quote" \\ back\nline \t tab \x01 <x> \u2028 🂡 @en .'


def test_hostile_labels_come_through(monkeypatch):
    odd = Concept("odd", "", {"en": HOSTILE, "fr": "x", "ru": "y", "ru-petr1708": "z"}, "t:1", HOSTILE)
    monkeypatch.setattr(registry, "vocabulary", lambda _: {"odd": odd})
    graph = rdflib.Graph().parse(data=turtle(), format="turtle")
    assert isomorphic(graph, rdflib.Graph().parse(data=json_ld(), format="json-ld"))
    notes = {str(note) for note in graph.objects(None, SKOS.scopeNote)}
    assert notes == {HOSTILE}


def test_both_files_are_written_and_the_same_twice(tmp_path):
    for name in "ab":
        output = Vocabularies(tmp_path / name)
        output.close()
    files = {p.name: p.read_bytes() for p in (tmp_path / "a" / "vocabularies").iterdir()}
    assert set(files) == {"hoyle.ttl", "hoyle.jsonld"}
    assert files == {p.name: p.read_bytes() for p in (tmp_path / "b" / "vocabularies").iterdir()}
    as_json = json.loads(files["hoyle.jsonld"])
    dealer = next(n for n in as_json["@graph"] if n["id"].endswith("#actor.dealer"))
    assert dealer["prefLabel"]["fr"] == "donneur"
    assert dealer["altLabel"]["ru"] == ["сдатчик"]


def test_the_order_does_not_depend_on_hashes():
    code = "import sys; from hoyle.outputs.vocabularies import turtle; sys.stdout.write(turtle())"
    made = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert made[0] == made[1]
    assert made[0].startswith(b"@prefix dct:")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"published": "yesterday"}, "published must be a day such as 2026-01-31, not 'yesterday'"),
        (
            {"vocabulary": {}},
            r"\[vocabulary\] base must be a non-empty string, not None|\[vocabulary\] title",
        ),
        ({"name": 3}, "name must be a non-empty string, not 3"),
    ],
)
def test_a_broken_setting_is_named(monkeypatch, change, message):
    whole = settings.read_toml(settings.data_file("schemas", "publication.toml"))
    monkeypatch.setattr(settings, "read_toml", lambda _: {**whole, **change})
    publication_settings.cache_clear()
    with pytest.raises(TableError, match=message):
        publication_settings()
    publication_settings.cache_clear()
