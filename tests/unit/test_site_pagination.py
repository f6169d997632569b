"""Long documents in several pages: nothing lost, nothing too heavy, every place still found."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from hoyle.document import Block, Clause, Evidence, Span
from hoyle.outputs.site.document import LIMIT, paginate
from support.links import Links, check_links

SURE = Evidence("test", 0.9)


def clause(*number: str) -> Clause:
    return Clause("d." + ".".join(number), "", number, (Span(0, 0),), SURE)


def heading(name: str) -> Block:
    return Block(name, "heading", (Span(0, 0),), SURE)


def names(units, weights, limit):
    return [[u.id for u in page] for page in paginate(units, weights, limit)]


@given(weights=st.lists(st.integers(0, 50), max_size=40), limit=st.integers(1, 200), kinds=st.data())
def test_pages_keep_the_order_and_the_limit(weights, limit, kinds):
    units = [
        heading(f"h{n}") if kinds.draw(st.booleans()) else clause(str(n // 3), *([str(n)] if n % 3 else []))
        for n in range(len(weights))
    ]
    pages = list(paginate(units, weights, limit))
    assert [u for page in pages for u in page] == units
    of = {id(u): w for u, w in zip(units, weights, strict=True)}
    for page in pages:
        assert page
        assert len(page) == 1 or sum(of[id(u)] for u in page) <= limit


def test_a_short_document_is_one_page():
    units = [clause(str(n)) for n in range(9)]
    assert len(names(units, [10] * 9, 90)) == 1


def test_a_page_begins_with_a_heading_if_one_is_near():
    units = [clause("1"), clause("2"), clause("3"), heading("h"), clause("4"), clause("5"), clause("6")]
    assert names(units, [10] * 7, 45)[1][0] == "h"


def test_a_clause_keeps_its_parts():
    units = [clause("1"), clause("1", "a"), clause("1", "b"), clause("2"), clause("2", "a")]
    assert [p[0] for p in names(units, [10] * 5, 40)] == ["d.1", "d.2"]


def test_every_page_stays_light_and_every_link_holds(long_book):
    pages = sorted((long_book / "doc/long").glob("index*.html"))
    assert len(pages) > 1
    assert all(p.stat().st_size < 1_000_000 for p in pages)
    assert all(p.stat().st_size < LIMIT + 100_000 for p in pages)
    check_links(long_book)


def test_pages_hold_each_clause_once_and_lead_to_each_other(long_book):
    pages = [p.read_text(encoding="utf-8") for p in sorted((long_book / "doc/long").glob("index*.html"))]
    clauses = [name for html in pages for name in re.findall(r'<article [^>]*id="([^"]+)"', html)]
    assert len(clauses) == len(set(clauses)) > 300
    assert '<link rel="next" href="index~p2.html">' in pages[0]
    assert '<link rel="prev" href="index.html">' in pages[1]
    links = Links(long_book / "doc/long/index.html").addresses
    assert any(a.startswith("index~p2.html#long.") for a in links)
    assert any(a.startswith("#long.") for a in links)
