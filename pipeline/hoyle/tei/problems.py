"""What is wrong with a TEI file, and where."""

from __future__ import annotations

from typing import NamedTuple, cast

from lxml import etree

from hoyle.errors import SourceError

_ID = "{http://www.w3.org/XML/1998/namespace}id"


class Problem(NamedTuple):
    """Something wrong in a TEI file: its line (0: the whole file), the unit it is in, and what is wrong."""

    line: int
    unit: str
    message: str

    def __str__(self) -> str:
        """As a person reads it: ``line 12 (quinze.44): …``."""
        where = f"line {self.line}" + (f" ({self.unit})" if self.unit else "")
        return f"{where}: {self.message}" if self.line else self.message


class ProblemError(SourceError):
    """A problem that ends the reading of what it is in."""

    def __init__(self, problem: Problem, *, document: str = "") -> None:
        super().__init__(str(problem), document=document)
        self.problem = problem


def line_of(element: etree._Element) -> int:
    """The line that ``element`` begins in; 0 if it was not read from a file."""
    return cast("int | None", element.sourceline) or 0


def problem(element: etree._Element, message: str) -> Problem:
    """A problem with ``element``; the message goes on from the element's name."""
    near = next((e.get(_ID, "") for e in (element, *element.iterancestors()) if e.get(_ID)), "")
    return Problem(line_of(element), near, f"{etree.QName(element).localname} {message}")
