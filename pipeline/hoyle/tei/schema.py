"""Declarations of the RELAX NG schema ``schemas/hoyle.rng``, and validation against it.

All divisions have the name ``div``, so libxml2 tries each declaration at every level: its time doubles
with each level, and its messages say little. It therefore validates a whole file only if the nesting is
that of usual editions, and only decides whether the file is valid. Otherwise each element is validated
alone, against the declarations that the declarations of its parent allow: its attributes, its text,
and the names, order and attributes of its children. The time is linear in the size of the file, and
the message has the place of the error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from lxml import etree

from hoyle.tables import data_file
from hoyle.tei.names import tei
from hoyle.tei.problems import Problem, problem_at

_RNG = "{http://relaxng.org/ns/structure/1.0}"
_DOCUMENTATION = "{http://relaxng.org/ns/compatibility/annotations/1.0}documentation"
_OPTIONAL = frozenset({"optional", "zeroOrMore", "choice"})
_XML = "{http://www.w3.org/XML/1998/namespace}"


_USUAL = 6
"""Deepest nesting of divisions at which libxml2 validates the whole file (in some milliseconds)."""


@dataclass(frozen=True, slots=True)
class AttributeDeclaration:
    """An attribute of an element: its values, whether it is required, and its documentation."""

    name: str
    values: str
    required: bool
    text: str


@dataclass(eq=False)
class Declaration:
    """One declaration of an element; an element may have several, with different content.

    Attributes:
        name: the name of the element.
        text: its documentation.
        node: the declaration in the schema.
        attributes: its attributes, by name (``xml:id``).
        children: the declarations of its child elements.
        holds_text: whether it may contain text.
    """

    name: str
    text: str
    node: etree._Element
    attributes: dict[str, AttributeDeclaration] = field(default_factory=dict)
    children: list[Declaration] = field(default_factory=list)
    holds_text: bool = False

    @cached_property
    def full_check(self) -> etree.RelaxNG:
        """A validator of the element with the names and attributes of its children, not their content."""
        return self._checker(whole=True)

    @cached_property
    def attribute_check(self) -> etree.RelaxNG:
        """A validator of the attributes of the element."""
        return self._checker(whole=False)

    def _checker(self, *, whole: bool) -> etree.RelaxNG:
        grammar = etree.Element(f"{_RNG}grammar", _attributes(self.node.getroottree().getroot()))
        etree.SubElement(grammar, f"{_RNG}start").append(_resolved(self.node, whole=whole))
        return etree.RelaxNG(grammar)

    @property
    def fixed(self) -> dict[str, str]:
        """The attributes with a single possible value; they distinguish declarations of one name."""
        return {a.name: a.values for a in self.attributes.values() if a.required and a.values.isalpha()}


@cache
def declarations(schema: Path) -> Sequence[Declaration]:
    """Return the declarations of ``schema`` in its order; the first is that of the root."""
    root = etree.parse(schema).getroot()
    found = {
        node: Declaration(node.get("name", ""), _said(node), node) for node in root.iter(f"{_RNG}element")
    }
    for declared in found.values():
        _fill(declared, declared.node, found, optional=False)
    return list(found.values())


def schema_errors(root: etree._Element) -> Iterator[Problem]:
    """Yield the errors of a file against the schema, in the order of the file."""
    path = data_file("schemas", "hoyle.rng")
    if _nesting(root) <= _USUAL and _whole(path).validate(root):
        return
    todo = [(root, tuple(declarations(path)[:1]))]
    judged: dict[object, tuple[Declaration, ...]] = {}
    while todo:
        element, allowed = todo.pop()
        shape = allowed, _shape(element), *map(_shape, element)
        if shape not in judged:
            alone = _alone(element)
            judged[shape] = tuple(d for d in allowed if d.full_check.validate(alone))
        if not judged[shape]:
            yield problem_at(*_explained(element, allowed))
            continue
        todo += [(child, _below(judged[shape], child.tag)) for child in reversed(element)]


@cache
def _whole(schema: Path) -> etree.RelaxNG:
    return etree.RelaxNG(etree.parse(schema))


def _nesting(root: etree._Element) -> int:
    """Return the depth of the deepest nesting of divisions."""
    most = level = 0
    for event, _ in etree.iterwalk(root, events=("start", "end"), tag=tei("div")):
        level += 1 if event == "start" else -1
        most = max(most, level)
    return most


def _shape(element: etree._Element) -> object:
    """Return what validation of an element depends on: elements with equal shapes are validated once."""
    text, tail = ((said or "").isspace() or not said for said in (element.text, element.tail))
    return element.tag, *element.attrib.items(), text, tail


@cache
def _below(above: tuple[Declaration, ...], tag: str) -> tuple[Declaration, ...]:
    """Return the declarations of an element inside one of the declarations ``above``."""
    found = (child for declared in above for child in declared.children if tei(child.name) == tag)
    return tuple(dict.fromkeys(found))


def _alone(element: etree._Element) -> etree._Element:
    """Copy ``element`` with its text, and its children with their attributes only."""
    made = etree.Element(element.tag, _attributes(element))
    made.text = element.text
    for child in element:
        etree.SubElement(made, child.tag, _attributes(child)).tail = child.tail
    return made


def _explained(element: etree._Element, allowed: Sequence[Declaration]) -> tuple[etree._Element, str]:
    """Return the place and message of an error in an element that matches none of its declarations."""
    if message := _wrong_attribute(element, allowed):
        return element, message
    declared = _meant(element, allowed)
    for child in element:
        inside = [d for d in declared.children if tei(d.name) == child.tag]
        if not inside:
            where, names = etree.QName(element).localname, sorted({d.name for d in declared.children})
            return child, f"must not stand in {where}; it may hold {', '.join(names) or 'no elements'}"
        if message := _wrong_attribute(child, inside):
            return child, message
    if not declared.holds_text and (said := _own_text(element)):
        return element, f"must not hold text ({said[:40]!r})"
    declared.full_check.validate(_alone(element))
    held = ", ".join(etree.QName(child).localname for child in element) or "nothing"
    log = declared.full_check.error_log
    why = f": {log[0].message}" if len(log) else ""
    return element, f"holds {held[:80]}: not the elements it needs, or not in their order{why}"


def _meant(element: etree._Element, allowed: Sequence[Declaration]) -> Declaration:
    """Return the declaration that is most similar to ``element``."""
    return max(allowed, key=lambda d: sum(element.get(_key(n)) == v for n, v in d.fixed.items()))


def _wrong_attribute(element: etree._Element, allowed: Sequence[Declaration]) -> str:
    """Return what is wrong with the attributes of ``element``; empty if they match a declaration."""
    bare = etree.Element(element.tag, _attributes(element))
    if any(d.attribute_check.validate(bare) for d in allowed):
        return ""
    declared = _meant(element, allowed)
    names = {_key(name): name for name in declared.attributes}
    if strange := [str(key).replace(_XML, "xml:") for key in element.attrib if key not in names]:
        return f"must not have {strange[0]}; it may have {', '.join(declared.attributes) or 'no attributes'}"
    for name, attribute in declared.attributes.items():
        if attribute.required and element.get(_key(name)) is None:
            values = dict.fromkeys(d.attributes[name].values for d in allowed if name in d.attributes)
            return f"needs {name} ({' | '.join(values)})"
    declared.attribute_check.validate(bare)
    found = re.search(r"attribute (\S+)", " ".join(e.message for e in declared.attribute_check.error_log))
    name = found[1] if found else ""
    wrong = [n for n in declared.attributes if n in (name, f"xml:{name}")] or list(declared.attributes)
    said = ", ".join(f"{n}={element.get(_key(n))!r}" for n in wrong)
    return f"has {said}, but may have {' / '.join(declared.attributes[n].values for n in wrong)}"


def _own_text(element: etree._Element) -> str:
    return " ".join(" ".join([element.text or "", *(child.tail or "" for child in element)]).split())


def _attributes(element: etree._Element) -> dict[str, str]:
    return {str(key): str(value) for key, value in element.attrib.items()}


def _key(name: str) -> str:
    """Return the name of an attribute in lxml's notation."""
    return name.replace("xml:", _XML)


def _said(node: etree._Element) -> str:
    return " ".join((node.findtext(_DOCUMENTATION) or "").split())


def _named(ref: etree._Element) -> etree._Element:
    """Return the definition of a ``ref``."""
    grammar = ref.getroottree().getroot()
    return next(d for d in grammar.iterchildren(f"{_RNG}define") if d.get("name") == ref.get("name"))


def _fill(
    declared: Declaration,
    node: etree._Element,
    found: dict[etree._Element, Declaration],
    *,
    optional: bool,
) -> None:
    """Collect attributes and content that the pattern below ``node`` allows."""
    for child in node.iterchildren(f"{_RNG}*"):
        kind = etree.QName(child).localname
        if kind == "attribute":
            name = child.get("name", "")
            made = AttributeDeclaration(name, " | ".join(_values(child)), not optional, _said(child))
            declared.attributes.setdefault(name, made)
        elif kind == "element":
            if found[child] not in declared.children:
                declared.children.append(found[child])
        elif kind == "text":
            declared.holds_text = True
        elif kind == "ref":
            _fill(declared, _named(child), found, optional=optional)
        else:
            _fill(declared, child, found, optional=optional or kind in _OPTIONAL)


def _values(node: etree._Element) -> Iterator[str]:
    """Yield the possible values of an attribute: fixed values, a datatype or a pattern."""
    for child in node.iterchildren(f"{_RNG}*"):
        match etree.QName(child).localname:
            case "value":
                yield child.text or ""
            case "data":
                yield child.findtext(f"{_RNG}param") or child.get("type") or ""
            case "text":
                yield "text"
            case "ref":
                yield from _values(_named(child))
            case _:
                yield from _values(child)


def _resolved(node: etree._Element, *, whole: bool) -> etree._Element:
    """Resolve the references in the pattern ``node``: of the whole element, or of its attributes only."""
    kind = etree.QName(node).localname
    if kind == "attribute":
        return _values_resolved(node)
    if not whole and kind in ("text", "data", "value", "list"):
        return etree.Element(f"{_RNG}empty")
    made = etree.Element(f"{_RNG}group") if kind == "ref" else etree.Element(node.tag, _attributes(node))
    made.text = node.text
    for child in (_named(node) if kind == "ref" else node).iterchildren(f"{_RNG}*"):
        if child.tag != f"{_RNG}element":
            made.append(_resolved(child, whole=whole))
        elif whole:
            made.append(_resolved(child, whole=False))
        else:
            etree.SubElement(made, f"{_RNG}empty")
    if not len(made) and kind in ("ref", "element"):
        etree.SubElement(made, f"{_RNG}empty")
    return made


def _values_resolved(attribute: etree._Element) -> etree._Element:
    made = deepcopy(attribute)
    for old, new in zip(attribute.iter(f"{_RNG}ref"), list(made.iter(f"{_RNG}ref")), strict=True):
        parent = new.getparent()
        for pattern in _named(old).iterchildren(f"{_RNG}*"):
            parent.insert(parent.index(new), deepcopy(pattern))  # type: ignore[union-attr]
        parent.remove(new)  # type: ignore[union-attr]
    return made
