from __future__ import annotations

import csv
import json
import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from hoyle.cli import main
from hoyle.cli.common import print_rows, stoppable
from support.gold import SEEDS

ROOT = SEEDS.parent
RULES = "§ 1. Если кто сдастъ карты не въ очередь, тотъ платитъ штрафъ.\n§ 2. Игрокъ долженъ класть карту.\n"


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*args, **kwargs):
        return CliRunner().invoke(main, args, catch_exceptions=False, **kwargs)

    return call


@pytest.fixture
def rules(tmp_path):
    path = tmp_path / "rules.txt"
    path.write_text(RULES, encoding="utf-8")
    return path


def test_every_command_of_the_contract_is_there(run):
    listed = run("--help").output
    for name in (
        "inspect",
        "build",
        "correct",
        "modernise",
        "clauses",
        "explain",
        "verify",
        "evaluate",
        "query",
        "serve",
    ):
        assert name in listed


def test_build_reports_what_was_detected_on_stderr_and_nothing_on_stdout(run, rules):
    result = run("build", str(rules))
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    assert f"rules: ru-petr1708, {len(RULES)} characters, 2 clauses" in result.stderr
    assert "build/site/index.html" in result.stderr


def test_build_json_is_the_report(run, rules):
    report = json.loads(run("build", str(rules), "--json").stdout)
    assert [d["id"] for d in report["documents"]] == ["rules"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "bad.txt: the file is empty"),
        (b"\x00\x01\x02\xff", "bad.txt: a binary file"),
        ("été à l'école".encode("latin-1"), "bad.txt: is not UTF-8 at byte 0"),
    ],
)
def test_one_bad_file_is_reported_the_others_are_made_and_the_exit_code_is_3(
    run, rules, tmp_path, data, message
):
    (tmp_path / "bad.txt").write_bytes(data)
    result = run("build", "bad.txt", str(rules))
    assert result.exit_code == 3
    assert f"hoyle: failed: {message}" in result.stderr
    assert (tmp_path / "build" / "tei" / "rules.xml").is_file()


def test_a_file_over_the_limit_is_refused_at_once(run, tmp_path):
    (tmp_path / "line.txt").write_bytes(b"word " * 10_000_000)
    result = run("build", "line.txt")
    assert result.exit_code == 3
    assert "line.txt: 50,000,000 bytes, over the limit of 25,000,000; split it" in result.stderr
    assert not (tmp_path / "build").exists()


def test_no_clause_is_said_and_is_a_finding_with_check(run, tmp_path):
    (tmp_path / "prose.txt").write_text(
        "Быть можетъ, это просто разсказъ о картахъ и людяхъ.\n", encoding="utf-8"
    )
    result = run("build", "prose.txt", "--check")
    assert result.exit_code == 1
    assert "prose: no numbered clause" in result.stderr
    assert (tmp_path / "build" / "tei" / "prose.xml").is_file()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["build"], "no corpus/"),
        (["build", "nowhere"], "nowhere: no such file, folder or corpus document"),
        (["build", "rules.txt", "--lang", "tlh"], "unknown language 'tlh'; known are"),
        (["build", "rules.txt", "--jobs", "0"], "0 is not in the range"),
        (["explain", "rules.txt"], "say DOC CLAUSE"),
        (["explain", "rules.txt", "9"], "no clause '9'; there are: 1, 2"),
        (["explain", "rules.txt:99999"], "rules at character 99999: no text there"),
        (["correct"], "give either FILE (or -) or --jsonl FILE"),
        (["correct", "nowhere.txt"], "nowhere.txt: no such file"),
        (["correct", "--jsonl", "nowhere.jsonl"], "nowhere.jsonl: No such file"),
        (["correct", "--jsonl", "."], "Is a directory"),
        (["query", "SELECT 1"], "hoyle build"),
        (["serve"], "holds no site; run hoyle build first"),
        (["evaluate", "rules.txt"], "rules.txt: is no gold edition"),
    ],
)
def test_wrong_use_is_told_in_one_line_with_exit_code_2_or_3(run, rules, args, message):
    result = run(*args)
    assert result.exit_code in (2, 3)
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_correct_reads_standard_input(run):
    result = run("correct", "-", input="Онъ долженъ ходить съ н е й.\n")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == "Онъ долженъ ходить съ ней.\n"


def test_correct_gives_records_back_in_order(run, tmp_path):
    records = [{"id": i, "ocr": text} for i, text in enumerate(["съ н е й", "", "Вистъ"])]
    (tmp_path / "r.jsonl").write_text("\n".join(json.dumps(r) for r in records), encoding="utf-8")
    result = run("correct", "--jsonl", "r.jsonl", "--lang", "ru-petr1708")
    made = [json.loads(line) for line in result.stdout.splitlines()]
    assert [r["id"] for r in made] == [0, 1, 2]
    assert [r["corrected"] for r in made] == ["съ ней", "", "Вистъ"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "r.jsonl:2: is no JSON in UTF-8"),
        (b'{"ocr": 3}', "r.jsonl:2: needs a JSON object with a text in the field 'ocr'"),
        (b'{"x": "a"}', "r.jsonl:2: needs a JSON object with a text in the field 'ocr'"),
        (b'{"ocr": "a", "x": NaN}', "r.jsonl:2: is no JSON in UTF-8 (NaN is no JSON)"),
        ('{"ocr": "карта"}'.encode("cp1251"), "r.jsonl:2: is no JSON in UTF-8"),
        (b'{"ocr": "\\ud800"}', "r.jsonl:2: half a surrogate pair at character 0"),
        (b"[" * 200_000, "r.jsonl:2: is no JSON in UTF-8"),
    ],
)
def test_a_broken_record_names_its_line_and_the_others_come_back(run, tmp_path, line, message):
    good = b'\xef\xbb\xbf{"ocr": "a"}\n'
    (tmp_path / "r.jsonl").write_bytes(good + line + b'\n\n{"ocr": "b"}\n')
    result = run("correct", "--jsonl", "r.jsonl")
    assert result.exit_code == 3
    assert message in result.stderr
    assert [json.loads(made)["corrected"] for made in result.stdout.splitlines()] == ["a", "b"]


def test_modernise_and_clauses(run, rules):
    assert "Если кто сдаст карты не в очередь, тот платит штраф." in run("modernise", str(rules)).stdout
    lines = run("clauses", str(rules), "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line)["number"] for line in lines] == ["1", "2"]
    assert run("clauses", str(rules)).stdout.splitlines()[1].startswith("1 ")


def test_explain_names_rule_and_certainty(run, rules):
    result = run("explain", str(rules), "1")
    assert result.exit_code == 0, result.stderr
    assert "rules.1: clause 1, characters 0–62 of rules.txt" in result.stdout
    assert "regularise 'сдастъ' → 'сдаст'" in result.stdout


def test_query_and_verify_work_on_a_build(run, rules):
    run("build", str(rules))
    result = run("query", "SELECT number FROM clauses ORDER BY number", "--format", "json")
    assert json.loads(result.stdout) == [{"number": "1"}, {"number": "2"}]
    assert run("verify", "build/tei/rules.xml").exit_code == 0
    assert run("query", "DELETE FROM clauses").exit_code == 2


def test_csv_on_standard_output_holds_no_formula(run, rules, capsys):
    result = run("clauses", str(rules), "--format", "csv")
    assert next(csv.reader(result.stdout.splitlines()))[0] == "doc"
    print_rows(["@a", "b", "c", "d"], [["=1+1", -1.5, "\t2", b"\xff"], [["-x"], 2, None, "3"]], "csv")
    rows = list(csv.reader(capsys.readouterr().out.split("\n")))
    assert rows[:3] == [["'@a", "b", "c", "d"], ["'=1+1", "-1.5", "'\t2", "ff"], ['["-x"]', "2", "", "3"]]


def test_query_shows_no_more_rows_than_asked_for(run, rules):
    run("build", str(rules))
    endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    result = run("query", endless, "--format", "json", "--limit", "2")
    assert json.loads(result.stdout) == [{"i": 1}, {"i": 2}]
    assert "first 2 rows; --limit 0 shows all" in result.stderr
    result = run("query", f"SELECT sum(i) FROM ({endless})", "--timeout", "0.2")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "takes too long" in result.stderr


def test_verify_tells_of_a_tampered_edition(run, rules, tmp_path):
    run("build", str(rules))
    path = tmp_path / "build" / "tei" / "rules.xml"
    path.write_text(path.read_text(encoding="utf-8").replace("штраф", "штоф"), encoding="utf-8")
    result = run("verify", str(path))
    assert result.exit_code == 1
    assert "sha256" in result.stdout


def test_progress_shows_on_a_terminal_only(rules, tmp_path):
    command = [sys.executable, "-m", "hoyle", "build", str(rules), "--out", str(tmp_path / "out")]
    piped = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "[" not in piped.stderr.replace("[0", "")
    master, slave = pty.openpty()
    subprocess.run(command, stderr=slave, check=True)
    os.close(slave)
    shown = os.read(master, 65536).decode()
    os.close(master)
    assert "rules.txt: decodes the numbering" in shown


def test_help_answers_without_loading_the_pipeline():
    code = "import sys, hoyle.cli; sys.exit('spacy' in sys.modules or 'pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_corpus_is_the_default_source(corpus_build):
    assert "whist-lexicon: ru-petr1708" in (corpus_build / "stderr").read_text(encoding="utf-8")
    assert (corpus_build / "build" / "tables" / "clauses.jsonl").is_file()


def test_a_doubt_about_the_language_is_told(run):
    Path("short.txt").write_text("кар та", encoding="utf-8")
    assert "language: ru" in run("correct", "short.txt").stderr
    assert run("correct", "short.txt", "--lang", "ru").stderr == ""


def test_the_encoding_of_a_text_can_be_named(run):
    Path("old.txt").write_bytes("Игрокъ беретъ карту.".encode("mac_cyrillic"))
    assert "--encoding" in run("correct", "old.txt").stderr
    assert "Игрокъ беретъ карту." in run("correct", "old.txt", "--encoding", "mac_cyrillic").output


def test_who_is_told_to_stop_stops_at_the_next_step_if_the_first_try_was_swallowed():
    with stoppable() as step:
        step()
        with suppress(SystemExit):
            signal.raise_signal(signal.SIGTERM)
        with pytest.raises(SystemExit) as stopped:
            step()
    assert stopped.value.code == 128 + signal.SIGTERM


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_build_that_is_told_to_stop_leaves_nothing(tmp_path, jobs):
    out = tmp_path / "out"
    command = [sys.executable, "-m", "hoyle", "build", "--jobs", jobs, "--out", str(out)]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    while not any(tmp_path.iterdir()):
        assert process.poll() is None
        time.sleep(0.05)
    process.terminate()
    assert process.wait(120) == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


def test_correct_writes_several_texts_into_a_folder(run, tmp_path):
    (tmp_path / "a.txt").write_text("Онъ долженъ ходить съ н е й.\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text("", encoding="utf-8")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "a.txt").write_text("Другой текстъ.\n", encoding="utf-8")
    result = run("correct", "a.txt", "b.txt", "more/a.txt", "--to", "out")
    assert result.exit_code == 3
    assert result.stdout == "out/a.txt\n"
    assert "b.txt: the file is empty" in result.stderr
    assert "more/a.txt: its text would be written over out/a.txt" in result.stderr
    assert (tmp_path / "out" / "a.txt").read_text(encoding="utf-8") == "Онъ долженъ ходить съ ней.\n"
    assert run("correct", "a.txt", "b.txt").exit_code == 2
    assert "written over a.txt" in run("correct", "a.txt", "--to", ".").stderr
