"""The pages on which a document is read whole, and the network of its references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from markupsafe import Markup

from hoyle.correction.error_profile import faults
from hoyle.outputs.site import index as site_index
from hoyle.outputs.site.cite import citation
from hoyle.outputs.site.document import Edition
from hoyle.outputs.site.files import File
from hoyle.outputs.site.findings import said
from hoyle.outputs.site.network import network
from hoyle.outputs.site.pages import address
from hoyle.outputs.site.units import UnitView


def write(
    edition: Edition, views: Sequence[UnitView], trailing: Sequence[Markup], files: Sequence[File]
) -> None:
    """Write the document's pages: one, or several if it is long (``site_sheets``).

    Args:
        edition: the document.
        views: its units.
        trailing: furniture after the last of them.
        files: downloads.
    """
    document, pages = edition.document, edition.pages
    folder = f"doc/{edition.folder}"
    made = Counter(e.why.by for e in document.edits if e.kind != "drop")
    found_faults = faults(document)
    linked = _network(edition, f"{folder}/network.html")
    parts = {name: list(found) for name, found in groupby(views, key=lambda v: edition.sheets[v.id])}
    parts = parts or {"index.html": []}
    for number, (name, found) in enumerate(parts.items()):
        pages.page(
            f"{folder}/{name}",
            "document.html",
            meta=document.meta,
            dlang=document.lang,
            language=site_index.language_name(pages, document.lang),
            clauses=len(document.clauses),
            views=found,
            first=number == 0,
            last=number == len(parts) - 1,
            contents=list(_contents(edition, views)),
            pager=list(_pager(parts, name)) if len(parts) > 1 else [],
            trailing=trailing,
            facts=list(_facts(edition)),
            findings=[said(f, pages.t) for f in document.findings if f.topic != "decision"],
            decisions=sum(f.topic == "decision" for f in document.findings),
            changes=sum(v.changes for v in views),
            doubtful=sum(v.doubtful for v in views),
            rules=[{"number": n, "by": by, "count": made[by]} for by, n in edition.rules.items()],
            faults=found_faults,
            files=files,
            network=linked,
            citation=citation(document, f"{folder}/index.html"),
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
    """What is known of the source, as far as it is known."""
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
