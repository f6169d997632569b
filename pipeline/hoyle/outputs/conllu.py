"""CoNLL-U: the corrected text as tokens with lemmas, raw offsets and modern forms.

Columns: FORM as corrected, LEMMA in the spelling that the tagging
tables are folded to, XPOS the small word class of
:mod:`hoyle.annotation.lemmas`; UPOS, FEATS, HEAD and DEPREL are not given. MISC has ``Start``
and ``End`` (characters of the source; ``Spans`` as well where the word is torn), ``Modern``
where the modern form differs (empty where the token before holds it) and ``SpaceAfter``.
"""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.document import Document
from hoyle.outputs.files import DocumentFiles, Files
from hoyle.outputs.site.text import visible
from hoyle.outputs.tokens import Token, TokenUnit, token_units


class Conllu(DocumentFiles):
    """Writes ``conllu/<document id>.conllu``; see :class:`hoyle.outputs.Output`."""

    subfolder = "conllu"

    @staticmethod
    def files(document: Document) -> Files:
        """See :meth:`DocumentFiles.files`."""
        return {".conllu": conllu(document).encode("utf-8", "replace")}


def conllu(document: Document) -> str:
    """The corrected text of ``document`` in CoNLL-U; a unit is a paragraph, its id in ``newpar id``."""
    lines = [f"# newdoc id = {_line(document.id)}"]
    for unit in token_units(document):
        lines.append(f"# newpar id = {_line(unit.unit.id)}")
        for number, (start, end) in enumerate(unit.sentences, 1):
            lines.append(f"# sent_id = {_line(unit.unit.id)}-{number}")
            lines += _sentence(unit, start, end)
            lines.append("")
    return "\n".join(lines) + "\n" if len(lines) > 1 else ""


def _sentence(unit: TokenUnit, start: int, end: int) -> Iterator[str]:
    tokens = unit.tokens[start:end]
    glued = [_glued(unit, number) for number in range(start, end)]
    text = "".join(_form(t) + ("" if g else " ") for t, g in zip(tokens, glued, strict=True))
    yield f"# text = {text.rstrip(' ')}"
    for number, (token, tight) in enumerate(zip(tokens, glued, strict=True), 1):
        word = unit.doc[token.index]
        lemma = unit.lemma(token)
        columns = [str(number), _form(token), visible(lemma) or "_", "_", word.tag_ or "_"]
        yield "\t".join([*columns, "_", "_", "_", "_", "|".join(_misc(token, tight=tight))])


def _glued(unit: TokenUnit, number: int) -> bool:
    """Whether no white space follows a token of the unit; the end of the unit counts as some."""
    if number + 1 == len(unit.tokens):
        return False
    return unit.tokens[number].at.end == unit.tokens[number + 1].at.start


def _misc(token: Token, *, tight: bool) -> Iterator[str]:
    yield f"Start={token.raw[0].start}"
    yield f"End={token.raw[-1].end}"
    if len(token.raw) > 1:
        yield "Spans=" + ",".join(f"{span.start}-{span.end}" for span in token.raw)
    if token.modern != token.text:
        yield f"Modern={_value(token.modern)}"
    if tight:
        yield "SpaceAfter=No"


_ESCAPES = str.maketrans({"\\": "\\\\", "|": "\\p", " ": "\\s", "\t": "\\t", "\n": "\\n"})


def _value(text: str) -> str:
    """A value of MISC, escaped as Universal Dependencies does."""
    shown = visible(text)
    return "".join("\\s" if c.isspace() and c not in "\t\n" else c.translate(_ESCAPES) for c in shown)


def _form(token: Token) -> str:
    return visible(token.text)


def _line(text: str) -> str:
    return " ".join(visible(text).split())
