"""The pipeline: what a stage is, the table of stages, and how a document runs through them.

Clauses come before correction: a damaged label is read as the scan has it, the corrector then
leaves labels alone, and words torn over a column or a page break are joined unit by unit, in
reading order. Editorial decisions come after the machine's corrections, which they override, and
before everything that rests on a good text: spelling, references, tags ("the same penalty as in
§ 16" is tagged with the penalty of § 16).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal, TypeAlias

from hoyle import plugins
from hoyle.annotation.stage import annotate
from hoyle.correction.stage import correct
from hoyle.document import DECISIONS, Document, Item
from hoyle.editorial.apply import apply_decisions
from hoyle.errors import HoyleError, StageError
from hoyle.languages import Language, language
from hoyle.languages.detection import detect_language
from hoyle.layout.columns import order_columns
from hoyle.layout.furniture import find_furniture
from hoyle.orthography.modernise import modernise
from hoyle.references.stage import find_references
from hoyle.segmentation.clauses import segment

Work: TypeAlias = Callable[[Document, Language], Iterable[Item]]


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of the pipeline.

    Attributes:
        name: the name of the layer that it adds.
        work: a pure function from a document and its language to the items of that layer. It reads
            only the layers of the stages before it.
        does: what it does, in a few words.
        after: of a stage that is added to Hoyle's own: the stage after which it runs …
        before: … or the stage before which it runs.
    """

    name: str
    work: Work
    does: str
    after: str = ""
    before: str = ""

    @property
    def added(self) -> bool:
        """Whether it is none of Hoyle's own stages."""
        return bool(self.after or self.before)


STAGES = (
    Stage("language", detect_language, "detects language and orthography"),
    Stage("furniture", find_furniture, "finds running heads, page numbers, notices, rules"),
    Stage("columns", order_columns, "puts text read across columns in reading order"),
    Stage("clauses", segment, "decodes the numbering and segments the text into clauses"),
    Stage("correct", correct, "corrects OCR errors and joins lines"),
    Stage(DECISIONS, apply_decisions, "applies editorial decisions"),
    Stage("regularise", modernise, "modernises the spelling of the corrected text"),
    Stage("references", find_references, "finds cross-references and resolves them"),
    Stage("tag", annotate, "tags what each unit says, by facet (game, actor, offence …)"),
)


Subset: TypeAlias = Literal["all", "text", "machine"]
"""``text``: what a text needs for its corrected and modernised layers, without references and tags;
``machine``: all without editorial decisions, on which the figures about the machine are measured."""

_LEFT_OUT: Mapping[Subset, Sequence[str]] = MappingProxyType(
    {"all": (), "text": ("references", "tag"), "machine": (DECISIONS,)}
)


SUBSETS: tuple[Subset, ...] = tuple(_LEFT_OUT)


@cache
def stages(subset: Subset = "all") -> tuple[Stage, ...]:
    """The stages of a named subset in order; a stage of a plug-in is in it if its neighbour is.

    Args:
        subset: name of the subset.

    Raises:
        PluginError: a plug-in cannot be used.
    """
    added = plugins.additions(plugins.STAGES, Stage, [stage.name for stage in STAGES])
    try:
        every = place(STAGES, added.values())
    except StageError as error:
        raise plugins.PluginError(error.message) from error
    left_out = _LEFT_OUT[subset]
    return tuple(s for s in every if not {s.name, s.after, s.before} & {*left_out})


def place(base: Sequence[Stage], added: Iterable[Stage]) -> tuple[Stage, ...]:
    """The stages of ``base`` with further ones at the places that these ask for.

    Args:
        base: stages in order.
        added: stages with ``after`` or ``before``, the name of a stage of ``base``. Of two that ask for
            the same place the first runs first.

    Raises:
        StageError: a stage that says neither or both, or names a stage that is not in ``base``.
    """
    added = tuple(added)
    names = [stage.name for stage in base]
    for stage in added:
        if (stage.after or stage.before) not in names or (stage.after and stage.before):
            message = f"stage {stage.name!r} must say after= or before=, one of {', '.join(names)}"
            raise StageError(message)

    def around(own: Stage) -> Iterator[Stage]:
        yield from (stage for stage in added if stage.before == own.name)
        yield own
        yield from (stage for stage in added if stage.after == own.name)

    return tuple(stage for own in base for stage in around(own))


def run(
    document: Document,
    steps: Sequence[Stage],
    progress: Callable[[Stage], None] | None = None,
) -> Document:
    """``document`` with one more layer for each stage, in order.

    A stage that was added to Hoyle's own leaves no layer where it finds nothing: such a text and its
    edition are the same as without the stage.

    Args:
        document: where to start from.
        steps: :func:`stages` or a selection of them.
        progress: called with each stage before it runs.

    Returns:
        A new document; ``document`` stays as it is.

    Raises:
        HoyleError: an error that a stage raised on purpose; any other failure of a stage becomes a
            ``StageError`` that names document and stage.
    """
    for stage in steps:
        if progress:
            progress(stage)
        try:
            items = tuple(stage.work(document, language(document.lang)))
        except HoyleError:
            raise
        except Exception as error:
            message = f"stage {stage.name!r} failed: {type(error).__name__}: {error}"
            raise StageError(message, document=document.id) from error
        if items or not stage.added:
            document = document.with_layer(stage.name, items)
    return document
