"""``meta.toml``: what an editor knows of a document, read and checked line by line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hoyle.document import Excerpt, Meta
from hoyle.errors import HoyleError, StageError, TableError
from hoyle.languages import known
from hoyle.numbering import resolve
from hoyle.tables import read_toml, vocabulary

_ID = re.compile(r"[^\W\d_](?:[\w.-]*\w)?")
_STRINGS = (
    *("id", "title", "lang", "date", "date_note", "author", "publisher", "licence", "origin"),
    *("file", "sha256", "encoding"),
)
_LISTS = ("numbering", "games", "notes")


def read_settings(path: Path) -> dict[str, Any]:
    """``meta.toml`` as a mapping, each value of the right type.

    Raises:
        TableError: no valid TOML, an unknown key, a value of another type; names file and line.
    """
    raw = read_toml(path)
    for key, value in raw.items():
        if key not in (*_STRINGS, *_LISTS, "excerpts"):
            keys = ", ".join(sorted((*_STRINGS, *_LISTS, "excerpts")))
            raise TableError(f"unknown key {key!r}; known are {keys}", document=line_of(path, key))
        if key in _STRINGS and not isinstance(value, str):
            raise TableError(f"{key} must be a string, not {value!r}", document=line_of(path, key))
        if key in _LISTS and not (isinstance(value, list) and all(isinstance(v, str) for v in value)):
            raise TableError(f"{key} must be a list of strings, not {value!r}", document=line_of(path, key))
    return raw


def line_of(path: Path | None, key: str) -> str:
    """Where in a settings file ``key`` is set, as ``corpus/quinze/meta.toml:3``; empty without a file."""
    if path is None:
        return ""
    name = "/".join(path.parts[-3:])
    lines = path.read_text(encoding="utf-8").splitlines()
    found = (i for i, line in enumerate(lines, 1) if re.match(rf"[\s\[]*{re.escape(key)}\b", line))
    return f"{name}:{next(found, 1)}"


def meta_of(raw: Mapping[str, Any], settings: Path | None, *, ident: str, file: str, lang: str) -> Meta:
    """What is known of a document.

    Args:
        raw: the content of its ``meta.toml``, empty if it has none.
        settings: that file, for messages.
        ident: the id if ``raw`` gives none.
        file: name of the text file.
        lang: the language tag given at the command line, which wins over that of ``raw``.

    Raises:
        HoyleError: an id that would not do as a file name, an unknown game, scheme or language.
    """
    ident = raw.get("id") or ident
    if not _ID.fullmatch(ident) or ".." in ident:
        message = f"the id {ident!r} will not do; it names files: letters, digits, - . _, a letter first"
        raise TableError(message, document=line_of(settings, "id") or file)
    games = tuple(raw.get("games", ()))
    if strange := [g for g in games if g not in vocabulary("games")]:
        message = f"games: {', '.join(strange)} not in schemas/vocabulary/games.tsv"
        raise TableError(message, document=line_of(settings, "games"))
    lang = lang or raw.get("lang", "")
    check_language(lang, line_of(settings, "lang") or file)
    texts = {k: raw[k] for k in _STRINGS if k in raw and k not in ("id", "encoding", "lang", "file")}
    return Meta(
        **texts,
        id=ident,
        file=file,
        lang=lang,
        numbering=_numbering(raw, settings),
        games=games,
        notes=tuple(raw.get("notes", ())),
        excerpts=tuple(_excerpt(e, line_of(settings, "excerpts")) for e in raw.get("excerpts", ())),
    )


def check_language(tag: str, where: str) -> None:
    """Raise ``HoyleError`` if ``tag`` is given and no language has it."""
    if tag and tag not in known():
        raise HoyleError(f"unknown language {tag!r}; known are {', '.join(known())}", document=where)


def _numbering(raw: Mapping[str, Any], settings: Path | None) -> tuple[str, ...]:
    names = tuple(raw.get("numbering", ("detect",)))
    try:
        resolve(names)
    except StageError as error:
        raise TableError(error.message, document=line_of(settings, "numbering")) from None
    return names


def _excerpt(raw: object, where: str) -> Excerpt:
    match raw:
        case {"at": int(at), "number": str(number), **rest}:
            return Excerpt(at, tuple(number.split(".")), str(rest.get("note", "")))
    raise TableError("an excerpt needs at = <character> and number = '<path>'", document=where)
