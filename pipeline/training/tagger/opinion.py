"""A second opinion on the words of a text: the neural tagger beside the lattice of the lexicon.

The two go wrong in different ways: one knows words and letters, the other contexts. What both say is
nearly always right, so it is done however unsure either is alone; what the lattice says of a place that
the net holds for right is left; and what the net says where the lattice has nothing sure to say is done
if it is probable enough for its sort (:data:`LIMITS`). What that is worth was counted on text that
the net never saw (``tagger_<language>.tsv`` beside the net).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import regex
from net import Tag, TaggerNet
from rewrite import SORTS, Rewriting, is_sure, rewritings

from hoyle.model import Span
from hoyle.resources import lexicon
from hoyle.stages.words import Correction
from hoyle.tables import read_table

SAME = "same"
"""In the place of a sort in the table of worths: what both propose."""

SILENT = 0.02
"""Probability of any change below which the net is sure of a word as it stands."""

LIMITS = {"listed": 0.5, "commoner": 0.6, "known": 0.8, "signs": 0.9}
"""From which probability of the net on a rewriting of each sort is made; of other sorts none is."""

_WORD = regex.compile(r"\p{L}+")
_ODD = regex.compile(r"[^\p{L}\p{N}\s.,;:!?()«»„“”\"'’—–-]|\p{L}\p{N}|\p{N}\p{L}|\s[.,;:]|\s\p{L}\s\p{L}\s")

Worth = Mapping[str, Sequence[tuple[float, float]]]
"""By sort: from which probability of the net on, which share of its rewritings is right."""


class SecondOpinion:
    """Sets the tagger of one language beside its lattice.

    Args:
        tag: the orthography.
        folder: where the files of its tagger lie.
        limits: from which probability of the net on a rewriting of each sort is made.
    """

    def __init__(self, tag: str, folder: Path, limits: Mapping[str, float] | None = None) -> None:
        self.net, self.lexicon = TaggerNet(tag, folder), lexicon(tag)
        self._worth = _worths(folder / f"tagger_{tag.replace('-', '_')}.tsv")
        self._limits = LIMITS if limits is None else limits

    def sure(
        self, text: str, parts: Sequence[Span], corrections: Sequence[Correction], least: Mapping[str, float]
    ) -> list[Correction]:
        """What is to be done in a text, in order, none overlapping another.

        Args:
            text: the reading of a unit.
            parts: where words may be corrected (characters of it).
            corrections: what the lattice considers, sure or not, in order.
            least: from which probability on its corrections are made, by sort.
        """
        if not corrections and not self._is_doubtful(text):
            return []
        tags = self.net.tags(text)
        made = list(rewritings(text, tags, parts, self.lexicon))
        chosen = chosen_words(text, tags, corrections, made, least)
        chosen = [self._surer(c) if any(same(text, c, r) for r in made) else c for c in chosen]
        alone = [r for r in made if is_sure(r, self._limits) and not any(overlap(c, r) for c in chosen)]
        return sorted([*chosen, *map(self._correction, alone)], key=lambda c: c.start)

    def _surer(self, correction: Correction) -> Correction:
        worth = _worth(self._worth, SAME, correction.probability)
        return replace(correction, probability=max(worth, correction.probability))

    def _correction(self, made: Rewriting) -> Correction:
        worth = _worth(self._worth, made.sort, made.probability)
        return Correction(made.start, made.end, made.changes, worth, self.net.where, made.sort)

    def _is_doubtful(self, text: str) -> bool:
        """Whether some word of the text is in no list, or a sign is odd."""
        if _ODD.search(text):
            return True
        return any(m.group().lower() not in self.lexicon for m in _WORD.finditer(text))


def chosen_words(
    text: str,
    tags: Sequence[Tag],
    corrections: Sequence[Correction],
    made: Sequence[Rewriting],
    least: Mapping[str, float],
) -> list[Correction]:
    """The corrections of the lattice that are made, given the tags: sure ones and shared ones."""
    chosen: list[Correction] = []
    for c in corrections:
        is_shared = any(same(text, c, r) for r in made)
        is_refused = _is_silent(tags, c)
        if not is_shared and (is_refused or c.probability < least[c.sort]):
            continue
        if not any(overlap(c, other) for other in chosen):
            chosen.append(c)
    return chosen


def _is_silent(tags: Sequence[Tag], correction: Correction) -> bool:
    return all(max(t.becomes_p, t.after_p) < SILENT for t in tags[correction.start : correction.end])


def overlap(a: Correction, b: Correction | Rewriting) -> bool:
    """Whether the two share a character."""
    return a.start < b.end and b.start < a.end


def same(text: str, a: Correction, b: Rewriting) -> bool:
    """Whether they overlap and the text reads the same after either (kinds of apostrophe aside)."""
    if not overlap(a, b):
        return False
    start, end = min(a.start, b.start), max(a.end, b.end)
    first, second = (text[start : x.start] + x.after + text[x.end : end] for x in (a, b))
    return first.replace("’", "'") == second.replace("’", "'")


def _worth(worths: Worth, sort: str, probability: float) -> float:
    steps = [p for start, p in worths.get(sort, ()) if probability >= start]
    return steps[-1] if steps else 0.0


def _worths(path: Path) -> Worth:
    table: dict[str, list[tuple[float, float]]] = {sort: [] for sort in (SAME, *SORTS)}
    for row in read_table(path, ["sort", "posterior", "p", "n"]):
        table[row["sort"]].append((row.number("posterior"), row.number("p")))
    return table
