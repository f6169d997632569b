"""The corrector: phenomena, historical forms left alone, edits valid for any text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from hoyle.correction import units
from hoyle.correction.lexical_acceptability import acceptability_of, has_older_spelling
from hoyle.correction.stage import correct
from hoyle.document import Block, Clause, Document, Edit, Evidence, Meta, Source, Span
from hoyle.document.text_layers import LayerText, layer_text
from hoyle.languages import UNDETERMINED, language, languages
from hoyle.orthography.table import spelling_changes
from hoyle.orthography.variants import dating_words
from hoyle.tables import read_table
from support import gold

GOLDEN = Path(__file__).parent.parent / "golden" / "correct"
BY = Evidence("test", 1.0)
TAGS = ("fr", "ru", "ru-petr1708")


def document(text: str, lang: str, *spans: tuple[Span, ...]) -> Document:
    """A document whose units are paragraphs with the given spans; the whole text if none is given."""
    whole = text.strip()
    start = len(text) - len(text.lstrip())
    units = spans or ((Span(start, start + len(whole)),),)
    blocks = [Block(f"d.p{i}", "paragraph", unit, BY) for i, unit in enumerate(units)]
    return Document(Source("d", "d.txt", text, "", 0), Meta("d", lang=lang)).with_layer("clauses", blocks)


def edits_of(bare: Document) -> Iterator[Edit]:
    """The edits of the stage; a language that is not known is undetermined."""
    return correct(bare, languages().get(bare.lang, UNDETERMINED))


def corrected(text: str, lang: str, *spans: tuple[Span, ...]) -> list[str]:
    """What the units of a document read when corrected."""
    bare = document(text, lang, *spans)
    done = bare.with_layer("correct", edits_of(bare))
    return [layer_text(done, unit.spans, "corrected").text for unit in done.units]


def phenomena() -> list[object]:
    rows = []
    for tag in TAGS:
        for line in (GOLDEN / f"{tag.replace('-', '_')}.tsv").read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                name, raw, after = line.split("\t")
                rows.append(pytest.param(tag, raw.replace("␤", "\n"), after, id=f"{tag}: {name}"))
    return rows


@pytest.mark.parametrize(("tag", "raw", "after"), phenomena())
def test_each_phenomenon(tag, raw, after):
    assert corrected(raw, tag) == [after]


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("whist-lexicon", 16.4, 6.0),
        ("quinze", 6.2, 4.5),
        ("patience", 2.4, 0.6),
        ("bridge-laws", 0.63, 0.63),
        ("preference", 0.06, 0.06),
    ],
)
def test_editions_get_better(name, before, after):
    edition = gold.document(name)
    bare = Document(edition.source, edition.meta).with_layer("clauses", edition.layers["clauses"])
    done = bare.with_layer("correct", edits_of(bare))
    wrong = had = size = 0
    for unit in edition.units:
        raw, right, mine = (
            " ".join(text.split())
            for text in (
                "".join(edition.source.text[a:b] for a, b in unit.spans),
                layer_text(edition, unit.spans, "corrected").text,
                layer_text(done, unit.spans, "corrected").text,
            )
        )
        size += len(right)
        had += Levenshtein.distance(raw, right)
        wrong += Levenshtein.distance(mine, right)
    assert wrong <= had
    assert 100 * had / size <= before
    assert 100 * wrong / size <= after


def test_a_word_torn_over_a_seam_is_joined_inside_its_parts():
    text = "Товарищъ не можетъ вы-\n— 438 —\nиграть этой карты."
    parts = (Span(0, 22), Span(31, len(text)))
    assert corrected(text, "ru-petr1708", parts) == ["Товарищъ не можетъ выиграть этой карты."]
    for edit in edits_of(document(text, "ru-petr1708", parts)):
        assert any(part.covers(edit.span) for part in parts)


def test_parts_that_stand_apart_get_a_space_between_them():
    text = "Игрокъ кладетъ\n— 438 —\nсвою карту."
    parts = (Span(0, 14), Span(23, len(text)))
    assert corrected(text, "ru-petr1708", parts) == ["Игрокъ кладетъ свою карту."]


@pytest.mark.parametrize("tag", [*TAGS, "xx"])
@pytest.mark.parametrize("gap", [" ", "  ", "   \n"])
def test_a_paragraph_end_at_a_seam_gets_a_line_feed(tag, gap):
    text = f"Это ужасно.{gap}— 438 —\nДа. Игра."
    parts = (Span(0, 11), Span(text.index("Да"), len(text)))
    assert corrected(text, tag, parts) == ["Это ужасно.\nДа. Игра."]
    (edit,) = edits_of(document(text, tag, parts))
    assert (edit.span, edit.before, edit.after, edit.kind) == (Span(11, 11), "", "\n", "layout")


def test_parts_out_of_raw_order_never_run_together():
    text = "Да. Игра.|Это ужасно."
    parts = (Span(10, len(text)), Span(0, 9))
    assert corrected(text, "ru-petr1708", parts) == ["Это ужасно.\nДа. Игра."]


@pytest.mark.parametrize("tag", [*TAGS, "xx"])
@pytest.mark.parametrize(("first", "second"), [("надуше", "ннаго"), ("по", "томъ"), ("не", "го")])
@pytest.mark.parametrize("inside", [0, 1, 2])
def test_a_hyphen_at_a_column_seam_is_joined(tag, first, second, inside):
    left, right = f"Онъ взялъ {first}- ", "xx|"
    text = f"{left}{right}\n{second} въ игрѣ." if inside < 2 else f"{left[:-1]}{right}{second} въ игрѣ."
    end = len(left) - 1 + inside % 2
    (only,) = corrected(text, tag, (Span(0, end), Span(text.index(f"{second} въ"), len(text))))
    assert only == f"Онъ взялъ {first}{second} въ игрѣ."


def test_parts_that_touch_get_none():
    text = "Онъ беретъ карту[20]."
    parts = (Span(0, 16), Span(20, 21))
    assert corrected(text, "ru-petr1708", parts) == ["Онъ беретъ карту."]


def test_labels_and_earlier_edits_are_left_alone():
    text = "^d. Lorsqu'un joueur nc prend pas la carte."
    label = Span(0, 3)
    clause = Clause("d.52", "^d.", ("52",), (Span(0, len(text)),), BY, label_span=label)
    repair = Edit(label, "^d.", "52.", "correct", BY)
    bare = Document(Source("d", "d", text, "", 0), Meta("d", lang="fr"))
    bare = bare.with_layer("clauses", [clause, repair])
    edits = list(edits_of(bare))
    assert [(e.before, e.after) for e in edits] == [("nc", "ne")]
    assert layer_text(bare.with_layer("correct", edits), clause.spans, "corrected").text.startswith(
        "52. Lorsqu'un"
    )


def test_every_edit_names_a_row_or_a_resource_and_a_probability():
    edition = gold.document("patience")
    bare = Document(edition.source, edition.meta).with_layer("clauses", edition.layers["clauses"])
    edits = list(edits_of(bare))
    assert len(edits) > 60
    for edit in edits:
        assert edit.why.by.startswith(("languages/", "resources/", "correction/line_joins"))
        assert 0 < edit.why.confidence <= 1
        assert edit.kind in {"correct", "layout"}


def test_a_text_in_no_known_language_gets_its_lines_joined_only():
    assert corrected("Wer eine Karte aus-\nspielt , muss sie\nliegen lassen.", "") == [
        "Wer eine Karte ausspielt, muss sie liegen lassen."
    ]


def test_the_same_text_gives_the_same_edits():
    edition = gold.document("quinze")
    bare = Document(edition.source, edition.meta).with_layer("clauses", edition.layers["clauses"])
    assert list(edits_of(bare)) == list(edits_of(bare))


LETTERS = "абвеиноптъьѣі" + "acdeilnt'" + "*^»-.,;: \n§12АІI"


def test_a_language_without_a_tagger_is_corrected_by_the_lattice(monkeypatch):
    monkeypatch.setattr(units, "tagger", lambda _: None)
    raw = "Игрокъ говоритъ, что карта тђхъ игроковъ должна быть на столѣ."
    assert corrected(raw, "ru-petr1708") == [raw.replace("тђхъ", "тѣхъ")]


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    text=st.text(alphabet=LETTERS, min_size=1, max_size=60),
    cut=st.integers(min_value=1, max_value=59),
    lang=st.sampled_from(TAGS),
)
def test_edits_are_valid_for_any_text(text, cut, lang):
    if not text.strip():
        return
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    parts: tuple[Span, ...] = (Span(start, end),)
    if start < cut < end:
        parts = (Span(start, cut), Span(cut, end))
    edits = list(edits_of(document(text, lang, parts)))
    LayerText(text, edits, parts)  # raises if one overlaps another or leaves its part


@pytest.mark.parametrize(
    "tag", [t for t in languages() if "min_probability" in language(t).settings.get("correct", {})]
)
@pytest.mark.parametrize("name", ["confusions", "signs", "lexicon"])
def test_every_row_of_the_tables_is_attested(tag, name):
    rows = read_table(language(tag).folder / f"{name}.tsv", [])
    assert rows
    for row in rows:
        assert row["example"], row.where


@pytest.mark.parametrize("tag", ["fr", "ru-petr1708"])
def test_an_older_print_may_have_more_older_spellings(tag):
    for row in spelling_changes(language(tag), "accept"):
        older, newer = row.row["example"], row.row["newer"]
        if row.old.islower():  # such rows hold for capitals too
            older, newer = older.lower(), newer.lower()
        newer = row.pattern("accept").sub(row.new, older)
        assert acceptability_of(language(tag), older=True).is_modernisation(older, newer)
        assert acceptability_of(language(tag)).is_modernisation(older, newer) == (not row.until), (
            row.row.where
        )


OLDER = "Moy qui parle, je croy que la verité est toûjours la mesme, & ce procés n'est pas nostre affaire."
NEWER = "Moi qui parle, je crois que la vérité est toujours la même, et ce procès n'est pas notre affaire."


def test_words_show_that_a_print_is_older():
    assert has_older_spelling(OLDER, language("fr"))
    assert not has_older_spelling(NEWER, language("fr"))
    assert not has_older_spelling(f"{NEWER} " * 200 + OLDER, language("fr"))
    assert not has_older_spelling(OLDER, language("ru-petr1708"))


def test_each_pattern_of_older_words_is_shown_by_its_example():
    words = dating_words(language("fr"))
    for row in spelling_changes(language("fr"), "date"):
        assert words.search(row.row["example"]), row.row.where
    assert words.search("eſtoit")
    assert words.search("eftoit")


def test_a_word_of_another_script_is_told_from_look_alikes():
    assert acceptability_of(language("fr")).is_other_script("да")
    assert not acceptability_of(language("fr")).is_other_script("са")  # ca or sa, read in Cyrillic letters
    assert not acceptability_of(language("ru-petr1708")).is_other_script("na")


def test_older_prints_keep_their_accents():
    acceptability = acceptability_of(language("fr"), older=True)
    for older, newer in [("verité", "vérité"), ("legereté", "légèreté"), ("procés", "procès")]:
        assert acceptability.is_modernisation(older, newer)
        assert not acceptability_of(language("fr")).is_modernisation(older, newer)
    assert not acceptability.is_modernisation(
        "verite", "verité"
    )  # an accent at the end was set from the first
