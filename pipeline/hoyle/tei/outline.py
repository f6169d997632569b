"""Nesting of divisions: which are open, and which must be closed before a unit is written.

TEI P5 (chapter 4) allows text (``p``, ``ab``) in a division before its inner divisions, but not between or
after them. Text that comes later therefore gets a division of its own (``type="text"``).
"""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from hoyle.document import Block, Clause
from hoyle.tei.names import tei
from hoyle.tei.xml_text import XmlWriter


@dataclass(slots=True)
class Division:
    """An open division; ``divided`` is true once it contains another one."""

    kind: str
    element: etree._Element
    unit: Clause | Block | None = None
    series: int = 1
    divided: bool = False

    def may_hold(self, clause: Clause) -> bool:
        """Return whether number and series of ``clause`` allow it inside this division."""
        if isinstance(self.unit, Clause):
            number = self.unit.number
            longer = len(clause.number) > len(number) > 0 and clause.number[: len(number)] == number
            return longer and clause.series == self.series
        return self.kind != "text" and (self.kind != "series" or clause.series == self.series)


class DivisionStack:
    """The open divisions of a body, outermost first.

    Args:
        body: the ``body`` element.
        several: whether the numbering restarts anywhere in the document; every series of clauses
            then gets a division of its own.
    """

    def __init__(self, body: etree._Element, *, several: bool) -> None:
        self._open = [Division("body", body)]
        self._several = several

    @property
    def innermost(self) -> etree._Element:
        """The innermost division."""
        return self._open[-1].element

    @property
    def heading(self) -> str:
        """The id of the heading of the innermost open section; empty if no section is open."""
        found = (d.unit.id for d in reversed(self._open) if d.kind == "section" and d.unit)
        return next(found, "")

    def is_open(self, heading: str) -> bool:
        """Return whether the section of the heading with this id is open (no id: the body)."""
        return not heading or any(d.kind == "section" and d.unit and d.unit.id == heading for d in self._open)

    def open_section(self, heading: Block) -> etree._Element:
        """Open a division for the section of ``heading``."""
        self._return_to(heading.parent)
        while self._open[-1].kind not in ("body", "section"):
            self._open.pop()
        return self._divide(Division("section", self.innermost, heading))

    def open_clause(self, clause: Clause) -> etree._Element:
        """Open a division for ``clause``, inside the division of the clause it is a part of."""
        self._return_to(clause.under)
        while not self._open[-1].may_hold(clause):
            self._open.pop()
        if self._several and self._open[-1].kind in ("body", "section"):
            self._divide(Division("series", self.innermost, series=clause.series)).set(
                "n", str(clause.series)
            )
        return self._divide(Division("clause", self.innermost, clause, clause.series))

    def close_clauses(self, next_clause: Clause | None) -> None:
        """Close the open clauses that ``next_clause`` is not a part of."""
        while self._open[-1].kind == "clause" and not (next_clause and self._open[-1].may_hold(next_clause)):
            self._open.pop()

    def text_parent(self) -> etree._Element:
        """Return the division for text outside clauses."""
        if self._open[-1].divided:
            self._divide(Division("text", self.innermost))
        return self.innermost

    def _return_to(self, heading: str) -> None:
        wanted = heading if self.is_open(heading) else ""
        while self.heading != wanted:
            self._open.pop()

    def _divide(self, division: Division) -> etree._Element:
        self._open[-1].divided = True
        division.element = XmlWriter(division.element).add("div", type=division.kind)
        self._open.append(division)
        return division.element


def add_line_breaks(body: etree._Element) -> None:
    """Put each clause, heading and block on a line: add line feeds where white space is not significant."""
    for element in body.iter(tei("body"), tei("div")):
        leaf = element.get("type") == "clause"
        if not leaf:
            element.text = "\n"
        for child in element:
            following = child.getnext()
            if not leaf or child.tag == tei("div") or (following is not None and following.tag == tei("div")):
                child.tail = "\n"
