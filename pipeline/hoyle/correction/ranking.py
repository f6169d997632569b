"""Two opinions on the words of a text, and what they are worth: the net's and the lattice's.

They go wrong in different ways: one knows contexts and the habits of engines, the other words and
letters. What both propose is nearly always right; what one proposes alone is as good as such proposals
were found to be on text that neither had seen (``calibration.tsv`` of the language).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import regex
from rapidfuzz.distance import Levenshtein

from hoyle.correction import tagger_edits as rewriting
from hoyle.correction import word_correction as words
from hoyle.correction.tagger import Tags, usual
from hoyle.correction.tagger_edits import Rewriting
from hoyle.correction.word_correction import Correction
from hoyle.languages import Language

SILENT = 0.05
"""Probability of any change below which the net is sure of a word as it stands."""

SETTLED = 0.95
"""Probability from which on the lattice is not asked about a word that the net makes a listed one."""

BOTH = "both"
"""What net and lattice both propose."""

APART = ("letter", "strange", "credible", "known")
"""Sorts of the lattice that are told apart among those that both propose."""

RIGHT = {"known", "credible", "commoner", "points"}
"""What proposals, whoever makes them, do to words or points that may well be right."""

SORTS = (
    BOTH,
    *(f"{BOTH} {sort}" for sort in APART),
    *(f"net {sort}" for sort in rewriting.SORTS),
    *(f"lattice {sort}" for sort in words.SORTS),
)
"""Sorts of proposals: who makes them and what they do."""

SCANS = {"clean": 0.0, "fair": 3.0, "bad": 15.0}
"""Sorts of scans, and from how many words on that the net rewrites in 1000 characters a scan is one."""

ENOUGH = 500
"""Characters that tell how bad a scan is."""

ANY = "any"
"""In the place of a sort of scan: all together."""

LEFT = {"newer", "number", "foreign"}
"""Sorts of changes that are never proposed; numbers are the business of their decoder."""


def left(language: Language) -> set[str]:
    """Sorts of changes never proposed in a language: :data:`LEFT` and its own (``[correct] leaves``)."""
    return LEFT | set(language.settings["correct"].get("leaves", ()))


_WORD = regex.compile(r"\p{L}+")
_ODD = r"[^\p{L}\p{N}\s.,;:!?()«»„“”\"'’—–-]|\p{L}\p{N}|\p{N}\p{L}|\s[.,;:]|\s\p{L}\s\p{L}\s|\p{Ll}\p{Lu}"
_STRAY = regex.compile(r"(?<=\p{Ll})\p{Lu}")


def is_doubtful(text: str, language: Language) -> bool:
    """Whether some word of the text is in no list, or a sign is odd (also by ``[correct] odd``)."""
    if language.resource(_odd).search(text):
        return True
    known = language.lexicon
    return any(m.group().lower() not in known for m in _WORD.finditer(usual(text)))


def _odd(language: Language) -> regex.Pattern[str]:
    more = language.settings["correct"].get("odd")
    return regex.compile(f"{_ODD}|{more}" if more else _ODD)


def doubts(text: str, tags: Tags, made: Iterable[Rewriting] = ()) -> list[int]:
    """Characters at which the net sees some chance of a change, in order, but for words it is sure to mend.

    Stray capitals are doubted in any case.

    Args:
        text: a reading.
        tags: what the net says of it.
        made: the rewritings they amount to.
    """
    doubted = tags.change() >= SILENT
    doubted[[m.start() for m in _STRAY.finditer(text)]] = True
    for r in made:
        if r.sort == "listed" and r.probability >= SETTLED:
            doubted[r.start : r.end] = False
    places: list[int] = np.flatnonzero(doubted).tolist()
    return places


def proposals(
    text: str,
    made: Sequence[Rewriting],
    found: Iterable[Correction],
    net: str,
    leaves: Container[str] = LEFT,
) -> Iterator[Correction]:
    """What is proposed for a text, not yet calibrated, with the sort of :data:`SORTS`.

    Args:
        text: the reading of a unit.
        made: what the net makes of it.
        found: what the lattice does, in order.
        net: names the net as evidence.
        leaves: sorts of changes that are not proposed.
    """
    alone = [r for r in made if r.sort not in leaves]
    for correction in (c for c in found if c.sort not in leaves):
        twin = next((r for r in alone if same(text, correction, r)), None)
        if twin:
            alone.remove(twin)
            yield _of_both(correction, twin)
        else:
            yield replace(correction, sort=f"lattice {correction.sort}")
    for r in alone:
        yield Correction(r.start, r.end, r.changes, r.probability, net, f"net {r.sort}")


def _of_both(found: Correction, made: Rewriting) -> Correction:
    """What both propose, as sure as the lattice is, which has weighed what the net says.

    Of a listed word, that may well be right, it is as sure as the less sure of them.
    """
    sort = f"{BOTH} {found.sort}" if found.sort in APART else BOTH
    chance = min(found.probability, made.probability) if found.sort == "known" else found.probability
    return replace(found, sort=sort, probability=chance)


def scan_of(rewritings: int, characters: int) -> str:
    """How bad a scan is: one of :data:`SCANS`, or :data:`ANY` where there is too little of it to tell.

    Args:
        rewritings: how many of probability .5 and more the net makes of a sample.
        characters: of the sample.
    """
    if characters < ENOUGH:
        return ANY
    rate = 1000 * rewritings / characters
    return next(scan for scan, least in reversed(SCANS.items()) if rate >= least)


def calibrated(language: Language, scan: str, proposal: Correction) -> Correction:
    """The proposal with the probability that its sort and score were found to be worth in such scans.

    Where there is too little of a scan to tell, what may well be right is weighed as in a clean one.
    """
    if scan == ANY and proposal.sort.rpartition(" ")[2] in RIGHT:
        scan = "clean"
    table = language.resource(_calibration)
    steps = table.get((proposal.sort, scan)) or table.get((proposal.sort, ANY), [])
    worth = [p for score, p in steps if proposal.probability >= score]
    return replace(proposal, probability=worth[-1] if worth else 0.0)


def sure(text: str, proposed: Iterable[Correction], least: float) -> list[Correction]:
    """Those of probability ``least`` and more, in order; of those that overlap, the one that mends most.

    What is to be expected of one are the characters that it changes (a word each at least), mended with
    its probability and spoilt otherwise.
    """

    def gain(one: Correction) -> float:
        before = text[one.start : one.end]
        changed = max(Levenshtein.distance(before, one.after), len(before.split()))
        return (2 * one.probability - 1) * changed

    chosen: list[Correction] = []
    enough = [one for one in proposed if one.probability >= least]
    for one in sorted(enough, key=lambda c: (-gain(c), c.start, -c.end)):
        if not any(overlap(one, other) for other in chosen):
            chosen.append(one)
    return sorted(chosen, key=lambda c: c.start)


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


def _calibration(language: Language) -> dict[tuple[str, str], list[tuple[float, float]]]:
    """For each sort of proposal and of scan, from which score on it is worth which probability."""
    table: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in language.table("calibration", ["sort", "scan", "posterior", "p", "n"]):
        step = row.number("posterior"), row.number("p")
        table.setdefault((row["sort"], row["scan"]), []).append(step)
    return table
