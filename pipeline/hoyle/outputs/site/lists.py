"""Lists of passages: the pages of a concept, parted by a second facet, and the same as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, islice

from hoyle.outputs.csv_cells import csv_rows
from hoyle.outputs.site.pages import Pages, address, file_name
from hoyle.outputs.site.store import Hit, Spool

PER_PAGE = 200
"""Passages on one page of a list: some 150 KB of HTML."""
PREVIEW = 260
"""Characters of a passage shown in a list."""


def place(stem: str, facet: str, parts: Iterable[tuple[str, int]]) -> Mapping[str, str]:
    """Where each part of a list begins: part → address, relative to the folder of the list.

    Args:
        stem: file name of the list without its ending.
        facet: the facet the list is parted by.
        parts: values of it in order, with the number of passages in each.
    """
    found: dict[str, str] = {}
    at = 0
    for value, count in parts:
        found[value] = f"{address(page_name(stem, at // PER_PAGE))}#{anchor(facet, value)}"
        at += count
    return found


def page_name(stem: str, number: int) -> str:
    """The file of a page of a list, counted from 0."""
    return f"{stem}~p{number + 1}.html" if number else f"{stem}.html"


def anchor(facet: str, value: str) -> str:
    """The place of a part on the page of a list."""
    return f"{facet}-{file_name(value or 'none')}"


def write(
    spool: Spool, pages: Pages, folder: str, stem: str, query: tuple[str, str, str], **values: object
) -> None:
    """Write all pages of a list, and the list as CSV.

    Args:
        spool: all documents.
        pages: where to.
        folder: of the list, relative to the site.
        stem: file name without its ending.
        query: facet and concept, and the facet that parts the list (may be empty).
        values: what the template shows besides.
    """
    facet, value, by = query
    parts = spool.parts(facet, value, by)
    total = sum(count for _, count in parts)
    places = place(stem, by, parts)
    numbers = range(-(-total // PER_PAGE))
    hits = spool.hits(facet, value, by)
    for number in numbers:
        chunk = islice(hits, PER_PAGE)
        pager = [
            {
                "href": address(page_name(stem, n)),
                "first": n * PER_PAGE + 1,
                "last": min(total, (n + 1) * PER_PAGE),
                "here": n == number,
            }
            for n in numbers
        ]
        pages.page(
            f"{folder}/{page_name(stem, number)}",
            "value.html",
            facet=facet,
            by=by,
            filter=f"f-{facet}-{file_name(value)}",
            csv=f"{stem}.csv",
            pager=pager if len(pager) > 1 else [],
            parts=[
                {"href": places[part], "name": _name(pages, by, part), "count": count}
                for part, count in parts
            ],
            groups=_groups(chunk, pages, by),
            **values,
        )
    pages.text(f"{folder}/{stem}.csv", rows(_cells(spool, facet, value)))


def _groups(hits: Iterable[Hit], pages: Pages, by: str) -> Iterator[dict[str, object]]:
    for value, found in groupby(hits, key=lambda h: h.group):
        yield {"id": anchor(by, value), "name": _name(pages, by, value), "documents": list(_documents(found))}


def _name(pages: Pages, by: str, value: str) -> str:
    """What a part of a list is called."""
    if value:
        return pages.label(by, value)
    return pages.t[f"no_{by}" if by else "documents"]


def _documents(hits: Iterable[Hit]) -> Iterator[dict[str, object]]:
    for _, group in groupby(hits, key=lambda h: h.document):
        found = list(group)
        first = found[0]
        shown = [
            {"href": h.href, "n": h.n, "shown": shorten(h.text), "confidence": h.confidence} for h in found
        ]
        yield {
            "title": first.title,
            "lang": first.lang,
            "date": first.date,
            "href": home(first),
            "hits": shown,
        }


def home(hit: Hit) -> str:
    """The address of the document page that a hit belongs to, relative to the site."""
    return hit.href.split("#")[0].rsplit("/", 1)[0] + "/index.html"


def shorten(text: str, length: int = PREVIEW) -> str:
    """The first words of a text."""
    return text if len(text) <= length else text[:length].rsplit(" ", 1)[0] + " …"


def _cells(spool: Spool, facet: str, value: str) -> Iterator[Iterable[str]]:
    yield "document", "title", "date", "game", "unit", "number", "words", "confidence", "text"
    for h in spool.hits(facet, value):
        games = "; ".join(game for game, _ in spool.tags_of(h.unit, "game"))
        folder = h.href.split("/")[1]
        yield folder, h.title, h.date, games, h.id, h.n, h.words, f"{h.confidence:.2f}", h.text


def rows(table: Iterable[Iterable[str]]) -> Iterator[str]:
    """A table for spreadsheets: CSV, UTF-8 with a byte-order mark."""
    yield "\ufeff"
    yield from csv_rows(table)
