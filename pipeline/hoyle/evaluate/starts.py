"""Where numbered clauses begin, measured on texts that have no other gold: ``{n, start}`` for each label.

A file ``ID.starts.json`` is a list of starts, or an object with ``starts`` and ``covers`` (the parts of the
text that they cover); ``start`` counts characters of ``../raw/ID.txt`` up to the first of the label, ``sub``
says that it is an item inside a clause, ``series`` and ``chapter`` that numbers come again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hoyle import loading
from hoyle.document import Clause
from hoyle.errors import SourceError
from hoyle.evaluate.score import Score
from hoyle.pipeline import run, stages

SUFFIX = ".starts.json"
GRACE = 6
"""Characters by which a start may lie beside the one in the file."""
_LAST = "clauses"


@dataclass(frozen=True, slots=True)
class StartsEvaluation:
    """The figures of one text.

    Attributes:
        lang: its detected language.
        starts: starts with the right number against those in the file.
        items: the same of items inside clauses; what is predicted counts in ``starts`` alone.
    """

    lang: str
    starts: Score
    items: Score

    def figures(self) -> dict[str, float]:
        """Every figure by name."""
        return {
            "starts_f1": self.starts.f1 if self.starts.gold or self.starts.predicted else 1.0,
            "starts_precision": self.starts.precision,
            "starts_recall": self.starts.recall,
            "items_recall": self.items.recall,
            "false_clauses": float(self.starts.predicted - self.starts.true_positives),
        }


def evaluate_starts(path: Path, root: Path) -> StartsEvaluation:
    """Segment the text of a file of starts, and measure what comes out. Nothing is corrected or tagged.

    Args:
        path: the file ``ID.starts.json``.
        root: the folder that holds ``corpus/`` and ``seeds/``.

    Raises:
        SourceError: the file is unreadable, or its text is not in ``../raw``.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        gold: list[dict[str, Any]] = data["starts"] if isinstance(data, dict) else data
        places = [(int(one["start"]), str(one["n"])) for one in gold]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SourceError(f"is no file of clause starts ({error!r})", document=str(path)) from error
    text = path.parent.parent / "raw" / f"{path.name.removesuffix(SUFFIX)}.txt"
    names = [stage.name for stage in stages()]
    document = run(loading.load(loading.Request(text), root), stages()[: names.index(_LAST) + 1])
    covers = data.get("covers", []) if isinstance(data, dict) else []
    inside = covers or [[0, len(document.source.text)]]
    found = [c for c in document.clauses if any(a <= begin(c) < b for a, b in inside)]
    hits = matched(found, places, [bool(one.get("series") or one.get("chapter")) for one in gold])
    items = [at for at, one in enumerate(gold) if one.get("sub")]
    return StartsEvaluation(
        document.lang,
        Score(len(hits), len(found), len(gold)),
        Score(len(hits & set(items)), 0, len(items)),
    )


def begin(clause: Clause) -> int:
    """Where a clause begins: its label, if it shows one."""
    return (clause.label_span or clause.spans[0]).start


def matched(found: Sequence[Clause], places: Sequence[tuple[int, str]], again: Sequence[bool]) -> set[int]:
    """Indices of the ``places`` that a clause of the same number begins at; each clause counts once.

    Args:
        found: clauses.
        places: start and number of each label.
        again: for each, whether its number is one below a part that ``found`` may name too.
    """
    left = list(found)
    hits: set[int] = set()
    for index, ((at, number), below) in enumerate(zip(places, again, strict=True)):
        wanted = "".join(number.split())
        for clause in left:
            same = clause.n == wanted or (below and clause.n.endswith("." + wanted))
            if same and abs(begin(clause) - at) <= GRACE:
                left.remove(clause)
                hits.add(index)
                break
    return hits
