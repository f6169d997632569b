"""Citations of documents and clauses: Chicago style, BibTeX and CSL-JSON 1.0.2.

A citable id joins the id of the document or clause, the first digits of the SHA-256 checksum of the
source file, the version of Hoyle and, if editors made decisions, the first digits of a checksum of
those: ``quinze.45@a73eaee45e15-0.1.0-3f2a9c1b``. The part before ``@`` does not change when readings change.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hoyle import __version__
from hoyle.document import DECISIONS, Clause, Document, Edit, Finding, Item
from hoyle.document.dates import years

HASH_DIGITS = 12
"""Hexadecimal digits of the source checksum in an id; they distinguish millions of texts."""

DECISION_DIGITS = 8
"""Hexadecimal digits of the checksum of the decisions; they distinguish the states of one document."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation in all formats.

    Attributes:
        id: the citable id (edition, clause and version).
        chicago: the citation in Chicago style.
        bibtex: a BibTeX entry.
        csl: an item of CSL-JSON 1.0.2.
    """

    id: str
    chicago: str
    bibtex: str
    csl: Mapping[str, Any]


def edition_version(document: Document) -> str:
    """Return the version of an edition: ``a73eaee45e15-0.1.0``, with decisions ``…-3f2a9c1b``."""
    parts = (document.source.sha256[:HASH_DIGITS], __version__, decisions_digest(document))
    return "-".join(part for part in parts if part)


def decisions_digest(document: Document) -> str:
    """Return the first digits of a checksum of the editors' decisions; empty if there are none.

    The checksum covers what the edition itself records: each decision with editor, date and reason, and
    each reading that a decision inserts. An edition read from its TEI file therefore has the same one.
    """
    return _sum_of(document.layers.get(DECISIONS, ()))


@lru_cache(maxsize=8)  # asked for every clause
def _sum_of(decisions: tuple[Item, ...]) -> str:
    recorded = sorted(
        repr((item.span, item.value if isinstance(item, Finding) else (item.before, item.after, item.kind)))
        for item in decisions
        if isinstance(item, Finding) or (isinstance(item, Edit) and item.before != item.after)
    )
    whole = "\n".join(recorded).encode("utf-8", "surrogatepass")
    return hashlib.sha256(whole).hexdigest()[:DECISION_DIGITS] if recorded else ""


def citable_id(document: Document, clause: Clause | None = None) -> str:
    """Return the citable id of a document, or of one of its clauses, in this version of the edition.

    Args:
        document: the document.
        clause: the clause, if only one is meant.

    Returns:
        The id, as ``quinze.45@a73eaee45e15-0.1.0``.
    """
    return f"{clause.id if clause else document.id}@{edition_version(document)}"


def make_citation(document: Document, clause: Clause | None = None, address: str = "") -> Citation:
    """Cite a document, or one of its clauses.

    Args:
        document: the document.
        clause: the clause, if only one is cited.
        address: the path or URL of its page, if the citation names one.

    Returns:
        The citation in all formats.
    """
    return Citation(
        citable_id(document, clause),
        _chicago(document, clause, address),
        _bibtex(document, clause, address),
        _csl(document, clause),
    )


def _part(clause: Clause) -> str:
    return f"Clause {clause.n}" + (f" (series {clause.series})" if clause.series > 1 else "")


def _edition(document: Document) -> str:
    decided = f", decisions {digest}" if (digest := decisions_digest(document)) else ""
    return f"Hoyle edition, version {__version__}{decided}, source {document.source.sha256[:HASH_DIGITS]}"


def _chicago(document: Document, clause: Clause | None, address: str) -> str:
    """Author. “Clause.” In Title. Edition. Publisher, Date. Id, address."""
    meta = document.meta
    title = _ended(_line(meta.name))
    printed = ", ".join(_line(x) for x in (meta.publisher, meta.date.replace("/", "–") or "n.d.") if x)
    place = clause.id if clause else document.id
    facts = [
        _ended(_line(meta.author)),
        f"“{_part(clause)}.” In {title}" if clause else title,
        f"{_edition(document)}.",
        _ended(printed),
        f"{place}, {address}." if address else f"{place}.",
    ]
    return " ".join(fact for fact in facts if fact)


def _ended(text: str) -> str:
    return text if not text or text.endswith((".", "?", "!", "…")) else f"{text}."


def _line(text: str) -> str:
    """Return ``text`` on one line, without control characters."""
    return " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text).split())


_TEX = str.maketrans(
    {c: f"\\{c}" for c in "%&$#_"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    # BibTeX counts braces even after a backslash.
    | {"{": r"\textbraceleft{}", "}": r"\textbraceright{}"}
)


def _bibtex(document: Document, clause: Clause | None, address: str) -> str:
    meta = document.meta
    place = clause.id if clause else document.id
    fields = {
        "author": meta.author,
        "title": _part(clause) if clause else meta.name,
        "booktitle": meta.name if clause else "",
        "publisher": meta.publisher,
        "year": str(years(meta.date) or ""),
        "version": edition_version(document),
        "note": ", ".join(x for x in (_edition(document), place, address) if x),
    }
    lines = [f"@{'incollection' if clause else 'book'}{{{_key(place)},"]
    for name, value in fields.items():
        text = _line(value).translate(_TEX)
        if name == "author":  # BibTeX must neither split the name at "and" nor invert it
            text = f"{{{text}}}"
        if value:
            lines.append(f"  {name} = {{{text}}},")
    return "\n".join([*lines, "}"])


def _key(place: str) -> str:
    """Return an id as a BibTeX key; characters that are not plain ASCII become their code points."""
    return re.sub(r"[^A-Za-z0-9.:-]", lambda m: f"_{ord(m[0]):04x}", place.replace(".", ":"))


def _csl(document: Document, clause: Clause | None) -> Mapping[str, Any]:
    meta = document.meta
    item: dict[str, Any] = {
        "id": citable_id(document, clause),
        "type": "chapter" if clause else "book",
        "title": _part(clause) if clause else meta.name,
        "container-title": meta.name if clause else "",
        "chapter-number": clause.n if clause else "",
        "author": [{"literal": meta.author}] if meta.author else [],
        "publisher": meta.publisher,
        "issued": _issued(meta.date) if meta.date else {},
        "edition": f"Hoyle edition, version {__version__}",
        "version": edition_version(document),
        "language": "" if document.lang == "und" else document.lang,
        "note": f"{clause.id if clause else document.id}, source sha256 {document.source.sha256}",
    }
    return {name: value for name, value in item.items() if value}


_YEARS = re.compile(r"(\d{4})(?:/(\d{4}))?")


def _issued(date: str) -> dict[str, Any]:
    """Return a year or a range of years as numbers, any other date as the editor wrote it."""
    if found := _YEARS.fullmatch(date):
        return {"date-parts": [[int(year)] for year in found.groups() if year]}
    return {"literal": date}
