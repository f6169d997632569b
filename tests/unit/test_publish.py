"""The published editions: as machine and decisions make them now, and never lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from hoyle import loading
from hoyle.cli import main
from hoyle.document.citation import citable_id
from hoyle.inputs.tei import read_tei
from hoyle.outputs.tei import tei_bytes
from hoyle.tei.verify import verify
from support.gold import SEEDS

ROOT = SEEDS.parent
TEXT = "52. Le dernie a ce pri-\nvilége.\n53. Il perd l'enjeu.\n"
HEADING = "start\tend\traw\truling\tvalue\teditor\tdate\treason\n"
RULING = "7\t13\tdernie\tread-as\tdernier\tA. Editor\t1999-12-31\tsense\n"


@pytest.mark.parametrize("name", [r.name for r in loading.corpus(ROOT)])
def test_what_is_published_is_what_is_made_now(annotated, name):
    path = ROOT / "corpus" / name / loading.EDITION / f"{name}.xml"
    assert path.is_file(), "run make edition"
    # Not compared by ==: pytest would take minutes to show where 200 kB differ.
    document = annotated(name)
    same = path.read_bytes() == tei_bytes(document)
    assert same, "if this is meant, run make edition and read the difference"
    assert verify(path) == []
    assert citable_id(read_tei(path)) == citable_id(document)


@pytest.fixture
def corpus(tmp_path, monkeypatch) -> Path:
    folder = tmp_path / "corpus" / "quinze"
    folder.mkdir(parents=True)
    (folder / "meta.toml").write_text('file = "q.txt"\nlang = "fr"\n', encoding="utf-8")
    (folder / "q.txt").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return folder


def publish(*words: str):
    return CliRunner().invoke(main, ["publish", *words])


def test_an_edition_is_written_once_and_again_after_a_decision(corpus):
    path = corpus / "edition" / "quinze.xml"
    assert "written" in publish().stderr
    assert verify(path) == []
    made = path.read_bytes()
    assert "is up to date" in publish("quinze").stderr
    (corpus / "decisions.tsv").write_text(HEADING + RULING, encoding="utf-8")
    done = publish()
    assert (done.exit_code, "written" in done.stderr) == (0, True)
    assert path.read_bytes() != made
    assert b">dernier</corr>" in path.read_bytes()
    assert sorted(p.name for p in path.parent.iterdir()) == ["quinze.xml"]


def test_the_published_editions_are_what_from_tei_takes(corpus):
    publish()
    assert [str(r.path) for r in loading.editions([], Path())] == ["corpus/quinze/edition/quinze.xml"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("perd l", "<choice><sic>perd</sic><corr>perdra</corr></choice> l", "'perd' reads 'perdra'"),
        ("<body>", "<body><", "cannot be read (is not well-formed XML"),
    ],
)
def test_what_somebody_changed_by_hand_is_not_written_over(corpus, old, new, message):
    publish()
    path = corpus / "edition" / "quinze.xml"
    made = path.read_text(encoding="utf-8")
    path.write_text(made.replace(old, new, 1), encoding="utf-8")
    done = publish()
    assert done.exit_code == 3
    assert message in done.stderr
    assert "--force" in done.stderr
    assert path.read_text(encoding="utf-8") != made
    assert publish("--force").exit_code == 0
    assert path.read_text(encoding="utf-8") == made


def test_only_documents_of_the_corpus_are_published(corpus):
    Path("other.txt").write_text(TEXT, encoding="utf-8")
    done = publish("other.txt")
    assert done.exit_code == 3
    assert "has no meta.toml" in done.stderr
    assert publish("nothing").exit_code == 2
