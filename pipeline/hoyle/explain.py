"""Every change and tag of one unit of a document, with its evidence, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.correction.error_profile import error_profile
from hoyle.document import Clause, Document, Edit, Evidence, Layer, Unit
from hoyle.document.text_layers import layer_text, normalise_whitespace
from hoyle.errors import HoyleError, UnknownUnitError
from hoyle.languages import language
from hoyle.segmentation.clauses import considered


def unit_by_number(document: Document, number: str) -> Unit:
    """The clause with this number (``52``, ``45.C.2``) or id (``patience.s2.I``).

    Args:
        document: with the layer clauses.
        number: the number or id.

    Raises:
        UnknownUnitError: if there is none; the message lists those there are.
    """
    for unit in document.units:
        names = {unit.id, unit.id.removeprefix(f"{document.id}.")}
        if number in names or (isinstance(unit, Clause) and number == unit.n):
            return unit
    have = ", ".join(clause.id.removeprefix(f"{document.id}.") for clause in document.clauses)
    raise UnknownUnitError(f"no clause {number!r}; there are: {have or 'none'}", document=document.id)


def unit_at(document: Document, offset: int) -> Unit:
    """The unit that holds a character of the source.

    Args:
        document: with the layer clauses.
        offset: in characters of the raw text.

    Raises:
        HoyleError: if the offset is outside the text, in white space, or in furniture.
    """
    for unit in document.units:
        if any(span.start <= offset < span.end for span in unit.spans):
            return unit
    for block in document.furniture:
        if any(span.start <= offset < span.end for span in block.spans):
            message = f"a {block.kind} ({block.why.by}, {block.why.confidence:.2f}), left out of the text"
            raise HoyleError(message, document=document.id, offset=offset)
    size = len(document.source.text)
    raise HoyleError(
        f"no text there; the source has {size:,} characters", document=document.id, offset=offset
    )


def explain_unit(document: Document, unit: Unit) -> Iterator[str]:
    """Lines of text: the unit, its three texts, and every item about it with its evidence.

    Args:
        document: the document.
        unit: one of its units.
    """
    what = f"clause {unit.n}" if isinstance(unit, Clause) else unit.kind
    spans = ", ".join(f"{a}–{b}" for a, b in unit.spans)
    yield f"{unit.id}: {what}, characters {spans} of {document.source.name} {_because(unit.why)}"
    if isinstance(unit, Clause):
        flags = f", flags: {', '.join(unit.flags)}" if unit.flags else ""
        yield f"  label {unit.label!r}, scheme {unit.scheme}, series {unit.series}{flags}"
    layers: tuple[Layer, ...] = ("raw", "corrected", "modern")
    for layer in layers:
        yield f"  {layer}: {normalise_whitespace(layer_text(document, unit.spans, layer).text)}"
    for edit in _edits(document, unit):
        yield f"  {edit.span.start}: {edit.kind} {edit.before!r} → {edit.after!r} {_because(edit.why)}"
    yield from _said(document, unit)
    for finding in document.findings:
        if finding.span and any(span.covers(finding.span) for span in unit.spans):
            yield f"  {finding.topic}: {finding.value} {_because(finding.why)}"


def _said(document: Document, unit: Unit) -> Iterator[str]:
    """Lines of text: what the unit says and refers to."""
    for tag in document.tags:
        if tag.unit == unit.id:
            words = f" “{tag.text}”" if tag.text else ""
            yield f"  {tag.facet} {tag.value}{words} {_because(tag.why)}"
    for case in document.conditions:
        if case.unit == unit.id:
            yield f"  condition “{case.text}” → “{case.then}” {_because(case.why)}"
    for ref in document.references:
        if ref.unit == unit.id:
            target = ref.target or ".".join(ref.number)
            yield f"  reference “{ref.text}” → {target} ({ref.status}) {_because(ref.why)}"


def explain_label(document: Document, unit: Unit) -> Iterator[str]:
    """Lines of text: every way in which the label of a clause could be taken, and what each costs.

    The weight is what the form of the label and its place say for it, the cost what the way of
    going on with the numbering and the damage supposed say against; both are natural logarithms
    of odds. The first line is the way that was taken; leaving the label alone costs nothing.

    Args:
        document: the document.
        unit: one of its units; nothing is listed for one that is no clause.
    """
    if not isinstance(unit, Clause):
        return
    choices = considered(document, language(document.lang), unit)
    if not choices:
        yield "  label candidates: none, the text shows no label here"
        return
    yield "  label candidates:"
    told: set[str] = set()
    for choice in choices:
        sighting, option = choice.candidate.sighting, choice.option
        levels = ".".join(str(level.last) for level in option.stack)
        line = f"{levels} ({sighting.scheme}, {option.move}), read from {sighting.surface!r}"
        if line not in told:
            told.add(line)
            costs = f"weight {choice.candidate.weight:.2f}, cost {option.cost:.2f}, gain {choice.gain:.2f}"
            yield f"    {line}: {costs}"
    yield "    no label: gain 0.00"


def explain_profile(document: Document) -> Iterator[str]:
    """Lines of text: the confusions of the scan, as the corrections show them, the most frequent first."""
    found = error_profile(document)
    corrections = sum(edit.kind == "correct" for edit in document.edits)
    yield f"{document.id}: {corrections} corrections; confusions, the most frequent first:"
    for confusion in found:
        share = "" if confusion.share is None else f", {confusion.share:.0%} of its occurrences"
        raw, corrected = confusion.example
        printed, misread = (repr(sign) if sign else "nothing" for sign in (confusion.printed, confusion.read))
        yield f"  {printed} read as {misread}: {confusion.times} times{share}, as in {raw!r} → {corrected!r}"
    if not found:
        yield "  no confusion occurs twice"


def _edits(document: Document, unit: Unit) -> list[Edit]:
    return [e for e in document.edits if any(span.covers(e.span) for span in unit.spans)]


def _because(why: Evidence) -> str:
    return f"[{why.by}, {why.confidence:.2f}]"
