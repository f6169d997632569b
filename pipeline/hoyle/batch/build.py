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
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from hoyle import __version__
from hoyle.batch.annotate import Failure, Outcome, Progress, Silent, outcomes
from hoyle.document import Document
from hoyle.errors import OutputError
from hoyle.outputs import outputs
from hoyle.store import Request
from hoyle.tei.verify import by_hand

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


@dataclass(slots=True)
class Report:
    """What a build made: the summaries of its documents, and those that failed."""

    version: str = __version__
    documents: list[Summary] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

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
    progress = progress or Silent()
    progress.begin(len(requests))
    out = out.resolve()
    report = Report()
    with _workplace(out) as folder:
        writers = [make(folder) for make in outputs().values()]
        seen: dict[str, str] = {}
        for request, result in zip(
            requests, outcomes(requests, root, min(jobs, len(requests)), progress), strict=True
        ):
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
                for writer in writers:
                    writer.add(outcome)
                report.documents.append(_summary(outcome, request))
            progress.done()
        for writer in writers:
            writer.close()
        (folder / REPORT).write_text(report.json(), encoding="utf-8")
        if report.documents:
            _publish(folder, out)
    return report


def _twice(result: Outcome, request: Request, seen: dict[str, str]) -> Outcome:
    """``result``, unless another document has its id; capitals do not tell files apart everywhere."""
    if isinstance(result, Failure):
        return result
    if first := seen.get(result.id.casefold()):
        return Failure(
            request.name, f"has the same id {result.id!r} as {first}; give it another in a meta.toml"
        )
    seen[result.id.casefold()] = request.name
    return result


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
