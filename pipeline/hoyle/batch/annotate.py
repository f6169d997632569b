"""Documents with all their layers, made one after the other or by several processes."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from hoyle import loading
from hoyle.batch.cache import Cache, Entry, document_key
from hoyle.document import Document
from hoyle.document.validation import validate
from hoyle.errors import HoyleError, OutputError, SourceError, StageError
from hoyle.inputs.tei import read_tei
from hoyle.loading import Request
from hoyle.outputs.files import DocumentFiles, Files
from hoyle.pipeline import Stage, run, stages
from hoyle.tei.verify import verify


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that could not be made, and why."""

    document: str
    message: str
    offset: int | None = None


@dataclass(slots=True)
class Run:
    """What it took to make a document.

    Attributes:
        path: its file, or the folder of its files.
        cached: whether the cache had it.
        seconds: wall-clock time by stage; ``read`` is the reading of its files.
        peak_memory: bytes that the process had in memory at most, up to then.
    """

    path: str
    cached: bool = False
    seconds: dict[str, float] = field(default_factory=dict)
    peak_memory: int = 0


Outcome: TypeAlias = Document | Failure


class Made(NamedTuple):
    """What became of one document, what it took, and the files of outputs that rest on it alone."""

    outcome: Outcome
    run: Run
    files: Mapping[str, Files]


Writers: TypeAlias = Mapping[str, type[DocumentFiles]]
"""The outputs, by name, whose files are made with the document."""


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

    def done(self, made: Made) -> None:
        """The document at hand is finished."""


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
    cache: Cache | None = None,
    writers: Writers | None = None,
) -> Made:
    """The document asked for, from the cache or made now; a failure is returned, not raised.

    Args:
        wanted: the document.
        root: the folder that holds ``corpus/`` and ``seeds/``.
        steps: the stages to run; all of them if empty.
        progress: called with each stage before it runs.
        cache: where annotated documents are kept.
        writers: the outputs whose files are made as well.
    """
    steps = steps or stages()
    run = Run(str(wanted.path) if isinstance(wanted, Request) else "")
    key = document_key(wanted, root, steps) if cache and isinstance(wanted, Request) else None
    found = cache.get(key) if cache and key else None
    run.cached = found is not None
    clock = _Clock(run.seconds, progress)
    try:
        if found and isinstance(wanted, Request):
            document = loading.at_home(found.document, wanted, root)
        else:
            document = annotate_document(wanted, root, steps, clock)
        clock.stop("outputs")
        files = found.files if found else {}
        missing = {name: made for name, made in (writers or {}).items() if name not in files}
        files |= _files(document, missing)
    except HoyleError as error:
        return Made(Failure(error.document or _name(wanted), error.message, error.offset), run, {})
    except OSError as error:
        return Made(Failure(_name(wanted), f"cannot be read ({error.strerror or error})"), run, {})
    clock.stop()
    run.peak_memory = _peak_memory()
    if cache and key and (missing or not found):
        cache.put(key, Entry(document, files))
    return Made(document, run, files)


def _files(document: Document, writers: Writers) -> dict[str, Files]:
    """The files of a document, by the name of the output.

    Raises:
        HoyleError: an output cannot make them.
    """
    made: dict[str, Files] = {}
    for name, writer in writers.items():
        try:
            made[name] = writer.files(document)
        except HoyleError:
            raise
        except Exception as error:
            message = f"{writer.__name__} cannot write it: {type(error).__name__}: {error}"
            raise OutputError(message, document=document.id) from error
    return made


class _Clock:
    """Measures the stages: called with each before it runs, it tells whoever else wants to know."""

    def __init__(self, seconds: dict[str, float], then: Callable[[Stage], None] | None) -> None:
        self._seconds, self._then = seconds, then
        self._name, self._began = "read", time.perf_counter()

    def __call__(self, stage: Stage) -> None:
        self.stop(stage.name)
        if self._then:
            self._then(stage)

    def stop(self, then: str = "") -> None:
        """The stage at hand is finished, and another begins."""
        now = time.perf_counter()
        self._seconds[self._name] = round(now - self._began, 3)
        self._name, self._began = then, now


def _peak_memory() -> int:
    """Bytes that this process had in memory at most; 0 where the system does not say."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def annotate_all(
    wanted: Iterable[Wanted],
    root: Path,
    jobs: int = 1,
    progress: Progress | None = None,
    steps: Sequence[Stage] = (),
    cache: Cache | None = None,
    writers: Writers | None = None,
) -> Iterator[Made]:
    """The documents in the order asked for; never more than a few of them at a time in memory.

    Args:
        wanted: the documents.
        root: the folder that holds ``corpus/`` and ``seeds/``.
        jobs: processes to use.
        progress: told when a document begins, and of its stages if one process does all.
        steps: the stages to run; all of them if empty.
        cache: where annotated documents are kept.
        writers: the outputs whose files are made as well.
    """
    work = partial(annotate, root=root, steps=steps, cache=cache, writers=writers)
    if jobs > 1:
        yield from _by_processes(wanted, jobs, progress, work)
        return
    for one in wanted:
        if progress:
            progress.document(_name(one))
        yield work(one, progress=progress.stage if progress else None)


def _name(wanted: Wanted) -> str:
    return wanted.name if isinstance(wanted, Request) else wanted.id


def _by_processes(
    wanted: Iterable[Wanted], jobs: int, progress: Progress | None, work: Callable[[Wanted], Made]
) -> Iterator[Made]:
    todo = iter(wanted)
    waiting: deque[tuple[Wanted, Future[Made]]] = deque()
    pool = _pool(jobs)
    try:
        while True:
            for one in islice(todo, 2 * jobs - len(waiting)):
                waiting.append((one, pool.submit(work, one)))
            if not waiting:
                break
            one, future = waiting[0]
            if progress:
                progress.document(_name(one))
            try:
                yield future.result()
                waiting.popleft()
            except BrokenProcessPool:
                # One of these documents killed its process; each alone will show which.
                for suspect, _ in waiting:
                    yield _alone(suspect, work)
                waiting.clear()
                pool = _pool(jobs)
    except BaseException:  # interrupted: nobody wants what the workers are still at
        for worker in active_children():
            worker.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_die_with_the_parent)


def _die_with_the_parent() -> None:
    """Ends this process when its parent is gone, however that was killed; Ctrl-C is for the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        if parent := parent_process():
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _alone(wanted: Wanted, work: Callable[[Wanted], Made]) -> Made:
    """The document made by a process of its own, which may be killed without harm to others."""
    with _pool(1) as pool:
        try:
            return pool.submit(work, wanted).result()
        except BrokenProcessPool:
            message = "the process at work on it was killed (out of memory?); split it, or use fewer --jobs"
            path = str(wanted.path) if isinstance(wanted, Request) else ""
            return Made(Failure(_name(wanted), message), Run(path), {})
