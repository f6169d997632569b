"""Stages run on one text or on many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from hoyle import loading
from hoyle.api.annotated import AnnotatedDocument
from hoyle.batch import annotate
from hoyle.document import Document
from hoyle.errors import HoyleError
from hoyle.inputs.text import decode
from hoyle.pipeline import SUBSETS, Stage, Subset, place, stages


class Pipeline:
    r"""Stages that are run, one after the other, on one text or on many.

    Args:
        steps: ``all``, ``text`` (only what corrected and modern text need) or ``machine`` (without
            editorial decisions); or the stages themselves in order, by name or as :class:`Stage`.
        root: the folder that holds ``corpus/`` and ``seeds/``, for documents that are named by their id.

    Raises:
        HoyleError: there is no stage of a name.

    >>> Pipeline("text").names
    ('language', 'furniture', 'columns', 'clauses', 'correct', 'decisions', 'regularise')
    >>> quick = Pipeline(["language", "clauses"])
    >>> [clause.number for clause in quick("1. Le joueur doit couper.\n2. Le sort est libre.").clauses]
    ['1', '2']
    """

    def __init__(self, steps: Subset | Iterable[str | Stage] = "all", *, root: Path | str = ".") -> None:
        self.root = Path(root)
        named = {stage.name: stage for stage in stages()}
        if isinstance(steps, str):
            if steps not in SUBSETS:
                raise HoyleError(f"no stages {steps!r}; say {', '.join(SUBSETS)} or a list of stages")
            self.stages = stages(steps)
            return
        chosen = list(steps)
        if strange := [step for step in chosen if isinstance(step, str) and step not in named]:
            raise HoyleError(f"no stage {', '.join(strange)}; there are {', '.join(named)}")
        self.stages = tuple(named[step] if isinstance(step, str) else step for step in chosen)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its stages in order."""
        return tuple(stage.name for stage in self.stages)

    def add(self, *added: Stage) -> Pipeline:
        """A pipeline with further stages, each at the place that its ``after`` or ``before`` asks for.

        Args:
            added: stages of your own; the items that they find are the layer of their name.

        Raises:
            StageError: a stage does not say where it runs, or names one that is not there.
        """
        return Pipeline(place(self.stages, added), root=self.root)

    def __call__(
        self, text: str | bytes, *, lang: str | None = None, name: str = "text", encoding: str | None = None
    ) -> AnnotatedDocument:
        """The annotated document that a text becomes.

        Args:
            text: the text, or the bytes of a text file.
            lang: tag of its language and orthography; detected if left out.
            name: what the ids of its clauses begin with.
            encoding: of the bytes; detected if left out.

        Raises:
            HoyleError: ``text`` is neither, the bytes cannot be read, the language is unknown, or a stage
                failed.
        """
        if not isinstance(text, str | bytes):
            raise HoyleError(f"a text must be str or bytes, not {type(text).__name__}")
        if isinstance(text, bytes):
            text = decode(text, name=name, encoding=encoding or "").text
        source = loading.from_text(text, lang=lang or "", document=name)
        return AnnotatedDocument(annotate.annotate_document(source, self.root, self.stages))

    def read(
        self, path: Path | str, *, lang: str | None = None, encoding: str | None = None
    ) -> AnnotatedDocument:
        """The annotated document that a file becomes; a TEI edition is taken as it is.

        Args:
            path: a file of any format that is read, or TEI (with what a ``meta.toml`` beside it says), a
                folder with a ``meta.toml``, or the id of a corpus document.
            lang: tag of its language and orthography; detected if left out.
            encoding: of a text file; detected if left out.

        Raises:
            HoyleError: the file cannot be read, the language is unknown, or a stage failed.
        """
        [request, *others] = loading.requests(str(path), self.root, lang=lang or "", encoding=encoding or "")
        if others:
            raise HoyleError(f"holds {len(others) + 1} documents; give one of them", document=str(path))
        return AnnotatedDocument(annotate.annotate_document(request, self.root, self.stages))

    def pipe(
        self,
        sources: Iterable[str | Path],
        *,
        jobs: int = 1,
        lang: str | None = None,
        on_error: Callable[[HoyleError], None] | None = None,
    ) -> Iterator[AnnotatedDocument]:
        """The annotated documents that many sources become, in their order.

        Args:
            sources: texts (strings, called ``text1``, ``text2`` …) and files (paths).
            jobs: processes to use; own stages must then be functions of a module. No more than a few
                documents a process are in memory at a time.
            lang: tag of the language and orthography of all; detected if left out.
            on_error: called with the error of a document that fails, which is then left out.

        Raises:
            HoyleError: a document failed, and there is no ``on_error``.

        >>> texts = ["1. Le joueur doit couper.", "1. Сдающій обязанъ сдать снова."]
        >>> [document.lang for document in Pipeline("text").pipe(texts)]
        ['fr', 'ru-petr1708']
        """
        wanted = self._wanted(sources, lang or "")
        for made, *_ in annotate.annotate_all(wanted, self.root, jobs, steps=self.stages):
            if isinstance(made, Document):
                yield AnnotatedDocument(made)
                continue
            error = HoyleError(made.message, document=made.document, offset=made.offset)
            if on_error is None:
                raise error
            on_error(error)

    def _wanted(self, sources: Iterable[str | Path], lang: str) -> Iterator[annotate.Wanted]:
        for number, source in enumerate(sources, 1):
            if isinstance(source, str):
                yield loading.from_text(source, lang=lang, document=f"text{number}")
            else:
                yield from loading.requests(str(source), self.root, lang=lang)
