"""Where each unit goes in the tree: which divisions are open, and which must be closed first.

TEI lets text (``p``, ``ab``) stand before the divisions inside a division, never between or
after them, so text that comes later gets a division of its own (``type="text"``).
"""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from hoyle.document import Block, Clause
from hoyle.tei.names import tei
from hoyle.tei.xml_text import Pen


@dataclass(slots=True)
class Division:
    """An open division; ``divided`` once it holds another one."""

    kind: str
    element: etree._Element
    unit: Clause | Block | None = None
    series: int = 1
    divided: bool = False

    def may_hold(self, clause: Clause) -> bool:
        """Whether ``clause`` may stand in it as far as its number and series say."""
        if isinstance(self.unit, Clause):
            number = self.unit.number
            longer = len(clause.number) > len(number) > 0 and clause.number[: len(number)] == number
            return longer and clause.series == self.series
        return self.kind != "text" and (self.kind != "series" or clause.series == self.series)


class Outline:
    """The open divisions of a body, outermost first.

    Args:
        body: the element they are in.
        several: whether the numbering restarts anywhere in the document, so that every
            series of clauses gets a division of its own.
    """

    def __init__(self, body: etree._Element, *, several: bool) -> None:
        self._open = [Division("body", body)]
        self._several = several

    @property
    def here(self) -> etree._Element:
        """The innermost division."""
        return self._open[-1].element

    @property
    def heading(self) -> str:
        """The id of the heading that what comes now stands under; empty if there is none."""
        found = (d.unit.id for d in reversed(self._open) if d.kind == "section" and d.unit)
        return next(found, "")

    def is_open(self, heading: str) -> bool:
        """Whether units can still be put under the heading of this id (no id: at the top)."""
        return not heading or any(d.kind == "section" and d.unit and d.unit.id == heading for d in self._open)

    def section(self, heading: Block) -> etree._Element:
        """A new division for what stands under ``heading``."""
        self._return_to(heading.parent)
        while self._open[-1].kind not in ("body", "section"):
            self._open.pop()
        return self._divide(Division("section", self.here, heading))

    def clause(self, clause: Clause) -> etree._Element:
        """A new division for ``clause``, inside that of the clause it is a part of."""
        self._return_to(clause.under)
        while not self._open[-1].may_hold(clause):
            self._open.pop()
        if self._several and self._open[-1].kind in ("body", "section"):
            self._divide(Division("series", self.here, series=clause.series)).set("n", str(clause.series))
        return self._divide(Division("clause", self.here, clause, clause.series))

    def block(self, coming: Clause | None) -> None:
        """Leave the clauses that end here: those that the next clause, ``coming``, is no part of."""
        while self._open[-1].kind == "clause" and not (coming and self._open[-1].may_hold(coming)):
            self._open.pop()

    def text(self) -> etree._Element:
        """The place for text that is no clause."""
        if self._open[-1].divided:
            self._divide(Division("text", self.here))
        return self.here

    def _return_to(self, heading: str) -> None:
        wanted = heading if self.is_open(heading) else ""
        while self.heading != wanted:
            self._open.pop()

    def _divide(self, division: Division) -> etree._Element:
        self._open[-1].divided = True
        division.element = Pen(division.element).add("div", type=division.kind)
        self._open.append(division)
        return division.element


def break_lines(body: etree._Element) -> None:
    """One line for each clause, heading and block: line feeds where white space says nothing."""
    for element in body.iter(tei("body"), tei("div")):
        leaf = element.get("type") == "clause"
        if not leaf:
            element.text = "\n"
        for child in element:
            following = child.getnext()
            if not leaf or child.tag == tei("div") or (following is not None and following.tag == tei("div")):
                child.tail = "\n"
