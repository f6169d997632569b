"""What the TEI files of Hoyle are made of: names, ids, pointers, and characters that XML cannot hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal
from urllib.parse import quote, unquote

from lxml import etree

from hoyle.model import EditKind, Facet, Span
from hoyle.tei.problems import ProblemError, problem

NS = "http://www.tei-c.org/ns/1.0"
XML = "http://www.w3.org/XML/1998/namespace"
ID = f"{{{XML}}}id"
LANG = f"{{{XML}}}lang"
SPACE = f"{{{XML}}}space"

VOCABULARY: dict[Facet, str] = {
    "game": "games",
    "actor": "actors",
    "offence": "offences",
    "penalty": "penalties",
    "modality": "modalities",
}
"""The table of ``schemas/vocabulary`` that each facet takes its values from."""

FW_TYPE = {"running-head": "header", "page-number": "pageNum", "signature": "sig"}
"""TEI's own names for kinds of furniture; the other kinds keep the name of the model."""

CORR_TYPE: dict[EditKind, str] = {
    "correct": "ocr",
    "misprint": "print",
    "layout": "layout",
    "drop": "drop",
}
"""``corr/@type`` of each kind of edit; ``regularise`` is ``reg``."""

PARTS = {"start": "F", "end": "I", "both": "M", "": None}
"""``div/@part`` of a clause by the end that is lost: without its start it is a final part."""


def tei(name: str) -> str:
    """The name of a TEI element as lxml writes it."""
    return f"{{{NS}}}{name}"


# Ids. Of what XML 1.0 allows in an id, only what every parser agrees upon is used as it stands.
_NAME = re.compile(r"[\w.-]+", re.ASCII)
_OUTSIDE = re.compile(
    r"[^0-9A-Za-z_.\-À-ÖØ-öø-ÿ\u0401-\u040c\u040e-\u044f\u0451-\u045c\u045e-\u0481\u0490-\u04c4Α-ΡΣ-Ϋά-ώ]"
)
_START = re.compile(
    r"[A-Za-zÀ-ÖØ-öø-ÿ\u0401-\u040c\u040e-\u044f\u0451-\u045c\u045e-\u0481\u0490-\u04c4Α-ΡΣ-Ϋά-ώ]"
)
_ESCAPED = re.compile(r"·([0-9a-f]+)·")
_OURS = frozenset({"hoyle", *VOCABULARY})


def xml_id(name: str) -> str:
    """The ``xml:id`` of a document, unit or concept of this name; :func:`name_of` leads back.

    A character that ids cannot hold becomes its code between middle dots (``*`` → ``·2a·``); an id
    that would begin with something else than a letter, or with a name that the header uses
    (``hoyle``, ``actor`` …), gets a ``_`` before it.
    """
    safe = name if _NAME.fullmatch(name) else _OUTSIDE.sub(lambda m: f"·{ord(m[0]):x}·", name)
    if not _START.match(safe) or safe.split(".", 1)[0] in _OURS:
        return "_" + safe
    return safe


def name_of(identifier: str) -> str:
    """The name that :func:`xml_id` made this id of."""
    return _ESCAPED.sub(lambda m: chr(int(m[1], 16)), identifier.removeprefix("_"))


def concept_id(facet: str, value: str) -> str:
    """The ``xml:id`` of a concept of the vocabulary (``actor.dealer``)."""
    return f"{facet}.{xml_id('x' + value)[1:]}"


def concept_of(identifier: str) -> tuple[str, str]:
    """Facet and value behind an id made by :func:`concept_id`."""
    facet, _, value = identifier.partition(".")
    return facet, _ESCAPED.sub(lambda m: chr(int(m[1], 16)), value)


def layer_id(layer: str) -> str:
    """The ``xml:id`` of the statement of responsibility for a layer (``hoyle.correct``)."""
    return concept_id("hoyle", layer)


# Pointers.
_RANGE = re.compile(r"(\d+),(\d+)")


def raw(span: Span) -> str:
    """A pointer to characters of the source text: ``raw:12,20``."""
    return f"raw:{span.start},{span.end}"


def raw_span(pointer: str) -> Span | None:
    """The characters a ``raw:`` pointer means; ``None`` if it is no such pointer."""
    found = _RANGE.fullmatch(pointer.removeprefix("raw:")) if pointer.startswith("raw:") else None
    return Span(int(found[1]), int(found[2])) if found else None


def place(file: str, span: Span) -> str:
    """The range of a fragment in its file: ``001.txt#char=12,20`` (after RFC 5147)."""
    return f"{quote(file)}#char={span.start},{span.end}"


def placed(pointer: str) -> Span | None:
    """The range that :func:`place` wrote; ``None`` if the pointer is of another form."""
    found = _RANGE.fullmatch(pointer.rpartition("#char=")[2]) if "#char=" in pointer else None
    return Span(int(found[1]), int(found[2])) if found else None


def rule(by: str) -> str:
    """The name of a rule, a model or an editor's ruling as a URI: ``hoyle:languages/fr/confusions.tsv:14``."""
    return "hoyle:" + quote(by, safe="/:").replace("//", "/%2F")


def rule_of(pointer: str) -> str:
    """The name that :func:`rule` wrote."""
    return unquote(pointer.removeprefix("hoyle:"))


def word(text: str) -> str:
    """``text`` as one word without white space (``@type``, ``@subtype``); :func:`unquote` leads back."""
    return text if _NAME.fullmatch(text) else quote(text, safe="")


def certainty(confidence: float) -> Literal["high", "medium", "low"]:
    """TEI's word for a probability: high from .9, medium from .7."""
    return "high" if confidence >= 0.9 else "medium" if confidence >= 0.7 else "low"


# Text. XML cannot hold most control characters, editors and line-end translation change others.
_SPECIAL = re.compile(
    "\r\n|[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff"
    "\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U0003fffe\U0003ffff\U0004fffe\U0004ffff"
    "\U0005fffe\U0005ffff\U0006fffe\U0006ffff\U0007fffe\U0007ffff\U0008fffe\U0008ffff"
    "\U0009fffe\U0009ffff\U000afffe\U000affff\U000bfffe\U000bffff\U000cfffe\U000cffff"
    "\U000dfffe\U000dffff\U000efffe\U000effff\U000ffffe\U000fffff\U0010fffe\U0010ffff]"
)


def needs_g(text: str) -> bool:
    """Whether ``text`` holds a character that only ``g`` can stand for."""
    return any(found[0] not in LINE_END for found in _SPECIAL.finditer(text))


LINE_END = {"\n": None, "\r\n": "crlf"}
"""``lb/@rend`` of each kind of line end (a lone carriage return is a character like others)."""


def put(element: etree._Element, **attributes: str | None) -> None:
    """Set attributes; one that is ``None`` is left out, ``id_`` is ``xml:id``."""
    for key, value in attributes.items():
        if value is not None:
            element.set(ID if key == "id_" else key, value)


class Pen:
    """Writes text and elements, one after the other, into an element."""

    __slots__ = ("last", "parent")

    def __init__(self, parent: etree._Element) -> None:
        self.parent = parent
        self.last: etree._Element | None = None

    def add(self, name: str, **attributes: str | None) -> etree._Element:
        """Append an element with attributes as :func:`put` sets them."""
        self.last = made = etree.SubElement(self.parent, tei(name))
        put(made, **attributes)
        return made

    def _raw(self, text: str) -> None:
        if self.last is None:
            self.parent.text = (self.parent.text or "") + text
        else:
            self.last.tail = (self.last.tail or "") + text

    def text(self, text: str) -> None:
        """Append text; line ends become ``lb``, characters that XML cannot hold ``g``."""
        at = 0
        for found in _SPECIAL.finditer(text):
            if found.start() > at:
                self._raw(text[at : found.start()])
            at = found.end()
            if found[0] in LINE_END:
                self.add("lb", rend=LINE_END[found[0]])
            else:
                self.add("g", ref=f"char:{ord(found[0]):04X}")
        if at < len(text):
            self._raw(text[at:])


def write_text(element: etree._Element, text: str) -> etree._Element:
    """Append ``text`` to ``element`` (new and empty), and return it."""
    Pen(element).text(text)
    return element


def symbol(element: etree._Element) -> str:
    """The characters that an ``lb`` or ``g`` stands for in the raw text.

    Raises:
        ProblemError: a ``g`` without a code.
    """
    if element.tag == tei("lb"):
        return "\r\n" if element.get("rend") == "crlf" else "\n"
    code = re.fullmatch(r"char:([0-9A-Fa-f]{4,6})", element.get("ref", ""))
    if not code or int(code[1], 16) > 0x10FFFF:
        raise ProblemError(problem(element, 'needs a code such as ref="char:000D"'))
    return chr(int(code[1], 16))


def read_text(element: etree._Element) -> str:
    """The text directly in ``element``: its own, and what ``lb`` and ``g`` in it stand for."""
    return "".join(_texts(element))


def _texts(element: etree._Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag in (tei("lb"), tei("g")):
            yield symbol(child)
        yield child.tail or ""


_BARRED = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\\]")


def attribute(text: str) -> str:
    r"""``text`` as an attribute can hold it: a control character as ``\x{7}``; :func:`unattribute` leads back."""
    return _BARRED.sub(lambda m: f"\\x{{{ord(m[0]):x}}}", text)


def unattribute(text: str) -> str:
    """The text that :func:`attribute` wrote."""
    return re.sub(r"\\x\{([0-9a-f]+)\}", lambda m: chr(int(m[1], 16)), text)


def path(number: Iterable[str]) -> str:
    """A number as an attribute holds it (``45.C.2``); :func:`path_of` leads back."""
    return ".".join(attribute(part).replace(".", "\\x{2e}") for part in number)


def path_of(text: str | None) -> tuple[str, ...]:
    """The number that :func:`path` wrote; none if there is no attribute."""
    return () if text is None else tuple(unattribute(part) for part in text.split("."))
