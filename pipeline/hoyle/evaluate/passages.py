"""Passages of OCR with their gold text, made the units of documents that the stages can work on.

A file of passages is JSON Lines, packed with xz or not: ``ocr`` and ``gold``, and where known ``id``,
``lang``, ``doc`` (passages of one scan are corrected as one document) and ``stratum``, or ``kind`` and
``level``, by which the figures are told apart.
"""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from hoyle.document import Block, Document, Evidence, Meta, Source, Span
from hoyle.errors import HoyleError, SourceError
from hoyle.inputs.jsonl import record
from hoyle.languages import UNDETERMINED
from hoyle.languages.detection import detect_language
from hoyle.settings import check_language

TOGETHER = 8
"""How many passages in a row are taken for one document where the file does not say."""

_BY = Evidence("evaluate/passages", 1.0)


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage as the engine read it (``ocr``) and as it was printed (``gold``)."""

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
    """The passages of a file, in order; those without a letter of OCR are left out.

    Args:
        path: JSON Lines; ``.xz`` is unpacked.
        lang: language of the passages that do not say theirs.

    Raises:
        SourceError: a line is no passage (the message names it), the file is not packed as its
            name says, or no passage has text.
        OSError: it cannot be read.
    """
    given = 0
    with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as lines:
        try:
            for number, line in enumerate(lines, 1):
                if passage := _passage(line, lang, f"{path}:{number}"):
                    given += 1
                    yield passage
        except (lzma.LZMAError, EOFError) as error:
            raise SourceError(f"cannot be unpacked ({error})", document=str(path)) from None
    if not given:
        raise SourceError("holds no passage (a JSON object a line, with ocr and gold)", document=str(path))


def _passage(line: bytes, lang: str, where: str) -> Passage | None:
    """The passage in a line, if there is one with text."""
    try:
        made = record(line, "ocr", "gold")
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


def samples(passages: Iterable[Passage]) -> Iterator[Sample]:
    """Passages made documents: those of one ``doc``, else :data:`TOGETHER` in a row, of one language."""
    named: dict[tuple[str, str], list[Passage]] = {}
    nameless: list[Passage] = []
    for passage in passages:
        if passage.doc:
            named.setdefault((passage.doc, passage.lang), []).append(passage)
        else:
            nameless.append(passage)
    for (doc, _), some in named.items():
        yield sample(doc, some)
    for _, same in groupby(nameless, key=lambda passage: passage.lang):
        row = list(same)
        for i in range(0, len(row), TOGETHER):
            yield sample(f"passages{i}", row[i : i + TOGETHER])


def sample(name: str, passages: Sequence[Passage]) -> Sample:
    """Passages of one language as the paragraphs of one document."""
    text, spans = "", []
    for ocr in (passage.ocr.strip() for passage in passages):
        spans.append([Span(len(text), len(text) + len(ocr))])
        text += ocr + "\n\n"
    return Sample(document(name, text, passages[0].lang, spans), passages)


def document(name: str, text: str, lang: str, spans: Sequence[Sequence[Span]]) -> Document:
    """A document whose units are paragraphs with the given spans; its language is told if not given."""
    data = text.encode()
    source = Source(name, name, text, hashlib.sha256(data).hexdigest(), len(data))
    units = [Block(f"{name}.p{i}", "paragraph", tuple(s), _BY) for i, s in enumerate(spans)]
    bare = Document(source, Meta(name, lang=lang))
    told = () if lang else detect_language(bare, UNDETERMINED)
    return bare.with_layer("language", told).with_layer("clauses", units)
