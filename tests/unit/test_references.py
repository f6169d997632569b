import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.document import Block, Clause, Document, Meta, Source, Span
from hoyle.languages import language, languages
from hoyle.references.cited_numbers import comparison_key, number_at
from hoyle.references.mentions import ReferenceCues
from hoyle.references.stage import find_references
from hoyle.tables import data_file, read_table
from support.gold import EDITIONS, EDITOR, GOLD, document, edition


def cases():
    text = (GOLD / "references" / "cases.txt").read_text(encoding="utf-8")
    for block in re.split(r"^== ", text, flags=re.MULTILINE)[1:]:
        name, lang, *lines = block.strip().split("\n")
        units = [[c.strip() for c in line.split("|", 2)] for line in lines if not line.startswith("=>")]
        wanted = [[c.strip() for c in line[2:].split("|")] for line in lines if line.startswith("=>")]
        yield pytest.param(lang, units, wanted, id=name)


def build(lang, units):
    """A document whose clauses and paragraphs are ``units``, a line each."""
    text, items, series = "", [], 1
    for i, (number, label, words) in enumerate(units):
        span = Span(len(text), len(text) + len(words))
        text += words + "\n"
        if number == "-":
            items.append(Block(f"d.p{i}", "paragraph", (span,), EDITOR))
            continue
        series = 2 if number.startswith("s2:") else series
        n = number.removeprefix("s2:")
        at = span.start + words.find(label)
        own = Span(at, at + len(label))
        ident = f"d.s2.{n}" if series == 2 else f"d.{n}"
        items.append(
            Clause(ident, label, tuple(n.split(".")), (span,), EDITOR, label_span=own, series=series)
        )
    return Document(Source("d", "d", text, "", 0), Meta(id="d", lang=lang)).with_layer("clauses", items)


@pytest.mark.parametrize(("lang", "units", "wanted"), list(cases()))
def test_golden_cases(lang, units, wanted):
    doc = build(lang, units)
    names = {u.id: units[i][0] for i, u in enumerate(doc.units)}
    found = [
        [names[r.unit], r.text, ".".join(r.number), r.status, r.target.removeprefix("d.")]
        for r in find_references(doc, language(doc.lang))
    ]
    assert found == wanted


@pytest.mark.parametrize("name", EDITIONS)
def test_every_number_that_the_gold_editions_cite_is_found_and_no_other(name):
    doc = document(name)
    by_number = {}
    for reference in find_references(doc, language(doc.lang)):
        by_number.setdefault(reference.unit, []).append(reference)
    for raw, unit in zip(_text_units(name), doc.units, strict=True):
        numbered = [r for r in raw.get("refs", []) if r.get("kind") is None]
        found = by_number.pop(unit.id, [])
        assert [".".join(r.number) for r in found] == [r["target"] for r in numbered]
        for reference, gold in zip(found, numbered, strict=True):
            assert (reference.status == "exact") == gold["resolves_in_sample"]
    assert not by_number


def _text_units(name):
    ids = {"notice", "running-head", "page-number", "signature", "separator", "note-ref"}
    return [u for u in edition(name)["units"] if u["type"] not in ids]


def test_a_reference_leads_back_to_its_raw_words():
    doc = document("bridge-laws")
    for reference in find_references(doc, language(doc.lang)):
        raw = "".join(doc.source.text[s.start : s.end] for s in reference.spans)
        assert reference.number[0] in raw or reference.text.startswith("раздел")


@pytest.mark.parametrize(
    ("text", "letters", "path"),
    [
        ("16", False, ("16",)),
        ("45C4(B).", False, ("45", "C", "4", "b")),
        ("45Е)", False, ("45", "Е")),
        ("17а", False, ("17", "а")),
        ("1.2.3.", False, ("1", "2", "3")),
        ("45.C.2", False, ("45", "C", "2")),
        ("i5", False, ("15",)),
        ("a4*", False, ("24",)),
        ("3i", False, ("31",)),
        ("1О", False, ("10",)),
        ("!5", False, ("15",)),
        ("2 5 doit", False, ("25",)),
        ("5 bis", False, ("5 bis",)),
        ("16-му", False, ("16",)),
        ("5e", False, ("5",)),
        ("ІV", False, ("IV",)),
        ("XII", False, ("XII",)),
        ("B)", True, ("B",)),
        ("B)", False, None),
        ("IIII", False, None),
        ("слово", False, None),
        ("1’ара", False, None),
        ("", False, None),
        ("C", False, None),
    ],
)
def test_numbers_are_read_as_paths(text, letters, path):
    cited = number_at(text, 0, letters=letters)
    assert (cited.path if cited else None) == path


@given(st.text(alphabet="0123456789 .,()-!iIІОабВCXV§п", max_size=20), st.integers(0, 20))
def test_a_number_lies_inside_the_text(text, at):
    cited = number_at(text, at, letters=True)
    if cited:
        assert at == cited.start < cited.end <= len(text)
        assert all(cited.path)


@given(
    st.lists(
        st.sampled_from(["§ ", "§§ ", "п. ", "гл. ", "5", "II", ", ", " и ", "-му ", ". ", "45C4(B)"]),
        max_size=12,
    )
)
def test_references_lie_inside_their_unit_in_order(parts):
    words = "x " + "".join(parts) + " x"
    doc = build("ru-petr1708", [["5", "§ 5.", "§ 5. Игра."], ["6", "", words]])
    unit = doc.units[1]
    spans = [span for r in find_references(doc, language(doc.lang)) for span in r.spans]
    assert all(unit.spans[0].covers(span) for span in spans)
    assert spans == sorted(spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))


def test_letters_of_two_scripts_compare_equal():
    assert comparison_key(("45", "Е")) == comparison_key(("45", "E"))
    assert comparison_key(("17", "б")) != comparison_key(("17", "b"))


@pytest.mark.parametrize("tag", languages())
def test_every_cue_word_is_found_in_its_example(tag):
    for row in language(tag).table("references", ("pattern", "kind", "many", "example")):
        hits = [
            found.where
            for found, _ in language(tag).resource(ReferenceCues).find_all(row["kind"], row["example"])
        ]
        assert row.where in hits, row.where
        assert row["many"] in ("", "yes")


def test_every_glyph_stands_in_its_example():
    columns = ("glyph", "reads", "before", "example")
    for row in read_table(data_file("numbering", "citation_glyphs.tsv"), columns):
        assert row["glyph"] in row["example"], row.where
        assert row["reads"].isdigit()


def test_a_language_without_a_table_has_no_references():
    doc = build("und", [["5", "§ 5.", "§ 5. Игра."], ["6", "§ 6.", "§ 6. Какъ въ § 5."]])
    assert list(find_references(doc, language(doc.lang))) == []
