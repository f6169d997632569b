"""Broken input is told in one sentence with its place; nothing is lost, nothing ends in a traceback."""

from __future__ import annotations

import gc
import hashlib
import json
import lzma
import resource
import sqlite3
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import hoyle
from hoyle import loading
from hoyle.batch.build import build
from hoyle.cli import main
from hoyle.document import Clause, Document, Evidence, Meta, Source, Span
from hoyle.editorial import decisions
from hoyle.errors import OutputError, SourceError, TableError
from hoyle.evaluate import evaluate
from hoyle.evaluate.passages import read_passages
from hoyle.inputs import alto, hocr
from hoyle.inputs.jsonl import line, parse_record
from hoyle.outputs.sqlite import Sqlite
from hoyle.outputs.tables import Tables
from hoyle.outputs.tei import TeiOutput
from hoyle.tei.verify import verify_bytes
from hoyle.tei.write import tei_bytes

RULES = "1. Le joueur perd sa mise.\n2. Il gagne la levée.\n"
WHOLE = (
    '<html><head><meta charset="utf-8"/></head><body><div class="ocr_page">'
    '<span class="ocr_line"><span class="ocrx_word" title="bbox {}">Règle</span></span>'
    "\n</div></body></html>"
)
HEAD = "start\tend\traw\tdecision\tvalue\teditor\tdate\treason\n"


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Runs a command in a folder with ``rules.txt``."""
    monkeypatch.chdir(tmp_path)
    Path("rules.txt").write_text(RULES, encoding="utf-8")
    return lambda *arguments: CliRunner().invoke(main, arguments)


# Places of words


@pytest.mark.parametrize(
    "box", ["1.2.3 . 5 6", ". . . .", "1e308 0 1e309 5", "nan 0 1 1", "1 2 3", "1 2 3 ١x"]
)
def test_a_place_that_is_none_is_no_place(box):
    read = hocr.decode(WHOLE.format(box).encode(), name="x.hocr")
    assert (read.text, read.flow, read.doubts) == ("Règle\n", (), ())


@pytest.mark.parametrize(("place", "known"), [("1e308", False), ("inf", False), ("12", True), ("12.5", True)])
def test_words_without_a_place_among_others_are_told(place, known):
    word = '<String CONTENT="{}" HPOS="{}" VPOS="1" WIDTH="1" HEIGHT="1"/>'
    words = word.format("a", "1") + word.format("b", place)
    data = f"<alto><Layout><Page><TextLine>{words}</TextLine></Page></Layout></alto>"
    read = alto.decode(data.encode(), name="x.alto")
    assert read.text == "a b\n"
    assert ["page 1: 1 words have no place" in doubt for doubt, _ in read.doubts] == [True] * (not known)


# hOCR that is broken


def test_hocr_that_breaks_off_is_refused():
    data = WHOLE.format("0 0 9 9").encode()
    for end in (data.index(b"\n"), data.index(b"</body"), data.index(b"</html")):
        with pytest.raises(
            SourceError, match=r"x.hocr: </(html|div)> is missing 1 times up to the end \(line"
        ):
            hocr.decode(data[:end], name="x.hocr")


@pytest.mark.parametrize("broken", ["R & B", "Règle</b>", "<b>Règle", "a < b", 'a"&nbsp"b'])
def test_hocr_that_is_no_xml_is_read_with_a_doubt_that_names_the_line(broken):
    data = WHOLE.format("0 0 9 9").replace("Règle", f"\n\n{broken}").encode()
    read = hocr.decode(data, name="x.hocr")
    assert read.text.strip()
    assert [
        doubt for doubt, _ in read.doubts if "line 3: is no well-formed XML" in doubt or "line 4" in doubt
    ]


def html(text: str, head: str = "") -> str:
    """A page in HTML that is no XML."""
    page = f"<div class=ocr_page><span class=ocr_line>{text}</span><br></div>"
    return f"<html><head>{head}</head><body>{page}</body></html>"


FRENCH = "Le joueur étourdi a été privé de sa levée à la troisième donne, où il était déjà très gêné"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_html_without_a_charset_is_read_by_its_letters(encoding):
    assert hocr.decode(html(FRENCH).encode(encoding), name="x").text == FRENCH + "\n"


def test_html_whose_encoding_is_not_certain_is_refused_and_read_if_it_is_named():
    data = html("où").encode("cp1252")
    with pytest.raises(SourceError, match="no other encoding is certain"):
        hocr.decode(data, name="x")
    assert hocr.decode(data, name="x", encoding="cp1252").text == "où\n"


def test_html_in_another_encoding_than_it_declares_is_refused():
    data = html(FRENCH, "<meta http-equiv=Content-Type content='text/html; charset=utf-8'>").encode("cp1252")
    with pytest.raises(SourceError, match="is not utf-8 as declared"):
        hocr.decode(data, name="x", encoding="cp1252")


def test_a_doubt_about_the_file_is_told_by_the_commands(run):
    Path("wrong.txt").write_bytes(FRENCH.encode())
    told = run("correct", "wrong.txt", "--encoding", "cp1252")
    assert told.exit_code == 0
    assert "read as cp1252, as declared, but its letters speak for utf-8" in told.stderr


# Records


def test_a_lone_surrogate_in_another_field_comes_back_and_the_stream_goes_on(run):
    given = ['{"ocr": "Le jcu", "id": "\\ud800"}', '{"ocr": "Le jeu", "id": "b"}']
    Path("in.jsonl").write_text("\n".join(given), encoding="utf-8")
    told = run("correct", "--jsonl", "in.jsonl", "--lang", "fr")
    made = [json.loads(one) for one in told.stdout.splitlines()]
    assert [one["id"] for one in made] == ["\ud800", "b"]
    assert told.exit_code == 0


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_a_number_that_json_cannot_write_is_told(value):
    with pytest.raises(SourceError, match="cannot be written as JSON"):
        line({"x": value})


def test_what_is_nested_too_deeply_is_told():
    deep: list[object] = []
    for _ in range(sys.getrecursionlimit() * 3):
        deep = [deep]
    with pytest.raises(SourceError, match="cannot be written as JSON"):
        line({"x": deep})


def test_a_number_too_large_for_a_float_fails_its_record_alone(run):
    Path("in.jsonl").write_text('{"ocr": "Le jeu", "n": 1e999}\n{"ocr": "Le jeu"}\n', encoding="utf-8")
    told = run("correct", "--jsonl", "in.jsonl", "--lang", "fr")
    assert (told.exit_code, len(told.stdout.splitlines())) == (3, 1)
    assert "in.jsonl:1: cannot be written as JSON" in told.stderr


def test_a_record_is_written_as_it_was_read():
    assert (
        line(parse_record('{"é": ["ж", 12345678901234567890]}'.encode()) or {})
        == '{"é": ["ж", 12345678901234567890]}'
    )


# Gold


def unit(**other):
    return {"type": "clause", "n": "1", "spans": [[0, 9]], "corrected": "x", **other}


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ([], "the file"),
        (1, "the file"),
        ("x", "the file"),
        ({"file": "rules.txt"}, "units: Field required"),
        ({"units": []}, "names no source"),
        ({"file": "../x.txt", "units": []}, "without a path"),
        ({"file": "rules.txt", "units": [1]}, "units.0"),
        ({"file": "rules.txt", "units": [unit(spans=[[0, -1]])]}, r"units\.0\.spans"),
        ({"file": "rules.txt", "units": [unit(spans=[[5, 1]])]}, "ends before it begins"),
        ({"file": "rules.txt", "units": [unit(spans=[[0, 10**12]])]}, "ends after its source, which has 49"),
        (
            {"file": "rules.txt", "units": [unit(actors=[1])]},
            r"units\.0\.actors: no concept of the facet actor",
        ),
        ({"file": "rules.txt", "units": [unit(refs=[3])]}, r"units\.0\.refs"),
    ],
)
def test_what_is_no_gold_edition_is_told_with_its_place(tmp_path, gold, message):
    (tmp_path / "rules.txt").write_text(RULES, encoding="utf-8")
    path = tmp_path / "gold.json"
    path.write_text(json.dumps(gold), encoding="utf-8")
    with pytest.raises(SourceError, match=message) as error:
        evaluate(path, tmp_path)
    assert error.value.document == str(path)


def test_gold_of_a_text_is_measured(tmp_path):
    (tmp_path / "rules.txt").write_text(RULES, encoding="utf-8")
    (tmp_path / "gold.json").write_text(
        json.dumps({"file": "rules.txt", "units": [unit()]}), encoding="utf-8"
    )
    assert evaluate(tmp_path / "gold.json", tmp_path)["rules"].starts.gold == 1


@pytest.mark.parametrize("lines", [1, 40])
def test_a_small_file_that_unpacks_to_a_large_one_is_refused(tmp_path, lines):
    path = tmp_path / "bomb.jsonl.xz"
    packed = lzma.compress((b" " * (240_000_000 // lines) + b"\n") * lines, preset=0)
    path.write_bytes(packed)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(SourceError, match=r"bomb.jsonl.xz:\d+: (more than|too much)"):
        list(read_passages(path))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150_000  # KB


# Decisions and ids


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("0\t1\tx\treject\t\tE\t2026-99-99\t", "its date"),
        ("0\t1\tx\treject\t\tE\t2026-02-30\t", "its date"),
        ("0\t1\tx\treject\t\tE\t2026-13\t", "its date"),
        ("0\t1\tx\treject\t\tE\t0000\t", "its date"),
        (f"0\t{'9' * 5000}\tx\treject\t\tE\t1999\t", "range of characters"),
        (f"0\t1\tx\tnumber\t{'9' * 5000}\tE\t1999\t", "a number such as"),
        ("0\t1\tx\tnumber\t1 2\tE\t1999\t", "a number such as"),
        ("0\t1\tx\tnumber\t...\tE\t1999\t", "a number such as"),
        ("0\t1\tx\tnumber\t\tE\t1999\t", "a number such as"),
        ("0\t1\tx\ttag\tactor:dealer part=zzz\tE\t1999\t", "part: there is no 'zzz'; known are must, may"),
    ],
)
def test_a_row_that_is_no_decision_names_file_and_line(tmp_path, row, message):
    path = tmp_path / "corpus" / "d" / "decisions.tsv"
    path.parent.mkdir(parents=True)
    path.write_text(HEAD + row, encoding="utf-8")
    with pytest.raises(TableError, match=message) as error:
        decisions.read_decisions(path)
    assert error.value.document == "corpus/d/decisions.tsv:2"


@pytest.mark.parametrize("date", ["1999", "1999-12", "2000-02-29", "1999-12-31"])
def test_dates_of_decisions(tmp_path, date):
    path = tmp_path / "decisions.tsv"
    path.write_text(f"{HEAD}0\t1\tx\treject\t\tE\t{date}\t", encoding="utf-8")
    assert decisions.read_decisions(path)[0].date == date


def texts(folder: Path, *names: str) -> list[loading.Request]:
    for name in names:
        (folder / f"{name}.txt").write_text(RULES, encoding="utf-8")
        (folder / name).mkdir()
        (folder / name / "meta.toml").write_text(
            f'id = "{name}"\nfile = "x.txt"\nlang = "fr"', encoding="utf-8"
        )
        (folder / name / "x.txt").write_text(RULES, encoding="utf-8")
    return [loading.Request(folder / name, folder / name / "meta.toml") for name in names]


@pytest.mark.parametrize("names", [("a", "a.s2", "b"), ("a.s2", "a", "b"), ("a.s2.t", "a", "b")])
def test_an_id_that_continues_another_fails_alone(tmp_path, names):
    report = build(texts(tmp_path, *names), tmp_path, tmp_path / "out")
    assert [made.id for made in report.documents] == [names[0], "b"]
    assert "continues that of" in report.failures[0].message


@pytest.mark.parametrize("error", [OutputError("no such unit"), TypeError("boom")])
def test_a_document_that_an_output_refuses_fails_alone_and_leaves_no_trace(tmp_path, monkeypatch, error):
    add = Tables.add

    def refuses(self, document):
        add(self, document)  # half of the files have it by now
        if document.id == "b":
            raise error

    monkeypatch.setattr(Tables, "add", refuses)
    report = build(texts(tmp_path, "a", "b", "c"), tmp_path, tmp_path / "out")
    assert [made.id for made in report.documents] == ["a", "c"]
    assert [(one.document, str(error).split(":")[-1] in one.message) for one in report.failures] == [
        ("b", True)
    ]
    with sqlite3.connect(tmp_path / "out" / "tables" / "hoyle.sqlite") as database:
        assert [row[0] for row in database.execute("SELECT id FROM documents ORDER BY id")] == ["a", "c"]
    database.close()
    assert sorted(path.name for path in (tmp_path / "out" / "tei").iterdir()) == ["a.xml", "c.xml"]
    assert '"b"' not in (tmp_path / "out" / "tables" / "documents.jsonl").read_text(encoding="utf-8")


def test_fail_fast_stops_at_a_document_that_an_output_refuses(tmp_path, monkeypatch):
    monkeypatch.setattr(Tables, "add", broken)
    with pytest.raises(OutputError, match="stopped, nothing written: Tables cannot write it: TypeError"):
        build(texts(tmp_path, "a"), tmp_path, tmp_path / "out", fail_fast=True)
    assert not (tmp_path / "out").exists()


def test_an_output_that_refuses_everything_stops_the_build(tmp_path, monkeypatch):
    def refuses(_self, _document):
        raise TypeError("boom")

    monkeypatch.setattr(Tables, "add", refuses)
    with pytest.raises(
        OutputError, match="9 documents failed like this: Tables cannot write it: TypeError: boom"
    ):
        build(texts(tmp_path, *"abcdefghijk"), tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_fault_of_the_program_in_reading_a_document_fails_it_alone(tmp_path, monkeypatch):
    load = loading.load

    def fails(request, root):
        if request.name == "b":
            raise KeyError("boom")
        return load(request, root)

    monkeypatch.setattr(loading, "load", fails)
    report = build(texts(tmp_path, "a", "b"), tmp_path, tmp_path / "out")
    assert [made.id for made in report.documents] == ["a"]
    assert report.failures[0].message == "failed: KeyError: 'boom'"


def test_an_edition_with_a_number_that_comes_twice_passes_verify():
    text = "2. Il paie.\n2. Il paie.\n"
    why = Evidence("test", 1.0)
    spans = [Span(0, 11), Span(12, 23)]
    clauses = [
        Clause(ident, "2.", ("2",), (span,), why) for ident, span in zip(("a.2", "a.2-2"), spans, strict=True)
    ]
    data = text.encode()
    source = Source("a", "x.txt", text, hashlib.sha256(data).hexdigest(), len(data))
    document = Document(source, Meta("a", lang="fr")).with_layer("clauses", clauses)
    assert verify_bytes(tei_bytes(document), name="a.xml") == []


# The disk


def test_a_disk_that_is_full_for_sqlite_is_told_and_leaves_nothing(tmp_path, monkeypatch):
    add = Sqlite.add

    def on_a_full_disk(self, made, **document):
        self._db.execute("PRAGMA max_page_count = 1")  # no page more than there are
        add(self, made, **document)

    monkeypatch.setattr(Sqlite, "add", on_a_full_disk)
    with pytest.raises(OutputError, match=r"out: cannot be written \(SQLite: .*disk is full\)"):
        build(texts(tmp_path, "a"), tmp_path, tmp_path / "out")
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith((".", "out"))] == []


def test_a_build_that_ends_in_the_middle_complains_of_no_open_file(tmp_path, monkeypatch):
    ignored = []
    monkeypatch.setattr(sys, "unraisablehook", ignored.append)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pyarrow.parquet.ParquetWriter.close", full)
    monkeypatch.setattr("hoyle.outputs.site.writer.Site.add", full)
    with pytest.raises(OutputError, match=r"No space left on device"):
        build(texts(tmp_path, "a"), tmp_path, tmp_path / "out")
    gc.collect()
    assert ignored == []


@pytest.mark.parametrize("name", ["a" * 300, "a\0b"])
def test_a_message_names_no_temporary_folder(tmp_path, name):
    with pytest.raises(OutputError, match=r": cannot write tei/a.*\.xml \(.*\)$") as error:
        TeiOutput(tmp_path / ".out.partial-x").write(name, {".xml": b""})
    assert "partial" not in str(error.value)


def test_a_link_that_leads_to_itself_is_no_folder_to_build_in(run):
    Path("loop").symlink_to("loop")
    told = run("build", "rules.txt", "--out", "loop")
    assert told.exit_code == 2
    assert "loop: " in told.stderr
    assert Path("loop").is_symlink()
    for command in (("query", "select 1"), ("serve",)):
        assert run(*command, "--out", "loop").exit_code == 2


@pytest.mark.parametrize("out", [".", "..", "../.."])
def test_the_folder_that_one_is_in_is_never_replaced(run, tmp_path, monkeypatch, out):
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    told = run("build", str(tmp_path / "rules.txt"), "--out", out)
    assert told.exit_code == 2
    assert "is the folder that you are in, or above it" in told.stderr


# The last guard


def broken(*_arguments, **_options):
    raise TypeError("two\nlines " + "x" * 1000)


def test_a_fault_of_the_program_is_one_sentence_and_exit_code_70(run, monkeypatch):
    monkeypatch.setattr("hoyle.evaluate.read_gold", broken)
    told = run("evaluate", "my gold.json")
    assert told.exit_code == 70
    assert told.stdout == ""
    assert told.stderr.startswith(
        "hoyle: `hoyle evaluate 'my gold.json'` failed by a fault of the program (TypeError"
    )
    assert told.stderr.count("\n") == 1
    assert len(told.stderr) < 500
    assert "Traceback" in run("--debug", "evaluate", "my gold.json").stderr


def test_a_fault_inside_a_stage_is_one_of_the_program(run, monkeypatch):
    monkeypatch.setattr("hoyle.correction.stage.correct", broken)
    monkeypatch.setattr("hoyle.pipeline.language", broken)
    assert run("correct", "rules.txt").exit_code == 70


@pytest.mark.parametrize(
    "place", ["rules.txt:²", "rules.txt:" + "9" * 5000, "rules.txt:", "rules.txt:-1", ":3"]
)
def test_what_is_no_place_is_wrong_usage(run, place):
    assert run("explain", place).exit_code == 2


def test_the_exit_code_is_documented(run):
    assert "70 a fault of the program" in " ".join(run("--help").output.split())


# Bounds


def test_a_title_and_a_reading_of_twenty_thousand_letters_take_no_more_memory_than_others(tmp_path):
    [request] = texts(tmp_path, "a")
    meta = request.settings.read_text(encoding="utf-8")
    request.settings.write_text(f'{meta}\ntitle = "{"a" * 20_000}"', encoding="utf-8")
    row = f"13\t17\tperd\tread-as\t{'x' * 20_000}\tE\t1999\t"
    (request.path / "decisions.tsv").write_text(HEAD + row, encoding="utf-8")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    report = build([request], tmp_path, tmp_path / "out")
    assert (report.failures, report.documents[0].doubts) == ([], ())
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 250_000  # KB


@pytest.mark.parametrize(
    "text",
    [
        "Règle\nVoyez l'article ². Il paie l'article 2².\n",
        f"1. Le jeu de l'article {'9' * 5000}.\n2. Il paie.\n",
        f"1. Le jeu de l'article {'9' * 5000}er. Il\n2. Il paie.\n",
        f"1. Le jeu de l'article {'1 ' * 5000}. Il\n2. Il paie.\n",
    ],
)
def test_digits_that_make_no_number_are_text(text):
    assert hoyle.from_text(text, lang="fr").text("raw").split() == text.split()
