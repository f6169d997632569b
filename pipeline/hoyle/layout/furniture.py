"""Finds what belongs to the page or to the web reader, not to the text.

Running heads, page numbers and signatures come from ``structure.heads``; here are the kinds that need no
weighing: rules of one repeated sign, marks of notes in brackets, byte-order marks; and the
lines that a digital library puts before or after a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from hoyle.document import Block, BlockKind, Document, Edit, Evidence, Span
from hoyle.languages import Language
from hoyle.layout.lines import Cover, Line, lines, trimmed
from hoyle.layout.markup import INLINE, MARKUP, Mark, markup
from hoyle.layout.notes import notes
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

_RULE = re.compile(
    r"\?{6,}|([-_=*~—–·•])(?:[ \t]?\1){4,}|^[ \t]*([+^\"#`])\2{3,}(?=[ \t]*\r?$)", re.MULTILINE
)
_NOTE_REF = re.compile(r"(?<=[\w.,;:!?»)*_])\[(?:\d{1,3}|\^[\w-]{1,20})\](?!:)")
_MARK = re.compile("[\ufeff\u200b]+")
_NOTICE_LINES = 3
_LONGEST_NOTICE = 120


_KINDS: dict[str, BlockKind] = {"block": "separator", "notice": "notice", "page-number": "page-number"}
"""What the roles of marks that stand apart from text make."""


class _Piece(NamedTuple):
    kind: BlockKind
    spans: tuple[Span, ...]
    number: str
    by: str
    confidence: float


def find_furniture(document: Document, language: Language) -> Iterable[Block | Edit]:
    """Blocks of the kinds in :data:`hoyle.document.FURNITURE`, in raw order, and edits that delete markup.

    Args:
        document: with the layer language.
        language: its language, whose notices and cue words are looked for.
    """
    text, cover = document.source.text, Cover()
    marks = markup(text)
    found: list[_Piece] = []
    for piece in _pieces(text, marks, language):
        if not any(cover.touches(span) for span in piece.spans):
            for span in piece.spans:
                cover.add(span)
            found.append(piece)
    for mark in marks:
        if mark.role in INLINE and not cover.touches(mark.span):
            before = text[mark.span.start : mark.span.end]
            yield Edit(mark.span, before, "", "layout", Evidence(f"{MARKUP}:{mark.role}", 0.97))
    counts: dict[str, int] = {}
    for kind, spans, number, by, confidence in sorted(found, key=lambda piece: piece.spans):
        counts[kind] = counts.get(kind, 0) + 1
        ident = f"{document.id}.{INITIALS[kind]}{counts[kind]}"
        yield Block(ident, kind, spans, Evidence(by, confidence), n=number)


def _pieces(text: str, marks: Sequence[Mark], language: Language) -> Iterator[_Piece]:
    """What may be furniture, the surest first; of two that overlap the first counts."""
    for match in _MARK.finditer(text):
        yield _Piece("notice", (Span(*match.span()),), "", "layout/furniture:mark", 1.0)
    for mark in marks:
        if mark.role in _KINDS:
            yield _Piece(_KINDS[mark.role], (mark.span,), mark.n, MARKUP, 0.97)
    rows = lines(text)
    marked = Cover()
    for mark in marks:
        marked.add(mark.span)
    found = heads(text, rows, language.resource(CueWords))
    page = [head for head in found if not any(marked.touches(span) for span in head.spans)]
    for span, by in _notices(_apart(rows, [span for head in page for span in head.spans]), language):
        yield _Piece("notice", (span,), "", by, 0.95)
    for match in _RULE.finditer(text):
        yield _Piece("separator", (Span(*match.span()),), "", "layout/furniture:rule", 0.98)
    for match in _NOTE_REF.finditer(text):
        number = match[0].strip("[]^")
        yield _Piece("note-ref", (Span(*match.span()),), number, "layout/furniture:note", 0.97)
    for note in notes(text):
        number = note.mark.strip("[]^()")
        yield _Piece("note-ref", (note.call,), number, "layout/furniture:note", 0.9)
    for head in page:
        confidence = round(min(0.99, 0.8 + 0.05 * (head.score - THRESHOLD)), 3)
        yield _Piece(head.kind, head.spans, head.number, f"layout/furniture:{head.kind}", confidence)


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
