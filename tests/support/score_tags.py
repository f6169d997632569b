"""How well predicted tags agree with a gold edition: precision, recall, F1 by facet.

``PYTHONPATH=pipeline:tests python -m support.score_tags [--blind] [--without] [--errors]``
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

from hoyle.model import Document, Tag

FACETS = ("game", "actor", "penalty", "modality")


@dataclass
class Score:
    """Pairs of unit and id: in both, only predicted, only in gold."""

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


def gold_tags(units: Iterable[Mapping[str, Any]], ids: Iterable[str]) -> dict[str, set[tuple[str, str]]]:
    """(unit, id) pairs of a gold edition by facet; ``ids`` are the units' ids in the same order."""
    found: dict[str, set[tuple[str, str]]] = {facet: set() for facet in FACETS}
    for unit, name in zip(units, ids, strict=True):
        if unit["type"] not in ("clause", "paragraph", "footnote"):
            continue
        if unit.get("game"):
            found["game"].add((name, unit["game"]))
        found["actor"] |= {(name, a if isinstance(a, str) else a["id"]) for a in unit["actors"]}
        found["penalty"] |= {(name, p if isinstance(p, str) else p["type"]) for p in unit["penalties"]}
        if unit.get("modality"):
            found["modality"].add((name, unit["modality"]))
    return found


def predicted(tags: Iterable[Tag]) -> dict[str, set[tuple[str, str]]]:
    """(unit, id) pairs of tags by facet; of modalities only the main one."""
    found: dict[str, set[tuple[str, str]]] = {facet: set() for facet in FACETS}
    for tag in tags:
        if tag.facet in found and (tag.facet != "modality" or tag.main):
            found[tag.facet].add((tag.unit, tag.value))
    return found


def score(tags: Iterable[Tag], gold: Mapping[str, set[tuple[str, str]]]) -> dict[str, Score]:
    """Predicted tags against gold pairs (headings left out), facet by facet.

    Units for which the gold has no modality (fragments) are left out of that facet.
    """
    mine = predicted(tags)
    judged = {unit for unit, _ in gold["modality"]}
    mine["modality"] = {(unit, value) for unit, value in mine["modality"] if unit in judged}
    known = {unit for facet in FACETS for unit, _ in gold[facet]}
    mine["game"] = {(unit, value) for unit, value in mine["game"] if unit in known}
    return {
        facet: Score(len(mine[facet] & gold[facet]), sorted(mine[facet] - gold[facet]), sorted(gold[facet] - mine[facet]))
        for facet in FACETS
    }


def bare(document: Document, **meta: Any) -> Document:
    """The document without tags, and with other meta data if asked."""
    from dataclasses import replace

    layers = {name: items for name, items in document.layers.items() if name not in ("tag", "references")}
    return replace(document, layers=MappingProxyType(layers), meta=replace(document.meta, **meta))


def _report(name: str, scores: Mapping[str, Score], errors: bool) -> None:
    figures = "  ".join(f"{f} {s.precision:.2f} {s.recall:.2f} F {s.f1:.3f}" for f, s in scores.items())
    print(f"{name:16} {figures}")
    if errors:
        for facet, one in scores.items():
            sides = [(pair, "+") for pair in one.extra] + [(pair, "-") for pair in one.missed]
            for (unit, value), sign in sorted(sides):
                print(f"    {facet:9} {sign} {unit:28} {value}")


def corpus(blind: bool = False) -> dict[str, tuple[Document, dict[str, set[tuple[str, str]]]]]:
    """All gold documents: tags stripped, with the gold pairs."""
    from support import gold

    found = {}
    for name in gold.EDITIONS:
        meta = {"games": (), "title": ""} if blind else {}
        doc = gold.document(name)
        units = [u for u in gold.edition(name)["units"] if u["type"] not in FURNITURE]
        found[name] = (bare(doc, **meta), gold_tags(units, [u.id for u in doc.units]))
    return found


FURNITURE = ("notice", "running-head", "page-number", "signature", "separator", "note-ref", "signature-mark")


def others() -> dict[str, tuple[Document, dict[str, set[tuple[str, str]]]]]:
    """The further documents: each gold unit's corrected text as a source of its own making."""
    import hashlib
    import json

    from hoyle.model import Block, Clause, Meta, Source, Span
    from hoyle.tables import vocabulary
    from support.gold import EDITOR, GOLD

    found = {}
    for path in sorted((GOLD / "documents" / "gold").glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        text, units, kept = "", [], []
        for i, unit in enumerate(data["units"]):
            if unit["type"] in FURNITURE:
                if unit["type"] == "running-head":
                    span = Span(len(text), len(text) + len(unit["corrected"]))
                    text += unit["corrected"] + "\n\n"
                    units.append(Block(f"{path.stem}.h{i}", "running-head", (span,), EDITOR))
                continue
            span = Span(len(text), len(text) + len(unit["corrected"]))
            text += unit["corrected"] + "\n\n"
            name = f"{path.stem}.{unit['n'] or ''}#{i}"
            if unit["type"] == "clause":
                units.append(Clause(name, "", tuple(str(unit["n"] or i).split(".")), (span,), EDITOR))
            else:
                units.append(Block(name, unit["type"], (span,), EDITOR))
            kept.append((unit, name))
        raw = text.encode()
        lang = {"ru": "ru" if path.stem == "ru16" else "ru-petr1708", "fr": "fr"}[data["lang"]]
        doc = Document(Source(path.stem, path.name, text, hashlib.sha256(raw).hexdigest(), len(raw)), Meta(path.stem, lang=lang))
        doc = doc.with_layer("furniture", [u for u in units if isinstance(u, Block) and u.kind == "running-head"])
        doc = doc.with_layer("clauses", [u for u in units if not (isinstance(u, Block) and u.kind == "running-head")])
        gold = gold_tags([u for u, _ in kept], [n for _, n in kept])
        gold["game"] = {(unit, game) for unit, game in gold["game"] if game in vocabulary("games")}
        found[path.stem] = (doc, gold)
    return found


def places(document: str) -> frozenset[str]:
    """Cues whose only attestation is in ``document``: its example is from there and it fires nowhere else."""
    from hoyle.stages.tagging.cues import cues

    tags = ("ru", "fr")
    home = frozenset(cue.key for tag in tags for cue in cues(tag) if cue.place == document)
    fired = Counter(key for name, keys in _fired().items() if name != document for key in keys)
    return frozenset(key for key in home if not fired[key])


@cache
def _fired() -> dict[str, frozenset[str]]:
    from hoyle.stages.tag import parse

    everything = {**corpus(), **others()}
    return {
        name: frozenset(span._.cue.key for one in parse(doc) for span in one.doc.spans["cues"])
        for name, (doc, _) in everything.items()
    }


def evaluate(documents: Mapping[str, Any], *, errors: bool = False, without: bool = False) -> dict[str, Score]:
    """Score of all documents together; printed one by one."""
    from hoyle.stages.tag import tags

    total = {facet: Score() for facet in FACETS}
    for name, (document, gold) in documents.items():
        off = places(name) if without else frozenset()
        scores = score(tags(document, off), gold)
        _report(name, scores, errors)
        for facet in FACETS:
            total[facet].add(scores[facet])
    _report("TOTAL", total, errors=False)
    return total


if __name__ == "__main__":
    flags = set(sys.argv[1:])
    show, leave_out = "--errors" in flags, "--without" in flags
    print("the five (precision, recall, F1)", "blind: no meta.games, no title" if "--blind" in flags else "")
    evaluate(corpus("--blind" in flags), errors=show, without=leave_out)
    if not leave_out:
        print("further documents")
        evaluate(others(), errors=show)
