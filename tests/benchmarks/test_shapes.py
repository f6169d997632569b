"""Degenerate texts take time in proportion to their length: four times for four times the text."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from hoyle import loading
from hoyle.outputs.tei import tei_bytes
from hoyle.pipeline import run, stages

SHAPES: dict[str, Callable[[int], str]] = {
    "blanks": lambda n: f"1. Le joueur doit couper.\n{' ' * n}\n2. Le sort est libre.\n",
    "one long word": lambda n: f"1. Le joueur {'a' * n} doit couper.\n2. Le sort est libre.\n",
    "a row of marks": lambda n: f"1. Le joueur{'!' * n} doit couper.\n2. Le sort est libre.\n",
    "brackets": lambda n: f"1. Le joueur {'(' * (n // 2)}{')' * (n // 2)} doit couper.\n",
    "equal numbers": lambda n: "1. Le joueur doit couper.\n" * (n // 26),
    "one clause": lambda n: f"1. {'Le joueur doit couper les cartes. ' * (n // 34)}\n",
    "one line": lambda n: "Le joueur doit couper les cartes. " * (n // 34),
    "a long title": lambda n: f"{'RÈGLES DU JEU ' * (n // 14)}\n\n1. Le joueur doit couper.\n",
    "empty lines": lambda n: "1. Le joueur doit couper.\n" + "\n" * n + "2. Le sort est libre.\n",
}


def seconds(text: str) -> float:
    """Time of the processor from the text to its TEI."""
    begun = time.process_time()
    tei_bytes(run(loading.from_text(text, lang="fr"), stages()))
    return time.process_time() - begun


@pytest.mark.parametrize("shape", SHAPES)
def test_a_degenerate_text_takes_linear_time(shape):
    make = SHAPES[shape]
    seconds(make(1_000))  # whatever is loaded once
    assert seconds(make(40_000)) < 8 * max(seconds(make(10_000)), 0.1)
