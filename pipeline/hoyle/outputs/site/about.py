"""The page about the edition: what was changed and how often, measured error rates, downloads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from hoyle import __version__
from hoyle.document.publication import publication_settings
from hoyle.errors import TableError
from hoyle.outputs.site.pages import Download, Pages
from hoyle.outputs.site.store import TemporaryStore
from hoyle.tables import data_file

KINDS = ("correct", "misprint", "layout", "regularise", "drop")
"""Kinds of edit in the order of the table."""
SHOWN = (
    "cer_raw",
    "cer_corrected",
    "words_broken_per_1000",
    "cer_modern",
    "starts_f1",
    "extent",
    "references_f1",
)
"""Figures of ``hoyle evaluate`` in the order of the table; those of the tags follow."""
_KNOWLEDGE = (
    "layout",
    "segmentation",
    "correction",
    "annotation",
    "references",
    "orthography",
    "numbering",
    "languages",
    "resources",
)
_SUFFIXES = {".py", ".tsv", ".toml", ".marisa", ".counts"}


@dataclass(frozen=True, slots=True)
class Figures:
    """What ``hoyle evaluate`` measured, and of which state of Hoyle it speaks.

    ``documents`` is document id → checksum of its source (``sha256``) and figures by name: of the
    ``machine`` alone, and of what is ``published`` where editors decided.
    """

    version: str
    knowledge: str
    documents: Mapping[str, Mapping[str, Any]]


def figures() -> Figures | None:
    """The figures last measured (``site/figures.json``); None if there are none.

    Raises:
        TableError: the file is broken.
    """
    path = data_file("site", "figures.json")
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return Figures(raw["version"], raw["knowledge"], raw["documents"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = f"holds no figures ({error!r}); make it anew with `make figures`"
        raise TableError(message, document="site/figures.json") from error


@cache
def fingerprint() -> str:
    """A checksum of all rules, models and stages: while it stays, measured figures hold good."""
    digest = hashlib.sha256()
    for part in _KNOWLEDGE:
        folder = data_file(part)
        for path in sorted(p for p in folder.rglob("*") if p.suffix in _SUFFIXES):
            digest.update(f"{part}/{path.relative_to(folder).as_posix()}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def write_about(store: TemporaryStore, pages: Pages, downloads: Sequence[Download]) -> None:
    """Write the page.

    Args:
        store: the rows of all documents.
        pages: the site.
        downloads: the files that belong to all documents together.
    """
    made = figures()
    measured = list(_measured(store, made)) if made else []
    names = _names(measured)
    documents = list(store.documents())
    edits = store.edits()
    kinds = [k for k in KINDS if any(k in made for made in edits.values())]
    pages.page(
        "about.html",
        "about.html",
        totals=store.totals(),
        kinds=kinds,
        changes=[
            {
                "title": d.title,
                "lang": d.lang,
                "href": d.href,
                "counts": [edits.get(d.ord, {}).get(k, 0) for k in kinds],
            }
            for d in documents[:40]
        ],
        sums=[sum(made.get(k, 0) for made in edits.values()) for k in kinds],
        more=max(0, len(documents) - 40),
        names=names,
        measured=[{**m, "values": [m["figures"].get(name) for name in names]} for m in measured],
        figures=made,
        stale=made is not None and (made.version, made.knowledge) != (__version__, fingerprint()),
        downloads=_grouped(downloads),
        publication=publication_settings(),
        citation=_citation(),
    )


def _grouped(files: Sequence[Download]) -> list[dict[str, object]]:
    """Files that differ by their ending only, on one line."""
    found: dict[str, list[Download]] = {}
    for file in files:
        found.setdefault(file.href.removeprefix("files/").rpartition(".")[0], []).append(file)
    return [{"name": name, "files": kinds} for name, kinds in found.items()]


def _citation() -> str:
    """The edition as a whole, Chicago style."""
    whole = publication_settings()
    return f"{whole.publisher}. {whole.name}. Version {__version__}, {whole.published}."


def _measured(store: TemporaryStore, made: Figures) -> Iterator[dict[str, Any]]:
    """The documents of this build that figures speak of: same id, same source."""
    for row in store.documents():
        known = made.documents.get(row.id)
        if known and known["sha256"] == row.sha256:
            for kind in ("machine", "published"):
                if kind in known:
                    yield {
                        "title": row.title,
                        "lang": row.lang,
                        "href": row.href,
                        "kind": kind,
                        "figures": known[kind],
                    }


def _names(measured: Sequence[Mapping[str, Any]]) -> list[str]:
    found = dict.fromkeys(name for m in measured for name in m["figures"])
    tags = [name for name in found if name.endswith("_f1") and name not in SHOWN]
    return [*(name for name in SHOWN if name in found), *tags]
