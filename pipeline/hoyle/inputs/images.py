"""Images of the pages of a text: beside it, or the pages of the PDF that it was read from.

Only names and sizes are read here; nothing is decoded.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from hoyle.document import PageLayout
from hoyle.errors import SourceError
from hoyle.inputs.natural_order import natural

FOLDER = "scans"
"""The folder beside a text in which images of its pages are looked for, besides the folder of the text."""
SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".jp2", ".gif", ".bmp")
MOST_PIXELS = 120_000_000
"""Largest image that is read, in pixels; a newspaper page at 400 dots to the inch has 67 million."""
EXTRA = "pip install 'hoyle[facsimile]'"


class Illustrated(NamedTuple):
    """Pages with the images that were found for them, and what a reader of the text should know."""

    pages: tuple[PageLayout, ...]
    doubts: tuple[str, ...] = ()


def is_image(path: Path) -> bool:
    """Whether a file is an image by its name."""
    return path.suffix.lower() in SUFFIXES


def illustrate(pages: Sequence[PageLayout], files: Sequence[Path], folder: Path) -> Illustrated:
    """Find the images of the pages of a text.

    The image of a page is, in this order: what a manifest beside it links, the page of the PDF itself, the
    image that the file names, one with the name of the file of the page, and the image at its place among
    those in ``scans/``, or among those beside the text that begin with the one named first, where these are
    as many as the pages.

    Args:
        pages: the pages; ``image`` is the name in the file, which may have a path of another machine.
        files: for each page, the file that it was read from.
        folder: the folder of the text, to which the paths of images are relative.

    Returns:
        The pages, ``image`` empty where there is none, width and height those of the image where the file
        gives none.
    """
    if not pages:
        return Illustrated(())
    places = dict.fromkeys(place for file in (folder / "x", *files) for place in _places(file.parent))
    beside = {place: _images(place) for place in places}
    named = {path.name.lower(): path for found in beside.values() for path in found}
    by_stem = {path.stem.lower(): path for path in reversed([*named.values()])}

    def given(page: PageLayout) -> Path | None:
        """The image that the file names, whatever its format is now."""
        name = _name(page.image)
        return named.get(name) or by_stem.get(PurePosixPath(name).stem or "\0")

    first = given(pages[0])
    ordered = next(
        (
            found
            for place, found in beside.items()
            if len(found) == len(pages) and (place.name == FOLDER or found[0] == first)
        ),
        [],
    )
    count = Counter(files)
    found: list[PageLayout] = []
    for at, (page, file) in enumerate(zip(pages, files, strict=True)):
        if page.linked:
            found.append(page)
            continue
        if page.image.startswith("#page="):
            found.append(replace(page, image=_relative(file, folder) + page.image))
            continue
        image = given(page)
        if not image and count[file] == 1:
            image = by_stem.get(_bare_stem(file))
        if not image and ordered:
            image = ordered[at]
        found.append(replace(page, image=_relative(image, folder) if image else ""))
    return _measured(found, folder)


def _name(path: str) -> str:
    """The name of a file in a path, which may be of another system."""
    return PurePosixPath(path.replace("\\", "/")).name.lower()


def _places(folder: Path) -> tuple[Path, Path]:
    return folder / FOLDER, folder


def _images(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted((path for path in folder.iterdir() if is_image(path) and path.is_file()), key=natural)


def _bare_stem(file: Path) -> str:
    """The name of a file up to its first dot: ``f10`` of ``f10.alto.xml``."""
    return file.name.lower().partition(".")[0]


def _relative(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.as_posix()


def _measured(pages: Sequence[PageLayout], folder: Path) -> Illustrated:
    """The pages with their sizes; without those images that cannot be shown."""
    local = sum(bool(page.image) and not page.linked for page in pages)
    if local and find_spec("PIL") is None:
        kept = (page if page.linked else replace(page, image="") for page in pages)
        return Illustrated(tuple(kept), (f"{local} pages have images, which are not shown; {EXTRA}",))
    doubts: list[str] = []
    found: list[PageLayout] = []
    for number, page in enumerate(pages, 1):
        made = page
        if page.image and not page.linked and "#page=" not in page.image:
            try:
                width, height = _size(folder / page.image)
            except SourceError as error:
                made = replace(page, image="")
                doubts.append(f"page {number}: {error}; the page is shown without it")
            else:
                if not (page.width and page.height):
                    made = replace(page, width=width, height=height)
        found.append(made)
    return Illustrated(tuple(found), tuple(doubts))


def _size(path: Path) -> tuple[int, int]:
    """Width and height of an image, in pixels."""
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415 - an extra

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(path) as image:
                width, height = image.size
    except Image.DecompressionBombError:
        width, height = MOST_PIXELS, MOST_PIXELS
    except UnidentifiedImageError:
        raise SourceError("is no image that can be read", document=path.name) from None
    except (OSError, ValueError, SyntaxError) as error:
        raise SourceError(f"cannot be read ({error})", document=path.name) from None
    if width * height > MOST_PIXELS:
        raise SourceError(f"has more than {MOST_PIXELS:,} pixels; make it smaller", document=path.name)
    return width, height
