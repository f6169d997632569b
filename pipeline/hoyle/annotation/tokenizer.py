"""The tokeniser for old print: elisions, enclitics and abbreviations from ``tagging.toml``."""

from __future__ import annotations

import re
from collections.abc import Callable

from spacy.language import Language
from spacy.tokenizer import Tokenizer  # type: ignore[import-not-found] # Cython, without stubs
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex, registry

from hoyle.annotation.lemmas import settings
from hoyle.languages import language as language_of

_SIGNS = ["—", "–", r"\*", "…", ",", ";", ":", r"\.", "!", r"\?", "-"]
_OPENING = ["§", "«", "„", "“", "”", '"', "'", "‘", "’", r"\(", r"\[", "<", *_SIGNS]
_CLOSING = ["»", "“", "”", '"', "‘", r"\)", r"\]", ">", *_SIGNS]


@registry.tokenizers("hoyle.historical_tokens.v1")  # type: ignore[untyped-decorator] # catalogue is untyped
def historical_tokens(language: str) -> Callable[[Language], Tokenizer]:
    """A tokeniser for old print: elisions, enclitics and abbreviations from ``tagging.toml``."""
    table = settings(language_of(language))["tokens"]
    infixes = [r"[.!?;,:](?=[^\W\d_]{2})", r"(?<=\w)[—–/](?=\w)", r"[«»„“”()\[\]]"]
    prefixes = list(_OPENING)
    if table["split_after"]:
        words = "|".join(sorted(table["split_after"], key=len, reverse=True))
        prefixes.insert(0, rf"(?i:(?:{words})['’])(?=\w)")
    if table["enclitics"]:
        words = "|".join(sorted(table["enclitics"], key=len, reverse=True))
        infixes.append(rf"(?i:-(?:t-)?)(?=(?i:{words})$)")

    suffixes = compile_suffix_regex(_CLOSING)

    def last_sign(word: str) -> re.Match[str] | None:
        """The suffix of a word; each is one sign, so a row of many need not be searched from its start."""
        return suffixes.search(word[-1:])

    def make(nlp: Language) -> Tokenizer:
        return Tokenizer(
            nlp.vocab,
            rules={word: [{"ORTH": word}] for word in table["whole"]},
            prefix_search=compile_prefix_regex(prefixes).search,
            suffix_search=last_sign,
            infix_finditer=compile_infix_regex(infixes).finditer,
        )

    return make
