"""Numbers at the END of a clause, in brackets: ``… требовать пересдачи. (Гл. II, § 2.)``.

Excerpts and digests print the place of a rule after it. A bracket with nothing in it but numbers
and their cue words is a reference as a rule; what shows labels is that one stands at the end of
paragraph after paragraph, and that the numbers ascend.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from hoyle.document import Span
from hoyle.numbering.arabic import clean_number, numeral_pattern
from hoyle.numbering.confusions import damaged_forms, likely_number
from hoyle.numbering.cues import CueWords, alternatives
from hoyle.numbering.division import divisions
from hoyle.numbering.scheme import LATIN_LOOKALIKES, Sighting, from_roman
from hoyle.numbering.series import Label

NAME = "tail"
LEAST_CHAIN = 3
"""Fewer brackets in ascending order prove nothing."""
LEAST_SHARE = 0.75
"""Share of the brackets at the ends of paragraphs that must be in order."""
LEAST_OF_TEXT = 0.5
"""Share of the paragraphs between the first bracket and the last that must end with one."""
_LONGEST_TITLE = 80
_LINE = re.compile(r"\S[^\n]*")
_CLEAN, _DAMAGED = 0.93, 0.8


@dataclass(frozen=True, slots=True)
class _Tail:
    label: Span
    path: tuple[str, ...]
    order: tuple[int, ...]
    damaged: bool


def tails(text: str, cues: CueWords) -> list[Label]:
    """The clauses of a text that has its numbers behind them; none if it is no such text.

    Args:
        text: the text.
        cues: words that stand at numbers in its language.
    """
    found = list(_tails(text, cues))
    chain = _ascending(found)
    if len(chain) < LEAST_CHAIN or len(chain) < LEAST_SHARE * len(found):
        return []
    starts = _starts(text, chain, cues)
    between = text[starts[0] : chain[-1].label.end]
    if len(chain) < LEAST_OF_TEXT * len(re.findall(r"[.!?][)»\"]*[ \t]*(?:\n|\Z)", between)):
        return []
    # Numbers that share all but their last component are one run.
    above = list(dict.fromkeys(tail.path[:-1] for tail in chain))
    return [_label(tail, at, above.index(tail.path[:-1])) for tail, at in zip(chain, starts, strict=True)]


def _tails(text: str, cues: CueWords) -> Iterator[_Tail]:
    """Brackets with numbers alone that end a paragraph or a sentence before a capital."""
    for match in cues.compiled(_pattern).finditer(text):
        parts = [_read(one["number"]) for one in cues.compiled(_one).finditer(match["numbers"])]
        if parts and all(parts):
            known = [part for part in parts if part]
            yield _Tail(
                Span(*match.span("label")),
                tuple(written for written, _, _ in known),
                tuple(value for _, value, _ in known),
                any(damaged for _, _, damaged in known),
            )


def _read(number: str) -> tuple[str, int, bool] | None:
    """A number as it is written in paths, its value, and whether it was damaged."""
    bare = number.strip()
    if roman := from_roman(bare.translate(LATIN_LOOKALIKES)):
        return bare.translate(LATIN_LOOKALIKES), roman, False
    if (exact := clean_number(bare)) is not None:
        return str(exact), exact, False
    guess = likely_number(bare)
    return (str(guess[0]), guess[0], True) if guess else None


def _ascending(found: Sequence[_Tail]) -> list[_Tail]:
    """The longest chain of ascending numbers of one depth."""
    best: list[tuple[int, int]] = []
    for at, tail in enumerate(found):
        earlier = [
            (best[i][0], i)
            for i in range(max(0, at - 12), at)
            if len(found[i].order) == len(tail.order) and found[i].order < tail.order
        ]
        length, before = max(earlier, key=lambda item: (item[0], item[1]), default=(0, -1))
        best.append((length + 1, before))
    if not best:
        return []
    at = max(range(len(best)), key=lambda i: (best[i][0], -i))
    chain = []
    while at >= 0:
        chain.append(found[at])
        at = best[at][1]
    return chain[::-1]


def _starts(text: str, chain: Sequence[_Tail], cues: CueWords) -> list[int]:
    """Where each clause begins: behind the number before it, past headings; the first at its paragraph."""
    parts = {span.start for span, _ in divisions(text, cues)}
    paragraph = max(text.rfind("\n\n", 0, chain[0].label.start), 0)
    ends = [paragraph, *(tail.label.end for tail in chain[:-1])]
    return [_past_headings(text, end, tail.label.start, parts) for end, tail in zip(ends, chain, strict=True)]


def _past_headings(text: str, at: int, end: int, parts: Collection[int]) -> int:
    for line in _LINE.finditer(text, at, end):
        title = len(line[0]) <= _LONGEST_TITLE and line[0].rstrip()[-1].isalnum() and line.end() < end
        if not title and line.start() not in parts:
            return line.start()
    return at


def _label(tail: _Tail, at: int, run: int) -> Label:
    return Label(
        at=at,
        span=tail.label,
        path=tail.path,
        scheme=NAME,
        value=tail.order[-1],
        series=1,
        runs=(run,),
        flags=("number-read-from-damage",) if tail.damaged else (),
        confidence=_DAMAGED if tail.damaged else _CLEAN,
        sighting=Sighting(tail.label, NAME, "", "", None if tail.damaged else tail.order[-1], 0.0),
    )


def _one(cues: CueWords) -> re.Pattern[str]:
    """A number with its cue word or sign."""
    words = alternatives(
        tuple(c for kind in ("label", "sign", "division", "reference") for c in cues.of(kind))
    )
    roman = f"[{re.escape(damaged_forms('IVXLC'))}]{{1,8}}"
    numeral = rf"(?<!\w)(?P<number>{numeral_pattern()}|{roman})(?!\w)"
    return re.compile(rf"(?:(?:{words})[ \t\u00a0]*|[§$][ \t\u00a0]*)?{numeral}")


def _pattern(cues: CueWords) -> re.Pattern[str]:
    one = cues.compiled(_one).pattern.replace("?P<number>", "?:")
    return re.compile(
        rf"(?P<label>[(\[](?P<numbers>{one}(?:\.?,?[ \t\u00a0]+{one}){{0,3}})\.?[)\]]\.?)"
        rf"(?=[ \t\u00a0]*(?:\n|\Z))"
    )
