"""Finds what belongs to the page or to the web reader, not to the text.

Running heads, page numbers and signatures come from ``structure.heads``; here are the kinds that need no
weighing: rules of one repeated sign, marks of notes in brackets, byte-order marks; and the
lines that a digital library puts before or after a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from hoyle.document import Block, BlockKind, Document, Evidence, Span
from hoyle.languages import Language
from hoyle.layout.lines import Cover, Line, lines, trimmed
from hoyle.layout.page_furniture import THRESHOLD, heads
from hoyle.numbering.cues import CueWords

INITIALS: dict[str, str] = {
    "notice": "n",
    "running-head": "rh",
    "page-number": "pn",
    "signature": "sg",
    "separator": "sp",
    "note-ref": "nr",
}
"""What the ids of the kinds of furniture are made of."""

_RULE = re.compile(r"\?{6,}|([-_=*~—–·•])(?:[ \t]?\1){4,}")
_NOTE_REF = re.compile(r"(?<=[\w.,;:!?»)])\[\d{1,3}\]")
_MARK = re.compile("[\ufeff\u200b]+")
_NOTICE_LINES = 3
_LONGEST_NOTICE = 120


def find_furniture(document: Document, language: Language) -> Iterable[Block]:
    """Blocks of the kinds in :data:`hoyle.document.FURNITURE`, in raw order."""
    text = document.source.text
    rows = lines(text)
    cover = Cover()
    found: list[tuple[BlockKind, tuple[Span, ...], str, Evidence]] = []

    def add(kind: BlockKind, spans: tuple[Span, ...], number: str, by: str, confidence: float) -> None:
        if not any(cover.touches(span) for span in spans):
            for span in spans:
                cover.add(span)
            found.append((kind, spans, number, Evidence(by, confidence)))

    for match in _MARK.finditer(text):
        add("notice", (Span(*match.span()),), "", "layout/furniture:mark", 1.0)
    page = heads(text, rows, language.resource(CueWords))
    for span, by in _notices(_apart(rows, [span for head in page for span in head.spans]), language):
        add("notice", (span,), "", by, 0.95)
    for match in _RULE.finditer(text):
        add("separator", (Span(*match.span()),), "", "layout/furniture:rule", 0.98)
    for match in _NOTE_REF.finditer(text):
        add("note-ref", (Span(*match.span()),), match[0].strip("[]"), "layout/furniture:note", 0.97)
    for head in page:
        confidence = round(min(0.99, 0.8 + 0.05 * (head.score - THRESHOLD)), 3)
        add(head.kind, head.spans, head.number, f"layout/furniture:{head.kind}", confidence)

    counts: dict[str, int] = {}
    for kind, spans, number, why in sorted(found, key=lambda item: item[1]):
        counts[kind] = counts.get(kind, 0) + 1
        yield Block(f"{document.id}.{INITIALS[kind]}{counts[kind]}", kind, spans, why, n=number)


def _apart(rows: Sequence[Line], taken: Sequence[Span]) -> list[Line]:
    """The lines; of a first line with page furniture in it, only what stands before the furniture.

    Where the line ends of a text are lost a notice is followed by the head of a page.
    """
    if not rows:
        return []
    first = rows[0]
    inside = [span for span in taken if first.span.start < span.start < first.span.end]
    if not inside:
        return list(rows)
    before = trimmed(first.text, Span(0, min(inside).start - first.span.start))
    text = first.text[before.start : before.end]
    if len(text) > _LONGEST_NOTICE:
        return list(rows)
    span = Span(first.span.start + before.start, first.span.start + before.end)
    return [Line(span, text, first=True, last=True), *rows[1:]]


def _notices(rows: Sequence[Line], language: Language) -> Iterable[tuple[Span, str]]:
    """Lines of a web reader or of the OCR at either end of the text, set apart from it."""
    if len(rows) < 2 and not any(len(row.text) <= _LONGEST_NOTICE for row in rows):
        return
    for row in {row.span: row for row in (*rows[:_NOTICE_LINES], *rows[-_NOTICE_LINES:])}.values():
        if not row.first or not row.last or row.text[-1] in ".!?:;":
            continue
        for pattern, where in language.resource(_patterns):
            if pattern.search(row.text):
                yield row.span, where
                break


def _patterns(language: Language) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The patterns of ``notices.tsv`` and their rows.

    Who puts a notice before an old text writes the language of today.
    """
    return tuple(
        (re.compile(row["pattern"], re.IGNORECASE), row.where)
        for one in language.orthographies
        for row in one.table("notices", ("pattern", "example"))
    )
