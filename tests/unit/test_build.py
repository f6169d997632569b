from __future__ import annotations

import errno
import json
import os
import shutil
from functools import partial

import pytest

from hoyle import loading
from hoyle.batch.annotate import Failure, annotate_all
from hoyle.batch.build import REPORT, build
from hoyle.errors import OutputError
from hoyle.outputs.ro_crate import NAME as CRATE
from support.builds import sums, text_file
from support.gold import SEEDS
from support.killer import kill_at

ROOT = SEEDS.parent


def test_the_corpus_builds_without_a_failure(corpus_build):
    out = corpus_build / "build"
    report = json.loads((out / REPORT).read_text(encoding="utf-8"))
    assert report["failures"] == []
    assert {d["id"]: d["clauses"] for d in report["documents"]} == {
        "bridge-laws": 13,
        "patience": 8,
        "preference": 25,
        "quinze": 22,
        "whist-lexicon": 17,
    }
    assert {p.name for p in out.iterdir()} >= {"tei", "tables", "site", "epub", REPORT, CRATE}


def test_a_second_build_by_several_processes_writes_the_same_bytes_over_the_first(corpus_build, tmp_path):
    again = tmp_path / "again"
    shutil.copytree(corpus_build / "build", again)
    (again / "note.txt").write_text("of somebody who reads it", encoding="utf-8")
    build(list(loading.corpus(ROOT)), ROOT, again, jobs=2)
    assert sums(again) == sums(corpus_build / "build")
    assert sums(tmp_path / "again.edited-1").keys() == {"note.txt"}
    assert {p.name for p in tmp_path.iterdir()} == {"again", "again.edited-1"}


def test_one_bad_document_does_not_hinder_the_others(tmp_path):
    good = text_file(tmp_path, "good.txt", "1. Rule one is long enough to be a rule.\n2. Rule two as well.\n")
    bad = text_file(tmp_path, "bad.txt", "")
    report = build([bad, good], tmp_path, tmp_path / "out")
    assert [(f.document, f.message.split(";")[0]) for f in report.failures] == [
        (str(bad.path), "the file is empty")
    ]
    assert [d.id for d in report.documents] == ["good"]
    assert (tmp_path / "out" / "tei" / "good.xml").is_file()


def test_fail_fast_writes_nothing(tmp_path):
    bad = text_file(tmp_path, "bad.txt", "")
    good = text_file(tmp_path, "good.txt", "1. A rule.\n")
    with pytest.raises(OutputError, match="stopped, nothing written: the file is empty"):
        build([bad, good], tmp_path, tmp_path / "out", fail_fast=True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.txt", "good.txt"]


def test_two_documents_of_one_id_are_told_apart(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first, second = (text_file(tmp_path / d, "rules.txt", "1. A rule of the game.\n") for d in "ab")
    report = build([first, second], tmp_path, tmp_path / "out")
    assert len(report.documents) == 1
    assert "has the same id 'rules'" in report.failures[0].message


def test_a_folder_that_is_no_build_is_never_replaced(tmp_path):
    out = tmp_path / "thesis"
    out.mkdir()
    (out / "chapter1.txt").write_text("years of work", encoding="utf-8")
    good = text_file(tmp_path, "good.txt", "1. A rule.\n")
    with pytest.raises(OutputError, match="is there already and is no earlier build"):
        build([good], tmp_path, out)
    assert (out / "chapter1.txt").read_text() == "years of work"


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_an_unwritable_folder_is_an_error_that_leaves_nothing(tmp_path, place):
    (tmp_path / "file").write_text("", encoding="utf-8")
    good = text_file(tmp_path, "good.txt", "1. A rule.\n")
    with pytest.raises(OutputError, match=r"cannot be written|no earlier build"):
        build([good], tmp_path, tmp_path / place)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "good.txt"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_write_permission_is_an_error(tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    with pytest.raises(OutputError, match="cannot be written"):
        build([text_file(tmp_path, "good.txt", "1. A rule.\n")], tmp_path, locked / "out")


def test_an_earlier_build_stays_when_every_document_fails(tmp_path):
    out = tmp_path / "out"
    build([text_file(tmp_path, "good.txt", "1. A rule of the game.\n")], tmp_path, out)
    before = sums(out)
    report = build([text_file(tmp_path, "bad.txt", " ")], tmp_path, out)
    assert len(report.failures) == 1
    assert sums(out) == before


def test_a_link_to_a_folder_is_followed(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    build([text_file(tmp_path, "good.txt", "1. A rule of the game.\n")], tmp_path, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / REPORT).is_file()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["good.txt", "link", "real"]


def test_a_killed_process_costs_one_document(tmp_path, monkeypatch):
    names = [text_file(tmp_path, f"{n}.txt", f"1. Rule of the game {n}.\n") for n in "abcd"]
    deadly = tmp_path / "b.txt"
    monkeypatch.setattr("hoyle.batch.annotate.annotate", partial(kill_at, deadly))
    made = [made.outcome for made in annotate_all(names, tmp_path, 2)]
    assert [isinstance(outcome, Failure) for outcome in made] == [False, True, False, False]
    assert "was killed" in made[1].message


def test_a_full_disk_is_told_and_leaves_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("hoyle.outputs.tables.Tables.add", full)
    with pytest.raises(OutputError, match=r"out: cannot be written \(No space left on device\)"):
        build([text_file(tmp_path, "good.txt", "1. A rule.\n")], tmp_path, tmp_path / "out")
    assert [p.name for p in tmp_path.iterdir()] == ["good.txt"]
