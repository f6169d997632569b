"""Markup, which is neither text nor label: Markdown, reStructuredText, wiki, HTML, transcribers' marks.

A text file may hold marks of three kinds of markup at once, so all are looked for together. What
could be damage of the OCR (a star for a stop, a stroke for a digit) counts as markup only as one
of a pair, or where the text shows the same mark again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from hoyle.document import Span
from hoyle.layout.lines import Cover

MARKUP = "layout/markup"
"""What the evidence of blocks and edits that come from markup is called."""

_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(?:[^\n]*\n){1,40}?---[ \t]*(?:\r?\n|\Z)")
_HEADING = re.compile(
    r"^[ \t>]*(?P<open>#{1,6}[ \t]+)(?=\S)[^\n]*?(?P<close>[ \t]+#+)?[ \t]*\r?$", re.MULTILINE
)
_WIKI_HEADING = re.compile(
    r"^[ \t]*(?P<open>={2,5}[ \t]*)(?=[^\s=])[^\n=]*(?P<close>={2,5})[ \t]*\r?$", re.MULTILINE
)
_EMPHASIS = re.compile(
    r"(?<![\w*_\\])(?:(?P<star>\*{1,3})|(?P<line>_{1,3}))(?P<begins>[\w«\"“„(\[])"
    r"(?:(?(star)[^*\n]|[^_\n])|\n(?![ \t]*\n)){0,300}?(?<=(?P<last>[\w.,;:!?»)\]…°%\"”'’-]))"
    r"(?P<end>(?(star)(?P=star)|(?P=line)))(?![\w*_])"
)
_IMAGE = re.compile(r"!\[[^\]\n]*\]\([^()\s]*(?:[ \t]+\"[^\"\n]*\")?\)")
_LINK = re.compile(
    r"(?<!!)(?P<open>\[)[^\[\]\n]*"
    r"(?P<close>\]\((?=[^)\n]*[./#])(?:[^()\s]|\([^()\s]*\))+(?:[ \t]+\"[^\"\n]*\")?\))"
)
_TAG = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|body|br|center|cite|code|div|em|font|h[1-6]|hr|i|img|li|ol|p|pre|s|small|span"
    r"|strong|su[bp]|table|tbody|t[dhr]|thead|u|ul)(?:[ \t]+[^<>\n]*)?/?>|<!--.*?-->",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE = re.compile(r"\{[.#:][\w .#=\"-]{1,40}\}")
_CHECKBOX = re.compile(r"\[[ xX]\][ \t]+(?=\S)")
_ESCAPE = re.compile(r"\\(?=[.\-()\[\]*_#>+!`~|{}])|(?P<end>(?<=\S)\\(?=[ \t]*\r?$))", re.MULTILINE)
_LEAST_ESCAPES = 2
_DIRECTIVE = re.compile(r"^[ \t]*\.\.[ \t]+(?:[\w-]+::[^\n]*|_[^\n:]+:[^\n]*)$", re.MULTILINE)
_TABLE_ROW = re.compile(r"^[ \t]*\|[^\n]*\|[ \t]*\r?$", re.MULTILINE)
_PIPE = re.compile(r"\|(?:[ \t]*:?-{2,}:?[ \t]*\|)*")
_PAGE = re.compile(
    r"^-{3,}[ \t]*File:[ \t]*(?P<file>\d+)\.\w+-[^\n]*$"
    r"|\[(?:Pg|Page|pg|page|p\.|P\.|с\.|стр\.)[ \t\u00a0]?(?P<page>\d{1,4}|[ivxlc]{1,7})\]",
    re.MULTILINE,
)
_PICTURE = re.compile(r"\[(?:Illustration|Blank Page|Иллюстрация)(?::[^\]\n]*)?\]", re.IGNORECASE)


Role: TypeAlias = Literal["notice", "page-number", "block", "open", "close"]
"""``block``: a sign that stands before a whole line or fills it; ``open`` and ``close``: a sign inside text,
which goes with what follows it or with what stands before it."""


INLINE = frozenset({"open", "close"})
"""The roles of marks that stand inside text."""


class Mark(NamedTuple):
    """A piece of markup: its place, what it is there for, the page number that it shows."""

    span: Span
    role: Role
    n: str = ""


def markup(text: str) -> list[Mark]:
    """The markup of a text in its order; no two pieces overlap."""
    cover = Cover()
    return sorted(mark for mark in _found(text) if mark.span.start < mark.span.end and cover.add(mark.span))


def _found(text: str) -> Iterator[Mark]:
    for match in _FRONT_MATTER.finditer(text):
        yield Mark(_bare(match), "notice")
    for match in _PAGE.finditer(text):
        yield Mark(_bare(match), "page-number", (match["file"] or match["page"]).lstrip("0"))
    yield from _inline(text)
    for row in table_rows(text):
        for number, match in enumerate(_PIPE.finditer(text, *row)):
            yield Mark(Span(*match.span()), "close" if number else "open")


def _inline(text: str) -> Iterator[Mark]:
    """Marks of headings, then what may stand in a line."""
    for pattern in (_HEADING, _WIKI_HEADING):
        for match in pattern.finditer(text):
            yield from (Mark(Span(*match.span(name)), "block") for name in ("open", "close") if match[name])
    for pattern in (_PICTURE, _IMAGE, _DIRECTIVE, _TAG, _ATTRIBUTE, _CHECKBOX):
        for match in pattern.finditer(text):
            span = Span(*match.span()) if pattern is _CHECKBOX else _bare(match)
            yield Mark(span, _role(text, match))
    for match in _LINK.finditer(text):
        yield from _pair(match, "open", "close")
    for match in _EMPHASIS.finditer(text):
        # A star after a digit is a damaged stop, unless the marked text begins with a number.
        damaged = match["star"] and match["last"].isdigit() and not match["begins"].isdigit()
        if not damaged:
            yield from _pair(match, "star" if match["star"] else "line", "end")
    escapes = list(_ESCAPE.finditer(text))
    if len(escapes) >= _LEAST_ESCAPES:
        yield from (Mark(Span(*m.span()), "close" if m["end"] else "open") for m in escapes)


def table_rows(text: str) -> list[Span]:
    """The rows of tables drawn with strokes: one line between two strokes is none."""
    rows = [Span(*match.span()) for match in _TABLE_ROW.finditer(text)]
    return [row for row in rows if text.count("|", *row) > 2 or len(rows) > 2]


def heading_level(mark: str) -> int:
    """The level that a heading mark (``##``, ``==``) shows; 0 for any other sign."""
    bare = mark.strip()
    return len(bare) if bare and set(bare) in ({"#"}, {"="}) else 0


def _bare(match: re.Match[str]) -> Span:
    return Span(match.start(), match.start() + len(match[0].rstrip()))


def _role(text: str, match: re.Match[str]) -> Role:
    """Whether a mark fills its line, or else which side of it the text is on."""
    start, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
    before, after = text[start : match.start()], text[match.end() : end if end >= 0 else len(text)]
    if not before.strip() and not after.strip():
        return "block"
    ends = not after[:1].strip() and bool(before.strip())
    return "close" if ends or match[0].startswith("</") else "open"


def _pair(match: re.Match[str], first: str, last: str) -> Iterator[Mark]:
    yield Mark(Span(*match.span(first)), "open")
    yield Mark(Span(*match.span(last)), "close")
