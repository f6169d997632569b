"""What is done with older spellings beside normalising them: compare, accept, generate, date.

Each function compiles one view of the spelling table (:mod:`hoyle.orthography.table`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from hoyle.languages import Language
from hoyle.languages.scripts import look_alikes, script
from hoyle.orthography.table import spelling_changes

_LONG_S = re.compile("s(?=.)")  # long s was not set at the end of a word; scans read it as f


class OlderSpelling(NamedTuple):
    """A way from a newer spelling to an older one.

    Attributes:
        pattern: the newer spelling at its place in a word.
        old: the older spelling.
        needs: what must stand for the pattern in another attested form; empty if nothing need
            (only an imperfect has both -ait and -aient).
    """

    pattern: re.Pattern[str]
    old: str
    needs: str


def older_spellings(lang: Language) -> list[OlderSpelling]:
    """How older spellings are made of newer ones.

    Args:
        lang: the orthography.

    Returns:
        One item a row for ``generate``, in the order of the table.

    Raises:
        TableError: a broken row.
    """
    return [
        OlderSpelling(change.reversed_pattern("generate"), change.old, change.needs)
        for change in spelling_changes(lang, "generate")
    ]


def accepted_spellings(lang: Language, *, older: bool) -> list[tuple[re.Pattern[str], str]]:
    """Spellings that are no misreadings: patterns on a word as it stands, and the newer spelling.

    Args:
        lang: the orthography.
        older: whether the print is older than the years in column ``until``.

    Returns:
        One pair a row for ``accept``.

    Raises:
        TableError: a broken row.
    """
    rows = spelling_changes(lang, "accept")
    return [(row.pattern("accept"), row.new) for row in rows if older or not row.until]


def cue_key_rules(lang: Language) -> list[tuple[re.Pattern[str], str]]:
    """Rules that bring the old and the new spelling of a word together before cue words are compared.

    Args:
        lang: the orthography.

    Returns:
        Patterns on small letters and their replacements, to be applied in order.

    Raises:
        TableError: a broken row.
    """
    rules: list[tuple[re.Pattern[str], str]] = []
    for change in spelling_changes(lang, "cues"):
        pattern = change.pattern("cues")
        if change.kind == "word":  # as the rows before it leave the word
            old = change.old
            for before, new in rules:
                old = before.sub(new, old)
            pattern = re.compile(f"^{re.escape(old)}$")
        rules.append((pattern, change.new))
    return rules


def look_alike_rules(lang: Language) -> list[tuple[re.Pattern[str], str]]:
    """Rules that read letters of other scripts as the letters they stand for, beside letters of the language.

    Args:
        lang: the orthography.

    Returns:
        Patterns on small letters and their replacements, to be applied in order before
        :func:`cue_key_rules`.

    Raises:
        TableError: a broken row.
    """
    own = f"[{re.escape(''.join(sorted(lang.letters)))}]"
    read = [
        (re.escape(row["ocr"].lower()), row["print"]) for row in look_alikes(script(lang), "cues", lang.base)
    ]
    return [(re.compile(f"(?<={own}){ocr}|{ocr}(?={own})"), printed) for ocr, printed in read]


def dating_words(lang: Language) -> re.Pattern[str] | None:
    """Words by which a print shows that it is older than present spelling.

    Args:
        lang: the orthography.

    Returns:
        A pattern on a word in small letters, long s read right or as ``f``; none without such words.

    Raises:
        TableError: a broken row.
    """
    words = [_LONG_S.sub("[sfſ]", change.old) for change in spelling_changes(lang, "date")]
    return re.compile(f"^(?:{'|'.join(words)})$") if words else None
