"""The files beside a clause's page: the same clause as plain text, JSON and TEI."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from lxml import etree

from hoyle.document import Clause
from hoyle.outputs.site.cite import Citation
from hoyle.outputs.site.document import Edition

LAYERS = ("raw", "corrected", "modern")
_ID = "{http://www.w3.org/XML/1998/namespace}id"


def as_text(edition: Edition, clause: Clause, cite: Citation) -> str:
    """A clause in its three layers (those that differ) under its citation."""
    out = [cite.chicago]
    for layer, name in (("corrected", "corrected"), ("modern", "modern"), ("raw", "as scanned")):
        text = edition.plain(clause, layer)
        if layer == "corrected" or text != edition.plain(clause, "corrected"):
            out.append(f"[{name}]\n{text}")
    return "\n\n".join(out) + "\n"


def as_json(edition: Edition, clause: Clause) -> str:
    """A clause with everything that is said of it; spans are characters of the source."""
    document = edition.document
    made = [e for part in edition.parts(clause) for a in part for e in a.edits]
    value = {
        "doc": document.id,
        "clause": clause.id,
        "number": clause.n,
        "series": clause.series,
        "label_raw": clause.label,
        "lang": document.lang,
        "sha256": document.source.sha256,
        "spans": clause.spans,
        **{layer: edition.plain(clause, layer) for layer in LAYERS},
        "incomplete": clause.incomplete,
        "why": asdict(clause.why),
        "edits": [asdict(e) for e in made],
        "tags": [asdict(t) for t in edition.tags_of.get(clause.id, ())],
        "conditions": [asdict(c) for c in edition.conditions_of.get(clause.id, ())],
        "references": [asdict(r) for r in edition.refs_of.get(clause.id, ())],
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def as_tei(path: Path, ids: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The elements of a TEI file (one of ours) that stand for the clauses ``ids``, by id."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    for element in etree.parse(path, parser).iter("{*}div"):
        if (name := element.get(_ID)) in ids:
            yield str(name), etree.tostring(element, encoding="unicode", with_tail=False) + "\n"
