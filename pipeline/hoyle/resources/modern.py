"""What present-day orthography knows: word forms and their parts of speech.

Russian asks pymorphy3 and its OpenCorpora dictionary; other languages have a list of forms here,
``modern_<language>.marisa``, and beside it a note of where it comes from and how to rebuild it.
Forms met only with a capital (names) have it in the list.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import marisa_trie
import pymorphy3

from hoyle.errors import TableError
from hoyle.tables import data_file

Knows = Callable[[str], bool]
"""Whether present-day orthography has a form (small letters)."""


@cache
def _morphology() -> Any:
    """The analyser without guessing: only what its dictionary holds."""
    return pymorphy3.MorphAnalyzer(lang="ru", units=[pymorphy3.units.DictionaryAnalyzer()])


def _knows_russian(form: str) -> bool:
    return bool(_morphology().word_is_known(form))


@cache
def knows(base: str) -> Knows:
    """The test for known forms of the language ``base`` (``ru``, ``fr`` …).

    A language without a list knows nothing, so that only its unconditional rules apply.

    Raises:
        TableError: if the list is broken.
    """
    if base == "ru":
        return _knows_russian
    path = data_file("resources", f"modern_{base}.marisa")
    if not path.exists():
        return frozenset[str]().__contains__
    try:
        forms = marisa_trie.Trie().mmap(str(path))
    except (OSError, RuntimeError) as error:
        raise TableError(f"cannot be read ({error})", document=f"resources/{path.name}") from error
    return lambda form: form in forms


@cache
def parts_of_speech(base: str) -> Callable[[str], frozenset[str]]:
    """A function from a form to the OpenCorpora parts of speech it can be (``ADVB``, ``PRTF`` …).

    It gives the empty set for unknown forms, and always for languages other than Russian.
    """

    def parts(form: str) -> frozenset[str]:
        if base != "ru":
            return frozenset()
        return frozenset(str(parse.tag.POS) for parse in _morphology().parse(form))

    return parts
