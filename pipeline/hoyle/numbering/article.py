"""Labels like ``Art. 5.``, ``ARTICLE VI``, ``ARTICLE PREMIER``, ``Статья 5.``."""

from __future__ import annotations

from hoyle.numbering.cued import Cued


class Article(Cued):
    """Articles of statutes."""

    def __init__(self) -> None:
        super().__init__("article", 1, ("label",))
