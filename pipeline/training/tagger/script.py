"""Edit scripts: what must be done to each character of an OCR text to get the print.

A text is cut into segments (print, OCR); each OCR character then gets two labels: what it becomes
(itself, nothing, or another character) and what is put after it (nothing or one character).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein


class Segment(NamedTuple):
    """A stretch of the print and what the engine made of it."""

    print: str
    ocr: str


class Script(NamedTuple):
    """The OCR text and, for each of its characters, what it becomes and what follows it."""

    text: str
    becomes: list[str]
    after: list[str]


def segments(ocr: str, gold: str) -> list[Segment]:
    """The two texts aligned; neighbouring edit operations make one segment."""
    found: list[Segment] = []
    open_ = False
    for op in Levenshtein.opcodes(gold, ocr):
        piece = Segment(gold[op.src_start : op.src_end], ocr[op.dest_start : op.dest_end])
        if op.tag != "equal" and open_:
            piece = Segment(found[-1].print + piece.print, found.pop().ocr + piece.ocr)
        found.append(piece)
        open_ = op.tag != "equal"
    return found


def script(parts: Sequence[Segment]) -> Script:
    """The labels of aligned segments; what no label can say (three characters lost at once) is left out."""
    text: list[str] = []
    becomes: list[str] = []
    after: list[str] = []
    for part in parts:
        if part.print == part.ocr:
            text += part.ocr
            becomes += part.ocr
            after += [""] * len(part.ocr)
        elif not part.ocr:
            if after and not after[-1]:
                after[-1] = part.print[0]
        else:
            _replace(part, text, becomes, after)
    return Script("".join(text), becomes, after)


def _replace(part: Segment, text: list[str], becomes: list[str], after: list[str]) -> None:
    used = 0
    for j, char in enumerate(part.ocr):
        left = len(part.ocr) - j - 1
        text.append(char)
        becomes.append(part.print[used] if used < len(part.print) else "")
        used += 1
        more = used < len(part.print) and len(part.print) - used > left
        after.append(part.print[used] if more else "")
        used += more


def apply(edits: Script) -> str:
    """The text with its labels carried out."""
    return "".join(a + b for a, b in zip(edits.becomes, edits.after, strict=True))
