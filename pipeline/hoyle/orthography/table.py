"""The spelling table of an orthography: old spellings and what stands for them, each written once.

``spelling.tsv`` in the folder of an orthography holds one change a row; its heading explains the
columns. Several views are compiled from the table, and column ``uses`` says for which of them a row
holds:

``modernise``
    normalisation to present-day spelling (:mod:`hoyle.orthography.spelling`);
``search``
    the search key (:mod:`hoyle.orthography.search_key`);
``cues``, ``accept``, ``generate``, ``date``
    what is done with variants (:mod:`hoyle.orthography.variants`).

On rule-based normalisation see Bollmann, Petran & Dipper, "Rule-Based Normalization of Historical
Texts" (2011), and Piotrowski, *Natural Language Processing for Historical Texts* (2012), chapter 6.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from hoyle.errors import TableError
from hoyle.languages import Language
from hoyle.tables import Row

VIEWS = frozenset({"modernise", "search", "cues", "accept", "generate", "date"})
KINDS = frozenset({"letter", "word", "contrast", "hyphen", "rule", "variant"})
PLACES = frozenset({"word", "start", "end", "anywhere"})
CONDITIONS = frozenset({"always", "unless-known", "if-known", "adverb"})

_COLUMNS = (
    "kind",
    "old",
    "new",
    "where",
    "uses",
    "when",
    "p",
    "until",
    "needs",
    "example",
    "newer",
    "source",
)
_LITERAL = frozenset({"search", "generate", "date"})
"""Views that need letters: a regular expression cannot be reversed, nor handed to every program."""


class Use(NamedTuple):
    """How a row holds in one view: its place in a word, and the letters that must be left over."""

    where: str
    stem: int


@dataclass(frozen=True, slots=True)
class SpellingChange:
    r"""One row of a spelling table.

    Attributes:
        kind: one of :data:`KINDS`.
        old: the older spelling: a regular expression on small letters; plain text for a ``word``.
        new: the newer spelling, with ``\\1`` for a group of ``old``.
        uses: the views for which the row holds.
        when: one of :data:`CONDITIONS` (normalisation).
        until: the year up to which prints have the older spelling; 0 if not limited.
        needs: a condition of the view; see the heading of the table.
        row: the row, with its place in the file.
    """

    kind: str
    old: str
    new: str
    uses: Mapping[str, Use]
    when: str
    until: int
    needs: str
    row: Row

    @property
    def p(self) -> float:
        """The probability that normalisation by this row is right.

        Raises:
            TableError: the cell is no number.
        """
        return self.row.number("p")

    def pattern(self, view: str) -> re.Pattern[str]:
        """The older spelling at its place in a word, for one view.

        Args:
            view: one of the views that the row holds for.
        """
        where, stem = self.uses[view]
        old = re.escape(self.old) if self.kind == "word" else self.old
        return _pattern(old, where, stem, hyphen=self.kind == "letter")

    def reversed_pattern(self, view: str) -> re.Pattern[str]:
        """The newer spelling at the place of the older one, to go from newer to older.

        Args:
            view: one of the views that the row holds for.
        """
        return _pattern(re.escape(self.new), *self.uses[view])


def _pattern(text: str, where: str, stem: int, *, hyphen: bool = False) -> re.Pattern[str]:
    left = r"\w" * stem
    if where == "word":
        return re.compile(f"^(?:{text})$")
    if where == "start":
        return re.compile(f"^(?:{text})" + (f"(?={left})" if left else ""))
    before = f"(?<={left})" if left else ""
    if where == "end":
        return re.compile(f"{before}(?:{text})" + ("(?=$|-)" if hyphen else "$"))
    return re.compile(f"{before}(?:{text})")


def spelling_changes(lang: Language, view: str | None = None) -> list[SpellingChange]:
    """The rows of the spelling table of an orthography, in order; none if it has no table.

    Args:
        lang: the orthography.
        view: one of :data:`VIEWS`, if only the rows for it are wanted.

    Returns:
        The rows, every cell checked.

    Raises:
        TableError: a cell that does not say what its column demands; the message names file and line.
    """
    changes = (_change(row) for row in lang.table("spelling", _COLUMNS))
    return [change for change in changes if view is None or view in change.uses]


def _change(row: Row) -> SpellingChange:
    if row["kind"] not in KINDS:
        _refuse(row, "kind", KINDS)
    if row["where"] not in PLACES:
        _refuse(row, "where", PLACES)
    uses = dict(_uses(row))
    until = int(row.number("until")) if row["until"] else 0
    change = SpellingChange(row["kind"], row["old"], row["new"], uses, row["when"], until, row["needs"], row)
    try:
        for view in uses:
            change.pattern(view).sub(change.new, "")
    except re.error as error:
        raise TableError(f"old, new: no regular expression: {error}", document=row.where) from None
    if not _LITERAL.isdisjoint(uses) and not f"{change.old}{change.new}".isalpha():
        views = ", ".join(sorted(_LITERAL))
        raise TableError(f"old and new must be letters for the uses {views}", document=row.where)
    if "modernise" in uses:
        _ = change.p
        if change.kind in ("hyphen", "rule", "variant") and change.when not in CONDITIONS:
            _refuse(row, "when", CONDITIONS)
    return change


def _uses(row: Row) -> Iterator[tuple[str, Use]]:
    for cell in row["uses"].split():
        view, _, own = cell.partition(":")
        if view not in VIEWS or (own and own not in PLACES and not own.isdecimal()):
            _refuse(row, "uses", VIEWS)
        where = own if own in PLACES else row["where"]
        yield view, Use(where, int(own) if own.isdecimal() else 0)


def _refuse(row: Row, column: str, allowed: frozenset[str]) -> None:
    message = f"{column!r} must be of {', '.join(sorted(allowed))}, not {row[column]!r}"
    raise TableError(message, document=row.where)
