"""The timeline: all documents by date, each with its years on a common scale."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hoyle.outputs.site.index import document
from hoyle.outputs.site.lists import rows
from hoyle.outputs.site.pages import Pages
from hoyle.outputs.site.store import DocumentRow, Spool

STEP = 10
"""Years the scale is rounded to at both ends."""


class Years(NamedTuple):
    """First and last year a date allows, both included."""

    first: int
    last: int


def years(date: str) -> Years | None:
    """The years of a date as editors write it: ``1838``, ``1835/1841``, ``190?``, ``ca. 1810–1815``.

    Unknown digits (``?``, ``x``, ``-``) stand for all they can be; None if no year is named.
    """
    found = re.findall(r"(?<!\d)\d{2}(?:\d\d|\d[?x-]|[?x-]{2})(?![\d?])", date)
    if not found:
        return None
    low = [int(re.sub(r"[?x-]", "0", year)) for year in found]
    high = [int(re.sub(r"[?x-]", "9", year)) for year in found]
    return Years(min(low), max(high))


def write(spool: Spool, pages: Pages) -> None:
    """Write the timeline, as a page and as CSV."""
    dated = sorted(((years(row.date) or Years(9999, 9999)), row.ord, row) for row in spool.documents())
    known = [span for span, _, row in dated if years(row.date)]
    first = min((s.first for s in known), default=0) // STEP * STEP
    last = -(-max((s.last + 1 for s in known), default=STEP) // STEP) * STEP
    documents = [row for *_, row in dated]
    pages.page(
        "dates.html",
        "dates.html",
        documents=_rows(documents, pages),
        first=first,
        width=last - first,
        last=last,
    )
    pages.text("dates.csv", rows(_cells(documents)))


def _rows(documents: Iterable[DocumentRow], pages: Pages) -> Iterator[dict[str, object]]:
    for row in documents:
        yield {**document(row, pages), "years": years(row.date)}


def _cells(documents: Iterable[DocumentRow]) -> Iterator[Iterable[str]]:
    yield "document", "title", "author", "date", "first_year", "last_year", "lang", "clauses"
    for row in documents:
        span = years(row.date)
        first, last = (str(span.first), str(span.last)) if span else ("", "")
        yield row.id, row.title, row.author, row.date, first, last, row.lang, str(row.clauses)
