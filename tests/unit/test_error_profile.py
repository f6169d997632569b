"""The profile of faults that the corrections of a document show."""

from __future__ import annotations

from dataclasses import replace

from click.testing import CliRunner

from hoyle.cli import main
from hoyle.correction.error_profile import error_profile
from hoyle.document import Block, Document, Edit, Evidence, Meta, Source, Span
from hoyle.explain import explain_profile
from hoyle.outputs.site.writer import Site
from support import gold

BY = Evidence("test", 1.0)
TEXT = "Дђло въ лђсу. Дђла нђтъ, Все* домъ а томъ"


def document(*changes: tuple[int, str, str]) -> Document:
    bare = Document(Source("d", "d.txt", TEXT, "", 0), Meta("d", lang="ru-petr1708"))
    bare = bare.with_layer("clauses", [Block("d.p0", "paragraph", (Span(0, len(TEXT)),), BY)])
    edits = [Edit(Span(at, at + len(raw)), raw, after, "correct", BY) for at, raw, after in changes]
    return bare.with_layer("correct", edits)


YAT = [(TEXT.index(word), word, word.replace("ђ", "ѣ")) for word in ("Дђло", "лђсу", "Дђла", "нђтъ")]


def test_confusions_are_counted_with_their_share_and_an_example():
    (confusion,) = error_profile(document(*YAT[:3], (TEXT.index("домъ"), "домъ", "дѣмъ")))
    assert (confusion.printed, confusion.read, confusion.times) == ("ѣ", "ђ", 3)
    assert confusion.share == 3 / 4
    assert confusion.example == ("Дђло", "Дѣло")


def test_a_single_confusion_is_left_out_and_specks_have_no_share():
    star = TEXT.index("*")
    assert [(f.printed, f.read, f.times) for f in error_profile(document((star, "*", ""), *YAT))] == [
        ("ѣ", "ђ", 4)
    ]
    specks = document((0, "Д", ""), (TEXT.index("Дђла"), "Д", ""))
    assert error_profile(specks) == [("", "д", 2, None, ("Дђло", "ђло"))]


def test_most_frequent_first_and_no_more_than_asked_for():
    found = error_profile(gold.document("patience"), 3)
    assert len(found) == 3
    assert [f.times for f in found] == sorted((f.times for f in found), reverse=True)
    assert all(f.share is None or 0 < f.share <= 1 for f in found)


def test_a_text_without_corrections_has_no_profile():
    assert error_profile(document()) == []
    assert list(explain_profile(document()))[1:] == ["  no confusion occurs twice"]


def test_explain_shows_the_profile():
    lines = list(explain_profile(document(*YAT)))
    assert lines[0].startswith("d: 4 corrections")
    assert lines[1] == "  'ѣ' read as 'ђ': 4 times, 100% of its occurrences, as in 'Дђло' → 'Дѣло'"


def test_the_profile_is_of_a_whole_document(tmp_path):
    path = tmp_path / "rules.txt"
    path.write_text("1. Онъ не беретъ карты.\n2. Онъ беретъ карту.\n", encoding="utf-8")
    told = CliRunner().invoke(main, ["explain", str(path), "--profile", "--lang", "ru-petr1708"])
    assert told.exit_code == 0, told.stderr
    assert told.stdout.startswith("rules: ")
    refused = CliRunner().invoke(main, ["explain", str(path), "1", "--profile"])
    assert refused.exit_code == 2
    assert "leave out the clause" in refused.stderr


def test_the_document_page_shows_the_profile(tmp_path):
    site = Site(tmp_path)
    site.add(document(*YAT))
    site.add(replace(document(), source=Source("e", "e.txt", TEXT, "", 0)))
    site.close()
    told, bare = ((tmp_path / "site" / "doc" / n / "index.html").read_text(encoding="utf-8") for n in "de")
    assert '<td class="num">100%</td><td lang="ru-petr1708">Дђло → Дѣло</td>' in told
    assert 'id="faults"' not in bare
