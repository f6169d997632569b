"""Commentaries that go through the rules of another text: ``La règle 12 doit se modifier ainsi``.

No label stands before such a clause; the rule is named somewhere in its first sentence. What
shows that the text is of this kind is that sentence after sentence names a rule and the numbers
ascend. The best ascending chain of readings is sought, damage allowed (``règle i5``, ``Règle 4``
between 12 and 15 for 14).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hoyle.document import Span
from hoyle.numbering.arabic import clean_number, numeral_pattern
from hoyle.numbering.confusions import INSERTION, likely_number, near_numbers
from hoyle.numbering.cues import CueWords, alternatives
from hoyle.numbering.scheme import CAPITAL, Sighting
from hoyle.numbering.series import Label
from hoyle.numbering.weights import weight

NAME = "mention"
LEAST_CHAIN = 5
"""Fewer rules named in ascending order prove nothing."""
LEAST_SHARE = 0.75
"""Share of the sentences naming a rule that the chain must take up."""
FARTHEST = 1500
"""Characters between two mentions after which the text is no longer a list of remarks."""

_NAMED = 3.0
_WINDOW = 12
# A star or bracket after which a capital follows is a damaged stop.
_SENTENCE = re.compile(rf"(?:\A|(?<=[.!?…])|(?<=[*»])(?=\s+{CAPITAL}))\s*(?=\S)")


@dataclass(frozen=True, slots=True)
class _Mention:
    at: int
    label: Span
    surface: str

    def readings(self) -> Iterator[tuple[int, float]]:
        """Numbers it may show, and what each costs."""
        exact = clean_number(self.surface)
        if exact is None:
            guess = likely_number(self.surface)
            if guess:
                yield guess
            return
        yield exact, 0.0
        for value, cost in near_numbers(self.surface):
            yield value, cost + weight("override")
        for first in range(1, 10):
            # The first digit may be lost.
            yield int(f"{first}{exact}"), INSERTION + weight("override") / 2


def mentioned(text: str, cues: CueWords) -> list[Label]:
    """The clauses of a commentary on numbered rules; none if the text is no such thing.

    Args:
        text: the text.
        cues: words that stand at numbers in its language.
    """
    found = list(_mentions(text, cues))
    chain = _chain(found)
    if len(chain) < LEAST_CHAIN or len(chain) < LEAST_SHARE * len(found):
        return []
    spread = [b.at - a.at for (a, _, _), (b, _, _) in pairwise(chain)]
    if sorted(spread)[len(spread) // 2] > FARTHEST:
        return []
    return [_label(mention, value, damage) for mention, value, damage in chain]


def _mentions(text: str, cues: CueWords) -> Iterator[_Mention]:
    """The first rule that each sentence names."""
    starts = [match.end() for match in _SENTENCE.finditer(text)]
    index, last = 0, -1
    for match in cues.compiled(_pattern).finditer(text):
        while index + 1 < len(starts) and starts[index + 1] <= match.start():
            index += 1
        at = starts[index] if starts else 0
        if at != last:
            last = at
            yield _Mention(at, Span(*match.span()), match["number"])


def _chain(found: Sequence[_Mention]) -> list[tuple[_Mention, int, float]]:
    """The ascending chain with the best score: a reward for each mention, less damage and leaps."""
    best: list[list[tuple[float, int, float, tuple[int, int] | None]]] = []
    for at, mention in enumerate(found):
        states = []
        for value, damage in mention.readings():
            score, back = _NAMED - damage, None
            for before in range(max(0, at - _WINDOW), at):
                for rank, (total, other, _, _) in enumerate(best[before]):
                    leap = value - other
                    if leap > 0 and (new := total + _NAMED - damage - min(0.1 * (leap - 1), 1.5)) > score:
                        score, back = new, (before, rank)
            states.append((score, value, damage, back))
        best.append(states)
    ends = [(state[0], -at, -rank) for at, states in enumerate(best) for rank, state in enumerate(states)]
    if not ends:
        return []
    _, last, place = max(ends)
    step: tuple[int, int] | None = (-last, -place)
    chain = []
    while step is not None:
        _, value, damage, back = best[step[0]][step[1]]
        chain.append((found[step[0]], value, damage))
        step = back
    return chain[::-1]


def _label(mention: _Mention, value: int, damage: float) -> Label:
    sighting = Sighting(mention.label, NAME, "", mention.surface, clean_number(mention.surface), 0.0)
    return Label(
        at=mention.at,
        span=mention.label,
        path=(str(value),),
        scheme=NAME,
        value=value,
        series=1,
        runs=(0,),
        flags=("number-read-from-damage",) if sighting.value != value else (),
        confidence=round(0.9 - 0.1 * damage, 3),
        sighting=sighting,
    )


def _pattern(cues: CueWords) -> re.Pattern[str]:
    words = alternatives(cues.of("mention"))
    return re.compile(rf"(?<!\w)(?:{words})[ \t\u00a0]+(?P<number>{numeral_pattern()})(?!\w)[.*»]?")
