"""``#.``: items of reStructuredText that are numbered when the text is set."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hoyle.document import Span
from hoyle.numbering.cues import CueWords
from hoyle.numbering.scheme import Sighting

NAME = "auto"
_ITEM = re.compile(r"^(?P<indent>[ \t]*)(?P<label>#\.)(?=[ \t]\S)", re.MULTILINE)


class Auto:
    """Items without a number of their own: each is the one that is due."""

    name = NAME

    def rank(self, style: str) -> int:  # noqa: ARG002 -- one style only
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return 4

    def sightings(self, text: str, cues: CueWords) -> Iterator[Sighting]:  # noqa: ARG002 -- no words
        """See :class:`~hoyle.numbering.scheme.Scheme`; every ``#.`` at the start of a line."""
        for match in _ITEM.finditer(text):
            yield Sighting(Span(*match.span("label")), NAME, ".", "#", None, 2.0, guess=(1, 0.0))

    def cost(self, surface: str, value: int) -> float:  # noqa: ARG002 -- every number fits
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return 0.0

    def write(self, value: int, style: str) -> str:  # noqa: ARG002 -- one style only
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return str(value)
