"""Problems of a TEI file, with their places."""

from __future__ import annotations

from typing import NamedTuple, cast

from lxml import etree

from hoyle.errors import SourceError

_ID = "{http://www.w3.org/XML/1998/namespace}id"


class Problem(NamedTuple):
    """A problem of a TEI file: its line (0: the whole file), the unit it is in, and a message."""

    line: int
    unit: str
    message: str

    def __str__(self) -> str:
        """Return ``line 12 (quinze.44): …``."""
        where = f"line {self.line}" + (f" ({self.unit})" if self.unit else "")
        return f"{where}: {self.message}" if self.line else self.message


class ProblemError(SourceError):
    """A problem that prevents the element around it from being read."""

    def __init__(self, problem_at: Problem, *, document: str = "") -> None:
        super().__init__(str(problem_at), document=document)
        self.problem = problem_at


def line_of(element: etree._Element) -> int:
    """Return the line of ``element``; 0 if it was not read from a file."""
    return cast("int | None", element.sourceline) or 0


def problem_at(element: etree._Element, message: str) -> Problem:
    """Return a problem of an element.

    Args:
        element: the element; its line and the nearest ``xml:id`` become the place.
        message: the predicate of a sentence whose subject is the name of the element.

    Returns:
        The problem.
    """
    near = next((e.get(_ID, "") for e in (element, *element.iterancestors()) if e.get(_ID)), "")
    return Problem(line_of(element), near, f"{etree.QName(element).localname} {message}")
