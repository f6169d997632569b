"""What readers may take away: the files of earlier outputs, linked into the site's own folder.

The site must work when its folder alone is copied to a memory stick or a server, so that its
downloads lie inside it (``files/``): as hard links, which take no room, where the disk knows them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from hoyle.errors import OutputError


class File(NamedTuple):
    """A file to take away: its address (relative to the site), its ending, its size in bytes."""

    href: str
    kind: str
    size: int


class Files:
    """The downloads of a build.

    Args:
        build: the folder of the whole build; outputs that were made before the site lie in it.
    """

    def __init__(self, build: Path) -> None:
        self._build = build
        self._site = build / "site"
        self._given: set[Path] = set()
        self._kinds: list[tuple[Path, str]] | None = None

    def of(self, document: str) -> list[File]:
        """The files that carry the name of a document, in the order of their folders.

        Which kinds there are is learnt from the first document: no folder is listed again and again.
        """
        if self._kinds is None:
            folders = sorted(p for p in self._build.iterdir() if p.is_dir() and p != self._site)
            named = [p for folder in folders for p in sorted(folder.iterdir())]
            self._kinds = [
                (p.parent, p.name.removeprefix(document)) for p in named if p.name.startswith(f"{document}.")
            ]
        return self._give(p for f, ending in self._kinds if (p := f / f"{document}{ending}").is_file())

    def rest(self) -> list[File]:
        """The files that belong to all documents together."""
        found = (
            p
            for p in self._build.rglob("*")
            if p.is_file() and self._site not in p.parents and p.name[0] != "."
        )
        return self._give(sorted(p for p in found if p not in self._given))

    def _give(self, found: Iterable[Path]) -> list[File]:
        given = []
        for path in found:
            inside = Path("files") / path.relative_to(self._build)
            goal = self._site / inside
            try:
                goal.parent.mkdir(parents=True, exist_ok=True)
                _link(path, goal)
                size = path.stat().st_size
            except OSError as error:
                raise OutputError(
                    f"cannot be written ({error.strerror})", document=f"site/{inside}"
                ) from error
            self._given.add(path)
            given.append(File(inside.as_posix(), _kind(path), size))
        return given


def _kind(path: Path) -> str:
    """What a file is called in a list: its folder where that says more than its ending."""
    return "TEI" if path.parent.name == "tei" else path.name.split(".", 1)[1].upper()


def _link(path: Path, goal: Path) -> None:
    try:
        os.link(path, goal)
    except OSError:  # a disk without hard links
        shutil.copyfile(path, goal)
