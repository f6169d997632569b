"""Resolves penalties by reference: "the same penalty as in § 16"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from hoyle.document import Evidence, Reference, Tag, group_by_unit

SAME_PENALTY: Final = "same-penalty"
SAME_AS: Final = "same as "
"""Beginning of ``Evidence.by`` of a penalty of another clause; the id of that clause follows."""
_NOT_TAKEN: Final = frozenset({SAME_PENALTY, "no-penalty"})


def add_referenced_penalties(tags: Sequence[Tag], references: Iterable[Reference]) -> Iterator[Tag]:
    """Add the penalties of the cited clause after each tag "same penalty".

    The added tags have the words of the referring tag. Who suffers comes from the referring clause if it
    says so; who exacts, and the amount, come from the cited clause.

    Args:
        tags: the tags of a document.
        references: its references; only resolved ones (``exact``) count.

    Yields:
        The tags, with the added ones.
    """
    named = group_by_unit(t for t in tags if t.facet == "penalty" and t.value not in _NOT_TAKEN)
    cited = group_by_unit(r for r in references if r.status == "exact" and r.spans)
    for tag in tags:
        yield tag
        if tag.facet == "penalty" and tag.value == SAME_PENALTY and tag.spans:
            source = _next(tag, cited.get(tag.unit, ()))
            if source and source.target != tag.unit:
                yield from _taken_over(tag, source, named.get(source.target, ()))


def _next(tag: Tag, references: Iterable[Reference]) -> Reference | None:
    """Return the first reference after the words of the tag."""
    after = (r for r in references if r.spans[0].start >= tag.spans[-1].end)
    return min(after, key=lambda r: r.spans[0].start, default=None)


def _taken_over(tag: Tag, reference: Reference, there: Iterable[Tag]) -> Iterator[Tag]:
    for penalty in {one.value: one for one in there}.values():
        sure = tag.why.confidence * reference.why.confidence * penalty.why.confidence
        why = Evidence(f"{SAME_AS}{reference.target}", round(sure, 3))
        against = tag.against or penalty.against
        yield replace(
            tag, value=penalty.value, why=why, against=against,
            exacted_by=penalty.exacted_by, amount=penalty.amount,
        )  # fmt: skip
