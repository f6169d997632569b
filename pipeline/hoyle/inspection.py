"""What a file or a folder is, and what ``build`` would make of it; nothing is built."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from hoyle import loading
from hoyle.document import Document
from hoyle.errors import HoyleError
from hoyle.inputs.files import format_of
from hoyle.inputs.folder import Skipped
from hoyle.inputs.tei import read_tei
from hoyle.inputs.text import PAGE_BREAK, DecodedText
from hoyle.languages import UNDETERMINED, Language, language
from hoyle.pipeline import run, stages

_CORRECTION = "correct"
"""The stage before which an inspection stops."""
_WORD = re.compile(r"[^\W\d_]+(?:['’](?=\w))?")
_BROKEN = re.compile(r"[-¬\u00ad]\s*\n\s*")
_REMARKS = frozenset({"input", "language-contradiction"})
_LEAST_LETTERS = 3
_GRADES = ((0.9, "good"), (0.7, "fair"), (0.0, "poor"))
"""The least share of known words of each grade. In Russian and French prints after 1800 a share of 0.9 goes
with 3 wrong characters in 100, one of 0.7 with 10; older spelling and foreign words lower it too."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """What was found out about one document.

    Attributes:
        name: its file or folder.
        formats: the formats of its files, with how many files each has.
        characters: of the text.
        pages: how many, 1 where the file does not part them.
        words: how many, counted between white space.
        boxes: how many words (or lines, where the file has no words) have a place on the page.
        images: how many pages name an image.
        columns: whether the places show another reading order than that of the file.
        lang: tag of the language, ``und`` if it is none that is known.
        lang_confidence: probability that the language is right; 1 where ``meta.toml`` states it.
        numbering: the series of numbers found, each with its scheme (``arabic: 1–95``).
        clauses: how many numbered clauses.
        known_words: share of the words of three letters and more that the lexicon of the language lists
            (a dictionary look-up as in B. Alex and J. Burns, "Estimating and rating the quality of optically
            character recognised text", DATeCH 2014); ``None`` without a lexicon.
        quality: ``good``, ``fair`` or ``poor`` after ``known_words``; empty without a lexicon.
        remarks: doubts about the file and its language.
        does: what ``build`` would do.
        error: why it cannot be read; empty if it can.
    """

    name: str
    formats: dict[str, int]
    characters: int = 0
    pages: int = 0
    words: int = 0
    boxes: int = 0
    images: int = 0
    columns: bool = False
    lang: str = ""
    lang_confidence: float = 0.0
    numbering: tuple[str, ...] = ()
    clauses: int = 0
    known_words: float | None = None
    quality: str = ""
    remarks: tuple[str, ...] = ()
    does: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Inspected:
    """The documents that a file or a folder stands for, and the files that are in none of them."""

    documents: tuple[Inspection, ...]
    skipped: tuple[Skipped, ...]


def inspect(
    source: Path | str, root: Path, *, as_one: bool = False, lang: str = "", encoding: str = ""
) -> Inspected:
    """Find out what a file or folder is.

    Args:
        source: a file, a folder, or the id of a corpus document.
        root: the folder that holds ``corpus/`` and ``seeds/``.
        as_one: whether the files of a folder are the pages of one document.
        lang: tag of the language; detected if empty.
        encoding: of text files; told by what they hold if empty.

    Raises:
        SourceError: there is no such source.
    """
    found = loading.find(str(source), root, as_one=as_one, lang=lang, encoding=encoding)
    return Inspected(tuple(_inspected(request, root) for request in found.requests), found.skipped)


def _inspected(request: loading.Request, root: Path) -> Inspection:
    formats: Counter[str] = Counter()
    try:
        if request.is_tei:
            return _edition(request)
        document, read = loading.load_with_places(request, root)
        formats.update(format_of(path, request.max_bytes).name for path in loading.files_of(request, root))
        steps = takewhile(lambda stage: stage.name != _CORRECTION, stages("text"))
        document = run(document, tuple(steps))
    except HoyleError as error:
        return Inspection(request.name, dict(formats), does="refuses it", error=error.message)
    return _described(request, formats, document, read)


def _edition(request: loading.Request) -> Inspection:
    document = read_tei(request.path)
    return Inspection(
        request.name,
        {"tei": 1},
        characters=len(document.source.text),
        pages=1,
        words=len(document.source.text.split()),
        lang=document.lang,
        lang_confidence=1.0,
        clauses=len(document.clauses),
        does="takes the edition as it is and writes every output of it",
    )


def _described(
    request: loading.Request, formats: Counter[str], document: Document, read: DecodedText
) -> Inspection:
    text, code = document.source.text, document.lang
    detected = next((f for f in document.findings if f.topic == "language"), None)
    known = known_words(text, language(code))
    return Inspection(
        request.name,
        dict(formats),
        characters=len(text),
        pages=len(text.strip().split(PAGE_BREAK)),
        words=len(text.split()),
        boxes=sum(len(page.words) for page in read.pages),
        images=sum(bool(page.image) for page in read.pages),
        columns=bool(read.flow),
        lang=code,
        lang_confidence=detected.why.confidence if detected else 1.0,
        numbering=tuple(f.value for f in document.findings if f.topic == "numbering" and f.value != "none"),
        clauses=len(document.clauses),
        known_words=known,
        quality="" if known is None else next(grade for least, grade in _GRADES if known >= least),
        remarks=tuple(f"{f.topic}: {f.value}" for f in document.findings if f.doubt and f.topic in _REMARKS),
        does="; ".join(_steps(document, language(code), formats)),
    )


def known_words(text: str, lang: Language) -> float | None:
    """The share of the words of a text that the lexicon of its language lists.

    Args:
        text: the text; a word broken at a line end is one word.
        lang: its language.

    Returns:
        The share of words of three letters and more; ``None`` if there is no lexicon or no such word.
    """
    if not lang.has_lexicon:
        return None
    words = (word.replace("’", "'") for word in _WORD.findall(_BROKEN.sub("", text).lower()))
    counted = [word for word in words if len(word) >= _LEAST_LETTERS]
    return round(sum(word in lang.lexicon for word in counted) / len(counted), 3) if counted else None


def _steps(document: Document, lang: Language, formats: Counter[str]) -> Iterator[str]:
    files = sum(formats.values())
    yield f"makes one document, {document.id}, of {files} files" if files > 1 else f"makes {document.id}"
    count = len(document.clauses)
    yield (
        f"divides it into {count} numbered clauses"
        if count
        else "keeps its paragraphs, as no clause has a number"
    )
    if lang.corrects_words:
        yield f"corrects its words and regularises them to {lang.modern}"
    else:
        yield "corrects no words, as there is no lexicon of its language"


def _language(one: Inspection) -> str:
    if one.lang == UNDETERMINED.tag:
        return "none that is known fits; name it with --lang"
    return f"{one.lang} ({one.lang_confidence:.0%} certain)"


def rows(documents: Sequence[Inspection]) -> Iterator[tuple[str, str]]:
    """Names and values for people, an empty row between documents."""
    for at, one in enumerate(documents):
        if at:
            yield "", ""
        yield "file", one.name
        if one.formats:
            yield "format", ", ".join(f"{n} × {form}" if n > 1 else form for form, n in one.formats.items())
        if one.error:
            yield "error", one.error
            continue
        yield "text", f"{one.characters:,} characters, {one.words:,} words, {one.pages:,} pages"
        yield (
            "places",
            f"{one.boxes:,} words or lines with boxes, {one.images:,} pages with an image"
            if one.boxes
            else "none",
        )
        if one.columns:
            yield "columns", "the places show another reading order than the file"
        yield "language", _language(one)
        yield "numbering", ", ".join(one.numbering) or "none found"
        if one.known_words is not None:
            yield "OCR quality", f"{one.quality} ({one.known_words:.0%} of the words are in the lexicon)"
        for remark in one.remarks:
            yield "remark", remark
        yield "hoyle build", one.does
