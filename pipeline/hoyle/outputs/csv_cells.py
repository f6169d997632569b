r"""CSV as Hoyle writes it everywhere, and the values of tables in it.

CSV is that of RFC 4180, in UTF-8. :func:`csv_rows` is its only writer:

* A text that a spreadsheet could take for a formula gets an apostrophe in front, as OWASP advises. So does
  one that begins with apostrophes before such a sign, hence one apostrophe comes off again in reading.
* Controls other than tab and line ends, which many programs cannot hold in text, are shown by
  their Unicode pictures (NUL as ␀). This is the one loss; JSON Lines and Parquet are exact.

In the tables, a list is joined by ``;``; a ``;`` or ``\`` inside an item is written ``\;`` and ``\\``.
A span is ``start-end``, a reference ``text|target|status`` (with ``\|`` for a ``|``).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from hoyle.outputs.schema import Column

Cell: TypeAlias = str | int | float
"""What a cell holds; a number is never taken for a formula."""

_FORMULA = re.compile(r"'*\s*[=+\-@＝＋－＠]|'*[\t\r]")
"""What Excel, LibreOffice and Google Sheets may run: https://owasp.org/www-community/attacks/CSV_Injection."""

_NEUTRALISED = re.compile(r"'(?:'*\s*[=+\-@＝＋－＠]|'*[\t\r])")
_PICTURES = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n\r"} | {0x7F: 0x2421}


def csv_rows(rows: Iterable[Iterable[Cell]], line_end: str = "\r\n") -> Iterator[str]:
    """Write rows as CSV.

    Args:
        rows: the cells of each row; texts are made safe for spreadsheets.
        line_end: what ends a row.

    Yields:
        The text of each row, with its line end.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator=line_end)
    for row in rows:
        writer.writerow([_safe(cell) if isinstance(cell, str) else cell for cell in row])
        yield out.getvalue()
        out.seek(0)
        out.truncate()


def _safe(text: str) -> str:
    if not text.isprintable():  # a quick look; most cells are
        text = text.translate(_PICTURES)
    return f"'{text}" if _FORMULA.match(text) else text


def text_of(cell: str) -> str:
    """The text that :func:`csv_rows` wrote as ``cell``."""
    return cell[1:] if _NEUTRALISED.match(cell) else cell


def encode(column: Column, value: Any) -> Cell:
    """Make a value of a table one cell.

    Args:
        column: the column.
        value: a value of it.

    Returns:
        The cell for :func:`csv_rows`; an empty one where there is nothing.
    """
    if value is None:
        return ""
    if column.type == "boolean":
        return "true" if value else "false"
    if column.type in ("integer", "number"):
        number: int | float = value
        return number
    return _joined(column, value) if column.is_list else str(value)


def decode(column: Column, cell: str) -> Any:
    """Read a cell of a table.

    Args:
        column: the column.
        cell: the cell of the CSV file.

    Returns:
        The value that was encoded.
    """
    if column.is_list:
        return _parted(column, text_of(cell)) if cell else []
    if not cell and not column.blank:
        return None
    if column.type == "boolean":
        return cell == "true"
    if column.type == "integer":
        return int(cell)
    return float(cell) if column.type == "number" else text_of(cell)


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
    """The parts of ``text`` between each ``sign`` that is not escaped by a backslash."""
    start = at = 0
    while at < len(text):
        if text[at] == sign:
            yield text[start:at]
            start = at + 1
        at += 2 if text[at] == "\\" else 1
    yield text[start:]
