"""Builds everything from a list of documents: one pass, whole or not at all, memory bounded.

The outputs are written into a folder beside the wanted one, which takes its place when all is
complete. Documents are annotated one after the other, or by several processes; either way
they reach the outputs in the order they were asked for, so the bytes are the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

from hoyle import __version__
from hoyle.batch.annotate import Failure, Made, Outcome, Progress, Run, annotate_all
from hoyle.batch.cache import Cache, build_key
from hoyle.batch.workplace import REPORT, Workplace, changed_files, crate_checksum, is_build, resolve
from hoyle.document import Document
from hoyle.errors import HoyleError, OutputError
from hoyle.loading import Request
from hoyle.outputs import Output, outputs
from hoyle.outputs.files import DocumentFiles, Files
from hoyle.outputs.tables import Tables
from hoyle.pipeline import stages
from hoyle.tei.verify import manual_changes

_MOST_REFUSED = 8
"""Documents that outputs may refuse before the fault is taken to be the output's."""
_ALWAYS = "ro-crate"
"""The output that describes the others."""


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
    """What a build made.

    Attributes:
        version: that of Hoyle.
        documents: the documents that are in it.
        failures: those that are not, and why.
        skipped: files of folders that were not read, and why.
        crate: SHA-256 of ``ro-crate-metadata.json``, which has the checksum of every other file.
        runs: what each document took, in the order asked for; of this run only, so not in the build itself.
        kept: files of the earlier build that were changed by hand, where they are now.
        unchanged: whether the build that was there already is what would be made.
    """

    version: str = __version__
    documents: list[Summary] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    crate: str = ""
    runs: list[Run] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    unchanged: bool = False

    def json(self, *, whole: bool = True) -> str:
        """The report as JSON text.

        Args:
            whole: with what is true of this run only (times, files kept); the build has the rest.
        """
        made = asdict(self)
        if not whole:
            made = {name: made[name] for name in ("version", "documents", "failures", "skipped", "crate")}
        return json.dumps(made, ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def of(cls, build: Path) -> Report:
        """The report of a complete build.

        Args:
            build: its folder.
        """
        made = json.loads((build / REPORT).read_bytes())
        documents = [
            Summary(**{**one, "doubts": tuple(one["doubts"]), "by_hand": tuple(one["by_hand"])})
            for one in made["documents"]
        ]
        skipped = [Skipped(**one) for one in made["skipped"]]
        return cls(made["version"], documents, [], skipped, made["crate"], unchanged=True)


def build(  # noqa: PLR0913 - what a build is told
    requests: Sequence[Request],
    root: Path,
    out: Path,
    *,
    jobs: int = 1,
    fail_fast: bool = False,
    tokens: bool = False,
    progress: Progress | None = None,
    only: Collection[str] = (),
    cache: Cache | None = None,
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
        only: names of the outputs to write; all of them if empty.
        cache: where annotated documents are kept; with it, a build that nothing has changed for is left as
            it is.

    Raises:
        OutputError: ``out`` cannot be written, or holds something that is no build; nothing
            is left behind then.
    """
    out = resolve(out)
    chosen = _chosen(only, tokens=tokens)
    key = build_key(requests, root, stages(), (*chosen, str(tokens))) if cache else ""
    known = cache and key and is_build(out) and cache.has_build(out, key, crate_checksum(out))
    if known and not changed_files(out):
        return Report.of(out)
    refused: dict[int, Failure] = {}
    while True:
        if progress:
            progress.begin(len(requests))
        try:
            report = _Build(requests, root, out, jobs, fail_fast, progress, chosen, cache).run(refused)
            break
        except _RefusedError as error:
            # Files hold a part of the document by now: all are written again without it.
            refused[error.index] = error.failure
            if len(refused) > _MOST_REFUSED:
                message = f"stopped, nothing written: {len(refused)} documents failed like this: "
                raise OutputError(message + error.failure.message, document=error.failure.document) from error
    if cache:
        cache.trim()
        if key and not report.failures:
            cache.note_build(out, key, report.crate)
    return report


def _chosen(only: Collection[str], *, tokens: bool) -> Mapping[str, Callable[[Path], Output]]:
    """The outputs of some names, and the description of what they wrote."""
    every = outputs()
    if strange := [name for name in only if name not in every]:
        raise OutputError(f"there is no output {', '.join(strange)}; there are {', '.join(every)}")
    chosen = (name for name in every if not only or name in {*only, _ALWAYS})
    return {name: partial(Tables, tokens=tokens) if every[name] is Tables else every[name] for name in chosen}


class _RefusedError(Exception):
    """An output could not write the document at ``index`` of those asked for."""

    def __init__(self, index: int, failure: Failure) -> None:
        super().__init__(failure.message)
        self.index = index
        self.failure = failure


@dataclass(frozen=True, slots=True)
class _Build:
    """What is asked for; see :func:`build`."""

    requests: Sequence[Request]
    root: Path
    out: Path
    jobs: int
    fail_fast: bool
    progress: Progress | None
    outputs: Mapping[str, Callable[[Path], Output]]
    cache: Cache | None

    def run(self, refused: Mapping[int, Failure]) -> Report:
        """One pass over the documents, those in ``refused`` left out."""
        report, ids = Report(), _Ids()
        wanted = [request for i, request in enumerate(self.requests) if i not in refused]
        jobs = max(1, min(self.jobs, len(wanted)))
        with Workplace(self.out) as workplace:
            writers = {name: make(workplace.folder) for name, make in self.outputs.items()}
            files = {name: type(one) for name, one in writers.items() if isinstance(one, DocumentFiles)}
            annotated = annotate_all(wanted, self.root, jobs, self.progress, cache=self.cache, writers=files)
            for index, request in enumerate(self.requests):
                made = Made(refused[index], Run(""), {}) if index in refused else next(annotated)
                outcome = ids.unique(made.outcome, request)
                if not isinstance(outcome, Failure) and (failure := _refusal(writers, outcome, made.files)):
                    if not self.fail_fast:
                        raise _RefusedError(index, failure)
                    outcome = failure
                self._report(report, made._replace(outcome=outcome), request)
            for writer in writers.values():
                writer.close()
            report.crate = crate_checksum(workplace.folder)
            (workplace.folder / REPORT).write_text(report.json(whole=False), encoding="utf-8")
            if report.documents:
                report.kept = [str(path) for path in workplace.publish()]
        return report

    def _report(self, report: Report, made: Made, request: Request) -> None:
        outcome = made.outcome
        report.runs.append(made.run)
        if isinstance(outcome, Failure):
            report.failures.append(outcome)
            if self.fail_fast:
                message = f"stopped, nothing written: {outcome.message}"
                raise OutputError(message, document=outcome.document, offset=outcome.offset)
        else:
            report.documents.append(_summary(outcome, request))
        if self.progress:
            self.progress.done(made)


def _refusal(writers: Mapping[str, Output], document: Document, files: Mapping[str, Files]) -> Failure | None:
    """Let all outputs write the document; what one of them says if it cannot."""
    for name, writer in writers.items():
        try:
            if isinstance(writer, DocumentFiles):
                writer.write(document.id, files[name])
            else:
                writer.add(document)
        except OSError:
            raise  # of the disk, not of the document
        except HoyleError as error:
            return Failure(document.id, error.message, error.offset)
        except Exception as error:  # noqa: BLE001 - a fault of one document must not stop the others
            what = f"{type(writer).__name__} cannot write it: {type(error).__name__}: {error}"
            return Failure(document.id, what)
    return None


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
