"""Look-alikes: characters that stand for letters of a script because of their shape.

``scripts/<script>.tsv`` has them for all languages of a script, with a column for their use. They are
judged by shape, as the confusables of Unicode (UTS #39) are; how often an engine takes one letter for
another is counted for each language, in its ``confusions.tsv``.
"""

from __future__ import annotations

import unicodedata
from collections import Counter

from hoyle.languages import Language
from hoyle.tables import Row, data_file, read_table

_COLUMNS = ("ocr", "print", "likeness", "uses", "lang", "example")


def script(lang: Language) -> str:
    """The script of a language, as Unicode names its letters: ``latin``, ``cyrillic``."""
    names = Counter(unicodedata.name(letter).partition(" ")[0] for letter in sorted(lang.letters))
    return names.most_common(1)[0][0].lower()


def look_alikes(name: str, use: str, lang: str = "") -> list[Row]:
    """The look-alikes of the letters of a script, for one use.

    Args:
        name: the script (:func:`script`).
        use: ``words``, ``cues``, ``citation`` or ``roman``; the heading of the table explains them.
        lang: base language; rows for other languages are left out.

    Returns:
        The rows in the order of the table; none if there is no table for the script.

    Raises:
        TableError: a broken table.
    """
    path = data_file("languages", "scripts", f"{name}.tsv")
    rows = read_table(path, _COLUMNS) if path.exists() else []
    return [row for row in rows if use in row["uses"].split() and row["lang"] in ("", lang)]
