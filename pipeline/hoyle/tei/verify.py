"""Verifies a TEI file: schema, ids, pointers, numbers, concepts, and the raw text byte for byte."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Container, Iterator
from itertools import islice
from pathlib import Path

from lxml import etree

from hoyle.document import Source
from hoyle.errors import SourceError
from hoyle.facets import facets
from hoyle.tei import schema
from hoyle.tei.names import (
    ID,
    is_header_id,
    parse_char_range,
    parse_concept_id,
    parse_number,
    parse_raw_pointer,
    parse_source_uri,
    parse_xml_id,
    tei,
    xml_id,
)
from hoyle.tei.parse import parse
from hoyle.tei.problems import Problem, line_of, problem_at
from hoyle.tei.read import EditionTree

_POINTERS = ("target", "ana", "resp", "prev", "who", "scheme", "ref", "corresp", "facs")
_ABROAD = ("urn", "http", "https")
"""Schemes of pointers to resources outside the file."""

_SLOW = ("punycode", "idna")
"""Python codecs whose time grows with the square of the length of the text."""

_MOST = 50
"""Largest number of schema errors reported; one mistake can cause hundreds."""


def verify(path: Path) -> list[Problem]:
    """Verify the TEI file at ``path``.

    Returns:
        The problems; none if the file is valid and its raw text can be restored from it.

    Raises:
        SourceError: the file cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", document=str(path)) from error
    return verify_bytes(data, name=path.name)


def verify_bytes(data: bytes, *, name: str) -> list[Problem]:
    """Verify a TEI file.

    The checks are: the schema ``schemas/hoyle.rng``; ids are unique and well formed, and the targets of
    pointers exist; the ranges of fragments cover the source without gap or overlap; numbers agree with
    ids and with the clauses around them; concepts are in the vocabularies; and the raw text, restored
    from this file alone, has the checksum and the size that the header declares.

    Args:
        data: the bytes of the file.
        name: the name of the file, for messages.

    Returns:
        The problems.
    """
    try:
        root = parse(data, name=name)
        found = list(_against_schema(root))
        tree = EditionTree(root, name=name)
    except SourceError as error:
        return [Problem(0, "", error.message)]
    found += tree.problems
    found += _identifiers(root)
    found += _pointers(root, tree.source)
    found += _numbers(root, tree.header.id)
    found += _concepts(root)
    found += _statements(root, {node.id for node in tree.nodes})
    found += _probabilities(root)
    found += _checksum(tree.source)
    return found


def manual_changes(data: bytes, *, name: str) -> list[Problem]:
    """Find manual changes in a TEI file: edits without evidence, and evidence without an edit.

    Args:
        data: the bytes of the file.
        name: the name of the file, for messages.

    Returns:
        One problem per change.

    Raises:
        SourceError: it is not a TEI file of Hoyle.
    """
    tree = EditionTree(parse(data, name=name), name=name)
    found: list[Problem] = []
    shown = set()
    for fragment in tree.fragments:
        for change in fragment.changes:
            key = (etree.QName(change.element).localname, change.span)
            shown.add(key)
            if key not in tree.standoff.evidence:
                where = f"characters {change.span.start} to {change.span.end}"
                message = f"made by hand: {change.before!r} reads {change.after!r} ({where})"
                found.append(problem_at(change.element, message))
    gone = sorted(k[1] for k in tree.standoff.evidence if not isinstance(k, str) and k not in shown)
    return found + [
        Problem(0, "", f"taken out by hand: a change of characters {start} to {end}") for start, end in gone
    ]


def _against_schema(root: etree._Element) -> Iterator[Problem]:
    return islice(schema.schema_errors(root), _MOST)


def _identifiers(root: etree._Element) -> Iterator[Problem]:
    """Check that ids are unique and have the form of :func:`xml_id` (a manual change may break either)."""
    seen: dict[str, int] = {}
    for element in root.iter("*"):
        identifier = element.get(ID)
        if identifier is None:
            continue
        if identifier in seen:
            yield problem_at(
                element, f"has the xml:id {identifier!r}, as line {seen[identifier]} has already"
            )
        elif not is_header_id(identifier) and xml_id(parse_xml_id(identifier)) != identifier:
            yield problem_at(element, f"has the xml:id {identifier!r}, which is not well formed")
        seen.setdefault(identifier, line_of(element))


def _pointers(root: etree._Element, source: Source) -> Iterator[Problem]:
    known = {element.get(ID) for element in root.iter("*")}
    declared = {e.get("ident", "") for e in root.iter(tei("prefixDef"))}
    for element in root.iter("*"):
        for attribute in _POINTERS:
            for pointer in element.get(attribute, "").split():
                if message := _points_nowhere(pointer, known, declared, source):
                    yield problem_at(element, f"has {attribute}={pointer!r}, {message}")


def _points_nowhere(pointer: str, known: set[str | None], declared: set[str], source: Source) -> str:
    """Return what is wrong with a pointer; empty if its target exists."""
    if pointer.startswith("#"):
        return "" if pointer[1:] in known else "but nothing here has that xml:id"
    span = parse_raw_pointer(pointer) or parse_char_range(pointer)
    if span:
        file = "" if pointer.startswith("raw:") else parse_source_uri(pointer.rpartition("#")[0])
        if file and file != source.name:
            return f"but the source is {source.name}"
        if span.start > span.end:
            return "which ends before it begins"
        inside = span.end <= len(source.text)
        return "" if inside else f"but the source has only {len(source.text)} characters"
    return (
        "" if pointer.partition(":")[0] in {*declared, *_ABROAD} else "which is no pointer that Hoyle knows"
    )


def _numbers(root: etree._Element, document: str) -> Iterator[Problem]:
    for div in root.iter(tei("div")):
        if div.get("type") != "clause":
            continue
        number = parse_number(div.get("n"))
        name = parse_xml_id(div.get(ID, ""))
        # A number that is printed twice in one series has a counter behind it: x.2-2.
        known = (name, re.sub(r"-[0-9]+$", "", name))
        agrees = any(form.endswith("." + ".".join(number)) for form in known)
        if not name.startswith(document + ".") or not agrees:
            yield problem_at(
                div, f"has the number {'.'.join(number)!r}, which does not agree with its xml:id"
            )
        above = div.getparent()
        if above is not None and above.get("type") == "clause":
            outer = parse_number(above.get("n"))
            if number[: len(outer)] != outer or len(number) <= len(outer):
                yield problem_at(
                    div, f"has the number {'.'.join(number)!r} inside clause {'.'.join(outer)!r}"
                )
        for num in div.iterfind(f"{tei('ab')}//{tei('num')}"):
            if num.get("value") not in (None, number[-1] if number else None):
                yield problem_at(num, f"says {num.get('value')}, but the clause is {'.'.join(number)!r}")


def _concepts(root: etree._Element) -> Iterator[Problem]:
    for category in root.iter(tei("category")):
        facet, value = parse_concept_id(category.get(ID, ""))
        known = facets().get(facet)
        if known is None:
            yield problem_at(category, f"is of {facet!r}, which is no facet of the vocabulary")
        elif value not in known.concepts:
            yield problem_at(
                category, f"is {value!r}, which is not in schemas/vocabulary/{known.vocabulary}.tsv"
            )


def _statements(root: etree._Element, units: Container[str]) -> Iterator[Problem]:
    """Check that tags, conditions, amounts and references point to a unit, and tags to a concept."""
    for span in root.iterfind(f"{tei('standOff')}/{tei('spanGrp')}/{tei('span')}"):
        group = span.getparent()
        kind = "" if group is None else group.get("type")
        if kind not in ("tags", "conditions", "amounts", "references"):
            continue
        about = [p for p in span.get("target", "").split() if p.startswith("#")]
        if len(about) != 1:
            yield problem_at(span, "must point to one unit, as in target='#…'")
        refs = [p for ref in span.iterfind(tei("ref")) for p in ref.get("target", "").split()]
        for pointer in (p for p in (*about, *refs) if p.startswith("#")):
            if parse_xml_id(pointer[1:]) not in units:
                yield problem_at(span, f"points to {pointer!r}, which is not a unit of the text")
        if kind == "tags" and parse_concept_id(span.get("ana", "")[1:])[0] not in facets():
            yield problem_at(span, f"must name the concept in ana, one of {', '.join(facets())}")


def _probabilities(root: etree._Element) -> Iterator[Problem]:
    for certainty in root.iter(tei("certainty")):
        degree = certainty.get("degree", "")
        try:
            fits = 0 <= float(degree) <= 1
        except ValueError:
            fits = False
        if not fits:
            yield problem_at(certainty, f"has degree={degree!r}, which is no probability")


def _checksum(source: Source) -> Iterator[Problem]:
    try:
        data = source.text.encode("" if source.encoding in _SLOW else source.encoding)
    except (LookupError, ValueError) as error:
        yield Problem(0, "", f"the raw text cannot be encoded as {source.encoding!r} ({error})")
        return
    if len(data) != source.size:
        yield Problem(0, "", f"the raw text has {len(data)} bytes, but the header says {source.size}")
    checksum = hashlib.sha256(data).hexdigest()
    if checksum != source.sha256:
        yield Problem(0, "", f"the raw text has the sha256 {checksum}, but the header says {source.sha256}")
