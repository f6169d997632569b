"""``1.2``, ``27.1.1.``: labels that show their whole path."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hoyle.model import Span
from hoyle.numbering.confusions import distance
from hoyle.numbering.scheme import Sighting

NAME = "decimal"
_PATTERN = re.compile(
    r"(?<![\w.,§$-])(?P<number>\d{1,3}(?:\.[ \u00a0]?\d{1,2}){1,4})(?P<end>[.)]?)(?=\s|[^\W\d])"
)


class Decimal:
    """Decimal paths of two to five components."""

    name = NAME

    def rank(self, style: str) -> int:  # noqa: ARG002 -- all styles alike
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return 4

    def sightings(self, text: str) -> Iterator[Sighting]:
        """Numbers joined by stops."""
        for match in _PATTERN.finditer(text):
            path = tuple(int(part) for part in match["number"].split("."))
            if 0 in path:
                continue
            yield Sighting(
                label=Span(*match.span()),
                scheme=NAME,
                style="",
                surface=match["number"],
                value=path[-1],
                weight=0.6 + (0.4 if match["end"] else 0.0),
                path=path,
            )

    def cost(self, surface: str, value: int) -> float:
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return distance(surface.rsplit(".", 1)[-1], str(value))

    def write(self, value: int, style: str) -> str:  # noqa: ARG002 -- one style only
        """See :class:`hoyle.numbering.scheme.Scheme`."""
        return str(value)
