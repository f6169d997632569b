"""What the stages found out about a document, in words that the site can say in any of its languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from hoyle.document import Finding
from hoyle.tables import Row, data_file, read_table


@dataclass(frozen=True, slots=True)
class Said:
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
    """What the interface calls the short key ``name`` of a family (``scheme``, ``flag``, ``lang`` …)."""
    return strings.get(f"{family}_{name}", name)


def said(finding: Finding, strings: Mapping[str, str]) -> Said:
    """A finding in words of the interface, as far as ``site/findings.tsv`` knows how.

    Args:
        finding: of a stage or an input.
        strings: the words of the interface by key.
    """
    topic = word(strings, "topic", finding.topic)
    pieces = list(_pieces(finding, strings))
    return Said(topic, pieces, finding.doubt, finding.why.by, finding.why.confidence)


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
