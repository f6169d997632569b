"""Score the changes that the lattice considers by the tagger.

The channel knows how often OCR confuses two letters; the tagger has seen the context of this one. The
cost of a change is the weighted sum of both (negative natural logarithms of probabilities), a log-linear
combination: the weights are below 1 because the knowledge of the two overlaps. They were tuned on
rendered pages that nothing was trained on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from hoyle.correction.tagger import Tags

MODEL_WEIGHT = 0.7
"""Weight of the tagger's log probabilities."""

CHANNEL_WEIGHT = 0.35
"""Weight of the channel's log rates beside the tagger."""

LEXICON_WEIGHT = 0.85
"""Weight of the lexicon's log probabilities beside the tagger, which knows words too."""

UNSEEN_CONFUSION_COST = 8.0
"""Cost (negative natural log), to the channel, of a change that the tagger predicts and no table has."""

MODEL_ONLY_COST = 1.5
"""Cost (negative natural log) of each change of a reading that only the tagger gives."""

MIN_PROBABILITY = 0.0005
"""Probability of what the tagger does not name."""

MIN_ALTERNATIVE = 0.004
"""Probability from which a change that the tagger names is considered."""

MAX_UNCHANGED = 0.001
"""Probability of any change below which a character is taken as it stands, which saves most of the search."""

_Distribution: TypeAlias = Mapping[str, float]
"""Probability of each reading, in lower case."""


class ModelScores:
    """The scores of the tagger for one text.

    Args:
        text: the edited text of a unit.
        tags: the predictions of the tagger for it.
    """

    def __init__(self, text: str, tags: Tags) -> None:
        self._text, self._tags = text, tags
        self._cache: dict[int, tuple[_Distribution, _Distribution]] = {}

    def cost(self, at: int, size: int, after: str) -> float:
        """Score a replacement.

        Args:
            at: offset of the first character.
            size: number of characters that are replaced.
            after: the replacement, in lower case.

        Returns:
            The cost: negative natural log probability times :data:`MODEL_WEIGHT`.
        """
        if size == 1 and len(after) < 2:  # the common case, without alignment
            replacements, insertions = self._distributions(at)
            return -MODEL_WEIGHT * math.log(replacements.get(after, MIN_PROBABILITY) * insertions[""])
        probability, used = 1.0, 0
        for left in range(size - 1, -1, -1):
            replacements, insertions = self._distributions(at + size - left - 1)
            probability *= replacements.get(after[used : used + 1], MIN_PROBABILITY)
            used += 1
            # As in training, an extra letter is inserted after the first character that has room for it.
            inserted = after[used : used + 1] if len(after) - used > left else ""
            probability *= insertions.get(inserted, MIN_PROBABILITY)
            used += len(inserted)
        return -MODEL_WEIGHT * math.log(max(probability, 1e-300))

    def alternatives(self, at: int) -> Iterator[str]:
        """Yield what else the character at ``at`` may read, in lower case; "" if it may be deleted."""
        own = self._text[at].lower()
        replacements, insertions = self._distributions(at)
        yield from (
            char
            for char, probability in replacements.items()
            if char != own and probability >= MIN_ALTERNATIVE
        )
        yield from (
            own + char for char, probability in insertions.items() if char and probability >= MIN_ALTERNATIVE
        )

    def is_unchanged(self, at: int) -> bool:
        """Tell whether the tagger gives hardly any probability to a change of the character at ``at``."""
        tags = self._tags
        return bool(tags.replacement_p[at, 0] < MAX_UNCHANGED and tags.insertion_p[at, 0] < MAX_UNCHANGED)

    def most_probable(self, at: int) -> str:
        """Return the most probable reading of the character at ``at``."""
        tags = self._tags
        replacement = tags.replacement_at(at) if tags.replacement_p[at, 0] > 0.5 else self._text[at]
        return replacement + (tags.insertion_at(at) if tags.insertion_p[at, 0] > 0.5 else "")

    def _distributions(self, at: int) -> tuple[_Distribution, _Distribution]:
        """Return the distributions of what replaces the character at ``at`` and what follows it."""
        cached = self._cache.get(at)
        if cached is None:
            tags = self._tags
            replacements = [tags.letters[c] for c in tags.replacement[at].tolist()]
            insertions = [tags.letters[c] for c in tags.insertion[at].tolist()]
            cached = self._cache[at] = (
                _by_letter(self._text[at], replacements, tags.replacement_p[at].tolist()),
                _by_letter("", insertions, tags.insertion_p[at].tolist()),
            )
        return cached


def _by_letter(stays: str, letters: Sequence[str], probabilities: Sequence[float]) -> _Distribution:
    """Sum the probabilities of upper and lower case; what is left goes to the text that ``stays``."""
    found = {stays.lower(): max(MIN_PROBABILITY, 1 - sum(probabilities))}
    for letter, probability in zip(letters, probabilities, strict=True):
        small = letter.lower()
        found[small] = found.get(small, MIN_PROBABILITY) + probability
    return found
