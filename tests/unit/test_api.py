"""The public interface: what it offers, what it costs to import, and its examples."""

import ast
import doctest
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import hoyle
from hoyle.document import Evidence, Finding, Tag

MODULES = ("hoyle.api.annotated", "hoyle.api.functions", "hoyle.api.pipeline")
RULES = "1. Le joueur doit couper.\n2. Celui qui renonce perd, suivant l'article 1, deux levées."
OLD = "§ 1. Игрокъ, сдавшій карты невѣрно, обязанъ сдать снова.\n§ 2. См. § 1."


@pytest.fixture(scope="module")
def document():
    return hoyle.from_text(RULES, "fr", name="rules")


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_the_documentation_hold(module):
    found = doctest.testmod(import_module(module))
    assert found.attempted > 0 or module == "hoyle.api.annotated"
    assert found.failed == 0


def test_the_tutorial_shows_what_comes_out():
    tutorial = Path(__file__).parents[2] / "docs" / "tutorials" / "first-text.md"
    assert doctest.testfile(str(tutorial), module_relative=False) == (0, 8)


def test_all_that_is_public_is_there_and_documented():
    for name in hoyle.__all__:
        assert getattr(hoyle, name) is not None, name
        assert name == "__version__" or getattr(hoyle, name).__doc__, name
    assert {"fr", "ru", "ru-petr1708"} <= {*hoyle.languages()}
    assert dir(hoyle) == hoyle.__all__
    with pytest.raises(AttributeError, match="no attribute 'corect'"):
        _ = hoyle.corect


def test_importing_hoyle_loads_nothing_else():
    program = "import sys; before = set(sys.modules); import hoyle; print(*set(sys.modules) - before)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert set(loaded.split()) <= {"hoyle", "__future__"}


def test_a_document_is_a_mapping_of_numbers_to_clauses(document):
    assert [clause.number for clause in document.clauses] == ["1", "2"]
    assert document["2"].id == document["rules.2"].id == document.at(RULES.index("renonce")).id == "rules.2"
    for kind in (KeyError, hoyle.HoyleError):
        with pytest.raises(kind, match=r"rules: no clause '3'; there are: 1, 2"):
            _ = document["3"]


def test_what_is_no_text_or_no_layer_is_refused(document):
    with pytest.raises(hoyle.HoyleError, match="no text 'Modern'; there are raw, corrected, modern"):
        document.text("Modern")
    with pytest.raises(hoyle.HoyleError, match="must be str or bytes, not int"):
        hoyle.correct(3)
    assert document[2].number == "2"


def test_a_unit_has_its_own_items_only(document):
    first, second = document["1"], document["2"]
    assert [reference.target for reference in second.references] == ["rules.1"]
    assert first.references == ()
    assert {tag.unit for tag in second.tags} == {"rules.2"}
    assert {tag.value for tag in first.tags if tag.facet == "modality"} == {"obligation"}
    assert set(first.tags) | set(second.tags) == set(document.tags)
    assert second.explain()[0].startswith("rules.2: clause 2, characters ")


def test_a_clause_has_three_layers():
    old = hoyle.from_text(OLD)
    assert old.lang == "ru-petr1708"
    assert (
        old["1"].text("raw") == old["1"].text() == "§ 1. Игрокъ, сдавшій карты невѣрно, обязанъ сдать снова."
    )
    assert old["1"].text("modern") == "§ 1. Игрок, сдавший карты неверно, обязан сдать снова."
    assert {edit.kind for edit in old["1"].edits} == {"regularise"}


def test_tei_and_back(document, tmp_path):
    path = tmp_path / "rules.xml"
    path.write_bytes(document.to_tei())
    again = hoyle.from_tei(path)
    assert again.to_tei() == document.to_tei()
    assert again.to_dicts() == document.to_dicts()
    assert hoyle.read(path).to_dicts("tags") == document.to_dicts("tags")


def test_rows_and_data_frames(document):
    assert [row["number"] for row in document.to_dicts()] == ["1", "2"]
    frame = document.to_pandas("references")
    assert list(frame["target"]) == ["rules.1"]
    assert list(hoyle.from_text("Bonjour.", "fr").to_pandas("references").columns) == list(frame.columns)
    with pytest.raises(hoyle.HoyleError, match="rules: no table 'games'; there are documents, "):
        document.to_dicts("games")


def test_spacy_documents_carry_tags(document):
    docs = document.to_spacy()
    assert [doc.user_data["unit"] for doc in docs] == ["rules.1", "rules.2"]
    assert [span.text for span in docs[1].spans["reference"]] == ["article 1"]


def test_a_file_is_read_with_what_its_meta_toml_says(tmp_path):
    (tmp_path / "rules.txt").write_text(RULES, encoding="utf-8")
    (tmp_path / "meta.toml").write_text('file = "rules.txt"\ntitle = "Règles"\nlang = "fr"\n')
    read = hoyle.read(tmp_path / "rules.txt")
    assert (read.meta.name, read.lang) == ("Règles", "fr")


def test_an_own_stage_runs_at_its_place():
    pipeline = hoyle.Pipeline().add(hoyle.Stage("trumps", trumps, "finds trumps", after="regularise"))
    assert pipeline.names.index("trumps") == pipeline.names.index("regularise") + 1
    made = pipeline("1. On retourne l'atout.", lang="fr")
    assert [(found.topic, found.value) for found in made.findings if found.topic == "trumps"] == [
        ("trumps", "text.1")
    ]


def trumps(document, language):
    assert language.tag == "fr"
    for unit in document.units:
        if any("atout" in document.source.text[start:end] for start, end in unit.spans):
            yield Finding("trumps", unit.id, Evidence("tests/trumps", 1.0))


def test_a_tag_of_an_own_stage_is_checked():
    def bad(document, language):
        yield Tag("text.1", "game", "quidditch", (), "", Evidence("tests/bad", 1.0))

    with pytest.raises(hoyle.HoyleError, match="the game 'quidditch' is not in its vocabulary"):
        hoyle.Pipeline().add(hoyle.Stage("bad", bad, "", after="tag"))("1. On coupe.", lang="fr")


@pytest.mark.parametrize("steps", ["everything", ["language", "magic"]])
def test_unknown_stages_are_refused(steps):
    with pytest.raises(hoyle.HoyleError, match=r"there are language, furniture|say all, text, machine"):
        hoyle.Pipeline(steps)


@pytest.mark.parametrize("jobs", [1, 2])
def test_many_texts_come_back_in_order_without_those_that_fail(tmp_path, jobs):
    (tmp_path / "rules.txt").write_text(RULES, encoding="utf-8")
    (tmp_path / "empty.txt").write_bytes(b"")
    errors = []
    pipeline = hoyle.Pipeline(["language", "furniture", "columns", "clauses"])
    sources = [RULES, tmp_path / "empty.txt", OLD, tmp_path / "rules.txt"]
    made = list(pipeline.pipe(sources, jobs=jobs, on_error=errors.append))
    assert [(one.id, one.lang, len(one.clauses)) for one in made] == [
        *(("text1", "fr", 2), ("text3", "ru-petr1708", 2), ("rules", "fr", 2))
    ]
    assert [re.sub(".*/", "", error.document) for error in errors] == ["empty.txt"]
    with pytest.raises(hoyle.HoyleError, match="the file is empty"):
        list(pipeline.pipe(sources, jobs=jobs))


def test_a_build_keeps_going_without_a_source_that_is_not_there(tmp_path):
    (tmp_path / "rules.txt").write_text(RULES, encoding="utf-8")
    sources = [tmp_path / "rules.txt", tmp_path / "gone.txt"]
    report = hoyle.build(sources, tmp_path / "out", lang="fr")
    assert [made.id for made in report.documents] == ["rules"]
    assert [Path(failure.document).name for failure in report.failures] == ["gone.txt"]
    assert (tmp_path / "out" / "tei" / "rules.xml").is_file()
    with pytest.raises(hoyle.HoyleError, match=r"gone\.txt: no such file"):
        hoyle.build(sources, tmp_path / "other", fail_fast=True)
    assert not (tmp_path / "other").exists()


def test_the_names_for_type_checkers_are_those_that_are_loaded():
    tree = ast.parse(Path(hoyle.__file__).read_text(encoding="utf-8"))
    names = {
        alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert {*names} - {"annotations", "import_module"} == {*hoyle.__all__} - {"__version__"}
