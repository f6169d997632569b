"""How well predicted tags agree with a gold edition: precision, recall, F1 by facet.

``PYTHONPATH=pipeline:tests python -m support.score_tags [--blind] [--without] [--errors]``

``--blind``: without what the editor says of the games; ``--without``: each document with those cues
switched off that are attested in it alone; ``--errors``: every disagreement.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Any, TypeAlias

from hoyle.model import Block, Clause, Document, Meta, Source, Span, Tag
from hoyle.stages.tag import parse, tags
from hoyle.stages.tagging.cues import cues
from hoyle.tables import vocabulary
from support import gold

FACETS = ("game", "actor", "penalty", "modality")
TEXT = ("clause", "paragraph", "footnote")
FURNITURE = ("notice", "running-head", "page-number", "signature", "separator", "note-ref", "signature-mark")

Pairs: TypeAlias = dict[str, set[tuple[str, str]]]
"""For each facet, pairs of unit and id."""
Judged: TypeAlias = tuple[Document, Pairs]


@dataclass
class Score:
    """Pairs of unit and id: how many in both, which only predicted, which only in gold."""

    both: int = 0
    extra: list[tuple[str, str]] = field(default_factory=list)
    missed: list[tuple[str, str]] = field(default_factory=list)

    def add(self, other: Score) -> None:
        self.both += other.both
        self.extra += other.extra
        self.missed += other.missed

    @property
    def precision(self) -> float:
        return self.both / max(1, self.both + len(self.extra))

    @property
    def recall(self) -> float:
        return self.both / max(1, self.both + len(self.missed))

    @property
    def f1(self) -> float:
        total = 2 * self.both + len(self.extra) + len(self.missed)
        return 2 * self.both / total if total else 1.0


def gold_tags(units: Iterable[Mapping[str, Any]], ids: Iterable[str]) -> Pairs:
    """(unit, id) pairs of a gold edition by facet; ``ids`` are the units' ids in the same order."""
    found: Pairs = {facet: set() for facet in FACETS}
    for unit, name in zip(units, ids, strict=True):
        if unit["type"] not in TEXT:
            continue
        if unit.get("game"):
            found["game"].add((name, unit["game"]))
        found["actor"] |= {(name, a if isinstance(a, str) else a["id"]) for a in unit["actors"]}
        found["penalty"] |= {(name, p if isinstance(p, str) else p["type"]) for p in unit["penalties"]}
        if unit.get("modality"):
            found["modality"].add((name, unit["modality"]))
    return found


def predicted(found: Iterable[Tag]) -> Pairs:
    """(unit, id) pairs of tags by facet; of modalities only the main one."""
    pairs: Pairs = {facet: set() for facet in FACETS}
    for tag in found:
        if tag.facet in pairs and (tag.facet != "modality" or tag.main):
            pairs[tag.facet].add((tag.unit, tag.value))
    return pairs


def score(found: Iterable[Tag], right: Pairs) -> dict[str, Score]:
    """Predicted tags against gold pairs (headings left out), facet by facet.

    Units for which the gold has no modality (fragments) are left out of that facet.
    """
    mine = predicted(found)
    judged = {unit for unit, _ in right["modality"]}
    mine["modality"] = {(unit, value) for unit, value in mine["modality"] if unit in judged}
    known = {unit for facet in FACETS for unit, _ in right[facet]}
    mine["game"] = {(unit, value) for unit, value in mine["game"] if unit in known}
    return {
        facet: Score(
            both=len(mine[facet] & right[facet]),
            extra=sorted(mine[facet] - right[facet]),
            missed=sorted(right[facet] - mine[facet]),
        )
        for facet in FACETS
    }


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
        found[name] = (bare(document, **meta), gold_tags(units, [u.id for u in document.units]))
    return found


def others() -> dict[str, Judged]:
    """The further documents: the corrected text of their gold units as a source of its own."""
    return {
        path.stem: _other(path.stem, json.loads(path.read_text(encoding="utf-8")))
        for path in sorted((gold.GOLD / "documents" / "gold").glob("*.json"))
    }


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
    right = gold_tags(kept, [unit.id for unit in units])
    right["game"] = {(unit, game) for unit, game in right["game"] if game in vocabulary("games")}
    return document, right


def _is_old(text: str) -> bool:
    """Whether a Russian text is in the old spelling."""
    return "ѣ" in text


def places(document: str) -> frozenset[str]:
    """Keys of the cues attested in ``document`` alone: the example is from it, and they fire in no other."""
    here = {cue.key for lang in ("ru", "fr") for cue in cues(lang) if cue.place == document}
    fired = Counter(key for name, keys in _fired().items() if name != document for key in keys)
    return frozenset(key for key in here if not fired[key])


@cache
def _fired() -> dict[str, frozenset[str]]:
    return {
        name: frozenset(span._.cue.key for one in parse(document) for span in one.doc.spans["cues"])
        for name, (document, _) in {**corpus(), **others()}.items()
    }


def evaluate(
    documents: Mapping[str, Judged], *, without: bool = False, say: Callable[[str, dict[str, Score]], None]
) -> dict[str, Score]:
    """Score of all documents together; ``say`` is told that of each, and the total."""
    total = {facet: Score() for facet in FACETS}
    for name, (document, right) in documents.items():
        scores = score(tags(document, places(name) if without else frozenset()), right)
        say(name, scores)
        for facet in FACETS:
            total[facet].add(scores[facet])
    say("TOTAL", total)
    return total


def report(name: str, scores: Mapping[str, Score], *, errors: bool = False) -> str:
    """Precision, recall and F1 as a line of text; with the disagreements if asked."""
    figures = (f"{f} {s.precision:.2f} {s.recall:.2f} F {s.f1:.3f}" for f, s in scores.items())
    lines = [f"{name:14} " + "  ".join(figures)]
    if errors and name != "TOTAL":
        for facet, one in scores.items():
            sides = [(pair, "+") for pair in one.extra] + [(pair, "-") for pair in one.missed]
            lines += [f"    {facet:9} {sign} {unit:28} {value}" for (unit, value), sign in sorted(sides)]
    return "\n".join(lines)


def main(flags: frozenset[str]) -> None:
    """Print the figures."""

    def say(name: str, scores: dict[str, Score]) -> None:
        sys.stdout.write(report(name, scores, errors="--errors" in flags) + "\n")

    without = "--without" in flags
    evaluate(corpus(blind="--blind" in flags), without=without, say=say)
    evaluate(others(), without=without, say=say)


if __name__ == "__main__":
    main(frozenset(sys.argv[1:]))
