"""What a search for words may take each character for, and what that costs."""

from __future__ import annotations

from operator import itemgetter
from typing import TypeAlias

from hoyle.correction.channel import Channel, Rule
from hoyle.correction.lattice import EDGES, Change
from hoyle.correction.model_scores import CHANNEL, UNKNOWN, Witness

Step: TypeAlias = tuple[float, str, Change]
"""Cost (negative natural log), the first letter it adds ("" if none), what it does."""

CLOSED = Rule(" ", "", 0.0, "")
"""A space that goes."""


class Steps:
    """The steps of one document.

    Args:
        channel: its channel.
        most: cost above which nothing is considered.

    Attributes:
        by_net: stands for a confusion that no table has and the net names.
    """

    def __init__(self, channel: Channel, most: float) -> None:
        self._channel, self._most = channel, most
        self.by_net = Rule("", "", -UNKNOWN, f"resources/tagger_{channel.tag.replace('-', '_')}")
        self._chars: dict[str, tuple[list[Step], list[tuple[str, Step]]]] = {}

    def at(self, text: str, at: int, stop: int, witness: Witness | None) -> list[Step]:
        """What may stand for ``text[at]``, cheapest first: itself, a closed gap, every confusion.

        Args:
            text: the text.
            at: place of the character.
            stop: where the text ends.
            witness: what the net says of the text, if there is one.
        """
        if at >= stop:
            return []
        if text[at] == " ":
            found = self._closed(text, at, stop)
        else:
            always, longer = self._of_char(text[at])
            if witness and witness.is_sure(at):
                stays = [step for step in always if step[2].rule is None]
                if stays:
                    return stays
            met = [step for ocr, step in longer if _matches(text, at, ocr, stop)]
            found = sorted([*always, *met], key=itemgetter(0)) if met else always
        return self._witnessed(at, found, witness) if witness else found

    def space(self, text: str, at: int) -> float:
        """Natural log probability that the space at ``at`` was put into a word."""
        left, right = _run(text, at, -1), _run(text, at, 1)
        if left == 1 and right == 1:
            return -0.35
        if left <= 2 and right <= 2:
            return -1.2
        if left <= 1 or right <= 1:
            return max(-3.0, self._channel.space_inserted)
        return self._channel.space_inserted

    def _closed(self, text: str, at: int, stop: int) -> list[Step]:
        if at + 1 >= stop or text[at + 1] in EDGES or text[at + 1].isspace():
            return []
        return [(-self.space(text, at), "", Change(1, "", CLOSED))]

    def _of_char(self, char: str) -> tuple[list[Step], list[tuple[str, Step]]]:
        """Steps for the character alone, cheapest first, and each group that begins with it with its step."""
        known = self._chars.get(char)
        if known is None:
            small = char.lower()
            rules = self._channel.rules
            found = [*rules.get(char, ()), *(rules.get(small, ()) if small != char else ())]
            steps = [
                (rule.ocr, (-rule.log_rate, rule.print[:1], Change(len(rule.ocr), rule.print, rule)))
                for rule in found
                if -rule.log_rate <= self._most
            ]
            alone = [step for ocr, step in steps if len(ocr) == 1]
            if char.isalnum() or char in "'’":
                itself = "'" if char == "’" else small
                alone.append((0.0, itself[:1], Change(1, itself, None)))
            longer = [(ocr, step) for ocr, step in steps if len(ocr) > 1]
            known = self._chars[char] = (sorted(alone, key=itemgetter(0)), longer)
        return known

    def _witnessed(self, at: int, steps: list[Step], witness: Witness) -> list[Step]:
        """The steps with what the net says of them, and those that it names itself."""
        found = [
            (CHANNEL * cost + witness.cost(at, change.size, change.after), letter, change)
            for cost, letter, change in steps
        ]
        there = {change.after for _, _, change in steps if change.size == 1}
        for after in witness.named(at):
            if after not in there and (not after or after.isalpha() or "'" in after):
                cost = CHANNEL * UNKNOWN + witness.cost(at, 1, after)
                found.append((cost, after[:1], Change(1, after, self.by_net)))
        return sorted(found, key=itemgetter(0))


def _matches(text: str, at: int, ocr: str, stop: int) -> bool:
    return at + len(ocr) <= stop and (text.startswith(ocr, at) or text[at : at + len(ocr)].lower() == ocr)


def _run(text: str, at: int, step: int) -> int:
    """How many letters stand next to the space at ``at`` on one side (4 stands for more)."""
    size = 0
    at += step
    while 0 <= at < len(text) and size < 4 and text[at].isalnum():
        size += 1
        at += step
    return size
