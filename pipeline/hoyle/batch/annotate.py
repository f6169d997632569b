"""Documents with all their layers, made one after the other or by several processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol, TypeAlias

from hoyle import loading
from hoyle.document import Document
from hoyle.document.validation import validate
from hoyle.errors import HoyleError, SourceError, StageError
from hoyle.inputs.tei import read_tei
from hoyle.loading import Request
from hoyle.pipeline import Stage, run, stages
from hoyle.tei.verify import verify


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that could not be made, and why."""

    document: str
    message: str
    offset: int | None = None


Outcome: TypeAlias = Document | Failure
Wanted: TypeAlias = Request | Document
"""What is to be annotated: a file that is asked for, or a text that is read already."""


class Progress(Protocol):
    """Told of each step of a build."""

    def begin(self, documents: int) -> None:
        """So many documents are asked for."""

    def document(self, name: str) -> None:
        """Work on the document ``name`` begins."""

    def stage(self, stage: Stage) -> None:
        """A stage begins on the document at hand."""

    def done(self) -> None:
        """The document at hand is finished."""


class Silent:
    """A :class:`Progress` that says nothing."""

    def begin(self, documents: int) -> None:
        """See :class:`Progress`."""

    def document(self, name: str) -> None:
        """See :class:`Progress`."""

    def stage(self, stage: Stage) -> None:
        """See :class:`Progress`."""

    def done(self) -> None:
        """See :class:`Progress`."""


def annotate_document(
    wanted: Wanted,
    root: Path,
    steps: Sequence[Stage] = (),
    progress: Callable[[Stage], None] | None = None,
) -> Document:
    """The document asked for with its layers: made by the stages, or read from a TEI file.

    Args:
        wanted: the document.
        root: the folder that holds ``corpus/`` and ``seeds/``.
        steps: the stages to run; all of them if empty.
        progress: called with each stage before it runs.

    Raises:
        HoyleError: it cannot be read or annotated, or its layers do not agree with each other.
    """
    try:
        if isinstance(wanted, Request) and wanted.is_tei:
            document = edition_in(wanted.path)
        else:
            source = loading.load(wanted, root) if isinstance(wanted, Request) else wanted
            document = run(source, steps or stages(), progress)
        if "clauses" in document.layers:
            validate(document)
    except (HoyleError, OSError):
        raise
    except Exception as error:  # a fault of Hoyle's own, which the other documents must not suffer from
        message = f"failed: {type(error).__name__}: {error}"
        raise StageError(message, document=_name(wanted)) from error
    return document


def edition_in(path: Path) -> Document:
    """The document in a TEI file that passes ``verify``.

    Args:
        path: the file.

    Raises:
        SourceError: it cannot be read, or something is wrong with it.
    """
    if problems := verify(path):
        message = f"{problems[0]}; hoyle verify {path} lists all {len(problems)}"
        raise SourceError(message, document=str(path))
    return read_tei(path)


def annotate(
    wanted: Wanted,
    root: Path,
    steps: Sequence[Stage] = (),
    progress: Callable[[Stage], None] | None = None,
) -> Outcome:
    """See :func:`annotate_document`; a failure is returned, not raised."""
    try:
        return annotate_document(wanted, root, steps, progress)
    except HoyleError as error:
        return Failure(error.document or _name(wanted), error.message, error.offset)
    except OSError as error:
        return Failure(_name(wanted), f"cannot be read ({error.strerror or error})")


def annotate_all(
    wanted: Iterable[Wanted],
    root: Path,
    jobs: int,
    progress: Progress | None = None,
    steps: Sequence[Stage] = (),
) -> Iterator[Outcome]:
    """The documents in the order asked for; never more than a few of them at a time in memory.

    Args:
        wanted: the documents.
        root: the folder that holds ``corpus/`` and ``seeds/``.
        jobs: processes to use.
        progress: told of each step.
        steps: the stages to run; all of them if empty.
    """
    progress = progress or Silent()
    if jobs > 1:
        yield from _by_processes(wanted, root, jobs, progress, steps)
        return
    for one in wanted:
        progress.document(_name(one))
        yield annotate(one, root, steps, progress.stage)


def _name(wanted: Wanted) -> str:
    return wanted.name if isinstance(wanted, Request) else wanted.id


def _by_processes(
    wanted: Iterable[Wanted], root: Path, jobs: int, progress: Progress, steps: Sequence[Stage]
) -> Iterator[Outcome]:
    todo = iter(wanted)
    waiting: deque[tuple[Wanted, Future[Outcome]]] = deque()
    pool = _pool(jobs)
    try:
        while True:
            for one in islice(todo, 2 * jobs - len(waiting)):
                waiting.append((one, pool.submit(annotate, one, root, steps)))
            if not waiting:
                return
            one, future = waiting[0]
            progress.document(_name(one))
            try:
                yield future.result()
                waiting.popleft()
            except BrokenProcessPool:
                # One of these documents killed its process; each alone will show which.
                for suspect, _ in waiting:
                    yield _alone(suspect, root, steps)
                waiting.clear()
                pool = _pool(jobs)
    finally:
        pool.shutdown(cancel_futures=True)


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))


def _alone(wanted: Wanted, root: Path, steps: Sequence[Stage]) -> Outcome:
    """The document made by a process of its own, which may be killed without harm to others."""
    with _pool(1) as pool:
        try:
            return pool.submit(annotate, wanted, root, steps).result()
        except BrokenProcessPool:
            message = "the process at work on it was killed (out of memory?); split it, or use fewer --jobs"
            return Failure(_name(wanted), message)
