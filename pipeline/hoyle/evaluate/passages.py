"""Read passages of OCR with their gold text and make them units of documents.

A file of passages is JSON Lines, plain or compressed with xz: ``ocr`` and ``gold``, and where known ``id``,
``lang``, ``doc`` (passages of one scan are corrected as one document) and ``stratum``, or ``kind`` and
``level``, by which the figures are broken down.
"""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import IO, NamedTuple

from hoyle.document import Block, Document, Evidence, Meta, Source, Span
from hoyle.errors import HoyleError, SourceError
from hoyle.inputs.jsonl import parse_record
from hoyle.inputs.text import MAX_BYTES
from hoyle.languages import UNDETERMINED
from hoyle.languages.detection import detect_language
from hoyle.settings import check_language

PASSAGES_PER_DOCUMENT = 8
"""Passages in a row that make one document where the file does not name documents."""

_MAX_UNPACKED = 200_000_000
"""Most bytes of passages in a file, unpacked: some 200,000 passages of half a page with their gold."""
_BY = Evidence("evaluate/passages", 1.0)


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage as OCR read it (``ocr``) and as it was printed (``gold``)."""

    ocr: str
    gold: str
    id: str = ""
    lang: str = ""
    stratum: str = ""
    doc: str = ""


class Sample(NamedTuple):
    """A document whose units, uncorrected, are the ``passages``."""

    document: Document
    passages: Sequence[Passage]


def read_passages(path: Path, lang: str = "") -> Iterator[Passage]:
    """Read the passages of a file, in order; those without a letter of OCR are left out.

    Args:
        path: JSON Lines; ``.xz`` is decompressed.
        lang: language of the passages that do not say theirs.

    Yields:
        The passages.

    Raises:
        SourceError: a line is no passage (the message names it), the file is not compressed as its
            name says, or no passage has text.
        OSError: it cannot be read.
    """
    given = 0
    try:
        check_language(lang, str(path))
        with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as file:
            for number, line in enumerate(_lines(file, path), 1):
                if passage := _passage(line, lang, f"{path}:{number}"):
                    given += 1
                    yield passage
    except (lzma.LZMAError, EOFError) as error:
        raise SourceError(f"cannot be unpacked ({error})", document=str(path)) from None
    if not given:
        raise SourceError("holds no passage (a JSON object a line, with ocr and gold)", document=str(path))


def _lines(file: IO[bytes], path: Path) -> Iterator[bytes]:
    """The lines of a file; one that is too long, or too much in all, is never read whole.

    Raises:
        SourceError: a line or the file is larger than allowed, as a packed file may turn out.
    """
    size, number = 0, 0
    while line := file.readline(MAX_BYTES + 1):
        number += 1
        size += len(line)
        if len(line) > MAX_BYTES or size > _MAX_UNPACKED:
            what = f"more than {MAX_BYTES:,} bytes in a line" if len(line) > MAX_BYTES else "too much"
            message = f"{what}; {_MAX_UNPACKED:,} bytes are read of a file in all, unpacked: split it"
            raise SourceError(message, document=f"{path}:{number}")
        yield line


def _passage(line: bytes, lang: str, where: str) -> Passage | None:
    """The passage in a line, if there is one with text."""
    try:
        made = parse_record(line, "ocr", "gold")
    except HoyleError as error:
        raise SourceError(error.message, document=where) from None
    if made is None or not made["ocr"].strip():
        return None
    lang = str(made.get("lang") or lang)
    check_language(lang, where)
    parts = [made["stratum"]] if made.get("stratum") else [made.get("kind"), made.get("level")]
    return Passage(
        ocr=made["ocr"],
        gold=made["gold"],
        id=str(made.get("id") or ""),
        lang=lang,
        stratum=" ".join(str(part) for part in parts if part),
        doc=str(made.get("doc") or ""),
    )


def group_passages(passages: Iterable[Passage]) -> Iterator[Sample]:
    """Group passages to documents: those of one ``doc``, else :data:`PASSAGES_PER_DOCUMENT` in a row.

    The passages of a document have one language.
    """
    named: dict[tuple[str, str], list[Passage]] = {}
    nameless: list[Passage] = []
    for passage in passages:
        if passage.doc:
            named.setdefault((passage.doc, passage.lang), []).append(passage)
        else:
            nameless.append(passage)
    for (doc, _), some in named.items():
        yield make_sample(doc, some)
    for _, same in groupby(nameless, key=lambda passage: passage.lang):
        in_order = list(same)
        for i in range(0, len(in_order), PASSAGES_PER_DOCUMENT):
            yield make_sample(f"passages{i}", in_order[i : i + PASSAGES_PER_DOCUMENT])


def make_sample(name: str, passages: Sequence[Passage]) -> Sample:
    """Make a document of passages, each a paragraph.

    Args:
        name: id of the document.
        passages: passages of one language.

    Returns:
        The document with its passages.
    """
    text, spans = "", []
    for ocr in (passage.ocr.strip() for passage in passages):
        spans.append([Span(len(text), len(text) + len(ocr))])
        text += ocr + "\n\n"
    return Sample(make_document(name, text, passages[0].lang, spans), passages)


def make_document(name: str, text: str, lang: str, spans: Sequence[Sequence[Span]]) -> Document:
    """Make a document whose units are paragraphs.

    Args:
        name: id of the document.
        text: its raw text.
        lang: tag of its language; detected if empty.
        spans: spans of each paragraph in the raw text.

    Returns:
        The document with the layers ``language`` and ``clauses``.
    """
    data = text.encode()
    source = Source(name, name, text, hashlib.sha256(data).hexdigest(), len(data))
    units = [Block(f"{name}.p{i}", "paragraph", tuple(s), _BY) for i, s in enumerate(spans)]
    bare = Document(source, Meta(name, lang=lang))
    detected = () if lang else detect_language(bare, UNDETERMINED)
    return bare.with_layer("language", detected).with_layer("clauses", units)
