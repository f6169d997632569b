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
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from hoyle import __version__
from hoyle.batch.annotate import Failure, Outcome, Progress, Silent, annotate_all
from hoyle.document import Document
from hoyle.errors import HoyleError, OutputError
from hoyle.loading import Request
from hoyle.outputs import Output, outputs
from hoyle.outputs.tables import Tables
from hoyle.tei.verify import manual_changes

_MOST_REFUSED = 8
"""Documents that outputs may refuse before the fault is taken to be the output's."""
REPORT = "hoyle-build.json"
"""Marks a folder as one of ours: only such a folder (or an empty one) is ever replaced."""


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


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file of a folder that was not read, and why."""

    file: str
    why: str


@dataclass(slots=True)
class Report:
    """What a build made: the summaries of its documents, those that failed, and files that were not read."""

    version: str = __version__
    documents: list[Summary] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)

    def json(self) -> str:
        """The report as JSON text."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n"


def build(
    requests: Sequence[Request],
    root: Path,
    out: Path,
    *,
    jobs: int = 1,
    fail_fast: bool = False,
    tokens: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Annotate the documents asked for and write every output into the folder ``out``.

    Args:
        requests: the documents, in the order the edition shall have them.
        root: the folder that holds ``seeds/``.
        out: the folder to make; an earlier build there is replaced when the new one is complete.
        jobs: processes to annotate with.
        fail_fast: stop at the first document that fails, and write nothing.
        tokens: fill the table ``tokens``.
        progress: told of each step.

    Raises:
        OutputError: ``out`` cannot be written, or holds something that is no build; nothing
            is left behind then.
    """
    progress = progress or Silent()
    out = _resolved(out)
    refused: dict[int, Failure] = {}
    while True:
        progress.begin(len(requests))
        try:
            return _build(requests, root, out, jobs, fail_fast, progress, refused, tokens=tokens)
        except _RefusedError as error:
            # Files hold a part of the document by now: all are written again without it.
            refused[error.index] = error.failure
            if len(refused) > _MOST_REFUSED:
                message = f"stopped, nothing written: {len(refused)} documents failed like this: "
                raise OutputError(message + error.failure.message, document=error.failure.document) from error


class _RefusedError(Exception):
    """An output could not write the document at ``index`` of those asked for."""

    def __init__(self, index: int, failure: Failure) -> None:
        super().__init__(failure.message)
        self.index = index
        self.failure = failure


def _build(  # noqa: PLR0913 - as the caller has it
    requests: Sequence[Request],
    root: Path,
    out: Path,
    jobs: int,
    fail_fast: bool,  # noqa: FBT001
    progress: Progress,
    refused: Mapping[int, Failure],
    *,
    tokens: bool,
) -> Report:
    """One pass over the documents, those in ``refused`` left out."""
    report = Report()
    with _workplace(out) as folder:
        writers = [
            Tables(folder, tokens=tokens) if make is Tables else make(folder) for make in outputs().values()
        ]
        ids = _Ids()
        wanted = [request for i, request in enumerate(requests) if i not in refused]
        made = annotate_all(wanted, root, max(1, min(jobs, len(wanted))), progress)
        for index, request in enumerate(requests):
            outcome = refused.get(index) or ids.unique(next(made), request)
            if not isinstance(outcome, Failure):
                try:
                    _add(writers, outcome)
                except _RefusedError as error:
                    if not fail_fast:
                        raise _RefusedError(index, error.failure) from error
                    outcome = error.failure
            if isinstance(outcome, Failure):
                report.failures.append(outcome)
                if fail_fast:
                    raise OutputError(
                        f"stopped, nothing written: {outcome.message}",
                        document=outcome.document,
                        offset=outcome.offset,
                    )
            else:
                report.documents.append(_summary(outcome, request))
            progress.done()
        for writer in writers:
            writer.close()
        (folder / REPORT).write_text(report.json(), encoding="utf-8")
        if report.documents:
            _publish(folder, out)
    return report


def _add(writers: Sequence[Output], document: Document) -> None:
    """Raises _RefusedError if one of the outputs cannot write the document."""
    for writer in writers:
        try:
            writer.add(document)
        except OSError:
            raise  # of the disk, not of the document
        except HoyleError as error:
            raise _RefusedError(-1, Failure(document.id, error.message, error.offset)) from error
        except Exception as error:
            what = f"{type(writer).__name__} cannot write it: {type(error).__name__}: {error}"
            raise _RefusedError(-1, Failure(document.id, what)) from error


def _resolved(out: Path) -> Path:
    """The folder that ``out`` leads to.

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


class _Ids:
    """The ids of the documents of a build; capitals do not tell files apart everywhere."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._above: dict[str, str] = {}

    def unique(self, result: Outcome, request: Request) -> Outcome:
        """``result``, unless its id, or one of its clauses' ids, could be that of another document."""
        if isinstance(result, Failure):
            return result
        own = result.id.casefold()
        if first := self._names.get(own):
            message = f"has the same id {result.id!r} as {first}; give it another in a meta.toml"
            return Failure(request.name, message)
        parts = own.split(".")
        above = [".".join(parts[:n]) for n in range(1, len(parts))]
        # "patience.s2" holds a clause "patience.s2.I", and so does "patience" in its second series.
        if first := self._above.get(own) or next(filter(None, map(self._names.get, above)), ""):
            message = f"its id {result.id!r} continues that of {first}, or the other way round, so that two"
            return Failure(
                request.name, f"{message} clauses could have one id; give it another in a meta.toml"
            )
        self._names[own] = request.name
        self._above |= dict.fromkeys(above, request.name)
        return result


def _summary(document: Document, request: Request) -> Summary:
    changed = manual_changes(request.path.read_bytes(), name=request.name) if request.is_tei else ()
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

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        if isinstance(error, OSError):
            message = f"cannot be written ({error.strerror}); nothing was changed there"
            raise OutputError(message, document=str(self.out)) from error


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
