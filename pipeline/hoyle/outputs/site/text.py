"""A unit's text as the site shows it: three layers in one run of HTML, words kept whole.

Unchanged text stands once. Where an edit changes something, the whole word is given in each
of its readings, and the style sheet shows the one of the layer that the reader chose:

``<x-w by="3" p="86"><l-r>третш</l-r><l-c>третій</l-c><l-m>третий</l-m></x-w>``

``l-r`` is the raw reading, ``l-c`` the corrected, ``l-m`` the modern one; ``l-rc`` and ``l-cm`` serve
two layers. Custom elements instead of spans with classes keep a page of 300 clauses under 1 MB.
``by`` numbers the rules and models behind the word as the page lists them, ``p`` is the probability
in per cent (left out where it is 100), ``at`` the place of the word on the scan, if there is one.
``x-g`` is a word where only spelling or setting changed; the class says ``lo`` (a doubtful reading),
``un`` (an uncertain one) or ``lm`` (only the modern spelling is doubtful).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from markupsafe import Markup, escape

from hoyle.document import Block, Document, Edit, Span

DOUBTFUL = 0.8
"""Below this probability a reading is shown as doubtful, marked or not."""
UNCERTAIN = 0.5
"""Below this one it is more likely wrong than right, and shown so."""

# HTML has no place for control characters; Unicode has pictures of them.
_VISIBLE = {code: 0x2400 + code for code in range(32) if code not in (9, 10)} | {
    0x7F: 0x2421,
    0x0D: 0x0A,
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
    **dict.fromkeys(range(0xFDD0, 0xFDF0), 0xFFFD),
    **dict.fromkeys((plane << 16 | low for plane in range(17) for low in (0xFFFE, 0xFFFF)), 0xFFFD),
    **dict.fromkeys(range(0xD800, 0xE000), 0xFFFD),
}


@dataclass(frozen=True, slots=True)
class Atom:
    """A stretch of a unit: unchanged text (no ``edits``), or a changed word in its three readings."""

    span: Span
    raw: str
    corrected: str
    modern: str
    edits: tuple[Edit, ...] = ()
    block: Block | None = None
    """Furniture that interrupts the text here (the readings are empty then)."""

    @property
    def changed(self) -> bool:
        """Whether the text changed for a reader: a line end that became a space does not count."""
        return any(e.kind != "layout" or not e.before.isspace() or e.after != " " for e in self.edits)

    @property
    def corrected_here(self) -> bool:
        """Whether an OCR error or a misprint was corrected, not only spelling or layout."""
        return any(e.kind in ("correct", "misprint") for e in self.edits)

    @property
    def confidence(self) -> float:
        """The lowest probability of its edits."""
        return min((e.why.confidence for e in self.edits), default=1.0)

    @property
    def doubtful(self) -> bool:
        """Whether the corrected reading is doubtful, apart from its modern spelling."""
        return self.changed and any(e.why.confidence < DOUBTFUL for e in self.edits if e.kind != "regularise")


Parts = list[list[Atom]]


def atoms(document: Document, spans: Sequence[Span], cuts: Collection[int] = ()) -> Parts:
    """The atoms of each part of a unit, in reading order.

    Args:
        document: the document.
        spans: the unit's parts, in reading order.
        cuts: raw offsets where a changed word must end (after a label glued to its text, say).
    """
    corrected = document.edits_in(spans, "corrected")
    modern = document.edits_in(spans, "modern")
    return [
        list(_part(document.source.text, part, _within(corrected, part), _within(modern, part), cuts))
        for part in spans
    ]


def _within(edits: Sequence[Edit], span: Span) -> list[Edit]:
    return [e for e in edits if span.start <= e.span.start < span.end and e.span.end <= span.end]


def _part(
    text: str, part: Span, corrected: Sequence[Edit], modern: Sequence[Edit], cuts: Collection[int]
) -> Iterator[Atom]:
    bounds = sorted({part.start, part.end, *(c for c in cuts if part.start <= c < part.end)})
    at = part.start
    below, above = deque(corrected), deque(modern)
    for word in _words(text, [*corrected, *(e for e in modern if e.kind == "regularise")], bounds):
        yield from _unchanged(text, at, word.start, bounds)
        old, new = _take(below, word.end), _take(above, word.end)
        every = (*old, *(e for e in new if e.kind == "regularise"))
        if every:
            raw = text[word.start : word.end]
            yield Atom(word, raw, _compose(text, word, old), _compose(text, word, new), every)
        at = word.end
    yield from _unchanged(text, at, part.end, bounds)


def _unchanged(text: str, start: int, end: int, bounds: Iterable[int]) -> Iterator[Atom]:
    cuts = [start, *(b for b in bounds if start < b < end), end]
    for low, high in pairwise(cuts):
        if low < high:
            raw = text[low:high]
            yield Atom(Span(low, high), raw, raw, raw)


def _take(edits: deque[Edit], end: int) -> list[Edit]:
    """The edits up to ``end``, removed from the queue: each belongs to one word."""
    taken: list[Edit] = []
    while edits and edits[0].span.end <= end:
        taken.append(edits.popleft())
    return taken


def _words(text: str, edits: Sequence[Edit], bounds: Sequence[int]) -> list[Span]:
    """The changed words: each edit widened to the white space around it, neighbours joined."""
    found: list[Span] = []
    for edit in sorted(edits, key=lambda e: e.span):
        start, end = edit.span
        low = max((b for b in bounds if b <= start), default=start)
        high = min((b for b in bounds if b >= end), default=end)
        if not (edit.before[:1].isspace() and edit.after[:1].isspace()):
            while start > low and not text[start - 1].isspace():
                start -= 1
        if not (edit.before[-1:].isspace() and edit.after[-1:].isspace()):
            while end < high and not text[end].isspace():
                end += 1
        # Words that touch stay apart only at a boundary that was asked for.
        while found and (found[-1].end > start or (found[-1].end == start and start not in bounds)):
            last = found.pop()
            start, end = min(start, last.start), max(end, last.end)
        found.append(Span(start, end))
    return found


def _compose(text: str, word: Span, edits: Sequence[Edit]) -> str:
    out: list[str] = []
    at = word.start
    for edit in sorted(edits, key=lambda e: e.span):
        out += text[at : edit.span.start], edit.after
        at = edit.span.end
    return "".join(out) + text[at : word.end]


@dataclass(frozen=True, slots=True)
class Mark:
    """Words to be marked: a tag (``css`` is a class) or a cross-reference (``href``, ``hint``)."""

    spans: tuple[Span, ...]
    css: str = ""
    href: str = ""
    hint: str = ""


def _nowhere(_: Sequence[Span]) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class MarkupContext:
    """What the markup of one document's texts needs.

    ``rule`` gives the number under which the page lists the source of an edit, ``furniture``
    the HTML of a page number or running head inside a text; ``modern`` is the language tag
    of the modern layer where that is another language than the document's, else empty.
    """

    rule: Callable[[str], int]
    furniture: Callable[[Block], Markup]
    modern: str = ""
    places: Callable[[Sequence[Span]], str] = _nowhere
    """Where words stand on the page, as the script reads it."""


def markup(flow: Sequence[Atom], marks: Sequence[Mark], context: MarkupContext) -> Markup:
    """Return the HTML of atoms: changed words in all readings, references as links, tagged words in spans.

    Args:
        flow: atoms in reading order.
        marks: the words that are tagged or refer.
        context: what the markup needs to know of the document.
    """
    pieces = [piece for atom in flow for piece in _split(atom, marks)]
    html = Markup()
    for (href, hint), linked in groupby(pieces, key=lambda p: _link(p, marks)):
        inner = Markup()
        for css, same in groupby(linked, key=lambda p: _classes(p, marks)):
            run = Markup().join(_atom(p, context) for p in same)
            inner += Markup('<span class="{}">{}</span>').format(css, run) if css and run else run
        if href:
            inner = Markup('<a class="ref" href="{}" title="{}">{}</a>').format(href, hint, inner)
        html += inner
    return html


def _split(atom: Atom, marks: Sequence[Mark]) -> list[Atom]:
    """An unchanged stretch cut at the ends of the marks inside it; a changed word stays whole."""
    if atom.edits or atom.block:
        return [atom]
    start, end = atom.span
    ends = {at for m in marks for s in m.spans for at in s if start < at < end}
    return list(_unchanged_of(atom, start, sorted(ends)))


def _unchanged_of(atom: Atom, start: int, cuts: Sequence[int]) -> Iterator[Atom]:
    for low, high in pairwise([start, *cuts, atom.span.end]):
        text = atom.raw[low - start : high - start]
        yield Atom(Span(low, high), text, text, text)


def _hit(piece: Atom, mark: Mark) -> bool:
    return any(s.start < piece.span.end and piece.span.start < s.end for s in mark.spans)


def _link(piece: Atom, marks: Sequence[Mark]) -> tuple[str, str]:
    if piece.block:  # it may be a link itself
        return ("", "")
    return next(((m.href, m.hint) for m in marks if m.href and _hit(piece, m)), ("", ""))


def _classes(piece: Atom, marks: Sequence[Mark]) -> str:
    return " ".join(dict.fromkeys(m.css for m in marks if m.css and _hit(piece, m)))


def visible(text: str) -> str:
    """``text`` with characters that HTML cannot hold shown by their Unicode pictures."""
    return text.replace("\r\n", "\n").translate(_VISIBLE)


def _atom(atom: Atom, context: MarkupContext) -> Markup:
    if atom.block:
        return context.furniture(atom.block)
    if not atom.changed:  # a line end that became a space; a page may end there
        return escape(visible(atom.raw.replace("\f", "") if atom.edits else atom.raw))
    inner = Markup()
    for text, layers in _grouped(atom).items():
        shown = escape(visible(text))
        if "\n" in shown and "r" not in layers:
            shown = shown.replace("\n", Markup("<br>"))
        lang = Markup(' lang="%s"') % context.modern if context.modern and layers == "m" else ""
        inner += Markup("<l-%s%s>%s</l-%s>") % (layers, lang, shown, layers)
    by = " ".join(dict.fromkeys(str(context.rule(e.why.by)) for e in atom.edits))
    attributes = Markup(' by="%s"') % by
    sure = f"{atom.confidence:.0%}"[:-1]
    if sure != "100":
        attributes += Markup(' p="%s"') % sure
    if (atom.corrected_here or atom.doubtful) and (places := context.places([atom.span])):
        attributes += Markup(' at="%s"') % places
    if css := _doubt(atom):
        attributes += Markup(' class="%s"') % " ".join(css)
    name = "x-w" if atom.corrected_here else "x-g"
    return Markup("<%s%s>%s</%s>") % (name, attributes, inner, name)


def _doubt(atom: Atom) -> list[str]:
    if atom.doubtful:
        return ["lo", "un"] if atom.confidence < UNCERTAIN else ["lo"]
    return ["lm"] if atom.confidence < DOUBTFUL else []


def _grouped(atom: Atom) -> dict[str, str]:
    """The readings, each with the layers (letters of ``r``, ``c``, ``m``) that have it."""
    found: dict[str, str] = {}
    for layer, text in (("r", atom.raw), ("c", atom.corrected), ("m", atom.modern)):
        found[text] = found.get(text, "") + layer
    return found


def paragraphs(parts: Sequence[Sequence[Atom]]) -> list[list[Atom]]:
    """The atoms of a unit cut where the print begins a new paragraph (a line feed no edit removed)."""
    found: list[list[Atom]] = [[]]
    for atom in (a for part in parts for a in part):
        if atom.edits or atom.block or "\n" not in atom.raw:
            found[-1].append(atom)
            continue
        at = atom.span.start
        for number, line in enumerate(atom.raw.split("\n")):
            if number:
                found.append([])
            if line:
                found[-1].append(Atom(Span(at, at + len(line)), line, line, line))
            at += len(line) + 1
    return [p for p in found if any((a.raw + a.corrected).strip() for a in p)]
