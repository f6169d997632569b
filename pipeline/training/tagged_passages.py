"""Passages with gold tags, from every source that the tagger is trained or measured on."""

from __future__ import annotations

import json
import lzma
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from gold_answers import passage

from hoyle.tables import read_table, vocabulary

SENTENCES = Path(__file__).parents[2] / "tests" / "golden" / "tags"
GOLD = Path(__file__).parents[2] / "tests" / "gold"
COMPOSED = ("fr-1", "fr-3", "ru-1")
"""The composed texts to develop on; the other three are for figures taken once."""
CORPORA = {"fr": "data/fr/corpus_fr_1840_1920.txt.xz", "ru-petr1708": "data/ru/corpus_ru_petr1708.txt.xz"}
STEP, NEGATIVE, PARTS = 97, 200, 10
"""Every so many paragraphs of a corpus; how many are taken; and how many works they count as."""
FEWEST, MOST = 80, 1500
"""Characters of such a paragraph."""


@dataclass(frozen=True)
class GoldPassage:
    """A passage and its gold; ``None`` where a source does not annotate the facet."""

    source: str
    work: str
    lang: str
    text: str
    rule: bool
    game: str = ""
    modality: str = ""
    actor: frozenset[str] | None = frozenset()
    offence: frozenset[str] | None = frozenset()
    penalty: frozenset[str] | None = frozenset()
    against: frozenset[tuple[str, str]] = frozenset()

    def concepts(self, facet: str) -> frozenset[str] | None:
        """Return the concepts of ``actor``, ``offence`` or ``penalty``; ``None`` if not annotated."""
        found: frozenset[str] | None = getattr(self, facet)
        if self.source in ("edition", "sentence") and found and "player" in found:
            found |= {"any-player"}  # the editions call "he who" a player
        return found


def training_passages(shared: Path) -> list[GoldPassage]:
    """Return everything that may be learned from; ``shared`` is the folder of the texts."""
    gold = [*of_works(shared, "develop"), *composed(shared, COMPOSED), *editions(shared)]
    return [*gold, *sentences(), *negative(shared)]


def of_works(shared: Path, split: str) -> Iterator[GoldPassage]:
    """Yield the passages of ``tests/gold``.

    Args:
        shared: the folder that its files are relative to.
        split: ``develop`` or ``held``.

    Yields:
        The passages.
    """
    for path in sorted(GOLD.glob("*.json")):
        work = json.loads(path.read_text(encoding="utf-8"))
        for item in work["items"] if work["split"] == split else ():
            text = passage(shared, {**item, "sha256": work["files"][item["file"]]})
            pairs = [(one["type"], one["against"] or "") for one in item["penalties"]]
            yield GoldPassage(
                "gold", work["work"], item["lang"], text, rule=item["rule"], game=item["game"] or "",
                modality=item["modality"] or "", actor=frozenset(one["id"] for one in item["actors"]),
                offence=frozenset(one["id"] for one in item["offences"]),
                penalty=frozenset(kind for kind, _ in pairs), against=frozenset(pairs),
            )  # fmt: skip


def composed(shared: Path, names: tuple[str, ...]) -> Iterator[GoldPassage]:
    """Yield the clauses of composed texts.

    Args:
        shared: the folder that holds ``composed/``.
        names: the texts.

    Yields:
        The clauses.
    """
    for name in names:
        text = json.loads((shared / "composed" / f"{name}.json").read_text(encoding="utf-8"))
        lang = "ru-petr1708" if "petr" in text["orthography"] else text["lang"]
        game = text["game"] if text["game"] in vocabulary("games") else ""
        for clause in text["clauses"]:
            pairs = [(one["type"], one["against"] or "") for one in clause["penalties"]]
            yield GoldPassage(
                "composed", f"composed-{name}", lang, clause["text"], rule=True, game=game,
                modality=clause["modality"], actor=frozenset(clause["actors"]),
                offence=frozenset(clause["offences"]), penalty=frozenset(kind for kind, _ in pairs),
                against=frozenset(pairs),
            )  # fmt: skip


def editions(shared: Path) -> Iterator[GoldPassage]:
    """Yield the units of the five gold editions under ``shared``."""
    for path in sorted((shared / "gold").glob("*.json")):
        units = json.loads(path.read_text(encoding="utf-8"))["units"]
        whole = " ".join(unit.get("corrected") or "" for unit in units)
        cyrillic = sum("а" <= letter <= "я" for letter in whole) > len(whole) / 4
        lang = "fr" if not cyrillic else "ru-petr1708" if "ѣ" in whole else "ru"
        for unit in units:
            text = unit.get("corrected")
            if text and unit["type"] in ("clause", "paragraph", "footnote"):
                yield GoldPassage(
                    "edition", path.stem, lang, text, rule=True, game=_game(unit),
                    modality=unit.get("modality") or "", actor=_ids(unit, "actors", "id"), offence=None,
                    penalty=_ids(unit, "penalties", "type"),
                )  # fmt: skip


def _game(unit: dict[str, Any]) -> str:
    return unit["game"] if unit.get("game") in vocabulary("games") else ""


def _ids(unit: dict[str, Any], field: str, key: str) -> frozenset[str]:
    return frozenset(one if isinstance(one, str) else one[key] for one in unit.get(field) or ())


def sentences() -> Iterator[GoldPassage]:
    """Yield the sentences of ``tests/golden/tags``, written for the tables; each file counts as a work."""
    for path in sorted(SENTENCES.glob("*.tsv")):
        for row in read_table(path, ["lang", "game", "text", "tags"]):
            said = re.findall(r"(\w+):([\w-]+)", row["tags"])
            of = {facet: frozenset(value for kind, value in said if kind == facet) for facet, _ in said}
            yield GoldPassage(
                "sentence", path.stem, row["lang"], row["text"], rule=True, game=row["game"],
                modality=next(iter(of.get("modality", ())), ""), actor=of.get("actor", frozenset()),
                offence=of.get("offence", frozenset()) if path.stem.startswith("unseen") else None,
                penalty=of.get("penalty", frozenset()),
            )  # fmt: skip


def negative(shared: Path) -> Iterator[GoldPassage]:
    """Yield paragraphs of the period corpora, which are no rules; each corpus counts as several works."""
    quoted = {one.text.strip()[:FEWEST] for one in of_works(shared, "develop")}
    for lang, name in CORPORA.items():
        with lzma.open(shared / name, "rt", encoding="utf-8") as lines:
            found = [line.strip() for line in islice(lines, 0, None, STEP) if FEWEST < len(line) < MOST]
        random.Random(5).shuffle(found)
        for n, text in enumerate(text for text in found[:NEGATIVE] if text[:FEWEST] not in quoted):
            yield GoldPassage("corpus", f"{lang}-{n % PARTS}", lang, text, rule=False)
