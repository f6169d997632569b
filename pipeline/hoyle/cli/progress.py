"""How a build says how far it is: a bar in a terminal, lines in a pipe, JSON Lines in a log file."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Self

import click

from hoyle.document import Document

if TYPE_CHECKING:
    from hoyle.batch.annotate import Made
    from hoyle.pipeline import Stage

_EVERY = 5.0
"""Seconds between two lines in a pipe."""


class Reporter:
    """Says on standard error and in a log how far a build is; see :class:`hoyle.batch.annotate.Progress`.

    Args:
        step: called at each step.
        log: file for one JSON object a document.
        quiet: whether nothing is said on standard error.
        verbose: whether each document gets a line.
    """

    def __init__(
        self, step: Callable[[], None], *, log: Path | None = None, quiet: bool = False, verbose: bool = False
    ) -> None:
        self._step = step
        self._document = self._shown = ""
        self._documents = self._done = 0
        self._began = self._said = time.monotonic()
        self._log: IO[str] | None = log.open("w", encoding="utf-8") if log else None
        self._verbose = verbose
        terminal = sys.stderr.isatty()
        self._lines = not (terminal or quiet)
        self._bar: Any = click.progressbar(
            length=1,
            label="hoyle",
            file=sys.stderr,
            hidden=quiet or not terminal,
            item_show_func=lambda _: self._shown,
        )

    def __enter__(self) -> Self:
        self._bar.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.__exit__(kind, error, trace)
        if self._log:
            self._log.close()

    def begin(self, documents: int) -> None:
        """So many documents are asked for."""
        self._step()
        self._documents, self._done = documents, 0
        self._bar.length = documents
        self._bar.update(-self._bar.pos)

    def document(self, name: str) -> None:
        """Show the document at hand."""
        self._step()
        self._document = self._shown = name
        self._bar.render_progress()

    def stage(self, stage: Stage) -> None:
        """Show the stage at hand."""
        self._step()
        self._shown = f"{self._document}: {stage.does}"
        self._bar.render_progress()

    def done(self, made: Made) -> None:
        """One document more is finished."""
        self._step()
        self._done += 1
        self._bar.update(1)
        record = _record(made)
        if self._log:
            self._log.write(json.dumps(record, ensure_ascii=False) + "\n")
            self._log.flush()
        if self._verbose:
            took = "from the cache" if record["cached"] else f"{sum(record['seconds'].values()):.1f} s"
            click.echo(f"hoyle: {record['document']}: {took}", err=True)
        elif self._lines and time.monotonic() - self._said >= _EVERY:
            self._said = time.monotonic()
            click.echo(f"hoyle: {self._estimate()}", err=True)

    def _estimate(self) -> str:
        """How far it is, and how long it will take at this speed."""
        elapsed = time.monotonic() - self._began
        left = elapsed / self._done * (self._documents - self._done)
        return f"{self._done} of {self._documents} documents, {elapsed:.0f} s, about {left:.0f} s left"


def _record(made: Made) -> dict[str, Any]:
    """What the log says of a document: seconds by stage, peak memory in bytes."""
    outcome, run, _ = made
    common = {"path": run.path, "cached": run.cached, "seconds": run.seconds, "peak_memory": run.peak_memory}
    if not isinstance(outcome, Document):
        return {"document": outcome.document, **common, "error": outcome.message}
    doubts = [f"{finding.topic}: {finding.value}" for finding in outcome.findings if finding.doubt]
    return {"document": outcome.id, "sha256": outcome.source.sha256, **common, "doubts": doubts}
