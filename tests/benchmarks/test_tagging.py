"""How fast tagging is, against spaCy's bare tokenisation of the same text in the same run.

    python -m pytest tests/benchmarks/test_tagging.py

Processor time is measured, so that a busy machine tells much the same as an idle one.
"""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
import spacy

from hoyle.annotation.pipeline import nlp_pipeline
from hoyle.languages import language
from support import gold

SLOWEST = 20_000
"""Characters that must be tagged in a second on one core."""
MOST_TIMES = 60
"""How many times the time of ``spacy.blank(…)`` tagging may take (measured: 3 to 9)."""
LOAD = 3.0
"""Seconds of processor time from the first import to a pipeline that is ready."""


BOOKS = [("ru", "preference"), ("ru-petr1708", "whist-lexicon"), ("fr", "quinze")]


@pytest.mark.parametrize(("lang", "name"), BOOKS)
def test_tagging_against_tokenisation(benchmark, lang, name):
    text = " ".join(u["corrected"] for u in gold.edition(name)["units"] if u.get("corrected"))
    bare, nlp = spacy.blank(lang[:2]), nlp_pipeline(language(lang).cue_language)
    nlp(text)
    plain = min(_time(lambda: _cold(bare, text)) for _ in range(3))
    tagging = min(_time(lambda: nlp(text)) for _ in range(3))
    benchmark.extra_info["times plain tokenisation"] = round(tagging / plain, 1)
    benchmark.extra_info["characters a second"] = round(len(text) / tagging)
    benchmark.pedantic(nlp, args=(text,), rounds=3)
    assert tagging < MOST_TIMES * plain
    assert len(text) / tagging > SLOWEST


def _cold(nlp, text):
    """Tokenisation as of a text not seen before: the cache of the tokeniser holds what it has met."""
    nlp.tokenizer._flush_cache()
    return nlp(text)


def _time(work) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


@pytest.mark.parametrize("lang", ["ru", "fr"])
def test_import_and_load(lang):
    code = (
        "import time\n"
        "from hoyle.annotation.pipeline import pipeline\n"
        "from hoyle.languages import language\n"
        f"pipeline(language({lang!r}).cue_language)\n"
        "print(time.process_time())\n"
    )
    command = [sys.executable, "-W", "ignore", "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert float(run.stdout) < LOAD
