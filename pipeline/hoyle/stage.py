"""What a stage is, and how the stages are run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hoyle.errors import HoyleError, StageError
from hoyle.model import Document, Item

Work: TypeAlias = Callable[[Document], Iterable[Item]]


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of the pipeline: ``work`` looks at a document and says what it found.

    What it returns becomes the layer ``name``. A stage changes nothing and reads only what
    the stages before it found.
    """

    name: str
    work: Work
    does: str


def run(
    document: Document,
    stages: Sequence[Stage],
    progress: Callable[[Stage], None] | None = None,
) -> Document:
    """``document`` with one more layer for each stage, in order.

    Args:
        document: where to start from.
        stages: the pipeline (``hoyle.stages.STAGES`` or a part of it).
        progress: called with each stage before it works.

    Raises:
        HoyleError: what a stage found wrong; any other failure of a stage becomes a
            ``StageError`` that names document and stage.
    """
    for stage in stages:
        if progress:
            progress(stage)
        try:
            document = document.with_layer(stage.name, stage.work(document))
        except HoyleError:
            raise
        except Exception as error:
            message = f"stage {stage.name!r} failed: {type(error).__name__}: {error}"
            raise StageError(message, document=document.id) from error
    return document
