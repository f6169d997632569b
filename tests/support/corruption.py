"""Damages the labels of gold editions as recognition does, and keeps track of where clauses start."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from support import gold

GARBLED = {
    "0": "ОOо",
    "1": "lI7i",
    "2": "dzZ",
    "3": "З85",
    "4": "Ч19",
    "5": "S6§^",
    "6": "б5",
    "7": "1T",
    "8": "B36",
    "9": "gq0",
}
JUNK = ("*", "»", "^", ",", "-", "'", " .", "")
EXCERPTS = {"bridge-laws": ((0, "41"), (833, "44"), (2253, "47"))}
"""What an editor states: the laws that the excerpts of bridge-laws belong to."""
# glue: the line end before the label is lost, so that it stands in mid line; space: a digit stands
# apart from the others; terminator: the stop is lost or another sign.
MODES = ("drop", "garble", "terminator", "space", "glue")


@dataclass(frozen=True)
class Damaged:
    """A damaged text, where its clauses start, and the editor's excerpts moved along."""

    text: str
    starts: list[tuple[int, str]]
    excerpts: list[tuple[int, str]]


def starts_of(name: str) -> list[tuple[int, str, str]]:
    """Start, number and label of every gold clause, in raw order."""
    units = [u for u in gold.edition(name)["units"] if u["type"] == "clause"]
    return sorted((u["spans"][0][0], str(u["n"]), u["label_raw"] or "") for u in units)


def damaged(
    name: str, rate: float, seed: int, *, one_line: bool = False, modes: Sequence[str] = MODES
) -> Damaged:
    """The text of an edition with each label damaged at a rate.

    Args:
        name: of the edition.
        rate: probability that a label is damaged.
        seed: of the random numbers.
        one_line: also turn every line feed into a space.
        modes: the ways in which labels are damaged, one drawn for each.
    """
    rng = random.Random(f"{name}/{rate}/{seed}")
    text = gold.source(name).text
    out: list[str] = []
    length = at = 0
    starts = []
    moved = []
    wanted = list(EXCERPTS.get(name, ()))

    def put(piece: str) -> None:
        nonlocal length
        out.append(piece)
        length += len(piece)

    for start, number, label in starts_of(name):
        while wanted and wanted[0][0] <= start:
            offset, stated = wanted.pop(0)
            moved.append((length + offset - at, stated))
        before = text[at:start]
        shown = text[start : start + len(label)]
        at = start + len(label)
        if label and rng.random() < rate:
            before, shown, at = _damage(before, shown, text, at, rng, modes)
        put(before)
        starts.append((length, number))
        put(shown)
    put(text[at:])
    joined = "".join(out)
    return Damaged(joined.replace("\n", " ") if one_line else joined, starts, moved)


def _damage(
    before: str, label: str, text: str, at: int, rng: random.Random, modes: Sequence[str]
) -> tuple[str, str, int]:
    mode = rng.choice(modes)
    digits = [i for i, sign in enumerate(label) if sign.isdigit()]
    if mode in ("garble", "space") and not digits:
        mode = "terminator"
    if mode == "drop":
        while text[at : at + 1] in {" ", "."}:
            at += 1
        return before, "", at
    if mode == "garble":
        i = rng.choice(digits)
        return before, label[:i] + rng.choice(GARBLED[label[i]]) + label[i + 1 :], at
    if mode == "space":
        i = rng.choice(digits)
        return before, f"{label[: i + 1]} {label[i + 1 :]}", at
    if mode == "glue":
        return before.rstrip("\n") + (" " if before else ""), label, at
    while text[at : at + 1] in {".", " "} and text[at : at + 2] != ". ":
        at += 1
    return before, re.sub(r"[.*»,-]\s*$", "", label) + rng.choice(JUNK), at


def compared(found: list[tuple[int, str]], wanted: list[tuple[int, str]]) -> tuple[int, int, int]:
    """How many starts are found with the right number (3 characters' grace), found at all, wanted."""
    left = list(found)
    right = 0
    for start, number in wanted:
        match = next((f for f in left if abs(f[0] - start) <= 3 and f[1] == number), None)
        if match:
            left.remove(match)
            right += 1
    return right, len(found), len(wanted)
