"""``CHAPITRE II.``, ``Глава III``: parts of a book. They head clauses and are none."""

from __future__ import annotations

import re

from hoyle.document import Span
from hoyle.numbering.confusions import damaged_forms
from hoyle.numbering.cues import CueWords, alternatives


def divisions(text: str, cues: CueWords) -> list[tuple[Span, str]]:
    """Division labels at line starts (``CHAPITRE II.``) with the number each shows, in order.

    Args:
        text: the text.
        cues: of its language.
    """
    return [(Span(*match.span("label")), match["number"]) for match in cues.compiled(_pattern).finditer(text)]


def _pattern(cues: CueWords) -> re.Pattern[str]:
    roman = f"[{re.escape(damaged_forms('IVXLC'))}]{{1,8}}"
    # A number in words is written with a capital or in capitals: ГЛАВА ВТОРАЯ.
    word = r"[^\W\d_]{4,14}(?=[.\s]*$)"
    return re.compile(
        rf"^[ \t\u00a0]*(?P<label>(?:{alternatives(cues.of('division'))})[ \t\u00a0]{{1,2}}"
        rf"(?P<number>\d{{1,3}}|{roman}|{word})(?!\w)\.?)",
        re.MULTILINE,
    )
