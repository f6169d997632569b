"""The pages on which a document is read whole, and the network of its references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from hoyle.correction.error_profile import error_profile
from hoyle.document.citation import make_citation
from hoyle.outputs.site.document import Edition
from hoyle.outputs.site.interface import finding_view
from hoyle.outputs.site.pages import Download, address, language_name
from hoyle.outputs.site.units import UnitView


def write_document(
    edition: Edition, views: Sequence[UnitView], trailing: Sequence[Markup], files: Sequence[Download]
) -> None:
    """Write the document's pages: one, or several if it is long.

    Args:
        edition: the document.
        views: its units.
        trailing: furniture after the last of them.
        files: downloads.
    """
    document, pages = edition.document, edition.pages
    folder = f"doc/{edition.folder}"
    made = Counter(e.why.by for e in document.edits if e.kind != "drop")
    found_faults = error_profile(document)
    linked = _network(edition, f"{folder}/network.html")
    parts = {name: list(found) for name, found in groupby(views, key=lambda v: edition.page_of[v.id])}
    parts = parts or {"index.html": []}
    for number, (name, found) in enumerate(parts.items()):
        pages.page(
            f"{folder}/{name}",
            "document.html",
            meta=document.meta,
            dlang=document.lang,
            language=language_name(pages, document.lang),
            clauses=len(document.clauses),
            views=found,
            scans=edition.scans.listed([span for view in found for span in view.unit.spans]),
            first=number == 0,
            last=number == len(parts) - 1,
            contents=list(_contents(edition, views)),
            pager=list(_pager(parts, name)) if len(parts) > 1 else [],
            trailing=trailing,
            facts=list(_facts(edition)),
            findings=[finding_view(f, pages.t) for f in document.findings if f.topic != "decision"],
            decisions=sum(f.topic == "decision" for f in document.findings),
            changes=sum(v.changes for v in views),
            doubtful=sum(v.doubtful for v in views),
            rules=[{"number": n, "by": by, "count": made[by]} for by, n in edition.rules.items()],
            faults=found_faults,
            files=files,
            network=linked,
            citation=make_citation(document, None, f"{folder}/index.html"),
        )


def _contents(edition: Edition, views: Sequence[UnitView]) -> Iterator[dict[str, object]]:
    for view in views:
        if view.kind in ("heading", "clause"):
            text = edition.preview(view.id, 90)
            href = edition.place(view.id, "index.html")
            yield {"kind": view.kind, "href": href, "n": view.n, "level": view.level, "text": text}


def _pager(parts: Mapping[str, Sequence[UnitView]], here: str) -> Iterator[dict[str, object]]:
    """Links to all pages of a document, each named by its first and last clause (or its number)."""
    own = list(parts).index(here)
    for number, (name, views) in enumerate(parts.items()):
        clauses = [v.n for v in views if v.kind == "clause"] or [str(number + 1)]
        rel = {-1: "prev", 1: "next"}.get(number - own, "")
        yield {
            "href": address(name),
            "first": clauses[0],
            "last": clauses[-1],
            "here": number == own,
            "rel": rel,
        }


def _facts(edition: Edition) -> Iterator[tuple[str, str]]:
    """The known facts about the source: name and text of each."""
    t, meta, source = edition.pages.t, edition.document.meta, edition.document.source
    facts = (
        (t["source_file"], source.name),
        (t["characters"], str(len(source.text))),
        (t["checksum"], source.sha256),
        (t["origin"], meta.origin),
        (t["licence"], meta.licence),
        (t["date_note"], meta.date_note),
        (t["notes"], " ".join(meta.notes)),
    )
    yield from ((name, value) for name, value in facts if value)


def _network(edition: Edition, path: str) -> bool:
    """Write the page of the references, if there are any."""
    picture = network(edition)
    if picture:
        refs = [(name, edition.refs[name]) for name in edition.units if name in edition.refs]
        edition.pages.page(
            path,
            "network.html",
            meta=edition.document.meta,
            dlang=edition.document.lang,
            net=picture,
            refs=[{"href": edition.href(n), "n": edition.number(n), "refs": found} for n, found in refs],
        )
    return bool(picture)


ROW = 26
"""Height of a clause's row, in units of the picture."""
HALF = 34
"""Half the width of the column of numbers."""
WORDS = 460
"""Room for the first words of a clause at the right."""
REACH = 250
"""How far the widest arc may bulge."""


@dataclass(frozen=True, slots=True)
class Node:
    """A clause that refers or is referred to, and the place of its number."""

    id: str
    n: str
    href: str
    preview: str
    y: int


@dataclass(frozen=True, slots=True)
class Arc:
    """A reference between two clauses: its path in the picture, and what it says."""

    path: str
    status: str
    label: str


@dataclass(frozen=True, slots=True)
class Network:
    """The picture and its view box; ``middle`` and ``words`` are where numbers and first words stand."""

    nodes: tuple[Node, ...]
    arcs: tuple[Arc, ...]
    width: int
    height: int
    middle: int
    words: int


def network(edition: Edition) -> Network | None:
    """The picture of a document's references; None where no two clauses refer to one another."""
    links = dict.fromkeys(
        (ref.unit, ref.target, ref.status)
        for ref in edition.document.references
        if ref.unit in edition.units and ref.target in edition.units
    )
    ends = {end for source, target, _ in links for end in (source, target)}
    order = [unit.id for unit in edition.document.units if unit.id in ends]
    if not order:
        return None
    row = {name: number for number, name in enumerate(order)}
    left = max((_bulge(row[s] - row[t]) for s, t, _ in links if row[s] >= row[t]), default=0)
    right = max((_bulge(row[t] - row[s]) for s, t, _ in links if row[t] > row[s]), default=0)
    middle = left + HALF + 12
    nodes = tuple(
        Node(name, edition.number(name), edition.href(name), edition.preview(name, 60), _y(row[name]))
        for name in order
    )
    arcs = tuple(
        Arc(_path(row[s], row[t], middle), status, f"{edition.number(s)} → {edition.number(t)}")
        for s, t, status in links
    )
    words = middle + HALF + right + 12
    return Network(nodes, arcs, words + WORDS, ROW * len(order), middle, words)


def _y(row: int) -> int:
    return ROW * row + ROW // 2


def _bulge(rows: int) -> int:
    """How far an arc over so many rows bulges: nearly as its length at first, ever less then."""
    return round(REACH * (rows + 1) / (rows + 12))


def _path(source: int, target: int, middle: int) -> str:
    """A cubic curve from the number of one clause to that of another; it ends short for the arrow head."""
    side = 1 if target > source else -1
    x = middle + side * HALF
    start, end = _y(source) + (4 if target == source else 0), _y(target) - (4 if target == source else 0)
    # A cubic reaches three quarters of the way to its control points.
    control = x + side * round(_bulge(abs(target - source)) * 4 / 3)
    return f"M{x} {start}C{control} {start} {control} {end} {x + side * 5} {end}"
