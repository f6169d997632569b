from __future__ import annotations

import hashlib
import os

import pytest

from hoyle import store
from hoyle.errors import HoyleError, SourceError, TableError
from support.gold import SEEDS

ROOT = SEEDS.parent


def corpus_with(tmp_path, settings, text="§ 1. Rule.\n", ident="book"):
    folder = tmp_path / "corpus" / ident
    folder.mkdir(parents=True)
    (folder / "book.txt").write_text(text, encoding="utf-8")
    (folder / "meta.toml").write_text(settings, encoding="utf-8")
    return folder


def load_one(source, root):
    [request] = store.requests(source, root)
    return store.load(request, root)


def test_the_corpus_is_the_five_documents_and_their_sums_hold():
    documents = [store.load(request, ROOT) for request in store.corpus(ROOT)]
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
    (tmp_path / "corpus" / "notes.pdf").write_bytes(b"%PDF")
    found = [r.name for r in store.requests(str(tmp_path / "corpus"), tmp_path)]
    assert found == [str(tmp_path / "corpus" / "a.txt"), "b"]


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ('file = "book.txt"\nlang = ', TableError, r"corpus/book/meta\.toml: is no valid TOML: .*line 2"),
        ('file = "book.txt"\ntilte = "x"', TableError, r"corpus/book/meta\.toml:2: unknown key 'tilte'"),
        ('file = "book.txt"\ntitle = 3', TableError, r"corpus/book/meta\.toml:2: title must be a string"),
        ('file = "book.txt"\ngames = ["whist", 3]', TableError, r"meta\.toml:2: games must be a list of"),
        ('file = "book.txt"\ngames = ["snap"]', TableError, r"meta\.toml:2: games: snap not in"),
        ('\n\nlang = "tlh"\nfile = "book.txt"', HoyleError, r"meta\.toml:3: unknown language 'tlh'; known"),
        ('file = "../../etc/passwd"', TableError, r"meta\.toml:1: file must name a file in"),
        ('file = "lost.txt"', TableError, r"meta\.toml:1: file 'lost\.txt' is neither in"),
        ('id = "../evil"\nfile = "book.txt"', TableError, r"meta\.toml:1: the id '\.\./evil' will not do"),
        ('id = "a/b"\nfile = "book.txt"', TableError, r"meta\.toml:1: the id 'a/b' will not do"),
        ('id = ".."\nfile = "book.txt"', TableError, r"meta\.toml:1: the id '\.\.' will not do"),
        ('file = "book.txt"\nsha256 = "00"', SourceError, r"book: book\.txt has the sha256 \w{64}, meta"),
        ('file = "book.txt"\nencoding = "klingon"', SourceError, "unknown encoding 'klingon'"),
        ('file = "book.txt"\n[[excerpts]]\nat = "x"', TableError, r"meta\.toml:2: an excerpt needs at ="),
        ('file = "book.txt"\n[[excerpts]]\nat = 99\nnumber = "1"', TableError, r":2: an excerpt begins"),
        ('file = "book.txt"\n[[excerpts]]\nat = -1\nnumber = "1"', TableError, r":2: an excerpt begins"),
        ('file = "book.txt"\nnumbering = ["runes"]', TableError, r":2: unknown numbering scheme 'runes'"),
    ],
)  # fmt: skip
def test_broken_settings_name_file_and_line(tmp_path, settings, error, message):
    corpus_with(tmp_path, settings)
    with pytest.raises(error, match=message):
        load_one("book", tmp_path)


@pytest.mark.parametrize("source", ["nowhere", "no/such.txt"])
def test_a_source_that_is_nothing_lists_what_there_is(tmp_path, source):
    corpus_with(tmp_path, 'file = "book.txt"')
    with pytest.raises(
        SourceError, match=r"no such file, folder or corpus document \(corpus documents: book\)"
    ):
        list(store.requests(source, tmp_path))


def test_an_empty_folder_and_an_empty_corpus_say_so(tmp_path):
    with pytest.raises(SourceError, match="no text here"):
        list(store.requests(str(tmp_path), tmp_path))
    with pytest.raises(SourceError, match="no corpus/"):
        list(store.corpus(tmp_path))


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
    for request in store.requests(str(tmp_path), tmp_path):
        with pytest.raises(SourceError) as caught:
            store.load(request, tmp_path)
        messages.append(caught.value.message)
    assert messages == ["cannot be read (No such file or directory)", "is no plain file", "is no plain file"]


def test_a_file_name_that_is_no_unicode_is_refused(tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.txt")
    path.write_text("1. A rule.", encoding="utf-8")
    with pytest.raises(SourceError, match="name of the file is not Unicode; rename it"):
        load_one(str(path), tmp_path)
