"""What the tagger is trained on: clean text, modern text that must be left alone, aligned real pairs.

Nothing that shares six words in a row with the texts of ``against`` (the sets it is measured on) is used.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import lzma
import random
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pairs import Pair, read_pairs
from rapidfuzz.distance import Levenshtein

from hoyle.languages import language
from hoyle.orthography.variants import older_spellings
from hoyle.resources import Lexicon
from hoyle.tables import read_table

WORD = re.compile(r"[^\W\d_]+")

GRAM = 6
"""Words in a row that no training text may share with a text it is measured on."""

TOGETHER = 100
"""Paragraphs of a corpus that are judged together."""

MISREAD = 0.006
"""Share of misread words from which on a stretch of a corpus is not trained on."""

SCANS = {"ru-petr1708": ("ru/civil_dev.jsonl",), "fr": ("fr/prints_dev.jsonl", "fr/prints18_dev.jsonl")}
"""Scans of old prints beside their transcription; each record names its print as ``doc``."""

LEFT_OUT = {"ru-petr1708": 2, "fr": 3}
"""One print in so many is not trained on, but measured."""

IN_ORDER = {"ru-petr1708"}
"""Languages whose scans give the lines of a page in their order."""

Gram = tuple[str, ...]


@dataclass
class Material:
    """Training texts of one orthography.

    Attributes:
        clean: paragraphs of the orthography.
        alone: paragraphs in another orthography, to be left alone.
        pairs: by set, real OCR and its print.
        held: pairs of the same kind that are kept back, by set.
    """

    clean: list[str]
    alone: list[str] = field(default_factory=list)
    pairs: dict[str, list[Pair]] = field(default_factory=dict)
    held: dict[str, list[Pair]] = field(default_factory=dict)


def grams(text: str) -> Iterator[Gram]:
    """Runs of :data:`GRAM` words in small letters."""
    words = [w.lower() for w in WORD.findall(text)]
    return (tuple(words[i : i + GRAM]) for i in range(len(words) - GRAM + 1))


def forbidden(paths: Iterable[Path]) -> set[Gram]:
    """The runs of words of the files that the training must not see."""
    return {g for path in paths for g in grams(path.read_text(encoding="utf-8"))}


def material(
    folder: Path,
    tag: str,
    lexicon: Lexicon,
    against: set[Gram],
    characters: int,
    first: int = 0,
    rendered: Iterable[Path] = (),
) -> Material:
    """Everything for the orthography ``tag``.

    Args:
        folder: holds ``ru/`` and ``fr/`` with corpora and pairs.
        tag: ``ru-petr1708`` or ``fr``.
        lexicon: its lexicon, to find misread words in the corpus.
        against: runs of words to keep out.
        characters: of the corpus that are wanted.
        first: 0 for the half of the corpus that is trained on, 1 for the other.
        rendered: pairs of pages that ``render.py`` has made of that half.
    """
    make = {"ru-petr1708": _russian, "fr": _french}[tag]
    found = make(folder, lexicon, against, characters, first)
    pages = (folder / language(tag).base / "render_train.jsonl.xz", *rendered)
    lines = (unbroken(pair) for path in pages for pair in read_pairs(path))
    found.pairs["render"] = _usable(lines, lexicon, against)
    scans = {Path(name).stem: split_scans(folder, tag, name) for name in SCANS[tag]}
    for name, (_, held) in scans.items():
        found.held[name] = list(held.values())
        against = against.union(*(grams(pair.gold) for pair in held.values()))
    for name, (trained, _) in scans.items():
        found.pairs[name] = _usable(trained.values(), lexicon, against)
    return found


Scans = dict[str, Pair]
"""Pairs of scans by the name of the record; ``PRINT-NUMBER``."""


def split_scans(folder: Path, tag: str, name: str) -> tuple[Scans, Scans]:
    """Pairs of scans of prints, as running text: those to train on, those to measure.

    A print is on one side with all of its pairs: one print in :data:`LEFT_OUT`, in the order of the hashes
    of their names, is measured.
    """
    with (folder / name).open(encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    prints = sorted({r["doc"] for r in records}, key=lambda doc: hashlib.sha256(doc.encode()).hexdigest())
    left_out = set(prints[:: LEFT_OUT[tag]])
    sides: tuple[Scans, Scans] = {}, {}
    for record in records:
        pair = Pair(*(unicodedata.normalize("NFC", record[side]) for side in ("ocr", "gold")))
        made = unbroken(pair) if tag in IN_ORDER else whole_words(pair)
        sides[record["doc"] in left_out][record["id"]] = made
    return sides


def _russian(folder: Path, lexicon: Lexicon, against: set[Gram], characters: int, first: int) -> Material:
    lines = _lines(folder / "ru" / "corpus_ru_petr1708.txt.xz", first, lambda text: is_sound(text, lexicon))
    clean = list(itertools.islice(_clean(lines, lexicon, against, _is_old_russian), characters // 400))
    found = Material(clean, [modern_russian(t) for t in clean[::8]])
    abbyy = _usable(read_pairs(folder / "ru" / "ocr_abbyy_dev.jsonl.xz"), lexicon, against)
    # Neighbouring snippets overlap, so they are kept back by hundreds.
    found.held["ocr_abbyy"] = [p for i, p in enumerate(abbyy) if _kept_back(f"abbyy{i // 400}")]
    found.pairs["ocr_abbyy"] = [p for i, p in enumerate(abbyy) if not _kept_back(f"abbyy{i // 400}")]
    held = set().union(*(grams(p.gold) for p in found.held["ocr_abbyy"]))
    found.pairs["ocr_abbyy"] = [p for p in found.pairs["ocr_abbyy"] if held.isdisjoint(grams(p.gold))]
    return found


def _french(folder: Path, lexicon: Lexicon, against: set[Gram], characters: int, first: int) -> Material:
    lines = _lines(folder / "fr" / "corpus_fr_1840_1920.txt.xz", first)
    clean = list(itertools.islice(_clean(lines, lexicon, against, lambda _: True), characters // 400))
    found = Material([older_french(t, lexicon) if i % 3 == 0 else t for i, t in enumerate(clean)])
    # Prints with ſ have spellings of their own, the older ones v and u by their place, too.
    found.clean[::9] = (positional_letters(classical_french(t)) for t in found.clean[::9])
    found.clean[3::9] = map(classical_french, found.clean[3::9])
    gallica = [p for p in read_pairs(folder / "fr" / "gallica_trictrac_dev.jsonl") if p.gold.strip()]
    split = len(gallica) * 3 // 4  # snippets stand in reading order: the last quarter is kept back
    found.held["gallica_trictrac"] = gallica[split:]
    found.pairs["gallica_trictrac"] = _usable(gallica[:split], lexicon, against)
    return found


def _lines(path: Path, first: int, sound: Callable[[str], bool] = bool) -> Iterator[str]:
    """Every second paragraph of a packed corpus, so that all of its works are met, in a drawn order.

    They are judged by hundreds (:data:`TOGETHER`), and those that are not ``sound`` left out.
    """
    chosen: list[str] = []
    with lzma.open(path, "rt", encoding="utf-8") as file:
        paragraphs = itertools.islice(file, first, None, 2)
        while some := [line.strip() for line in itertools.islice(paragraphs, TOGETHER)]:
            chosen += some if sound("\n".join(some)) else ()
    random.Random(1).shuffle(chosen)
    yield from chosen


def _clean(lines: Iterable[str], lexicon: Lexicon, against: set[Gram], fits: object) -> Iterator[str]:
    """Paragraphs of 60 characters and more in which hardly a word is unknown."""
    for line in lines:
        for piece in _pieces(line):
            words = [w.lower() for w in WORD.findall(piece)]
            rare = sum(lexicon.count(w) < 3 for w in words)
            if len(piece) < 60 or not words or rare > 0.03 * len(words) + 0.5 or not callable(fits):
                continue
            if any(is_misread(w, lexicon) for w in words) or not fits(piece):
                continue
            if against.isdisjoint(grams(piece)):
                yield piece


def _pieces(line: str) -> Iterator[str]:
    """Stretches of about 400 characters, cut at ends of sentences."""
    if re.search(r"[<>\[\]{}|\\]|http", line):
        return
    text = re.sub(r"\s+", " ", line)
    text = re.sub(r" +([,.)»])", r"\1", re.sub(r"([«(]) +", r"\1", text))
    at = 0
    while at < len(text):
        end = next((m.end() for m in re.finditer(r"[.!?…;:]\s", text[at + 350 : at + 700])), 400)
        end = at + 350 + end
        yield text[at:end].strip()
        at = end


_CONFUSED = ("пн", "нп", "ин", "ни", "ьъ", "ъь", "пи", "ип", "ъѣ", "ес", "се", "шщ", "ос", "лд", "еѣ")


def is_misread(word: str, lexicon: Lexicon) -> bool:
    """Whether a rare word is a far commoner one with one letter confused, so surely a fault of the corpus."""
    count = lexicon.count(word)
    if count > 60:
        return False
    for pair in _CONFUSED:
        printed, read = pair[0], pair[1]
        at = word.find(printed)
        while at >= 0:
            if lexicon.count(word[:at] + read + word[at + 1 :]) >= max(8, 15 * count):
                return True
            at = word.find(printed, at + 1)
    return False


def has_misread(text: str, lexicon: Lexicon) -> bool:
    """Whether some word of a text is surely misread."""
    return any(is_misread(w.lower(), lexicon) for w in WORD.findall(text))


def is_sound(text: str, lexicon: Lexicon) -> bool:
    """Whether hardly a word of a long text is misread, so that what is not seen there will be rare too."""
    words = [w.lower() for w in WORD.findall(text)]
    return sum(is_misread(w, lexicon) for w in words) < MISREAD * len(words)


def _is_old_russian(text: str) -> bool:
    latin = sum("a" <= c <= "z" for c in text)
    return latin < 0.2 * len(text) and (len(text) < 150 or text.count("ѣ") > 0.006 * len(text))


def _kept_back(key: str, share: int = 10) -> bool:
    return hashlib.sha256(key.encode()).digest()[0] % share == 0


def unbroken(pair: Pair) -> Pair:
    """A pair of lines as running text, as it is when layout has been undone: line ends are spaces."""
    ocr, gold = (re.sub(r"(?<=\w)[-¬]\n", "", text).replace("\n", " ") for text in pair)
    return Pair(ocr, gold)


_HYPHEN = re.compile(r"(\S*\w)[-¬]$")

FAR = 0.4
"""Share of the characters of a line from which on its reading is not a reading of it."""


def whole_words(pair: Pair) -> Pair:
    """A pair of lines, which need not follow each other, as running text without cut words and lost lines.

    The first part of a word that is cut at the end of a line is left out on both sides, and so are lines
    that were read as something else (:data:`FAR`).
    """
    kept = []
    for ocr, gold in zip(pair.ocr.split("\n"), pair.gold.split("\n"), strict=True):
        if _HYPHEN.search(gold) and " " in gold and " " in ocr:
            ocr, gold = ocr.rpartition(" ")[0], gold.rpartition(" ")[0]  # noqa: PLW2901
        if Levenshtein.distance(ocr, gold) <= FAR * len(gold):
            kept.append(Pair(ocr, gold))
    return Pair(" ".join(p.ocr for p in kept), " ".join(p.gold for p in kept))


def _usable(pairs: Iterable[Pair], lexicon: Lexicon, against: set[Gram]) -> list[Pair]:
    """Pairs worth learning from: their print is sound, and they are not about hyphens alone."""
    chosen = []
    for ocr, gold in pairs:
        if not len(gold) >= 12 or (ocr != gold and ocr.replace("-", "") == gold.replace("-", "")):
            continue
        if has_misread(gold, lexicon):
            continue
        if against.isdisjoint(grams(gold)):
            chosen.append(Pair(_set_tight(ocr), _set_tight(gold)))
    return chosen


def _set_tight(text: str) -> str:
    return re.sub(r" +([,.;:!?)»])", r"\1", text)


_MODERN = (
    (r"ъ(?!\w)", ""),
    (r"аго(?!\w)", "ого"),
    (r"яго(?!\w)", "его"),
    (r"([ыи])я(?!\w)", r"\1е"),
    (r"і", "и"),
    (r"І", "И"),
    (r"ѣ", "е"),
    (r"Ѣ", "Е"),
    (r"ѳ", "ф"),
    (r"Ѳ", "Ф"),
    (r"ѵ", "и"),
    (r"([вио]|[бр]а|чре|ра)з(?=[кпстфхцчшщ])", r"\1с"),
)


def modern_russian(text: str) -> str:
    """The text roughly in modern spelling: good enough to learn what is to be left alone."""
    for old, new in _MODERN:
        text = re.sub(old, new, text)
    return text


def older_french(text: str, lexicon: Lexicon) -> str:
    """The text with some of its words in an older spelling that the lexicon has.

    Of the ways to older spellings about half are used, drawn by the text itself.
    """
    rng = random.Random(text)
    rules = [rule for rule in older_spellings(language("fr")) if rng.random() < 0.5]

    def older(match: re.Match[str]) -> str:
        word = match.group()
        for rule in rules:
            made = rule.pattern.sub(rule.old, word, count=1)
            if len(word) > 4 and made != word and lexicon.count(made.lower()) > 0:
                return made
        return word

    return WORD.sub(older, text)


_POSITIONAL = (
    (r"\bu", "v"),  # vne, vn, vsage
    (r"\bU", "V"),
    (r"(?<=[^\W\d_])v", "u"),  # auoit, pouuoir
    (r"j", "i"),  # ie, iour, suiet
    (r"J", "I"),
)


def classical_french(text: str) -> str:
    """The text with & for "et" and words spelled as in prints of the 17th century.

    Of the rows of ``classical_fr.tsv`` about half are used, drawn by the text itself.
    """
    rng = random.Random(text)
    rules = [rule for rule in _classical() if rng.random() < 0.5]

    def older(match: re.Match[str]) -> str:
        word = match.group()
        for pattern, old in rules:
            word = pattern.sub(old, word, count=1)
        return word

    return re.sub(r"\bet\b", "&", WORD.sub(older, text))


@cache
def _classical() -> list[tuple[re.Pattern[str], str]]:
    path = Path(__file__).with_name("classical_fr.tsv")
    table = read_table(path, ("pattern", "old", "count", "example"))
    return [(re.compile(row["pattern"]), row["old"]) for row in table]


def positional_letters(text: str) -> str:
    """The text with u and v by their place in the word and i for j, as in French prints before about 1670."""
    for new, old in _POSITIONAL:
        text = re.sub(new, old, text)
    return text
