"""Cross-references: ``см. правило 16``, ``§§ 3 и 5``, ``правилом 45C4(B)``, ``(V. nos 33, 41)``.

Cue words come from ``languages/<folder>/references.tsv``; numbers are found by
:mod:`hoyle.references.mentions` and linked by :mod:`hoyle.references.resolution`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hoyle.document import Clause, Document, Evidence, Reference, RefStatus, Span, Unit
from hoyle.document.text_layers import LayerText, layer_text
from hoyle.languages import Language
from hoyle.references.mentions import Mention, ReferenceCues, find_mentions
from hoyle.references.resolution import ClauseIndex, Resolution

_CONFIDENCE: dict[RefStatus, float] = {"exact": 0.98, "ancestor": 0.95, "outside": 0.9, "ambiguous": 0.7}
"""No linked number was wrong on the gold editions; what is only named may be no clause's number."""

_LABEL_END = re.compile(r"\s*[.)*:—-]+\s*(?:$|[^\W\d_a-zа-яё])")
_ABBREVIATED = re.compile(r"(?<!\w)[^\W\d_]{1,3}\.$")
_LOOK_BACK = 24  # characters
_LIST_ITEM = re.compile(r"\)\W*$")


def find_references(document: Document, language: Language) -> Iterable[Reference]:
    """The cross-references of every unit, in reading order.

    Args:
        document: with the layers clauses and correct.
        language: its language, whose cue words are looked for.

    Returns:
        One reference for each number named; ``spans`` are the raw characters of its words
        (cue and number for the first of a list, the number alone for the others).
    """
    cues = language.resource(ReferenceCues)
    clauses = ClauseIndex(document, lambda clause: _label_kind(clause.label, cues))
    for unit in document.units:
        if unit.spans and unit.spans[0].start < unit.spans[0].end:
            yield from _in_unit(document, unit, cues, clauses)


def _label_kind(label: str, cues: ReferenceCues) -> str:
    """What a clause's label calls it: ``section`` for ``§ 5.``, ``item`` for ``5)``, else ``bare``."""
    if names := [row["kind"] for row, _ in cues.find_all("name", label)]:
        return names[-1]
    return "item" if _LIST_ITEM.search(label) and not label.startswith("(") else "bare"


def _in_unit(
    document: Document, unit: Unit, cues: ReferenceCues, clauses: ClauseIndex
) -> Iterator[Reference]:
    reading = layer_text(document, unit.spans, "corrected")
    found: list[tuple[Mention, Resolution]] = []
    for mention in find_mentions(reading.text, cues, clauses.cites):
        if not _is_label(unit, reading, mention):
            means = clauses.resolve(mention.path, mention.kind, unit, mention.chapter)
            outside = Resolution(mention.path, "", "outside")
            found.append((mention, outside if mention.foreign else means))
    found += _neighbours(unit, reading.text, cues, clauses)
    for mention, means in sorted(found, key=lambda pair: pair[0].span):
        yield Reference(
            unit.id,
            reading.to_raw(mention.span),
            reading.text[slice(*mention.span)],
            means.path,
            means.target,
            means.status,
            Evidence(mention.row.where, _CONFIDENCE[means.status]),
        )


def _is_label(unit: Unit, reading: LayerText, mention: Mention) -> bool:
    """Whether this is no reference but the label of the unit, or of a clause nobody has found."""
    start, end = mention.span
    before = reading.text[max(0, start - _LOOK_BACK) : start].rstrip()
    ended = _LABEL_END.match(reading.text, end) is not None
    if not before or (ended and before[-1] in ".!?" and not _ABBREVIATED.search(before)):
        return True
    if not isinstance(unit, Clause):
        return False
    if ended and len(before) <= len("La") and start <= _LOOK_BACK:
        return True
    # Some prints set the number behind the text: "… (Гл. II, § 1.)"
    label = unit.label_span
    if label is None or not unit.label.startswith("("):
        return False
    return label.covers(reading.to_raw(mention.span)[0])


def _neighbours(
    unit: Unit, text: str, cues: ReferenceCues, clauses: ClauseIndex
) -> Iterator[tuple[Mention, Resolution]]:
    """``въ предъидущей статьѣ``, ``au numéro précédent``: linked where the neighbour is there."""
    for kind, step in (("previous", -1), ("next", 1)):
        for row, span in cues.find_all(kind, text):
            noun = cues.adjacent("name", text, span)
            target = clauses.neighbour(unit, step)
            if noun is None or target is None:
                continue
            whole = Span(min(span.start, noun.start), max(span.end, noun.end))
            # "слѣдующее правило:" announces what stands after the colon.
            if not text.startswith(":", whole.end):
                mention = Mention(whole, target.number, kind, row)
                yield mention, Resolution(target.number, target.id, "exact")
