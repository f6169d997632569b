"""The gold documents as the site's tests want them, and the site built from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

from hoyle.document import Document, Edit, Item, Reference, Span, Tag
from hoyle.document.text_layers import layer_text
from hoyle.errors import StageError
from hoyle.outputs.site.writer import Site
from support.gold import EDITIONS, document

TITLES = {
    "whist-lexicon": ("Вистъ", "1838"),
    "quinze": ("Règles du jeu de quinze", "1807"),
    "patience": ("Двадцать четыре основные пасьянса", "190?"),
    "bridge-laws": ("Международные правила бриджа", ""),
    "preference": ("Правила преферанса", ""),
}


@cache
def documents() -> tuple[Document, ...]:
    """The five gold documents, titled, with tags and references at their very words."""
    return tuple(map(titled, EDITIONS))


def titled(name: str) -> Document:
    """A gold document with a title, a date, and tags and references at their very words."""
    title, date = TITLES[name]
    whole = document(name)
    return narrowed(replace(whole, meta=replace(whole.meta, title=title, date=date)))


def narrowed(whole: Document) -> Document:
    """Tags and references moved to where their words stand; every seventh edit made doubtful."""
    bare = Document(whole.source, whole.meta)
    units = {u.id: u.spans for u in whole.units}
    for name, items in whole.layers.items():
        bare = bare.with_layer(name, [_moved(whole, units, i, n) for n, i in enumerate(items)])
    return bare


def _moved(whole: Document, units: dict[str, tuple[Span, ...]], item: Item, number: int) -> Item:
    if isinstance(item, Edit) and number % 7 == 3:
        return replace(item, why=replace(item.why, confidence=0.61))
    if not isinstance(item, (Tag, Reference)) or not item.text:
        return item
    reading = layer_text(whole, units[item.unit], "corrected")
    at = reading.text.find(item.text)
    try:
        return replace(item, spans=reading.to_raw(Span(at, at + len(item.text)))) if at >= 0 else item
    except StageError:
        return item


def build(folder: Path, wanted: Iterable[Document] = ()) -> Path:
    """The site of ``wanted``, or of the gold documents, in ``folder``; gives the site's own folder."""
    folder.mkdir(parents=True, exist_ok=True)
    site = Site(folder)
    for one in wanted or documents():
        site.add(one)
    site.close()
    return folder / "site"
