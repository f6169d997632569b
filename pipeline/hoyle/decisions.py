"""Editors' rulings as people write them down: ``corpus/<id>/decisions.tsv``, a row a decision.

The columns are ``start``, ``end`` (characters of the raw text), ``raw`` (what stands there, so that
a ruling cannot land on another text unnoticed), ``ruling``, ``value``, ``editor``, ``date``,
``reason``. Whether a ruling fits its text is for the stage ``rulings`` to see; here only rows that
no text could make sense of are refused.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

from hoyle.errors import TableError
from hoyle.model import Evidence, Ruling, RulingKind, Span, Tag
from hoyle.sound import VOCABULARY
from hoyle.tables import Row, read_table, vocabulary

FILE = "decisions.tsv"
COLUMNS = ("start", "end", "raw", "ruling", "value", "editor", "date", "reason")
_DATE = re.compile(r"\d{4}(-\d\d(-\d\d)?)?")
_TAG = re.compile(r"(?P<denied>-?)(?P<facet>\w+):(?P<concept>[\w.-]+)(?P<details>(?: \w+=\S+)*)")
_ACTORS = ("against", "exacted_by")
_DETAILS = ("part", "amount", *_ACTORS)


def rulings(path: Path) -> tuple[Ruling, ...]:
    """The rulings in the table at ``path``, in its order; none if there is no such file.

    Raises:
        TableError: a row that is no ruling: a place that is no range, an unknown kind or concept,
            nobody who answers for it, no date.
    """
    if not path.is_file():
        return ()
    return tuple(_ruling(row) for row in read_table(path, COLUMNS))


def _ruling(row: Row) -> Ruling:
    kind: Any = row["ruling"]
    places = [row[name] for name in ("start", "end")]
    if not all(p.isascii() and p.isdecimal() for p in places) or int(places[0]) > int(places[1]):
        raise TableError(f"start and end must be a range of characters, not {places}", document=row.where)
    if kind not in get_args(RulingKind):
        known = ", ".join(get_args(RulingKind))
        raise TableError(f"the ruling must be one of {known}, not {kind!r}", document=row.where)
    if not row["editor"] or not _DATE.fullmatch(row["date"]):
        raise TableError("a ruling needs its editor, and its date as in 1999-12-31", document=row.where)
    if kind == "number" and not all(row["value"].split(".")):
        raise TableError("the value must be a number such as 45.C.2", document=row.where)
    span = Span(*map(int, places))
    ruling = Ruling(
        span, row["raw"], kind, row["value"], row["editor"], row["date"], row["reason"], row.where
    )
    if kind == "tag":
        tag_of(ruling, "", (), "")
    return ruling


def tag_of(ruling: Ruling, unit: str, spans: tuple[Span, ...], text: str) -> Tag:
    """The tag that a ruling of the kind ``tag`` speaks of.

    Args:
        ruling: its value is ``facet:concept``, then details as in ``penalty:fine against=dealer``
            (``part``, ``against``, ``exacted_by``, ``amount``); ``-`` before it denies the tag,
            which then has the probability 0.
        unit: id of the clause or block.
        spans: the raw spans of the words that show it.
        text: these words, corrected.

    Raises:
        TableError: the value is of another form, or names a concept that is in no vocabulary.
    """
    found = _TAG.fullmatch(ruling.value)
    if not found:
        message = f"the value must be a tag such as actor:dealer or -game:whist, not {ruling.value!r}"
        raise TableError(message, document=ruling.where)
    details = dict(detail.split("=", 1) for detail in found["details"].split())
    facet: Any = found["facet"]
    if strange := [name for name in details if name not in _DETAILS]:
        raise TableError(
            f"a tag has no {', '.join(strange)}; it has {', '.join(_DETAILS)}", document=ruling.where
        )
    if facet not in VOCABULARY or found["concept"] not in vocabulary(VOCABULARY[facet]):
        raise TableError(f"{facet}:{found['concept']} is in no vocabulary", document=ruling.where)
    for name in _ACTORS:
        if details.get(name) and details[name] not in vocabulary("actors"):
            raise TableError(f"{name}: there is no actor {details[name]!r}", document=ruling.where)
    why = Evidence(ruling.where, 0.0 if found["denied"] else 1.0)
    return Tag(unit, facet, found["concept"], spans, text, why, main=facet == "modality", **details)
