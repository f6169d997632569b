"""Speed of the stage ``correct``, with tagger, lattice and profile of the document.

    python -m pytest tests/benchmarks/test_correction.py

Against spaCy's bare tokenisation of the same text in the same run, in processor time, so that a busy
machine tells much the same as an idle one.
"""

from __future__ import annotations

import time

import pytest
import spacy

from hoyle.correction.stage import correct
from hoyle.document import FURNITURE
from hoyle.evaluate.passages import Passage, make_sample
from hoyle.languages import language
from support.shared import DOCUMENTS, gold_units, raw_text

MOST_TIMES = 100
"""How many times the time of ``spacy.blank(…)`` correcting may take (measured: 17 to 55)."""
TIMES = 8
"""How often the documents stand in the text, so that loading and profiling weigh as in a book."""


def passages(lang: str) -> list[Passage]:
    """The units of the real documents in the language, as the engine read them."""
    found = []
    for name in (one for one in DOCUMENTS if one.startswith(lang[:2])):
        if name == "ru16":  # present spelling: nothing to do for tagger and lattice
            continue
        text = raw_text(name)
        for unit in gold_units(name):
            ocr = "\n".join(text[a:b] for a, b in unit["spans"])
            if unit["type"] not in FURNITURE and ocr.strip():
                found.append(Passage(ocr, unit["corrected"], lang=lang))
    return found


@pytest.mark.parametrize("lang", ["ru-petr1708", "fr"])
def test_correction_against_tokenisation(benchmark, lang):
    book = make_sample("book", passages(lang) * TIMES).document
    bare = spacy.blank(lang[:2])
    list(correct(make_sample("warm", passages(lang)[:2]).document))
    plain = min(_time(lambda: _tokens(bare, book.source.text)) for _ in range(3))
    correcting = min(_time(lambda: list(correct(book, language(book.lang)))) for _ in range(2))
    benchmark.extra_info["times plain tokenisation"] = round(correcting / plain, 1)
    benchmark.extra_info["characters a second"] = round(len(book.source.text) / correcting)
    benchmark.pedantic(lambda: list(correct(book, language(book.lang))), rounds=1)
    assert correcting < MOST_TIMES * plain


def _tokens(bare, text):
    """Tokenisation as of a text not seen before: the cache of the tokeniser holds what it has met."""
    bare.tokenizer._flush_cache()
    for start in range(0, len(text), 50_000):
        bare(text[start : start + 50_000])


def _time(work) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
