"""The pages that belong to all documents together: home, indexes by facet, matrices, timeline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hoyle.document.dates import Years, years
from hoyle.facets import Matrix, concept, facets, matrices
from hoyle.outputs.site.lists import part_addresses, rows, write_list
from hoyle.outputs.site.pages import Pages, address, file_name, language_name
from hoyle.outputs.site.store import DocumentRow, TemporaryStore
from hoyle.tables import Concept

FIRST = 8
"""Values of a facet named on the home page."""

Counts = Mapping[str, Mapping[str, int]]


@dataclass(slots=True)
class Node:
    """A concept in the tree of an index page."""

    value: str
    label: str
    href: str
    count: int
    children: list[Node] = field(default_factory=list)


def tree(facet: str, counts: Mapping[str, int], pages: Pages) -> list[Node]:
    """Return the concepts of a facet that occur, under their broader ones, in the order of the vocabulary.

    Args:
        facet: id of the facet.
        counts: number of units by concept.
        pages: the site.
    """
    concepts = facets()[facet].concepts
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


def write_indexes(store: TemporaryStore, pages: Pages) -> None:
    """Write home page, indexes, matrices and search page of all documents.

    Args:
        store: the rows of all documents.
        pages: the site.
    """
    counts = {facet: {value: units for value, units, _ in store.values(facet)} for facet in facets()}
    for facet, entry in facets().items():
        pages.page(
            f"by/{facet}/index.html",
            "facet.html",
            facet=facet,
            tree=tree(facet, counts[facet], pages),
            matrices=_matrices_of(facet),
            compared=bool(entry.concordance),
        )
        for value, count in counts[facet].items():
            _value(store, pages, facet, value, count, counts[facet])
    for matrix in matrices():
        _matrix(store, pages, matrix, counts)
    indexes = [_summary(facet, counts[facet], pages) for facet in facets()]
    pages.page(
        "index.html",
        "home.html",
        documents=(document_view(d, pages) for d in store.documents()),
        indexes=indexes,
        totals=store.totals(),
        matrices=[matrix.id for matrix in matrices()],
    )
    pages.page("search.html", "search.html")


def _matrices_of(facet: str) -> list[str]:
    return [matrix.id for matrix in matrices() if facet in (matrix.down, matrix.across)]


def document_view(row: DocumentRow, pages: Pages) -> dict[str, object]:
    """Return a document for the tables of the templates.

    Args:
        row: the document.
        pages: the site.
    """
    values: dict[str, object] = {name: getattr(row, name) for name in DocumentRow.__slots__}
    return {**values, "files": _files(row), "language": language_name(pages, row.lang)}


def _files(row: DocumentRow) -> list[dict[str, str]]:
    return [{"href": href, "kind": href.rpartition(".")[2]} for href in row.files.split("\n") if href]


def _summary(facet: str, counts: Mapping[str, int], pages: Pages) -> dict[str, object]:
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


def _value(
    store: TemporaryStore, pages: Pages, facet: str, value: str, count: int, counts: Mapping[str, int]
) -> None:
    found = concept(facet, value)
    broader = [found.broader] if found and found.broader else []
    narrower = [c.id for c in facets()[facet].concepts.values() if c.broader == value and c.id in counts]
    write_list(
        store,
        pages,
        f"by/{facet}",
        file_name(value),
        (facet, value, facets()[facet].parted_by),
        name=pages.label(facet, value),
        labels=_labels(found),
        broader=[_link(pages, facet, v, known=v in counts) for v in broader],
        narrower=[_link(pages, facet, v, known=True) for v in narrower],
        count=count,
        tables=_matrices_of(facet),
        within=pages.t[f"by_{facet}"],
        up="index.html",
    )


def _labels(found: Concept | None) -> list[tuple[str, str]]:
    """What a concept is called in each language; once if two orthographies write it alike."""
    texts: dict[str, str] = {}
    for tag, text in found.labels.items() if found else ():
        texts.setdefault(text, tag)
    return [(tag, text) for text, tag in texts.items()]


def _link(pages: Pages, facet: str, value: str, *, known: bool) -> dict[str, str]:
    return {"label": pages.label(facet, value), "href": _page(value) if known else ""}


def _matrix(store: TemporaryStore, pages: Pages, matrix: Matrix, counts: Counts) -> None:
    """A table of counts; each leads to its passages, in the list of the concept at the left.

    If the lists of the facet are parted by another facet, lists of their own are written.
    """
    down, across = matrix.down, matrix.across
    cells = {(row, column): count for row, column, count in store.matrix(down, across)}
    columns = _ordered(across, {c for _, c in cells}, counts[across])
    lines_of = _ordered(down, {r for r, _ in cells}, counts[down])
    own = facets()[down].parted_by != across
    folder = matrix.id if own else down
    lines = []
    for row in lines_of:
        places = part_addresses(file_name(row), across, store.parts(down, row, across))
        if own:
            _pair(store, pages, folder, (down, row, across))
        lines.append(
            {
                "href": f"{down}/{_page(row)}",
                "label": pages.label(down, row),
                "cells": [
                    {
                        "count": cells[row, column],
                        "href": f"{folder}/{places[column]}",
                        "label": pages.label(across, column),
                    }
                    if (row, column) in cells
                    else None
                    for column in columns
                ],
            }
        )
    heads = [{"href": f"{across}/{_page(c)}", "label": pages.label(across, c)} for c in columns]
    title, stem = pages.t[f"matrix_{down}_{across}"], f"by/{matrix.id}"
    pages.page(f"{stem}.html", "matrix.html", title=title, columns=heads, rows=lines, csv=f"{matrix.id}.csv")
    table = [["", *(pages.label(across, c) for c in columns)]]
    table += [[pages.label(down, r), *(str(cells.get((r, c), "")) for c in columns)] for r in lines_of]
    pages.text(f"{stem}.csv", rows(table))


def _pair(store: TemporaryStore, pages: Pages, folder: str, query: tuple[str, str, str]) -> None:
    """The list of a concept parted by another facet than the one of ``by/<facet>/``."""
    down, row, across = query
    write_list(
        store,
        pages,
        f"by/{folder}",
        file_name(row),
        query,
        name=pages.label(down, row),
        labels=[],
        broader=[],
        narrower=[],
        count=sum(count for _, count in store.parts(*query)),
        tables=[],
        within=pages.t[f"matrix_{down}_{across}"],
        up=f"../{folder}.html",
    )


def _ordered(facet: str, values: set[str], counts: Mapping[str, int]) -> Sequence[str]:
    """Values in the order of the vocabulary, unknown ones last."""
    known = list(facets()[facet].concepts)
    return sorted(
        (v for v in values if v in counts),
        key=lambda v: (known.index(v) if v in known else len(known), v),
    )


STEP = 10
"""Years the scale is rounded to at both ends."""


def write_timeline(store: TemporaryStore, pages: Pages) -> None:
    """Write the timeline: all documents by date, as a page and as CSV.

    Args:
        store: the rows of all documents.
        pages: the site.
    """
    dated = sorted(((years(row.date) or Years(9999, 9999)), row.ord, row) for row in store.documents())
    known = [span for span, _, row in dated if years(row.date)]
    first = min((s.first for s in known), default=0) // STEP * STEP
    last = -(-max((s.last + 1 for s in known), default=STEP) // STEP) * STEP
    documents = [row for *_, row in dated]
    pages.page(
        "dates.html",
        "dates.html",
        documents=_dated(documents, pages),
        first=first,
        width=last - first,
        last=last,
    )
    pages.text("dates.csv", rows(_cells(documents)))


def _dated(documents: Iterable[DocumentRow], pages: Pages) -> Iterator[dict[str, object]]:
    for row in documents:
        yield {**document_view(row, pages), "years": years(row.date)}


def _cells(documents: Iterable[DocumentRow]) -> Iterator[Iterable[str]]:
    yield "document", "title", "author", "date", "first_year", "last_year", "lang", "clauses"
    for row in documents:
        span = years(row.date)
        first, last = (str(span.first), str(span.last)) if span else ("", "")
        yield row.id, row.title, row.author, row.date, first, last, row.lang, str(row.clauses)
