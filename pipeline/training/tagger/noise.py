"""Makes OCR of clean text, true to how engines fail: each document in its own consistent way.

Two sources of faults: confusions counted in aligned pairs (:class:`Counted`), and styles: of
``noise_<language>.tsv`` – what an engine does that lacks a letter, sets words apart, mixes alphabets – and of
``scans_<language>.tsv``, how the type of old prints is read (ſ as f, civil т as ш).
A :class:`Profile` is drawn for a document and then used for all of its passages.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from data import SCANS
from script import Segment, segments

from hoyle.tables import Row, read_table

COLUMNS = ("layer", "share", "rates", "print", "reads")

Hits = dict[int, tuple[str, str]]
"""By position in the clean text: what is printed there and what is read for it."""

Layer = Callable[[str, random.Random, Hits], None]

_WORD = re.compile(r"\w+")


class Counted:
    """How often each stretch of print was read as something else, counted in aligned pairs."""

    def __init__(self, pairs: Iterable[tuple[str, str]], longest: int = 3, least: int = 2) -> None:
        printed: Counter[str] = Counter()
        met: Counter[tuple[str, str]] = Counter()
        for ocr, gold in pairs:
            printed.update(gold)
            at = 0
            for part in segments(ocr, gold):
                if part.print != part.ocr and max(map(len, part)) <= longest:
                    met[_anchored(part, gold, at)] += 1
                at += len(part.print)
        self._by: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
        for (print_, ocr), count in sorted(met.items()):
            if print_ and count >= least:
                self._by[print_[0]].append((print_, ocr, count))
        self.rate = {c: min(0.95, sum(n for *_, n in v) / max(printed[c], 15)) for c, v in self._by.items()}

    def layer(self, scale: float, spare: str = "") -> Layer:
        """Faults at ``scale`` times the counted rates, none in the letters of ``spare``."""

        def hit(text: str, rng: random.Random, hits: Hits) -> None:
            for i, char in enumerate(text):
                rate = self.rate.get(char)
                if rate and rng.random() < rate * scale and char not in spare:
                    fit = [e for e in self._by[char] if text.startswith(e[0], i)]
                    if fit:
                        print_, ocr, _ = rng.choices(fit, [e[2] for e in fit])[0]
                        hits[i] = (print_, ocr)

        return hit


def _anchored(part: Segment, gold: str, at: int) -> tuple[str, str]:
    """A pure insertion is tied to the character before it."""
    if part.print or not at:
        return part.print, part.ocr
    return gold[at - 1], gold[at - 1] + part.ocr


def _string(cell: str) -> str:
    return cell.replace("∅", "")


@dataclass(frozen=True)
class Rule:
    """One row of a table of styles; ``print`` is a regular expression or what is done to words."""

    print: str
    reads: tuple[str, ...]
    weights: tuple[float, ...]
    rates: tuple[float, ...]

    @classmethod
    def of(cls, row: Row) -> Rule:
        """The rule a row states; ``reads`` lists readings, each with its weight after a colon."""
        reads, weights = [], []
        for cell in row["reads"].split():
            read, _, weight = cell.rpartition("=")
            reads.append(_string((read or weight).replace("␠", " ")))
            weights.append(float(weight) if read else 1.0)
        rates = tuple(float(r) for r in row["rates"].split())
        return cls(row["print"], tuple(reads), tuple(weights), rates)

    def drawn(self, rng: random.Random) -> Layer:
        """The rule as a layer of one document, which has a rate and a taste for some readings of its own."""
        weights = tuple(weight * rng.expovariate(1.0) for weight in self.weights)
        return replace(self, weights=weights).layer(rng.choice(self.rates))

    def layer(self, rate: float) -> Layer:
        """The rule as a layer that strikes with probability ``rate``."""
        if self.print.startswith("@"):
            return lambda text, rng, hits: _words(text, rng, hits, rate, self)

        def hit(text: str, rng: random.Random, hits: Hits) -> None:
            for match in re.finditer(self.print, text):
                if rng.random() < rate:
                    hits[match.start()] = (match.group(), rng.choices(self.reads, self.weights)[0])

        return hit


class Word(NamedTuple):
    """Characters ``[start, end)`` of a text."""

    text: str
    start: int
    end: int


Strike = Callable[[Word, random.Random, Rule], Hits]
"""What happens to a word that is struck."""


def _words(text: str, rng: random.Random, hits: Hits, rate: float, rule: Rule) -> None:
    strike = _WORDS[rule.print[1:]]
    for match in _WORD.finditer(text):
        if rng.random() < rate:
            hits.update(strike(Word(text, match.start(), match.end()), rng, rule))


def _put(word: Word, at: int, more: str) -> Hits:
    return {at: (word.text[at], word.text[at] + more)}


def _spaced(word: Word, rng: random.Random, _: Rule) -> Hits:
    share = rng.choice((0.9, 0.9, 0.4))
    hits: Hits = {}
    for i in range(word.start, word.end - 1) if word.end - word.start > 2 else ():
        if rng.random() < share:
            hits |= _put(word, i, " ")
    return hits


def _break(word: Word, rng: random.Random, rule: Rule) -> Hits:
    if word.end - word.start < 5:
        return {}
    return _put(word, rng.randrange(word.start + 1, word.end - 2), rng.choices(rule.reads, rule.weights)[0])


def _case(word: Word, rng: random.Random, _: Rule) -> Hits:
    i = rng.randrange(word.start, word.end)
    return {i: (word.text[i], word.text[i].swapcase())}


def _run_on(word: Word, _: random.Random, __: Rule) -> Hits:
    follows = word.text[word.end : word.end + 1] == " " and word.end < len(word.text) - 1
    return {word.end: (" ", "")} if follows else {}


def _lose(word: Word, rng: random.Random, _: Rule) -> Hits:
    if word.end - word.start < 4:
        return {}
    i = rng.randrange(word.start + 1, word.end)
    return {i: (word.text[i], "")}


def _speck(word: Word, rng: random.Random, rule: Rule) -> Hits:
    return _put(word, word.end - 1, rng.choices(rule.reads, rule.weights)[0])


def _alphabet(word: Word, rng: random.Random, rule: Rule) -> Hits:
    like = {entry[0]: entry[1:] for entry in rule.reads}
    places = [i for i in range(word.start, word.end) if word.text[i] in like]
    return {i: (word.text[i], rng.choice(like[word.text[i]])) for i in places if rng.random() < 0.9}


_WORDS: dict[str, Strike] = {
    "spaced": _spaced,
    "break": _break,
    "case": _case,
    "run-on": _run_on,
    "lose": _lose,
    "speck": _speck,
    "alphabet": _alphabet,
}


@dataclass
class Styles:
    """The styles of some tables, by group: of ``yat/ђ`` and ``yat/е`` a document has one at most."""

    groups: dict[str, list[tuple[float, list[Rule]]]] = field(default_factory=dict)

    @classmethod
    def read(cls, *paths: Path) -> Styles:
        """The styles of the files; the rows of a layer are switched on together."""
        layers: dict[str, tuple[float, list[Rule]]] = {}
        for row in (row for path in paths for row in read_table(path, COLUMNS)):
            layers.setdefault(row["layer"], (row.number("share"), []))[1].append(Rule.of(row))
        styles = cls()
        for name, layer in layers.items():
            styles.groups.setdefault(name.partition("/")[0], []).append(layer)
        return styles

    def draw(self, rng: random.Random) -> list[Layer]:
        """The layers of one document."""
        layers: list[Layer] = []
        for styles in self.groups.values():
            chance = rng.random()
            for share, rules in styles:
                chance -= share
                if chance < 0:
                    layers += [rule.drawn(rng) for rule in rules]
                    break
        return layers


@dataclass
class Noise:
    """Draws profiles of documents.

    Args:
        counted: confusions of the engines, each counted in pairs of its own.
        styles: the tables of styles.
        letters: letters whose faults are a document's style, not chance (ѣ, і).
    """

    counted: list[Counted]
    styles: Styles
    letters: str = ""

    def profile(self, rng: random.Random) -> list[Layer]:
        """The layers of one document: none in a quarter of them, next to none in some more."""
        chance = rng.random()
        if chance < 0.25:
            return []
        if chance < 0.35:
            return [c.layer(0.12, self.letters) for c in self.counted]
        scale = rng.choice((0.3, 0.6, 1.0, 1.0, 1.5))
        if chance < 0.6:
            return [rng.choice(self.counted).layer(scale)]
        chosen = [c.layer(scale * 0.7, self.letters) for c in self.counted if rng.random() < 0.7]
        return chosen + self.styles.draw(rng)


STYLED = {"ru-petr1708": "ѣіѢІ", "fr": ""}
"""Letters whose faults are the style of a whole document."""


def noise_for(tag: str, pairs: Mapping[str, Iterable[tuple[str, str]]]) -> Noise:
    """The noise of an orthography: its styles, and confusions counted in each set of pairs.

    Scans of old type are left out of the latter: they are styles, which few documents have.
    """
    tables = (f"{kind}_{tag.replace('-', '_')}.tsv" for kind in ("noise", "scans"))
    styles = Styles.read(*(Path(__file__).with_name(table) for table in tables))
    scans = {Path(name).stem for name in SCANS[tag]}
    return Noise([Counted(pairs[name]) for name in sorted(pairs.keys() - scans)], styles, STYLED[tag])


def corrupt(text: str, rng: random.Random, layers: Iterable[Layer]) -> list[Segment]:
    """The text as the layers of a profile read it; where two strike, the later one wins."""
    hits: Hits = {}
    for layer in layers:
        layer(text, rng, hits)
    parts: list[Segment] = []
    done = 0
    for at in sorted(hits):
        print_, ocr = hits[at]
        if at < done or print_ == ocr or not text.startswith(print_, at):
            continue
        if at > done:
            parts.append(Segment(text[done:at], text[done:at]))
        parts.append(Segment(print_, ocr))
        done = at + len(print_)
    if done < len(text):
        parts.append(Segment(text[done:], text[done:]))
    return parts
