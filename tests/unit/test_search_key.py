import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.errors import TableError
from hoyle.languages import Language, language, languages
from hoyle.orthography.search_key import _rules, fold, fold_word, rules, words
from hoyle.orthography.table import spelling_changes
from support import gold

CHANGES = [change for tag in languages() for change in spelling_changes(language(tag), "search")]
ROWS = [change.row for change in CHANGES]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["old"])
def test_every_rule_has_an_example_that_needs_it(row, monkeypatch):
    assert fold(row["example"]) == fold(row["newer"])
    without = tuple(rule for i, rule in enumerate(_rules()) if i != ROWS.index(row))
    monkeypatch.setattr("hoyle.orthography.search_key._rules", lambda: without)
    fold_word.cache_clear()
    assert fold(row["example"]) != fold(row["newer"])
    fold_word.cache_clear()


@pytest.mark.parametrize("row", [r for r in ROWS if "/" in r["source"]], ids=lambda row: row["old"])
def test_an_example_from_a_file_of_the_project_stands_there(row):
    files = list(gold.GOLD.parent.parent.glob(row["source"]))
    assert any(row["example"] in file.read_text(encoding="utf-8").lower() for file in files)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("место", "мѣсто"),
        ("Мѣсто", "МЕСТО"),
        ("etoit", "était"),
        ("étoit", "était"),
        ("щёткою", "щеткою"),
        ("ſuis", "suis"),
        ("cœur", "coeur"),
        ("картъ", "карт"),
        ("мѣ\u00adсто", "место"),
        ("сло\u0301во", "слово"),
        ("и\u0306", "й"),
        ("connoiſſance", "connaissance"),
        ("каждаго изъ игроковъ", "каждого из игроков"),
    ],
)
def test_spellings_of_one_word_have_one_key(one, other):
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("soit", "sait"),
        ("mois", "mais"),
        ("fois", "fais"),
        ("мой", "мои"),
        ("вист", "висты"),
        ("ъ", ""),
        ("12", "13"),
    ],
)
def test_common_words_have_keys_of_their_own(one, other):
    assert fold(one) != fold(other)


def test_words_have_their_offsets():
    text = "§ 12. Нѣтъ, l’École!"
    assert [(text[slice(*span)], word) for span, word in words(text)] == [
        ("12", "12"),
        ("Нѣтъ", "нет"),
        ("l", "l"),
        ("École", "ecole"),
    ]


@given(st.text())
def test_folding_is_idempotent(text):
    assert fold(fold(text)) == fold(text)


@given(st.text(alphabet="aeоъѣ\"'()*:^-+ANDORT{} "))
def test_a_folded_text_holds_no_sign_of_the_query_language(text):
    assert set(fold(text)) <= set("aeoоеъandrt ")


def test_a_rule_that_undoes_itself_is_refused(tmp_path, monkeypatch):
    header = "kind\told\tnew\twhere\tuses\twhen\tp\tuntil\tneeds\texample\tnewer\tsource\n"
    row = "rule\ta\taa\tend\tsearch:1\t\t\t\t\t\t\t\n"
    (tmp_path / "spelling.tsv").write_text(header + row, encoding="utf-8")
    made = Language("xx", "X", "xx", "xx", frozenset("ab"), {}, tmp_path)
    monkeypatch.setattr("hoyle.orthography.search_key.languages", lambda: {"xx": made})
    with pytest.raises(TableError, match=r"spelling\.tsv:2: for the search key, old must not be left in new"):
        _rules.__wrapped__()


SCRIPT = Path(__file__).parent.parent / "support" / "fold.js"


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_rules_as_json_are_enough_for_javascript():
    texts = [gold.source(name).text for name in gold.EDITIONS] + [row["example"] for row in ROWS]
    texts += [
        "İstanbul ΛΌΓΟΣ ﬁn ½ Ⅳ й и\u0306 мѣ\u00adсто Ѳёкла",
        "".join(map(chr, range(0x250))),
        "Ѐѝѵ\u030fїҐ",
    ]
    given_ = json.dumps({"rules": rules(), "texts": texts})
    done = subprocess.run(["node", SCRIPT], input=given_, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [fold(text) for text in texts]
