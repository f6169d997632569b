"""JSON Lines: the record in a line, or what is wrong with it."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Mapping
from typing import Any, NoReturn

from hoyle.errors import SourceError


def parse_record(line: bytes, *fields: str) -> dict[str, Any] | None:
    """The record in a line, ``None`` if the line is empty.

    Args:
        line: one line of the file.
        fields: those that must hold a text.

    Raises:
        SourceError: no JSON object, or none with a text in one of ``fields``.
    """
    line = line.removeprefix(BOM_UTF8)
    if not line.strip():
        return None
    try:
        made = json.loads(line.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"is no JSON in UTF-8 ({error})") from None
    for field in fields:
        if not isinstance(made, dict) or not isinstance(made.get(field), str):
            raise SourceError(f"needs a JSON object with a text in the field {field!r}")
        try:
            made[field].encode()
        except UnicodeEncodeError as error:
            message = f"half a surrogate pair at character {error.start} of the field {field!r}"
            raise SourceError(message) from None
    return dict(made)


def line(made: Mapping[str, Any]) -> str:
    """A record as one line of JSON, without its line end; what is no Unicode stays escaped.

    Args:
        made: the record.

    Raises:
        SourceError: it is nested too deeply, or holds a number that JSON cannot write.
    """
    try:
        text = json.dumps(made, ensure_ascii=False, allow_nan=False)
        if any("\ud800" <= sign <= "\udfff" for sign in text):
            return json.dumps(made)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"cannot be written as JSON ({error})") from None
    return text


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
