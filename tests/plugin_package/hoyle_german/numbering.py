"""Labels such as ``Nro. 3.``, as German almanacs number their rules."""

import re
from collections.abc import Iterator

from hoyle.document import Span
from hoyle.numbering.confusions import distance
from hoyle.numbering.cues import CueWords
from hoyle.numbering.scheme import Sighting

_LABEL = re.compile(r"(?<!\w)Nro\. ?(?P<number>\d{1,3})\.")


class Nro:
    """The abbreviated word "Numero" before an Arabic number."""

    name = "nro"

    def rank(self, style: str) -> int:
        """As deep as paragraphs with a section sign."""
        return 2

    def sightings(self, text: str, cues: CueWords) -> Iterator[Sighting]:
        """Every place where the word and a number stand."""
        for match in _LABEL.finditer(text):
            number = match["number"]
            yield Sighting(Span(*match.span()), self.name, "", number, int(number), weight=3.0)

    def cost(self, surface: str, value: int) -> float:
        """What it costs to take the digits for a damaged number."""
        return distance(surface, str(value))

    def write(self, value: int, style: str) -> str:
        """An Arabic number."""
        return str(value)


NRO = Nro()
