"""Checks annotations, measures how far two readers agree, and writes the settled gold.

    gold_agreement.py check PACKAGES ANSWERS [--shared ../shared]
    gold_agreement.py compare PACKAGES FIRST SECOND [--split SPLIT] [--differences FILE]
    gold_agreement.py settle PACKAGES FIRST SECOND DECISIONS SPLIT OUT

PACKAGES holds passages (JSON lists of items), FIRST and SECOND the answers of the two readers (lists of
answers in files of the same names), DECISIONS a third reader's answers: the facets on which the two differ,
and those on which both are overruled. SPLIT says which works are developed on. What the facets mean is said
in docs/annotation.md.

Agreement is Cohen's kappa for what has one value an item (Cohen, "A coefficient of agreement for nominal
scales", 1960), and F1 between the readers for sets, which approaches kappa where the absent cases are
many (Hripcsak & Rothschild, "Agreement, the F-measure, and reliability in information retrieval", 2005).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gold_answers import KEYS, Record, answers, faults, passage, place, write

from hoyle.errors import HoyleError

OVERLAP = 0.5
"""Two quoted conditions are the same if they share this part of the longer one."""

LANGUAGES = {"all": "", "French": "fr", "Russian": "ru"}
PARTS = ("develop", "held")


def kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float:
    """Cohen's kappa of two readers.

    Args:
        pairs: for each item the value each reader gave.

    Returns:
        1 for full agreement, 0 for what chance would give (also for no items at all).
    """
    if not pairs:
        return 0.0
    observed = sum(a == b for a, b in pairs) / len(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    expected = sum(first[value] * second[value] for value in first) / len(pairs) ** 2
    return 1.0 if expected == 1.0 else (observed - expected) / (1 - expected)


def f1(pairs: Iterable[tuple[Collection[Hashable], Collection[Hashable]]]) -> float:
    """F1 of one reader's sets against the other's, over all items together; 1 where both are always empty."""
    both = total = 0
    for a, b in pairs:
        both += len(set(a) & set(b))
        total += len(set(a)) + len(set(b))
    return 2 * both / total if total else 1.0


def _ids(key: str) -> Callable[[Record], frozenset[Hashable]]:
    name = "type" if key == "penalties" else "id"
    return lambda answer: frozenset(entry[name] for entry in answer[key])


def hits(answer: Record) -> frozenset[Hashable]:
    """The penalties of an answer, each with the actor it hits."""
    return frozenset((entry["type"], entry["against"]) for entry in answer["penalties"])


def same_conditions(item: Record, a: Record, b: Record) -> int:
    """How many conditions two answers share: each of the first is paired with one of the second at most."""
    left = [place(item, words) for words in b["conditions"]]
    shared = 0
    for start, end in (place(item, words) for words in a["conditions"]):
        for other in left:
            longest = max(end - start, other[1] - other[0])
            if min(end, other[1]) - max(start, other[0]) >= OVERLAP * longest:
                left.remove(other)
                shared += 1
                break
    return shared


@dataclass(frozen=True)
class Row:
    """One line of the table of agreement.

    Attributes:
        facet: what is compared.
        measure: ``kappa`` or ``F1``.
        value: the agreement.
        count: the items compared for kappa; for F1 what both readers marked, added up.
    """

    facet: str
    measure: str
    value: float
    count: int


Pair = tuple[Record, Record, Record]
"""An item and the two answers."""

SINGLE: dict[str, Callable[[Record], Hashable]] = {
    "game": lambda answer: answer["game"],
    "modality": lambda answer: answer["modality"],
    "states an offence": lambda answer: bool(answer["offences"]),
    "states a penalty": lambda answer: bool(answer["penalties"]),
    "states a condition": lambda answer: bool(answer["conditions"]),
}
SETS: dict[str, Callable[[Record], frozenset[Hashable]]] = {
    "actors": _ids("actors"),
    "offences": _ids("offences"),
    "penalties": _ids("penalties"),
    "penalties and whom they hit": hits,
    "further modalities": lambda answer: frozenset(answer["modality_also"]),
}


def agreement(pairs: Sequence[Pair]) -> list[Row]:
    """How far two readers agree; all but ``rule`` is compared on the items that both call a rule.

    Args:
        pairs: items with both answers.

    Returns:
        A row for each facet.
    """
    rules = [(item, a, b) for item, a, b in pairs if a["rule"] and b["rule"]]
    rows = [Row("rule", "kappa", kappa([(a["rule"], b["rule"]) for _, a, b in pairs]), len(pairs))]
    for facet, one in SINGLE.items():
        rows.append(Row(facet, "kappa", kappa([(one(a), one(b)) for _, a, b in rules]), len(rules)))
    for facet, many in SETS.items():
        sets = [(many(a), many(b)) for _, a, b in rules]
        rows.append(Row(facet, "F1", f1(sets), sum(len(a) + len(b) for a, b in sets)))
    marked = sum(len(a["conditions"]) + len(b["conditions"]) for _, a, b in rules)
    shared = sum(same_conditions(*pair) for pair in rules)
    return [*rows, Row("conditions", "F1", 2 * shared / marked if marked else 1.0, marked)]


def differing(item: Record, a: Record, b: Record) -> list[str]:
    """The facets on which two answers differ; where they differ on ``rule`` nothing else is compared."""
    if a["rule"] != b["rule"]:
        return ["rule"]
    found = [facet for facet in ("game", "modality") if a[facet] != b[facet]]
    found += ["modality_also"] * (set(a["modality_also"]) != set(b["modality_also"]))
    found += [key for key in ("actors", "offences") if _ids(key)(a) != _ids(key)(b)]
    found += ["penalties"] * (hits(a) != hits(b))
    number = {len(a["conditions"]), len(b["conditions"])}
    return found + ["conditions"] * (number != {same_conditions(item, a, b)})


def settled(item: Record, a: Record, b: Record, decision: Record) -> dict[str, Any]:
    """The answer that is gold: what both readers say, except what a third has decided.

    Args:
        item: the passage.
        a: the first reader's answer; its words are taken where both mean the same.
        b: the second reader's answer.
        decision: the third reader's answer: all facets that differ (if ``rule`` does, all there are), and
            those on which a rule of the guidelines overrules both readers.

    Returns:
        A whole answer. ``settled`` names for each facet decided whom the third reader followed: ``first``,
        ``second``, ``neither`` where they differ, ``rule`` where both are overruled.

    Raises:
        HoyleError: a facet that differs is not decided, or the settled answer is faulty.
    """
    differ = differing(item, a, b)
    needed = KEYS if "rule" in differ else differ
    if missing := [key for key in needed if key not in decision]:
        raise HoyleError(
            f"the readers differ and nothing is decided on {', '.join(missing)}", document=item["id"]
        )
    answer = {**a, **{key: decision[key] for key in KEYS if key in decision}, "unsure": []}
    if found := faults(item, answer):
        raise HoyleError(f"the settled answer is faulty: {'; '.join(found)}", document=item["id"])
    from_first, from_second = differing(item, answer, a), differing(item, answer, b)
    followed = {
        facet: "first" if facet not in from_first else "second" if facet not in from_second else "neither"
        for facet in differ
    }
    overruled = {facet: "rule" for facet in from_first if facet not in differ}
    return {**answer, "settled": {**followed, **overruled}}


def _check(options: argparse.Namespace) -> int:
    items, given = answers(options.packages), answers(options.answers)
    lines = [f"{ident}: is in no package" for ident in given if ident not in items]
    for ident, answer in given.items():
        lines += [f"{ident}: {fault}" for fault in (faults(items[ident], answer) if ident in items else [])]
    if options.shared:
        moved = [item for item in items.values() if passage(options.shared, item) != item["text"]]
        lines += [f"{item['id']}: its offsets point to other words" for item in moved]
    print("\n".join([*lines, f"{len(given)} of {len(items)} items answered, {len(lines)} faults"]))
    return 1 if lines else 0


def _pairs(options: argparse.Namespace) -> list[Pair]:
    items, first, second = (answers(folder) for folder in (options.packages, options.first, options.second))
    return [(item, first[i], second[i]) for i, item in items.items() if i in first and i in second]


def _compare(options: argparse.Namespace) -> int:
    pairs = _pairs(options)
    groups = {
        name: [pair for pair in pairs if pair[0]["lang"].startswith(of)] for name, of in LANGUAGES.items()
    }
    if options.split:
        split = _split(options.split)
        groups |= {part: [pair for pair in pairs if split[pair[0]["work"]] == part] for part in PARTS}
    for name, group in groups.items():
        print(f"## {name}\n\n| facet | measure | agreement | of |\n|---|---|---|---|")
        for row in agreement(group):
            print(f"| {row.facet} | {row.measure} | {row.value:.2f} | {row.count} |")
    kept = ((item, a, b, differing(item, a, b)) for item, a, b in pairs)
    listed = [
        {"id": item["id"], "text": item["text"], "differ": facets, "first": a, "second": b}
        for item, a, b, facets in kept
        if facets
    ]
    often = Counter(facet for entry in listed for facet in entry["differ"])
    print(f"\n{len(listed)} of {len(pairs)} items differ: {dict(often)}")
    if options.differences:
        options.differences.write_text(json.dumps(listed, ensure_ascii=False, indent=1), encoding="utf-8")
    return 0


def _split(path: Path) -> dict[str, str]:
    parts: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))["works"]
    return parts


def _settle(options: argparse.Namespace) -> int:
    decisions = answers(options.decisions)
    pairs = _pairs(options)
    made, lines = {}, []
    for item, a, b in pairs:
        try:
            made[item["id"]] = settled(item, a, b, decisions.get(item["id"], {}))
        except HoyleError as error:
            lines.append(str(error))
    items = answers(options.packages)
    lines += [
        f"{ident}: only one reader has answered"
        for ident in items.keys() - {item["id"] for item, _, _ in pairs}
    ]
    if not lines:
        write(items, made, _split(options.split), options.out)
    print("\n".join([*lines, f"{len(made)} items settled, {len(lines)} open"]))
    often = Counter(pair for answer in made.values() for pair in answer["settled"].items())
    print("\n".join(f"{facet}: {whom} {count}" for (facet, whom), count in sorted(often.items())))
    return 1 if lines else 0


def main() -> int:
    """Run one of the three commands; what is wrong is printed, one line each, and the status is then 1."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    places = {
        "check": (_check, ("packages", "answers")),
        "compare": (_compare, ("packages", "first", "second")),
        "settle": (_settle, ("packages", "first", "second", "decisions", "split", "out")),
    }
    for name, (run, paths) in places.items():
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        for path in paths:
            command.add_argument(path, type=Path)
        if name == "check":
            command.add_argument("--shared", type=Path)
        if name == "compare":
            command.add_argument("--split", type=Path)
            command.add_argument("--differences", type=Path)
    options = parser.parse_args()
    status: int = options.run(options)
    return status


if __name__ == "__main__":
    sys.exit(main())
