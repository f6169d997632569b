"""The spelling table: each view of each row, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.annotation.lemmas import cue_key
from hoyle.errors import TableError
from hoyle.languages import Language, language
from hoyle.orthography.search_key import fold_word
from hoyle.orthography.spelling import Speller
from hoyle.orthography.table import spelling_changes
from hoyle.orthography.variants import accepted_spellings, dating_words, older_spellings
from hoyle.tables import read_table

GOLDEN = Path(__file__).parent.parent / "golden" / "spelling"
TAGS = ("fr", "ru-petr1708")
HEADING = "kind\told\tnew\twhere\tuses\twhen\tp\tuntil\tneeds\texample\tnewer\tsource\n"


def rows(view: str):
    """The rows for a view, each with its orthography."""
    return [
        pytest.param(tag, change, id=change.row.where)
        for tag in TAGS
        for change in spelling_changes(language(tag), view)
    ]


def made(tmp_path, *cells: str) -> Language:
    """An orthography whose table has the given rows."""
    (tmp_path / "spelling.tsv").write_text(HEADING + "\n".join(cells) + "\n", encoding="utf-8")
    return Language("xx", "X", "xx", "xx", frozenset("ab"), {}, tmp_path)


@pytest.mark.parametrize(("tag", "change"), rows("accept"))
def test_an_accepted_spelling_is_shown_by_its_example(tag, change):
    older, newer = change.row["example"], change.row["newer"]
    if change.old.islower():
        older, newer = older.lower(), newer.lower()
    places = list(change.pattern("accept").finditer(older))
    each = {older[: m.start()] + m.expand(change.new) + older[m.end() :] for m in places}
    assert newer in each | {change.pattern("accept").sub(change.new, older)}
    assert (change.pattern("accept"), change.new) in accepted_spellings(language(tag), older=True)


@pytest.mark.parametrize(("tag", "change"), rows("generate"))
def test_an_older_spelling_is_made_of_the_newer_one(tag, change):
    older = {rule.pattern.sub(rule.old, change.row["newer"]) for rule in older_spellings(language(tag))}
    assert change.row["example"] in older


@pytest.mark.parametrize(("tag", "change"), rows("cues"))
def test_old_and_new_spelling_have_one_cue_key(tag, change):
    key = cue_key(language(tag).cue_language)
    assert key(change.row["example"]) == key(change.row["newer"])
    assert key(change.row["example"]) != change.row["example"]


@pytest.mark.parametrize(("tag", "change"), rows("date"))
def test_a_dating_word_is_found(tag, change):
    assert dating_words(language(tag)).search(change.row["example"])
    assert not dating_words(language(tag)).search(change.row["newer"])


def test_no_change_is_written_twice():
    for tag in TAGS:
        changes = spelling_changes(language(tag))
        seen = [
            (change.old, change.new, use.where, view)
            for change in changes
            for view, use in change.uses.items()
            if not change.old.startswith("(?<=")
        ]
        assert len(seen) == len(set(seen))


def test_one_row_serves_every_view_of_the_old_imperfect():
    [change] = [c for c in spelling_changes(language("fr")) if c.row["example"] == "étoit"]
    assert set(change.uses) == {"modernise", "search", "cues", "accept", "generate"}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("rule\ta(\tb\tend\tmodernise\talways\t1\t\t\tx\ty\tz", "regular expression"),
        ("rule\ta\tb\tend\tmodernise\tmaybe\t1\t\t\tx\ty\tz", "'when' must be of"),
        ("rule\ta\tb\tend\tmodernise\talways\tsure\t\t\tx\ty\tz", "p must be a number"),
        ("root\ta\tb\tend\tmodernise\talways\t1\t\t\tx\ty\tz", "'kind' must be of"),
        ("rule\ta\tb\tmiddle\tmodernise\talways\t1\t\t\tx\ty\tz", "'where' must be of"),
        ("rule\ta\tb\tend\tspell\talways\t1\t\t\tx\ty\tz", "'uses' must be of"),
        ("rule\ta\tb\tend\tsearch:x\t\t\t\t\tx\ty\tz", "'uses' must be of"),
        ("rule\t[ae]\tb\tend\tsearch:1\t\t\t\t\tx\ty\tz", "must be letters"),
    ],
)
def test_a_broken_row_is_named(tmp_path, row, message):
    with pytest.raises(TableError, match=message) as error:
        spelling_changes(made(tmp_path, row))
    assert error.value.document.endswith("spelling.tsv:2")


def test_a_language_of_three_rows_is_enough(tmp_path):
    spell = Speller(
        made(
            tmp_path,
            "letter\tā\ta\tanywhere\tmodernise\t\t1\t\t\tx\ty\tz",
            "word\tb a\tba\tword\tmodernise\t\t.9\t\t\tx\ty\tz",
            "rule\tb\ta\tend\tmodernise:2\talways\t.5\t\t\tx\ty\tz",
        )
    )
    assert spell.plain("BĀB") == "bab"
    assert spell.word("bab").text == "baa"
    assert spell.word("ab") is None  # two letters must be left over
    assert [phrase.new for phrase in spell.phrases_from("b", "a")] == ["ba"]


@pytest.mark.parametrize("tag", TAGS)
def test_each_view_gives_what_it_gave(tag):
    spell, key, rules = (
        language(tag).resource(Speller),
        cue_key(language(tag).cue_language),
        older_spellings(language(tag)),
    )
    accepted = accepted_spellings(language(tag), older=True)
    rows = read_table(GOLDEN / f"{tag.replace('-', '_')}.tsv", ["form"])
    assert len(rows) >= 150
    for row in rows:
        form = row["form"]
        found = spell.word(form)
        made = {
            "form": form,
            "modern": found.text if found else form,
            "search": fold_word(form),
            "cues": key(form),
            "accept": " ".join(sorted({p.sub(new, form) for p, new in accepted if p.search(form)})),
            "generate": " ".join(
                sorted({rule.pattern.sub(rule.old, form) for rule in rules if rule.pattern.search(form)})
            ),
        }
        assert made == row.cells, row.where
