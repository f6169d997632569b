"""A document as plain rows, one dictionary each, for every table of ``schemas/tables.toml``.

All formats are written from these rows, so they agree. Values are exact: what a format cannot
hold (a NUL in CSV) is that format's business. A string that is not there is ``None``, a list
that is not there is empty. Probabilities are rounded to four decimals.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, partial
from typing import Any, TypeAlias

from hoyle.document import Amount, Block, Clause, Document, Evidence, Span, Tag, Unit, group_by_unit
from hoyle.document.dates import years
from hoyle.document.text_layers import LayerText, layer_text, normalise_whitespace
from hoyle.facets import facets
from hoyle.orthography.search_key import tokens
from hoyle.outputs.schema import list_facets
from hoyle.outputs.tokens import Ranges, lemmas, token_units
from hoyle.tables import Concept
from hoyle.tei.facsimile import image_path

Record: TypeAlias = dict[str, Any]
"""One row: column name → str, int, float, bool, list or None."""

_LABELS = ("en", "fr", "ru", "ru-petr1708")
_MARKS = frozenset(" .,:;!?…()«»")
_NO_TEXT: Record = {"raw": "", "corrected": None, "modern": None}
_PAGED = ("page-number", "running-head")


def records(document: Document) -> Iterator[tuple[str, list[Record]]]:
    """The rows of ``document`` table by table; what a foreign key points at comes first."""
    makers: dict[str, Callable[[_View], Iterable[Record]]] = {
        "documents": _documents,
        "units": _units,
        "blocks": _blocks,
        "clauses": _clauses,
        "tags": _tags,
        "conditions": _conditions,
        "amounts": _amounts,
        "references": _references,
        "edits": _edits,
        "findings": _findings,
        "pages": _pages,
        "words": _words,
    }
    view = _View(document)
    for table, make in makers.items():
        yield table, list(make(view))


def token_records(document: Document) -> Iterator[list[Record]]:
    """The rows of the table ``tokens`` for ``document``, unit by unit."""
    for unit in token_units(document):
        yield [
            {
                "doc": document.id,
                "unit": unit.unit.id,
                "sentence": sentence,
                "position": position,
                "spans": _spans(token.raw),
                "text": token.text,
                "modern": token.modern,
                "lemma": unit.lemma(token) or None,
                "pos": unit.pos(token) or None,
            }
            for sentence, (start, end) in enumerate(unit.sentences, 1)
            for position, token in enumerate(unit.tokens[start:end], 1)
        ]


def clause_records(document: Document) -> Iterator[Record]:
    """The rows of the table ``clauses`` for ``document``, in reading order."""
    return _clauses(_View(document))


def vocabulary_records() -> Iterator[tuple[str, list[Record]]]:
    """The rows of ``concepts`` and of the vocabularies; they belong to no document."""
    rows = {
        id_: list(_by_rank([_concept(concept) for concept in facet.concepts.values()]))
        for id_, facet in facets().items()
    }
    yield "concepts", [{"facet": id_, **row} for id_, found in rows.items() for row in found]
    for id_, facet in facets().items():
        yield facet.vocabulary, rows[id_]


def _concept(concept: Concept) -> Record:
    labels = {f"label_{tag.replace('-', '_')}": concept.labels.get(tag) for tag in _LABELS}
    return {"id": concept.id, "broader": concept.broader or None, **labels, "scope_en": concept.scope or None}


def _by_rank(rows: Sequence[Record]) -> Iterator[Record]:
    """Broader concepts before narrower ones, else in the order of the vocabulary."""
    waiting, done = list(rows), {None}
    while waiting:
        ready = [row for row in waiting if row["broader"] in done]
        yield from ready
        done.update(row["id"] for row in ready)
        waiting = [row for row in waiting if row["id"] not in done]


class _View:
    """What the rows of one document need to know of it, found once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.units: tuple[Unit, ...] = document.units
        self.by_id: dict[str, Unit] = {unit.id: unit for unit in self.units}
        self._texts: dict[str, tuple[Record, float]] = {}
        self._modern: dict[str, tuple[str, Ranges]] = {}

    @cached_property
    def tags(self) -> dict[str, list[Tag]]:
        """The tags of each unit."""
        return group_by_unit(self.document.tags)

    @cached_property
    def refs(self) -> dict[str, list[Record]]:
        """The references of each unit as ``clauses.refs`` shows them."""
        found: dict[str, list[Record]] = {}
        for ref in self.document.references:
            row = {"text": ref.text, "target": ref.target or None, "status": ref.status}
            found.setdefault(ref.unit, []).append(row)
        return found

    @cached_property
    def _places(self) -> list[tuple[Span, str]]:
        every = (*self.units, *self.document.furniture)
        return sorted((span, unit.id) for unit in every for span in unit.spans)

    def unit_at(self, where: Span) -> str | None:
        """The id of the unit that characters lie in; text inserted between two belongs to the second."""
        at = bisect_right(self._places, where.start, key=lambda place: place[0].start) - 1
        while at >= 0:
            span, id_ = self._places[at]
            if span.covers(where):
                return id_
            if span.start < where.start:
                break
            at -= 1
        return None

    @cached_property
    def _pages(self) -> list[tuple[int, str]]:
        marks = (block for block in self.document.furniture if block.n and block.kind in _PAGED)
        return [(block.spans[0].start, block.n) for block in marks if block.spans]

    def pages(self, spans: Sequence[Span]) -> list[str | None]:
        """The page numbers last printed before the first and before the last character."""
        if not spans:
            return []
        first, last = min(span.start for span in spans), max(span.end for span in spans) - 1
        pages = [self._page(first), self._page(max(first, last))]
        return pages if any(pages) else []

    def _page(self, at: int) -> str | None:
        before = bisect_right(self._pages, at, key=lambda mark: mark[0])
        return self._pages[before - 1][1] if before else None

    def texts(self, unit: Unit) -> tuple[Record, float]:
        """The three layers of a unit, and the lowest confidence of the edits in them."""
        if unit.id not in self._texts:
            self._texts[unit.id] = self._read(unit)
        return self._texts[unit.id]

    def words(self, unit: Unit) -> int:
        """The number of words of the corrected text of a unit; a number in figures is none."""
        return sum(not word.isdecimal() for word in tokens(self.texts(unit)[0]["corrected"]))

    def modern(self, tag: Tag) -> str | None:
        """The words of a tag in modern spelling; where the tag cuts a change, the change is whole."""
        if not tag.spans or tag.unit not in self.by_id:
            return None
        self.texts(self.by_id[tag.unit])
        reading, ranges = self._modern[tag.unit]
        words, at = "", 0
        for start, end in (place for span in tag.spans for place in ranges.of(span)):
            between = reading[at:start] if words else ""
            words += (" … " if between.strip() else between) + reading[start:end]
            at = end
        # A change may hold the comma after the word as well.
        return normalise_whitespace(words.strip("".join(_MARKS.difference(tag.text)))) or None

    def penalty(self, amount: Amount) -> str | None:
        """The penalty that an amount belongs to: of those of the unit that have its words, the nearest."""

        def distance(tag: Tag) -> int:
            return min((abs(a.start - b.start) for a in tag.spans for b in amount.spans), default=0)

        found = (
            t for t in self.tags.get(amount.unit, ()) if t.facet == "penalty" and t.amount == amount.text
        )
        nearest = min(found, key=distance, default=None)
        return nearest.value if nearest else None

    @cached_property
    def lemmas(self) -> Callable[[str], str]:
        """The lemmas of words; many tags have the same."""
        return cache(partial(lemmas, lang=self.document.lang))

    def _read(self, unit: Unit) -> tuple[Record, float]:
        document, spans = self.document, unit.spans
        corrected, modern = (document.edits_in(spans, layer) for layer in ("corrected", "modern"))
        readings = {
            layer: LayerText(document.source.text, edits, spans, document=document.id)
            for layer, edits in (("raw", ()), ("corrected", corrected), ("modern", modern))
        }
        self._modern[unit.id] = readings["modern"].text, Ranges(readings["modern"])
        made = {layer: normalise_whitespace(reading.text) for layer, reading in readings.items()}
        return made, min((e.why.confidence for e in (*corrected, *modern)), default=1.0)

    def corrected(self, spans: Sequence[Span]) -> str | None:
        """The corrected text of ``spans`` on one line."""
        return " ".join(layer_text(self.document, spans, "corrected").text.split()) or None

    def game(self, clause: Clause) -> str | None:
        """The game of a clause: its own tag, else the one game of the document."""
        own = [tag.value for tag in self.tags.get(clause.id, ()) if tag.facet == "game"]
        known = own or (self.document.meta.games if len(self.document.meta.games) == 1 else ())
        return next(iter(known), None)

    def values(self, clause: Clause, facet: str) -> list[str]:
        """The concepts of one facet, each once, in order."""
        return list(dict.fromkeys(tag.value for tag in self.tags.get(clause.id, ()) if tag.facet == facet))

    def modality(self, clause: Clause) -> str | None:
        """The modality that speaks for the clause: the main one, else the first."""
        found = [tag for tag in self.tags.get(clause.id, ()) if tag.facet == "modality"]
        return next((tag.value for tag in sorted(found, key=lambda tag: not tag.main)), None)

    def heading(self, clause: Clause) -> str | None:
        """The clause's own title, else that of the heading it stands under."""
        if clause.heading:
            return self.corrected([clause.heading])
        above = self.by_id.get(clause.under)
        return self.corrected(above.spans) if above else None


def _spans(spans: Iterable[Span]) -> list[list[int]]:
    return [[span.start, span.end] for span in spans]


def _why(why: Evidence) -> Record:
    return {"by": why.by, "confidence": round(why.confidence, 4)}


def _documents(view: _View) -> Iterator[Record]:
    document, meta = view.document, view.document.meta
    dated = years(meta.date)
    given = ("date_note", "author", "publisher", "licence", "origin")
    yield {
        "id": document.id,
        "title": meta.name,
        "lang": document.lang,
        "date": meta.date or None,
        "year_from": dated.first if dated else None,
        "year_to": dated.last if dated else None,
        **{name: getattr(meta, name) or None for name in given},
        "games": list(meta.games),
        "numbering": list(meta.numbering),
        "editors": list(meta.editors),
        "file": document.source.name,
        "sha256": document.source.sha256,
        "size": document.source.size,
        "encoding": document.source.encoding,
        "characters": len(document.source.text),
        "words": sum(map(view.words, view.units)),
        "clauses": len(document.clauses),
        "blocks": len(view.units) + len(document.furniture) - len(document.clauses),
        "edits": len(document.edits),
        "tags": len(document.tags),
        "references": len(document.references),
        "findings": len(document.findings),
    }


def _units(view: _View) -> Iterator[Record]:
    doc = view.document.id
    for position, unit in enumerate(view.units, 1):
        kind = "clause" if isinstance(unit, Clause) else unit.kind
        yield {"id": unit.id, "doc": doc, "kind": kind, "position": position}
    for block in view.document.furniture:
        yield {"id": block.id, "doc": doc, "kind": block.kind, "position": None}


def _blocks(view: _View) -> Iterator[Record]:
    for unit in view.units:
        if isinstance(unit, Block):
            texts = view.texts(unit)[0]
            yield _block(view, unit, texts if texts["raw"] else _NO_TEXT)
    for block in view.document.furniture:
        raw = normalise_whitespace("".join(view.document.source.text[slice(*span)] for span in block.spans))
        yield _block(view, block, {**_NO_TEXT, "raw": raw})


def _block(view: _View, block: Block, texts: Record) -> Record:
    return {
        "doc": view.document.id,
        "id": block.id,
        "kind": block.kind,
        "n": block.n or None,
        "parent": block.parent or None,
        "spans": _spans(block.spans),
        **texts,
        "pages": view.pages(block.spans),
        **_why(block.why),
    }


def _clauses(view: _View) -> Iterator[Record]:
    for clause in view.document.clauses:
        texts, lowest = view.texts(clause)
        yield {
            "doc": view.document.id,
            "clause": clause.id,
            "series": clause.series,
            "number": clause.n,
            "path": list(clause.number),
            "label_raw": clause.label or None,
            "scheme": clause.scheme or None,
            "lang": view.document.lang,
            "game": view.game(clause),
            "heading": view.heading(clause),
            "spans": _spans(clause.spans),
            **texts,
            "words": view.words(clause),
            "pages": view.pages(clause.spans),
            "modality": view.modality(clause),
            **{facet.vocabulary: view.values(clause, facet.id) for facet in list_facets()},
            "refs": view.refs.get(clause.id, []),
            "incomplete": clause.incomplete or None,
            "confidence": round(min(clause.why.confidence, lowest), 4),
            "flags": list(clause.flags),
            "under": clause.under or None,
            "by": clause.why.by,
        }


def _tags(view: _View) -> Iterator[Record]:
    for tag in view.document.tags:
        yield {
            "doc": view.document.id,
            "unit": tag.unit,
            "facet": tag.facet,
            "value": tag.value,
            "spans": _spans(tag.spans),
            "text": tag.text or None,
            "modern": view.modern(tag),
            "lemma": view.lemmas(tag.text) or None,
            "part": tag.part or None,
            "against": tag.against or None,
            "exacted_by": tag.exacted_by or None,
            "amount": tag.amount or None,
            "main": tag.main,
            **_why(tag.why),
        }


def _conditions(view: _View) -> Iterator[Record]:
    for condition in view.document.conditions:
        yield {
            "doc": view.document.id,
            "unit": condition.unit,
            "spans": _spans(condition.spans),
            "condition": condition.text,
            "then_spans": _spans(condition.then_spans),
            "consequence": condition.then or None,
            **_why(condition.why),
        }


def _amounts(view: _View) -> Iterator[Record]:
    for amount in view.document.amounts:
        yield {
            "doc": view.document.id,
            "unit": amount.unit,
            "spans": _spans(amount.spans),
            "text": amount.text,
            "low": amount.low,
            "high": amount.high,
            "measure": amount.measure or None,
            "penalty": view.penalty(amount),
            **_why(amount.why),
        }


def _references(view: _View) -> Iterator[Record]:
    for ref in view.document.references:
        path = [part for part in ref.number if part]
        yield {
            "doc": view.document.id,
            "unit": ref.unit,
            "spans": _spans(ref.spans),
            "text": ref.text,
            "number": ".".join(path) or None,
            "path": path,
            "target": ref.target or None,
            "status": ref.status,
            **_why(ref.why),
        }


def _edits(view: _View) -> Iterator[Record]:
    for edit in view.document.edits:
        yield {
            "doc": view.document.id,
            "unit": view.unit_at(edit.span),
            "start": edit.span.start,
            "end": edit.span.end,
            "before": edit.before,
            "after": edit.after,
            "kind": edit.kind,
            **_why(edit.why),
        }


def _findings(view: _View) -> Iterator[Record]:
    for finding in view.document.findings:
        yield {
            "doc": view.document.id,
            "topic": finding.topic,
            "value": finding.value,
            "start": finding.span.start if finding.span else None,
            "end": finding.span.end if finding.span else None,
            "doubt": finding.doubt,
            **_why(finding.why),
        }


def _pages(view: _View) -> Iterator[Record]:
    document = view.document
    for number, page in enumerate(document.pages, 1):
        local = page.image and not page.linked
        yield {
            "doc": document.id,
            "page": number,
            "label": page.label or document.printed_number(page) or None,
            "start": page.span.start,
            "end": page.span.end,
            "width": int(page.width) or None,
            "height": int(page.height) or None,
            "image": image_path(document.id, number) if local else page.image or None,
        }


def _words(view: _View) -> Iterator[Record]:
    text = view.document.source.text
    for number, page in enumerate(view.document.pages, 1):
        for word in page.words:
            yield {
                "doc": view.document.id,
                "page": number,
                "unit": view.unit_at(word.span),
                "start": word.span.start,
                "end": word.span.end,
                "text": text[word.span.start : word.span.end],
                **{side: int(place) for side, place in word.box._asdict().items()},
            }
