"""A stage that finds the suits of German cards."""

import re
from collections.abc import Iterator

from hoyle.document import Document, Evidence, Finding, Span
from hoyle.languages import Language
from hoyle.pipeline import Stage

_SUITS = re.compile(r"\b(?:Eicheln?|Grün|Schellen)\b")


def find_suits(document: Document, language: Language) -> Iterator[Finding]:
    """Every name of a suit in a German text."""
    if language.tag == "de-fraktur":
        for match in _SUITS.finditer(document.source.text):
            yield Finding("suit", match[0], Evidence("hoyle_german/suits", 1.0), Span(*match.span()))


SUITS = Stage("suits", find_suits, "finds the suits of German cards", after="clauses")
