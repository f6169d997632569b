"""Writes the documentation of ``schemas/hoyle.rng`` as one HTML page.

    python pipeline/training/document_schema.py docs/schema.html

Element by element: what it is for, its attributes, what it may hold and where it may stand. All
of it is read from the schema, whose ``a:documentation`` is the text.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from lxml import etree

from hoyle.tables import data_file

_RNG = "{http://relaxng.org/ns/structure/1.0}"
_DOCUMENTATION = "{http://relaxng.org/ns/compatibility/annotations/1.0}documentation"
_OPTIONAL = frozenset({"optional", "zeroOrMore", "choice"})

_STYLE = """\
body { font: 1rem/1.5 Georgia, serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
code, h2 { font-family: ui-monospace, Consolas, monospace; } h2 { font-size: 1.1rem; margin: 2.5rem 0 0; }
h2 small { font-weight: normal; } dl { margin: .5rem 0; } dd { margin-left: 1.5rem; }
nav { columns: 12rem; font-family: ui-monospace, Consolas, monospace; } nav a { display: block; }
:target { background: #fff3c4; }
@media (prefers-color-scheme: dark) {
  body { background: #16181c; color: #e6e3dc; } a { color: #9cc4ff; } :target { background: #4a3f14; } }"""


@dataclass
class Attribute:
    """An attribute of an element: what it may be, and whether it must be there."""

    name: str
    values: str
    required: bool
    text: str


@dataclass
class Element:
    """One declaration of an element."""

    name: str
    text: str
    node: etree._Element
    attributes: dict[str, Attribute] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    holds_text: bool = False
    parents: list[Element] = field(default_factory=list)
    anchor: str = ""

    @property
    def title(self) -> str:
        """Its name, with the ``type`` that tells it from others of the same name."""
        kind = self.attributes.get("type")
        only = f' type="{kind.values}"' if kind and kind.required and kind.values.isalpha() else ""
        return f"{self.name}{only}"


def elements(schema: Path) -> list[Element]:
    """Every declaration of an element in the schema, by name; of one name in the order of the schema."""
    root = etree.parse(schema).getroot()
    defines = {d.get("name", ""): d for d in root.iterchildren(f"{_RNG}define")}
    found = {node: Element(node.get("name", ""), _said(node), node) for node in root.iter(f"{_RNG}element")}
    for element in found.values():
        _fill(element, element.node, found, defines, optional=False)
    for element in found.values():
        for child in element.children:
            child.parents.append(element)
    ordered = sorted(found.values(), key=lambda e: e.name.lower())
    of_name: Counter[str] = Counter()
    for element in ordered:
        of_name[element.name] += 1
        element.anchor = f"{element.name}-{of_name[element.name]}"
    return ordered


def _said(node: etree._Element) -> str:
    return " ".join((node.findtext(_DOCUMENTATION) or "").split())


def _fill(
    element: Element,
    node: etree._Element,
    found: dict[etree._Element, Element],
    defines: dict[str, etree._Element],
    *,
    optional: bool,
    seen: tuple[str, ...] = (),
) -> None:
    """Gather what the pattern below ``node`` lets ``element`` hold."""
    for child in node.iterchildren(f"{_RNG}*"):
        kind = etree.QName(child).localname
        if kind == "attribute":
            name = child.get("name", "")
            made = Attribute(name, " | ".join(_values(child, defines)), not optional, _said(child))
            element.attributes.setdefault(name, made)
        elif kind == "element":
            if found[child] not in element.children:
                element.children.append(found[child])
        elif kind == "text":
            element.holds_text = True
        elif kind == "ref" and (name := child.get("name", "")) not in seen:
            _fill(element, defines[name], found, defines, optional=optional, seen=(*seen, name))
        elif kind != "ref":
            _fill(element, child, found, defines, optional=optional or kind in _OPTIONAL, seen=seen)


def _values(node: etree._Element, defines: dict[str, etree._Element]) -> Iterator[str]:
    """What an attribute may be: fixed values, a datatype, a pattern; of a list, many of these."""
    for child in node.iterchildren(f"{_RNG}*"):
        match etree.QName(child).localname:
            case "value":
                yield child.text or ""
            case "data":
                yield child.findtext(f"{_RNG}param") or child.get("type") or ""
            case "text":
                yield "text"
            case "ref":
                yield from _values(defines[child.get("name", "")], defines)
            case _:
                yield from _values(child, defines)


def page(schema: Path) -> str:
    """The page."""
    found = elements(schema)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>The TEI of Hoyle: schema</title>\n<style>\n{_STYLE}\n</style></head>",
        "<body>",
        "<h1>The TEI of Hoyle, element by element</h1>",
        "<p>Made of <code>schemas/hoyle.rng</code> by <code>make schema-docs</code>.",
        "Every edition is valid against this schema and against the whole of TEI P5.</p>",
        "<nav>",
        *(f'<a href="#{e.anchor}">{escape(e.title)}</a>' for e in found),
        "</nav>",
    ]
    for element in found:
        parts += _section(element)
    return "\n".join([*parts, "</body>", "</html>"]) + "\n"


def _section(element: Element) -> Iterator[str]:
    yield f'<h2 id="{element.anchor}">{escape(element.title)}</h2>'
    if element.text:
        yield f"<p>{escape(element.text)}</p>"
    if element.attributes:
        yield "<dl>"
        for attribute in element.attributes.values():
            must = "" if attribute.required else " <small>(optional)</small>"
            yield f"<dt><code>@{attribute.name}</code>{must} <code>{escape(attribute.values)}</code></dt>"
            if attribute.text:
                yield f"<dd>{escape(attribute.text)}</dd>"
        yield "</dl>"
    holds = [*(["text"] if element.holds_text else []), *_links(element.children)]
    yield f"<p>Holds: {', '.join(holds) or 'nothing'}.</p>"
    if element.parents:
        yield f"<p>Stands in: {', '.join(_links(element.parents))}.</p>"


def _links(others: list[Element]) -> Iterator[str]:
    for other in sorted(others, key=lambda e: e.anchor):
        yield f'<a href="#{other.anchor}"><code>{escape(other.title)}</code></a>'


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(data_file("schemas", "hoyle.rng")), encoding="utf-8")
