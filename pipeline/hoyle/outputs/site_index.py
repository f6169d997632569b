"""The pages that belong to all documents together: home, indexes by facet, matrices, about."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from hoyle.outputs.site_pages import FACETS, Pages, address, concept, file_name
from hoyle.outputs.site_spool import DocumentRow, Hit, Spool
from hoyle.tables import vocabulary

PREVIEW = 260
"""Characters of a passage shown in a list."""
FIRST = 8
"""Values of a facet named on the home page."""


@dataclass(slots=True)
class Node:
    """A concept in the tree of an index page."""

    value: str
    label: str
    href: str
    count: int
    children: list[Node] = field(default_factory=list)


def tree(facet: str, counts: Mapping[str, int], pages: Pages) -> list[Node]:
    """The concepts of a facet that occur, under their broader ones, in the order of the vocabulary."""
    concepts = vocabulary(FACETS[facet])
    order = [*concepts, *sorted(set(counts) - set(concepts))]
    nodes = {
        value: Node(value, pages.label(facet, value), _page(value), counts.get(value, 0)) for value in order
    }
    roots: list[Node] = []
    for value, node in nodes.items():
        broader = concepts[value].broader if value in concepts else ""
        (nodes[broader].children if broader in nodes else roots).append(node)
    return [node for node in roots if _occurs(node)]


def _occurs(node: Node) -> bool:
    node.children = [child for child in node.children if _occurs(child)]
    return bool(node.count or node.children)


def _page(value: str) -> str:
    return address(file_name(value) + ".html")


def write(spool: Spool, pages: Pages, build: Path) -> None:
    """Write home, about and all indexes.

    Args:
        spool: all documents.
        pages: where to.
        build: the folder of the whole build, where other outputs lie.
    """
    counts = {facet: {value: units for value, units, _ in spool.values(facet)} for facet in FACETS}
    for facet in FACETS:
        pages.page(
            f"by/{facet}/index.html", "facet.html", facet=facet, tree=tree(facet, counts[facet], pages)
        )
        for value, count in counts[facet].items():
            _value(spool, pages, facet, value, count, counts[facet])
    for down in ("penalty", "offence"):
        _matrix(spool, pages, down, counts)
    totals = pages.t["totals"].format(
        **dict(zip(("documents", "clauses", "changes", "doubtful"), spool.totals(), strict=True))
    )
    ways = [_way(facet, counts[facet], pages) for facet in FACETS]
    documents = (_document(d, pages) for d in spool.documents())
    pages.page("index.html", "home.html", documents=documents, ways=ways, totals=totals)
    found = sorted(p for p in build.glob("tables/*") if p.is_file())
    downloads = [p.relative_to(build).as_posix() for p in found]
    pages.page("about.html", "about.html", totals=totals, downloads=downloads)
    pages.page("search.html", "search.html")


def language_name(pages: Pages, tag: str) -> str:
    """What the interface calls a language; its tag where it has no name for it."""
    return pages.t.get(f"lang_{tag}", tag)


def _document(row: DocumentRow, pages: Pages) -> dict[str, object]:
    values: dict[str, object] = {name: getattr(row, name) for name in DocumentRow.__slots__}
    return {**values, "language": language_name(pages, row.lang)}


def _way(facet: str, counts: Mapping[str, int], pages: Pages) -> dict[str, object]:
    most = sorted(counts, key=lambda v: (-counts[v], v))
    first = [
        {"href": address("by", facet, file_name(v) + ".html"), "label": pages.label(facet, v)}
        for v in most[:FIRST]
    ]
    return {
        "facet": facet,
        "name": pages.t[f"by_{facet}"],
        "count": len(counts),
        "first": first,
        "more": len(most) > FIRST,
    }


def _value(spool: Spool, pages: Pages, facet: str, value: str, count: int, counts: Mapping[str, int]) -> None:
    found = concept(facet, value)
    broader = [found.broader] if found and found.broader else []
    narrower = [c.id for c in vocabulary(FACETS[facet]).values() if c.broader == value and c.id in counts]
    stem = f"by/{facet}/{file_name(value)}"
    pages.page(
        f"{stem}.html",
        "value.html",
        facet=facet,
        name=pages.label(facet, value),
        labels=list(found.labels.items()) if found else [],
        broader=[_link(pages, facet, v, known=v in counts) for v in broader],
        narrower=[_link(pages, facet, v, known=True) for v in narrower],
        count=count,
        csv=f"{file_name(value)}.csv",
        groups=_groups(spool.hits(facet, value), pages, by_game=facet != "game"),
    )
    pages.text(f"{stem}.csv", _csv(spool.hits(facet, value)))


def _link(pages: Pages, facet: str, value: str, *, known: bool) -> dict[str, str]:
    return {"label": pages.label(facet, value), "href": _page(value) if known else ""}


def _groups(hits: Iterable[Hit], pages: Pages, *, by_game: bool) -> Iterator[dict[str, object]]:
    for game, found in groupby(hits, key=lambda h: h.game):
        name = pages.label("game", game) if game else pages.t["no_game"]
        yield {
            "id": anchor(game),
            "name": name if by_game else pages.t["documents"],
            "documents": list(_documents(found)),
        }


def anchor(game: str) -> str:
    """The place of a game on the page of a concept."""
    return f"game-{file_name(game or 'none')}"


def _documents(hits: Iterable[Hit]) -> Iterator[dict[str, object]]:
    for _, group in groupby(hits, key=lambda h: h.document):
        found = list(group)
        first = found[0]
        href = first.href.split("#")[0].rsplit("/", 1)[0] + "/index.html"
        shown = [
            {"href": h.href, "n": h.n, "shown": shorten(h.text), "confidence": h.confidence} for h in found
        ]
        yield {"title": first.title, "lang": first.lang, "date": first.date, "href": href, "hits": shown}


def shorten(text: str, length: int = PREVIEW) -> str:
    """The first words of a text."""
    return text if len(text) <= length else text[:length].rsplit(" ", 1)[0] + " …"


def _csv(hits: Iterable[Hit]) -> Iterator[str]:
    """A list for spreadsheets: UTF-8 with a byte-order mark, one passage a row."""
    names = ("document", "title", "date", "game", "unit", "number", "words", "confidence", "text")
    yield "\ufeff" + _row(names)
    for h in hits:
        folder = h.href.split("/")[1]
        yield _row((folder, h.title, h.date, h.game, h.id, h.n, h.words, f"{h.confidence:.2f}", h.text))


def _row(cells: Iterable[str]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out).writerow(cells)
    return out.getvalue()


def _matrix(spool: Spool, pages: Pages, down: str, counts: Mapping[str, Mapping[str, int]]) -> None:
    cells = {(row, column): count for row, column, count in spool.matrix(down, "game")}
    columns = _ordered("game", {c for _, c in cells}, counts["game"])
    rows = _ordered(down, {r for r, _ in cells}, counts[down])
    heads = [
        {"href": f"game/{_page(c)}", "label": pages.label("game", c), "anchor": anchor(c)} for c in columns
    ]
    lines = [
        {
            "href": f"{down}/{_page(row)}",
            "label": pages.label(down, row),
            "cells": [
                {"count": cells[row, column], "anchor": head["anchor"], "label": head["label"]}
                if (row, column) in cells
                else None
                for column, head in zip(columns, heads, strict=True)
            ],
        }
        for row in rows
    ]
    title = pages.t[f"matrix_{down}_game"]
    pages.page(f"by/{down}-game.html", "matrix.html", title=title, columns=heads, rows=lines)


def _ordered(facet: str, values: set[str], counts: Mapping[str, int]) -> Sequence[str]:
    """Values in the order of the vocabulary, unknown ones last."""
    known = list(vocabulary(FACETS[facet]))
    return sorted(
        (v for v in values if v in counts),
        key=lambda v: (known.index(v) if v in known else len(known), v),
    )
