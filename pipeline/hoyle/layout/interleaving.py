"""Finds where two columns may have been read across in text run together without line ends.

The sign is two numberings that take turns: § 22, 23, **15**, 24, **16**, where 14 stood before 17.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from hoyle.document import Document, Span
from hoyle.languages import Language
from hoyle.layout.column_region import Token
from hoyle.references.cited_numbers import number_at
from hoyle.references.mentions import ReferenceCues
from hoyle.resources.letters import Letters

_WORD = re.compile(r"\S+")
_BARE_LABEL = re.compile(r"(?<!\S)(\d{1,3})[.)*](?=\s+[^\W\d_a-zа-яё])")
_LABEL_END = re.compile(r"\s*[.,:*)-]+(?=\s+[^\W\d_a-zа-яё])")
_SPACE = re.compile(r"\s?")
_HAS_LETTER = re.compile(r"[^\W_]|§")
_LINES_BEFORE = 350
"""Characters before the first label out of turn in which the region may begin."""
_LABELS_NEAR = 60
_FARTHEST = 20_000
"""Characters from where a numbering breaks off to where it is resumed, and on to the region's end."""
_MOST_LINE_ENDS = 3
"""More of them say that printed lines or paragraphs were kept: the text is not run together."""
_MOST_MISSED = 3
"""How far a number may lie from the one before it in its numbering."""
_FEWEST_LABELS = 4
"""Labels with a word or sign, from which on bare numbers are not looked at."""
_SENTENCE_END, _PHRASE_END = frozenset(".!?:"), frozenset(".!?:,;")


class Label(NamedTuple):
    """A clause's label: where it stands, its number."""

    span: Span
    number: int


class Region(NamedTuple):
    """A suspect region and the text before it, in tokens.

    Attributes:
        tokens: from the place on where the resumed numbering broke off.
        opens: first and last token at which the region may begin.
        resumptions: first token at which the resumed column may go on in the text before, and the one
            after the last.
        labels: the last label before the region of the resumed numbering, and of the other one.
    """

    tokens: tuple[Token, ...]
    opens: tuple[int, int]
    resumptions: tuple[int, int]
    labels: tuple[int, int]


class _Turn(NamedTuple):
    """Indices of labels: where a numbering broke off, and where it is resumed."""

    broke_off: int
    resumed: int


def interleaved(document: Document, language: Language, letters: Letters) -> Region | None:
    """The region of a document in which two numberings take turns, if there is one.

    Args:
        document: with the layer furniture.
        language: its language, whose cue words say what refers to a number.
        letters: counted sequences of letters of the language.
    """
    labels = list(_labels(document, language))
    turn = _turn([label.number for label in labels])
    if turn is None:
        return None
    broke_off, resumed = labels[turn.broke_off], labels[turn.resumed]
    text, start = document.source.text, broke_off.span.start
    if resumed.span.start - start > _FARTHEST or text.count("\n", start, start + _FARTHEST) > _MOST_LINE_ENDS:
        return None
    tokens = tuple(_tokens(document, labels, start, letters))
    index = {token.span.start: i for i, token in enumerate(tokens)}
    last, next_label = index[resumed.span.start], index[labels[turn.broke_off + 1].span.start]
    begins = resumed.span.start - _LINES_BEFORE
    first = next(i for i, token in enumerate(tokens) if token.span.start >= begins)
    numbers = (broke_off.number, labels[turn.resumed - 1].number)
    return Region(tokens, (max(1, first, next_label), last), (1, next_label + 1), numbers)


def _labels(document: Document, language: Language) -> Iterator[Label]:
    """What looks like a clause's label: a word for a clause and a number, else a bare number.

    A capital must follow, so that few references are among them.
    """
    text = document.source.text
    found: list[Label] = []
    for _, cue in language.resource(ReferenceCues).find_all("name", text):
        cited = number_at(text, _SPACE.match(text, cue.end).end())  # type: ignore[union-attr]
        end = _LABEL_END.match(text, cited.end) if cited else None
        if cited and end and len(cited.path) == 1 and cited.path[0].isdecimal():
            found.append(Label(Span(cue.start, end.end()), int(cited.path[0])))
    if len(found) < _FEWEST_LABELS:
        found = [Label(Span(m.start(), m.end()), int(m[1])) for m in _BARE_LABEL.finditer(text)]
    hidden = {at for block in document.furniture for span in block.spans for at in range(*span)}
    for label in found:
        at = label.span.start
        if at not in hidden and not text[at - 1 : at].strip():
            yield label


def _turn(numbers: Sequence[int]) -> _Turn | None:
    """Where a number missing before comes late, inside a numbering that goes on after it.

    Numbers whose labels are damaged beyond finding may be missing anywhere.
    """
    for i in range(_FEWEST_LABELS, len(numbers)):
        number, before = numbers[i], numbers[i - 1]
        near = range(max(0, i - _LABELS_NEAR), i - 2)
        again = numbers[near.start : i + _LABELS_NEAR].count(number)
        if number > before or again > 1:
            continue
        # With one label between, that label was misread: 56, 67, 58.
        gaps = [j for j in near if numbers[j] < number < numbers[j + 1]]
        next_ones = {last + more for last in (number, before) for more in range(1, _MOST_MISSED + 1)}
        goes_on = not next_ones.isdisjoint(numbers[i + 1 : i + _LABELS_NEAR])
        if len(gaps) == 1 and number - numbers[gaps[0]] <= _MOST_MISSED and goes_on:
            return _Turn(gaps[0], i)
    return None


def _tokens(document: Document, labels: Sequence[Label], start: int, letters: Letters) -> Iterator[Token]:
    """The words from ``start`` on without furniture, letterspaced runs and labels closed."""
    text = document.source.text
    by_start = {label.span.start: label for label in labels}
    furniture = [span for block in document.furniture for span in block.spans]
    end = min(len(text), start + 2 * _FARTHEST)
    words = [Span(*m.span()) for m in _WORD.finditer(text, start, end)]
    words = [w for w in words if not any(f.start <= w.start < f.end for f in furniture)]
    i, before = 0, start
    while i < len(words):
        first = words[i]
        label = by_start.get(first.start)
        after = i + 1
        if label:
            while after < len(words) and words[after].start < label.span.end:
                after += 1
        else:
            while after < len(words) and _letterspaced(text, words[i : after + 1]):
                if words[after].start in by_start:
                    break
                after += 1
        while after < len(words) and not _HAS_LETTER.search(text, *words[after]):
            if words[after].start in by_start:
                break
            after += 1  # a stop set apart
        token = _token(text, Span(first.start, words[after - 1].end), label, letters)
        behind = any(before < f.start < first.start for f in furniture)
        yield replace(token, opens_page=behind)
        before = first.start
        i = after


def _letterspaced(text: str, words: Sequence[Span]) -> bool:
    """Whether these are single letters, with stops at most."""
    return all(
        sum(c.isalpha() or c == "*" for c in text[slice(*w)]) <= 1 and w.end - w.start < 3 for w in words
    )


def _token(text: str, span: Span, label: Label | None, letters: Letters) -> Token:
    closed = "".join(text[slice(*span)].split())
    return Token(
        span,
        letters.fold(closed).strip(),
        len(closed),
        capital=closed[0].isupper() or label is not None,
        ends_sentence=closed[-1] in _SENTENCE_END and label is None,
        ends_phrase=closed[-1] in _PHRASE_END,
        label=label.number if label else 0,
    )
