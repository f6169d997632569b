"""A folder as one document: natural order, page breaks, the best file of a page, what is not read."""

from __future__ import annotations

import hashlib
import json

import pytest
from click.testing import CliRunner

from hoyle.cli import main
from hoyle.document import Span
from hoyle.inputs.folder import contents
from hoyle.inputs.joining import joined
from hoyle.inputs.pages import Line, Page, Word, read_pages
from hoyle.inputs.text import DecodedText, OrderedSpan
from hoyle.loading import find, load
from support import typeset

PAGES = {
    "page_10.txt": "4. La partie se joue en douze points.\n",
    "page_2.txt": "2. Celui qui donne mal perd sa donne.\n",
    "page_1.txt": "1. Le donneur mêle les cartes et les présente à couper",
    "b/page_1.txt": "5. Toute contestation se juge par les joueurs.\n",
    "page_3.hocr": typeset.hocr([typeset.row("3. Qui renonce paie la bête.", 10, 10)]),
}
ORDER = ["b/page_1.txt", "page_1.txt", "page_2.txt", "page_3.hocr", "page_10.txt"]


def fill(folder, pages=PAGES):
    for name, content in pages.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def test_pages_are_one_document_in_natural_order(tmp_path):
    fill(tmp_path / "book")
    [request] = find(str(tmp_path / "book"), tmp_path, as_one=True).requests
    assert [page.relative_to(tmp_path / "book").as_posix() for page in request.pages] == ORDER
    document = load(request, tmp_path)
    texts = [*PAGES.values()]
    wanted = [texts[3], texts[2] + "\n", texts[1], "3. Qui renonce paie la bête.\n", texts[0]]
    assert document.source.text == "\f\n".join(wanted)
    assert document.id == "book"
    assert document.meta.origin.startswith("text made of 5 files of book, sha256 ")


def test_a_meta_toml_without_a_file_takes_the_pages_beside_it_and_checks_their_sum(tmp_path):
    fill(tmp_path / "book")
    sums = "".join(
        f"{hashlib.sha256((tmp_path / 'book' / name).read_bytes()).hexdigest()}  {name}\n" for name in ORDER
    )
    digest = hashlib.sha256(sums.encode()).hexdigest()
    (tmp_path / "book" / "meta.toml").write_text(f'lang = "fr"\nsha256 = "{digest}"\n', encoding="utf-8")
    [request] = find(str(tmp_path / "book"), tmp_path).requests
    document = load(request, tmp_path)
    assert document.source.text.count("\f") == 4
    assert document.meta.lang == "fr"


def test_the_best_file_of_a_page_is_read_and_the_others_are_told(tmp_path):
    lines = [typeset.row("1. Le jeu.", 10, 10)]
    fill(
        tmp_path,
        {
            "p1.hocr": typeset.hocr(lines),
            "p1.xml": typeset.alto(lines),
            "p1.png": b"\x89PNG\r\n",
            "p2.hocr": typeset.hocr(lines),
            "p2.txt": "1. Le jeu.",
            "notes.csv": "a,b",
            "tei.xml": "<TEI/>",
            ".hidden.txt": "x",
        },
    )
    found = contents(tmp_path, walk=True)
    assert [path.name for path in found.files] == ["p1.xml", "p2.txt"]
    assert {skipped.path.name: skipped.why.partition(";")[0] for skipped in found.skipped} == {
        "p1.hocr": "p1.xml beside it is read",
        "p2.hocr": "p2.txt beside it is read",
        "notes.csv": "is of no format that is read in a folder",
        "tei.xml": "is of no format that is read in a folder",
    }


def test_the_report_lists_what_is_not_read(tmp_path):
    fill(tmp_path / "book", PAGES | {"cover.jpg": b"\xff\xd8\xff\xe0"})
    out = str(tmp_path / "out")
    made = CliRunner().invoke(main, ["build", str(tmp_path / "book"), "--as-one", "--json", "--out", out])
    assert made.exit_code == 0, made.stderr
    report = json.loads(made.stdout)
    assert [document["clauses"] for document in report["documents"]] == [5]
    assert [(entry["file"].rpartition("/")[2], entry["why"][:18]) for entry in report["skipped"]] == [
        ("cover.jpg", "is an image (JPEG)")
    ]
    assert "hoyle: not read:" in made.stderr


def test_orders_places_and_remarks_move_with_their_page():
    placed = read_pages([Page((Line((Word("un", None), Word("deux", None)), opens=True),))], name="x", by="b")
    order = (OrderedSpan(Span(2, 4), "", "x"), OrderedSpan(Span(0, 2), "", "x"))
    turned = DecodedText("b a\n", "utf-8", (("remark", 2),), order)
    read = joined([placed, turned])
    assert read.text == "un deux\n\f\nb a\n"
    assert read.doubts == (("remark", 12),)
    assert "".join(read.text[a:b] for (a, b), _, _ in read.flow) == "un deux\n\f\na\nb "
    assert read.pages[0].span == (0, 8)


@pytest.mark.parametrize("as_one", [False, True])
def test_a_plain_folder_does_not_look_into_folders(tmp_path, as_one):
    fill(tmp_path / "book")
    found = find(str(tmp_path / "book"), tmp_path, as_one=as_one)
    assert len(found.requests) == (1 if as_one else 4)
    assert [skipped.path.name for skipped in found.skipped] == ([] if as_one else ["b"])
