"""Measures regularisation on pairs of old prints and modern editions.

    python pipeline/training/evaluate_regularise.py DATA_FOLDER [--errors N] [--half a|b]

DATA_FOLDER holds ``ru/pairs_dev.jsonl`` and ``ru/pairs_dev_extra.jsonl`` (fields ``prereform`` and
``modern``). The words of a pair are aligned, one to one or where word division differs up to three to
one; what has no counterpart, or a wholly different one, is a difference of the editions and is
counted apart. Capitals and ``ё``/``е`` do not count (modern editions write ё as they like); the
figure with ё is given beside. Half a (even rows) is for development, half b (odd rows) for control.
The gold editions under ``tests/golden/editions`` are measured from ``corrected`` to ``modern``.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rapidfuzz.distance import Levenshtein

from hoyle.languages import language
from hoyle.orthography.modernise import Change, regularise_text

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SKELETON = str.maketrans(
    {"ѣ": "е", "і": "и", "ѳ": "ф", "ѵ": "и", "ё": "е", "ъ": None, "-": None, "'": None, "’": None}
)
_STEPS = ((1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (1, 0), (0, 1))
_ALONE = 0.6  # cost of a word without counterpart
_DIVIDED = 0.1  # cost of another word division
_SAME = 0.5  # farther apart than this, two words are different words
EDITIONS = {
    "whist-lexicon": "ru-petr1708",
    "patience": "ru-petr1708",
    "quinze": "fr",
    "bridge-laws": "ru",
    "preference": "ru",
}


@dataclass
class Score:
    """Counts of aligned words."""

    words: int = 0
    right: int = 0
    right_with_yo: int = 0
    changing: int = 0
    changing_right: int = 0
    other_edition: int = 0
    errors: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def add(self, old: str, ours: str, gold: str) -> None:
        """Counts one aligned word: as printed, as made modern, as the modern edition has it."""
        right = _fold(ours) == _fold(gold)
        self.words += 1
        self.right += right
        self.right_with_yo += ours.lower() == gold.lower()
        if _fold(old) != _fold(gold):
            self.changing += 1
            self.changing_right += right
        if not right:
            self.errors[old.lower(), ours.lower(), gold.lower()] += 1

    def __str__(self) -> str:
        return (
            f"{self.words} words, {_percent(self.right, self.words)} right "
            f"({_percent(self.right_with_yo, self.words)} with ё as in the edition); {self.changing} change, "
            f"{_percent(self.changing_right, self.changing)} of them right; "
            f"{self.other_edition} left out (other words in the edition)"
        )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "–"


def _fold(text: str) -> str:
    return " ".join(text.lower().replace("ё", "е").replace("’", "'").split())


def align(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """The cheapest alignment of two rows of words, as ranges ``(i, j)`` of old and ``(k, l)`` of new."""
    a, b = ([word.lower().translate(_SKELETON) for word in words] for words in (old, new))
    best: dict[tuple[int, int], tuple[float, int, int]] = {(0, 0): (0.0, 0, 0)}
    for i in range(len(a) + 1):
        for k in range(len(b) + 1):
            if (i, k) not in best:
                continue
            for p, q in _STEPS:
                if i + p > len(a) or k + q > len(b):
                    continue
                cost = best[i, k][0] + _cost("".join(a[i : i + p]), "".join(b[k : k + q]), p, q)
                if cost < best.get((i + p, k + q), (float("inf"),))[0] - 1e-9:
                    best[i + p, k + q] = (cost, p, q)
    out, i, k = [], len(a), len(b)
    while i or k:
        _, p, q = best[i, k]
        out.append((i - p, i, k - q, k))
        i, k = i - p, k - q
    return out[::-1]


def _cost(old: str, new: str, p: int, q: int) -> float:
    if not p or not q:
        return _ALONE
    cost = Levenshtein.normalized_distance(old, new)
    if p != q:
        return cost + _DIVIDED if cost <= _SAME / 2 else float("inf")
    return cost


def apply(text: str, changes: Sequence[Change], start: int, end: int) -> str:
    """Characters ``[start, end)`` of the text with the changes made that touch them."""
    inside = [c for c in changes if c.start < end and c.end > start]
    low, high = min([start, *(c.start for c in inside)]), max([end, *(c.end for c in inside)])
    out, at = [], low
    for change in inside:
        out += [text[at : change.start], change.after]
        at = change.end
    return "".join([*out, text[at:high]])


def measure(pairs: Sequence[tuple[str, str]], tag: str) -> Score:
    """The score of regularisation on pairs (old, modern) that belong to one print."""
    score = Score()
    context = "\n".join(old for old, _ in pairs)
    for old, modern in pairs:
        changes = regularise_text(old, language(tag), context)
        a, b = (list(_WORD.finditer(text)) for text in (old, modern))
        for i, j, k, m in align([word[0] for word in a], [word[0] for word in b]):
            if i == j or k == m:
                score.other_edition += 1
                continue
            start, end = a[i].start(), a[j - 1].end()
            gold = modern[b[k].start() : b[m - 1].end()]
            if _cost(_bare(old[start:end]), _bare(gold), 1, 1) > _SAME:
                score.other_edition += 1
                continue
            score.add(old[start:end], apply(old, changes, start, end), gold)
    return score


def _bare(text: str) -> str:
    return text.lower().translate(_SKELETON).replace(" ", "")


def changed_per_thousand(texts: Sequence[str], tag: str) -> tuple[float, Counter[tuple[str, str]]]:
    """How many words of texts already modern are changed, of a thousand, and which."""
    changed: Counter[tuple[str, str]] = Counter()
    words = 0
    for text in texts:
        words += len(_WORD.findall(text))
        changed.update((text[c.start : c.end], c.after) for c in regularise_text(text, language(tag)))
    return 1000 * changed.total() / words, changed


def rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def editions(folder: Path) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Name, language tag and pairs (corrected, modern) of each gold edition."""
    for name, tag in EDITIONS.items():
        units = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))["units"]
        texts = [(u["corrected"], u.get("modern") or u["corrected"]) for u in units if u.get("corrected")]
        yield name, tag, texts


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--errors", type=int, default=30, help="how many of the commonest errors to list")
    parser.add_argument(
        "--half", choices="ab", help="list errors of this half only (a: even rows, b: odd rows)"
    )
    args = parser.parse_args()
    for name in ("pairs_dev", "pairs_dev_extra"):
        pairs = [(row["prereform"], row["modern"]) for row in rows(args.data / "ru" / f"{name}.jsonl")]
        halves = {"a": pairs[::2], "b": pairs[1::2]}
        for half, part in halves.items():
            print(f"{name} half {half}: {measure(part, 'ru-petr1708')}")
        whole = measure(halves.get(args.half, pairs), "ru-petr1708")
        print(f"{name}: {measure(pairs, 'ru-petr1708')}")
        for (old, ours, gold), count in whole.errors.most_common(args.errors):
            print(f"    {count} {old} → {ours}, edition {gold}")
        rate, changed = changed_per_thousand([modern for _, modern in pairs], "ru-petr1708")
        print(f"    modern side: {rate:.2f} words changed per 1000 {changed.most_common(12)}")
    for name, tag, texts in editions(Path(__file__).parents[2] / "tests" / "golden" / "editions"):
        score = measure(texts, tag)
        print(f"{name} ({tag}): {score}")
        for (old, ours, gold), count in score.errors.most_common(args.errors):
            print(f"    {count} {old} → {ours}, edition {gold}")


if __name__ == "__main__":
    main()
