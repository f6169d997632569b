"""Documents that Hypothesis makes up: any text, any layers that the model allows."""

from __future__ import annotations

import hashlib
from itertools import pairwise

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from hoyle.document import (
    Amount,
    Block,
    Box,
    Clause,
    Condition,
    Document,
    Edit,
    Evidence,
    Excerpt,
    Finding,
    Fragment,
    Meta,
    PageLayout,
    Reference,
    Source,
    Span,
    Tag,
    WordBox,
)
from hoyle.facets import facets
from hoyle.tables import vocabulary

ANY = settings(
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
"""For tests on made-up documents, which take long to draw."""

ODD = [
    "\r\n",
    "\n",
    "\r",
    "\t",
    " ",
    "\x00",
    "\x07",
    "\x0c",
    "\x85",
    "\u2028",
    "\ufeff",
    "\ufffe",
    "\uffff",
    "\ufdd0",
]
ODD += [
    "]]>",
    "<script>",
    "&amp;",
    "=1+1",
    "-\n",
    "\u202e",
    "אב",
    "e\u0301",
    "𐌰",
    "\U0001f0a1",
    "\U0010ffff",
    "ѣ",
]
WORDS = st.sampled_from(["Если", "кто", "44*", "§ 12.", "carte", " ", " ", "\n", "-\n", "."])
PIECES = st.one_of(WORDS, WORDS, st.sampled_from(ODD), st.text(max_size=3))
TEXT = st.integers(0, 60).flatmap(lambda n: st.lists(PIECES, min_size=n, max_size=n)).map("".join)
SHORT = st.one_of(st.sampled_from(["", "а", "X", "\n", " ", "і"]), st.text(max_size=4))
NAME = st.text("abcя·_-*. 1§", min_size=1, max_size=6)
EVIDENCE = st.builds(
    Evidence,
    st.sampled_from(["languages/fr/confusions.tsv:14", "numbering/decoder", "a b:c", "", "правило"]),
    st.one_of(st.sampled_from([0.0, 0.5, 0.7, 0.9, 1.0]), st.floats(0, 1)),
)
BLOCKS = ["footnote", "caption", "heading", "paragraph", "gap", "paragraph"]
FURNITURE = ["notice", "running-head", "page-number", "signature", "separator", "note-ref"]


@st.composite
def documents(draw):
    """A document with every layer that the pipeline makes."""
    text = draw(TEXT)
    encoding = draw(st.sampled_from(["utf-8", "utf-16-le"]))
    data = text.encode(encoding)
    name = draw(st.one_of(st.sampled_from(["quinze", "hoyle", "actor", "001_a"]), NAME))
    file = draw(st.sampled_from(["a.txt", "мой файл (1)#.txt"]))
    source = Source(name, file, text, hashlib.sha256(data).hexdigest(), len(data), encoding)
    spans = draw(stretches(text))
    units, furniture = draw(owners(name, text, spans))
    changed = [span for unit in units for span in unit.spans if span.end > span.start]
    edits = [e for span in changed for e in draw(edits_in(text, span))]
    ids = [unit.id for unit in units]
    document = Document(source, draw(metas(source)))
    if pages := draw(layouts(text)):
        document = document.with_layer("places", pages)
    document = document.with_layer("language", draw(st.lists(findings(text), max_size=2)))
    document = document.with_layer("furniture", furniture)
    document = document.with_layer("columns", draw(columns(text)))
    repairs = [e for e in edits if e.kind == "correct" and draw(st.booleans())]
    document = document.with_layer("clauses", [*units, *repairs, *draw(st.lists(findings(text), max_size=1))])
    plain = [e for e in edits if e.kind != "regularise" and e not in repairs]
    document = document.with_layer("correct", plain)
    document = document.with_layer("regularise", [e for e in edits if e.kind == "regularise"])
    document = document.with_layer("tag", draw(st.lists(said(text, ids), max_size=4)) if ids else [])
    return document.with_layer("references", draw(st.lists(references(text, ids), max_size=3)) if ids else [])


@st.composite
def stretches(draw, text):
    """Disjoint spans of a text, in its order; mostly without white space at their ends."""
    most = min(draw(st.integers(0, 12)), len(text) + 1)
    cuts = draw(st.lists(st.integers(0, len(text)), min_size=most, max_size=most, unique=True))
    spans = [Span(a, b) for a, b in pairwise(sorted({0, len(text), *cuts}))]
    if draw(st.integers(0, 4)):
        spans = [_trimmed(text, span) for span in spans]
    return [span for span in spans if span.end > span.start]


def _trimmed(text, span):
    held = text[span.start : span.end]
    start = span.start + len(held) - len(held.lstrip())
    return Span(start, max(start, span.end - len(held) + len(held.rstrip())))


@st.composite
def owners(draw, name, text, spans):
    """Units in reading order and furniture, that share ``spans`` among them; some are left to nobody."""
    units, furniture, numbers = [], [], set()
    order = draw(st.permutations(spans))
    while order:
        taken = draw(st.integers(1, 3))
        own, order = order[:taken], order[taken:]
        kind = draw(st.sampled_from(["clause"] * 6 + BLOCKS + FURNITURE + ["nobody"]))
        why = draw(EVIDENCE)
        identifier = f"{name}.b{len(units) + len(furniture)}"
        above = [u.id for u in units]
        n = draw(st.one_of(st.just(""), NAME, SHORT))
        if kind == "clause":
            units += draw(clauses(name, text, own, numbers, above, why))
        elif kind in FURNITURE:
            furniture.append(Block(identifier, kind, tuple(sorted(own)), why, n=n))
        elif kind != "nobody":
            parent = draw(st.sampled_from(["", *above])) if kind in ("heading", "footnote") else ""
            if kind == "gap" and draw(st.booleans()):
                own = [Span(own[0].start, own[0].start)]
            units.append(Block(identifier, kind, tuple(own), why, n=n, parent=parent))
    return units, furniture


PARTS = st.sampled_from(["1", "2", "45", "C", "а", "IV", "12bis"])


@st.composite
def clauses(draw, name, text, own, numbers, above, why):
    """A clause with a number that none has so far; or none, if there is no such number."""
    number = tuple(draw(st.lists(PARTS, min_size=1, max_size=3)))
    series = draw(st.integers(1, 2))
    if (number, series) in numbers:
        return []
    numbers.add((number, series))
    first = own[0]
    label = draw(st.one_of(st.none(), st.integers(0, first.end - first.start)))
    label_span = None if label is None else Span(first.start, first.start + label)
    title = draw(st.one_of(st.none(), st.integers(0, first.end - first.start)))
    headings = [i for i in above if ".b" in i]
    return [
        Clause(
            id=f"{name}.{'s2.' if series == 2 else ''}{'.'.join(number)}",
            label="" if label_span is None else text[label_span.start : label_span.end],
            number=number,
            spans=tuple(own),
            why=why,
            label_span=label_span,
            scheme=draw(st.sampled_from(["", "section-sign", "a b"])),
            series=series,
            heading=None if title is None else Span(first.start, first.start + title),
            under=draw(st.sampled_from(["", *headings])),
            incomplete=draw(st.sampled_from(["", "start", "end", "both"])),
            flags=tuple(draw(st.lists(SHORT, max_size=2))),
        )
    ]


@st.composite
def edits_in(draw, text, span):
    """Changes inside a span: disjoint ones, and modern spellings around some of them."""
    places = sorted(draw(st.sets(st.integers(span.start, span.end), max_size=8)))
    found = [draw(edits(text, Span(a, b))) for a, b in pairwise(places) if draw(st.booleans())]
    found += [
        Edit(Span(p, p), "", draw(SHORT.filter(bool)), "correct", draw(EVIDENCE))
        for p in places
        if span.start < p < span.end
        and all(e.span.end < p or e.span.start > p for e in found)
        and draw(st.booleans())
    ]
    found.sort(key=lambda e: e.span)
    return found + draw(regularisations(text, span, found))


@st.composite
def edits(draw, text, span):
    before = text[span.start : span.end]
    kinds = ["correct", "misprint", "drop", "layout"]
    if "\n" in before:
        at = span.start + before.index("\n")
        start = draw(st.sampled_from([at, max(span.start, at - 1)]))
        after = draw(st.sampled_from([" ", ""]))
        return Edit(Span(start, at + 1), text[start : at + 1], after, "layout", draw(EVIDENCE))
    return Edit(span, before, draw(SHORT), draw(st.sampled_from(kinds)), draw(EVIDENCE))


@st.composite
def regularisations(draw, text, span, found):
    made = []
    at = span.start
    while at < span.end and draw(st.booleans()):
        start = draw(st.integers(at, span.end - 1))
        end = draw(st.integers(start + 1, span.end))
        for e in found:  # whole edits only
            if e.span.start <= start < e.span.end:
                start = e.span.start
            if e.span.start < end < e.span.end:
                end = e.span.end
        if start < at:
            break
        inner = [e for e in found if start <= e.span.start and e.span.end <= end]
        before = _read(text, start, end, inner)
        apart = [e for e in inner if e.span not in (Span(start, start), Span(end, end))]
        if len(apart) < len(inner) and draw(
            st.booleans()
        ):  # what is inserted at the edges is not of the word
            alone = _read(text, start, end, apart)
            if not any(alone.startswith(e.after) or alone.endswith(e.after) for e in inner if e not in apart):
                before = alone
        made.append(Edit(Span(start, end), before, draw(SHORT), "regularise", draw(EVIDENCE)))
        at = end + 1
    return made


def _read(text, start, end, inner):
    parts, at = [], start
    for e in inner:
        parts += [text[at : e.span.start], e.after]
        at = e.span.end
    return "".join([*parts, text[at:end]])


@st.composite
def spans_of(draw, text):
    start = draw(st.integers(0, len(text)))
    return Span(start, draw(st.integers(start, len(text))))


@st.composite
def tags(draw, text, ids):
    facet = draw(st.sampled_from(list(facets())))
    actors = ["", *list(vocabulary("actors"))[:3]]
    return Tag(
        draw(st.sampled_from(ids)),
        facet,
        draw(st.sampled_from(list(facets()[facet].concepts))),
        tuple(draw(st.lists(spans_of(text), max_size=2))),
        draw(SHORT),
        draw(EVIDENCE),
        part=draw(st.sampled_from(["", "must", "may"])),
        against=draw(st.sampled_from(actors)),
        exacted_by=draw(st.sampled_from(actors)),
        amount=draw(SHORT),
        main=draw(st.booleans()),
    )


@st.composite
def conditions(draw, text, ids):
    spans, then = (tuple(draw(st.lists(spans_of(text), max_size=2))) for _ in range(2))
    return Condition(draw(st.sampled_from(ids)), spans, draw(SHORT), then, draw(SHORT), draw(EVIDENCE))


@st.composite
def amounts(draw, text, ids):
    spans = tuple(draw(st.lists(spans_of(text), max_size=2)))
    ends = st.one_of(st.none(), st.floats(0, 1e6))
    measure = draw(st.sampled_from(["", "franc", "point"]))
    return Amount(
        draw(st.sampled_from(ids)), spans, draw(SHORT), draw(ends), draw(ends), measure, draw(EVIDENCE)
    )


def said(text, ids):
    return st.one_of(tags(text, ids), conditions(text, ids), amounts(text, ids))


@st.composite
def references(draw, text, ids):
    number = tuple(draw(st.lists(st.one_of(PARTS, SHORT), max_size=3)))
    status = draw(st.sampled_from(["exact", "ancestor", "outside", "ambiguous"]))
    target = "" if status == "outside" else draw(st.sampled_from(ids))
    spans = tuple(draw(st.lists(spans_of(text), max_size=2)))
    return Reference(draw(st.sampled_from(ids)), spans, draw(SHORT), number, target, status, draw(EVIDENCE))


@st.composite
def columns(draw, text):
    cut = draw(st.integers(0, len(text)))
    names = draw(st.sampled_from([[], ["left", "right"], ["", "a"]]))
    parts = [Span(cut, len(text)), Span(0, cut)]
    return [Fragment(span, name, draw(EVIDENCE)) for span, name in zip(parts, names, strict=False)]


@st.composite
def layouts(draw, text):
    """Pages that follow one another, mostly none; words in them that need not be whole ones."""
    most = draw(st.sampled_from([0, 0, 1, 3]))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), min_size=most, max_size=most)))
    made = []
    for start, end in pairwise([*cuts, len(text)] if cuts else []):
        ends = sorted(draw(st.sets(st.integers(start, end), max_size=8)))
        words = [WordBox(Span(a, b), draw(boxes())) for a, b in pairwise(ends) if draw(st.booleans())]
        size = draw(st.sampled_from([(0, 0), (1749, 2481)]))
        image = draw(st.sampled_from(["", "f 1.jpg", "book.pdf#page=3", "https://example.org/1/full.jpg"]))
        made.append(PageLayout(Span(start, end), tuple(words), *size, image, draw(SHORT)))
    return made


@st.composite
def boxes(draw):
    left, top, wide, high = (draw(st.integers(0, 3000)) for _ in range(4))
    return Box(left, top, left + wide + 1, top + high + 1)


@st.composite
def findings(draw, text):
    topic = draw(st.sampled_from(["language", "numbering", "a doubt"]))
    value = draw(st.sampled_from(["fr", "und"])) if topic == "language" else draw(SHORT)
    return Finding(
        topic, value, draw(EVIDENCE), draw(st.one_of(st.none(), spans_of(text))), draw(st.booleans())
    )


@st.composite
def metas(draw, source):
    games = list(vocabulary("games"))[:3]
    excerpt = st.builds(Excerpt, st.integers(0, len(source.text)), st.tuples(PARTS, PARTS), SHORT)
    return Meta(
        source.id,
        title=draw(st.sampled_from(["", "Le quinze", "<&>\x00"])),
        lang=draw(st.sampled_from(["", "fr", "ru-petr1708"])),
        date=draw(st.sampled_from(["", "1818"])),
        date_note=draw(SHORT),
        author=draw(st.sampled_from(["", "Anonyme"])),
        publisher=draw(st.sampled_from(["", "Éditeur"])),
        licence=draw(st.sampled_from(["", "CC0"])),
        file=source.name,
        sha256=source.sha256,
        numbering=draw(st.sampled_from([("detect",), ("section-sign", "roman")])),
        games=tuple(draw(st.lists(st.sampled_from(games), max_size=2, unique=True))),
        notes=tuple(draw(st.lists(st.text(min_size=1, max_size=5), max_size=2))),
        excerpts=tuple(draw(st.lists(excerpt, max_size=1))),
        origin=draw(SHORT),
    )
