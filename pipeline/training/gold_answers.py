"""Reads annotations and the passages they are on, finds their faults, and writes them as gold.

A *passage* (item) and an *answer* are JSON objects; docs/annotation.md says what the facets mean.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from hoyle.errors import HoyleError
from hoyle.tables import vocabulary

Record = Mapping[str, Any]

FACETS = ("rule", "game", "modality", "actors", "offences", "penalties", "conditions")
"""The facets of an answer, as a reader names them in ``unsure``."""

KEYS = (*FACETS, "modality_also")
"""What an answer holds for the facets, each settled as a whole."""


def answers(folder: Path) -> dict[str, dict[str, Any]]:
    """The items or answers of all files of a folder, by id.

    Args:
        folder: holds JSON files, each a list of objects with an ``id``.

    Returns:
        The objects in the order of the files' names.

    Raises:
        HoyleError: a file is no such list, or an id stands twice.
    """
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("*.json")):
        try:
            entries = json.loads(path.read_text(encoding="utf-8"))
            pairs = [(entry["id"], entry) for entry in entries]
        except (ValueError, TypeError, KeyError) as error:
            raise HoyleError(
                f"is no JSON list of objects with an id ({error})", document=str(path)
            ) from error
        for ident, entry in pairs:
            if ident in found:
                raise HoyleError(f"the id {ident} stands twice in {folder}", document=str(path))
            found[ident] = entry
    return found


@lru_cache(maxsize=1)
def _unpacked(data: bytes) -> str:
    """The text of a compressed file; the last is kept, since a work's passages follow one another."""
    return lzma.decompress(data).decode("utf-8")


def passage(shared: Path, item: Record) -> str:
    """The words an item points to.

    Args:
        shared: the folder that ``item["file"]`` is relative to.
        item: ``file``, ``sha256``, ``start``, ``end`` (characters, end exclusive) and, if the offsets count
            within one line or one field of a line's JSON object, ``record`` (from 0) and ``field``.

    Returns:
        The passage.

    Raises:
        HoyleError: the file is not the one the offsets were counted in.
    """
    data = (shared / item["file"]).read_bytes()
    if hashlib.sha256(data).hexdigest() != item["sha256"]:
        raise HoyleError(
            "is another file than the gold was made on (its SHA-256 differs)", document=item["file"]
        )
    text = _unpacked(data) if item["file"].endswith(".xz") else data.decode("utf-8")
    if "record" in item:
        text = text.split("\n")[item["record"]]
    if "field" in item:
        text = json.loads(text)[item["field"]]
    return text[item["start"] : item["end"]]


def faults(item: Record, answer: Record) -> list[str]:
    """What is wrong with an answer: missing keys, unknown ids, words that are not in the passage.

    Args:
        item: the passage, with its ``text``.
        answer: one reader's answer.

    Returns:
        One line for each fault, none if the answer is in order.
    """
    keys = (*KEYS, "unsure")
    if missing := [key for key in keys if key not in answer]:
        return [f"lacks {', '.join(missing)}"]
    found = []
    quoted = [
        (key, entry.get("quote")) for key in ("actors", "offences", "penalties") for entry in answer[key]
    ]
    for key, quote in [*quoted, *(("conditions", words) for words in answer["conditions"])]:
        if not isinstance(quote, str) or quote not in item["text"]:
            found.append(f"{key}: {quote!r} does not stand in the passage")
    used = {
        "games": [answer["game"]] if answer["game"] is not None else [],
        "modalities": [answer["modality"], *answer["modality_also"]] if answer["rule"] else [],
        "actors": [entry.get("id") for entry in answer["actors"]],
        "offences": [entry.get("id") for entry in answer["offences"]],
        "penalties": [entry.get("type") for entry in answer["penalties"]],
    }
    for name, ids in used.items():
        found += [f"{name}: no id {ident!r}" for ident in ids if ident not in vocabulary(name)]
        if len(set(ids)) < len(ids) and name != "penalties":
            found.append(f"{name}: an id stands twice")
    for entry in answer["penalties"]:
        if entry.get("against") not in {None, *used["actors"]}:
            found.append(f"penalties: against {entry.get('against')!r} is not among the actors")
    values = [answer[key] for key in keys if key not in ("rule", "unsure")]
    if answer["rule"] is not True and (answer["rule"] is not False or any(values)):
        found.append("rule: must be true or false, and where it is false all else is empty")
    if not set(answer["unsure"]) <= {*FACETS, "against"}:
        found.append(f"unsure: {answer['unsure']} names something that is no facet")
    return found


def place(item: Record, words: str) -> tuple[int, int]:
    """Where the words stand in the passage (characters; their first occurrence)."""
    start = item["text"].index(words)
    return start, start + len(words)


def gold(item: Record, answer: Record) -> dict[str, Any]:
    """A settled answer without the words: ids, and offsets that count as the item's ``start`` does.

    Args:
        item: the passage.
        answer: its settled answer.

    Returns:
        Where the passage stands, the facets, and for each facet that was decided whom the decision followed.
    """

    def at(words: str) -> dict[str, int]:
        start, end = place(item, words)
        return {"start": item["start"] + start, "end": item["start"] + end}

    places = {
        key: item[key] for key in ("id", "file", "record", "field", "start", "end", "lang") if key in item
    }
    facets = {key: answer[key] for key in ("rule", "game", "modality", "modality_also")}
    marked = {key: [{"id": e["id"], **at(e["quote"])} for e in answer[key]] for key in ("actors", "offences")}
    penalties = [{"type": e["type"], "against": e["against"], **at(e["quote"])} for e in answer["penalties"]]
    return {
        **places,
        **facets,
        **marked,
        "penalties": penalties,
        "conditions": [at(w) for w in answer["conditions"]],
        "settled": answer["settled"],
    }


def write(
    items: Mapping[str, Record], made: Mapping[str, Record], split: Mapping[str, str], out: Path
) -> None:
    """Write ``OUT/<work>.json``: the part the work belongs to, the checksums, and the items.

    Args:
        items: the passages by id.
        made: the settled answers by id.
        split: ``develop`` or ``held`` by work.
        out: the folder; it is made if need be.
    """
    out.mkdir(parents=True, exist_ok=True)
    for work in dict.fromkeys(item["work"] for item in items.values()):
        mine = [item for item in items.values() if item["work"] == work]
        files = {item["file"]: item["sha256"] for item in mine}
        whole = {"work": work, "split": split[work], "files": files}
        text = json.dumps(
            {**whole, "items": [gold(i, made[i["id"]]) for i in mine]}, ensure_ascii=False, indent=1
        )
        (out / f"{work}.json").write_text(text + "\n", encoding="utf-8")
