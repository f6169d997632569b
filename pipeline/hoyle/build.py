"""Builds everything from a list of documents: one pass, whole or not at all, memory bounded.

The outputs are written into a folder beside the wanted one, which takes its place when all is
complete. Documents are annotated one after the other, or by several processes; either way
they reach the outputs in the order they were asked for, so the bytes are the same.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol

from hoyle import __version__, store
from hoyle.errors import HoyleError, OutputError, SourceError
from hoyle.inputs.tei import read_tei
from hoyle.model import Document
from hoyle.outputs import OUTPUTS
from hoyle.sound import check
from hoyle.stage import Stage, run
from hoyle.stages import STAGES
from hoyle.store import Request
from hoyle.tei.verify import by_hand, verify

REPORT = "hoyle-build.json"
"""Marks a folder as one of ours: only such a folder (or an empty one) is ever replaced."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that could not be made, and why."""

    document: str
    message: str
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """What became of one document."""

    id: str
    title: str
    lang: str
    characters: int
    clauses: int
    edits: int
    tags: int
    references: int
    doubts: tuple[str, ...]
    by_hand: tuple[str, ...] = ()
    """What somebody changed in the TEI file that the document was read from."""


@dataclass(slots=True)
class Report:
    """What a build made: the summaries of its documents, and those that failed."""

    version: str = __version__
    documents: list[Summary] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    def json(self) -> str:
        """The report as JSON text."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n"


class Progress(Protocol):
    """Told of each step of a build."""

    def document(self, name: str) -> None:
        """Work on the document ``name`` begins."""

    def stage(self, stage: Stage) -> None:
        """A stage begins on the document at hand."""

    def done(self) -> None:
        """The document at hand is finished."""


class _Silent:
    def document(self, name: str) -> None: ...
    def stage(self, stage: Stage) -> None: ...
    def done(self) -> None: ...


def annotate(
    request: Request, root: Path, progress: Callable[[Stage], None] | None = None
) -> Document | Failure:
    """The document asked for with all its layers, or why it could not be made."""
    try:
        document = annotated(request, root, progress)
        check(document)
    except HoyleError as error:
        return Failure(error.document or request.name, error.message, error.offset)
    return document


def annotated(request: Request, root: Path, progress: Callable[[Stage], None] | None = None) -> Document:
    """The document asked for with all its layers: made by the stages, or read from a TEI file.

    Raises:
        HoyleError: it cannot be read or annotated; a TEI file must pass ``verify`` too.
    """
    if not request.is_tei:
        return run(store.load(request, root), STAGES, progress)
    if problems := verify(request.path):
        message = f"{problems[0]}; hoyle verify {request.path} tells all ({len(problems)})"
        raise SourceError(message, document=request.name)
    return read_tei(request.path)


def build(
    requests: Sequence[Request],
    root: Path,
    out: Path,
    *,
    jobs: int = 1,
    fail_fast: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Annotate the documents asked for and write every output into the folder ``out``.

    Args:
        requests: the documents, in the order the edition shall have them.
        root: the folder that holds ``seeds/``.
        out: the folder to make; an earlier build there is replaced when the new one is complete.
        jobs: processes to annotate with.
        fail_fast: stop at the first document that fails, and write nothing.
        progress: told of each step.

    Raises:
        OutputError: ``out`` cannot be written, or holds something that is no build; nothing
            is left behind then.
    """
    progress = progress or _Silent()
    report = Report()
    with _workplace(out) as folder:
        outputs = [make(folder) for make in OUTPUTS]
        seen: dict[str, str] = {}
        for request, result in zip(requests, _annotated(requests, root, jobs, progress), strict=True):
            outcome = _twice(result, request, seen)
            if isinstance(outcome, Failure):
                report.failures.append(outcome)
                if fail_fast:
                    raise OutputError(
                        f"stopped, nothing written: {outcome.message}",
                        document=outcome.document,
                        offset=outcome.offset,
                    )
            else:
                for output in outputs:
                    output.add(outcome)
                report.documents.append(_summary(outcome, request))
            progress.done()
        for output in outputs:
            output.close()
        (folder / REPORT).write_text(report.json(), encoding="utf-8")
        if report.documents:
            _publish(folder, out)
    return report


def _twice(result: Document | Failure, request: Request, seen: dict[str, str]) -> Document | Failure:
    """``result``, unless another document has its id already."""
    if isinstance(result, Failure):
        return result
    if first := seen.get(result.id):
        return Failure(
            request.name, f"has the same id {result.id!r} as {first}; give it another in a meta.toml"
        )
    seen[result.id] = request.name
    return result


def _annotated(
    requests: Sequence[Request], root: Path, jobs: int, progress: Progress
) -> Iterator[Document | Failure]:
    """The documents in order; never more than a few of them at a time in memory."""
    if jobs == 1 or len(requests) < 2:
        for request in requests:
            progress.document(request.name)
            yield annotate(request, root, progress.stage)
        return
    todo = iter(requests)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting: deque[tuple[Request, Future[Document | Failure]]] = deque()
        while True:
            for request in islice(todo, 2 * jobs - len(waiting)):
                waiting.append((request, pool.submit(annotate, request, root)))
            if not waiting:
                return
            request, future = waiting.popleft()
            progress.document(request.name)
            yield future.result()


def _summary(document: Document, request: Request) -> Summary:
    changed = by_hand(request.path.read_bytes(), name=request.name) if request.is_tei else ()
    return Summary(
        id=document.id,
        title=document.meta.title,
        lang=document.lang,
        characters=len(document.source.text),
        clauses=len(document.clauses),
        edits=len(document.edits),
        tags=len(document.tags),
        references=len(document.references),
        doubts=tuple(f"{f.topic}: {f.value}" for f in document.findings if f.doubt),
        by_hand=tuple(map(str, changed)),
    )


class _workplace:  # noqa: N801 - used as a function, in a with statement
    """A new folder beside ``out`` that is gone again unless it was published."""

    def __init__(self, out: Path) -> None:
        self.out = out

    def __enter__(self) -> Path:
        out = self.out
        if out.exists() and not (out.is_dir() and (not any(out.iterdir()) or (out / REPORT).is_file())):
            message = "is there already and is no earlier build; give an empty or a new folder with --out"
            raise OutputError(message, document=str(out))
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            self.folder = Path(tempfile.mkdtemp(prefix=f".{out.name}.partial-", dir=out.parent))
        except OSError as error:
            message = f"cannot be written ({error.strerror}); choose another folder with --out"
            raise OutputError(message, document=str(out)) from error
        self.folder.chmod(0o755)
        return self.folder

    def __exit__(self, *exc: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _publish(folder: Path, out: Path) -> None:
    """Put the complete ``folder`` in the place of ``out``."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
    if out.exists():
        old = folder.with_name(folder.name.replace("partial", "old"))
        out.rename(old)
        folder.rename(out)
        shutil.rmtree(old, ignore_errors=True)
    else:
        folder.rename(out)
