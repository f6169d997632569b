"""What the net says of the changes that the lattice considers, as costs.

The channel knows how often an engine takes one letter for another; the net has seen what stands around
this one. Together they are worth more than the better of the two: the cost of a change is the channel's
and the net's (negative natural logarithms of probabilities), each with a weight of its own, because what
they know overlaps. The weights were tried on rendered pages that nothing was trained on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from hoyle.correction.tagger import Tags

NET = 0.7
"""Weight of the net's probabilities."""

CHANNEL = 0.35
"""Weight of the channel's rates beside the net."""

WORDS = 0.85
"""Weight of the lexicon's probabilities beside the net, which knows words too."""

UNKNOWN = 8.0
"""Cost, to the channel, of a confusion that no table has and the net names."""

STRANGE = 1.5
"""Cost of each change of a reading that the net alone gives."""

LEAST = 0.0005
"""Probability of what the net does not name."""

NAMED = 0.004
"""Probability from which on a change that the net names is considered."""

SURE = 0.001
"""Probability of any change below which a character is taken as it stands: that spares most of the search."""

_Chances: TypeAlias = Mapping[str, float]
"""By what may stand there, in small letters: how probable that is."""


class Witness:
    """The net's word on one text.

    Args:
        text: a reading.
        tags: what the net says of it.
    """

    def __init__(self, text: str, tags: Tags) -> None:
        self._text, self._tags = text, tags
        self._known: dict[int, tuple[_Chances, _Chances]] = {}

    def cost(self, at: int, size: int, after: str) -> float:
        """What it costs that the ``size`` characters at ``at`` read ``after`` (small letters)."""
        if size == 1 and len(after) < 2:  # most of them: no need to share letters out
            becomes, follows = self._chances(at)
            return -NET * math.log(becomes.get(after, LEAST) * follows[""])
        chance, used = 1.0, 0
        for left in range(size - 1, -1, -1):
            becomes, follows = self._chances(at + size - left - 1)
            chance *= becomes.get(after[used : used + 1], LEAST)
            used += 1
            # As in training: a letter more goes behind the first that has room for it.
            more = after[used : used + 1] if len(after) - used > left else ""
            chance *= follows.get(more, LEAST)
            used += len(more)
        return -NET * math.log(max(chance, 1e-300))

    def named(self, at: int) -> Iterator[str]:
        """What else the character at ``at`` may read by the net (small letters; "" if it may go)."""
        own = self._text[at].lower()
        becomes, follows = self._chances(at)
        yield from (char for char, chance in becomes.items() if char != own and chance >= NAMED)
        yield from (own + char for char, chance in follows.items() if char and chance >= NAMED)

    def is_sure(self, at: int) -> bool:
        """Whether the net sees hardly a chance that the character at ``at`` is anything else."""
        tags = self._tags
        return bool(tags.becomes_p[at, 0] < SURE and tags.after_p[at, 0] < SURE)

    def reading(self, at: int) -> str:
        """What the character at ``at`` most likely reads."""
        tags = self._tags
        becomes = tags.becoming(at) if tags.becomes_p[at, 0] > 0.5 else self._text[at]
        return becomes + (tags.following(at) if tags.after_p[at, 0] > 0.5 else "")

    def _chances(self, at: int) -> tuple[_Chances, _Chances]:
        """Of what the character at ``at`` becomes, and of what is put behind it."""
        known = self._known.get(at)
        if known is None:
            tags = self._tags
            becomes = [tags.letters[c] for c in tags.becomes[at].tolist()]
            follows = [tags.letters[c] for c in tags.after[at].tolist()]
            known = self._known[at] = (
                _by_letter(self._text[at], becomes, tags.becomes_p[at].tolist()),
                _by_letter("", follows, tags.after_p[at].tolist()),
            )
        return known


def _by_letter(stays: str, letters: Sequence[str], chances: Sequence[float]) -> _Chances:
    """The chances of letters (capital or small together), and of what stays: all the rest."""
    found = {stays.lower(): max(LEAST, 1 - sum(chances))}
    for letter, chance in zip(letters, chances, strict=True):
        small = letter.lower()
        found[small] = found.get(small, LEAST) + chance
    return found
