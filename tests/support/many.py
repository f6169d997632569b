"""Documents of any size, made of the gold editions over and over."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from hoyle.document import (
    Block,
    Clause,
    Document,
    Edit,
    Finding,
    Fragment,
    Item,
    Reference,
    Source,
    Span,
    Tag,
)
from support import site as gold_site


def documents(wanted: int, size: int) -> Iterator[Document]:
    """Documents of about ``size`` clauses each, ``wanted`` clauses in all, the gold texts in turn."""
    gold = list(gold_site.documents())
    made = number = 0
    while made < wanted:
        document = repeated(gold[number % len(gold)], f"book-{number + 1}", min(size, wanted - made))
        yield document
        made += len(document.clauses)
        number += 1


def repeated(document: Document, name: str, clauses: int) -> Document:
    """``document`` end to end until it has ``clauses`` clauses or a few more."""
    times = -(-clauses // len(document.clauses))
    step = len(document.source.text) + 1
    text = "\n".join([document.source.text] * times)
    data = text.encode()
    source = Source(name, f"{name}.txt", text, hashlib.sha256(data).hexdigest(), len(data))
    whole = Document(source, replace(document.meta, id=name, title=f"{document.meta.name} ({name})"))
    for layer, items in document.layers.items():
        moved = [_moved(item, turn, step, name) for turn in range(times) for item in items]
        whole = whole.with_layer(layer, moved)
    return whole


def _moved(item: Item, turn: int, step: int, name: str) -> Item:
    def at(span: Span) -> Span:
        return Span(span.start + turn * step, span.end + turn * step)

    def named(unit: str) -> str:
        return f"{name}.{turn + 1}.{unit.partition('.')[2]}" if unit else ""

    match item:
        case Edit() | Fragment():
            return replace(item, span=at(item.span))
        case Finding():
            return replace(item, span=at(item.span) if item.span else None)
        case Clause():
            return replace(
                item,
                id=named(item.id),
                number=(str(turn + 1), *item.number),
                spans=tuple(map(at, item.spans)),
                label_span=at(item.label_span) if item.label_span else None,
                heading=at(item.heading) if item.heading else None,
                under=named(item.under),
            )
        case Block():
            return replace(
                item, id=named(item.id), spans=tuple(map(at, item.spans)), parent=named(item.parent)
            )
        case Tag():
            return replace(item, unit=named(item.unit), spans=tuple(map(at, item.spans)))
        case Reference():
            return replace(
                item, unit=named(item.unit), spans=tuple(map(at, item.spans)), target=named(item.target)
            )
