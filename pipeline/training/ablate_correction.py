"""Ablation of the corrector: figures with one part left out, on files of {ocr, gold}.

    python pipeline/training/ablate_correction.py TAG FILE...

``all`` is the stage as it is. ``without profile`` gives tagger and lattice the profile of an average scan.
``without constraints`` considers all candidates. ``without lattice`` has only those that the tagger gives,
``without ranking`` carries out all of these from a probability of 0.5. ``without tagger`` has only the
lattice, which then finds the suspicious words itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from hoyle.correction import units
from hoyle.correction.candidate import Candidate
from hoyle.correction.channel import general_channel
from hoyle.correction.constraints import Constraints
from hoyle.correction.ranking import select
from hoyle.correction.tagger import character_profile
from hoyle.correction.units import score_units
from hoyle.evaluate.passages import Sample, group_passages, read_passages
from hoyle.evaluate.text import TextScore, score_text
from hoyle.languages import language

Choose = Callable[[Sequence[Candidate]], list[Candidate]]
"""The candidates of a unit that are left to select from."""


def _all(candidates: Sequence[Candidate]) -> list[Candidate]:
    return list(candidates)


def _without_lattice(candidates: Sequence[Candidate]) -> list[Candidate]:
    return [c for c in candidates if c.tagger]


def _without_ranking(candidates: Sequence[Candidate]) -> list[Candidate]:
    return [replace(c, probability=float(c.tagger >= 0.5)) for c in candidates]


@contextmanager
def _average_document() -> Iterator[None]:
    """Give every document the profile of an average scan."""

    def flat(*given: Any) -> Any:
        return np.zeros_like(character_profile(*given))

    with (
        mock.patch.object(units, "character_profile", flat),
        mock.patch.object(units, "estimate_channel", lambda language, *_: language.resource(general_channel)),
    ):
        yield


@contextmanager
def _no_tagger() -> Iterator[None]:
    with mock.patch.object(units, "tagger", return_value=None):
        yield


@contextmanager
def _no_constraints() -> Iterator[None]:
    with mock.patch.object(Constraints, "allows", return_value=True):
        yield


@contextmanager
def _unchanged() -> Iterator[None]:
    yield


ABLATIONS: dict[str, tuple[Callable[[], Any], Choose]] = {
    "all": (_unchanged, _all),
    "without profile": (_average_document, _all),
    "without constraints": (_no_constraints, _all),
    "without lattice": (_unchanged, _without_lattice),
    "without ranking": (_unchanged, _without_ranking),
    "without tagger": (_no_tagger, _all),
}


def figures(tag: str, documents: Sequence[Sample], choose: Choose) -> TextScore:
    """Score documents, corrected as ``choose`` says.

    Args:
        tag: the orthography.
        documents: passages with their gold.
        choose: selects the candidates of a unit.

    Returns:
        The counts of all passages together.
    """
    orthography = language(tag)
    min_probability = float(orthography.settings["correct"]["min_probability"])
    total = TextScore()
    for document, passages in documents:
        for scored, passage in zip(score_units(document, orthography), passages, strict=True):
            text, at = [], 0
            for c in select(scored.edited.text, choose(scored.candidates), min_probability):
                text += [scored.edited.text[at : c.start], c.after]
                at = c.end
            total += score_text(passage.ocr, "".join([*text, scored.edited.text[at:]]), passage.gold)
    return total


def main(arguments: list[str]) -> None:
    """Print a line for each file and ablation."""
    tag, *files = arguments
    for path in map(Path, files):
        documents = list(group_passages(replace(p, lang=tag) for p in read_passages(path, tag)))
        for name, (setting, choose) in ABLATIONS.items():
            with setting():
                score = figures(tag, documents, choose)
            print(
                f"{path.name:28s} {name:20s} CER {score.cer_before:.2f} → {score.cer_after:.2f},"
                f" broken {score.words_broken_per_1000:.2f} per 1000",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
