"""Reads the text of fragments: raw text, edits and labels; and the text of any element in three layers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from lxml import etree

from hoyle.document import EditKind, Layer, Span
from hoyle.tei.names import CORR_TYPE, parse_char_range, tei
from hoyle.tei.problems import ProblemError, problem_at
from hoyle.tei.xml_text import read_text, represented_text

_KINDS: dict[str, EditKind] = {name: kind for kind, name in CORR_TYPE.items()}
_SYMBOLS = (tei("lb"), tei("g"))
_IGNORED = (tei("pb"), tei("cb"), tei("gap"), tei("fw"), tei("note"))


class EncodedEdit(NamedTuple):
    """An edit as it is encoded in TEI; ``element`` (``corr``, ``reg`` or ``lb``) holds its result."""

    span: Span
    before: str
    after: str
    kind: EditKind
    element: etree._Element


@dataclass(slots=True)
class FragmentContent:
    """The content of one fragment.

    Attributes:
        element: the element.
        range: the span of the raw text that its ``@corresp`` declares.
        text: the raw text that it contains.
        marks: spans of the label (``num``) and the title (``seg``), and the position of each ``anchor``.
        changes: the edits in it.
    """

    element: etree._Element
    range: Span
    text: str = ""
    marks: dict[str, Span] = field(default_factory=dict)
    changes: list[EncodedEdit] = field(default_factory=list)


def read_fragment(element: etree._Element) -> FragmentContent:
    """Read a fragment.

    Args:
        element: an element with ``@corresp``.

    Returns:
        Its raw text, edits and marks.

    Raises:
        ProblemError: it has no range, or an edit in it is not well formed.
    """
    span = parse_char_range(element.get("corresp", ""))
    if span is None:
        raise ProblemError(
            problem_at(element, 'needs the range of its text, for example corresp="file.txt#char=0,12"')
        )
    reader = _FragmentReader(span.start)
    reader.content(element)
    return FragmentContent(element, span, "".join(reader.parts), reader.marks, reader.changes)


class _FragmentReader:
    def __init__(self, at: int) -> None:
        self.at = at
        self.parts: list[str] = []
        self.marks: dict[str, Span] = {}
        self.changes: list[EncodedEdit] = []

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
                self.take(represented_text(child))
            elif name == "choice":
                self._choice(child)
            elif name in ("sic", "corr", "orig", "reg"):
                raise ProblemError(
                    problem_at(child, "must stand in a choice: sic with corr, or orig with reg")
                )
            elif child.tag not in _IGNORED:
                self.content(child)
                if name == "anchor":
                    name = child.get("type", "")
                if name in ("num", "seg", "start", "end"):
                    self.marks[name] = Span(start, self.at)
            self.take(child.tail)

    def _line_end(self, lb: etree._Element) -> None:
        text = represented_text(lb)
        reads = {"yes": " ", "no": ""}.get(lb.get("break", ""))
        hyphen = lb.getprevious()
        if reads == "" and hyphen is not None and hyphen.get("force") == "weak" and not hyphen.tail:
            before = read_text(hyphen) + text
        else:
            before = text
        self.take(text)
        if reads is not None:
            span = Span(self.at - len(before), self.at)
            self.changes.append(EncodedEdit(span, before, reads, "layout", lb))

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
                self.changes.append(
                    EncodedEdit(Span(start, self.at), before, after, "regularise", parts["reg"])
                )
            case _:
                raise ProblemError(problem_at(choice, "must hold sic and corr, or orig and reg"))

    def _corrected(self, corr: etree._Element, span: Span, before: str) -> None:
        kind = _KINDS.get(corr.get("type", "ocr"))
        if kind is None:
            raise ProblemError(
                problem_at(corr, f"has the unknown type {corr.get('type')!r}; known are {', '.join(_KINDS)}")
            )
        inner = corr.find(tei("choice"))
        if inner is None:
            self.changes.append(EncodedEdit(span, before, read_text(corr), kind, corr))
            return
        orig, reg = inner.find(tei("orig")), inner.find(tei("reg"))
        if orig is None or reg is None:
            raise ProblemError(problem_at(inner, "inside corr must hold orig and reg"))
        self.changes.append(EncodedEdit(span, before, read_text(orig), kind, corr))
        self.changes.append(EncodedEdit(span, read_text(orig), read_text(reg), "regularise", reg))


def element_text(element: etree._Element, layer: Layer) -> str:
    """Return the text of an element in one of the three layers.

    Args:
        element: any element of the text.
        layer: ``raw``, ``corrected`` or ``modern``.

    Returns:
        Its text; furniture and notes inside it are included.
    """
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
                represented_text(child)
                if layer == "raw"
                else {"yes": " ", "no": ""}.get(child.get("break", ""), represented_text(child))
            )
        elif child.tag not in _LEFT_OUT[layer] and (layer == "raw" or child.get("force") != "weak"):
            yield from _layer_texts(child, layer)
        yield child.tail or ""
