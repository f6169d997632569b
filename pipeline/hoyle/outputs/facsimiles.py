"""Images of the pages in two sizes, for the site and for whoever reads the TEI."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile

from hoyle.document import Document
from hoyle.errors import OutputError
from hoyle.outputs.render import SIZES
from hoyle.tei.facsimile import FOLDER, image_path

_PROCESS = "from hoyle.outputs.render import main; main()"


class Facsimiles:
    """Writes ``facsimiles/<document id>/0001.webp``, ``0001-small.webp`` … below the folder of the build.

    A document whose source has no images gets none; of an edition (TEI) they are copied as they are.
    """

    def __init__(self, folder: Path) -> None:
        self._build = folder

    def add(self, document: Document) -> None:
        """Make the images of ``document``.

        Raises:
            OutputError: an image is broken, or too large to be unpacked.
        """
        wanted: list[tuple[int, str, Path]] = []
        for number, page in enumerate(document.pages, 1):
            if not page.image or page.linked:
                continue
            source = Path(document.source.folder, page.image)
            to = self._build / image_path(document.id, number)
            if not Path(str(source).partition("#page=")[0]).is_file():
                continue
            to.parent.mkdir(parents=True, exist_ok=True)
            if not _copied(source, to):
                wanted.append((number, str(source), to.with_suffix("")))
        for (number, source_name, _), fault in zip(wanted, _rendered(wanted), strict=True):
            if fault:
                name = Path(source_name).name
                message = f"the image of page {number}, {name}, {fault}; give it again, or take it away"
                raise OutputError(message, document=document.id)

    def close(self) -> None:
        """Nothing is left to do."""


def _copied(source: Path, to: Path) -> bool:
    """Copy the images of an edition, which are of these sizes already."""
    both = [source.with_name(f"{source.stem}{ending}.webp") for ending in SIZES]
    if source.suffix != ".webp" or not all(path.is_file() for path in both):
        return False
    for path, ending in zip(both, SIZES, strict=True):
        shutil.copyfile(path, to.with_name(f"{to.stem}{ending}.webp"))
    return True


def _rendered(wanted: list[tuple[int, str, Path]]) -> Iterator[str]:
    """What is wrong with each image that a process makes, one after the other; empty if nothing is."""
    if not wanted:
        return
    with TemporaryFile("w+", encoding="utf-8") as tasks:
        tasks.writelines(json.dumps({"image": image, "to": str(to)}) + "\n" for _, image, to in wanted)
        tasks.seek(0)
        command = [sys.executable, "-c", _PROCESS]
        with subprocess.Popen(  # noqa: S603 - our own
            command, stdin=tasks, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            answers = iter(process.stdout or ())
            for _ in wanted:
                answer = next(answers, "")
                yield json.loads(answer) if answer else "cannot be unpacked in the memory allowed"
                if not answer:
                    return


def images_of(build: Path, document: Document) -> dict[int, Path]:
    """The images of a document that were made, by the number of their page.

    Args:
        build: the folder of the build.
        document: the document.
    """
    folder = build / FOLDER / document.id
    if not document.pages or not folder.is_dir():
        return {}
    found = (
        (number, build / image_path(document.id, number)) for number in range(1, len(document.pages) + 1)
    )
    return {number: path for number, path in found if path.is_file()}
