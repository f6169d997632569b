"""Labels like ``Правило 45.``, ``Законъ 12.``, ``La règle 4``, ``№ 4.``, ``N° 4.``."""

from __future__ import annotations

from hoyle.numbering.cued import Cued


class NamedRule(Cued):
    """Rules and laws under their name; number signs count as a name."""

    def __init__(self) -> None:
        super().__init__("law", 1, ("label", "sign"))
