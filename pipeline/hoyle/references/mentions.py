"""Numbers that a text names: cue words, lists, ranges and what qualifies a number.

The words are in ``languages/<folder>/references.tsv``; which clause is meant is for
:mod:`hoyle.references.resolution` to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from hoyle.document import Span
from hoyle.languages import Language
from hoyle.references.cited_numbers import CitedNumber, NumberPath, number_at
from hoyle.references.resolution import ACCEPTS, RELATIVE
from hoyle.tables import Row

_COLUMNS = ("pattern", "kind", "many", "example")
_NAMES = frozenset(ACCEPTS) - {"see"}
_RANK = {"chapter": 0, "rule": 1, "section": 1, "article": 1, "number": 1, "division": 2, "point": 3}
_SPACE = re.compile(r"\s*")
_COMMA = re.compile(r"\s*,\s*")
_DASH = re.compile(r"\s*[-–—]\s*(?=\d)")
_COMMA_OR_DASH = re.compile(r"\s*[,–—-]\s*")
_NUMBER_BEFORE = re.compile(r"(?<![\w.,])(?:\d+|[IVXІХ]+(?!\w))")
# After the number of a bare `см. 20`, or a further number of a list: nothing that it could count.
_CLOSED = re.compile(r"\s*(?:[).,;:\]—]|$)")
_SET_OFF = re.compile(r"\s*(?:[).,;»”]|$)")
_LOOK_BACK = 24  # characters; the longest cue words have some fourteen
_TITLE = re.compile(r"\s*(?:[«„\"]|d(?:e|u|es) )")


@dataclass(frozen=True, slots=True)
class Mention:
    """One number named in a text.

    Attributes:
        span: characters of the text read (not of the raw text).
        path: the number.
        kind: the kind of unit that the words name, a key of ``resolution.ACCEPTS``.
        row: the row of the table that found it.
        chapter: number of the chapter it is cited with.
        foreign: whether the words say that it is another text's.
    """

    span: Span
    path: NumberPath
    kind: str
    row: Row
    chapter: NumberPath = ()
    foreign: bool = False


class ReferenceCues:
    """The cue words of one language, compiled; use it as ``language.resource(Cues)``.

    A kind is one of the table's, or ``name`` for all that name a sort of unit, or ``any`` for
    these and ``see``.
    """

    def __init__(self, language: Language) -> None:
        rows = language.table("references", _COLUMNS)
        self._rows = {f"r{i}": row for i, row in enumerate(rows)}
        kinds = {kind: frozenset({kind}) for kind in (row["kind"] for row in rows)}
        kinds |= {"name": _NAMES, "any": _NAMES | {"see"}} if rows else {}
        self._patterns = {kind: self._compile(members) for kind, members in kinds.items()}

    def _compile(self, kinds: frozenset[str]) -> re.Pattern[str]:
        chosen = (f"(?P<{g}>{row['pattern']})" for g, row in self._rows.items() if row["kind"] in kinds)
        before = "" if kinds == {"ordinal"} else r"(?<!\w)"  # an ending follows its number closely
        return re.compile(before + "(?:" + "|".join(chosen) + r")(?![^\W\d_])", re.IGNORECASE)

    def find_all(self, kind: str, text: str) -> Iterator[tuple[Row, Span]]:
        """Find the cue words of a kind.

        Args:
            kind: the kind of cue word, as in the table.
            text: the corrected text of a unit.

        Yields:
            The row of the table and the span (characters of ``text``), in order.
        """
        pattern = self._patterns.get(kind)
        for match in pattern.finditer(text) if pattern else ():
            yield self._rows[str(match.lastgroup)], Span(*match.span())

    def match_at(self, kind: str, text: str, start: int, end: int | None = None) -> tuple[Row, Span] | None:
        """Match a cue word of a kind at a position.

        Args:
            kind: the kind of cue word, as in the table.
            text: the corrected text of a unit.
            start: where the word must begin (characters of ``text``).
            end: where it must end at the latest; the end of the text if left out.

        Returns:
            The row of the table and the span, or ``None``.
        """
        pattern = self._patterns.get(kind)
        match = pattern.match(text, start, len(text) if end is None else end) if pattern else None
        return (self._rows[str(match.lastgroup)], Span(*match.span())) if match else None

    def adjacent(self, kind: str, text: str, span: Span) -> Span | None:
        """Find a cue word of a kind directly after a span, else directly before it.

        Args:
            kind: the kind of cue word, as in the table.
            text: the corrected text of a unit.
            span: characters of ``text``.

        Returns:
            The span of the word, or ``None``.
        """
        if after := self.match_at(kind, text, _skip(text, span.end)):
            return after[1]
        low = max(0, span.start - _LOOK_BACK)
        end = low + len(text[low : span.start].rstrip())
        start = max(text.rfind(c, low, end) for c in " '’\n") + 1
        before = self.match_at(kind, text, max(low, start), end)
        return before[1] if before else None


def find_mentions(text: str, cues: ReferenceCues, cites: Callable[[str], bool]) -> Iterator[Mention]:
    """Find the numbers of other clauses that a text names.

    Args:
        text: the corrected text of a unit.
        cues: the cue words of its language.
        cites: returns whether the document has clauses that a citation of a kind can mean.

    Yields:
        The mentions in order; each number of a list or range is one mention.
    """
    done = 0
    for row, cue in cues.find_all("any", text):
        if cue.start < done:
            continue
        found = list(_named(text, row, cue, cues))
        if found and found[0].span.start >= done and _meant(text, found[0], cues, cites):
            yield from found
            done = found[-1].span.end


def _named(text: str, row: Row, cue: Span, cues: ReferenceCues) -> Iterator[Mention]:
    """The numbers one cue word announces, the first with what qualifies it."""
    kind = row["kind"]
    cited = _number(text, _skip(text, cue.end), kind)
    if cited is None:
        yield from _ordinal(text, row, cue, cues)
        return
    if kind == "see" and not (text[cited.start].isdecimal() and _CLOSED.match(text, cited.end)):
        return
    found = [_qualified(text, Mention(Span(cue.start, cited.end), cited.path, kind, row), cues)]
    while more := _next_in_list(text, found[-1], cues):
        found.append(replace(found[0], span=Span(more.start, more.end), path=more.path))
    foreign = cues.match_at("foreign", text, _skip(text, found[-1].span.end, _COMMA)) is not None
    yield from (replace(mention, foreign=foreign) for mention in found)


def _number(text: str, at: int, kind: str) -> CitedNumber | None:
    """The number announced by a cue of this kind; a letter alone must be set off (``п. а)``)."""
    cited = number_at(text, at, letters=kind in RELATIVE)
    if cited is None or len(cited.path) > 1 or len(cited.path[0]) > 1 or not cited.path[0].isalpha():
        return cited
    letter = cited.path[0]
    if letter in "IVX":
        return cited
    right_case = letter.isupper() == (kind == "division")
    return cited if right_case and _SET_OFF.match(text, cited.end) else None


def _ordinal(text: str, row: Row, cue: Span, cues: ReferenceCues) -> Iterator[Mention]:
    """``16-му правилу``, ``II пунктъ``: the number stands before its noun."""
    if row["kind"] == "see":
        return
    for before in _NUMBER_BEFORE.finditer(text, max(0, cue.start - 12), cue.start):
        ending = cues.match_at("ordinal", text, before.end())
        end = ending[1].end if ending else before.end()
        cited = number_at(text, before.start())
        if cited and (ending or not before[0].isdecimal()) and not text[end : cue.start].strip():
            yield Mention(Span(cited.start, cue.end), cited.path, row["kind"], row)


def _qualified(text: str, mention: Mention, cues: ReferenceCues) -> Mention:
    """``§ 5, п. 2`` and ``п. 2 § 5`` are item 2 of 5; ``гл. II, § 1`` is § 1 of that chapter."""
    at = _skip(text, mention.span.end, _COMMA)
    cue = cues.match_at("name", text, at)
    kind = cue[0]["kind"] if cue else ""
    cited = _number(text, _skip(text, cue[1].end), kind) if cue else None
    if cited is None or mention.kind not in _RANK:
        return mention
    comma = "," in text[mention.span.end : at]
    whole = Span(mention.span.start, cited.end)
    if mention.kind == "chapter" != kind:
        return replace(mention, span=whole, path=cited.path, kind=kind, chapter=mention.path)
    if kind == "chapter" != mention.kind:
        return replace(mention, span=whole, chapter=cited.path)
    if comma and _RANK[kind] > _RANK[mention.kind]:
        return replace(mention, span=whole, path=(*mention.path, *cited.path))
    if not comma and _RANK[kind] < _RANK[mention.kind]:
        return replace(mention, span=whole, path=(*cited.path, *mention.path), kind=kind)
    return mention


def _next_in_list(text: str, last: Mention, cues: ReferenceCues) -> CitedNumber | None:
    """The next number after ``, 42``, ``и IV``, ``—7``.

    After a singular cue word (``правило 5 и 10 рублей``) a figure must be closed by punctuation.
    """
    at = last.span.end
    word = cues.match_at("and", text, _skip(text, at)) or cues.match_at("to", text, _skip(text, at))
    sign = _COMMA.match(text, at) or _DASH.match(text, at)
    if word is None and sign is None:
        return None
    cited = _number(text, _skip(text, word[1].end) if word else _skip(text, at, _COMMA_OR_DASH), last.kind)
    several = bool(last.row["many"]) or last.kind == "see"
    if cited and cited.path[0].isdecimal() and not several and not _CLOSED.match(text, cited.end):
        return None
    return cited


def _meant(text: str, first: Mention, cues: ReferenceCues, cites: Callable[[str], bool]) -> bool:
    """Whether these words cite a clause at all, and not the number of a house or of a journal."""
    before = text[: first.span.start].rstrip()
    if first.kind == "see":
        # A single capital, as in "(V. 61)", is more often a numeral or somebody's name.
        return len(text[first.span.start :].split(".", maxsplit=1)[0]) > 1 or before.endswith("(")
    if first.kind != "number" or first.row["many"]:
        return True
    sent = any(span.end == len(before) for _, span in cues.find_all("see", before))
    return sent or (cites("number") and not _TITLE.match(text, first.span.end))


def _skip(text: str, at: int, pattern: re.Pattern[str] = _SPACE) -> int:
    """Where what follows ``pattern`` (else white space) begins."""
    match = pattern.match(text, at) or _SPACE.match(text, at)
    return match.end() if match else at
