"""The search index: script files that a page loads as it needs them, from a server or a memory stick.

Three kinds of file under ``search/``: ``data.js`` (documents, facets, fold tables), ``t-….js``
(the words that begin with two given letters and where they stand) and ``u-….js`` (texts of
forty units). Every layer of a text is indexed at the same places, so a phrase may be typed in
any spelling; forms are folded as :mod:`hoyle.orthography.search_key` has it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain, groupby

from hoyle.facets import facets
from hoyle.orthography.search_key import rules, words
from hoyle.outputs.site.pages import Pages, file_name
from hoyle.outputs.site.store import TemporaryStore
from hoyle.outputs.site.text import Parts
from hoyle.tables import data_file, read_table

BLOCK = 40
"""Units in one file of texts."""


def index_words(parts: Parts) -> dict[str, list[int]]:
    """Folded forms of a unit in all its layers, with their places among the words of the corrected text."""
    flow = list(chain.from_iterable(parts))
    found: dict[str, set[int]] = {}
    ends: list[int] = []
    for place, (span, form) in enumerate(words("".join(atom.corrected for atom in flow))):
        ends.append(span.end)
        found.setdefault(form, set()).add(place)
    at = first = 0
    for atom in flow:
        while first < len(ends) - 1 and ends[first] <= at:
            first += 1
        for other in {atom.raw, atom.modern} - {atom.corrected}:
            for step, (_, form) in enumerate(words(other)):
                found.setdefault(form, set()).add(max(0, min(first + step, len(ends) - 1)))
        at += len(atom.corrected)
    return {form: sorted(places) for form, places in sorted(found.items()) if form}


def endings() -> list[str]:
    """Inflectional endings in search spelling (``site/endings.tsv``), longest first.

    Two forms that differ only by such endings count as one word in a search.
    """
    rows = read_table(data_file("site", "endings.tsv"), ["lang", "ending", "example"])
    return sorted({row["ending"] for row in rows}, key=lambda e: (-len(e), e))


def write_search(store: TemporaryStore, pages: Pages) -> None:
    """Write the whole search index.

    Args:
        store: the rows of all documents.
        pages: the site.
    """
    shards = [key for key, _ in _shards(store, pages)]
    total = _texts(store, pages)
    indexed = [_facet(store, pages, facet) for facet in facets()]
    firsts = dict(store.db.execute("SELECT document, min(ord) FROM unit GROUP BY document"))
    documents = [[d.title, d.lang, d.href, firsts[d.ord]] for d in store.documents() if d.ord in firsts]
    data = {"documents": documents, "facets": indexed, "shards": shards, "block": BLOCK, "total": total}
    _script(pages, "data", {**data, "fold": rules(), "endings": endings()})


def _script(pages: Pages, name: str, value: object) -> None:
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    pages.text(f"search/{name}.js", f"hoyle.take({json.dumps(name)},{body});\n")


def shard_key(form: str) -> str:
    """The name of the file that holds a form: its first two letters by code point."""
    return "-".join(f"{ord(c):04x}" for c in form[:2])


def _shards(store: TemporaryStore, pages: Pages) -> Iterator[tuple[str, int]]:
    for key, rows in groupby(store.postings(), key=lambda r: shard_key(r[0])):
        forms = {form: _packed(found) for form, found in groupby(rows, key=lambda r: r[0])}
        _script(pages, f"t-{key}", forms)
        yield key, len(forms)


def _packed(rows: Iterator[tuple[str, int, str]]) -> str:
    """Postings as ``unit,place,place;…``, each unit given as the step from the one before."""
    out: list[str] = []
    last = 0
    for _, unit, places in rows:
        out.append(f"{unit - last},{places}")
        last = unit
    return ";".join(out)


def _texts(store: TemporaryStore, pages: Pages) -> int:
    total = 0
    for number, rows in groupby(store.units(), key=lambda u: u.ord // BLOCK):
        block = [[u.document, u.n, u.href, u.text] for u in rows]
        total += len(block)
        _script(pages, f"u-{number}", block)
    return total


def _facet(store: TemporaryStore, pages: Pages, facet: str) -> list[object]:
    values: list[Sequence[object]] = []
    for value, units, _ in store.values(facet):
        name = f"f-{facet}-{file_name(value)}"
        _script(pages, name, list(_steps(store.units_of(facet, value))))
        values.append([name, pages.label(facet, value), units])
    return [facet, pages.t[f"facet_{facet}"], sorted(values, key=lambda row: str(row[1]))]


def _steps(units: Iterator[int]) -> Iterator[int]:
    last = 0
    for unit in units:
        yield unit - last
        last = unit
