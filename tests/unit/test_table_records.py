import re
from dataclasses import replace

import pytest

from hoyle.document import Block, Document, Edit, Evidence, Meta, Source, Span
from hoyle.document.text_layers import normalise_whitespace
from hoyle.outputs.records import clause_records, records, token_records, vocabulary_records
from hoyle.outputs.schema import tables
from support import gold
from support.tables import RULE, editions, kit


def rows(document, table):
    return dict(records(document))[table]


@pytest.mark.parametrize("document", editions(), ids=lambda d: d.id)
def test_every_row_has_the_columns_of_its_table_and_their_types(document):
    python = {"string": str, "integer": int, "number": float, "boolean": bool}
    for name, made in records(document):
        for row in made:
            assert list(row) == [column.name for column in tables()[name].shared]
            for column in tables()[name].shared:
                value = row[column.name]
                assert isinstance(value, list if column.is_list else python[column.type]) or (
                    value is None and not column.required
                )


@pytest.mark.parametrize("name", gold.EDITIONS)
def test_the_clauses_are_those_of_the_edition(name):
    made = list(clause_records(gold.document(name)))
    wanted = [unit for unit in gold.edition(name)["units"] if unit["type"] == "clause"]
    assert [row["number"] for row in made] == [unit["n"] for unit in wanted]
    assert [row["corrected"] for row in made] == [normalise_whitespace(unit["corrected"]) for unit in wanted]
    assert [row["actors"] for row in made] == [
        list(dict.fromkeys(a["id"] for a in u["actors"])) for u in wanted
    ]


@pytest.mark.parametrize("name", gold.EDITIONS)
def test_every_edit_lies_in_the_unit_named(name):
    document = gold.document(name)
    units = {unit.id: unit for unit in (*document.units, *document.furniture)}
    for row in rows(document, "edits"):
        spans = units[row["unit"]].spans
        assert any(start <= row["start"] and row["end"] <= end for start, end in spans)


def test_a_clause_with_everything():
    first, second = clause_records(kit())
    assert first == {
        "doc": "kit",
        "clause": "kit.12",
        "series": 1,
        "number": "12",
        "path": ["12"],
        "label_raw": "12.",
        "scheme": "arabic",
        "lang": "fr",
        "game": "whist",
        "heading": None,
        "spans": [[2, 19]],
        "raw": "12. On étoit =mal",
        "corrected": "12. On étoit =mal",
        "modern": "12. On était =mal",
        "words": 3,
        "pages": ["7", "7"],
        "modality": "obligation",
        "actors": ["player"],
        "penalties": ["new-deal"],
        "offences": ["misdeal"],
        "refs": [],
        "incomplete": None,
        "confidence": 0.7,
        "flags": [],
        "under": None,
        "by": "tests/rule.tsv:1",
    }
    assert second["refs"] == [
        {"text": "1; 2", "target": "kit.12", "status": "exact"},
        {"text": "a|b\\", "target": None, "status": "outside"},
    ]
    assert second["flags"] == ["odd"]


def test_a_tag_has_its_words_in_modern_spelling_and_their_lemmas(annotated):
    penalty = next(row for row in rows(kit(), "tags") if row["facet"] == "penalty")
    assert (penalty["text"], penalty["modern"]) == ("mal", "était =mal")  # the words of its spans
    found = {
        row["text"]: (row["modern"], row["lemma"]) for row in rows(annotated("whist-lexicon", "all"), "tags")
    }
    assert found["противниковъ"] == ("противников", "противник")  # the comma is not of the tag
    assert found["противники"] == ("противники", "противник")  # torn by the end of a column
    of_game = next(row for row in rows(annotated("patience", "all"), "tags") if " … " in (row["text"] or ""))
    assert of_game["modern"].count(" … ") == of_game["text"].count(" … ")


def test_tokens_rebuild_the_corrected_text_and_point_into_the_source(annotated):
    document = annotated("whist-lexicon", "all")
    made = [row for batch in token_records(document) for row in batch]
    for row in made:
        assert list(row) == [column.name for column in tables()["tokens"].columns]
    clause = next(row for row in rows(document, "clauses") if row["number"] == "24")
    inside = [row for row in made if row["unit"] == clause["clause"]]
    assert "".join(row["text"] for row in inside) == "".join(clause["corrected"].split())
    assert {(row["text"], row["lemma"], row["pos"]) for row in inside} >= {("ренонсъ", "ренонс", "NOUN")}
    for row in inside:
        [first, *_] = row["spans"]
        assert clause["spans"][0][0] <= first[0] < first[1] <= clause["spans"][-1][1]


def test_a_text_without_figures_counts_its_words(annotated):
    document = annotated("whist-lexicon", "all")
    [whole] = rows(document, "documents")
    texts = [*rows(document, "clauses"), *rows(document, "blocks")]
    spelt = [re.findall(r"[^\W\d_]+", row["corrected"] or "") for row in texts]
    assert whole["words"] == sum(map(len, spelt)) > 500
    assert (whole["year_from"], whole["year_to"]) == (1835, 1841)


def test_the_game_of_a_document_with_several_is_nobodys():
    document = replace(kit(), meta=Meta("kit", games=("whist", "boston")))
    assert [row["game"] for row in clause_records(document)] == [None, None]


def test_a_clause_has_its_own_title_or_that_of_the_heading_above():
    document = kit()
    heading = Block("kit.h1", "heading", (Span(0, 1),), RULE)
    first, second = document.clauses
    clauses = [heading, replace(first, heading=Span(6, 8), under="kit.h1"), replace(second, under="kit.h1")]
    document = replace(document, layers={**document.layers, "furniture": (), "clauses": tuple(clauses)})
    assert [(row["heading"], row["under"]) for row in clause_records(document)] == [
        ("On", "kit.h1"),
        ("7", "kit.h1"),
    ]


def test_pages_are_those_printed_before():
    text = "a b 3 c d 4 e"
    document = Document(Source("p", "p.txt", text, "", len(text)), Meta("p"))
    spans = {
        "x": (Span(0, 3),),
        "y": (Span(6, 9),),
        "z": (Span(6, 9), Span(12, 13)),
        "w": (Span(0, 3), Span(6, 7)),
    }
    marks = [Block(f"p.pn{at}", "page-number", (Span(at, at + 1),), RULE, n=text[at]) for at in (4, 10)]
    blocks = [Block(f"p.{name}", "paragraph", parts, RULE) for name, parts in spans.items()]
    document = document.with_layer("furniture", marks).with_layer("clauses", blocks)
    assert [row["pages"] for row in rows(document, "blocks")[:4]] == [[], ["3", "3"], ["3", "4"], [None, "3"]]


def test_furniture_has_no_text_but_its_own():
    page = rows(kit(), "blocks")[-1]
    assert (page["id"], page["raw"], page["corrected"], page["modern"]) == ("kit.pn1", "7", None, None)


def test_an_insertion_between_two_units_belongs_to_the_second():
    text = "ab"
    document = Document(Source("i", "i.txt", text, "", 2), Meta("i"))
    blocks = [Block("i.1", "paragraph", (Span(0, 1),), RULE), Block("i.2", "paragraph", (Span(1, 2),), RULE)]
    edits = [Edit(Span(at, at), "", "x", "correct", Evidence("r", 1)) for at in (0, 1, 2)]
    document = document.with_layer("clauses", blocks).with_layer("correct", edits)
    assert [row["unit"] for row in rows(document, "edits")] == ["i.1", "i.2", "i.2"]


def test_documents_count_what_they_hold():
    (row,) = rows(kit(), "documents")
    counted = {name: row[name] for name in ("clauses", "blocks", "edits", "tags", "references", "findings")}
    assert counted == {"clauses": 2, "blocks": 2, "edits": 3, "tags": 5, "references": 2, "findings": 1}


def test_broader_concepts_come_first():
    for _, made in vocabulary_records():
        seen: set[tuple[str | None, str]] = set()
        for row in made:
            assert row["broader"] is None or (row.get("facet"), row["broader"]) in seen
            seen.add((row.get("facet"), row["id"]))
