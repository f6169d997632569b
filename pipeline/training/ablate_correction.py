"""What each part of the corrector is worth: figures with the part left out, on files of {ocr, gold}.

    python pipeline/training/ablate_correction.py TAG FILE...

``all`` is the stage as it is; ``without profile`` takes every document for one of an average scan (net and
lattice); ``without lattice`` asks the net alone; ``without gate`` makes whatever the net says with .5 or
more; ``without net`` leaves the lattice, which then finds its doubtful words itself.
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

from hoyle.correction import units as considered
from hoyle.correction.channel import general_channel
from hoyle.correction.lexical_acceptability import credible
from hoyle.correction.ranking import calibrated, proposals, sure
from hoyle.correction.tagger import profile_of
from hoyle.correction.tagger_edits import rewritings
from hoyle.correction.units import Considered, consider
from hoyle.correction.word_correction import Correction
from hoyle.evaluate.passages import Sample, read_passages, samples
from hoyle.evaluate.text import TextScore, score_text
from hoyle.languages import Language, language

Choose = Callable[[Language, Considered, float], list[Correction]]
"""What is corrected in a unit, given the orthography and the least probability."""


def _all(language: Language, one: Considered, least: float) -> list[Correction]:
    return sure(one.view.text, (calibrated(language, one.scan, c) for c in one.proposed), least)


def _net(language: Language, one: Considered) -> list[Correction]:
    """What the net proposes alone, with its own scores."""
    text = one.view.text
    made = (
        list(rewritings(text, one.tags, one.parts, language.lexicon, credible(language))) if one.tags else []
    )
    return list(proposals(text, made, [], "net"))


def _without_lattice(language: Language, one: Considered, least: float) -> list[Correction]:
    return sure(one.view.text, (calibrated(language, one.scan, c) for c in _net(language, one)), least)


def _without_gate(language: Language, one: Considered, _: float) -> list[Correction]:
    return sure(one.view.text, _net(language, one), 0.5)


@contextmanager
def _average() -> Iterator[None]:
    """Documents are taken for scans like any other."""

    def flat(*given: Any) -> Any:
        return np.zeros_like(profile_of(*given))

    with (
        mock.patch.object(considered, "profile_of", flat),
        mock.patch.object(considered, "profile", lambda lang, *_: lang.resource(general_channel)),
    ):
        yield


@contextmanager
def _netless() -> Iterator[None]:
    with mock.patch.object(considered, "tagger", return_value=None):
        yield


@contextmanager
def _as_it_is() -> Iterator[None]:
    yield


WAYS: dict[str, tuple[Callable[[], Any], Choose]] = {
    "all": (_as_it_is, _all),
    "without profile": (_average, _all),
    "without lattice": (_as_it_is, _without_lattice),
    "without gate": (_as_it_is, _without_gate),
    "without net": (_netless, _all),
}


def figures(tag: str, documents: Sequence[Sample], choose: Choose) -> TextScore:
    """The sums over documents, corrected as ``choose`` says."""
    orthography = language(tag)
    least = float(orthography.settings["correct"]["least"])
    total = TextScore()
    for document, passages in documents:
        for one, passage in zip(consider(document, orthography, calibrate=False), passages, strict=True):
            text, at = [], 0
            for c in choose(orthography, one, least):
                text += [one.view.text[at : c.start], c.after]
                at = c.end
            total += score_text(passage.ocr, "".join([*text, one.view.text[at:]]), passage.gold)
    return total


def main(arguments: list[str]) -> None:
    """Print a line for each file and way."""
    tag, *files = arguments
    for path in map(Path, files):
        documents = list(samples(replace(p, lang=tag) for p in read_passages(path, tag)))
        for name, (setting, choose) in WAYS.items():
            with setting():
                score = figures(tag, documents, choose)
            print(
                f"{path.name:28s} {name:16s} CER {score.cer_before:.2f} → {score.cer_after:.2f},"
                f" broken {score.broken_per_1000:.2f} per 1000",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
