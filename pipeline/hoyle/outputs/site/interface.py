"""The words of the interface in each of its languages: of the site, of facets and of findings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from hoyle.document import (
    Finding,
)
from hoyle.errors import TableError
from hoyle.facets import concept, facets, interface_texts
from hoyle.tables import Row, data_file, read_table

TAG_DOUBTFUL = 0.5
"""Below this probability a tag is shown with a question mark."""


INTERFACES = {"en": "English", "fr": "Français", "ru": "Русский"}
"""Languages of the interface, each by its own name."""


SCRIPTED = (
    "ocr_had",
    "layer_raw",
    "layer_corrected",
    "layer_modern",
    "by_whom",
    "how_sure",
    "doubtful",
    "copy_it",
    "copied",
    "this_clause_in",
)
"""Keys of the strings that scripts show."""


@cache
def strings(lang: str) -> Mapping[str, str]:
    """Return the words of the interface in one language by key: ``site/strings.tsv`` and those of the facets.

    Raises:
        TableError: a key is given twice or has no text.
    """
    found: dict[str, str] = {}
    for row in read_table(data_file("site", "strings.tsv"), ["key", *INTERFACES]):
        if row["key"] in found or not row[lang]:
            raise TableError(f"the key {row['key']!r} is given twice or has no text", document=row.where)
        found[row["key"]] = row[lang]
    for key, text in interface_texts(lang):
        if key in found:
            raise TableError(f"the key {key!r} belongs to a facet", document="site/strings.tsv")
        found[key] = text
    return found


def label(facet: str, value: str, lang: str = "en") -> str:
    """Return what a concept is called; its id where the vocabulary does not have it.

    Args:
        facet: id of its facet.
        value: id of the concept.
        lang: language of the label.
    """
    found = concept(facet, value)
    return found.label(lang) if found else value


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding for the templates: its topic and its value in pieces, and who found it."""

    topic: str
    pieces: list[tuple[str, str]]
    """Text and its language: empty for words of the interface and for numbers."""
    doubt: bool
    by: str
    confidence: float


@cache
def _rows() -> list[Row]:
    return read_table(data_file("site", "findings.tsv"), ["topic", "pattern", "pieces", "example"])


def word(strings: Mapping[str, str], family: str, name: str) -> str:
    """Return what the interface calls a short key; the key itself where it has no word for it.

    Args:
        strings: the words of the interface by key.
        family: what the key is of: ``scheme``, ``flag``, ``lang``, ``topic`` …
        name: the key.
    """
    return strings.get(f"{family}_{name}", name)


def finding_view(finding: Finding, strings: Mapping[str, str]) -> FindingView:
    """Return a finding in words of the interface, by the rows of ``site/findings.tsv``.

    Args:
        finding: of a stage or an input.
        strings: the words of the interface by key.
    """
    topic = word(strings, "topic", finding.topic)
    pieces = list(_pieces(finding, strings))
    return FindingView(topic, pieces, finding.doubt, finding.why.by, finding.why.confidence)


def _pieces(finding: Finding, strings: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for row in _rows():
        found = re.fullmatch(row["pattern"], finding.value)
        if row["topic"] != finding.topic or not found:
            continue
        for piece in row["pieces"].split():
            family, _, group = piece.rpartition(":")
            if not group.isdigit():
                yield strings[piece], ""
            else:
                yield (word(strings, family, found[int(group)]) if family else found[int(group)]), ""
        return
    yield finding.value, "en"


def translations(lang: str) -> Mapping[str, str]:
    """Return the English words of the interface and the vocabularies with their translations into ``lang``.

    English words are the keys, as in gettext; where two places of the interface need different
    words in another language, their English must differ too.
    """
    found: dict[str, str] = {}
    english, other = strings("en"), strings(lang)
    for facet in facets().values():
        for entry in facet.concepts.values():
            found[entry.label("en")] = entry.label(lang)
    for key, text in english.items():
        found[text] = other[key]
    return {text: made for text, made in sorted(found.items()) if text != made}


def facet_styles() -> str:
    """Return the CSS of the tags in the margin: colours (light, dark, in print) and styles of the facets."""
    media = {
        "light": "{}",
        "dark": "@media (prefers-color-scheme: dark) {{ {} }}",
        "print": "@media print {{ {} }}",
    }
    lines = []
    for id_, facet in facets().items():
        if facet.style:
            lines.append(f".chip.{id_} {{ {facet.style}; }}")
        for kind, around in media.items():
            if colour := facet.colour.get(kind):
                lines.append(around.format(f".chip.{id_} {{ color: {colour}; }}"))
    return "".join(f"{line}\n" for line in lines)
