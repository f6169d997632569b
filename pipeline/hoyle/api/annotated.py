"""What a pipeline gives back: a document and its units, with texts, items, and formats to take away."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, get_args

from hoyle import explain
from hoyle.document import (
    Amount,
    Clause,
    Condition,
    Document,
    Edit,
    Evidence,
    Finding,
    Layer,
    Meta,
    Reference,
    Span,
    Tag,
    Unit,
    group_by_unit,
)
from hoyle.document.text_layers import layer_text, normalise_whitespace
from hoyle.errors import HoyleError
from hoyle.outputs.records import Record, records, token_records
from hoyle.outputs.schema import tables
from hoyle.tei.write import tei_bytes

if TYPE_CHECKING:
    import pandas as pd
    from spacy.tokens import Doc


class AnnotatedUnit:
    """A numbered clause or a block of text (heading, paragraph, footnote …) of an annotated document.

    Attributes:
        unit: the item that describes it, with its raw spans and evidence.
    """

    def __init__(self, whole: AnnotatedDocument, unit: Unit) -> None:
        self._whole = whole
        self.unit = unit

    def __repr__(self) -> str:
        return f"<{self.kind} {self.id}: {self.text()[:40]!r}>"

    @property
    def id(self) -> str:
        """Its id in tables and TEI (``quinze.52``)."""
        return self.unit.id

    @property
    def number(self) -> str:
        """The number of a clause (``45.C.2``), the number or mark that a block shows, or nothing."""
        return self.unit.n

    @property
    def kind(self) -> str:
        """``clause``, or the kind of block that it is, such as ``heading``."""
        return "clause" if isinstance(self.unit, Clause) else self.unit.kind

    @property
    def spans(self) -> tuple[Span, ...]:
        """Its parts in reading order, in characters of the raw text."""
        return self.unit.spans

    @property
    def why(self) -> Evidence:
        """What its extent and its number rest on, with a probability."""
        return self.unit.why

    def text(self, layer: Layer = "corrected") -> str:
        """Its text on one layer, white space made single.

        Args:
            layer: ``raw`` (as the scan has it), ``corrected``, or ``modern`` (in modern spelling).

        Raises:
            HoyleError: ``layer`` is none of these.
        """
        if layer not in get_args(Layer):
            raise HoyleError(f"no text {layer!r}; there are {', '.join(get_args(Layer))}", document=self.id)
        return normalise_whitespace(layer_text(self._whole.document, self.spans, layer).text)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits inside it, in the order of the raw text."""
        edits = self._whole.document.edits
        return tuple(edit for edit in edits if any(span.covers(edit.span) for span in self.spans))

    @property
    def tags(self) -> tuple[Tag, ...]:
        """Its tags (game, actors, offences, penalties, modality)."""
        return tuple(self._whole.tags_of.get(self.id, ()))

    @property
    def references(self) -> tuple[Reference, ...]:
        """The cross-references in it."""
        return tuple(self._whole.references_of.get(self.id, ()))

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The cases that it speaks of, and what then holds."""
        return tuple(self._whole.conditions_of.get(self.id, ()))

    @property
    def amounts(self) -> tuple[Amount, ...]:
        """The numbers with a unit of measure that it names."""
        return tuple(self._whole.amounts_of.get(self.id, ()))

    def explain(self) -> list[str]:
        """Lines of text that list every change and tag of the unit with its evidence."""
        document = self._whole.document
        return [*explain.explain_unit(document, self.unit), *explain.explain_label(document, self.unit)]


class AnnotatedDocument:
    """A text with the layers that a pipeline gave it.

    Attributes:
        document: the immutable source, its description, and the layers of items.
    """

    def __init__(self, document: Document) -> None:
        self.document = document

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}: {self.lang}, {len(self.clauses)} clauses>"

    @property
    def id(self) -> str:
        """The id of the document; the ids of its units begin with it."""
        return self.document.id

    @property
    def lang(self) -> str:
        """Tag of its language and orthography (``ru-petr1708``), ``und`` if it is none that is known."""
        return self.document.lang

    @property
    def meta(self) -> Meta:
        """What is known of the print."""
        return self.document.meta

    @cached_property
    def units(self) -> tuple[AnnotatedUnit, ...]:
        """Clauses and blocks of text in reading order."""
        return tuple(AnnotatedUnit(self, unit) for unit in self.document.units)

    @cached_property
    def clauses(self) -> tuple[AnnotatedUnit, ...]:
        """The numbered clauses in reading order."""
        return tuple(unit for unit in self.units if isinstance(unit.unit, Clause))

    def __getitem__(self, number: str | int) -> AnnotatedUnit:
        """The clause with this number (``52``, ``45.C.2``), or the unit with this id.

        Raises:
            UnknownUnitError: there is none; this is a ``HoyleError`` and a ``KeyError``.
        """
        return AnnotatedUnit(self, explain.unit_by_number(self.document, str(number)))

    def at(self, offset: int) -> AnnotatedUnit:
        """The unit that holds a character.

        Args:
            offset: in characters of the raw text.

        Raises:
            HoyleError: no unit holds it.
        """
        return AnnotatedUnit(self, explain.unit_at(self.document, offset))

    def text(self, layer: Layer = "corrected") -> str:
        """The whole text on one layer, without running heads and page numbers, an empty line between units.

        Args:
            layer: ``raw`` (as the scan has it), ``corrected``, or ``modern`` (in modern spelling).
        """
        texts = (unit.text(layer) for unit in self.units)
        return "\n\n".join(text for text in texts if text)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Every change of a reading, in the order of the raw text."""
        return self.document.edits

    @property
    def tags(self) -> tuple[Tag, ...]:
        """All tags, unit by unit."""
        return self.document.tags

    @property
    def references(self) -> tuple[Reference, ...]:
        """All cross-references, unit by unit."""
        return self.document.references

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was detected (the language, the numbering), and what is doubtful."""
        return self.document.findings

    def profile(self) -> list[str]:
        """Lines of text that list the confusions of its scan with their counts."""
        return list(explain.explain_profile(self.document))

    def to_tei(self) -> bytes:
        """The TEI file of the edition, from which :func:`hoyle.from_tei` makes the same document again.

        Raises:
            OutputError: layers of own stages overlap or do not match the text.
        """
        return tei_bytes(self.document)

    def to_dicts(self, table: str = "clauses") -> list[Record]:
        """The rows of one table, a dictionary each; docs/tables.md describes the columns.

        Args:
            table: ``clauses``, ``tags``, ``references``, ``edits``, ``blocks``, ``findings`` …

        Raises:
            HoyleError: there is no such table of a document.
        """
        found = dict(records(self.document))
        if table == "tokens":  # made only when asked for: they take as long as all others
            return [row for rows in token_records(self.document) for row in rows]
        if table not in found:
            raise HoyleError(f"no table {table!r}; there are {', '.join(found)}", document=self.id)
        return found[table]

    def to_pandas(self, table: str = "clauses") -> pd.DataFrame:
        """The rows of one table as a data frame (needs the extra ``pandas``).

        Args:
            table: see :meth:`to_dicts`.

        Raises:
            HoyleError: there is no such table, or pandas is not installed.
        """
        rows = self.to_dicts(table)
        try:
            import pandas  # noqa: PLC0415, ICN001 - an extra
        except ImportError:
            raise HoyleError("pandas is not installed; pip install 'hoyle[pandas]'") from None
        return pandas.DataFrame(rows, columns=[column.name for column in tables()[table].columns])

    def to_spacy(self) -> list[Doc]:
        """The units with text as spaCy ``Doc`` objects; docs/formats.md says what they hold."""
        from hoyle.outputs.docbin import docs  # noqa: PLC0415 - spaCy only where it is needed

        return list(docs(self.document))

    @cached_property
    def tags_of(self) -> dict[str, list[Tag]]:
        """The tags by the id of their unit."""
        return group_by_unit(self.tags)

    @cached_property
    def references_of(self) -> dict[str, list[Reference]]:
        """The references by the id of their unit."""
        return group_by_unit(self.references)

    @cached_property
    def conditions_of(self) -> dict[str, list[Condition]]:
        """The conditions by the id of their unit."""
        return group_by_unit(self.document.conditions)

    @cached_property
    def amounts_of(self) -> dict[str, list[Amount]]:
        """The amounts by the id of their unit."""
        return group_by_unit(self.document.amounts)
