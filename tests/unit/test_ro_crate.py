from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import replace
from urllib.parse import unquote

import pytest

from hoyle.document.publication import publication_settings
from hoyle.outputs.ro_crate import LATER, NAME, Crate, kinds
from support.gold import SEEDS, document


@pytest.fixture(scope="module")
def built(corpus_build):
    return corpus_build / "build"


@pytest.fixture(scope="module")
def graph(built):
    crate = json.loads((built / NAME).read_text(encoding="utf-8"))
    assert crate["@context"] == "https://w3id.org/ro/crate/1.2/context"
    ids = Counter(entity["@id"] for entity in crate["@graph"])
    assert [i for i, n in ids.items() if n > 1] == []
    return {entity["@id"]: entity for entity in crate["@graph"]}


def references(value):
    """Every {"@id": …} below an entity."""
    if isinstance(value, dict):
        if set(value) == {"@id"}:
            yield value["@id"]
        for inner in value.values():
            yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


def test_the_root_has_what_the_specification_demands(graph):
    assert graph[NAME]["about"] == {"@id": "./"}
    assert graph[NAME]["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.2"}
    root = graph["./"]
    assert root["@type"] == "Dataset"
    assert all(root[key] for key in ("name", "description", "license", "hasPart"))
    assert root["datePublished"] == publication_settings().published


def test_every_file_is_described_once_and_in_its_folder(built, graph):
    files = {str(p.relative_to(built)) for p in built.rglob("*") if p.is_file()} - {NAME} | {LATER}
    described = {unquote(i) for i, entity in graph.items() if entity["@type"] == "File"}
    assert described == files
    assert not [p for p in built.iterdir() if p.name.startswith(".")]
    parents = Counter(part["@id"] for entity in graph.values() for part in entity.get("hasPart", ()))
    assert set(parents.values()) == {1}
    assert {unquote(i) for i in parents if not i.endswith("/")} == files


def test_every_reference_resolves(graph):
    outside = {r for entity in graph.values() for r in references(entity) if r not in graph}
    assert outside == {"https://w3id.org/ro/crate/1.2"}


def test_sums_and_sizes_are_those_of_the_files(built, graph):
    for name in ("tei/quinze.xml", "tables/hoyle.sqlite", "epub/patience.epub", "site/index.html"):
        data = (built / name).read_bytes()
        assert graph[name]["sha256"] == hashlib.sha256(data).hexdigest()
        assert graph[name]["contentSize"] == str(len(data))


def test_every_file_has_a_kind_and_every_kind_a_file(built):
    paths = [str(p.relative_to(built)) for p in built.rglob("*") if p.is_file() and p.name != NAME]
    paths += [LATER, "facsimiles/jeu/0001.webp"]
    used = Counter()
    for path in paths:
        first = next((kind.pattern.pattern for kind in kinds() if kind.pattern.fullmatch(path)), None)
        assert first, f"{path} fits no row of schemas/files.tsv"
        used[first] += 1
    spare = {"site/.*", "site/files/.*", "tables/.*"}  # for what later versions add
    assert {k.pattern.pattern for k in kinds()} - set(used) <= spare


def test_files_say_what_they_are_about(graph):
    book = graph["epub/quinze.epub"]
    assert book["encodingFormat"] == ["application/epub+zip", {"@id": "https://www.w3.org/TR/epub-33/"}]
    about = graph[book["about"]["@id"]]
    assert about["name"] == "Quinze, articles 42–63, in a French academy of games"
    assert graph[about["isBasedOn"]["@id"]]["sha256"] == document("quinze").source.sha256


def test_the_same_bytes_twice_and_odd_names(tmp_path):
    odd = replace(document("quinze"), source=replace(document("quinze").source, id='1 "%é'))
    for name in "ab":
        folder = tmp_path / name
        (folder / "tei").mkdir(parents=True)
        (folder / "tei" / '1 "%é.xml').write_bytes(b"<x/>")
        (folder / "strange.bin").write_bytes(b"\x00")
        crate = Crate(folder)
        crate.add(odd)
        crate.close()
    data = (tmp_path / "a" / NAME).read_bytes()
    assert data == (tmp_path / "b" / NAME).read_bytes()
    found = {entity["@id"]: entity for entity in json.loads(data)["@graph"]}
    file = found["tei/1%20%22%25%C3%A9.xml"]
    assert found[file["about"]["@id"]]["@type"] == "CreativeWork"
    assert found["strange.bin"]["encodingFormat"] == "application/octet-stream"


def test_the_documentation_names_every_part_of_a_build(built):
    text = (SEEDS.parent / "docs" / "formats.md").read_text(encoding="utf-8")
    for path in built.iterdir():
        assert f"`{path.name}" in text, path.name
