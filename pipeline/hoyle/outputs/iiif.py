"""A book as a IIIF Presentation 3 manifest: pages as canvases, clauses as Web Annotations.

The manifest is written as plain JSON: iiif-prezi3 would bring ``requests``, has no types, and holds Pillow
below 12.1 (docs/decisions/0018-scans.md).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from hoyle.document import Clause, Document, PageLayout, Span
from hoyle.document.places import around
from hoyle.document.text_layers import layer_text, normalise_whitespace
from hoyle.errors import OutputError
from hoyle.tei.facsimile import image_path


def manifest(document: Document, base: str) -> bytes:
    """The manifest of a document.

    Args:
        document: the document.
        base: the address (http or https) at which the build is published.

    Raises:
        OutputError: the source has no pages with sizes.
    """
    pages = [(n, page) for n, page in enumerate(document.pages, 1) if page.width and page.height]
    if not pages:
        message = "the source has no pages of known size; give its hOCR, ALTO, PAGE, PDF or images"
        raise OutputError(message, document=document.id)
    home = f"{base.rstrip('/')}/"
    me = f"{home}iiif/{quote(document.id)}.json"
    language = document.lang.split("-")[0] if document.lang != "und" else "none"
    value: dict[str, Any] = {
        "@context": "http://iiif.io/api/presentation/3/context.json",
        "id": me,
        "type": "Manifest",
        "label": {language: [document.meta.name]},
        "metadata": list(_metadata(document)),
        "homepage": [_linked(f"{home}site/doc/{quote(document.id)}/index.html", "Text", "text/html")],
        "seeAlso": [_linked(f"{home}tei/{quote(document.id)}.xml", "Dataset", "application/tei+xml")],
        "items": [_canvas(document, number, page, home, me) for number, page in pages],
    }
    if document.meta.iiif:
        value["seeAlso"].append(_linked(document.meta.iiif, "Manifest", "application/ld+json"))
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def _linked(address: str, kind: str, form: str) -> dict[str, Any]:
    return {"id": address, "type": kind, "format": form, "label": {"en": ["Hoyle edition"]}}


def _metadata(document: Document) -> Iterator[dict[str, Any]]:
    meta = document.meta
    facts = (
        ("Author", meta.author),
        ("Date", meta.date),
        ("Publisher", meta.publisher),
        ("Rights", meta.licence),
    )
    for name, value in facts:
        if value:
            yield {"label": {"en": [name]}, "value": {"none": [value]}}


def _canvas(document: Document, number: int, page: PageLayout, home: str, me: str) -> dict[str, Any]:
    canvas = f"{me}/canvas/{number}"
    width, height = int(page.width), int(page.height)
    label = page.label or document.printed_number(page) or str(number)
    made: dict[str, Any] = {
        "id": canvas,
        "type": "Canvas",
        "label": {"none": [label]},
        "width": width,
        "height": height,
    }
    if page.image:
        image = page.image if page.linked else home + quote(image_path(document.id, number))
        body = {"id": image, "type": "Image", "format": "image/jpeg" if page.linked else "image/webp"}
        painting = _annotation(f"{canvas}/image", "painting", body, canvas)
        made["items"] = [{"id": f"{canvas}/page", "type": "AnnotationPage", "items": [painting]}]
    if found := list(_clauses(document, page, canvas)):
        made["annotations"] = [{"id": f"{canvas}/clauses", "type": "AnnotationPage", "items": found}]
    return made


def _annotation(ident: str, motivation: str, body: dict[str, Any], target: str) -> dict[str, Any]:
    return {"id": ident, "type": "Annotation", "motivation": motivation, "body": body, "target": target}


def _clauses(document: Document, page: PageLayout, canvas: str) -> Iterator[dict[str, Any]]:
    """The clauses that have words on a page, each with its number and its corrected text."""
    for clause in document.clauses:
        boxes = [w.box for w in page.words if any(_overlap(w.span, span) for span in clause.spans)]
        if boxes:
            box = around(boxes)
            place = f"{box.left:.0f},{box.top:.0f},{box.right - box.left:.0f},{box.bottom - box.top:.0f}"
            body = {"type": "TextualBody", "value": _text(document, clause), "format": "text/plain"}
            if document.lang != "und":
                body["language"] = document.lang
            ident = f"{canvas}/clause/{quote(clause.id)}"
            yield _annotation(ident, "supplementing", body, f"{canvas}#xywh={place}")


def _text(document: Document, clause: Clause) -> str:
    return normalise_whitespace(layer_text(document, clause.spans, "corrected").text)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
