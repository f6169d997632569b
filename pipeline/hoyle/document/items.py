"""The items that the layers of a document are made of; use them through :mod:`hoyle.document`.

Every span counts characters of ``Source.text``, never of a corrected text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

EditKind: TypeAlias = Literal["correct", "misprint", "layout", "drop", "regularise"]
"""What an edit is for.

``correct``
    a fault of the OCR;
``misprint``
    a fault of the print itself, mended in the corrected layer;
``layout``
    what only the setting of the print put there: a hyphen at a line end, a line end
    inside a paragraph (line feed → space);
``drop``
    furniture inside a clause: a running head, a page number, a separator;
``regularise``
    historical → modern spelling; its ``before`` is the *corrected* reading.
"""

BlockKind: TypeAlias = Literal[
    "notice",
    "running-head",
    "page-number",
    "signature",
    "separator",
    "note-ref",
    "footnote",
    "caption",
    "heading",
    "paragraph",
    "gap",
]
"""What a stretch of text is when it is not a numbered clause (terms of the gold editions)."""

FURNITURE: frozenset[str] = frozenset(
    {"notice", "running-head", "page-number", "signature", "separator", "note-ref"}
)
"""Kinds of block that belong to the page (or the web reader), not to the text."""

DECISIONS = "decisions"
"""The layer of what editors decided; see :attr:`Document.in_force`."""

DecisionKind: TypeAlias = Literal["accept", "reject", "read-as", "number", "tag"]
RefStatus: TypeAlias = Literal["exact", "ancestor", "outside", "ambiguous"]
Layer: TypeAlias = Literal["raw", "corrected", "modern"]


class Span(NamedTuple):
    """A half-open range ``[start, end)`` of characters of the source text."""

    start: int
    end: int

    def covers(self, other: Span) -> bool:
        """Whether ``other`` lies wholly inside this span."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Source:
    """A source text exactly as it was read: nothing is translated, nothing is lost.

    ``text.encode(encoding)`` gives the bytes of the file again (a byte-order mark stays
    in ``text`` as U+FEFF); ``sha256`` (hexadecimal) and ``size`` (bytes) are of those bytes.
    """

    id: str
    name: str
    text: str
    sha256: str
    size: int
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Who said so: a rule of a table, a model, or an editor.

    ``by`` names it so that it can be found (``languages/fr/confusions.tsv:14``,
    ``numbering/decoder``, ``corpus/quinze/meta.toml``); ``confidence`` is a probability.
    """

    by: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of reading: ``before``, at ``span``, is to be read as ``after``.

    ``before`` is the raw text of ``span``; for ``regularise`` it is the corrected one.
    """

    span: Span
    before: str
    after: str
    kind: EditKind
    why: Evidence


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of the source that is no numbered clause: a heading, paragraph, running head.

    ``n`` is the number it shows, if any (page number, note mark, number of a law in a heading);
    ``parent`` is the id of the unit a footnote belongs to, or of the heading a heading stands under.
    A ``gap`` (text lost) has one empty span, at its place.
    """

    id: str
    kind: BlockKind
    spans: tuple[Span, ...]
    why: Evidence
    n: str = ""
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """A numbered rule.

    ``label`` is as it stands in the raw text (``44*``, ``^d.``; empty where none is left) at
    ``label_span``; ``number`` is the normalised path (``("52",)``, ``("45", "C", "2")``);
    ``spans`` are the parts of its text in reading order, label included, white space at their
    ends excluded; ``series`` counts restarts of the numbering (1, 2 …); ``heading`` is the raw
    span of the clause's own title, inside ``spans``; ``under`` is the id of the heading block
    it stands under; ``incomplete`` says which end of its text is lost.
    """

    id: str
    label: str
    number: tuple[str, ...]
    spans: tuple[Span, ...]
    why: Evidence
    label_span: Span | None = None
    scheme: str = ""
    series: int = 1
    heading: Span | None = None
    under: str = ""
    incomplete: Literal["", "start", "end", "both"] = ""
    flags: tuple[str, ...] = ()

    @property
    def n(self) -> str:
        """The number as people write it: ``45.C.2``."""
        return ".".join(self.number)


Unit: TypeAlias = Clause | Block


@dataclass(frozen=True, slots=True)
class Tag:
    """What a unit says: a concept of the vocabulary and the words (``spans``) that show it.

    ``unit`` is the id of the clause or block; ``facet`` an entry of ``schemas/facets.toml`` and ``value`` a
    concept of its vocabulary;
    ``text`` the words as corrected; ``part`` the actor's part in the clause (``must``, ``may``,
    ``suffers``, ``benefits`` or empty); ``against`` and ``exacted_by`` are actor ids (penalties only);
    ``main`` marks the one modality that speaks for the whole clause. A tag without words of
    its own (a game taken from the document) has empty ``spans``.
    """

    unit: str
    facet: str
    value: str
    spans: tuple[Span, ...]
    text: str
    why: Evidence
    part: str = ""
    against: str = ""
    exacted_by: str = ""
    amount: str = ""
    main: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """What a unit says of a case, and what then holds: "if …, then …", "he who …".

    ``spans`` and ``text`` (as corrected) are the condition, ``then_spans`` and ``then`` what it brings
    about (empty where the text breaks off). Tags of the unit whose words lie in either belong to it.
    """

    unit: str
    spans: tuple[Span, ...]
    text: str
    then_spans: tuple[Span, ...]
    then: str
    why: Evidence


@dataclass(frozen=True, slots=True)
class Reference:
    """A cross-reference: its words, the number it names, and the clause that is meant.

    ``number`` is the path named (``("45", "C", "4", "b")``); ``target`` is the id of the clause
    (for ``ancestor``: of the nearest one above that the text holds), empty when ``outside``.
    """

    unit: str
    spans: tuple[Span, ...]
    text: str
    number: tuple[str, ...]
    target: str
    status: RefStatus
    why: Evidence


@dataclass(frozen=True, slots=True)
class Fragment:
    """One piece of the flow of the text: raw ``span`` and the column it was printed in."""

    span: Span
    column: str
    why: Evidence


@dataclass(frozen=True, slots=True)
class Finding:
    """Something the reader of a report should know: what was detected, or a doubt.

    ``topic`` is a short key (``language``, ``numbering``, ``sequence``, ``encoding`` …).
    """

    topic: str
    value: str
    why: Evidence
    span: Span | None = None
    doubt: bool = False


Item: TypeAlias = Edit | Block | Clause | Tag | Condition | Reference | Fragment | Finding


@dataclass(frozen=True, slots=True)
class Excerpt:
    """An editor's statement: from character ``at`` on, the text belongs to unit ``number``."""

    at: int
    number: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """An editor's decision about one place (a row of ``corpus/<id>/decisions.tsv``).

    ``text`` is the raw text of ``span`` as the editor saw it: the decision holds only while it is
    there. ``value`` is what is to be read (``read-as``), what is accepted (``accept``; may be
    empty), a number path (``number``) or ``facet:concept``, with ``-`` before it to deny it (``tag``).
    ``where`` is file and line.
    """

    span: Span
    text: str
    kind: DecisionKind
    value: str
    editor: str
    date: str
    reason: str
    where: str


@dataclass(frozen=True, slots=True)
class Meta:
    """What an editor knows of a document (``corpus/<id>/meta.toml``); all but ``id`` may be unknown.

    ``lang`` is a language-and-orthography tag (``ru-petr1708``, ``ru``, ``fr``) or empty
    (detected); ``numbering`` names schemes of ``hoyle.numbering`` or is ``("detect",)``.
    ``decisions`` are the editors' decisions on single places, ``editors`` the names of those who
    made them.
    """

    id: str
    title: str = ""
    lang: str = ""
    date: str = ""
    date_note: str = ""
    author: str = ""
    publisher: str = ""
    licence: str = ""
    file: str = ""
    sha256: str = ""
    numbering: tuple[str, ...] = ("detect",)
    games: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()
    origin: str = ""
    decisions: tuple[Decision, ...] = ()
    editors: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The title, or the id where no title is known."""
        return self.title or self.id
