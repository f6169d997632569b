"""The cache: annotated documents, kept by the checksum of all that they rest on.

A document is the same as long as its files, its ``meta.toml``, its ``decisions.tsv``, the options, the
program with its tables and models, the packages it uses, and the plug-ins are the same. So the
cache decides nothing: what it gives is what the stages would make again. It may be deleted at any time.

Entries are pickles. The folder must therefore be one that only its owner can write, as the default is.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import re
import shutil
import sys
import tempfile
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import metadata, util
from pathlib import Path
from typing import NamedTuple

import platformdirs

from hoyle import loading, plugins
from hoyle.document import Document
from hoyle.editorial import decisions
from hoyle.errors import HoyleError
from hoyle.inputs.placing import files_beside
from hoyle.loading import Request
from hoyle.outputs.files import Files, checksum
from hoyle.pipeline import Stage
from hoyle.tables import data_file

FOLDER = "HOYLE_CACHE_DIR"
"""The environment variable that names another folder for the cache."""
LIMIT = 2 * 1024**3
"""Bytes that the cache keeps; what was used least recently goes first."""

_DIGEST = hashlib.sha256().digest_size
_DOCUMENTS, _BUILDS = "documents", "builds"


def default_folder() -> Path:
    """The folder of the cache: that of the environment, or the user's own for caches."""
    return Path(os.environ.get(FOLDER) or platformdirs.user_cache_path("hoyle"))


class Entry(NamedTuple):
    """An annotated document, and the files that outputs have made of it, by the name of the output."""

    document: Document
    files: dict[str, Files]


@dataclass(frozen=True, slots=True)
class Usage:
    """What a cache holds: number of documents, and their size in bytes."""

    documents: int
    size: int


@dataclass(frozen=True, slots=True)
class Cache:
    """Annotated documents on disk; several builds may use it at once.

    Attributes:
        folder: where it lies; it is created with the first document.
        limit: bytes that it keeps after :meth:`trim`.
    """

    folder: Path
    limit: int = LIMIT

    def get(self, key: str) -> Entry | None:
        """What the cache has of a key, if it has something.

        Args:
            key: see :func:`document_key`.
        """
        path = self._path(key)
        try:
            data = path.read_bytes()
            os.utime(path)  # used now: `trim` keeps it longer
        except OSError:
            return None
        digest, packed = data[:_DIGEST], data[_DIGEST:]
        if hashlib.sha256(packed).digest() != digest:  # cut short by a full disk, say
            path.unlink(missing_ok=True)
            return None
        return Entry(*pickle.loads(zlib.decompress(packed)))  # noqa: S301 - written by this program for this user

    def put(self, key: str, entry: Entry) -> None:
        """Keep a document; where nothing can be written, nothing is kept.

        Args:
            key: see :func:`document_key`.
            entry: the document with all its layers, and its files.
        """
        packed = zlib.compress(pickle.dumps(tuple(entry), pickle.HIGHEST_PROTOCOL), level=1)
        self._write(self._path(key), hashlib.sha256(packed).digest() + packed)

    def note_build(self, out: Path, key: str, crate: str) -> None:
        """Remember what a build was made of.

        Args:
            out: its folder.
            key: see :func:`build_key`.
            crate: checksum of the description of its files.
        """
        self._write(self._build(out), json.dumps([key, crate]).encode())

    def has_build(self, out: Path, key: str, crate: str) -> bool:
        """Whether the build in a folder was made of what a key stands for.

        Args:
            out: the folder.
            key: see :func:`build_key`.
            crate: checksum of the description of the files that are there.
        """
        try:
            return bool(json.loads(self._build(out).read_bytes()) == [key, crate])
        except (OSError, ValueError):
            return False

    def usage(self) -> Usage:
        """How much it holds."""
        sizes = [size for _, size, _ in self._entries()]
        return Usage(len(sizes), sum(sizes))

    def trim(self) -> None:
        """Delete the documents that were used least recently, until the limit is kept."""
        entries = sorted(self._entries(), reverse=True)
        left = self.limit
        for _, size, path in entries:
            left -= size
            if left < 0:
                path.unlink(missing_ok=True)

    def clear(self) -> None:
        """Delete all that it holds."""
        for name in (_DOCUMENTS, _BUILDS):
            shutil.rmtree(self.folder / name, ignore_errors=True)

    def _path(self, key: str) -> Path:
        return self.folder / _DOCUMENTS / key[:2] / key

    def _build(self, out: Path) -> Path:
        return self.folder / _BUILDS / hashlib.sha256(os.fsencode(out)).hexdigest()

    def _entries(self) -> Iterator[tuple[int, int, Path]]:
        """Time of the last use, size and path of each document."""
        for path in self.folder.glob(f"{_DOCUMENTS}/*/*"):
            with suppress(OSError):  # another build has just deleted it
                found = path.stat()
                yield found.st_mtime_ns, found.st_size, path

    def _write(self, path: Path, data: bytes) -> None:
        """The whole file or none: others may read the folder at the same time."""
        new = None
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
                new = Path(file.name)
                file.write(data)
            new.replace(path)
        except OSError:
            if new:
                new.unlink(missing_ok=True)


def document_key(request: Request, root: Path, stages: Sequence[Stage]) -> str | None:
    """The checksum of all that an annotated document rests on.

    Args:
        request: the document.
        root: the folder that holds ``corpus/`` and ``seeds/``.
        stages: the stages that are run.

    Returns:
        Hexadecimal digits; ``None`` if its files cannot be read: :func:`hoyle.loading.load` says why.
    """
    names = [stage.name for stage in stages]
    asked = (names, request.lang, request.encoding, request.max_bytes, request.edition, len(request.pages))
    try:
        files = [(path.parts[-2:] if request.pages else path.name, path)
                 for path in loading.files_of(request, root)]  # fmt: skip
        stated: list[tuple[str, int, int]] = []
        if request.settings:
            described = [request.settings, request.settings.with_name(decisions.FILE)]
            files += [(path.parts[-3:], path) for path in described if path.is_file()]
            stated = _beside(request.settings.parent, {path for _, path in files})
        else:
            stated = [_stated(path, path.name) for path in files_beside(loading.files_of(request, root))]
        parts = (program(), asked, [(name, checksum(path)) for name, path in files], stated)
    except (HoyleError, OSError):
        return None
    return hashlib.sha256(repr(parts).encode(errors="surrogatepass")).hexdigest()


def build_key(
    requests: Sequence[Request], root: Path, stages: Sequence[Stage], outputs: Sequence[str]
) -> str:
    """The checksum of all that a build rests on; empty if a source cannot be read.

    Args:
        requests: its documents in order.
        root: the folder that holds ``corpus/`` and ``seeds/``.
        stages: the stages that are run.
        outputs: names of the outputs that are written.
    """
    keys = [document_key(request, root, stages) for request in requests]
    names = [request.name for request in requests]
    return "" if None in keys else hashlib.sha256(repr((keys, names, outputs)).encode()).hexdigest()


@cache
def program() -> str:
    """The checksum of the program: its code, tables and models, the packages it uses, and plug-ins."""
    digest = hashlib.sha256(sys.version.encode())
    package = Path(str(util.find_spec("hoyle").submodule_search_locations[0]))  # type: ignore[union-attr,index]
    for folder in (package, data_file("schemas"), data_file("site")):
        _add_files(folder, digest)
    with suppress(metadata.PackageNotFoundError):  # run from a checkout that is not installed
        for requirement in metadata.requires("hoyle") or ():
            name = re.match(r"[\w.-]+", requirement)
            with suppress(metadata.PackageNotFoundError):
                digest.update(f"{name and name[0]} {metadata.version(name[0] if name else '')}\n".encode())
    for group in plugins.GROUPS:
        for point in metadata.entry_points(group=group):
            digest.update(f"{group} {point.name} {point.value}\n".encode())
            spec = util.find_spec(point.module)
            for place in [*(spec.submodule_search_locations or ()), spec.origin][:1] if spec else ():
                _add_files(Path(str(place)), digest)
    return digest.hexdigest()


def _add_files(place: Path, digest: hashlib._Hash) -> None:
    """The names and contents of a file, or of all files of a folder."""
    files = [place] if place.is_file() else sorted(p for p in place.rglob("*") if p.is_file())
    for path in files:
        if "__pycache__" not in path.parts:
            digest.update(f"{path.relative_to(place.parent).as_posix()}\0".encode())
            digest.update(path.read_bytes())


def _beside(folder: Path, read: Collection[Path]) -> list[tuple[str, int, int]]:
    """Name, size and time of the files beside a document that are not read whole, such as its scans."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and path not in read)
    others = [path for path in found if loading.EDITION not in path.relative_to(folder).parts]
    return [_stated(path, path.relative_to(folder).as_posix()) for path in others]


def _stated(path: Path, name: str) -> tuple[str, int, int]:
    stat = path.stat()
    return name, stat.st_size, stat.st_mtime_ns
