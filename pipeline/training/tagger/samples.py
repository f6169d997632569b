"""Draws windows of noisy text with their labels, and codes them for the tagger."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from data import Material
from noise import Noise, corrupt
from numpy.typing import NDArray
from pairs import Pair
from script import Script, Segment, script, segments

from hoyle.correction.tagger import CharacterProfile, character_profile, frequency_classes, normalise_signs
from hoyle.resources import Lexicon

LENGTH = 192
"""Characters of a window."""

BATCH = 24

TOGETHER = 6
"""Passages of a document at most."""

BLIND = 0.15
"""Share of the windows whose profile is kept from the tagger, so that it can do without."""

REAL = 0.35
"""Share of the documents that an engine has read, rather than a profile misread."""

EVEN = 0.4
"""Sets of real pairs are drawn by their size to this power: at 1 each pair alike, at 0 each set alike."""

ALONE = 0.07
"""Share of the documents in another orthography."""

IGNORE = -100
"""Label that the loss passes over."""

Codes = NDArray[np.int64]
Batch = tuple[Codes, Codes, NDArray[np.float32], Codes, Codes]
"""Characters, classes of words, profiles, what becomes, what follows."""

Window = tuple[Script, CharacterProfile]
"""A piece of a document, and the document's profile."""

LABELS = {
    "ru-petr1708": ("{n}.", "{n})", "§ {n}.", "§ {n}.", "Ст. {n}.", "{r}."),
    "fr": ("{n}.", "Art. {n}.", "ART. {n}.", "{n}°", "§ {n}.", "{n} —", "{r}."),
}
"""How clauses are labelled in print, put before some windows."""

_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


@dataclass(frozen=True)
class Alphabet:
    """Characters that are told apart in the text (from class 2 on) and that may be put (likewise)."""

    inputs: str
    outputs: str

    @classmethod
    def of(cls, material: Material, sample: int = 6000) -> Alphabet:
        """The characters of the material that are met often enough to be learnt."""
        printed = Counter[str]()
        for text in material.clean[:sample]:
            printed.update(text)
        for pairs in material.pairs.values():
            for pair in pairs[:sample]:
                printed.update(pair.gold)
        outputs = [
            c for c, n in sorted(printed.items(), key=lambda e: (-e[1], e[0])) if n >= 15 and c != "\n"
        ]
        read = Counter(c for pairs in material.pairs.values() for pair in pairs for c in pair.ocr)
        more = [c for c, n in sorted(read.items()) if n >= 3 and c not in outputs and c != "\n"]
        extra = "ђ¬^*‘’'®$%&={}|_\\/~ѣѢђѵёіІiιτρπμβκδνABCEHIKMOPTXacegilmnoprstuxyzłſ•■°«»…„“”"
        outputs = outputs[:220]
        inputs = dict.fromkeys([*outputs, *more[:150], *extra])
        return cls("".join(inputs), "".join(outputs))


class Sampler:
    """An endless stream of batches.

    Args:
        material: the texts.
        noise: makes OCR of the clean ones.
        alphabet: codes characters.
        lexicon: tells how common words are.
        tag: the orthography.
        seed: of this stream.
    """

    def __init__(
        self, material: Material, noise: Noise, alphabet: Alphabet, lexicon: Lexicon, tag: str, seed: int
    ) -> None:
        self._material, self._noise, self._lexicon, self._tag = material, noise, lexicon, tag
        self._in = {c: i + 2 for i, c in enumerate(alphabet.inputs)}
        self._out = {c: i + 2 for i, c in enumerate(alphabet.outputs)}
        self._rng = random.Random(seed)
        self._sets = sorted(material.pairs)
        sizes = (sum(len(pair.gold) for pair in material.pairs[name]) for name in self._sets)
        self._weights = [size**EVEN for size in sizes]

    def batches(self) -> Iterator[Batch]:
        """Batches of windows of like length."""
        windows = self._windows()
        while True:
            some = sorted((next(windows) for _ in range(BATCH * 10)), key=lambda w: len(w[0].text))
            order = list(range(0, len(some), BATCH))
            self._rng.shuffle(order)
            for i in order:
                yield self._coded(some[i : i + BATCH])

    def _windows(self) -> Iterator[Window]:
        """Pieces of one document after another."""
        rng = self._rng
        while True:
            passages = [script(_plain(parts)) for parts in self._document(rng.randint(1, TOGETHER))]
            profile = character_profile((p.text for p in passages), self._in, len(self._in) + 2)
            for passage in passages:
                window = self._window(passage)
                if len(window.text) > 8:
                    yield window, np.zeros_like(profile) if rng.random() < BLIND else profile

    def _document(self, size: int) -> Iterator[list[Segment]]:
        """Passages misread in one way: real ones, ones to be left alone, clean ones misread."""
        rng, chance = self._rng, self._rng.random()
        if chance < REAL:
            pairs = self._material.pairs[rng.choices(self._sets, self._weights)[0]]
            at = rng.randrange(max(1, len(pairs) - size))
            for pair in pairs[at : at + size]:
                yield segments(*pair)
        elif chance < REAL + ALONE and self._material.alone:
            for _ in range(size):
                text = self._cut(rng.choice(self._material.alone))
                yield [Segment(text, text)]
        else:
            layers = self._noise.profile(rng)
            for _ in range(size):
                yield corrupt(self._passage(), rng, layers)

    def _passage(self) -> str:
        text = self._cut(self._rng.choice(self._material.clean))
        if self._rng.random() < 0.12:
            n, r = self._rng.randint(1, 150), self._rng.choice(_ROMAN)
            text = self._rng.choice(LABELS[self._tag]).format(n=n, r=r) + " " + text
        return text

    def _cut(self, text: str) -> str:
        at = self._rng.randrange(max(1, len(text) - LENGTH)) if self._rng.random() < 0.8 else 0
        at = text.rfind(" ", 0, at) + 1
        return text[at : at + LENGTH + 20]

    def _window(self, full: Script) -> Script:
        at = max(0, len(full.text) - LENGTH)
        at = self._rng.randrange(at + 1) if self._rng.random() < 0.5 else 0
        end = at + LENGTH
        return Script(full.text[at:end], full.becomes[at:end], full.after[at:end])

    def _coded(self, some: list[Window]) -> Batch:
        shape = (len(some), max(len(s.text) for s, _ in some))
        chars, known = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        becomes, after = np.full(shape, IGNORE, np.int64), np.full(shape, IGNORE, np.int64)
        for i, (sample, _) in enumerate(some):
            n = len(sample.text)
            chars[i, :n] = [self._in.get(c, 1) for c in sample.text]
            known[i, :n] = self._forgotten(frequency_classes(sample.text, self._lexicon))
            becomes[i, :n] = [
                0 if new == old else self._out.get(new, 0) if new else 1
                for new, old in zip(sample.becomes, sample.text, strict=True)
            ]
            after[i, :n] = [self._out.get(new, 0) if new else 0 for new in sample.after]
        return chars, known, np.stack([profile for _, profile in some]), becomes, after

    def _forgotten(self, classes: list[int]) -> list[int]:
        """Some rarer words made unknown: texts of games have words that no corpus has."""
        out, last, drop = [], -1, False
        for value in classes:
            if value != last:
                last, drop = value, value <= 2 and self._rng.random() < 0.05
            out.append(0 if drop else value)
        return out


def _plain(parts: Iterable[Segment]) -> list[Segment]:
    """The segments with the usual shapes of their signs, as the tagger is given them."""
    return [Segment(*map(normalise_signs, part)) for part in parts]


def sound(pairs: list[Pair], count: int) -> list[Pair]:
    """The first pairs that differ, to be measured on."""
    return [p for p in pairs if p.ocr != p.gold][:count]
