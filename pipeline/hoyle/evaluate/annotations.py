"""Compare clauses, tags and references with those of a gold edition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hoyle.document import Clause, Document, Span, Unit
from hoyle.evaluate.score import Score
from hoyle.evaluate.tags import TAGGED_UNITS, GoldUnit, TagScore, compare, gold_pairs


def align_units(document: Document, gold: Sequence[GoldUnit]) -> list[Unit | None]:
    """Align gold units with predicted ones by their starts.

    Two starts are the same place if no letter or digit stands between them.

    Args:
        document: an annotated document.
        gold: units of the gold edition.

    Returns:
        For each gold unit the predicted unit that starts at the same place; None if there is none.
    """
    starts = {
        unit.spans[0].start: unit for unit in reversed(document.units) if any(a < b for a, b in unit.spans)
    }
    text = document.source.text
    found: list[Unit | None] = []
    for unit in gold:
        at = unit["spans"][0][0] if unit["spans"] else -1
        near = [s for s in starts if at >= 0 and _same_place(text, s, at)]
        found.append(starts[min(near, key=lambda s: abs(s - at))] if near else None)
    return found


def _same_place(text: str, one: int, other: int) -> bool:
    low, high = sorted((one, other))
    return high - low <= 8 and not any(c.isalnum() for c in text[low:high])


def score_starts(document: Document, gold: Sequence[GoldUnit]) -> Score:
    """Score the clauses that start at the right place with the right number.

    Unnumbered clauses of the gold are not required, and what is predicted there is not counted.

    Args:
        document: an annotated document.
        gold: units of the gold edition.

    Returns:
        The counts.
    """
    partners = align_units(document, gold)
    numbered = [(g, p) for g, p in zip(gold, partners, strict=True) if g["type"] == "clause" and g["n"]]
    free = {p.id for g, p in zip(gold, partners, strict=True) if p and g["type"] == "clause" and not g["n"]}
    true_positives = sum(isinstance(p, Clause) and p.n == str(g["n"]) for g, p in numbered)
    predicted = sum(clause.id not in free for clause in document.clauses)
    return Score(true_positives, predicted, len(numbered))


def score_extents(document: Document, gold: Sequence[GoldUnit]) -> tuple[int, int]:
    """Count the characters in the right clause.

    A character is right if the gold clause that holds it starts where the predicted one starts, or if gold
    has an unnumbered clause there.

    Args:
        document: an annotated document.
        gold: units of the gold edition.

    Returns:
        Characters of the raw text, without white space: those in the right numbered clause, and all that
        are in one.
    """
    partners = align_units(document, gold)
    text = document.source.text
    gold_owner: dict[int, str] = {}
    free: set[int] = set()
    for number, (unit, partner) in enumerate(zip(gold, partners, strict=True)):
        places = _places(text, [Span(*span) for span in unit["spans"]])
        if unit["type"] != "clause":
            continue
        if not unit["n"]:
            free.update(places)
            continue
        owner = partner.id if isinstance(partner, Clause) else f"missed {number}"
        gold_owner.update(dict.fromkeys(places, owner))
    mine = {i: clause.id for clause in document.clauses for i in _places(text, clause.spans)}
    all_places = (gold_owner.keys() | mine.keys()) - free
    return sum(gold_owner.get(i) == mine.get(i) for i in all_places), len(all_places)


def _places(text: str, spans: Iterable[Span]) -> list[int]:
    return [i for span in spans for i in range(*span) if not text[i].isspace()]


def score_tags(document: Document, gold: Sequence[GoldUnit]) -> dict[str, TagScore]:
    """Score pairs of unit and concept by facet; gold units that were not found are left out.

    Args:
        document: an annotated document.
        gold: units of the gold edition.

    Returns:
        The score of each facet.
    """
    ids = [partner.id if partner else None for partner in align_units(document, gold)]
    scored = [
        name
        for unit, name in zip(gold, ids, strict=True)
        if name is not None and unit["type"] in TAGGED_UNITS
    ]
    return compare(document.tags, gold_pairs(gold, ids), scored)


def score_references(document: Document, gold: Sequence[GoldUnit]) -> tuple[Score, int]:
    """Score the references by the number they name.

    A link is wrong if it leads into a clause although the gold target is another clause or
    is outside the text.

    Args:
        document: an annotated document.
        gold: units of the gold edition.

    Returns:
        The counts, and the number of wrong links.
    """
    partners = align_units(document, gold)
    numbers = {clause.id: clause.n for clause in document.clauses}
    score, wrong = Score(), 0
    for unit, partner in zip(gold, partners, strict=True):
        if partner is None:
            continue
        made = [r for r in document.references if r.unit == partner.id]
        # Gold also notes figures, footnotes and allusions without a number; those have a kind.
        wanted = [r for r in unit.get("refs") or [] if r.get("target") and not r.get("kind")]
        names = {str(r["target"]).lower() for r in wanted}
        found = {".".join(r.number).lower() for r in made}
        score += Score(len(names & found), len(found), len(names))
        inside = {str(r["target"]) for r in wanted if r.get("resolves_in_sample", True)}
        wrong += sum(r.status == "exact" and numbers.get(r.target) not in inside for r in made)
    return score, wrong
