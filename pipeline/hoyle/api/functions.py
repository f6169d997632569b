"""The functions at the top of the package: one call for one task."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hoyle import loading
from hoyle.api.annotated import AnnotatedDocument, AnnotatedUnit
from hoyle.api.pipeline import Pipeline
from hoyle.batch import annotate
from hoyle.batch import build as batch_build
from hoyle.batch.cache import Cache
from hoyle.errors import HoyleError
from hoyle.inputs.folder import Skipped
from hoyle.inputs.text import MAX_BYTES
from hoyle.outputs.query import Rows
from hoyle.outputs.query import query as query_tables
from hoyle.tei.problems import Problem
from hoyle.tei.verify import verify as verify_tei


def read(path: Path | str, *, lang: str | None = None, encoding: str | None = None) -> AnnotatedDocument:
    """The annotated document that a file becomes, by all stages.

    Args:
        path: a file of any format that is read (docs/formats.md), a TEI file, or the id of a document in
            ``corpus/``.
        lang: tag of its language and orthography; detected if left out.
        encoding: of a text file; detected if left out.

    Raises:
        HoyleError: there is no such file, it cannot be read, or a stage failed.
    """
    return Pipeline().read(path, lang=lang, encoding=encoding)


def from_text(text: str, lang: str | None = None, *, name: str = "text") -> AnnotatedDocument:
    r"""The annotated document that a text becomes, by all stages.

    Args:
        text: the text.
        lang: tag of its language and orthography; detected if left out.
        name: what the ids of its clauses begin with.

    Raises:
        HoyleError: the language is unknown, or a stage failed.

    >>> document = from_text("1. Le joueur doit couper.\n2. Celui qui renonce paiera, suivant l'article 1.")
    >>> document
    <AnnotatedDocument text: fr, 2 clauses>
    >>> document["2"].text("modern")
    "2. Celui qui renonce paiera, suivant l'article 1."
    >>> [(reference.text, reference.target) for reference in document["2"].references]
    [('article 1', 'text.1')]
    >>> document.to_dicts("clauses")[0]["modality"]
    'obligation'
    """
    return Pipeline()(text, lang=lang, name=name)


def from_tei(path: Path | str) -> AnnotatedDocument:
    """The annotated document in a TEI file that Hoyle wrote, with what was changed in it by hand.

    Args:
        path: the file.

    Raises:
        SourceError: it cannot be read, or has problems (see :func:`verify`).
    """
    return AnnotatedDocument(annotate.edition_in(Path(path)))


def verify(path: Path | str) -> list[Problem]:
    """What is wrong with a TEI file; nothing if it is valid and gives its raw text back, byte for byte.

    Args:
        path: the file.

    Returns:
        The problems, each with its line and element.

    Raises:
        SourceError: the file cannot be read.
    """
    return verify_tei(Path(path))


def query(sql: str, out: Path | str = "build", *, seconds: float = 60) -> tuple[tuple[str, ...], Rows]:
    """Ask the tables of a build in SQL; nothing can be changed.

    Args:
        sql: one statement of SQLite.
        out: the folder of the build.
        seconds: the longest that the statement may take.

    Returns:
        The names of the columns, and the rows as they are found.

    Raises:
        HoyleError: there is no such build, or SQLite refuses the statement.
    """
    return query_tables(Path(out) / "tables" / "hoyle.sqlite", sql, seconds=seconds)


def correct(text: str, lang: str | None = None) -> str:
    r"""A text with its OCR errors corrected, in the spelling of the print.

    Args:
        text: the text as it was recognised.
        lang: tag of its language and orthography; detected if left out.

    Raises:
        HoyleError: the language is unknown, or a stage failed.

    >>> correct("Le joueur doit mêler les cartes et les don-\nner à son voisin.", lang="fr")
    'Le joueur doit mêler les cartes et les donner à son voisin.'
    """
    return Pipeline("text")(text, lang=lang).text("corrected")


def modernise(text: str, lang: str | None = None) -> str:
    """A text corrected and spelt as today.

    Args:
        text: the text as it was recognised.
        lang: tag of its language and orthography; detected if left out.

    Raises:
        HoyleError: the language is unknown, or a stage failed.

    >>> modernise("Игрокъ, сдавшій карты невѣрно, обязанъ сдать снова.")
    'Игрок, сдавший карты неверно, обязан сдать снова.'
    """
    return Pipeline("text")(text, lang=lang).text("modern")


def clauses(text: str, lang: str | None = None) -> tuple[AnnotatedUnit, ...]:
    r"""The numbered clauses of a text, with their tags and references.

    Args:
        text: the text as it was recognised.
        lang: tag of its language and orthography; detected if left out.

    Raises:
        HoyleError: the language is unknown, or a stage failed.

    >>> [clause.number for clause in clauses("§ 1. Le sort est libre.\n§ 2. Le joueur doit couper.")]
    ['1', '2']
    """
    return from_text(text, lang).clauses


def build(  # noqa: PLR0913 - the options of the command
    sources: Sequence[Path | str] = (),
    out: Path | str = "build",
    *,
    from_tei: bool = False,
    as_one: bool = False,
    jobs: int = 1,
    fail_fast: bool = False,
    tokens: bool = False,
    lang: str | None = None,
    encoding: str | None = None,
    max_bytes: int = MAX_BYTES,
    root: Path | str = ".",
    progress: annotate.Progress | None = None,
    only: Sequence[str] = (),
    cache: Cache | None = None,
) -> batch_build.Report:
    """Write every output (TEI, tables, site …) of some sources into a folder, whole or not at all.

    Args:
        sources: files, folders, or ids of corpus documents; all of ``corpus/`` if left out.
        out: the folder; an earlier build there is replaced when the new one is complete.
        from_tei: whether the sources are TEI files, or folders of them (``corpus/*/edition`` if left out).
        as_one: whether the files of a folder, with those of its subfolders, are the pages of one document.
        jobs: processes to annotate with.
        fail_fast: write nothing if one document fails.
        tokens: fill the table ``tokens`` (docs/tables.md).
        lang: tag of the language of sources without ``meta.toml``; detected if left out.
        encoding: of text files without ``meta.toml``; detected if left out.
        max_bytes: refuse larger sources.
        root: the folder that holds ``corpus/`` and ``seeds/``.
        progress: told of each step.
        only: names of the outputs to write (``tei``, ``tables``, ``site`` …); all of them if left out.
        cache: where annotated documents are kept, so that those that have not changed are taken from there.

    Returns:
        What was made, which sources failed, and which files of folders were not read.

    Raises:
        HoyleError: no source can be found (with ``fail_fast``: one cannot), or ``out`` cannot be written.
    """
    names, folder = [str(source) for source in sources], Path(root)
    wanted: list[loading.Request] = []
    skipped: list[Skipped] = []
    failures: list[HoyleError] = []
    for found in [names] if from_tei or not names else [[name] for name in names]:
        try:
            if from_tei:
                wanted += loading.editions(found, folder)
            elif not found:
                wanted += loading.corpus(folder)
            else:
                asked = {"lang": lang or "", "encoding": encoding or ""}
                one = loading.find(found[0], folder, as_one=as_one, max_bytes=max_bytes, **asked)
                wanted += one.requests
                skipped += one.skipped
        except HoyleError as error:
            failures.append(error)
    if failures and (fail_fast or not wanted):
        raise HoyleError("\n".join(map(str, failures)))
    report = batch_build.build(
        wanted,
        folder,
        Path(out),
        jobs=jobs,
        fail_fast=fail_fast,
        tokens=tokens,
        progress=progress,
        only=only,
        cache=cache,
    )
    report.skipped += [batch_build.Skipped(str(file.path), file.why) for file in skipped]
    report.failures[:0] = [annotate.Failure(e.document, e.message, e.offset) for e in failures]
    return report
