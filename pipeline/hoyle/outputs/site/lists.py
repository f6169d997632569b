"""Lists of passages: the pages of a concept, as CSV too, and the concordance.

A list is parted by a second facet. The concordance shows what different books say of the same concept
side by side, for the facets that the registry compares documents by.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice

from markupsafe import Markup, escape

from hoyle.facets import facets
from hoyle.outputs.csv_cells import csv_rows
from hoyle.outputs.site.pages import Pages, address, file_name
from hoyle.outputs.site.store import Passage, TemporaryStore
from hoyle.outputs.site.text import visible

PER_PAGE = 200
"""Passages on one page of a list: some 150 KB of HTML."""
PREVIEW = 260
"""Characters of a passage shown in a list."""


def part_addresses(stem: str, facet: str, parts: Iterable[tuple[str, int]]) -> Mapping[str, str]:
    """Return the address of each part of a list, relative to the folder of the list.

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
    """Return the file name of a page of a list.

    Args:
        stem: file name of the list without its ending.
        number: of the page, from 0.
    """
    return f"{stem}~p{number + 1}.html" if number else f"{stem}.html"


def anchor(facet: str, value: str) -> str:
    """Return the anchor of a part on the page of a list.

    Args:
        facet: the facet that parts the list.
        value: the concept of the part; empty for passages without one.
    """
    return f"{facet}-{file_name(value or 'none')}"


def write_list(
    store: TemporaryStore, pages: Pages, folder: str, stem: str, query: tuple[str, str, str], **values: object
) -> None:
    """Write all pages of a list, and the list as CSV.

    Args:
        store: the rows of all documents.
        pages: where to.
        folder: of the list, relative to the site.
        stem: file name without its ending.
        query: facet and concept, and the facet that parts the list (may be empty).
        values: what the template shows besides.
    """
    facet, value, by = query
    parts = store.parts(facet, value, by)
    total = sum(count for _, count in parts)
    places = part_addresses(stem, by, parts)
    numbers = range(-(-total // PER_PAGE))
    hits = store.passages(facet, value, by)
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
    pages.text(f"{folder}/{stem}.csv", rows(_cells(store, facet, value)))


def _groups(hits: Iterable[Passage], pages: Pages, by: str) -> Iterator[dict[str, object]]:
    for value, found in groupby(hits, key=lambda h: h.group):
        yield {"id": anchor(by, value), "name": _name(pages, by, value), "documents": list(_documents(found))}


def _name(pages: Pages, by: str, value: str) -> str:
    """What a part of a list is called."""
    if value:
        return pages.label(by, value)
    return pages.t[f"no_{by}" if by else "documents"]


def _documents(hits: Iterable[Passage]) -> Iterator[dict[str, object]]:
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
            "href": document_href(first),
            "hits": shown,
        }


def document_href(hit: Passage) -> str:
    """The address of the document page that a passage belongs to, relative to the site."""
    return hit.href.split("#")[0].rsplit("/", 1)[0] + "/index.html"


def shorten(text: str, length: int = PREVIEW) -> str:
    """Return the first words of a text.

    Args:
        text: the text.
        length: characters at most.
    """
    return text if len(text) <= length else text[:length].rsplit(" ", 1)[0] + " …"


def _cells(store: TemporaryStore, facet: str, value: str) -> Iterator[Iterable[str]]:
    yield "document", "title", "date", "game", "unit", "number", "words", "confidence", "text"
    for h in store.passages(facet, value):
        games = "; ".join(game for game, _ in store.tags_of(h.unit, "game"))
        folder = h.href.split("/")[1]
        yield folder, h.title, h.date, games, h.id, h.n, h.words, f"{h.confidence:.2f}", h.text


def rows(table: Iterable[Iterable[str]]) -> Iterator[str]:
    """A table for spreadsheets: CSV, UTF-8 with a byte-order mark."""
    yield "\ufeff"
    yield from csv_rows(table)


BOOKS = 24
"""Books on one page."""
PASSAGES = 8
"""Passages of one book on a page; the list of the concept has the others."""
EXCERPT = 900
"""Characters of a passage."""


def write_concordance(store: TemporaryStore, pages: Pages) -> None:
    """Write a page for each concept that two documents or more speak of, and their index.

    Args:
        store: the rows of all documents.
        pages: the site.
    """
    kinds = []
    for facet in (id_ for id_, entry in facets().items() if entry.concordance):
        shared = [(value, units, books) for value, units, books in store.values(facet) if books > 1]
        shared.sort(key=lambda rule: (-rule[2], -rule[1], rule[0]))
        entries = [
            {
                "label": pages.label(facet, value),
                "href": address(f"{_stem(facet, value)}.html"),
                "books": books,
                "count": units,
            }
            for value, units, books in shared
        ]
        kinds.append({"facet": facet, "entries": entries})
        for value, _, books in shared:
            _comparison(store, pages, facet, value, books)
    pages.page("concordance/index.html", "concordance.html", kinds=kinds)


def _stem(facet: str, value: str) -> str:
    return f"{facet}-{file_name(value)}"


def _comparison(store: TemporaryStore, pages: Pages, facet: str, value: str, books: int) -> None:
    stem = _stem(facet, value)
    found = groupby(store.passages(facet, value), key=lambda h: h.document)
    starts = range(0, books, BOOKS)
    names = [f"{stem}.html", *(f"{stem}~p{n}.html" for n in range(2, len(starts) + 1))]
    pager = [
        {"href": address(name), "first": at + 1, "last": min(books, at + BOOKS)}
        for name, at in zip(names, starts, strict=True)
    ]
    for number, name in enumerate(names):
        columns = [_book(store, pages, facet, list(hits)) for _, hits in islice(found, BOOKS)]
        pages.page(
            f"concordance/{name}",
            "rule.html",
            facet=facet,
            other=facets()[facet].concordance,
            name=pages.label(facet, value),
            columns=columns,
            books=books,
            list=address("by", facet, file_name(value) + ".html"),
            pager=[{**p, "here": n == number} for n, p in enumerate(pager)] if len(pager) > 1 else [],
        )


def _book(store: TemporaryStore, pages: Pages, facet: str, hits: Sequence[Passage]) -> dict[str, object]:
    first = hits[0]
    games = dict.fromkeys(game for h in hits for game, _ in store.tags_of(h.unit, "game"))
    return {
        "title": first.title,
        "lang": first.lang,
        "date": first.date,
        "href": document_href(first),
        "games": [pages.label("game", game) for game in games],
        "hits": list(_passages(store, pages, facet, hits[:PASSAGES])),
        "more": max(0, len(hits) - PASSAGES),
    }


def _passages(
    store: TemporaryStore, pages: Pages, facet: str, hits: Iterable[Passage]
) -> Iterator[dict[str, object]]:
    other = facets()[facet].concordance
    for hit in hits:
        tags = store.tags_of(hit.unit, other)
        chips = [
            {"label": pages.label(other, value), "href": address("by", other, file_name(value) + ".html")}
            for value, _ in tags
        ]
        yield {
            "href": hit.href,
            "n": hit.n,
            "text": marked(shorten(hit.text, EXCERPT), hit.words),
            "tags": chips,
        }


def marked(text: str, words: str) -> Markup:
    """Return the HTML of a text with the words that show a concept in ``mark``.

    Args:
        text: the text.
        words: these words, parted by ``; `` or `` … ``.
    """
    wanted = [" ".join(part.split()) for part in re.split(r"; | … ", words) if part.strip()]
    if not wanted:
        return escape(visible(text))
    longest = sorted(map(visible, wanted), key=lambda w: (-len(w), w))
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")
    html, at = Markup(), 0
    text = visible(text)
    for hit in pattern.finditer(text):
        html += escape(text[at : hit.start()]) + Markup("<mark>{}</mark>").format(hit[0])
        at = hit.end()
    return html + escape(text[at:])
