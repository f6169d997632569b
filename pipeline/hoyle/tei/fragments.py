"""Reads the text of fragments: raw text, changes, labels; and the three texts of any element."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from lxml import etree

from hoyle.document import EditKind, Layer, Span
from hoyle.tei.names import CORR_TYPE, placed, tei
from hoyle.tei.problems import ProblemError, problem
from hoyle.tei.xml_text import read_text, symbol

_KINDS: dict[str, EditKind] = {name: kind for kind, name in CORR_TYPE.items()}
_SYMBOLS = (tei("lb"), tei("g"))
_IGNORED = (tei("pb"), tei("cb"), tei("gap"), tei("fw"), tei("note"))


class Reading(NamedTuple):
    """A change as the TEI has it: ``element`` (``corr``, ``reg`` or ``lb``) says what is to be read."""

    span: Span
    before: str
    after: str
    kind: EditKind
    element: etree._Element


@dataclass(slots=True)
class Found:
    """What one fragment holds.

    Attributes:
        element: the element that has the text.
        range: the characters of the source it says it holds.
        text: the raw text it does hold.
        marks: spans of the label (``num``), the title (``seg``), and the place of each ``anchor``.
        changes: the changes in it.
    """

    element: etree._Element
    range: Span
    text: str = ""
    marks: dict[str, Span] = field(default_factory=dict)
    changes: list[Reading] = field(default_factory=list)


def fragment(element: etree._Element) -> Found:
    """What the fragment ``element`` holds.

    Raises:
        ProblemError: it has no range, or its changes are not as they must be.
    """
    span = placed(element.get("corresp", ""))
    if span is None:
        raise ProblemError(
            problem(element, 'needs the range of its text, as in corresp="file.txt#char=0,12"')
        )
    reader = _Reader(span.start)
    reader.content(element)
    return Found(element, span, "".join(reader.parts), reader.marks, reader.changes)


class _Reader:
    def __init__(self, at: int) -> None:
        self.at = at
        self.parts: list[str] = []
        self.marks: dict[str, Span] = {}
        self.changes: list[Reading] = []

    def take(self, text: str | None) -> None:
        if text:
            self.parts.append(text)
            self.at += len(text)

    def content(self, element: etree._Element) -> None:
        self.take(element.text)
        for child in element:
            name = etree.QName(child).localname
            start = self.at
            if name == "lb":
                self._line_end(child)
            elif name == "g":
                self.take(symbol(child))
            elif name == "choice":
                self._choice(child)
            elif name in ("sic", "corr", "orig", "reg"):
                raise ProblemError(problem(child, "must stand in a choice: sic with corr, or orig with reg"))
            elif child.tag not in _IGNORED:
                self.content(child)
                if name == "anchor":
                    name = child.get("type", "")
                if name in ("num", "seg", "start", "end"):
                    self.marks[name] = Span(start, self.at)
            self.take(child.tail)

    def _line_end(self, lb: etree._Element) -> None:
        text = symbol(lb)
        reads = {"yes": " ", "no": ""}.get(lb.get("break", ""))
        hyphen = lb.getprevious()
        if reads == "" and hyphen is not None and hyphen.get("force") == "weak" and not hyphen.tail:
            before = read_text(hyphen) + text
        else:
            before = text
        self.take(text)
        if reads is not None:
            span = Span(self.at - len(before), self.at)
            self.changes.append(Reading(span, before, reads, "layout", lb))

    def _choice(self, choice: etree._Element) -> None:
        start = self.at
        parts = {etree.QName(child).localname: child for child in choice}
        match sorted(parts):
            case ["corr", "sic"]:
                self.take(read_text(parts["sic"]))
                span = Span(start, self.at)
                self._corrected(parts["corr"], span, read_text(parts["sic"]))
            case ["orig", "reg"]:
                self.content(parts["orig"])
                before, after = element_text(parts["orig"], "corrected"), read_text(parts["reg"])
                self.changes.append(Reading(Span(start, self.at), before, after, "regularise", parts["reg"]))
            case _:
                raise ProblemError(problem(choice, "must hold sic and corr, or orig and reg"))

    def _corrected(self, corr: etree._Element, span: Span, before: str) -> None:
        kind = _KINDS.get(corr.get("type", "ocr"))
        if kind is None:
            raise ProblemError(
                problem(corr, f"has the unknown type {corr.get('type')!r}; known are {', '.join(_KINDS)}")
            )
        inner = corr.find(tei("choice"))
        if inner is None:
            self.changes.append(Reading(span, before, read_text(corr), kind, corr))
            return
        orig, reg = inner.find(tei("orig")), inner.find(tei("reg"))
        if orig is None or reg is None:
            raise ProblemError(problem(inner, "inside corr must hold orig and reg"))
        self.changes.append(Reading(span, before, read_text(orig), kind, corr))
        self.changes.append(Reading(span, read_text(orig), read_text(reg), "regularise", reg))


def element_text(element: etree._Element, layer: Layer) -> str:
    """The text of ``element`` in one of the three layers."""
    return "".join(_layer_texts(element, layer))


_LEFT_OUT: dict[Layer, tuple[str, ...]] = {
    "raw": (tei("corr"), tei("reg")),
    "corrected": (tei("sic"), tei("reg")),
    "modern": (tei("sic"), tei("orig")),
}


def _layer_texts(element: etree._Element, layer: Layer) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag in _SYMBOLS:
            yield (
                symbol(child)
                if layer == "raw"
                else {"yes": " ", "no": ""}.get(child.get("break", ""), symbol(child))
            )
        elif child.tag not in _LEFT_OUT[layer] and (layer == "raw" or child.get("force") != "weak"):
            yield from _layer_texts(child, layer)
        yield child.tail or ""
