"""Images of pages, places of words in every output, and corrected words back in their boxes."""

from __future__ import annotations

import json
import struct
import zlib
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from lxml import etree

import hoyle
from hoyle.batch.cache import Cache
from hoyle.cli import main
from hoyle.document import Box, Document, Edit, Evidence, Meta, PageLayout, Source, Span, WordBox
from hoyle.inputs import decode, images
from hoyle.inputs.page_list import page_list
from hoyle.loading import find, load
from hoyle.outputs import corrected_pages
from support import printed, typeset

pytest.importorskip("PIL")


def read(path: Path, *, as_one: bool = False) -> Document:
    [request] = find(str(path), path.parent, as_one=as_one, lang="fr").requests
    return load(request, path.parent)


def rows(build: Path, table: str) -> list[dict]:
    lines = (build / "tables" / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("scans")
    (folder / "jeu.pdf").write_bytes(printed.pdf())
    report = hoyle.build([str(folder / "jeu.pdf")], folder / "build", lang="fr", root=folder)
    assert [made.clauses for made in report.documents] == [7]
    return folder / "build"


def test_the_pages_of_a_pdf_become_images_in_two_sizes(built):
    from PIL import Image  # noqa: PLC0415

    found = sorted(path.name for path in (built / "facsimiles" / "jeu").iterdir())
    assert found == [f"000{n}{size}.webp" for n in (1, 2, 3) for size in ("-small", "")]
    with Image.open(built / "facsimiles" / "jeu" / "0001.webp") as large:
        assert (large.format, large.size) == ("WEBP", (1500, 2250))
        ink = large.convert("L").crop((150, 195, 300, 235))
        low, high = ink.getextrema()
        assert low < 100 < high  # letters at the place of the second line
    with Image.open(built / "facsimiles" / "jeu" / "0001-small.webp") as small:
        assert small.size == (600, 900)


def test_the_tables_have_pages_and_words(built):
    pages = rows(built, "pages")
    assert [(p["page"], p["width"], p["height"], p["image"]) for p in pages] == [
        (n, 4167, 6250, f"facsimiles/jeu/000{n}.webp") for n in (1, 2, 3)
    ]
    words = rows(built, "words")
    assert [word["text"] for word in words] == " ".join(" ".join(page) for page in printed.PAGES).split()
    assert [w["unit"] for w in words if w["text"] == "renonce"] == ["jeu.4"]
    over = {word["page"] for word in words if word["unit"] == "jeu.6"}
    assert over == {2, 3}
    for word in words:
        assert 0 < word["left"] < word["right"] < 4167


def test_an_edition_gives_the_same_pages_and_images_again(built, tmp_path):
    report = hoyle.build([str(built / "tei" / "jeu.xml")], tmp_path / "again", root=tmp_path)
    assert not report.failures
    for path in ["tei/jeu.xml", "tables/words.jsonl", *(f"facsimiles/jeu/000{n}.webp" for n in (1, 2, 3))]:
        assert (tmp_path / "again" / path).read_bytes() == (built / path).read_bytes(), path


def test_the_tei_points_from_clauses_and_page_breaks_to_the_pages(built):
    root = etree.parse(built / "tei" / "jeu.xml").getroot()
    assert [graphic.get("url") for graphic in root.iter("{*}graphic")] == [
        f"../facsimiles/jeu/000{n}.webp" for n in (1, 2, 3)
    ]
    assert [pb.get("facs") for pb in root.iter("{*}pb")] == ["#facs.1", "#facs.2", "#facs.3"]
    [six] = [div for div in root.iter("{*}div") if div.get("n") == "6"]
    assert six.get("facs") == "#facs.2.5 #facs.2.6 #facs.3.1"
    assert len(list(six.iter("{*}pb"))) == 1


def test_a_text_without_pages_has_nothing_of_it(tmp_path):
    (tmp_path / "jeu.txt").write_text("1. Le donneur donne.\n2. On coupe.\n", encoding="utf-8")
    hoyle.build([str(tmp_path / "jeu.txt")], tmp_path / "build", lang="fr", root=tmp_path)
    assert not (tmp_path / "build" / "facsimiles").exists()
    assert not list((tmp_path / "build" / "site" / "assets").glob("scans.*"))
    assert b"facs" not in (tmp_path / "build" / "tei" / "jeu.xml").read_bytes()
    page = (tmp_path / "build" / "site" / "doc" / "jeu" / "index.html").read_text(encoding="utf-8")
    assert "scans" not in page
    assert "data-at" not in page


NAMED = typeset.hocr(*printed.placed()).replace(
    b"title='bbox 0 0 1000 1500'", b"title='image \"C:\\\\scans\\\\p1.tif\"; bbox 0 0 1000 1500'", 1
)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"book.hocr": NAMED, "p1.png": 0}, ["p1.png", "", ""]),
        ({"book.hocr": NAMED, "scans/p1.jpg": 0}, ["scans/p1.jpg", "", ""]),
        (
            {"book.hocr": NAMED, "scans/a1.png": 0, "scans/a2.png": 1, "scans/a10.png": 2},
            ["scans/a1.png", "scans/a2.png", "scans/a10.png"],
        ),
        ({"book.hocr": NAMED, "scans/a1.png": 0, "scans/a2.png": 1}, ["", "", ""]),
        ({"book.hocr": NAMED, "p1.png": 0, "p2.png": 1, "p3.png": 2}, ["p1.png", "p2.png", "p3.png"]),
        ({"book.hocr": NAMED, "a.png": 0, "b.png": 1, "c.png": 2}, ["", "", ""]),
        (
            {"book.txt": "1. Un.\n\fPage\n", "scans/a1.png": 0, "scans/a2.png": 1},
            ["scans/a1.png", "scans/a2.png"],
        ),
    ],
)
def test_images_are_found_beside_the_text(tmp_path, files, expected):
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        kind = "JPEG" if name.endswith("jpg") else "PNG"
        data = printed.image(content, kind) if isinstance(content, int) else content
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    document = read(next(path for path in tmp_path.glob("book.*")))
    assert [page.image for page in document.pages] == expected
    assert all(page.width == 1000 for page in document.pages if page.image)


def png(width: int, height: int) -> bytes:
    """A PNG that says it is that large and holds next to nothing."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(b"")), (b"IEND", b""))
    packed = (
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"\x89PNG\r\n", "page 1: p1.png: is no image that can be read"),
        (png(20_000, 20_000), "p1.png: has more than 120,000,000 pixels"),
        (png(2_000_000, 2_000_000), "p1.png: has more than 120,000,000 pixels"),
    ],
)
def test_a_bad_image_is_told_and_the_text_is_built_without_it(tmp_path, content, expected):
    (tmp_path / "p1.png").write_bytes(content)
    (tmp_path / "book.hocr").write_bytes(NAMED)
    document = read(tmp_path / "book.hocr")
    assert document.pages[0].image == ""
    assert any(expected in finding.value for finding in document.findings if finding.doubt)


def test_an_image_that_is_cut_refuses_its_document_with_a_sentence(tmp_path):
    (tmp_path / "p1.png").write_bytes(printed.image(0)[:900])
    (tmp_path / "book.hocr").write_bytes(NAMED)
    report = hoyle.build([str(tmp_path / "book.hocr")], tmp_path / "build", lang="fr", root=tmp_path)
    assert [failure.message[:35] for failure in report.failures] == ["the image of page 1, p1.png, cannot"]
    assert not (tmp_path / "build").exists()


def test_without_pillow_the_images_are_left_out_and_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(images, "find_spec", lambda name: None if name == "PIL" else find_spec(name))
    (tmp_path / "p1.png").write_bytes(printed.image(0))
    (tmp_path / "book.hocr").write_bytes(NAMED)
    document = read(tmp_path / "book.hocr")
    assert [page.image for page in document.pages] == ["", "", ""]
    assert any("pip install 'hoyle[facsimile]'" in finding.value for finding in document.findings)


def test_words_of_a_text_take_their_boxes_from_a_page_file_beside_it(tmp_path):
    text = "\n".join(" ".join(page) for page in printed.PAGES).replace("donneur", "D0nneur")
    (tmp_path / "jeu.txt").write_text(text, encoding="utf-8")
    (tmp_path / "jeu.hocr").write_bytes(typeset.hocr(*printed.placed()))
    document = read(tmp_path / "jeu.txt")
    assert [text[page.span.start :][:12] for page in document.pages] == [
        "Règles du je", "4. Qui renon", "la fin du co",
    ]  # fmt: skip
    boxes = {text[slice(*word.span)]: word.box for page in document.pages for word in page.words}
    assert "D0nneur" not in boxes
    assert boxes["renonce"] == Box(*printed.placed()[1][0][2].box)


FORMATS = [
    (typeset.hocr, "hocr"),
    (typeset.alto, "alto"),
    (typeset.page_xml, "page.xml"),
    (typeset.abbyy, "abbyy.xml"),
    (typeset.djvu_xml, "djvu.xml"),
    (typeset.pdf, "pdf"),
]


@pytest.mark.parametrize(("write", "suffix"), FORMATS)
def test_every_format_gives_the_same_text_and_the_same_places(write, suffix):
    found = decode(write(*printed.placed()), name=f"jeu.{suffix}")
    assert found.text.split() == " ".join(" ".join(page) for page in printed.PAGES).split()
    scale = 1000 / 4167 if suffix == "pdf" else 1.0
    for page, lines in zip(found.pages, printed.placed(), strict=True):
        expected = [word for line in lines for word in line]
        for word, placed in zip(page.words, expected, strict=True):
            assert found.text[slice(*word.span)] == placed.text
            # The letters of a PDF are narrower than their boxes.
            loose = 60 if suffix == "pdf" else 0.01
            assert scale * word.box.left == pytest.approx(placed.box[0], abs=loose)
            assert scale * word.box.top == pytest.approx(placed.box[1], abs=loose)


def misread() -> Document:
    """A line of five words: one is corrected, two are joined, one is parted."""
    text = "Le j0ueur ga gne lapartie\n"
    starts = [0, 3, 10, 13, 17, 26]
    words = tuple(
        WordBox(Span(a, b - 1), Box(100 * n, 10, 100 * n + 90, 30))
        for n, (a, b) in enumerate(pairwise(starts))
    )
    why = Evidence("test", 0.8)
    edits = [
        Edit(Span(3, 9), "j0ueur", "joueur", "correct", why),
        Edit(Span(12, 13), " ", "", "correct", why),
        Edit(Span(19, 19), "", " ", "correct", why),
    ]
    source = Source("jeu", "jeu.txt", text, "0" * 64, len(text))
    document = Document(source, Meta(id="jeu", lang="fr"))
    return document.with_layer("places", [PageLayout(Span(0, 26), words, 600, 800)]).with_layer(
        "correct", edits
    )


def test_corrected_words_go_back_into_their_boxes():
    [(_, [line])] = corrected_pages.corrected_lines(misread())
    assert [(word.text, word.box.left, word.box.right) for word in line] == [
        ("Le", 0, 90),
        ("joueur", 100, 190),
        ("gagne", 200, 390),
        ("la", 400, 420),
        ("partie", 430, 490),
    ]


@pytest.mark.parametrize("write", [corrected_pages.alto, corrected_pages.hocr])
def test_what_is_exported_is_read_again(write):
    found = decode(write(misread()), name="jeu.xml")
    assert found.text == "Le joueur gagne la partie\n"
    assert found.pages[0].words[2].box == Box(200, 10, 390, 30)
    assert (found.pages[0].width, found.pages[0].height) == (600, 800)


def test_the_manifest_has_a_canvas_a_page_and_clauses_as_annotations(built, tmp_path):
    made = CliRunner().invoke(
        main, ["export", "--iiif", "https://example.org/build", str(built / "tei" / "jeu.xml")]
    )
    assert made.exit_code == 0, made.stderr
    value = json.loads(made.stdout)
    assert value["type"] == "Manifest"
    assert [canvas["width"] for canvas in value["items"]] == [4167] * 3
    body = value["items"][0]["items"][0]["items"][0]["body"]
    assert body["id"] == "https://example.org/build/facsimiles/jeu/0001.webp"
    notes = value["items"][1]["annotations"][0]["items"]
    assert [note["id"].rpartition("/")[2] for note in notes] == ["jeu.4", "jeu.5", "jeu.6"]
    assert notes[0]["body"]["value"].startswith("4. Qui renonce")
    x, y, width, height = (int(n) for n in notes[0]["target"].partition("#xywh=")[2].split(","))
    assert 4.1 * printed.top(0) - 60 < y < y + height < 4.17 * printed.top(2)
    assert x + width < 4167


def test_export_says_what_it_needs(tmp_path):
    (tmp_path / "jeu.txt").write_text("1. Le donneur donne.\n", encoding="utf-8")
    for options, expected in (
        (["--alto"], "the source has no places of words"),
        (["--iiif", "https://example.org"], "the source has no pages of known size"),
        (["--iiif", "here"], "--iiif needs the address"),
        ([], "say one of --alto, --hocr and --iiif URL"),
    ):
        made = CliRunner().invoke(main, ["export", *options, "--lang", "fr", str(tmp_path / "jeu.txt")])
        assert made.exit_code == 2
        assert expected in made.stderr


METS = """<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink"><fileSec><fileGrp>
<file ID="A"><FLocat xlink:href="file://./x.xml"/></file><file ID="B"><FLocat xlink:href="y.xml"/></file>
</fileGrp></fileSec><structMap TYPE="PHYSICAL"><div><div ORDER="2" ORDERLABEL="xii"><fptr FILEID="A"/></div>
<div ORDER="1" ORDERLABEL="xi"><fptr FILEID="B"/></div></div></structMap></mets>"""
MANIFEST = {
    "@context": "http://iiif.io/api/presentation/2/context.json",
    "sequences": [
        {
            "canvases": [
                {
                    "@id": f"https://library.example/canvas/{name}",
                    "label": label,
                    "images": [
                        {
                            "resource": {
                                "@id": f"https://library.example/{name}/full.jpg",
                                "service": {"@id": f"https://library.example/iiif/{name}"},
                            }
                        }
                    ],
                }
                for name, label in (("y", "xi"), ("x", "xii"))
            ]
        }
    ],
}


@pytest.mark.parametrize(
    ("name", "content", "image"),
    [
        ("mets.xml", METS, ""),
        (
            "manifest.json",
            json.dumps(MANIFEST),
            "https://library.example/iiif/y/full/!1500,4500/0/default.jpg",
        ),
    ],
)
def test_a_list_of_pages_gives_order_and_labels(tmp_path, name, content, image):
    for at, stem in enumerate(("x", "y")):
        (tmp_path / f"{stem}.xml").write_bytes(typeset.alto(printed.placed()[at]))
    (tmp_path / name).write_text(content, encoding="utf-8")
    found = find(str(tmp_path), tmp_path, as_one=True)
    assert [path.name for path in found.requests[0].pages] == ["y.xml", "x.xml"]
    assert found.skipped == ()
    document = read(tmp_path, as_one=True)
    assert [page.label for page in document.pages] == ["xi", "xii"]
    assert document.pages[0].image == image
    assert document.source.text.startswith("4. Qui renonce")


def test_a_broken_list_is_told(tmp_path):
    (tmp_path / "manifest.json").write_text(
        '{"@context": "http://iiif.io/api/presentation/3', encoding="utf-8"
    )
    with pytest.raises(hoyle.HoyleError, match=r"manifest\.json: is a IIIF manifest that is no JSON"):
        page_list(tmp_path)


def test_an_image_that_comes_later_is_seen_in_spite_of_the_cache(tmp_path):
    (tmp_path / "book.hocr").write_bytes(NAMED)
    cache = Cache(tmp_path / "cache")
    asked = {"lang": "fr", "root": tmp_path, "cache": cache}
    hoyle.build([str(tmp_path / "book.hocr")], tmp_path / "build", **asked)
    assert not (tmp_path / "build" / "facsimiles").exists()
    (tmp_path / "scans").mkdir()
    (tmp_path / "scans" / "p1.png").write_bytes(printed.image(0))
    hoyle.build([str(tmp_path / "book.hocr")], tmp_path / "build", **asked)
    assert (tmp_path / "build" / "facsimiles" / "book" / "0001.webp").is_file()
    (tmp_path / "moved").mkdir()
    (tmp_path / "moved" / "book.hocr").write_bytes(NAMED)
    hoyle.build([str(tmp_path / "moved" / "book.hocr")], tmp_path / "other", **asked)
    assert not (tmp_path / "other" / "facsimiles").exists()
