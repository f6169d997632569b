"""Normalisation of a document: corrected text → modern spelling (the layer ``modern``).

Words are normalised one by one (:mod:`hoyle.orthography.spelling`), fixed phrases as a whole. Nothing
else is changed: punctuation, capitals and style stay as printed.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from hoyle.document import Document, Edit, Evidence, Span
from hoyle.document.text_layers import LayerSegment, LayerText, layer_text
from hoyle.languages import Language
from hoyle.orthography.spelling import Speller, with_capitals

_WORD = re.compile(r"[^\W\d_][\w\u0300-\u036f]*(?:-[^\W\d_][\w\u0300-\u036f]*)*")
_GAP = re.compile(r"[ \u00a0]+")


class Change(NamedTuple):
    """Characters ``[start, end)`` of a text are ``after`` in modern spelling."""

    start: int
    end: int
    after: str
    why: Evidence


def regularise_text(text: str, language: Language, context: str | None = None) -> list[Change]:
    """What modern spelling changes in a text, in order, none overlapping another.

    Args:
        text: a text without OCR errors and line-end hyphens.
        language: its language and orthography.
        context: the whole that ``text`` is a part of, for what depends on the habits of the print
            (whether ``все`` is «всё»); ``text`` itself if left out.

    Raises:
        TableError: a broken table.
    """
    spell = language.resource(Speller)
    contrasts = spell.contrasts(text if context is None else context)
    return list(_changes(text, spell, contrasts))


def _changes(text: str, spell: Speller, contrasts: dict[str, tuple[str, Evidence]]) -> Iterator[Change]:
    words = list(_WORD.finditer(text))
    at = 0
    while at < len(words):
        phrase = _phrase(text, words, at, spell)
        if phrase:
            change, used = phrase
            if change.after != text[change.start : change.end]:
                yield change
            at += used
            continue
        form = words[at][0]
        found = spell.word(form)
        contrast = contrasts.get(form.lower())
        if contrast:
            yield Change(*words[at].span(), with_capitals(form, contrast[0]), contrast[1])
        elif found:
            yield Change(*words[at].span(), *found)
        at += 1


def _phrase(text: str, words: Sequence[re.Match[str]], at: int, spell: Speller) -> tuple[Change, int] | None:
    """The fixed phrase that begins with word ``at``, and how many words it has."""
    following = words[at + 1][0] if at + 1 < len(words) else ""
    for keys, new, why in spell.phrases_from(words[at][0], following):
        end = at + len(keys)
        if end > len(words) or any(
            key not in ("*", spell.plain(word[0])) for key, word in zip(keys, words[at:end], strict=True)
        ):
            continue
        if not all(_GAP.fullmatch(text, words[i].end(), words[i + 1].start()) for i in range(at, end - 1)):
            continue
        start, stop = words[at].start(), words[end - 1].end()
        if "*" in new:
            found = spell.word(words[at][0])
            after = new.replace("*", found.text if found else words[at][0])
        else:
            after = with_capitals(text[start:stop], new)
        return Change(start, stop, after, why), len(keys)
    return None


def modernise(document: Document, language: Language) -> Iterable[Edit]:
    """The regularisations of a document, in reading order.

    Args:
        document: with the layers up to the corrected text.
        language: its language; without spelling rules nothing is changed.

    Yields:
        Edits of kind ``regularise``; each covers whole the corrections it touches. A word that is
        torn over two parts of a unit is regularised part by part, or left if that cannot be done.
    """
    spell = language.resource(Speller)
    if not spell.has_rules:
        return
    readings = [(unit.spans, layer_text(document, unit.spans, "corrected")) for unit in document.units]
    contrasts = spell.contrasts("\n".join(reading.text for _, reading in readings))
    for spans, reading in readings:
        yield from _edits(reading, spans, _changes(reading.text, spell, contrasts))


def _edits(reading: LayerText, spans: Sequence[Span], changes: Iterable[Change]) -> Iterator[Edit]:
    joins = _joins(reading, spans)
    hulls: list[_Hull] = []
    for change in changes:
        for part in _parts(reading.text, joins, change):
            hull = _hull(reading.segments, part)
            if hulls and hulls[-1].last >= hull.first and not reading.segments[hull.first].unchanged:
                # Both rest upon one correction: one edit for the two.
                before = hulls.pop()
                hull = _Hull(before.first, hull.last, before.start, hull.end, [*before.changes, part])
            hulls.append(hull)
    for hull in hulls:
        yield hull.edit(reading)


class _Hull(NamedTuple):
    """Changes and the stretch ``[start, end)`` of the reading that holds whole every edit they touch.

    ``first`` and ``last`` are the pieces of the reading at its ends.
    """

    first: int
    last: int
    start: int
    end: int
    changes: list[Change]

    def edit(self, reading: LayerText) -> Edit:
        """The changes as one edit."""
        before = reading.text[self.start : self.end]
        after = before
        for change in reversed(self.changes):
            after = after[: change.start - self.start] + change.after + after[change.end - self.start :]
        low, high = reading.segments[self.first], reading.segments[self.last]
        start = low.raw.start + (self.start - low.at if low.unchanged else 0)
        end = high.raw.start + self.end - high.at if high.unchanged else high.raw.end
        why = min((change.why for change in self.changes), key=lambda why: why.confidence)
        return Edit(Span(start, end), before, after, "regularise", why)


def _hull(pieces: Sequence[LayerSegment], change: Change) -> _Hull:
    first = bisect_right(pieces, change.start, key=lambda piece: piece.at) - 1
    last = first
    while last + 1 < len(pieces) and pieces[last + 1].at < change.end:
        last += 1
    while not pieces[last].text:
        last -= 1
    start, end = change.start, change.end
    if not pieces[first].unchanged:
        start = pieces[first].at
    if not pieces[last].unchanged:
        end = pieces[last].at + len(pieces[last].text)
    # An insertion at the very border would count as covered by the edit: take it in.
    while first and start == pieces[first].at and _inserts(pieces[first - 1], pieces[first].raw.start):
        first -= 1
        start = pieces[first].at
    while (
        last + 1 < len(pieces)
        and end == pieces[last + 1].at
        and _inserts(pieces[last + 1], pieces[last].raw.end)
    ):
        last += 1
        end = pieces[last].at + len(pieces[last].text)
    return _Hull(first, last, start, end, [change])


def _inserts(piece: LayerSegment, at: int) -> bool:
    """Whether the piece is text put in at the raw offset ``at``."""
    return piece.raw == (at, at)


def _parts(text: str, joins: Sequence[int], change: Change) -> list[Change]:
    """The change, cut where one part of the unit ends and the next begins."""
    inside = joins[bisect_right(joins, change.start) : bisect_left(joins, change.end)]
    if not inside:
        return [change]
    before = text[change.start : change.end]
    cuts = [(0, 0)]
    for join in inside:
        there = _counterpart(before, change.after, join - change.start)
        if there is None:
            return []
        cuts.append((join - change.start, there))
    cuts.append((len(before), len(change.after)))
    return [
        Change(change.start + a, change.start + b, change.after[c:d], change.why)
        for (a, c), (b, d) in pairwise(cuts)
        if before[a:b] != change.after[c:d]
    ]


def _joins(reading: LayerText, spans: Sequence[Span]) -> list[int]:
    """Where in the reading a new part of the unit begins."""
    if len(spans) == 1:
        return []
    joins: list[int] = []
    part = 0
    for piece in reading.segments:
        while part + 1 < len(spans) and not spans[part].covers(piece.raw):
            part += 1
            joins.append(piece.at)
    return joins


def _counterpart(before: str, after: str, at: int) -> int | None:
    """The place in ``after`` that answers to ``at`` in ``before``, if letters match one to one there."""
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if a <= at <= b:
            if at == b:
                return d
            if tag == "equal" or b - a == d - c:
                return c + at - a
    return None
