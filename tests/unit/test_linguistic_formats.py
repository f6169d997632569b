"""CoNLL-U and spaCy DocBin: read back, raw offsets, the same bytes twice, hostile text."""

from __future__ import annotations

import io
import re

import pytest
import spacy
from conllu import parse_incr
from hypothesis import Phase, given, settings
from spacy.tokens import DocBin

from hoyle.document import Clause, Document, Edit, Evidence, Meta, Source, Span
from hoyle.document.publication import publication_settings
from hoyle.document.text_layers import layer_text
from hoyle.outputs.conllu import Conllu, conllu
from hoyle.outputs.docbin import DocBins, docbin
from hoyle.outputs.site.text import visible
from hoyle.outputs.tokens import Ranges, token_units
from support.any_document import ANY
from support.any_document import documents as any_document
from support.gold import EDITIONS
from support.site import documents

SURE = Evidence("test", 1.0)
GOLD = dict(zip(EDITIONS, documents(), strict=True))
BLANK = "\\s"


def parsed(text):
    """CoNLL-U read back strictly: unit id → sentences, each a comment dictionary and rows of ten columns."""
    assert not text or text.endswith("\n\n")
    units = {}
    for block in text.rstrip("\n").split("\n\n") if text else ():
        comments, rows = {}, []
        for line in block.split("\n"):
            if line.startswith("# "):
                key, _, value = line[2:].partition(" = ")
                comments[key] = value
                continue
            columns = line.split("\t")
            assert len(columns) == 10
            assert all(c and not re.search(r"\s", c) for c in columns), line
            assert columns[0] == str(len(rows) + 1)
            columns[9] = dict(pair.split("=", 1) for pair in columns[9].split("|"))
            rows.append(columns)
        if "newpar id" in comments:
            units[comments["newpar id"]] = []
        said = "".join(r[1] + ("" if r[9].get("SpaceAfter") == "No" else " ") for r in rows)
        assert said.rstrip(" ") == comments["text"]
        units[list(units)[-1]].append((comments, rows))
    return units


@pytest.mark.parametrize("whole", GOLD.values(), ids=GOLD)
def test_the_parser_that_the_docs_name_reads_the_same(whole):
    units = parsed(conllu(whole))
    sentences = list(parse_incr(io.StringIO(conllu(whole))))
    strict = [found for one in units.values() for found in one]
    assert [s.metadata["sent_id"] for s in sentences] == [comments["sent_id"] for comments, _ in strict]
    for sentence, (comments, rows) in zip(sentences, strict, strict=True):
        assert sentence.metadata["text"] == comments["text"]
        assert [(t["form"], t["lemma"], t["xpos"]) for t in sentence] == [
            (r[1], r[2], None if r[4] == "_" else r[4]) for r in rows
        ]
        assert {t[key] for t in sentence for key in ("upos", "feats", "head", "deprel", "deps")} <= {
            None,
            "_",
        }
        assert [int(t["misc"]["Start"]) for t in sentence] == [int(r[9]["Start"]) for r in rows]


def made(text, edits=(), lang="ru-petr1708", label=None):
    source = Source("d", "d.txt", text, "0" * 64, len(text.encode()))
    clause = Clause("d.1", "", ("1",), (Span(0, len(text)),), SURE, label_span=label)
    whole = Document(source, Meta("d", lang=lang)).with_layer("clauses", [clause])
    return whole.with_layer("correct", [e for e in edits if e.kind != "regularise"]).with_layer(
        "regularise", [e for e in edits if e.kind == "regularise"]
    )


def rows(whole):
    return [row for sentences in parsed(conllu(whole)).values() for _, found in sentences for row in found]


@pytest.mark.parametrize("whole", GOLD.values(), ids=GOLD)
def test_every_word_of_the_corrected_text_is_a_token_with_its_raw_place(whole):
    units = parsed(conllu(whole))
    with_text = [u for u in whole.units if layer_text(whole, u.spans, "corrected").text.strip()]
    assert list(units) == [u.id for u in with_text]
    ids = [comments["sent_id"] for sentences in units.values() for comments, _ in sentences]
    assert len(ids) == len(set(ids))
    for unit in with_text:
        tokens = [row for _, found in units[unit.id] for row in found]
        text = layer_text(whole, unit.spans, "corrected").text
        assert "".join(row[1] for row in tokens) == "".join(text.split())
        for row in tokens:
            spans = row[9].get("Spans", f"{row[9]['Start']}-{row[9]['End']}").split(",")
            raw = [Span(*map(int, span.split("-"))) for span in spans]
            assert all(any(a <= at < b for a, b in unit.spans) for span in raw for at in range(*span))
            kept = "".join(whole.source.text[s.start : s.end] for s in raw)
            if not any(s.start <= e.span.end and e.span.start <= s.end for e in whole.edits for s in raw):
                assert kept == row[1]


@pytest.mark.parametrize("whole", GOLD.values(), ids=GOLD)
def test_the_modern_forms_make_the_modern_text(whole):
    for one in token_units(whole):
        modern = layer_text(whole, one.unit.spans, "modern").text
        assert "".join("".join(t.modern.split()) for t in one.tokens) == "".join(modern.split())


def test_lemmas_and_modern_forms():
    fix = Edit(Span(11, 17), "третій", "третий", "regularise", SURE)
    both = Edit(Span(0, 10), "въ теченіе", "в течение", "regularise", SURE)
    found = rows(made("въ теченіе третій 12", [both, fix]))
    assert [(r[1], r[2], r[9].get("Modern")) for r in found] == [
        ("въ", "в", f"в{BLANK}течение"),
        ("теченіе", "течение", ""),
        ("третій", "третий", "третий"),
        ("12", "12", None),
    ]


def test_a_change_inside_a_token_changes_only_its_part():
    fix = Edit(Span(2, 7), "étoit", "était", "regularise", SURE)
    found = rows(made("s'étoit.", [fix], lang="fr"))
    assert [r[1] for r in found] == ["s'", "étoit", "."]
    assert [r[9].get("Modern") for r in found] == [None, "était", None]


@pytest.mark.parametrize(("at", "text", "before"), [(3, "a, ретій b", "третій"), (8, "a, треті b", "третій")])
def test_letters_inserted_at_the_ends_of_a_change_belong_to_it(at, text, before):
    missing = before[0] if at == 3 else before[-1]
    fix = Edit(Span(at, at), "", missing, "correct", SURE)
    new = Edit(Span(3, 8), before, "третий", "regularise", SURE)
    found = rows(made(text, [fix, new]))
    assert [(r[1], r[9].get("Modern")) for r in found][2] == ("третій", "третий")
    assert "".join(r[9].get("Modern", r[1]) for r in found) == "a,третийb"


def test_a_torn_word_has_all_its_places():
    text = "кар | та лежитъ"
    source = Source("d", "d.txt", text, "0" * 64, 1)
    clause = Clause("d.1", "", ("1",), (Span(0, 3), Span(6, len(text))), SURE)
    whole = Document(source, Meta("d", lang="ru")).with_layer("clauses", [clause])
    first = rows(whole)[0]
    assert first[1] == "карта"
    assert first[9] == {"Start": "0", "End": "8", "Spans": "0-3,6-8"}


def test_sentences_end_at_stops_and_paragraphs_but_not_at_labels_or_abbreviations():
    text = "1. Кто сдаетъ? Онъ. см. п. 20 и т. д. далѣе «такъ!» Потомъ\nНовый абзацъ"
    [sentences] = parsed(conllu(made(text, label=Span(0, 2)))).values()
    assert [comments["text"] for comments, _ in sentences] == [
        "1. Кто сдаетъ?",
        "Онъ. см. п. 20 и т. д. далѣе «такъ!»",
        "Потомъ",
        "Новый абзацъ",
    ]


def test_ranges_lead_from_raw_to_reading():
    edits = [Edit(Span(2, 4), "XX", "y", "correct", SURE), Edit(Span(5, 6), "Z", "", "correct", SURE)]
    ranges = Ranges(layer_text(made("abXXcZd", edits), [Span(0, 7)], "corrected"))
    assert ranges.of(Span(0, 2)) == [Span(0, 2)]
    assert ranges.of(Span(3, 5)) == [Span(2, 4)]
    assert ranges.of(Span(4, 7)) == [Span(3, 5)]
    assert ranges.of(Span(5, 6)) == []


@pytest.mark.parametrize("whole", GOLD.values(), ids=GOLD)
def test_docbin_holds_every_tag_at_its_words(whole):
    docs = list(DocBin().from_bytes(docbin(whole)).get_docs(spacy.blank("xx").vocab))
    by_unit = {doc.user_data["unit"]: doc for doc in docs}
    assert list(by_unit) == [
        u.id for u in whole.units if layer_text(whole, u.spans, "corrected").text.strip()
    ]
    assert len(by_unit) == len(docs)
    shown = 0
    for tag in (t for t in whole.tags if t.unit in by_unit):
        doc = by_unit[tag.unit]
        uri = f"{publication_settings().base}{tag.facet}.{tag.value}"
        spans = [s for s in doc.spans.get(tag.facet, ()) if s.label_ == tag.value]
        assert all(s.kb_id_ == uri for s in spans)
        if tag.main or not tag.spans:
            assert f"{tag.facet}.{tag.value}" in doc.cats
        if tag.spans and tag.text and not tag.main:
            words = {"".join(s.text.split()) for s in spans}
            exact = "".join(tag.text.split()) in words
            shown += exact
            assert spans, tag
    assert shown or not [t for t in whole.tags if t.text]
    for doc in docs:
        assert len(doc.spans.get("conditions", ())) == len(doc.spans.get("consequences", ()))
        for name, group in doc.spans.items():
            if name not in ("conditions", "consequences"):
                assert len(group.attrs["confidence"]) == len(group)
        assert len(list(doc.sents)) >= 1
    references = [s for doc in docs for s in doc.spans.get("reference", ())]
    assert {s.kb_id_ for s in references} == {r.target for r in whole.references if r.spans}


def test_docbin_keeps_lemmas():
    [doc] = DocBin().from_bytes(docbin(made("Сдающій сдаетъ карты"))).get_docs(spacy.blank("ru").vocab)
    assert [t.lemma_ for t in doc][1:] == ["сдавать", "карта"]


HOSTILE = "a\tb | c=d \\ x\x00\x07y <s> # text = \u2028 \u3000_ אב 𐌰 \u202e\n# sent_id = 5\n1\t2"


def test_hostile_text_breaks_no_line():
    found = rows(made(HOSTILE, [Edit(Span(0, 1), "a", "| \\\t\n=\u2028", "regularise", SURE)]))
    assert "".join(r[1] for r in found) == "".join(visible(HOSTILE).split())
    assert found[0][9]["Modern"] == "\\p\\s\\\\\\t\\n=\\s"


@settings(ANY, max_examples=25, phases=[Phase.generate])
@given(any_document())
def test_any_document_can_be_read_back(whole):
    units = parsed(conllu(whole))
    docs = list(DocBin().from_bytes(docbin(whole)).get_docs(spacy.blank("xx").vocab))
    assert len(docs) == len(units)
    for one in token_units(whole):
        text = layer_text(whole, one.unit.spans, "corrected").text
        assert "".join(t.text for t in one.tokens) == "".join(text.split())


@pytest.mark.parametrize("make", [Conllu, DocBins])
def test_the_same_bytes_twice(tmp_path, make):
    for folder in "ab":
        output = make(tmp_path / folder)
        for whole in GOLD.values():
            output.add(whole)
        output.close()
    files = [p for p in (tmp_path / "a").rglob("*") if p.is_file()]
    assert len(files) == len(EDITIONS)
    for path in files:
        assert path.read_bytes() == (tmp_path / "b" / path.relative_to(tmp_path / "a")).read_bytes()
