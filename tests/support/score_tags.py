"""How well predicted tags agree with a gold edition: precision, recall, F1 by facet.

``PYTHONPATH=pipeline:tests python -m support.score_tags [--blind] [--errors]``

``--blind``: without what the editor says of the games; ``--errors``: every disagreement. The editions call
"he who" a player, the tagger any player; here they are one.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeAlias

from hoyle.annotation.stage import find_tags
from hoyle.document import Block, Clause, Document, Meta, Source, Span, Tag
from hoyle.evaluate.tags import TAGGED_UNITS, Pairs, TagScore, compare, gold_pairs, scored_facets
from hoyle.languages import language
from hoyle.tables import vocabulary
from support import gold
from support.shared import DOCUMENTS, gold_document

FURNITURE = ("notice", "running-head", "page-number", "signature", "separator", "note-ref", "signature-mark")

Judged: TypeAlias = tuple[Document, Pairs]


def score(found: Iterable[Tag], right: Pairs, document: Document) -> dict[str, TagScore]:
    """Predicted tags against gold pairs (headings left out), facet by facet."""
    text = [u.id for u in document.units if isinstance(u, Clause) or u.kind in TAGGED_UNITS]
    merged = [replace(tag, value="player") if tag.value == "any-player" else tag for tag in found]
    gold_ = right | {"actor": {(u, "player" if v == "any-player" else v) for u, v in right["actor"]}}
    return compare(merged, gold_, text)


def bare(document: Document, **meta: Any) -> Document:
    """The document without tags and references, and with other meta data if asked."""
    layers = {name: items for name, items in document.layers.items() if name not in ("tag", "references")}
    return replace(document, layers=MappingProxyType(layers), meta=replace(document.meta, **meta))


def corpus(*, blind: bool = False) -> dict[str, Judged]:
    """The five gold editions: tags stripped, with the gold pairs."""
    found: dict[str, Judged] = {}
    for name in gold.EDITIONS:
        document = gold.document(name)
        units = [u for u in gold.edition(name)["units"] if u["type"] not in FURNITURE]
        meta: dict[str, Any] = {"games": (), "title": ""} if blind else {}
        found[name] = (bare(document, **meta), gold_pairs(units, [u.id for u in document.units]))
    return found


def others() -> dict[str, Judged]:
    """The further documents: the corrected text of their gold units as a source of its own."""
    return {name: _other(name, gold_document(name)) for name in DOCUMENTS}


def _other(name: str, data: Mapping[str, Any]) -> Judged:
    text = ""
    heads: list[Block] = []
    units: list[Clause | Block] = []
    kept: list[Mapping[str, Any]] = []
    for i, unit in enumerate(data["units"]):
        kind = unit["type"]
        if kind in FURNITURE and kind != "running-head":
            continue
        spans = (Span(len(text), len(text) + len(unit["corrected"])),)
        text += unit["corrected"] + "\n\n"
        ident = f"{name}.{unit['n'] or ''}#{i}"
        if kind == "running-head":
            heads.append(Block(ident, kind, spans, gold.EDITOR))
            continue
        kept.append(unit)
        if kind == "clause":
            units.append(Clause(ident, "", tuple(str(unit["n"] or i).split(".")), spans, gold.EDITOR))
        else:
            units.append(Block(ident, kind, spans, gold.EDITOR))
    raw = text.encode()
    lang = "fr" if data["lang"] == "fr" else "ru-petr1708" if _is_old(text) else "ru"
    source = Source(name, f"{name}.txt", text, hashlib.sha256(raw).hexdigest(), len(raw))
    document = Document(source, Meta(name, lang=lang)).with_layer("furniture", heads)
    document = document.with_layer("clauses", units)
    right = gold_pairs(kept, [unit.id for unit in units])
    right["game"] = {(unit, game) for unit, game in right["game"] if game in vocabulary("games")}
    return document, right


def _is_old(text: str) -> bool:
    """Whether a Russian text is in the old spelling."""
    return "ѣ" in text


def evaluate(
    documents: Mapping[str, Judged], *, say: Callable[[str, dict[str, TagScore]], None]
) -> dict[str, TagScore]:
    """Score of all documents together; ``say`` is told that of each, and the total."""
    total = {facet: TagScore() for facet in scored_facets()}
    for name, (document, right) in documents.items():
        scores = score(find_tags(document, language(document.lang)), right, document)
        say(name, scores)
        total = {facet: total[facet] + scores[facet] for facet in total}
    say("TOTAL", total)
    return total


def report(name: str, scores: Mapping[str, TagScore], *, errors: bool = False) -> str:
    """Precision, recall and F1 as a line of text; with the disagreements if asked."""
    figures = (f"{f} {s.score.precision:.2f} {s.score.recall:.2f} F {s.f1:.3f}" for f, s in scores.items())
    lines = [f"{name:14} " + "  ".join(figures)]
    if errors and name != "TOTAL":
        for facet, one in scores.items():
            sides = [(pair, "+") for pair in one.extra] + [(pair, "-") for pair in one.missed]
            lines += [f"    {facet:9} {sign} {unit:28} {value}" for (unit, value), sign in sorted(sides)]
    return "\n".join(lines)


def main(flags: frozenset[str]) -> None:
    """Print the figures."""

    def say(name: str, scores: dict[str, TagScore]) -> None:
        sys.stdout.write(report(name, scores, errors="--errors" in flags) + "\n")

    evaluate(corpus(blind="--blind" in flags), say=say)
    evaluate(others(), say=say)


if __name__ == "__main__":
    main(frozenset(sys.argv[1:]))
