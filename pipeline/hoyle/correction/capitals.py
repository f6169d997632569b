"""Capitals: stray ones, and those of a replacement."""

from __future__ import annotations

from hoyle.correction.candidate import Change
from hoyle.correction.channel import same_script
from hoyle.correction.lattice import Arc

_DIGRAPH_CAPITALS = ("OE", "AE")
"""Two capitals at the head of a word that stand for one, where a fount has no Œ."""


def has_stray_capital(word: str) -> bool:
    """Tell whether a capital stands inside a word of lower-case letters, but for the second of OEuvres."""
    rest = word[2:] if word.startswith(_DIGRAPH_CAPITALS) else word[1:]
    return rest != rest.lower() and not word.isupper()


def with_capitals(before: str, arc: Arc) -> tuple[Change, ...]:
    """Return the changes of an arc with the capitals that the text shows.

    Args:
        before: the text that the arc replaces.
        arc: the arc, with its word in lower case.

    Returns:
        The changes; those of an unlisted word are as they were.
    """
    if arc.unlisted_score is not None:
        return arc.changes
    letters = [c for c in before if c.isalpha()]
    capitals = sum(c.isupper() for c in letters)
    if capitals > 1 and capitals >= 0.7 * len(letters):
        return tuple(c._replace(after=c.after.upper()) for c in arc.changes)
    out: list[Change] = []
    at = 0
    done = False
    for change in arc.changes:
        piece = before[at : at + change.size]
        after = change.after
        if after and not done:
            if piece[0].isupper() and not _is_shape_confusion(change, piece):
                after = after[0].upper() + after[1:]
            done = True
        if change.confusion is None and piece == "’":
            after = "’"
        out.append(change._replace(after=after))
        at += change.size
    return tuple(out)


def _is_shape_confusion(change: Change, piece: str) -> bool:
    """Tell whether a capital was read for the shape of a lower-case letter (I for l), and is none in print.

    A capital of another script is one in print too (Latin B for В).
    """
    confusion = change.confusion
    if confusion is None or not confusion.print or confusion.ocr[:1] != piece[0]:
        return False
    return same_script(piece[0], confusion.print[0])
