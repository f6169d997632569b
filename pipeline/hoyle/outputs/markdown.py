"""Markdown (CommonMark): the corrected text, an anchor a unit, cross-references as links.

The anchor of a unit is its id, so ``quinze.md#quinze.45`` names a clause.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from unicodedata import category
from urllib.parse import quote

from hoyle.document import Block, Clause, Document, Unit
from hoyle.document.citation import citable_id, make_citation
from hoyle.outputs.book_text import Paragraph, Passages
from hoyle.outputs.files import DocumentFiles, Files
from hoyle.outputs.site.text import visible


class Markdown(DocumentFiles):
    """Writes ``markdown/<document id>.md``; see :class:`hoyle.outputs.Output`."""

    subfolder = "markdown"

    @staticmethod
    def files(document: Document) -> Files:
        """See :meth:`DocumentFiles.files`."""
        return {".md": markdown(document).encode("utf-8", "replace")}


def markdown(document: Document) -> str:
    """The corrected text of ``document`` in CommonMark, under a heading of facts in YAML."""
    passages = Passages(document)
    facts = {
        "title": document.meta.name,
        "author": document.meta.author,
        "date": document.meta.date,
        "lang": document.lang,
        "id": citable_id(document),
        "cite": make_citation(document).chicago,
    }
    head = [f"{key}: {_yaml(value)}" for key, value in facts.items() if value]
    blocks = ["\n".join(["---", *head, "---"]), f"# {_escaped(document.meta.name)}"]
    levels: dict[str, int] = {}
    for unit in document.units:
        if isinstance(unit, Block) and unit.kind == "heading":
            levels[unit.id] = min(levels.get(unit.parent, 1) + 1, 6)
        blocks += _unit(passages, unit, levels.get(unit.id, 0))
    return "\n\n".join(blocks) + "\n"


def _unit(passages: Passages, unit: Unit, level: int) -> Iterator[str]:
    anchor = f'<a id="{_attribute(unit.id)}"></a>'
    if isinstance(unit, Block) and unit.kind == "gap":
        yield anchor + LOST
        return
    paragraphs = passages.paragraphs(unit, "corrected")
    if level:
        yield "#" * level + f" {anchor}" + " ".join(map(_inline, paragraphs))
        return
    if not paragraphs:
        yield anchor
    cut = unit.incomplete if isinstance(unit, Clause) else ""
    for number, paragraph in enumerate(paragraphs):
        text = _inline(paragraph).strip()
        if number == 0:
            text = anchor + (f"{LOST} " if cut in ("start", "both") else "") + text
        if number == len(paragraphs) - 1 and cut in ("end", "both"):
            text += f" {LOST}"
        yield _LINE_START.sub(lambda m: f"{m[1] or ''}\\{m[2]}", text)


def _inline(paragraph: Paragraph) -> str:
    """The runs of a paragraph: labels strong, headings of clauses emphasised, links."""
    out: list[str] = []
    for number, run in enumerate(paragraph):
        text = run.text.strip()
        before, after = (" " if cut else "" for cut in (run.text[:1].isspace(), run.text[-1:].isspace()))
        shown = _escaped(text)
        if run.role in STARS and text:
            following = after or "".join(r.text for r in paragraph[number + 1 :])[:1]
            preceding = before or "".join(r.text for r in paragraph[:number])[-1:]
            # CommonMark takes stars beside a punctuation mark for emphasis only at the end of a word.
            if _bound(text[0], preceding) and _bound(text[-1], following):
                shown = f"{STARS[run.role]}{shown}{STARS[run.role]}"
        elif run.role in ("ref", "note"):
            shown = f"[{shown}](#{quote(run.target)})"
        out.append(before + shown + after)
    return "".join(out)


def _bound(inner: str, outer: str) -> bool:
    return inner.isalnum() or not outer or outer.isspace() or category(outer).startswith("P")


STARS = {"label": "**", "heading": "*"}
LOST = "\\[…\\]"
"""What shows that text is lost."""

_LINE_START = re.compile(r"\A(\d+)?((?(1)[.)]|[+=:-]))")


def _yaml(text: str) -> str:
    """``text`` as a YAML string, which any JSON string is.

    A reader that knows no such head takes it for text of the page, so there may be no markup in it.
    """
    return json.dumps(_line(text), ensure_ascii=False).replace("<", "\\u003c")


def _line(text: str) -> str:
    return " ".join(visible(text).split())


_SPECIAL = re.compile(r"([\\`*_{}\[\]#~|$!^])")


def _escaped(text: str) -> str:
    """``text`` so that a Markdown reader shows it as it stands, on one line."""
    text = _line(text)
    return _SPECIAL.sub(r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


def _attribute(text: str) -> str:
    return visible(text).replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
