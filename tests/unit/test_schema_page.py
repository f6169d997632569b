"""The page that documents the TEI schema: all of it, and as the schema is now."""

from __future__ import annotations

import runpy
from pathlib import Path

import html5lib
import pytest
from lxml import etree

from hoyle.tables import data_file

ROOT = Path(__file__).parent.parent.parent
SCHEMA = data_file("schemas", "hoyle.rng")
RNG = "{http://relaxng.org/ns/structure/1.0}"


@pytest.fixture(scope="module")
def made():
    return runpy.run_path(str(ROOT / "pipeline" / "training" / "document_schema.py"))


def test_the_page_is_as_the_schema_is_now(made):
    written = (ROOT / "docs" / "schema.html").read_text(encoding="utf-8")
    assert made["page"](SCHEMA) == written, "run make schema-docs"


def test_every_element_of_the_schema_is_documented(made):
    assert [e.title for e in made["elements"](SCHEMA) if not e.declared.text.endswith(".")] == []
    names = {node.get("name") for node in etree.parse(SCHEMA).iter(f"{RNG}element")}
    assert {e.declared.name for e in made["elements"](SCHEMA)} == names


def test_every_element_can_be_reached_from_the_root(made):
    assert [e.title for e in made["elements"](SCHEMA) if not e.parents] == ["TEI"]


def test_attributes_are_told_with_their_values(made):
    [corr] = [e for e in made["elements"](SCHEMA) if e.declared.name == "corr"]
    assert corr.declared.attributes["type"].values == "ocr | print | layout | drop"
    assert "sic" not in [c.declared.name for c in corr.children]
    assert {p.declared.name for p in corr.parents} == {"choice"}


def test_the_page_is_valid_and_its_links_lead_somewhere(made):
    page = made["page"](SCHEMA)
    parser = html5lib.HTMLParser(strict=True)
    tree = parser.parse(page)
    ids = {e.get("id") for e in tree.iter() if e.get("id")}
    links = [e.get("href") for e in tree.iter() if e.get("href")]
    assert len(ids) > 90
    assert [link for link in links if link[1:] not in ids] == []
