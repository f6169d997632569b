r"""A value as one cell of a CSV file, and back.

* A list is joined by ``;``; a ``;`` or ``\`` inside an item is written ``\;`` and ``\\``.
  A span is ``start-end``, a reference ``text|target|status`` (with ``\|`` for a ``|``).
* A cell that a spreadsheet could take for a formula gets an apostrophe in front. So does one
  that begins with apostrophes before such a sign, hence one apostrophe comes off again.
* Controls other than tab and line ends, which many programs cannot hold in text, are shown by
  their Unicode pictures (NUL as ␀). This is the one loss; JSON Lines and Parquet are exact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from hoyle.outputs.schema import Column

_RISKY = re.compile(r"'*\s*[=+\-@＝＋－＠]|'*[\t\r]")
"""What Excel, LibreOffice and Google Sheets may run, as OWASP lists it, white space before it included."""

_GUARDED = re.compile(r"'(?:'*\s*[=+\-@＝＋－＠]|'*[\t\r])")
_PICTURES = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n\r"} | {0x7F: 0x2421}


def encode(column: Column, value: Any) -> str:
    """``value`` of ``column`` as a cell; an empty one where there is nothing."""
    if value is None:
        return ""
    if column.type == "boolean":
        return "true" if value else "false"
    if column.type in ("integer", "number"):
        return repr(value)
    text = _joined(column, value) if column.is_list else value
    if not text.isprintable():  # a quick look; most cells are
        text = text.translate(_PICTURES)
    return f"'{text}" if _RISKY.match(text) and column.type != "spans" else text


def decode(column: Column, cell: str) -> Any:
    """The value that ``cell`` stands for."""
    if column.is_list:
        return _parted(column, _bare(cell)) if cell else []
    if not cell and not column.blank:
        return None
    if column.type == "boolean":
        return cell == "true"
    if column.type == "integer":
        return int(cell)
    return float(cell) if column.type == "number" else _bare(cell)


def _bare(cell: str) -> str:
    return cell[1:] if _GUARDED.match(cell) else cell


def _joined(column: Column, items: Sequence[Any]) -> str:
    if column.type == "spans":
        return ";".join(f"{start}-{end}" for start, end in items)
    if column.type == "refs":
        parts = ([item["text"], item["target"] or "", item["status"]] for item in items)
        return ";".join("|".join(_escaped(part, "|") for part in item) for item in parts)
    return ";".join(_escaped(item or "") for item in items)


def _parted(column: Column, text: str) -> list[Any]:
    if column.type == "spans":
        return [[int(end) for end in item.split("-")] for item in text.split(";")]
    if column.type == "strings":
        return [_plain(item) or None for item in _split(text, ";")]
    rows = ([_plain(part) for part in _split(item, "|")] for item in _split(text, ";"))
    return [{"text": words, "target": target or None, "status": status} for words, target, status in rows]


def _escaped(item: str, also: str = "") -> str:
    for sign in ("\\", ";", *also):
        item = item.replace(sign, f"\\{sign}")
    return item


def _plain(item: str) -> str:
    return re.sub(r"\\(.)", r"\1", item)


def _split(text: str, sign: str) -> Iterator[str]:
    """The parts of ``text`` between the ``sign`` that no backslash escapes."""
    start = at = 0
    while at < len(text):
        if text[at] == sign:
            yield text[start:at]
            start = at + 1
        at += 2 if text[at] == "\\" else 1
    yield text[start:]
