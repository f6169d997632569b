"""``meta.toml``: what an editor knows of a document, checked against a schema (pydantic)."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictInt, ValidationError

from hoyle.document import Excerpt, Meta
from hoyle.errors import HoyleError, StageError, TableError
from hoyle.inputs.text import codec_name
from hoyle.languages import languages
from hoyle.numbering import resolve
from hoyle.tables import read_toml, vocabulary

_ID = re.compile(r"[^\W\d_](?:[\w.-]*\w)?")
_ID_BYTES = 200
"""Longest id, in bytes of UTF-8: it names files, with a suffix, and file systems allow 255."""

_DATE = re.compile(r"(\d{2}(?:\d\d|\d[?xX-]|[?xX-]{2}))(-\d\d(?:-\d\d)?)?[?~]?")
"""A year, whose last digits may be unknown, with or without month and day; ``?`` and ``~`` as in EDTF."""


def _file_name(ident: str) -> str:
    if (size := len(ident.encode(errors="replace"))) > _ID_BYTES:
        raise ValueError(f"the id has {size} bytes in UTF-8; {_ID_BYTES} are allowed, as it names files")
    if not _ID.fullmatch(ident) or ".." in ident:
        message = f"the id {ident!r} will not do; it names files: letters, digits, - . _, a letter first"
        raise ValueError(message)
    return ident


def _language(tag: str) -> str:
    if tag and tag not in languages():
        raise ValueError(f"unknown language {tag!r}; known are {', '.join(languages())}")
    return tag


def _date(date: str) -> str:
    """A date or a range of two, the earlier one first."""
    if not date:
        return date
    dates = [_DATE.fullmatch(part) for part in date.split("/")]
    firsts = []
    for found in dates:
        if found is None or len(dates) > 2:
            raise ValueError(f"{date!r} is no date; say 1817, 190?, 1817-05-21 or 1817/1840")
        year, rest = re.sub(r"[?xX-]", "0", found[1]), found[2] or "-01-01"
        try:
            dt.date.fromisoformat(f"2000{rest}" if len(rest) == 6 else f"2000{rest}-01")  # a leap year
        except ValueError:
            raise ValueError(f"{date!r} has no such month or day") from None
        firsts.append((year, rest))
    if firsts != sorted(firsts):
        raise ValueError(f"{date!r} ends before it begins")
    return date


def _encoding(name: str) -> str:
    return name and codec_name(name) and name


def _games(games: tuple[str, ...]) -> tuple[str, ...]:
    if unknown := [game for game in games if game not in vocabulary("games")]:
        raise ValueError(f"{', '.join(unknown)} not in schemas/vocabulary/games.tsv")
    return games


def _schemes(names: tuple[str, ...]) -> tuple[str, ...]:
    try:
        resolve(names)
    except StageError as error:
        raise ValueError(error.message) from None
    return names


class ExcerptSettings(BaseModel):
    """``[[excerpts]]``: the clause at a place where the text does not follow what is before it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    at: Annotated[StrictInt, Field(ge=0)]
    """Where the excerpt begins, in characters of the source text."""
    number: Annotated[str, Field(pattern=r"^[^.\s]{1,20}(\.[^.\s]{1,20})*$")]
    """The path of the clause, as ``45.C.2``."""
    note: str = ""


class Settings(BaseModel):
    """The content of a ``meta.toml``; all keys may be left out."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, AfterValidator(_file_name)] | None = None
    title: str = ""
    lang: Annotated[str, AfterValidator(_language)] = ""
    date: Annotated[str, AfterValidator(_date)] = ""
    date_note: str = ""
    author: str = ""
    publisher: str = ""
    licence: str = ""
    origin: str = ""
    file: str = ""
    sha256: Annotated[str, Field(pattern=r"^[0-9A-Fa-f]{64}$"), AfterValidator(str.lower)] | None = None
    encoding: Annotated[str, AfterValidator(_encoding)] = ""
    numbering: Annotated[tuple[str, ...], AfterValidator(_schemes)] = ("detect",)
    games: Annotated[tuple[str, ...], AfterValidator(_games)] = ()
    notes: tuple[str, ...] = ()
    excerpts: tuple[ExcerptSettings, ...] = ()
    iiif: Annotated[str, Field(pattern=r"^(https?://\S+)?$")] = ""


def read_settings(path: Path) -> Settings:
    """Read a ``meta.toml``.

    Args:
        path: the file.

    Returns:
        What it says, checked.

    Raises:
        TableError: no valid TOML, an unknown key, or a value that will not do; names file and line.
    """
    raw = read_toml(path)
    try:
        return Settings.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        raise TableError(_explained(first), document=_where(path, *first["loc"])) from None


def _where(path: Path, key: str | int, *rest: str | int) -> str:
    match rest:
        case (int(index), str(inner)):
            return line_of(path, str(key), index, inner)
    return line_of(path, str(key))


def _explained(error: Any) -> str:
    keys = [str(key) for key in error["loc"] if isinstance(key, str)]
    if error["type"] == "extra_forbidden":
        known_keys = Settings if len(keys) == 1 else ExcerptSettings
        return f"unknown key {keys[-1]!r}; known are {', '.join(sorted(known_keys.model_fields))}"
    if error["type"] == "value_error":
        return f"{keys[-1]}: {error['ctx']['error']}"
    message = error["msg"][0].lower() + error["msg"][1:]
    return f"{'.'.join(keys)}: {message}" + ("" if error["type"] == "missing" else _given(error["input"]))


def _given(value: object) -> str:
    try:
        return f", not {value!r:.80}"
    except ValueError:  # an integer of more digits than Python writes
        return ""


def line_of(path: Path | None, key: str, index: int | None = None, inner: str = "") -> str:
    """Find where a key of a settings file is set.

    Args:
        path: the file; ``None`` if there is none.
        key: the key at the top level.
        index: for a list of tables, which of them (from 0).
        inner: the key in that table.

    Returns:
        The place, as ``corpus/quinze/meta.toml:3``; empty without a file.
    """
    if path is None:
        return ""
    name = "/".join(path.parts[-3:])
    lines = list(enumerate(path.read_text(encoding="utf-8").splitlines(), 1))

    def found(key: str, start: int, which: int = 0) -> int:
        at = [i for i, line in lines if i >= start and re.match(rf"[\s\[]*[\"']?{re.escape(key)}\b", line)]
        return at[which] if which < len(at) else start

    if inner:
        return f"{name}:{found(inner, found(key, 1, index or 0))}"
    return f"{name}:{found(key, 1)}"


def meta_of(settings: Settings, *, ident: str, file: str, lang: str = "") -> Meta:
    """What is known of a document.

    Args:
        settings: the content of its ``meta.toml``; ``Settings()`` if it has none.
        ident: the id if the settings give none.
        file: name of the text file.
        lang: the language tag given at the command line, which wins over that of the settings.

    Returns:
        The description of the document.

    Raises:
        HoyleError: the id made of the file name would not do, or no language has the tag ``lang``.
    """
    try:
        ident = settings.id or _file_name(ident)
    except ValueError as error:
        raise TableError(str(error), document=file) from None
    check_language(lang, file)
    same = settings.model_dump(exclude={"id", "lang", "file", "encoding", "sha256", "excerpts"})
    excerpts = tuple(Excerpt(e.at, tuple(e.number.split(".")), e.note) for e in settings.excerpts)
    return Meta(
        **same,
        id=ident,
        file=file,
        lang=lang or settings.lang,
        sha256=settings.sha256 or "",
        excerpts=excerpts,
    )


def check_language(tag: str, where: str) -> None:
    """Check a language tag.

    Args:
        tag: the tag; empty for "to be detected".
        where: what to call the place in the message.

    Raises:
        HoyleError: no language has the tag.
    """
    try:
        _language(tag)
    except ValueError as error:
        raise HoyleError(str(error), document=where) from None
