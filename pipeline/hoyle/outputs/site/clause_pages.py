"""The permanent page of each clause, and the files beside it: plain text, JSON and TEI."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from lxml import etree

from hoyle.document import Block, Clause
from hoyle.document.citation import Citation, make_citation
from hoyle.outputs.site.document import Edition, TagView
from hoyle.outputs.site.interface import word
from hoyle.outputs.site.text import DOUBTFUL, visible
from hoyle.outputs.site.units import Units, UnitView


@dataclass(frozen=True, slots=True)
class Change:
    """A changed word in the table of a clause's page."""

    raw: str
    corrected: str
    modern: str
    kinds: list[str]
    by: list[tuple[int, str]]
    confidence: float
    doubtful: bool


def write_clauses(edition: Edition, tei_file: Path) -> None:
    """Write the page and the files of each clause.

    Args:
        edition: the document.
        tei_file: its TEI; it need not exist.
    """
    clauses = edition.document.clauses
    tei: set[str] = set()
    if tei_file.is_file():
        for name, xml in as_tei(tei_file, frozenset(edition.files)):
            edition.pages.text(f"doc/{edition.folder}/{edition.files[name]}.xml", xml)
            tei.add(name)
    views = {v.id: v for v in Units(edition, inside=False) if v.kind == "clause"}
    children: dict[str, list[Clause]] = {}
    for clause in clauses:
        if above := views[clause.id].above:
            children.setdefault(above[-1], []).append(clause)
    for index, clause in enumerate(clauses):
        near = [clauses[i] if 0 <= i < len(clauses) else None for i in (index - 1, index + 1)]
        _clause_page(
            edition, views[clause.id], clause, near, children.get(clause.id, []), xml=clause.id in tei
        )


def _clause_page(
    edition: Edition,
    view: UnitView,
    clause: Clause,
    near: list[Clause | None],
    children: list[Clause],
    *,
    xml: bool,
) -> None:
    document, pages = edition.document, edition.pages
    stem = f"doc/{edition.folder}/{edition.files[clause.id]}"
    cite = make_citation(document, clause, f"{stem}.html")
    before, after = ({"href": edition.href(c.id), "n": c.n} if c else None for c in near)
    pages.page(
        f"{stem}.html",
        "clause.html",
        meta=document.meta,
        dlang=document.lang,
        mlang=edition.modern or document.lang,
        clause=clause,
        view=view,
        before=before,
        after=after,
        place=edition.place(clause.id),
        above=list(_above(edition, view)),
        children=[{"href": edition.href(c.id), "n": c.n, "text": edition.preview(c.id)} for c in children],
        columns=_columns(edition, clause),
        strips=edition.scans.strips(clause.spans),
        scans=edition.scans.listed(clause.spans),
        changes=list(_changes(edition, clause)),
        refs=edition.refs.get(clause.id, []),
        refs_in=edition.refs_in.get(clause.id, []),
        conditions=edition.conditions_of.get(clause.id, []),
        details={tag.css: _details(edition, tag) for tag in view.tags},
        facts=list(_facts(edition, clause)),
        citation=cite,
        files=[f"{edition.files[clause.id]}.{kind}" for kind in ("txt", "json", *(["xml"] if xml else []))],
    )
    pages.text(f"{stem}.txt", as_text(edition, clause, cite))
    pages.text(f"{stem}.json", as_json(edition, clause))


def _columns(edition: Edition, clause: Clause) -> list[dict[str, str]]:
    t, lang = edition.pages.t, edition.document.lang
    raw = visible(edition.reading(clause, "raw"))
    return [
        {"name": t["layer_raw"], "css": "raw", "lang": lang, "text": raw},
        {
            "name": t["layer_corrected"],
            "css": "corrected",
            "lang": lang,
            "text": visible(edition.plain(clause, "corrected")),
        },
        {
            "name": t["layer_modern"],
            "css": "modern",
            "lang": edition.modern or lang,
            "text": visible(edition.plain(clause, "modern")),
        },
    ]


def _changes(edition: Edition, clause: Clause) -> Iterator[Change]:
    for atom in (a for part in edition.parts(clause) for a in part if a.changed):
        kinds = dict.fromkeys(edition.pages.t[f"kind_{e.kind}"] for e in atom.edits)
        by = dict.fromkeys((edition.rule(e.why.by), e.why.by) for e in atom.edits)
        raw, corrected, modern = (visible(x) for x in (atom.raw, atom.corrected, atom.modern))
        sure = atom.confidence
        yield Change(raw, corrected, modern, list(kinds), list(by), sure, sure < DOUBTFUL)


def _details(edition: Edition, tag: TagView) -> list[list[str]]:
    """What a tag says besides its concept: each detail as the words it is made of."""
    t = edition.pages.t
    found = [[t[f"part_{tag.part}"]]] if f"part_{tag.part}" in t else []
    for key, actor in (("against", tag.against), ("exacted_by", tag.exacted_by)):
        if actor:
            found.append([t[key], edition.pages.label("actor", actor)])
    return [*found, [tag.amount]] if tag.amount else found


def _facts(edition: Edition, clause: Clause) -> Iterator[tuple[str, str]]:
    t = edition.pages.t
    places = ", ".join(f"{s.start}–{s.end}" for s in clause.spans)
    yield t["number"], clause.n
    yield t["label_in_scan"], visible(clause.label) or t["none"]
    if clause.scheme:
        yield t["scheme"], word(t, "scheme", clause.scheme)
    yield t["by_rule"], f"{clause.why.by}, {clause.why.confidence:.0%}"
    yield t["characters"], f"{edition.document.source.name} {places}"
    for flag in clause.flags:
        yield t["flags"], word(t, "flag", flag)


def _above(edition: Edition, view: UnitView) -> Iterator[dict[str, str]]:
    """The heading and the clauses a clause stands under, as links."""
    heading = edition.units.get(view.heading)
    if isinstance(heading, Block) and heading.spans:
        yield {"href": edition.href(heading.id), "text": edition.preview(heading.id, 60)}
    for name in view.above:
        yield {"href": edition.href(name), "text": edition.units[name].n}


LAYERS = ("raw", "corrected", "modern")
_ID = "{http://www.w3.org/XML/1998/namespace}id"


def as_text(edition: Edition, clause: Clause, cite: Citation) -> str:
    """Return a clause as plain text: its layers, as far as they differ, under its citation.

    Args:
        edition: the document.
        clause: the clause.
        cite: its citation.
    """
    out = [cite.chicago]
    for layer, name in (("corrected", "corrected"), ("modern", "modern"), ("raw", "as scanned")):
        text = edition.plain(clause, layer)
        if layer == "corrected" or text != edition.plain(clause, "corrected"):
            out.append(f"[{name}]\n{text}")
    return "\n\n".join(out) + "\n"


def as_json(edition: Edition, clause: Clause) -> str:
    """Return a clause as JSON with all that is stated of it; spans are characters of the source.

    Args:
        edition: the document.
        clause: the clause.
    """
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
    """Iterate over the elements of a TEI file that stand for clauses.

    Args:
        path: a TEI file that Hoyle wrote.
        ids: ids of the clauses.

    Yields:
        The id of a clause and its element as XML.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    for element in etree.parse(path, parser).iter("{*}div"):
        if (name := element.get(_ID)) in ids:
            yield str(name), etree.tostring(element, encoding="unicode", with_tail=False) + "\n"
