"""Lists of the pages of a book beside its files: METS and IIIF manifests, with order, labels, images."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from lxml import etree

from hoyle.document import PageLayout
from hoyle.errors import SourceError
from hoyle.inputs.markup import attribute, has_root, local_name, number, parse
from hoyle.inputs.text import MAX_BYTES

_SUFFIXES = (".xml", ".mets", ".json")
_HEAD = 65_536


class Listed(NamedTuple):
    """A page of a list: names of its files without what follows the first dot, its label, its image."""

    stems: frozenset[str]
    label: str
    image: str = ""


def page_list(folder: Path) -> list[Listed]:
    """The pages that a METS file or a IIIF manifest in a folder lists, in its order.

    Args:
        folder: the folder of a book.

    Returns:
        The pages; none where there is no such file, or more than one.

    Raises:
        SourceError: the file is broken.
    """
    found = [path for path in sorted(folder.iterdir()) if path.suffix.lower() in _SUFFIXES and is_list(path)]
    if len(found) != 1:
        return []
    data = found[0].read_bytes()
    if found[0].suffix.lower() == ".json":
        return list(_canvases(json.loads(data)))
    return list(_mets(parse(data, name=str(found[0]), max_bytes=MAX_BYTES)))


def is_list(path: Path) -> bool:
    """Whether a file is METS, or a IIIF manifest."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if path.suffix.lower() != ".json":
        return has_root(head, "mets")
    if b"iiif.io/api/presentation" not in head or path.stat().st_size > MAX_BYTES:
        return False
    try:
        json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise SourceError("is a IIIF manifest that is no JSON; get it again", document=str(path)) from None
    return True


def _stem(address: str) -> str:
    return Path(unquote(urlsplit(address).path)).name.lower().partition(".")[0]


def _mets(root: etree._Element) -> Iterator[Listed]:
    """The pages of the physical structure (METS 1, ``structMap``), in ``ORDER``."""
    files = {
        element.get("ID", ""): _stem(attribute(location, "href"))
        for element in root.iter()
        if local_name(element) == "file"
        for location in element
        if local_name(location) == "FLocat"
    }
    maps = [element for element in root.iter() if local_name(element) == "structMap"]
    physical = [one for one in maps if one.get("TYPE", "").upper() == "PHYSICAL"] or maps[:1]
    divisions = [
        div
        for one in physical
        for div in one.iter()
        if local_name(div) == "div" and any(local_name(child) == "fptr" for child in div)
    ]
    for div in sorted(divisions, key=lambda div: number(div, "ORDER")):
        named = (files.get(child.get("FILEID", ""), "") for child in div if local_name(child) == "fptr")
        yield Listed(frozenset(filter(None, named)), div.get("ORDERLABEL") or div.get("LABEL") or "")


def _canvases(value: Any) -> Iterator[Listed]:
    """The canvases of a manifest (IIIF Presentation 2 and 3)."""
    try:
        old = "sequences" in value
        for canvas in value["sequences"][0]["canvases"] if old else value["items"]:
            if old:
                body = canvas["images"][0]["resource"]
                image, ident, label = body["@id"], canvas["@id"], canvas.get("label", "")
            else:
                body = canvas["items"][0]["items"][0]["body"]
                image, ident = body["id"], canvas["id"]
                label = next(iter((canvas.get("label") or {"none": [""]}).values()))[0]
            services = body.get("service") or []
            service = services[0] if isinstance(services, list) and services else services
            base = (service.get("@id") or service.get("id") or "") if service else ""
            shown = f"{base.rstrip('/')}/full/!1500,4500/0/default.jpg" if base else str(image)
            web = shown if shown.startswith(("http://", "https://")) else ""
            yield Listed(frozenset({_stem(str(image)), _stem(str(ident)), _stem(base)}), str(label), web)
    except (KeyError, IndexError, TypeError, AttributeError, StopIteration):
        raise SourceError("the IIIF manifest beside the pages lacks its canvases or images") from None


def in_listed_order(files: Sequence[Path], listed: Sequence[Listed]) -> list[tuple[Path, Listed | None]]:
    """Files in the order of a list.

    Args:
        files: in natural order.
        listed: the pages of the list.

    Returns:
        Each file with its page. Where no name fits and there are as many pages as files, they go together in
        order; files that the list lacks come last.
    """
    rank = {stem: at for at, page in reversed([*enumerate(listed)]) for stem in page.stems}
    places = [rank.get(_stem(file.name)) for file in files]
    if all(place is None for place in places):
        if len(files) != len(listed):
            return [(file, None) for file in files]
        return list(zip(files, listed, strict=True))
    pairs = zip(files, places, strict=True)
    known = sorted(((place, file) for file, place in pairs if place is not None), key=lambda one: one[0])
    rest = [file for file, place in zip(files, places, strict=True) if place is None]
    return [*((file, listed[place]) for place, file in known), *((file, None) for file in rest)]


def labelled(pages: Sequence[PageLayout], listed: Sequence[Listed | None]) -> tuple[PageLayout, ...]:
    """Pages with the labels, and the images in a library, that a list gives them.

    Args:
        pages: the pages.
        listed: what the list has of each.
    """
    return tuple(
        replace(page, label=one.label, image=page.image or one.image) if one else page
        for page, one in zip(pages, listed, strict=True)
    )
