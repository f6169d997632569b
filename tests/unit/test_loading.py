from __future__ import annotations

import hashlib
import os

import pytest

from hoyle import loading
from hoyle.errors import HoyleError, SourceError
from support.gold import SEEDS

ROOT = SEEDS.parent


def corpus_with(tmp_path, settings, text="§ 1. Rule.\n", ident="book"):
    folder = tmp_path / "corpus" / ident
    folder.mkdir(parents=True)
    (folder / "book.txt").write_text(text, encoding="utf-8")
    (folder / "meta.toml").write_text(settings, encoding="utf-8")
    return folder


def load_one(source, root):
    [request] = loading.requests(source, root)
    return loading.load(request, root)


def test_the_corpus_is_the_five_documents_and_their_sums_hold():
    documents = [loading.load(request, ROOT) for request in loading.corpus(ROOT)]
    assert [d.id for d in documents] == ["bridge-laws", "patience", "preference", "quinze", "whist-lexicon"]
    for document in documents:
        data = (SEEDS / document.source.name).read_bytes()
        assert document.meta.sha256 == document.source.sha256 == hashlib.sha256(data).hexdigest()
        assert document.source.text.encode(document.source.encoding) == data


def test_the_sums_of_the_seeds_hold():
    for line in (SEEDS / "SHA256SUMS").read_text().splitlines():
        wanted, name = line.split()
        assert hashlib.sha256((SEEDS / name).read_bytes()).hexdigest() == wanted


def test_the_editors_say_where_the_excerpts_of_the_bridge_laws_belong():
    excerpts = load_one("bridge-laws", ROOT).meta.excerpts
    assert [e.number for e in excerpts] == [("41",), ("44",), ("47",)]


def test_a_text_file_needs_no_meta(tmp_path):
    path = tmp_path / "42 Правила игры.txt"
    path.write_bytes("§ 1. Разъ.\r\n".encode())
    document = load_one(str(path), tmp_path)
    assert document.id == "d42-правила-игры"
    assert document.source.text == "§ 1. Разъ.\r\n"


def test_a_folder_gives_its_texts_and_documents_in_order(tmp_path):
    corpus_with(tmp_path, 'file = "book.txt"\n', ident="b")
    (tmp_path / "corpus" / "a.txt").write_text("one", encoding="utf-8")
    (tmp_path / "corpus" / "notes.bin").write_bytes(b"%PDF")
    found = [r.name for r in loading.requests(str(tmp_path / "corpus"), tmp_path)]
    assert found == [str(tmp_path / "corpus" / "a.txt"), "b"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ('file = "book.txt"\nexcerpts = 5', r"meta\.toml:2: excerpts: input should be a valid"),
        ('[[excerpts]]\nat = true\nnumber = "1"', r":2: excerpts\.at: input .* integer, not True"),
        ('[[excerpts]]\nat = 1\nnumber = ""', r":3: excerpts\.number: string should match"),
        ('[[excerpts]]\nat = 1\nnumber = "..."', r":3: excerpts\.number: string should match"),
        ('[[excerpts]]\nat = 1\nnumber = "1"\n[[excerpts]]\nat = 2', r":4: excerpts\.number: field"),
        ('[[excerpts]]\nat = 1\nnumber = "1"\nnota = ""', r":4: unknown key 'nota'; known are at,"),
        (f"title = 0x{'f' * 9999}", r"meta\.toml:1: title: input should be a valid string$"),
        (f'[[excerpts]]\nat = 1\nnumber = "{9:05000}"', r":3: excerpts\.number: string should match"),
        ('\ndate = "hello"', r"meta\.toml:2: date: 'hello' is no date; say 1817"),
        ('date = "1900/1800"', r":1: date: '1900/1800' ends before it begins"),
        ('date = "1817-13-45"', r":1: date: '1817-13-45' has no such month or day"),
        ('date = "1817/1818/1819"', r":1: date: .* is no date"),
        (f'id = "{"a" * 250}"', r":1: id: the id has 250 bytes in UTF-8; 200 are allowed"),
        ('encoding = "undefined"', r":1: encoding: unknown encoding 'undefined'; say"),
        ('file = "book.txt"\nlang = ', r"corpus/book/meta\.toml: is no valid TOML: .*line 2"),
        ('file = "book.txt"\ntilte = "x"', r"book/meta\.toml:2: unknown key 'tilte'"),
        ('file = "book.txt"\ntitle = 3', r"book/meta\.toml:2: title: input should be a valid string, not 3"),
        ('file = "book.txt"\ngames = ["whist", 3]', r":2: games: input should be a valid string, not 3"),
        ('file = "book.txt"\ngames = ["snap"]', r"meta\.toml:2: games: snap not in"),
        ('\n\nlang = "tlh"\nfile = "book.txt"', r"meta\.toml:3: lang: unknown language 'tlh'; known"),
        ('file = "../../etc/passwd"', r"meta\.toml:1: file must name a file in"),
        ('file = "lost.txt"', r"meta\.toml:1: file 'lost\.txt' is neither in"),
        ('id = "../evil"\nfile = "book.txt"', r"meta\.toml:1: id: the id '\.\./evil' will not do"),
        ('id = "a/b"\nfile = "book.txt"', r"meta\.toml:1: id: the id 'a/b' will not do"),
        ('id = ".."\nfile = "book.txt"', r"meta\.toml:1: id: the id '\.\.' will not do"),
        ('file = "book.txt"\nsha256 = "00"', r"meta\.toml:2: sha256: string should match pattern"),
        (f'file = "book.txt"\nsha256 = "{"0" * 64}"', r"book: book\.txt has the sha256 \w{64}, meta"),
        ('file = "book.txt"\nencoding = "klingon"', r"meta\.toml:2: encoding: unknown encoding 'klingon'"),
        ('file = "book.txt"\n[[excerpts]]\nat = "x"', r":3: excerpts\.at: input should be a valid integer"),
        ('file = "book.txt"\n[[excerpts]]\nat = 99\nnumber = "1"', r":2: an excerpt begins"),
        ('file = "book.txt"\n[[excerpts]]\nat = -1\nnumber = "1"', r":3: excerpts\.at: .* greater than"),
        ('file = "book.txt"\nnumbering = ["runes"]', r":2: numbering: unknown numbering scheme 'runes'"),
    ],
)  # fmt: skip
def test_broken_settings_name_file_and_line(tmp_path, settings, message):
    corpus_with(tmp_path, settings)
    with pytest.raises(HoyleError, match=message):
        load_one("book", tmp_path)


@pytest.mark.parametrize("date", ["", "1817", "190?", "18--", "1817-05", "1817-02-29", "1817/1840", "1817~"])
def test_dates_that_will_do(tmp_path, date):
    corpus_with(tmp_path, f'file = "book.txt"\ndate = "{date}"')
    assert load_one("book", tmp_path).meta.date == date


def test_a_checksum_in_capitals_is_the_same(tmp_path):
    digest = hashlib.sha256(b"\xc2\xa7 1. Rule.\n").hexdigest()
    corpus_with(tmp_path, f'file = "book.txt"\nsha256 = "{digest.upper()}"')
    assert load_one("book", tmp_path).meta.sha256 == digest


@pytest.mark.parametrize("source", ["nowhere", "no/such.txt"])
def test_a_source_that_is_nothing_lists_what_there_is(tmp_path, source):
    corpus_with(tmp_path, 'file = "book.txt"')
    with pytest.raises(
        SourceError, match=r"no such file, folder or corpus document \(corpus documents: book\)"
    ):
        list(loading.requests(source, tmp_path))


def test_an_empty_folder_and_an_empty_corpus_say_so(tmp_path):
    with pytest.raises(SourceError, match="no text here"):
        list(loading.requests(str(tmp_path), tmp_path))
    with pytest.raises(SourceError, match="no corpus/"):
        list(loading.corpus(tmp_path))


def test_doubts_about_the_file_become_findings(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"x" * 100 + b"\x07")
    [finding] = load_one(str(tmp_path / "a.txt"), tmp_path).findings
    assert finding.doubt
    assert finding.span == (100, 101)


def test_what_cannot_be_read_in_a_folder_is_reported_not_skipped(tmp_path):
    (tmp_path / "dangling.txt").symlink_to(tmp_path / "nowhere")
    (tmp_path / "folder.txt").mkdir()
    os.mkfifo(tmp_path / "pipe.txt")
    messages = []
    for request in loading.requests(str(tmp_path), tmp_path):
        with pytest.raises(SourceError) as caught:
            loading.load(request, tmp_path)
        messages.append(caught.value.message)
    assert messages == [
        "cannot be read (No such file or directory)",
        "is not a regular file",
        "is not a regular file",
    ]


def test_a_file_name_that_is_no_unicode_is_refused(tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.txt")
    path.write_text("1. A rule.", encoding="utf-8")
    with pytest.raises(SourceError, match="name of the file is not Unicode; rename it"):
        load_one(str(path), tmp_path)
