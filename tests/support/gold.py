"""The gold editions as the tests see them, and as Documents (every layer as the editors made it)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from rapidfuzz.distance import Levenshtein

from hoyle.document import Block, Clause, Document, Edit, Evidence, Meta, Reference, Source, Span, Tag

GOLD = Path(__file__).parent.parent / "golden"
SEEDS = GOLD.parent.parent / "seeds"
EDITIONS = ("whist-lexicon", "quinze", "patience", "bridge-laws", "preference")
EDITOR = Evidence("gold", 1.0)


@cache
def edition(name: str) -> dict[str, Any]:
    """A gold edition as its JSON file has it."""
    return json.loads((GOLD / "editions" / f"{name}.json").read_text(encoding="utf-8"))


def source(name: str) -> Source:
    """The raw text of a gold edition."""
    file = edition(name)["file"]
    data = (SEEDS / file).read_bytes()
    return Source(name, file, data.decode(), hashlib.sha256(data).hexdigest(), len(data))


@cache
def document(name: str) -> Document:
    """A gold edition as a Document: units, edits, tags and references of the editors."""
    gold = edition(name)
    meta = gold["meta"]
    lang = {"fr": "fr", "ru": "ru-petr1708" if meta["orthography"].startswith("pre") else "ru"}[meta["lang"]]
    src = source(name)
    bare = Document(src, Meta(id=name, title=name, lang=lang, file=src.name, games=tuple(meta["games"])))
    units = [_unit(name, i, u, src.text) for i, u in enumerate(gold["units"])]
    series: dict[tuple[str, ...], int] = {}
    kept: list[Clause | Block] = []
    for unit in units:
        kept.append(unit)
        if isinstance(unit, Clause):
            nth = series[unit.number] = series.get(unit.number, 0) + 1
            if nth > 1:
                kept[-1] = replace(unit, series=nth, id=f"{name}.s{nth}.{unit.n}")
    furniture = [
        u
        for u in kept
        if isinstance(u, Block)
        and u.kind in ("notice", "running-head", "page-number", "signature", "separator", "note-ref")
    ]
    edits: list[Edit] = []
    tags: list[Tag] = []
    refs: list[Reference] = []
    ids = {(u.n if isinstance(u, Clause) else ""): u.id for u in kept}
    for raw, unit in zip(gold["units"], kept, strict=True):
        if unit in furniture or not unit.spans:
            continue
        regs = _edits(src.text, unit.spans, raw["corrected"], raw.get("modern", raw["corrected"]))
        edits += regs
        tags += _tags(raw, unit)
        for ref in raw.get("refs", []):
            path = tuple(str(ref["target"] or "").split("."))
            target = ids.get(".".join(path), "")
            status = "exact" if target else "outside"
            refs.append(Reference(unit.id, unit.spans[:1], ref["text"], path, target, status, EDITOR))
    doc = bare.with_layer("furniture", furniture)
    doc = doc.with_layer("clauses", [u for u in kept if u not in furniture])
    doc = doc.with_layer("correct", [e for e in edits if e.kind != "regularise"])
    doc = doc.with_layer("regularise", [e for e in edits if e.kind == "regularise"])
    return doc.with_layer("tag", tags).with_layer("references", refs)


def _unit(name: str, i: int, unit: dict[str, Any], text: str) -> Clause | Block:
    spans = tuple(Span(*s) for s in unit["spans"])
    while spans and not text[spans[-1].start : spans[-1].end].strip():
        spans = spans[:-1]
    if unit["type"] == "gap":
        spans = (Span(unit["at"], unit["at"]),)
    if unit["type"] != "clause":
        return Block(f"{name}.b{i}", unit["type"], spans, EDITOR, n=str(unit["n"] or ""))
    path = tuple(str(unit["n"]).split("."))
    label = unit["label_raw"] or ""
    at = text.find(label, spans[0].start) if label else -1
    return Clause(
        id=f"{name}.{unit['n']}",
        label=label,
        number=path,
        spans=spans,
        why=EDITOR,
        label_span=Span(at, at + len(label)) if at == spans[0].start else None,
        scheme=unit.get("scheme") or "",
        incomplete=unit.get("incomplete") or "",
    )


def _edits(text: str, spans: tuple[Span, ...], corrected: str, modern: str) -> list[Edit]:
    """Word-sized edits that turn raw into corrected, and regularisations on top of them."""
    raw = "".join(text[s.start : s.end] for s in spans)
    where = [i for s in spans for i in range(*s)]
    cuts = [0]
    for s in spans:
        cuts.append(cuts[-1] + s.end - s.start)
    out: list[Edit] = []
    for op in Levenshtein.opcodes(raw, corrected):
        if op.tag == "equal":
            continue
        inner = [c for c in cuts[1:-1] if op.src_start < c < op.src_end]
        bounds = [op.src_start, *inner, op.src_end]
        for k, (a, b) in enumerate(pairwise(bounds)):
            after = corrected[op.dest_start : op.dest_end] if k == 0 else ""
            start = where[a] if a < len(where) else spans[-1].end
            span = Span(start, start + b - a)
            before = text[span.start : span.end]
            kind = "layout" if (before, after) == ("\n", " ") else "correct"
            out.append(Edit(span, before, after, kind, Evidence("gold", 0.99)))
    return _merge_insertions(out, text) + _regularise(raw, where, corrected, modern)


def _merge_insertions(edits: list[Edit], text: str) -> list[Edit]:
    """Two edits at one place become one."""
    out: list[Edit] = []
    for edit in sorted(edits, key=lambda e: e.span):
        if out and out[-1].span.end >= edit.span.start and out[-1].span.start == edit.span.start:
            last = out.pop()
            span = Span(last.span.start, max(last.span.end, edit.span.end))
            after = last.after + edit.after
            out.append(Edit(span, text[span.start : span.end], after, "correct", edit.why))
        else:
            out.append(edit)
    return out


def _regularise(raw: str, where: list[int], corrected: str, modern: str) -> list[Edit]:
    """Whole words of the corrected text that the modern one spells otherwise, where raw is untouched."""
    out: list[Edit] = []
    if len(corrected.split()) != len(modern.split()):
        return out
    at = 0
    for old, new in zip(corrected.split(), modern.split(), strict=True):
        if old != new and (pos := raw.find(old, at)) >= 0:
            end = pos + len(old)
            contiguous = where[end - 1] - where[pos] == len(old) - 1
            alone = (pos == 0 or raw[pos - 1].isspace()) and (end == len(raw) or raw[end].isspace())
            if contiguous and alone:
                span = Span(where[pos], where[end - 1] + 1)
                out.append(Edit(span, old, new, "regularise", EDITOR))
            at = end
    return out


def _tags(raw: dict[str, Any], unit: Clause | Block) -> list[Tag]:
    spans = unit.spans[:1]
    first = (Span(spans[0].start, min(spans[0].start + 8, spans[0].end)),)
    tags = [Tag(unit.id, "game", raw["game"], (), "", EDITOR)] if raw.get("game") else []
    tags += [Tag(unit.id, "actor", a["id"], first, a["text"], Evidence("gold", 0.8)) for a in raw["actors"]]
    tags += [
        Tag(
            unit.id,
            "penalty",
            p["type"],
            first,
            p["text"],
            Evidence("gold", 0.8),
            against=p.get("against") or "",
            exacted_by=p.get("by") or "",
        )
        for p in raw["penalties"]
    ]
    if raw.get("modality"):
        tags.append(Tag(unit.id, "modality", raw["modality"], first, "", Evidence("gold", 0.9), main=True))
    return tags
