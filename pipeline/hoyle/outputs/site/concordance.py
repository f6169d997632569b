"""The concordance: what different books say of the same offence or penalty, side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice

from markupsafe import Markup, escape

from hoyle.facets import facets
from hoyle.outputs.site.lists import home, shorten
from hoyle.outputs.site.pages import Pages, address, file_name
from hoyle.outputs.site.store import Hit, Spool
from hoyle.outputs.site.text import visible

BOOKS = 24
"""Books on one page."""
PASSAGES = 8
"""Passages of one book on a page; the list of the concept has the others."""
LENGTH = 900
"""Characters of a passage."""


def write(spool: Spool, pages: Pages) -> None:
    """Write a page for each concept that two documents or more speak of, and their index."""
    kinds = []
    for facet in (id_ for id_, entry in facets().items() if entry.concordance):
        shared = [(value, units, books) for value, units, books in spool.values(facet) if books > 1]
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
            _rule(spool, pages, facet, value, books)
    pages.page("concordance/index.html", "concordance.html", kinds=kinds)


def _stem(facet: str, value: str) -> str:
    return f"{facet}-{file_name(value)}"


def _rule(spool: Spool, pages: Pages, facet: str, value: str, books: int) -> None:
    stem = _stem(facet, value)
    found = groupby(spool.hits(facet, value), key=lambda h: h.document)
    starts = range(0, books, BOOKS)
    names = [f"{stem}.html", *(f"{stem}~p{n}.html" for n in range(2, len(starts) + 1))]
    pager = [
        {"href": address(name), "first": at + 1, "last": min(books, at + BOOKS)}
        for name, at in zip(names, starts, strict=True)
    ]
    for number, name in enumerate(names):
        columns = [_book(spool, pages, facet, list(hits)) for _, hits in islice(found, BOOKS)]
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


def _book(spool: Spool, pages: Pages, facet: str, hits: Sequence[Hit]) -> dict[str, object]:
    first = hits[0]
    games = dict.fromkeys(game for h in hits for game, _ in spool.tags_of(h.unit, "game"))
    return {
        "title": first.title,
        "lang": first.lang,
        "date": first.date,
        "href": home(first),
        "games": [pages.label("game", game) for game in games],
        "hits": list(_passages(spool, pages, facet, hits[:PASSAGES])),
        "more": max(0, len(hits) - PASSAGES),
    }


def _passages(spool: Spool, pages: Pages, facet: str, hits: Iterable[Hit]) -> Iterator[dict[str, object]]:
    other = facets()[facet].concordance
    for hit in hits:
        tags = spool.tags_of(hit.unit, other)
        chips = [
            {"label": pages.label(other, value), "href": address("by", other, file_name(value) + ".html")}
            for value, _ in tags
        ]
        yield {
            "href": hit.href,
            "n": hit.n,
            "text": marked(shorten(hit.text, LENGTH), hit.words),
            "tags": chips,
        }


def marked(text: str, words: str) -> Markup:
    """HTML of ``text`` with the words that show a concept (parted by ``; `` or `` … ``) in ``mark``."""
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
