import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.errors import TableError
from hoyle.orthography.search_key import _rules, fold, fold_word, rules, words
from hoyle.tables import data_file, read_table
from support import gold

ROWS = read_table(
    data_file("schemas", "fold.tsv"), ["where", "old", "new", "stem", "example", "reads", "source"]
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["old"])
def test_every_rule_has_an_example_that_needs_it(row, monkeypatch):
    assert fold(row["example"]) == fold(row["reads"])
    without = tuple(rule for rule in _rules() if (rule.where, rule.old) != (row["where"], row["old"]))
    monkeypatch.setattr("hoyle.orthography.search_key._rules", lambda: without)
    fold_word.cache_clear()
    assert fold(row["example"]) != fold(row["reads"])
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
def test_spellings_of_one_word_meet(one, other):
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
def test_common_words_stay_apart(one, other):
    assert fold(one) != fold(other)


def test_words_tell_where_they_stand():
    text = "§ 12. Нѣтъ, l’École!"
    assert [(text[slice(*span)], word) for span, word in words(text)] == [
        ("12", "12"),
        ("Нѣтъ", "нет"),
        ("l", "l"),
        ("École", "ecole"),
    ]


@given(st.text())
def test_folding_is_done_once(text):
    assert fold(fold(text)) == fold(text)


@given(st.text(alphabet="aeоъѣ\"'()*:^-+ANDORT{} "))
def test_a_folded_text_holds_no_sign_of_the_query_language(text):
    assert set(fold(text)) <= set("aeoоеъandrt ")


def test_a_rule_that_undoes_itself_is_refused(tmp_path, monkeypatch):
    table = tmp_path / "fold.tsv"
    table.write_text("where\told\tnew\tstem\nend\ta\taa\t1\n", encoding="utf-8")
    monkeypatch.setattr("hoyle.orthography.search_key.data_file", lambda *_: table)
    with pytest.raises(TableError, match=r"fold\.tsv:2: old must not be empty nor be left in new"):
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
