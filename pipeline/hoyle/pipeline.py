"""The pipeline: what a stage is, the table of stages, and how a document runs through them.

Clauses come before correction: a damaged label is read as the scan has it, the corrector then
leaves labels alone, and words torn over a column or a page break are joined unit by unit, in
reading order. Editorial decisions come after the machine's corrections, which they override, and
before everything that rests on a good text: spelling, references, tags ("the same penalty as in
§ 16" is tagged with the penalty of § 16).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hoyle.annotation.stage import annotate
from hoyle.correction.stage import correct
from hoyle.document import DECISIONS, Document, Item
from hoyle.editorial.apply import apply_decisions
from hoyle.errors import HoyleError, StageError
from hoyle.languages.detection import detect_language
from hoyle.layout.columns import order_columns
from hoyle.layout.furniture import find_furniture
from hoyle.orthography.modernise import modernise
from hoyle.references.stage import find_references
from hoyle.segmentation.clauses import segment

Work: TypeAlias = Callable[[Document], Iterable[Item]]


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of the pipeline.

    Attributes:
        name: the name of the layer that it adds.
        work: a pure function from a document to the items of that layer. It reads only the layers
            of the stages before it.
        does: what it does, in a few words.
    """

    name: str
    work: Work
    does: str


STAGES = (
    Stage("language", detect_language, "detects language and orthography"),
    Stage("furniture", find_furniture, "finds running heads, page numbers, notices, rules"),
    Stage("columns", order_columns, "puts text read across columns in reading order"),
    Stage("clauses", segment, "decodes the numbering and segments the text into clauses"),
    Stage("correct", correct, "corrects OCR errors and joins lines"),
    Stage(DECISIONS, apply_decisions, "applies editorial decisions"),
    Stage("regularise", modernise, "modernises the spelling of the corrected text"),
    Stage("references", find_references, "finds cross-references and resolves them"),
    Stage("tag", annotate, "tags game, actors, offences, penalties, modality"),
)


def _subset(*names: str) -> tuple[Stage, ...]:
    return tuple(stage for stage in STAGES if stage.name in names)


TEXT_STAGES = _subset("language", "furniture", "columns", "clauses", "correct", DECISIONS, "regularise")
"""What a text needs for its corrected and modernised layers, without tags."""

MACHINE_STAGES = tuple(stage for stage in STAGES if stage.name != DECISIONS)
"""The stages without editorial decisions: figures about the machine are measured on these."""


def run(
    document: Document,
    stages: Sequence[Stage],
    progress: Callable[[Stage], None] | None = None,
) -> Document:
    """``document`` with one more layer for each stage, in order.

    Args:
        document: where to start from.
        stages: :data:`STAGES` or a subset of it.
        progress: called with each stage before it runs.

    Returns:
        A new document; ``document`` stays as it is.

    Raises:
        HoyleError: an error that a stage raised on purpose; any other failure of a stage becomes a
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
