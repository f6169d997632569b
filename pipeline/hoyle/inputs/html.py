"""HTML without places of words, as Gallica's texteBrut is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lxml import etree

from hoyle.inputs.markup import attribute, is_html, local_name, parse_html
from hoyle.inputs.paragraphs import numbers_lost, read_paragraphs
from hoyle.inputs.text import MAX_BYTES, PAGE_BREAK, DecodedText

_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "li",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
_SKIPPED = frozenset(
    [
        "head",
        "script",
        "style",
        "nav",
        "noscript",
        "template",
        "svg",
        "math",
        "iframe",
        "object",
        "button",
        "select",
    ]
)
_PAGE_BREAKS = frozenset({"pagebreak", "doc-pagebreak", "page-break"})
_GALLICA = "reconnaissance optique de caractères"
"""Stands in what Gallica puts before a text, above the first rule (``hr``)."""
_RULE = "\x1d"
"""Stands for an ``hr`` among the paragraphs."""
_SIGNS = {"br": "\n", "hr": _RULE}


def decode(data: bytes, *, name: str, encoding: str = "", max_bytes: int = MAX_BYTES) -> DecodedText:
    """The text of an HTML file, paragraph by paragraph; the preface of Gallica's texteBrut is left out.

    Args:
        data: the bytes of the file.
        name: what to call it in messages.
        encoding: of a file that does not declare one; if empty, it is detected.
        max_bytes: refuse anything larger.

    Raises:
        SourceError: too large, no HTML, in an unknown encoding, or without text.
    """
    root, fault, doubts = parse_html(data, name=name, max_bytes=max_bytes, encoding=encoding)
    if data.lstrip().startswith(b"<?xml") and fault:  # other HTML need not be XML
        doubts = (fault, *doubts)
    counted = sum(local_name(item) == "li" and local_name(item.getparent()) == "ol" for item in root.iter())
    doubts += numbers_lost(counted, "HTML", "pandoc FILE -t plain --wrap=none -o text.txt")
    found = [*paragraphs(root)]
    rule = found.index(_RULE) if _RULE in found else 0
    if _GALLICA in " ".join(found[:rule]):
        found = found[rule:]
    return read_paragraphs(without_rules(found), name=name, doubts=doubts, max_bytes=max_bytes)


def accepts(data: bytes) -> bool:
    """Whether a file is HTML."""
    return is_html(data)


def paragraphs(root: etree._Element) -> Iterator[str]:
    """The paragraphs of HTML; :data:`PAGE_BREAK` between pages."""
    held: list[str] = []
    for said in _pieces(root):
        if said in {"", PAGE_BREAK, _RULE}:
            yield "".join(held)
            held = []
            if said:
                yield said
        else:
            held.append(said)
    yield "".join(held)


def without_rules(found: Iterable[str]) -> Iterator[str]:
    """Paragraphs as :func:`paragraphs` gives them, without what stands for the rules between them."""
    return (paragraph for paragraph in found if paragraph != _RULE)


def _pieces(element: etree._Element) -> Iterator[str]:
    """Text, a line feed for a line break, and nothing (``""``) where a paragraph ends or begins."""
    name = local_name(element)
    if not name or name in _SKIPPED:
        return
    block = "" if name in _BLOCKS else None
    if _ends_page(element):
        yield PAGE_BREAK
    elif name in _SIGNS:
        yield _SIGNS[name]
    elif block is not None:
        yield block
    yield from _said(element.text, element)
    for child in element:
        yield from _pieces(child)
        yield from _said(child.tail, element)
    if block is not None:
        yield block


def _said(text: str | None, parent: etree._Element | None) -> Iterator[str]:
    if text:
        kept = parent is not None and any(
            local_name(one) == "pre" for one in (parent, *parent.iterancestors())
        )
        yield text if kept else text.replace("\r", " ").replace("\n", " ")


def _ends_page(element: etree._Element) -> bool:
    said = " ".join(attribute(element, name) for name in ("class", "type", "role")).lower()
    return not _PAGE_BREAKS.isdisjoint(said.split())
