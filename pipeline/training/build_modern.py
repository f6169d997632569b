"""Builds the list of present-day French word forms that regularisation asks.

    python pipeline/training/build_modern.py DATA_FOLDER

DATA_FOLDER holds ``fr/corpus_fr_1840_1920.txt.xz`` (ELTeC, public domain). Only forms go into the
list, no text. A form is kept

* as it is met, in small letters; a form met only with a capital is kept with it (``François``, which
  is no ``françois``), if it is met twice;
* and so are the forms in -oie, -oies, -oient of each verb in -oyer;
* unless a row of the kind ``hyphen`` of ``languages/fr/spelling.tsv`` parts it (``très-bien``);
* unless a sure rule of ``languages/fr`` makes of it a form that is three times as frequent: then it is
  an older spelling that some of the novels still have (``siége``, ``enfans``).
"""

from __future__ import annotations

import lzma
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import marisa_trie

from hoyle.languages import language
from hoyle.orthography.rules import Rule
from hoyle.orthography.spelling import Speller
from hoyle.tables import data_file

WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
LEAST = 2
"""How often a form must be met that is met only with a capital."""
OLDER = 3
"""How much more frequent the newer spelling must be for a form to be called an older one."""
SURE = 0.98
"""Probability from which a rule is sure."""


def count(path: Path) -> tuple[Counter[str], Counter[str]]:
    """Counts of forms in small letters and of forms with a capital (given in small letters)."""
    small: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            for form in WORD.findall(line):
                if form.islower():
                    small[form] += 1
                elif not form.isupper():
                    capital[form.lower()] += 1
    return small, capital


def newer(form: str, small: Counter[str], rules: Sequence[Rule]) -> str:
    """The far more frequent form that a sure rule makes of this one, or nothing."""
    made = [r for rule in rules if rule.p >= SURE for r in rule.results(form) if r != form]
    return next((r for r in made if small[r] >= OLDER * small[form]), "")


def forms(small: Counter[str], capital: Counter[str], spell: Speller) -> tuple[list[str], dict[str, str]]:
    """The forms of the list, sorted, and the older spellings left out with their newer ones."""
    parted = [rule.pattern for rule in spell.hyphen_rules if rule.when == "always"]
    older = {form: by for form in sorted(small) if (by := newer(form, small, spell.rules))}
    kept = {form for form in small if not any(pattern.search(form) for pattern in parted)} - set(older)
    kept |= {form.capitalize() for form, n in capital.items() if n >= LEAST and form not in small}
    for form in small:
        if stem := re.fullmatch(r"(.+o)y(?:er|ait|ant|ée?s?|ons|ez)", form):
            kept |= {stem[1] + ending for ending in ("ie", "ies", "ient")}
    return sorted(kept), older


def main() -> None:
    """Writes the list and says what it left out."""
    source = Path(sys.argv[1]) / "fr/corpus_fr_1840_1920.txt.xz"
    small, capital = count(source)
    kept, older = forms(small, capital, language("fr").resource(Speller))
    path = data_file("resources") / "modern_fr.marisa"
    marisa_trie.Trie(kept).save(str(path))
    note = f"""# What modern_fr.marisa was made from: present-day word forms that regularisation asks.
command = "python pipeline/training/build_modern.py DATA_FOLDER"
sources = ["fr/corpus_fr_1840_1920.txt.xz: French novels of 1840-1920 (ELTeC, public domain): the forms met"]
forms = {len(kept)}
older_spellings_left_out = {len(older)}
"""
    path.with_suffix(".toml").write_text(note, encoding="utf-8")
    print(
        f"{len(kept)} forms, {path.stat().st_size} bytes; left out: ",
        *(f"{a} ({b})" for a, b in older.items()),
    )


if __name__ == "__main__":
    main()
