"""The items of the layers of a document; import them from :mod:`hoyle.document`.

Every span counts characters of ``Source.text`` (the raw text), never of a corrected text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from hoyle.document.places import PageLayout, Span

EditKind: TypeAlias = Literal["correct", "misprint", "layout", "drop", "regularise"]
"""The kind of an edit.

``correct``
    corrects an OCR error;
``misprint``
    corrects an error of the print itself;
``layout``
    undoes a line join: removes a hyphen at a line end, or replaces a line end inside a
    paragraph by a space;
``drop``
    removes page furniture inside a clause: a running head, a page number, a separator;
``regularise``
    replaces historical by modern spelling; its ``before`` is the *corrected* text.
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
    "rule",
    "gap",
    "title-page",
    "foreword",
    "contents",
    "index",
    "errata",
    "catalogue",
    "table",
]
"""The kind of a stretch of text that is not a numbered clause (the gold editions use the same terms).

A ``rule`` is a rule without a number, known by its side-head; ``title-page`` to ``table`` name the parts of a
book that hold no rules (:mod:`hoyle.layout.book_parts`).
"""

FURNITURE: frozenset[str] = frozenset(
    {"notice", "running-head", "page-number", "signature", "separator", "note-ref"}
)
"""Kinds of block that are page furniture (TEI P5, 12.6 ``fw``): they belong to the page, not to the text."""

DECISIONS = "decisions"
"""The name of the layer of editorial decisions."""

PLACES = "places"
"""The name of the layer of the pages, with the places of the words on them."""

DecisionKind: TypeAlias = Literal["accept", "reject", "read-as", "number", "tag"]
RefStatus: TypeAlias = Literal["exact", "ancestor", "outside", "ambiguous"]
Layer: TypeAlias = Literal["raw", "corrected", "modern"]


@dataclass(frozen=True, slots=True)
class Source:
    """A source text exactly as it was read; no character is changed.

    ``text.encode(encoding)`` returns the bytes of the file (a byte-order mark stays in ``text`` as U+FEFF).

    Attributes:
        id: the id of the document.
        name: the name of the file.
        text: the raw text.
        sha256: the SHA-256 checksum of the bytes, in hexadecimal digits.
        size: the number of bytes.
        encoding: the Python name of the encoding.
        folder: where its file lies, and images of its pages are looked for; no part of the edition.
    """

    id: str
    name: str
    text: str
    sha256: str
    size: int
    encoding: str = "utf-8"
    folder: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The source of an item: a row of a table, a model, or an editor.

    Attributes:
        by: the name of the source (``languages/fr/confusions.tsv:14``, ``numbering/decoder``,
            ``corpus/quinze/meta.toml``).
        confidence: the probability (0–1) that the item is right.
    """

    by: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of reading: at ``span``, ``after`` replaces ``before``.

    ``before`` is the raw text of ``span``; for ``regularise`` it is the corrected text.
    """

    span: Span
    before: str
    after: str
    kind: EditKind
    why: Evidence


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of the source that is not a numbered clause: a heading, a paragraph, a running head.

    Attributes:
        id: the id of the block.
        kind: the kind of block; a ``gap`` (lost text) has one empty span, at its position.
        spans: the parts of its text in reading order (characters of the raw text).
        why: the evidence.
        n: the number it shows, if any (page number, note mark, number of a law in a heading).
        parent: the id of the unit that a footnote belongs to, or of the heading above a heading.
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

    Attributes:
        id: the id of the clause.
        label: the number as it stands in the raw text (``44*``, ``^d.``); empty if it is lost.
        number: the normalised number, as a path (``("52",)``, ``("45", "C", "2")``).
        spans: the parts of its text in reading order (characters of the raw text), with the label,
            without white space at their ends.
        why: the evidence.
        label_span: the span of the label.
        scheme: the numbering scheme of the label.
        series: the series of numbers it belongs to (1, 2 …); a new one begins where the numbering restarts.
        heading: the span of the clause's own title, inside ``spans``.
        under: the id of the heading block above it.
        incomplete: which end of its text is lost.
        flags: remarks of the decoder on the number.
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
        """The number in one string: ``45.C.2``."""
        return ".".join(self.number)


Unit: TypeAlias = Clause | Block


@dataclass(frozen=True, slots=True)
class Tag:
    """A concept that annotates a unit.

    Attributes:
        unit: the id of the clause or block.
        facet: an entry of ``schemas/facets.toml``.
        value: a concept of the vocabulary of the facet.
        spans: the words that show the concept (characters of the raw text); empty if the concept comes from
            elsewhere, such as a game of the whole document.
        text: these words, corrected.
        why: the evidence.
        part: the actor's part in the clause: ``must``, ``may``, ``suffers``, ``benefits`` or empty.
        against: the id of the actor who suffers a penalty.
        exacted_by: the id of the actor who exacts a penalty.
        amount: the words that give the amount of a penalty.
        main: whether it is the main modality of the clause; a clause has one.
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
    """A condition of a unit and its consequence: "if …, then …", "he who …".

    Tags of the unit whose words lie in either of the two belong to it.

    Attributes:
        unit: the id of the clause or block.
        spans: the condition (characters of the raw text).
        text: the condition, corrected.
        then_spans: the consequence; empty if the text breaks off.
        then: the consequence, corrected.
        why: the evidence.
    """

    unit: str
    spans: tuple[Span, ...]
    text: str
    then_spans: tuple[Span, ...]
    then: str
    why: Evidence


@dataclass(frozen=True, slots=True)
class Amount:
    """A number and the unit of measure that it counts: "deux mises", "100 à 500 fr.".

    Attributes:
        unit: the id of the clause or block.
        spans: the words of the amount (characters of the raw text).
        text: these words, corrected.
        low: the number, or the lower end of a range; ``None`` if only the most is named.
        high: the same number, or the upper end; ``None`` if only the least is named.
        measure: the unit of measure, a value of the column ``unit`` of ``units.tsv``; empty if none is named.
        why: the evidence.
    """

    unit: str
    spans: tuple[Span, ...]
    text: str
    low: float | None
    high: float | None
    measure: str
    why: Evidence


@dataclass(frozen=True, slots=True)
class Reference:
    """A cross-reference: its words, the number they name, and its target.

    Attributes:
        unit: the id of the clause or block.
        spans: the words of the reference (characters of the raw text).
        text: these words, corrected.
        number: the number that they name, as a path (``("45", "C", "4", "b")``).
        target: the id of the target clause (``ancestor``: of the nearest clause above it in the text);
            empty if ``outside``.
        status: how the number was resolved.
        why: the evidence.
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
    """A part of the text in reading order: its raw ``span`` and the column it was printed in."""

    span: Span
    column: str
    why: Evidence


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was detected in a document, or that is doubtful.

    ``topic`` is a short key (``language``, ``numbering``, ``sequence``, ``encoding`` …).
    """

    topic: str
    value: str
    why: Evidence
    span: Span | None = None
    doubt: bool = False


Item: TypeAlias = (
    Edit | Block | Clause | Tag | Condition | Amount | Reference | Fragment | Finding | PageLayout
)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """An editor's statement that the text belongs to clause ``number`` from character ``at`` on."""

    at: int
    number: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """An editorial decision on one span (a row of ``corpus/<id>/decisions.tsv``).

    Attributes:
        span: the characters of the raw text.
        text: the raw text of ``span`` as the editor saw it; the decision applies only to this text.
        kind: the kind of decision.
        value: the new reading (``read-as``), the accepted reading (``accept``; may be empty), a number
            (``number``), or ``facet:concept``, with ``-`` before it to deny it (``tag``).
        editor: the name of the editor.
        date: the date (ISO 8601: year, month or day).
        reason: the reason; may be empty.
        where: file and line.
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
    """Metadata of a document from its editors (``corpus/<id>/meta.toml``); all but ``id`` may be unknown.

    ``lang`` is the tag of an orthography (``ru-petr1708``, ``ru``, ``fr``), or empty to detect it;
    ``numbering`` names schemes of ``hoyle.numbering``, or is ``("detect",)``.
    ``decisions`` are the editorial decisions, ``editors`` the names of those who made them; ``iiif`` is the
    address of the manifest of a library that shows the pages (IIIF Presentation).
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
    iiif: str = ""

    @property
    def name(self) -> str:
        """The title, or the id if there is no title."""
        return self.title or self.id
