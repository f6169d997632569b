"""Which clause a cited number means, among the clauses of one document.

A wrong link is worse than none: a number is linked only where the text holds exactly one clause
it can mean, in the series of numbers the citing unit belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from hoyle.document import Block, Clause, Document, RefStatus, Unit
from hoyle.references.cited_numbers import NumberPath, comparison_key, to_latin

ACCEPTS: dict[str, frozenset[str]] = {
    "rule": frozenset({"rule", "bare"}),
    "section": frozenset({"section", "bare"}),
    "article": frozenset({"article", "bare"}),
    "number": frozenset({"number", "bare"}),
    "point": frozenset({"point", "bare", "item"}),
    "division": frozenset({"division", "bare", "item"}),
    "chapter": frozenset({"chapter"}),
    "see": frozenset({"rule", "section", "article", "number", "point", "bare"}),
}
"""Which kinds of label a citation of each kind can mean: ``§ 2`` is not item ``2)`` of a list."""

RELATIVE = frozenset({"point", "division"})
"""Kinds that are cited without the number of the law they stand in."""


class Resolution(NamedTuple):
    """What a cited number means: the path as the document writes it, the clause's id, how sure."""

    path: NumberPath
    target: str
    status: RefStatus


class ClauseIndex:
    """The clauses of a document, ready to be cited.

    Args:
        document: with its clauses layer.
        label_kind: returns the kind of unit a clause's label names (``section`` for ``§ 5.``, ``bare`` for
            ``5.``, ``item`` for ``5)``).
    """

    def __init__(self, document: Document, label_kind: Callable[[Clause], str]) -> None:
        self._clauses = document.clauses
        self._label_kind = label_kind
        self._by_key: dict[NumberPath, list[Clause]] = {}
        for clause in self._clauses:
            self._by_key.setdefault(comparison_key(clause.number), []).append(clause)
        self._series = sorted({c.series for c in self._clauses})
        self._label_kinds = {label_kind(c) for c in self._clauses if len(c.number) == 1}
        self._headings = {b.id: b for b in document.units if isinstance(b, Block) and b.kind == "heading"}
        self._latin = _mostly_latin([c.number for c in self._clauses])
        self._numbering_clauses = _numbering_clauses(document)

    def cites(self, kind: str) -> bool:
        """Whether the document has clauses that a citation of this kind can mean."""
        return bool(ACCEPTS[kind] & self._label_kinds)

    def numbering_clause(self, unit: Unit) -> Clause | None:
        """The clause whose numbering ``unit`` goes by: itself, its parent, or the last before it."""
        return unit if isinstance(unit, Clause) else self._numbering_clauses.get(unit.id)

    def resolve(self, path: NumberPath, kind: str, unit: Unit, chapter: NumberPath = ()) -> Resolution:
        """What ``path``, cited in ``unit`` as a ``kind``, means.

        Args:
            path: the cited number.
            kind: the kind of unit the words name (a key of ``ACCEPTS``).
            unit: where it is cited.
            chapter: the number of the chapter it is cited with, if any.
        """
        home = self.numbering_clause(unit)
        written = to_latin(path) if self._latin and len(path) > 1 else path
        candidates = self._candidates(path, kind, chapter)
        own = [c for c in candidates if home is not None and c.series == home.series]
        relative = self._relative(path, unit, home) if kind in RELATIVE and home is not None else None
        if relative and relative.status == "exact":
            return relative
        if isinstance(unit, Clause) and any(c.id == unit.id for c in own):
            # A clause does not send to itself: another text's number is meant.
            return Resolution(written, "", "outside")
        meant = candidates if home is None and len(self._series) == 1 else own
        if len(meant) == 1:
            return Resolution(meant[0].number, meant[0].id, "exact")
        if relative:
            return relative
        if candidates or self._known_otherwise(path):
            return Resolution(written, "", "ambiguous")
        return self._ancestor(written, kind, unit, home)

    def neighbour(self, unit: Unit, step: int) -> Clause | None:
        """The neighbour of ``unit`` in its numbering, if it is there and its number is the next one.

        Args:
            unit: where the neighbour is cited.
            step: −1 for the one before, +1 for the one after.
        """
        if not isinstance(unit, Clause):
            return None
        level = [c for c in self._clauses if c.series == unit.series and c.number[:-1] == unit.number[:-1]]
        at = level.index(unit) + step
        if not 0 <= at < len(level):
            return None
        first, second = sorted((level[at].number[-1], unit.number[-1]), key=lambda n: (len(n), n))
        in_turn = not (first.isdecimal() and second.isdecimal()) or int(second) - int(first) == 1
        return level[at] if in_turn else None

    def _candidates(self, path: NumberPath, kind: str, chapter: NumberPath) -> Sequence[Clause]:
        found = self._by_key.get(comparison_key(path), [])
        if len(path) == 1:
            found = [c for c in found if self._label_kind(c) in ACCEPTS[kind]]
        if chapter:
            found = [c for c in found if self._chapter(c) == comparison_key(chapter)]
        return found

    def _chapter(self, clause: Clause) -> NumberPath:
        heading = self._headings.get(clause.under)
        while heading is not None and not heading.n:
            heading = self._headings.get(heading.parent)
        return comparison_key((heading.n,)) if heading else ()

    def _known_otherwise(self, path: NumberPath) -> bool:
        """Whether the number is here, but as another kind of unit, or only as the parts of a law."""
        wanted = comparison_key(path)
        headings = any(comparison_key((h.n,)) == wanted for h in self._headings.values() if h.n)
        return wanted in self._by_key or headings or any(k[: len(wanted)] == wanted for k in self._by_key)

    def _relative(self, path: NumberPath, unit: Unit, home: Clause) -> Resolution | None:
        """``раздел B`` inside 41.C is 41.B: that clause, or the one it would lie in; never ``unit``.

        Where labels show whole paths (``2.1.``), so do citations of several parts.
        """
        if len(path) > 1 and home.label.rstrip(".) ") == home.n:
            return None
        for depth in range(len(home.number) - 1, 0, -1):
            prefix = home.number[:depth]
            if _shape(home.number[depth]) != _shape(path[0]):
                continue
            whole = (*prefix, *path)
            found = [c for c in self._by_key.get(comparison_key(whole), []) if c.series == home.series]
            if any(c.id == unit.id for c in found):
                return None
            if len(found) == 1:
                return Resolution(found[0].number, found[0].id, "exact")
            if not found:
                return self._ancestor(whole, "point", unit, home)
        return None

    def _ancestor(self, path: NumberPath, kind: str, unit: Unit, home: Clause | None) -> Resolution:
        """The nearest clause that is here of those a lost one would lie in; none if that is ``unit``."""
        for depth in range(len(path) - 1, 0, -1):
            found = self._candidates(path[:depth], kind, ())
            own = [c for c in found if home is None or c.series == home.series]
            if any(c.id == unit.id for c in own):
                break
            if len(own) == 1:
                return Resolution((*own[0].number, *path[depth:]), own[0].id, "ancestor")
        return Resolution(path, "", "outside")


def _numbering_clauses(document: Document) -> dict[str, Clause]:
    """For blocks: the clause whose series they go by."""
    by_id = {c.id: c for c in document.clauses}
    homes: dict[str, Clause] = {}
    last: Clause | None = None
    for unit in document.units:
        if isinstance(unit, Clause):
            last = unit
        elif unit.parent in by_id:
            homes[unit.id] = by_id[unit.parent]
        elif last is not None:
            homes[unit.id] = last
    return homes


def _mostly_latin(paths: Sequence[NumberPath]) -> bool:
    letters = [part for path in paths for part in path[1:] if part.isalpha()]
    return sum(part.isascii() for part in letters) * 2 > len(letters)


def _shape(part: str) -> str:
    return "figure" if part[:1].isdecimal() else "letter"
