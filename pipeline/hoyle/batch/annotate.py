"""Documents with all their layers, made one after the other or by several processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol, TypeAlias

from hoyle import store
from hoyle.document import Document
from hoyle.document.validation import check
from hoyle.errors import HoyleError, SourceError
from hoyle.inputs.tei import read_tei
from hoyle.pipeline import Stage, run, stages
from hoyle.store import Request
from hoyle.tei.verify import verify


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that could not be made, and why."""

    document: str
    message: str
    offset: int | None = None


Outcome: TypeAlias = Document | Failure


class Progress(Protocol):
    """Told of each step of a build."""

    def document(self, name: str) -> None:
        """Work on the document ``name`` begins."""

    def stage(self, stage: Stage) -> None:
        """A stage begins on the document at hand."""

    def done(self) -> None:
        """The document at hand is finished."""


def annotated(request: Request, root: Path, progress: Callable[[Stage], None] | None = None) -> Document:
    """The document asked for with all its layers: made by the stages, or read from a TEI file.

    Raises:
        HoyleError: it cannot be read or annotated; a TEI file must pass ``verify`` too.
    """
    if not request.is_tei:
        return run(store.load(request, root), stages(), progress)
    if problems := verify(request.path):
        message = f"{problems[0]}; hoyle verify {request.path} tells all ({len(problems)})"
        raise SourceError(message, document=request.name)
    return read_tei(request.path)


def annotate(request: Request, root: Path, progress: Callable[[Stage], None] | None = None) -> Outcome:
    """The document asked for with all its layers, or why it could not be made."""
    try:
        document = annotated(request, root, progress)
        check(document)
    except HoyleError as error:
        return Failure(error.document or request.name, error.message, error.offset)
    return document


def outcomes(requests: Sequence[Request], root: Path, jobs: int, progress: Progress) -> Iterator[Outcome]:
    """The documents in the order asked for; never more than a few of them at a time in memory."""
    if jobs > 1 and len(requests) > 1:
        yield from _by_processes(requests, root, jobs, progress)
        return
    for request in requests:
        progress.document(request.name)
        yield annotate(request, root, progress.stage)


def _by_processes(
    requests: Sequence[Request], root: Path, jobs: int, progress: Progress
) -> Iterator[Outcome]:
    todo = iter(requests)
    waiting: deque[tuple[Request, Future[Outcome]]] = deque()
    pool = _pool(jobs)
    try:
        while True:
            for request in islice(todo, 2 * jobs - len(waiting)):
                waiting.append((request, pool.submit(annotate, request, root)))
            if not waiting:
                return
            request, future = waiting[0]
            progress.document(request.name)
            try:
                yield future.result()
                waiting.popleft()
            except BrokenProcessPool:
                # One of these documents killed its process; each alone will show which.
                for suspect, _ in waiting:
                    yield _alone(suspect, root)
                waiting.clear()
                pool = _pool(jobs)
    finally:
        pool.shutdown(cancel_futures=True)


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))


def _alone(request: Request, root: Path) -> Outcome:
    """The document made by a process of its own, which may be killed without harm to others."""
    with _pool(1) as pool:
        try:
            return pool.submit(annotate, request, root).result()
        except BrokenProcessPool:
            message = "the process at work on it was killed (out of memory?); split it, or use fewer --jobs"
            return Failure(request.name, message)
