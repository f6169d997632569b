"""The present-day dictionary of a language: word forms and their parts of speech.

Russian asks pymorphy3 and its OpenCorpora dictionary; other languages have a list of forms,
``modern_<language>.marisa``, and beside it a note of where it comes from and how to rebuild it.
Forms met only with a capital (names) have it in the list.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Protocol

import marisa_trie
import pymorphy3

from hoyle.errors import TableError


class Dictionary(Protocol):
    """The word forms of a present-day language."""

    def __contains__(self, form: object) -> bool:
        """Whether present-day orthography has the form (small letters)."""

    def parts_of_speech(self, form: str) -> frozenset[str]:
        """The OpenCorpora parts of speech the form can be (``ADVB``, ``PRTF`` …); empty if not known."""


class _Russian:
    """The OpenCorpora dictionary, without guesses at words it does not have."""

    def __contains__(self, form: object) -> bool:
        return bool(_morphology().word_is_known(str(form)))

    def parts_of_speech(self, form: str) -> frozenset[str]:
        return frozenset(str(parse.tag.POS) for parse in _morphology().parse(form))


class _Forms:
    """A list of forms, without parts of speech."""

    def __init__(self, path: Path | None) -> None:
        self._forms: Any = frozenset()
        if path:
            try:
                self._forms = marisa_trie.Trie().mmap(str(path))
            except (OSError, RuntimeError) as error:
                name = f"{path.parent.name}/{path.name}"
                raise TableError(f"cannot be read ({error})", document=name) from error

    def __contains__(self, form: object) -> bool:
        return form in self._forms

    def parts_of_speech(self, form: str) -> frozenset[str]:  # noqa: ARG002 - a plain list has none
        return frozenset()


@cache
def _morphology() -> Any:
    return pymorphy3.MorphAnalyzer(lang="ru", units=[pymorphy3.units.DictionaryAnalyzer()])


def dictionary(base: str, folder: Path | None) -> Dictionary:
    """The dictionary of a language.

    Args:
        base: ISO 639 code (``ru``, ``fr`` …).
        folder: where ``modern_<base>.marisa`` lies; ``None`` if there is no such list.

    Returns:
        A dictionary; an empty one for a language that has none, so that only the unconditional
        rules of its orthography apply.

    Raises:
        TableError: the list is broken.
    """
    if base == "ru":
        return _Russian()
    return _Forms(folder / f"modern_{base}.marisa" if folder else None)
