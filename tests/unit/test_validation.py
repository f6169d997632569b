from __future__ import annotations

from dataclasses import replace

import pytest

from hoyle.document import Document, Edit, Evidence, Reference, Span, Tag
from hoyle.document.validation import validate
from hoyle.errors import StageError
from support import gold

WHY = Evidence("test", 1.0)


@pytest.mark.parametrize("name", gold.EDITIONS)
def test_the_gold_editions_are_valid(name):
    validate(gold.document(name))


def broken(**layers) -> Document:
    """Quinze with some layers changed by functions of their items."""
    document = gold.document("quinze")
    items = {name: tuple(layers.get(name, lambda i: i)(given)) for name, given in document.layers.items()}
    return replace(document, layers=items)


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ({"clauses": lambda u: u[1:]}, "quinze at character 0: the character 'O' belongs to no unit"),
        ({"clauses": lambda u: (*u, u[0])}, "quinze at character 0: .* overlaps another unit"),
        ({"clauses": lambda u: (replace(u[0], id=u[1].id), *u[1:])}, r"the id 'quinze\.43' occurs 2 times"),
        ({"clauses": lambda u: (replace(u[0], spans=(Span(0, 10**6),)), *u[1:])}, "extends beyond the text"),
        (
            {"tag": lambda _: [Tag("quinze.99", "game", "quinze", (), "", WHY)]},
            "names the unit 'quinze.99', which",
        ),
        ({"tag": lambda _: [Tag("quinze.43", "game", "snap", (), "", WHY)]}, "the game 'snap' is not in its"),
        (
            {
                "references": lambda _: [
                    Reference("quinze.43", (), "art. 9", ("9",), "quinze.9", "exact", WHY)
                ]
            },
            "the reference 'art. 9' points to 'quinze.9'",
        ),
        ({"correct": lambda _: [Edit(Span(0, 2), "xx", "y", "correct", WHY)]}, "the raw text is 'On'"),
    ],
)
def test_each_violation_is_named(layers, message):
    with pytest.raises(StageError, match=message):
        validate(broken(**layers))
