"""Builds the lexica of pipeline/hoyle/resources from counted corpora.

    python pipeline/training/build_lexicon.py DATA_FOLDER [TAG ...]

DATA_FOLDER holds ``ru/freq_prereform.tsv.xz``, ``ru/corpus_ru_petr1708.txt.xz`` and
``fr/corpus_fr_1840_1920.txt.xz``. Only counts go into the lexica, no text. What is kept:

* Russian before 1918: a form of the frequency list if its modern spelling is a word for pymorphy3,
  or if the clean part of the corpus has it twice, or if it is frequent and not a likely misreading
  of a far more frequent form;
* French: a form met twice, plus its older spellings by ``languages/fr/spelling.tsv``;
* both: every word of the labels in ``schemas/vocabulary``, in all its cases where the language
  has them, so that the words of the games are known.
"""

from __future__ import annotations

import lzma
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import marisa_trie
import pymorphy3

from hoyle.facets import vocabularies
from hoyle.languages import language
from hoyle.orthography.variants import older_spellings
from hoyle.resources import STEPS
from hoyle.tables import data_file, vocabulary

WORD = re.compile(r"[^\W\d_]+(?:['’](?=\w))?")
_HYPHENED = re.compile(r"(?<![^\W\d_])([^\W\d_]+)-(?=([^\W\d_]+))")
LEAST_PAIRS = 2
"""How often two neighbouring words must be met to be kept as a pair."""
RESOURCES = data_file("resources")
GAME_TERM_COUNT = 1000
"""Count given to a word of the vocabulary of games: no corpus of novels speaks of them as rules do."""
OTHER_FORM_COUNT = 300
"""The same for its other forms."""
LEXICON = ("form", "modern", "count", "example")
"""Columns of ``lexicon.tsv``."""
OLD_SPELLING_SHARE = 0.02
"""Count of a generated older spelling, as a share of the count of the newer one."""
MISREAD = [
    ("п", "н"),
    ("п", "и"),
    ("н", "и"),
    ("ь", "ъ"),
    ("е", "с"),
    ("о", "с"),
    ("ѣ", "ъ"),
    ("з", "э"),
    ("ш", "щ"),
]
"""Pairs of letters that OCR takes for one another, to find misread forms among rare ones."""

OFTEN = ("пн", "пи")
"""What is read and what is printed: the misreadings that are most often left where they make a word."""
RARER = 73
"""How many times rarer it is in the transcribed part than in all: eight times what their sizes make."""


def main(arguments: list[str]) -> None:
    """Build the lexica named by tag, or all."""
    data = Path(arguments[0])
    makers = {"ru-petr1708": _russian, "fr": _french}
    for tag in arguments[1:] or makers:
        counts, lines, sources = makers[tag](data)
        total = sum(counts.values())
        _add_game_terms(counts, tag)
        _write(tag, counts, total, _pairs(lines, counts), sources)


def _russian(data: Path) -> tuple[Counter[str], Iterator[str], list[str]]:
    with lzma.open(data / "ru/freq_prereform.tsv.xz", "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    counts = Counter({form: int(count) for form, count, _, _ in rows})
    clean = Counter({form: int(count) for form, _, count, _ in rows})
    kept = Counter({f: n for f, n in counts.items() if _genuine(f, counts, clean)})
    sources = [
        (
            "ru/freq_prereform.tsv.xz: forms counted in Russian prints of 1839-1910 (free); "
            "of transcriptions under CC BY-SA among them only the counts are used"
        ),
        "ru/corpus_ru_petr1708.txt.xz: pairs of words counted in the same texts",
    ]
    return kept, _lines(data / "ru/corpus_ru_petr1708.txt.xz"), sources


def _genuine(form: str, counts: Counter[str], clean: Counter[str]) -> bool:
    """Whether a form of the Russian list is a word rather than a misread one.

    Args:
        form: the form.
        counts: how often each form is in the whole list, most of which was read by OCR.
        clean: how often it is in the part that was transcribed by people.
    """
    if not set(form) <= language("ru-petr1708").letters:
        return False
    known = any(_morph().word_is_known(m) for m in modern_spellings(form))
    if any(_is_misread(form, other, counts, clean, known=known) for other in _misreadings(form)):
        return False
    if len(form) <= 2:
        return counts[form] >= 100 and clean[form] > 0
    return known or clean[form] >= 2 or counts[form] >= 6


def _is_misread(form: str, other: str, counts: Counter[str], clean: Counter[str], *, known: bool) -> bool:
    """Whether ``form`` is likely only ever a misreading of ``other``.

    In the transcribed part a misreading is rarer, in proportion, than in the part read by OCR; a word
    of its own is about as frequent in both.
    """
    ratio = 10
    if known and len(form) > 3:
        ratio = 100 if form[-1] == "ѣ" else 25  # на лугѣ is rarer than лугъ, and right
    if clean[other] < 50 * clean[form]:
        return False
    return counts[other] >= ratio * counts[form] or _is_often_misread(form, other, counts, clean)


def _is_often_misread(form: str, other: str, counts: Counter[str], clean: Counter[str]) -> bool:
    """Whether ``form`` is met hardly anywhere but in the part read by OCR, where ``other`` is often read so.

    Whoever corrected that part with a dictionary left what is a word by itself: na read as pa (на, па),
    one time in ten.
    """
    changed = next(a + b for a, b in zip(form, other, strict=True) if a != b)
    if changed not in OFTEN or counts[other] < 3 * counts[form]:
        return False
    return counts[form] >= RARER * (clean[form] + 0.5)


def _misreadings(form: str) -> Iterator[str]:
    for a, b in MISREAD:
        for x, y in ((a, b), (b, a)):
            for i, letter in enumerate(form):
                if letter == x:
                    yield form[:i] + y + form[i + 1 :]


_TO_MODERN = str.maketrans({"ѣ": "е", "і": "и", "ї": "и", "ѳ": "ф", "ѵ": "и"})
_ENDINGS = [
    (re.compile(r"([жшщч])аго(ся)?$"), r"\1его\2"),
    (re.compile(r"аго(ся)?$"), r"ого\1"),
    (re.compile(r"яго(ся)?$"), r"его\1"),
    (re.compile(r"([ыи])я(ся)?$"), r"\1е\2"),
    (re.compile(r"^((?:по|не|без)?(?:ра|во|и|ни|бе|чере))з(?=[сптхцчшщкф])"), r"\1с"),
]


def modern_spellings(form: str) -> list[str]:
    """What a form of the old orthography may be in the present one; only to look it up."""
    base = form.translate(_TO_MODERN)
    found = [base.removesuffix("ъ")]
    for pattern, replacement in _ENDINGS:
        found += [pattern.sub(replacement, f) for f in found if pattern.search(f)]
    return found


@cache
def _morph() -> pymorphy3.MorphAnalyzer:
    return pymorphy3.MorphAnalyzer()


def _french(data: Path) -> tuple[Counter[str], Iterator[str], list[str]]:
    path = data / "fr/corpus_fr_1840_1920.txt.xz"
    counts: Counter[str] = Counter()
    for line in _lines(path):
        counts.update(words(line))
    kept = Counter({f: n for f, n in counts.items() if (n >= 2 and set(f) <= _french_letters()) or n >= 20})
    old: Counter[str] = Counter()
    rules = older_spellings(language("fr"))
    for form, count in kept.items():
        for pattern, replacement, needs in rules:
            if count < 5 or not pattern.search(form):
                continue
            if not needs or pattern.sub(needs, form) in kept:
                old[pattern.sub(replacement, form)] += count
    for form, count in old.items():
        kept[form] = max(kept[form], 1, round(count * OLD_SPELLING_SHARE))
    sources = [
        (
            "fr/corpus_fr_1840_1920.txt.xz: words and pairs of words counted in French novels of 1840-1920 "
            "(ELTeC, public domain)"
        ),
        "languages/fr/spelling.tsv: older spellings of the forms counted",
    ]
    return kept, _lines(path), sources


def _french_letters() -> frozenset[str]:
    return language("fr").letters | {"'"}


def words(line: str) -> list[str]:
    """The words of a line in small letters; an elided word keeps its apostrophe."""
    return [w.replace("’", "'") for w in WORD.findall(line.lower())]


def _lines(path: Path) -> Iterator[str]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from file


def _add_game_terms(kept: Counter[str], tag: str) -> None:
    """Give the words of games, and their other forms, a count at least."""
    for name in vocabularies():
        for concept in vocabulary(name).values():
            label, modern = concept.labels.get(tag, ""), concept.labels.get("ru", "")
            _add(kept, words(label), GAME_TERM_COUNT)
            _add(kept, _other_forms(label, modern, tag), OTHER_FORM_COUNT)
    for row in language(tag).table("lexicon", LEXICON):
        count = int(row["count"])
        _add(kept, words(row["form"]) if row["modern"] else [row["form"]], count)
        _add(kept, _other_forms(row["form"], row["modern"], tag) if row["modern"] else (), count // 3)


def _add(kept: Counter[str], forms: Iterable[str], count: int) -> None:
    for form in forms:
        kept[form] = max(kept[form], count)


def _other_forms(term: str, modern: str, tag: str) -> Iterator[str]:
    found = words(term)
    if tag == "ru-petr1708":
        if len(words(modern)) == len(found):
            for old, new in zip(found, words(modern), strict=True):
                yield from old_forms(old, new)
    else:
        yield from (word + "s" for word in found if word[-1] not in "sxz'" and len(word) > 1)


_VOWEL = re.compile("[аеиоуыэюяй]")
_NEW_ENDINGS = [
    (re.compile(r"и(?=[аеёиоуыэюя]|й)"), "і"),
    (re.compile(r"([жшщч])его(ся)?$"), r"\1аго\2"),
    (re.compile(r"его(ся)?$"), r"яго\1"),
    (re.compile(r"ого(ся)?$"), r"аго\1"),
    (re.compile(r"([бвгджзклмнпрстфхцчшщ])$"), r"\1ъ"),
]


def old_forms(old: str, new: str) -> Iterator[str]:
    """All forms of a word in the orthography before 1918, by those of its present spelling.

    Args:
        old: one form in the old spelling (``взятка``, ``вистъ``).
        new: the same form in the present one.
    """
    new = new.replace("ё", "е")
    parse = _morph().parse(new)[0]
    if not parse.is_known or parse.tag.POS not in {"NOUN", "ADJF", "PRTF", "INFN", "VERB"}:
        return
    for form in parse.lexeme:
        word = form.word.replace("ё", "е")
        size = next(
            (i for i in range(min(len(new), len(word))) if new[i] != word[i]), min(len(new), len(word))
        )
        stem = old[:size]
        if stem.endswith("і") and not _VOWEL.match(word, size):
            stem = stem[:-1] + "и"
        if stem.translate(_TO_MODERN) != new[:size]:
            continue
        ending = word[size:]
        if form.tag.POS == "NOUN" and ending == "е" and {"sing"} & set(form.tag.grammemes):
            ending = "ѣ" if {"datv", "loct"} & set(form.tag.grammemes) else ending
        whole = stem + ending
        for pattern, replacement in _NEW_ENDINGS:
            if "го" not in pattern.pattern or form.tag.POS in {"ADJF", "PRTF"}:
                whole = pattern.sub(replacement, whole)
        yield whole
        if form.tag.POS in {"ADJF", "PRTF"} and whole.endswith(("ые", "іе")):
            yield whole[:-1] + "я"


def _pairs(lines: Iterable[str], counts: Counter[str]) -> Counter[str]:
    """Counts of neighbouring words (both listed, only a space between them) that occur often."""
    pairs: Counter[tuple[str, str]] = Counter()
    hyphened: Counter[tuple[str, str]] = Counter()
    for line in lines:
        for piece in re.split(r"[^\w\s'’]+", line.lower()):
            found = [w.replace("’", "'") for w in WORD.findall(piece)]
            pairs.update(p for p in pairwise(found) if p[0] in counts and p[1] in counts)
        hyphened.update(pair for pair in _HYPHENED.findall(line.lower()))
    kept = Counter({f"{a} {b}": n for (a, b), n in pairs.items() if n >= LEAST_PAIRS})
    return kept | Counter({f"{a}-{b}": n for (a, b), n in hyphened.items() if n >= LEAST_PAIRS})


def _write(tag: str, counts: Counter[str], total: int, pairs: Counter[str], sources: list[str]) -> None:
    name = tag.replace("-", "_")
    _write_trie(f"lexicon_{name}", counts)
    _write_trie(f"bigrams_{name}", pairs)
    letters = "".join(sorted({letter for form in counts for letter in form}))
    (RESOURCES / f"trigrams_{name}.counts").write_bytes(_trigrams(counts, letters))
    quoted = ",\n".join(f'    "{s}"' for s in sources)
    note = f"""\
# What lexicon_{name}, bigrams_{name} and trigrams_{name} were counted from.
command = "python pipeline/training/build_lexicon.py DATA_FOLDER {tag}"
sources = [
{quoted},
    "schemas/vocabulary: words of labels ({GAME_TERM_COUNT} at least), other forms ({OTHER_FORM_COUNT})",
    "languages/{tag}/lexicon.tsv: words of games (the count given there at least), other forms (a third)",
]
forms = {len(counts)}
tokens = {total} # of the corpora
pairs = {len(pairs)} # met {LEAST_PAIRS} times or more
letters = "{letters}"
"""
    (RESOURCES / f"lexicon_{name}.toml").write_text(note, encoding="utf-8")
    print(f"{tag}: {len(counts)} forms, {total} tokens, {len(pairs)} pairs")


def _write_trie(name: str, counts: Counter[str]) -> None:
    trie = marisa_trie.Trie(sorted(counts))
    fresh = RESOURCES / f"{name}.marisa.new"  # the old file may be mapped into memory elsewhere
    trie.save(str(fresh))
    fresh.replace(RESOURCES / f"{name}.marisa")
    quantised = bytearray(len(counts))
    for key, count in counts.items():
        quantised[trie[key]] = 1 + round(STEPS * math.log2(max(1, count)))
    (RESOURCES / f"{name}.counts").write_bytes(bytes(quantised))


def _trigrams(counts: Counter[str], letters: str) -> bytes:
    """Dense table of ``-8·log2 P(c|a b)``, words weighed by the logarithm of their counts."""
    code = {letter: i + 1 for i, letter in enumerate(letters)}
    width = len(letters) + 1
    three = [0.0] * width**3
    two = [0.0] * width**2
    one = [0.0] * width
    for form, count in counts.items():
        weight = 1 + math.log(max(1, count))
        codes = [0, 0, *(code[letter] for letter in form), 0]
        for a, b, c in zip(codes, codes[1:], codes[2:], strict=False):
            three[(a * width + b) * width + c] += weight
            two[b * width + c] += weight
            one[c] += weight
    total = sum(one)
    table = bytearray()
    for a in range(width):
        for b in range(width):
            context = sum(three[(a * width + b) * width : (a * width + b) * width + width])
            after = sum(two[b * width : b * width + width])
            for c in range(width):
                backed = (two[b * width + c] + 10 * (one[c] + 1) / (total + width)) / (after + 10)
                p = (three[(a * width + b) * width + c] + 10 * backed) / (context + 10)
                table.append(min(255, round(-STEPS * math.log2(p))))
    return bytes(table)


if __name__ == "__main__":
    main(sys.argv[1:])
