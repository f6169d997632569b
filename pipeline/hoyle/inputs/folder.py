"""What a folder holds: the files that are read, in natural order, and those that are not, with the reason."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from hoyle.errors import SourceError
from hoyle.inputs import INPUTS, Input, bare_name, inputs, suffixes, unreadable
from hoyle.inputs.files import format_of, stem
from hoyle.inputs.images import FOLDER, is_image
from hoyle.inputs.natural_order import natural
from hoyle.inputs.page_list import in_listed_order, is_list, page_list

_OWN = frozenset({"meta.toml", "decisions.tsv"})
"""Files of an edition, which are no source and are not told of."""


class Skipped(NamedTuple):
    """A file of a folder that is not read, and why."""

    path: Path
    why: str


class Contents(NamedTuple):
    """The files of a folder that are read, in order, and those that are not."""

    files: tuple[Path, ...]
    skipped: tuple[Skipped, ...]


def contents(folder: Path, *, walk: bool) -> Contents:
    """The files in a folder that are sources.

    A file is looked at if its suffix is that of a format, and is told by its content. Of files of the
    same name the first of these is read: a text (to which a page file lends its order), then the formats in
    the order of :data:`hoyle.inputs.INPUTS`. Hidden files are passed over.

    Args:
        folder: the folder.
        walk: whether the folder is a book: subfolders are looked into as well, and a METS file or a
            IIIF manifest in it gives the order.

    Raises:
        SourceError: the folder cannot be read.
    """
    skipped: list[Skipped] = []
    best: dict[tuple[Path, str], list[tuple[int, Path]]] = {}
    for path in sorted(_paths(folder, walk=walk), key=natural):
        form = _form(path)
        if isinstance(form, str):
            skipped.append(Skipped(path, form))
        else:
            rank = -1 if form.name == "text" else _rank(form)
            best.setdefault((path.parent, stem(path)), []).append((rank, path))
    read = {name for _, name in best}
    skipped = [one for one in skipped if not _illustrates(one.path, read)]
    files: list[Path] = []
    for rivals in best.values():
        (_, first), *others = sorted(rivals)
        files.append(first)
        skipped += [Skipped(path, f"{first.name} beside it is read") for _, path in others]
    ordered = sorted(files, key=natural)
    if walk and (listed := page_list(folder)):
        ordered = [path for path, _ in in_listed_order(ordered, listed)]
        skipped = [one for one in skipped if one.path.parent != folder or not is_list(one.path)]
    return Contents(tuple(ordered), tuple(sorted(skipped)))


def _illustrates(path: Path, read: Collection[str]) -> bool:
    """Whether a file is the image of a page that is read, which is not told of."""
    return is_image(path) and bool(read) and (path.parent.name == FOLDER or path.stem in read)


def _rank(form: Input) -> int:
    return INPUTS.index(form) if form in INPUTS else len(INPUTS) + inputs().index(form)


def _paths(folder: Path, *, walk: bool) -> Iterator[Path]:
    try:
        found = sorted(folder.iterdir())
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", document=str(folder)) from error
    for path in found:
        if path.name.startswith(".") or path.name in _OWN:
            continue
        if walk and path.is_dir() and not path.is_symlink():
            yield from _paths(path, walk=True)
        elif not path.is_dir() or path.suffix.lower() in suffixes():
            yield path


def _form(path: Path) -> Input | str:
    """The format of a file that is read, or why it is not read."""
    if not bare_name(path.name).endswith(suffixes()):
        return _described(path)
    if not path.is_file():
        return INPUTS[-1]  # its reader says what is wrong
    try:
        form = format_of(path)
    except SourceError:
        return INPUTS[-1]
    return form if form.in_folders else _described(path)


def _described(path: Path) -> str:
    """What a file is that is not read."""
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    if not unreadable.accepts(head):
        return "is of no format that is read in a folder"
    try:
        unreadable.decode(head, name="")
    except SourceError as error:
        return error.message
