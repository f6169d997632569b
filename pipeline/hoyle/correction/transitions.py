"""The transitions of the search for words: what each character may be read as, and at what cost."""

from __future__ import annotations

from operator import itemgetter
from typing import TypeAlias

from hoyle.correction.candidate import Change
from hoyle.correction.channel import Channel, Confusion
from hoyle.correction.model_scores import CHANNEL_WEIGHT, UNSEEN_CONFUSION_COST, ModelScores
from hoyle.correction.tokens import EDGE_PUNCTUATION

Transition: TypeAlias = tuple[float, str, Change]
"""Cost (negative natural log), the first letter it adds ("" if none), the replacement."""

SPACE_REMOVED = Confusion(" ", "", 0.0, "")
"""The confusion of a space that is removed."""


class Transitions:
    """The transitions of one document.

    Args:
        channel: its channel.
        max_cost: cost (negative natural log) above which no confusion is considered.

    Attributes:
        by_model: stands for a confusion that no table has and the tagger predicts.
    """

    def __init__(self, channel: Channel, max_cost: float) -> None:
        self._channel, self._max_cost = channel, max_cost
        self.by_model = Confusion(
            "", "", -UNSEEN_CONFUSION_COST, f"resources/tagger_{channel.tag.replace('-', '_')}"
        )
        self._chars: dict[str, tuple[list[Transition], list[tuple[str, Transition]]]] = {}

    def at(self, text: str, at: int, stop: int, model_scores: ModelScores | None) -> list[Transition]:
        """Return what may stand for ``text[at]``: itself, a removed space, every confusion.

        Args:
            text: the text that is searched.
            at: offset of the character.
            stop: offset where the search ends.
            model_scores: scores of the tagger for the text, if there is one.

        Returns:
            Transitions, the cheapest first.
        """
        if at >= stop:
            return []
        if text[at] == " ":
            found = self._space_removed(text, at, stop)
        else:
            always, longer = self._of_char(text[at])
            if model_scores and model_scores.is_unchanged(at):
                stays = [transition for transition in always if transition[2].confusion is None]
                if stays:
                    return stays
            met = [transition for ocr, transition in longer if _matches(text, at, ocr, stop)]
            found = sorted([*always, *met], key=itemgetter(0)) if met else always
        return self._with_model_scores(at, found, model_scores) if model_scores else found

    def log_space_inserted(self, text: str, at: int) -> float:
        """Estimate the probability that a space was inserted into a word.

        Args:
            text: the text that is searched.
            at: offset of the space.

        Returns:
            Natural log probability.
        """
        left, right = _letters_beside(text, at, -1), _letters_beside(text, at, 1)
        if left == 1 and right == 1:
            return -0.35
        if left <= 2 and right <= 2:
            return -1.2
        if left <= 1 or right <= 1:
            return max(-3.0, self._channel.space_inserted)
        return self._channel.space_inserted

    def _space_removed(self, text: str, at: int, stop: int) -> list[Transition]:
        if at + 1 >= stop or text[at + 1] in EDGE_PUNCTUATION or text[at + 1].isspace():
            return []
        return [(-self.log_space_inserted(text, at), "", Change(1, "", SPACE_REMOVED))]

    def _of_char(self, char: str) -> tuple[list[Transition], list[tuple[str, Transition]]]:
        """Return the transitions of one character, cheapest first, and those of groups it begins."""
        known = self._chars.get(char)
        if known is None:
            small = char.lower()
            confusions = self._channel.confusions
            found = [*confusions.get(char, ()), *(confusions.get(small, ()) if small != char else ())]
            transitions = [
                (
                    confusion.ocr,
                    (
                        -confusion.log_rate,
                        confusion.print[:1],
                        Change(len(confusion.ocr), confusion.print, confusion),
                    ),
                )
                for confusion in found
                if -confusion.log_rate <= self._max_cost
            ]
            alone = [transition for ocr, transition in transitions if len(ocr) == 1]
            if char.isalnum() or char in "'’":
                itself = "'" if char == "’" else small
                alone.append((0.0, itself[:1], Change(1, itself, None)))
            longer = [(ocr, transition) for ocr, transition in transitions if len(ocr) > 1]
            known = self._chars[char] = (sorted(alone, key=itemgetter(0)), longer)
        return known

    def _with_model_scores(
        self, at: int, transitions: list[Transition], model_scores: ModelScores
    ) -> list[Transition]:
        """Return the transitions with the scores of the tagger added, and those that only it predicts."""
        found = [
            (CHANNEL_WEIGHT * cost + model_scores.cost(at, change.size, change.after), letter, change)
            for cost, letter, change in transitions
        ]
        there = {change.after for _, _, change in transitions if change.size == 1}
        for after in model_scores.alternatives(at):
            if after not in there and (not after or after.isalpha() or "'" in after):
                cost = CHANNEL_WEIGHT * UNSEEN_CONFUSION_COST + model_scores.cost(at, 1, after)
                found.append((cost, after[:1], Change(1, after, self.by_model)))
        return sorted(found, key=itemgetter(0))


def _matches(text: str, at: int, ocr: str, stop: int) -> bool:
    return at + len(ocr) <= stop and (text.startswith(ocr, at) or text[at : at + len(ocr)].lower() == ocr)


def _letters_beside(text: str, at: int, step: int) -> int:
    """Count the letters beside the space at ``at`` on one side (4 stands for more)."""
    size = 0
    at += step
    while 0 <= at < len(text) and size < 4 and text[at].isalnum():
        size += 1
        at += step
    return size
