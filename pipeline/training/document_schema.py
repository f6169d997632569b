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

from hoyle.tables import data_file
from hoyle.tei.schema import Declaration, declarations

_STYLE = """\
body { font: 1rem/1.5 Georgia, serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
code, h2 { font-family: ui-monospace, Consolas, monospace; } h2 { font-size: 1.1rem; margin: 2.5rem 0 0; }
h2 small { font-weight: normal; } dl { margin: .5rem 0; } dd { margin-left: 1.5rem; }
nav { columns: 12rem; font-family: ui-monospace, Consolas, monospace; } nav a { display: block; }
:target { background: #fff3c4; }
@media (prefers-color-scheme: dark) {
  body { background: #16181c; color: #e6e3dc; } a { color: #9cc4ff; } :target { background: #4a3f14; } }"""


@dataclass(eq=False)
class Element:
    """A declaration of an element, with its place on the page and in the others."""

    declared: Declaration
    anchor: str = ""
    children: list[Element] = field(default_factory=list)
    parents: list[Element] = field(default_factory=list)

    @property
    def title(self) -> str:
        """Its name, with the ``type`` that tells it from others of the same name."""
        kind = self.declared.fixed.get("type")
        return f'{self.declared.name} type="{kind}"' if kind else self.declared.name


def elements(schema: Path) -> list[Element]:
    """Every declaration of an element in the schema, by name; of one name in the order of the schema."""
    found = {declared: Element(declared) for declared in declarations(schema)}
    for element in found.values():
        element.children = [found[child] for child in element.declared.children]
        for child in element.children:
            child.parents.append(element)
    ordered = sorted(found.values(), key=lambda e: e.declared.name.lower())
    of_name: Counter[str] = Counter()
    for element in ordered:
        name = element.declared.name
        of_name[name] += 1
        element.anchor = f"{name}-{of_name[name]}"
    return ordered


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
    declared = element.declared
    if declared.text:
        yield f"<p>{escape(declared.text)}</p>"
    if declared.attributes:
        yield "<dl>"
        for attribute in declared.attributes.values():
            must = "" if attribute.required else " <small>(optional)</small>"
            yield f"<dt><code>@{attribute.name}</code>{must} <code>{escape(attribute.values)}</code></dt>"
            if attribute.text:
                yield f"<dd>{escape(attribute.text)}</dd>"
        yield "</dl>"
    holds = [*(["text"] if declared.holds_text else []), *_links(element.children)]
    yield f"<p>Holds: {', '.join(holds) or 'nothing'}.</p>"
    if element.parents:
        yield f"<p>Stands in: {', '.join(_links(element.parents))}.</p>"


def _links(others: list[Element]) -> Iterator[str]:
    for other in sorted(others, key=lambda e: e.anchor):
        yield f'<a href="#{other.anchor}"><code>{escape(other.title)}</code></a>'


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(data_file("schemas", "hoyle.rng")), encoding="utf-8")
