"""Tokens of OCR text: words, numbers, initials, and the punctuation at their edges."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from hoyle.correction.unit_text import HYPHENS

EDGE_PUNCTUATION = ',.;:!?()«»"“”„—–…[]'
"""Punctuation that stands at the edges of words."""

_INITIALS = re.compile(r"[^\W\d_]\.(?:[^\W\d_]\.)*[^\W\d_]?")
_ORDINAL = "er|ère|re|e|ème|me|nd|o"
_NUMBER = re.compile(
    rf"\d[\d.,:/-]*(?:-[^\W\d_]{{1,3}}|{_ORDINAL})?°?"
    rf"|[IVXLCDMІ]+|[IVXLCDM]{{2,}}(?:{_ORDINAL})|I(?:er|re)|[ivxlcdm]{{2,}}"
)
_PARTS = re.compile(r"[-'’]")
_LETTER = re.compile(r"[^\W\d_]")


def is_initial(token: str) -> bool:
    """Tell whether a token is letters with a full stop each, as in ``M.`` and ``P.T.T.``."""
    return bool(_INITIALS.fullmatch(token))


def is_number(token: str) -> bool:
    """Tell whether a token is a number, with an ending (``5-ти``) or a Roman one, and no word."""
    return bool(_NUMBER.fullmatch(token.strip(EDGE_PUNCTUATION)))


def is_word(token: str) -> bool:
    """Tell whether a token may be corrected: no number, no initial, not cut off by a hyphen."""
    core = token.strip(EDGE_PUNCTUATION)
    if not _LETTER.search(core) or core[-1] in HYPHENS:
        return False
    return not is_initial(token) and not is_number(core)


def words(core: str) -> Iterator[str]:
    """Yield the words of a token; one that ends in an apostrophe keeps it."""
    start = 0
    for match in _PARTS.finditer(core):
        end = match.end() if match[0] != "-" else match.start()
        if end > start:
            yield core[start:end].replace("’", "'")
        start = match.end()
    if start < len(core):
        yield core[start:]


def single_letters(tokens: Sequence[str]) -> set[int]:
    """Find tokens that are single letters in a row, as of a letterspaced word."""
    single = [
        i
        for i, token in enumerate(tokens)
        if len(token.strip(EDGE_PUNCTUATION)) == 1 and token.strip(EDGE_PUNCTUATION).isalpha()
    ]
    return {i for a, b in pairwise(single) if b == a + 1 for i in (a, b)}


def core_end(token: str) -> int:
    """Return where the signs at the end of a token begin."""
    return len(token.rstrip(EDGE_PUNCTUATION))
