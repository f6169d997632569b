"""The folder of a build: made beside the wanted one, and exchanged with it when all is complete.

A build folder is known by its report, which names the checksum of ``ro-crate-metadata.json``, which
names the checksum of every file. So a folder of anything else is never taken for a build, and
files that somebody changed or added are found before the build is replaced.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self
from urllib.parse import unquote

from hoyle.errors import OutputError
from hoyle.outputs.files import checksum
from hoyle.outputs.ro_crate import LATER as REPORT
from hoyle.outputs.ro_crate import NAME as CRATE

try:
    import fcntl
except ImportError:  # not on Windows: left-overs stay there until somebody deletes them
    fcntl = None  # type: ignore[assignment]

_AT_FDCWD, _RENAME_EXCHANGE = -100, 2  # linux/fcntl.h, linux/fs.h
_PARTIAL, _OLD = "partial", "old"
__all__ = ["REPORT", "Workplace", "changed_files", "crate_checksum", "is_build", "resolve"]


def resolve(out: Path) -> Path:
    """The folder that ``out`` leads to.

    Args:
        out: the folder that is wanted.

    Raises:
        OutputError: it leads nowhere, or holds the folder that one is in, which would be moved away.
    """
    try:
        found = out.resolve()
        found.exists()
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OutputError(f"cannot be written ({reason})", document=str(out)) from error
    if found.is_symlink():
        raise OutputError("is a link that leads to itself", document=str(out))
    if found == Path.cwd() or found in Path.cwd().parents:
        message = "is the folder that you are in, or above it; give a new folder with --out"
        raise OutputError(message, document=str(out))
    return found


def crate_checksum(folder: Path) -> str:
    """The SHA-256 checksum of the description of a build's files; empty if it has none."""
    return _checksum(folder / CRATE)


def is_build(folder: Path) -> bool:
    """Whether a folder holds a complete build: its report belongs to the description of its files."""
    try:
        report = json.loads((folder / REPORT).read_bytes())
        return bool(report["crate"]) and report["crate"] == crate_checksum(folder)
    except (OSError, ValueError, LookupError, TypeError):
        return False


def changed_files(build: Path) -> list[Path]:
    """The files of a build that are not as they were written: changed or added by hand.

    Args:
        build: its folder.

    Returns:
        Their paths relative to the folder, in the order of names.
    """
    written = {CRATE: crate_checksum(build), **dict(_written(build))}
    found = (path for path in sorted(build.rglob("*")) if path.is_file() or path.is_symlink())
    own = ((path, path.relative_to(build)) for path in found)
    return [name for path, name in own if name.as_posix() != REPORT
            and written.get(name.as_posix()) != _checksum(path)]  # fmt: skip


class Workplace:
    """A new folder beside the wanted one; it is gone again unless it was published.

    What builds that were killed have left there is deleted, or put back where it belongs.

    Args:
        out: the folder that is wanted, resolved.

    Raises:
        OutputError: on entering: it cannot be written, or holds something that is no build; on
            leaving: the disk failed.
    """

    def __init__(self, out: Path) -> None:
        self.out = out
        self._lock = -1

    def __enter__(self) -> Self:
        out = self.out
        self._clear()
        if out.exists() and not (out.is_dir() and (not any(out.iterdir()) or is_build(out))):
            message = "is there already and is no earlier build; give an empty or a new folder with --out"
            raise OutputError(message, document=str(out))
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            self.folder = Path(tempfile.mkdtemp(prefix=f".{out.name}.{_PARTIAL}-", dir=out.parent))
            self._lock = _locked(self.folder)
            self.folder.chmod(0o755)
        except OSError as error:
            message = f"cannot be written ({error.strerror}); choose another folder with --out"
            raise OutputError(message, document=str(out)) from error
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        if self._lock >= 0:
            os.close(self._lock)
        if isinstance(error, OSError):
            message = f"cannot be written ({error.strerror}); nothing was changed there"
            raise OutputError(message, document=str(self.out)) from error

    def publish(self) -> list[Path]:
        """Put the complete folder in the place of the wanted one.

        Returns:
            The files of the earlier build that were changed by hand; they are kept beside the new one.
        """
        if hasattr(os, "sync"):
            os.sync()  # the new files are on the disk before the old ones go
        if not self.out.exists():
            self.folder.rename(self.out)
            return []
        old, lock = self.folder, _locked(self.out)
        if not _exchange(self.folder, self.out):
            old = self.folder.with_name(self.folder.name.replace(_PARTIAL, _OLD))
            self.out.rename(old)
            self.folder.rename(self.out)
        kept = self._delete(old)
        if lock >= 0:
            os.close(lock)
        return kept

    def _delete(self, old: Path) -> list[Path]:
        """Delete an earlier build, but keep the files that were changed by hand."""
        kept = list(self._keep(old, changed_files(old))) if is_build(old) else []
        shutil.rmtree(old, ignore_errors=True)
        return kept

    def _keep(self, old: Path, changed: list[Path]) -> Iterator[Path]:
        """Move files out of an earlier build into a folder of their own."""
        places = (self.out.with_name(f"{self.out.name}.edited-{n}") for n in range(1, sys.maxsize))
        place = next(place for place in places if not place.exists())
        for name in changed:
            goal = place / name
            goal.parent.mkdir(parents=True, exist_ok=True)
            (old / name).rename(goal)
            yield goal

    def _clear(self) -> None:
        """Deal with what builds that were killed left behind; those that are at work hold a lock."""
        if fcntl is None:
            return
        for state in (_OLD, _PARTIAL):
            for left in self.out.parent.glob(f".{self.out.name}.{state}-*"):
                if (lock := _locked(left)) < 0:
                    continue
                if state == _OLD and not self.out.exists():
                    left.rename(self.out)  # killed between the two renames
                else:
                    self._delete(left)
                os.close(lock)


def _locked(folder: Path) -> int:
    """A descriptor that locks a folder as long as this process lives; -1 if another one has it."""
    if fcntl is None:
        return -1
    lock = -1
    try:
        lock = os.open(folder, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        if lock >= 0:
            os.close(lock)
        return -1
    return lock


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders in one step, where the system can (``renameat2`` of Linux)."""
    rename = getattr(ctypes.CDLL(None), "renameat2", None) if sys.platform == "linux" else None
    names = os.fsencode(one), os.fsencode(other)
    return rename is not None and not rename(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE)


def _written(build: Path) -> Iterator[tuple[str, str]]:
    """Path and checksum of each file that a build describes; the description has one entity a line."""
    with suppress(OSError, ValueError), (build / CRATE).open(encoding="utf-8") as lines:
        for line in lines:
            if '"sha256"' in line and '"contentSize"' in line:
                entity = json.loads(line.rstrip().rstrip(","))
                yield unquote(entity["@id"]), entity["sha256"]


def _checksum(path: Path) -> str:
    """See :func:`hoyle.outputs.files.checksum`; empty if the file cannot be read."""
    with suppress(OSError):
        return checksum(path)
    return ""
