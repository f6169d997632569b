import re
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from hoyle import from_text
from hoyle.errors import HoyleError, OutputError
from hoyle.outputs.query import as_json, query
from support import gold
from support.tables import build, editions, kit, renamed

DOCS = (gold.GOLD.parent.parent / "docs" / "tables.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    spelt = {
        "old": "1\n12. На мѣсто\n13. Каждаго 1; 2\nFin",
        "new": "1\n12. Нет место\n13. Каждого 1; 2\nFin",
    }
    texts = [renamed(kit(text), name) for name, text in spelt.items()]
    folder = build(tmp_path_factory.mktemp("query"), [*editions(), *texts, kit()])
    return folder / "hoyle.sqlite"


def ask(database, sql, *parameters):
    return list(query(database, sql, parameters)[1])


def found(database, words, fold=""):
    """Ids of the units of the small documents that ``words`` find."""
    sql = f"SELECT id FROM search WHERE search MATCH {fold}(?) AND doc IN ('old', 'new', 'kit') ORDER BY id"
    return [id_ for (id_,) in ask(database, sql, words)]


@pytest.mark.parametrize("words", ["место", "мѣсто", "МѢСТО", "Место"])
def test_any_spelling_finds_all(database, words):
    assert found(database, words) == ["new.12", "old.12"]


@pytest.mark.parametrize("words", ["etoit", "étoit", "était", "etait", "ÉTOIT"])
def test_accents_and_oi_do_not_part(database, words):
    assert found(database, words) == ["kit.12"]


def test_a_spelling_that_stands_nowhere_is_found_when_folded(database):
    assert found(database, "мѣстоъ") == []
    assert found(database, "мѣстоъ", "fold") == ["new.12", "old.12"]
    assert found(database, 'мѣсто* OR "', "fold") == []


def test_phrases_are_found_in_search_spelling(database):
    assert found(database, '"на место"') == ["old.12"]
    assert found(database, '"нет место"') == ["new.12"]


def test_sqlite_itself_needs_nothing_of_ours(database):
    with closing(sqlite3.connect(database)) as db:
        rows = db.execute("SELECT id FROM search WHERE search MATCH 'мѣсто' AND doc = 'new'").fetchall()
    assert rows == [("new.12",)]


EXAMPLES, RESEARCH = DOCS.split("### Ten questions of research")


@pytest.mark.parametrize("sql", re.findall(r"```sql\n(.*?)```", EXAMPLES, re.DOTALL))
def test_the_questions_of_the_docs_have_answers(database, sql):
    columns, rows = query(database, sql)
    assert columns
    assert list(rows)


@pytest.fixture(scope="module")
def composed(tmp_path_factory):
    """A French text in our own words: a dealer who is fined, twice."""
    text = (
        "1. Si le donneur donne mal, il perd sa donne et paie une amende de 2 à 5 francs.\n\n"
        "2. Le donneur qui montre une carte paie une amende de 10 francs.\n"
    )
    document = from_text(text, lang="fr").document
    dated = replace(document, meta=replace(document.meta, date="1830s", games=("whist",)))
    return build(tmp_path_factory.mktemp("composed"), [dated]) / "hoyle.sqlite"


QUESTIONS = re.findall(r"```sql\n(.*?)```", RESEARCH, re.DOTALL)


def test_there_are_ten_questions_of_research():
    assert len(QUESTIONS) == 10


@pytest.mark.parametrize("sql", QUESTIONS)
def test_a_question_of_research_has_an_answer(corpus_build, composed, sql):
    built = corpus_build / "build" / "tables" / "hoyle.sqlite"
    assert ask(built, sql) or ask(composed, sql)


def test_penalties_on_the_dealer_and_their_amounts_are_right(composed):
    dealer, fines = ask(composed, QUESTIONS[0]), ask(composed, QUESTIONS[4])
    assert ("whist", 1830, "fine", 2) in dealer
    assert ("fine", "franc", 2, 2.0, 10.0) in fines


@pytest.mark.parametrize(
    ("view", "columns"), re.findall(r"^\| `(\w+)` \|[^|]+\| (\w+, [^|]+) \|$", DOCS, re.MULTILINE)
)
def test_views_have_the_columns_the_docs_list(database, view, columns):
    assert ", ".join(query(database, f"SELECT * FROM {view}")[0]) == columns


def test_all_views_are_in_the_docs(database):
    views = {name for (name,) in ask(database, "SELECT name FROM sqlite_master WHERE type = 'view'")}
    assert views - {"search_texts"} == set(re.findall(r"^\| `(\w+)` \|[^|]+\|[^|]+\|$", DOCS, re.MULTILINE))


def test_views_agree_with_the_tables(database):
    assert (
        ask(database, "SELECT sum(clauses) > 0, count(*) FROM penalties_by_game WHERE game = 'whist'")[0][0]
        == 1
    )
    kits = ask(
        database, "SELECT game, offence, penalty, against, exacted_by FROM sanctions WHERE doc = 'kit'"
    )
    assert kits == [("whist", "misdeal", "new-deal", "dealer", "opponent")]
    cases = ask(
        database,
        "SELECT condition, consequence, offence, penalty, against FROM consequences WHERE doc = 'kit'",
    )
    assert cases == [("On", "étoit =mal", "misdeal", "new-deal", "dealer"), ("", None, None, None, None)]
    steps = ask(
        database, "SELECT broader, steps FROM broader_concepts WHERE facet = 'game' AND id = 'whist-short'"
    )
    assert steps == [("whist-short", 0), ("whist", 1), ("trick", 2)]
    pairs = ask(
        database,
        "SELECT concept, clause, other_clause FROM concordance"
        " WHERE facet = 'penalty' AND 'kit' IN (doc, other_doc)",
    )
    assert pairs
    assert {concept for concept, *_ in pairs} == {"new-deal"}
    assert all(("kit." in clause) != ("kit." in other) for _, clause, other in pairs)
    order = ask(database, "SELECT id FROM texts WHERE doc = 'kit' ORDER BY position")
    assert order == [("kit.12",), ("kit.13",), ("kit.p1",)]


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM tags",
        "UPDATE clauses SET raw = ''",
        "UPDATE sqlite_master SET sql = ''",
        "INSERT INTO search (search) VALUES ('rebuild')",
        "DROP TABLE tags",
        "CREATE TEMP TABLE t (a)",
        "ATTACH 'other.db' AS other",
        "VACUUM",
        "VACUUM INTO 'other.db'",
        "PRAGMA user_version = 3",
        "PRAGMA writable_schema = 1",
        "PRAGMA query_only = 0",
        "PRAGMA journal_mode = wal",
        "SELECT load_extension('x')",
        "BEGIN IMMEDIATE",
        "WITH x AS (SELECT 1) DELETE FROM tags",
    ],
)
def test_nothing_can_be_changed(database, sql, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = database.read_bytes()
    with pytest.raises(HoyleError, match="can only be read"):
        ask(database, sql)
    assert database.read_bytes() == before
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT 1; SELECT 2", "one statement"),
        ("SELEC 1", 'near "SELEC": syntax error'),
        ("SELECT * FROM tables", "no such table: tables; docs/tables.md lists"),
        ("SELECT nobody FROM tags", "no such column: nobody"),
        ("SELECT * FROM references", r'near "references": syntax error; .* ask the view refs'),
        ("SELECT length(zeroblob(900000000))", "string or blob too big"),
        ("SELECT hex(zeroblob(20000000)) || hex(zeroblob(20000000))", "string or blob too big"),
        ("SELECT writefile('x', 'y')", "no such function"),
        ("", "asks for nothing"),
        ("-- only a remark", "asks for nothing"),
        ("SELECT ?", "SQLite does not understand"),
        ("SELECT id FROM search WHERE search MATCH '\"'", "SQLite does not understand"),
        ("SELECT abs(-9223372036854775808)", "integer overflow"),
    ],
)
def test_faults_are_explained(database, sql, message):
    with pytest.raises(HoyleError, match=message):
        ask(database, sql)


def test_a_question_without_end_is_given_up(database):
    endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    with pytest.raises(HoyleError, match="takes too long"):
        list(query(database, endless, seconds=0.3)[1])


def test_memory_has_a_bound(database):
    much = ", ".join(["zeroblob(60000000)"] * 20)
    with pytest.raises(HoyleError, match="too much memory"):
        ask(database, f"SELECT {much}")
    assert ask(database, "SELECT 1") == [(1,)]


def test_an_answer_as_json(database):
    columns, rows = query(database, "SELECT 1 AS doc, 2 AS doc, 3 AS doc_2, 9e999 AS a, -9e999, x'ff' AS b")
    assert list(as_json(columns, rows)) == [
        {"doc": 1, "doc_2": 2, "doc_2_2": 3, "a": None, "-9e999": None, "b": "ff"}
    ]


def test_tables_can_be_listed(database):
    names = {row[1] for row in ask(database, "PRAGMA table_list")}
    assert {"clauses", "tags", "references", "refs"} <= names
    assert ask(database, "SELECT name FROM pragma_table_info('tags') LIMIT 2") == [("doc",), ("unit",)]


def test_rows_come_as_they_are_asked_for(database):
    endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    columns, rows = query(database, endless)
    assert (columns, [next(rows) for _ in range(3)]) == (("i",), [(1,), (2,), (3,)])
    rows.close()


def test_a_file_that_is_not_there_or_no_database(tmp_path):
    with pytest.raises(OutputError, match="run hoyle build first"):
        query(tmp_path / "hoyle.sqlite", "SELECT 1")
    (tmp_path / "hoyle.sqlite").write_text("no database " * 100, encoding="utf-8")
    with pytest.raises(OutputError, match="is no SQLite database"):
        query(tmp_path / "hoyle.sqlite", "SELECT 1 FROM clauses")


def test_a_path_with_signs_of_an_address(tmp_path, database):
    odd = tmp_path / "a?mode=rwc&b#c %20"
    odd.mkdir()
    (odd / "hoyle.sqlite").write_bytes(database.read_bytes())
    assert ask(odd / "hoyle.sqlite", "SELECT 1") == [(1,)]
