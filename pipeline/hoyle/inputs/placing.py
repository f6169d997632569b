"""The pages of a document with the places of words, their images and their labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from hoyle.document import Box, PageLayout, WordBox
from hoyle.inputs.files import stem
from hoyle.inputs.gutters import LARGEST
from hoyle.inputs.images import FOLDER, illustrate, is_image
from hoyle.inputs.joining import page_parts
from hoyle.inputs.natural_order import natural
from hoyle.inputs.page_list import Listed, in_listed_order, labelled, page_list
from hoyle.inputs.text import DecodedText


def placed(
    read: DecodedText, parts: Sequence[tuple[Path, DecodedText]], folder: Path, *, listed: bool
) -> DecodedText:
    """A text with its pages as the edition has them: boxes in whole numbers, images, labels.

    Args:
        read: the text of the document.
        parts: its files, in order, with the text of each.
        folder: to which the images are relative.
        listed: whether a METS file or a IIIF manifest in the folder is of this document.

    Returns:
        The text, without pages where neither boxes nor form feeds part them, and with a doubt for each image
        that cannot be shown.
    """
    pages = list(_pages(read))
    if not pages:
        return replace(read, pages=())
    files = [file for file, one in parts for _ in one.pages or page_parts(one.text)]
    if listed:
        pages = [*labelled(pages, _listed([file for file, _ in parts], files, folder))]
    found = illustrate(pages, files, folder)
    doubts = (*read.doubts, *((doubt, 0) for doubt in found.doubts))
    return replace(read, pages=found.pages, doubts=doubts)


def files_beside(files: Sequence[Path]) -> list[Path]:
    """The files beside those of a document from which it may have images or the places of words.

    Args:
        files: the files of the document.
    """
    folders = dict.fromkeys(folder for file in files for folder in (file.parent, file.parent / FOLDER))
    found = [path for folder in folders if folder.is_dir() for path in sorted(folder.iterdir())]
    stems = {stem(file) for file in files}
    return [path for path in found if path not in files and (is_image(path) or stem(path) in stems)]


def _pages(read: DecodedText) -> Iterator[PageLayout]:
    pages = read.pages or page_parts(read.text)
    if len(pages) == 1 and not read.pages:
        return
    for page in pages:
        words = (WordBox(word.span, Box(*map(round, word.box))) for word in page.words)
        size = [round(side) if 0 < side <= LARGEST else 0 for side in (page.width, page.height)]
        yield replace(page, words=tuple(filter(_has_area, words)), width=size[0], height=size[1])


def _has_area(word: WordBox) -> bool:
    return word.box.right > word.box.left and word.box.bottom > word.box.top


def _listed(files: Sequence[Path], parts: Sequence[Path], folder: Path) -> Sequence[Listed | None]:
    """What a list of pages in the folder says of each page; ``parts`` are the files that these are from."""
    listed = page_list(folder)
    if len(files) == 1 or not listed:
        return listed if len(listed) == len(parts) else [None] * len(parts)
    by_file = dict(in_listed_order(sorted(files, key=natural), listed))
    count = Counter(parts)
    return [by_file[part] if count[part] == 1 else None for part in parts]
