"""A shelf of documents: what is made again, what is kept, and what a killed build leaves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from hoyle import loading
from hoyle.batch import workplace
from hoyle.batch.build import build
from hoyle.batch.cache import Cache, Entry, document_key
from hoyle.batch.workplace import REPORT, changed_files, is_build
from hoyle.cli import main
from hoyle.errors import OutputError
from hoyle.pipeline import run, stages
from support.builds import sums, text_file

RULES = (
    "1. The dealer shuffles the pack.\n2. The player on his left cuts.\n3. Each player gets thirteen cards.\n"
)


@pytest.fixture
def cache(tmp_path) -> Cache:
    return Cache(tmp_path / "cache")


def key_of(request: loading.Request) -> str | None:
    return document_key(request, Path(), stages())


def described(folder: Path) -> loading.Request:
    """A document with a description and a decision."""
    folder.mkdir()
    text_file(folder, "rules.txt", RULES)
    (folder / "meta.toml").write_text('file = "rules.txt"\ntitle = "Rules"\n', encoding="utf-8")
    [request] = loading.requests(str(folder), Path())
    return request


class TestCache:
    def test_an_unchanged_document_is_not_annotated_again(self, tmp_path, cache, monkeypatch):
        good = text_file(tmp_path, "rules.txt", RULES)
        build([good], tmp_path, tmp_path / "fresh", cache=cache)
        monkeypatch.setattr("hoyle.batch.annotate.run", lambda *_: pytest.fail("annotated again"))
        report = build([good], tmp_path, tmp_path / "again", cache=cache)
        assert [made.cached for made in report.runs] == [True]
        assert sums(tmp_path / "again") == sums(tmp_path / "fresh")

    def test_a_build_from_the_cache_has_the_bytes_of_one_without(self, tmp_path, cache):
        texts = [text_file(tmp_path, f"{n}.txt", RULES + f"4. Rule {n}.\n") for n in "abc"]
        build(texts[:2], tmp_path, tmp_path / "first", cache=cache)
        report = build(texts, tmp_path, tmp_path / "mixed", cache=cache)
        assert [made.cached for made in report.runs] == [True, True, False]
        build(texts, tmp_path, tmp_path / "fresh")
        assert sums(tmp_path / "mixed") == sums(tmp_path / "fresh")

    @pytest.mark.parametrize(
        ("file", "text"),
        [
            ("rules.txt", RULES.replace("thirteen", "twelve")),
            ("meta.toml", 'file = "rules.txt"\ntitle = "Laws"\n'),
            ("decisions.tsv", "# none yet\n"),
        ],
    )
    def test_whatever_a_document_rests_on_makes_it_another(self, tmp_path, file, text):
        request = described(tmp_path / "book")
        before = key_of(request)
        assert key_of(request) == before
        (tmp_path / "book" / file).write_text(text, encoding="utf-8")
        assert key_of(request) != before

    def test_a_new_file_beside_a_document_makes_it_another_but_not_its_edition(self, tmp_path):
        request = described(tmp_path / "book")
        before = key_of(request)
        (tmp_path / "book" / "edition").mkdir()
        (tmp_path / "book" / "edition" / "book.xml").write_text("<TEI/>", encoding="utf-8")
        assert key_of(request) == before
        (tmp_path / "book" / "page.png").write_bytes(b"scan")
        assert key_of(request) != before

    def test_an_entry_that_was_cut_short_is_made_again(self, tmp_path, cache):
        good = text_file(tmp_path, "rules.txt", RULES)
        build([good], tmp_path, tmp_path / "out", cache=cache)
        [entry] = cache.folder.glob("documents/*/*")
        entry.write_bytes(entry.read_bytes()[:-9])
        assert cache.get(entry.name) is None
        report = build([good], tmp_path, tmp_path / "other", cache=cache)
        assert [made.cached for made in report.runs] == [False]

    def test_what_was_used_least_recently_goes_first(self, tmp_path):
        document = run(loading.from_text(RULES), stages())
        cache = Cache(tmp_path / "cache", limit=0)
        for hour, key in enumerate(["aa1", "bb2", "cc3"]):
            cache.put(key, Entry(document, {}))
            os.utime(tmp_path / "cache" / "documents" / key[:2] / key, (hour, hour))
        assert cache.usage().documents == 3
        assert cache.get("aa1")  # used now
        one = Cache(cache.folder, limit=cache.usage().size // 3)
        one.trim()
        assert [bool(cache.get(key)) for key in ("aa1", "bb2", "cc3")] == [True, False, False]
        cache.clear()
        assert cache.usage().documents == 0

    def test_a_folder_that_cannot_be_written_keeps_nothing_and_stops_nothing(self, tmp_path):
        (tmp_path / "file").write_text("", encoding="utf-8")
        good = text_file(tmp_path, "rules.txt", RULES)
        report = build([good], tmp_path, tmp_path / "out", cache=Cache(tmp_path / "file" / "cache"))
        assert [made.id for made in report.documents] == ["rules"]


class TestUnchanged:
    def test_a_build_that_nothing_has_changed_for_is_left_as_it_is(self, tmp_path, cache, monkeypatch):
        good = text_file(tmp_path, "rules.txt", RULES)
        first = build([good], tmp_path, tmp_path / "out", cache=cache)
        monkeypatch.setattr("hoyle.batch.build.Workplace", lambda _: pytest.fail("built again"))
        again = build([good], tmp_path, tmp_path / "out", cache=cache)
        assert again.unchanged
        assert again.documents == first.documents

    def test_other_outputs_or_a_changed_file_make_it_again(self, tmp_path, cache):
        good = text_file(tmp_path, "rules.txt", RULES)
        build([good], tmp_path, tmp_path / "out", cache=cache, only=["text"])
        assert not build([good], tmp_path, tmp_path / "out", cache=cache, only=["text", "tei"]).unchanged
        (tmp_path / "out" / "text" / "rules.raw.txt").write_text("mine", encoding="utf-8")
        report = build([good], tmp_path, tmp_path / "out", cache=cache, only=["text", "tei"])
        assert not report.unchanged
        assert report.kept == [str(tmp_path / "out.edited-1" / "text" / "rules.raw.txt")]


class TestPlaces:
    """What is at the place of a build, whole or not at all."""

    def test_the_name_of_a_report_does_not_make_a_build(self, tmp_path):
        out = tmp_path / "thesis"
        out.mkdir()
        (out / REPORT).write_text('{"version": "0.1.0", "documents": [], "crate": ""}', encoding="utf-8")
        (out / "chapter.txt").write_text("years of work", encoding="utf-8")
        with pytest.raises(OutputError, match="is no earlier build"):
            build([text_file(tmp_path, "rules.txt", RULES)], tmp_path, out)

    def test_every_file_changed_or_added_by_hand_is_found(self, tmp_path):
        out = tmp_path / "out"
        build([text_file(tmp_path, "rules.txt", RULES)], tmp_path, out, only=["tei"])
        assert changed_files(out) == []
        (out / "tei" / "rules.xml").write_text("<TEI/>", encoding="utf-8")
        (out / "my notes.txt").write_text("", encoding="utf-8")
        assert changed_files(out) == [Path("my notes.txt"), Path("tei/rules.xml")]

    @pytest.mark.parametrize("exchange", [True, False])
    def test_a_build_takes_the_place_of_another(self, tmp_path, monkeypatch, exchange):
        if not exchange:
            monkeypatch.setattr(workplace, "_exchange", lambda *_: False)
        good = text_file(tmp_path, "rules.txt", RULES)
        build([good], tmp_path, tmp_path / "out")
        build([good, text_file(tmp_path, "more.txt", RULES)], tmp_path, tmp_path / "out", only=["tei"])
        assert sorted(p.name for p in (tmp_path / "out" / "tei").iterdir()) == ["more.xml", "rules.xml"]
        assert sorted(p.name for p in tmp_path.iterdir()) == ["more.txt", "out", "rules.txt"]

    def test_a_build_killed_between_two_renames_is_put_back(self, tmp_path):
        good = text_file(tmp_path, "rules.txt", RULES)
        build([good], tmp_path, tmp_path / "out", only=["tei"])
        (tmp_path / "out").rename(tmp_path / ".out.old-x")
        (tmp_path / ".out.partial-x").mkdir()
        bad = text_file(tmp_path, "bad.txt", "")
        build([bad], tmp_path, tmp_path / "out", only=["tei"])  # fails, and replaces nothing
        assert is_build(tmp_path / "out")
        assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.txt", "out", "rules.txt"]

    def test_hand_edits_outlive_a_build_killed_after_the_exchange(self, tmp_path):
        good = text_file(tmp_path, "rules.txt", RULES)
        build([good], tmp_path, tmp_path / ".out.partial-x", only=["tei"])
        (tmp_path / ".out.partial-x" / "note.txt").write_text("mine", encoding="utf-8")
        build([good], tmp_path, tmp_path / "out", only=["tei"])
        assert (tmp_path / "out.edited-1" / "note.txt").read_text(encoding="utf-8") == "mine"
        assert not (tmp_path / ".out.partial-x").exists()

    def test_the_folder_of_a_build_at_work_is_left_alone(self, tmp_path):
        with workplace.Workplace(tmp_path / "out") as at_work:
            build([text_file(tmp_path, "rules.txt", RULES)], tmp_path, tmp_path / "out", only=["tei"])
            assert at_work.folder.is_dir()


def hoyle(*arguments: str, cwd: Path, **variables: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "hoyle", *arguments]
    environment = {**os.environ, **variables}
    return subprocess.Popen(command, cwd=cwd, env=environment, stderr=subprocess.PIPE, text=True)


def children(process: int) -> list[int]:
    return [int(n) for n in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(what, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not (found := what()) and time.monotonic() < end:
        time.sleep(0.05)
    return bool(found)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks for processes as Linux lists them")
class TestStopped:
    @pytest.fixture
    def at_work(self, tmp_path):
        for n in range(40):
            text_file(tmp_path, f"{n}.txt", RULES * 60)
        log = tmp_path / "log.jsonl"
        process = hoyle("build", ".", "--jobs", "2", "--out", "out", "--log-file", str(log), cwd=tmp_path)
        assert wait_for(lambda: log.is_file() and log.stat().st_size, 120)
        yield process
        process.kill()
        process.communicate()

    def test_workers_die_with_a_killed_build_and_the_next_one_tidies_up(self, tmp_path, at_work):
        workers = children(at_work.pid)
        at_work.kill()
        assert wait_for(lambda: not any(map(alive, workers)), 5)
        assert list(tmp_path.glob(".out.partial-*"))
        build([text_file(tmp_path, "rules.txt", RULES)], tmp_path, tmp_path / "out", only=["tei"])
        assert not list(tmp_path.glob(".out.*"))

    def test_ctrl_c_ends_a_build_within_two_seconds_and_leaves_nothing(self, tmp_path, at_work):
        at_work.send_signal(signal.SIGINT)
        at_work.wait(timeout=10)  # two seconds on a machine that has nothing else to do
        assert at_work.returncode == 130
        assert not list(tmp_path.glob(".out.*"))
        assert not (tmp_path / "out").exists()


class TestCommands:
    @pytest.fixture
    def said(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("HOYLE_CACHE_DIR", str(tmp_path / "cache"))

        def run_command(*arguments: str, code: int = 0, **variables: str):
            told = CliRunner().invoke(main, arguments, env=variables)
            assert told.exit_code == code, told.output
            return told

        return run_command

    def test_only_and_without_choose_the_outputs(self, tmp_path, said):
        text_file(tmp_path, "rules.txt", RULES)
        said("build", "rules.txt", "--only", "tei,text", "--out", "some")
        assert sorted(p.name for p in (tmp_path / "some").iterdir()) == [
            REPORT, "ro-crate-metadata.json", "tei", "text",
        ]  # fmt: skip
        said("build", "rules.txt", "--without", "site, epub", "--out", "rest")
        assert not {"site", "epub"} & {p.name for p in (tmp_path / "rest").iterdir()}
        told = said("build", "rules.txt", "--only", "pdf", code=2).stderr
        assert "there is no output 'pdf'; there are facsimiles, tei, " in told

    def test_the_log_has_what_each_document_took(self, tmp_path, said):
        text_file(tmp_path, "a.txt", RULES)
        text_file(tmp_path, "b.txt", "")
        said("build", ".", "--only", "tei", "--out", "out", "--log-file", "log.jsonl", code=3)
        good, bad = map(json.loads, (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines())
        assert (good["document"], good["path"], good["cached"]) == ("a", "a.txt", False)
        assert good["seconds"].keys() >= {"read", "language", "clauses", "tag", "outputs"}
        assert good["peak_memory"] > 10_000_000
        assert (bad["path"], bad["error"].split(";")[0]) == ("b.txt", "the file is empty")

    def test_a_pipe_gets_lines_with_an_estimate(self, tmp_path, said, monkeypatch):
        monkeypatch.setattr("hoyle.cli.progress._EVERY", 0.0)
        for name in ("a.txt", "b.txt"):
            text_file(tmp_path, name, RULES)
        told = said("build", ".", "--only", "tei", "--out", "out").stderr
        assert "hoyle: 1 of 2 documents, " in told
        assert " s left\n" in told
        assert said("build", "a.txt", "b.txt", "--only", "text", "--out", "out", "--quiet").stderr == ""

    def test_settings_come_from_the_file_the_environment_and_the_command_line(self, tmp_path, said):
        text_file(tmp_path, "rules.txt", RULES)
        (tmp_path / "hoyle.toml").write_text('[build]\nonly = "tei"\nout = "mine"\n', encoding="utf-8")
        said("build", "rules.txt")
        assert (tmp_path / "mine" / "tei" / "rules.xml").is_file()
        assert not (tmp_path / "mine" / "site").exists()
        shown = said("settings", HOYLE_BUILD_OUT="yours").stdout
        assert "build.only = tei  (hoyle.toml; HOYLE_BUILD_ONLY)" in shown
        assert "build.out = yours  (environment; HOYLE_BUILD_OUT)" in shown
        assert "build.jobs = 1  (default; HOYLE_BUILD_JOBS)" in shown
        said("build", "rules.txt", "--out", "theirs", HOYLE_BUILD_OUT="yours")
        assert is_build(tmp_path / "theirs")
        assert not (tmp_path / "yours").exists()

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("[build]\njob = 2\n", "hoyle: hoyle.toml: build has no option 'job'; it has out, "),
            ("[biuld]\njobs = 2\n", "hoyle: hoyle.toml: there is no command 'biuld'; a table is named build"),
            ("jobs = 2\n", "hoyle: hoyle.toml: there is no command 'jobs'"),
        ],
    )
    def test_a_setting_that_there_is_not_is_an_error(self, tmp_path, said, text, message):
        (tmp_path / "hoyle.toml").write_text(text, encoding="utf-8")
        assert said("settings", code=2).stderr.startswith(message)

    def test_another_text_does_not_take_the_place_of_the_corpus_by_default(self, tmp_path, said):
        (tmp_path / "corpus").mkdir()
        described(tmp_path / "corpus" / "laws")
        text_file(tmp_path, "my.txt", RULES)
        said("build", "--only", "tei")
        told = said("build", "my.txt", "--only", "tei", code=2).stderr
        assert told == (
            "hoyle: build: holds the edition of laws; give --out FOLDER, or --out build to replace it\n"
        )
        said("build", "my.txt", "--only", "tei", "--out", "build")
        assert (tmp_path / "build" / "tei" / "my.xml").is_file()

    def test_the_cache_is_shown_and_cleared(self, tmp_path, said):
        text_file(tmp_path, "rules.txt", RULES)
        said("build", "rules.txt", "--only", "tei", "--cache")
        assert f"{tmp_path / 'cache'}: 1 documents, " in said("cache").stdout
        assert "Nothing has changed: build/" in said("build", "rules.txt", "--only", "tei", "--cache").stderr
        assert ": 0 documents, 0.0 MiB" in said("cache", "--clear").stdout
