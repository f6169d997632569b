"""Editors' decisions as people write them down: ``corpus/<id>/decisions.tsv``, a row a decision.

The columns are ``start``, ``end`` (characters of the raw text), ``raw`` (what stands there, so that
a decision cannot land on another text unnoticed), ``decision``, ``value``, ``editor``, ``date``,
``reason``. Whether a decision fits its text is for the stage ``decisions`` to see; here only rows that
no text could make sense of are refused.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import cache
from pathlib import Path
from typing import Any, get_args

from hoyle.document import Decision, DecisionKind, Evidence, Span, Tag
from hoyle.errors import TableError
from hoyle.facets import concept, facets
from hoyle.tables import Row, data_file, read_table, read_toml, vocabulary

FILE = "decisions.tsv"
COLUMNS = ("start", "end", "raw", "decision", "value", "editor", "date", "reason")
_RENAMED = {"ruling": "decision"}  # as version 0.1.0 called it
_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")
_PLACE = re.compile(r"[0-9]{1,12}")
_NUMBER = re.compile(r"[^\W_]{1,20}(\.[^\W_]{1,20})*")
_TAG = re.compile(r"(?P<denied>-?)(?P<facet>\w+):(?P<concept>[\w.-]+)(?P<details>(?: \w+=\S+)*)")
_ACTORS = ("against", "exacted_by")
_DETAILS = ("part", "amount", *_ACTORS)


def read_decisions(path: Path) -> tuple[Decision, ...]:
    """The decisions in the table at ``path``, in its order; none if there is no such file.

    Raises:
        TableError: a row that is no decision: a place that is no range, an unknown kind or concept,
            nobody who answers for it, no date.
    """
    if not path.is_file():
        return ()
    return tuple(_decision(row) for row in read_table(path, COLUMNS, _RENAMED))


def _decision(row: Row) -> Decision:
    kind: Any = row["decision"]
    places = [row[name] for name in ("start", "end")]
    if not all(map(_PLACE.fullmatch, places)) or int(places[0]) > int(places[1]):
        shown = f"{places[0]:.20} and {places[1]:.20}"
        raise TableError(f"start and end must be a range of characters, not {shown}", document=row.where)
    if kind not in get_args(DecisionKind):
        known = ", ".join(get_args(DecisionKind))
        raise TableError(f"the decision must be one of {known}, not {kind!r}", document=row.where)
    if not row["editor"] or not _is_date(row["date"]):
        raise TableError("a decision needs its editor, and its date as in 1999-12-31", document=row.where)
    if kind == "number" and not _NUMBER.fullmatch(row["value"]):
        raise TableError("the value must be a number such as 45.C.2", document=row.where)
    span = Span(*map(int, places))
    decision = Decision(
        span, row["raw"], kind, row["value"], row["editor"], row["date"], row["reason"], row.where
    )
    if kind == "tag":
        tag_of(decision, "", (), "")
    return decision


@cache
def _parts() -> tuple[str, ...]:
    """What an actor's part in a clause may be, as the tables have it."""
    return tuple(read_toml(data_file("schemas", "tables.toml"))["tags"]["columns"]["part"]["values"])


def _is_date(text: str) -> bool:
    """Whether a text is a year, a month or a day of the calendar, as ISO 8601 writes it."""
    if not _DATE.fullmatch(text):
        return False
    try:
        dt.date.fromisoformat(text + "-01-01"[len(text) - 4 :])
    except ValueError:
        return False
    return True


def tag_of(decision: Decision, unit: str, spans: tuple[Span, ...], text: str) -> Tag:
    """The tag that a decision of the kind ``tag`` speaks of.

    Args:
        decision: its value is ``facet:concept``, then details as in ``penalty:fine against=dealer``
            (``part``, ``against``, ``exacted_by``, ``amount``); ``-`` before it denies the tag,
            which then has the probability 0.
        unit: id of the clause or block.
        spans: the raw spans of the words that show it.
        text: these words, corrected.

    Raises:
        TableError: the value is of another form, or names a concept that is in no vocabulary.
    """
    found = _TAG.fullmatch(decision.value)
    if not found:
        message = f"the value must be a tag such as actor:dealer or -game:whist, not {decision.value!r}"
        raise TableError(message, document=decision.where)
    details = dict(detail.split("=", 1) for detail in found["details"].split())
    facet = found["facet"]
    if strange := [name for name in details if name not in _DETAILS]:
        raise TableError(
            f"a tag has no {', '.join(strange)}; it has {', '.join(_DETAILS)}", document=decision.where
        )
    if concept(facet, found["concept"]) is None:
        raise TableError(f"{facet}:{found['concept']} is in no vocabulary", document=decision.where)
    for name in _ACTORS:
        if details.get(name) and details[name] not in vocabulary("actors"):
            raise TableError(f"{name}: there is no actor {details[name]!r}", document=decision.where)
    if details.get("part", "must") not in (parts := _parts()):
        message = f"part: there is no {details['part']!r}; known are {', '.join(parts)}"
        raise TableError(message, document=decision.where)
    why = Evidence(decision.where, 0.0 if found["denied"] else 1.0)
    return Tag(unit, facet, found["concept"], spans, text, why, main=facets()[facet].main, **details)
