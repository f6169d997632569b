"""A text that wants to be markup, a formula, a script: through the whole build it stays text."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
import zipfile
from pathlib import Path

import html5lib
import pyarrow.parquet as pq
import pytest
import rdflib
from lxml import etree
from markdown_it import MarkdownIt

from hoyle.batch.build import build
from hoyle.loading import Request
from hoyle.tei.verify import verify

EVIL = "<script>alert(1)</script>"
SIGNS = (
    f"]]> &amp; {EVIL} \x00\x07 \u202e<!-- {{{{ 7*7 }}}} 'x' \"y\" $(id) ../../etc | a; b \\ `c` "
    "[d](javascript:alert(1))"
)
TEXT = f"""REGLES {EVIL}

1. On ne peut {SIGNS} jouer.
=1+1 doit perdre.
2. =HYPERLINK("http://x.example","y") et voyez l'article 1 ]]>.
3. @SUM(1+1)*cmd|' /C calc'!A0 {EVIL}
-1+1
4. Le joueur paie &lt;rien&gt; &#0; &unknown; <?php x ?> <![CDATA[ z.
"""
TITLE = f"=1+1 {EVIL} ]]> & \" '"
META = """\
file = "evil.txt"
lang = "fr"
title = {title}
author = {title}
licence = {title}
notes = [{title}]
games = ["quinze"]
"""


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    root = tmp_path_factory.mktemp("root")
    folder = root / "corpus" / "evil"
    folder.mkdir(parents=True)
    (folder / "evil.txt").write_text(TEXT, encoding="utf-8", newline="")
    (folder / "meta.toml").write_text(META.format(title=json.dumps(TITLE)), encoding="utf-8")
    at = TEXT.index("jouer")
    rows = [f"{at}\t{at + 5}\tjouer\tread-as\t=2+2{EVIL}]]>\t=3+3 {EVIL}\t1999\t{EVIL}]]>&"]
    heading = "start\tend\traw\truling\tvalue\teditor\tdate\treason"
    (folder / "decisions.tsv").write_text("\n".join([heading, *rows]), encoding="utf-8")
    report = build([Request(folder, folder / "meta.toml")], root, root / "out")
    assert report.failures == []
    assert report.documents[0].clauses == 4
    return root / "out"


def pages(out: Path) -> list[tuple[str, str]]:
    return [(p.name, p.read_text(encoding="utf-8")) for p in sorted(out.rglob("*.html"))]


def test_the_tei_is_valid_and_gives_the_text_back(out):
    assert verify(out / "tei" / "evil.xml") == []
    root = etree.parse(out / "tei" / "evil.xml").getroot()
    assert f"=3+3 {EVIL}" in [e.text for e in root.iter("{*}name")]
    assert not list(root.iter("{*}script"))


def test_no_page_of_the_site_has_a_script_of_the_text(out):
    found = pages(out)
    assert len(found) > 8
    for name, page in found:
        tree = html5lib.parse(page, namespaceHTMLElements=False)
        scripts = ["".join(e.itertext()) for e in tree.iter("script") if e.get("type") is None]
        assert not [s for s in scripts if "alert(1)" in s], name
        links = [value for e in tree.iter() for key, value in e.attrib.items() if key in ("href", "src")]
        assert not [link for link in links if link.strip().lower().startswith("javascript:")], name
        assert not [key for e in tree.iter() for key in e.attrib if str(key).lower().startswith("on")], name
    assert any(
        "alert(1)" in "".join(html5lib.parse(page, namespaceHTMLElements=False).itertext())
        for _, page in found
    )


def test_no_template_is_run_in_the_text(out):
    whole = (out / "markdown" / "evil.md").read_text(encoding="utf-8") + "".join(p for _, p in pages(out))
    assert "7*7" in whole
    assert not re.search(r"perdre[^<]{0,80}\b49\b", whole)


def test_no_cell_is_a_formula(out):
    cells = 0
    paths = sorted(out.rglob("*.csv"))
    assert {"tables", "site", "by"} <= {path.relative_to(out).parts[i] for path in paths for i in (0, 1)}
    for path in paths:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.reader(file):
                for cell in row:
                    cells += 1
                    assert not re.match(r"\s*[=+\-@]", cell) or re.fullmatch(r"-?[\d.]+(e-?\d+)?", cell), path
                    assert "\x00" not in cell
    assert cells > 1000


def test_json_lines_parquet_and_sqlite_have_the_very_text(out):
    rows = [
        json.loads(s) for s in (out / "tables" / "clauses.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert "]]> &amp; <script>alert(1)</script> \x00\x07" in rows[0]["raw"]
    assert f"=2+2{EVIL}]]>" in rows[0]["corrected"]
    raws = [row["raw"] for row in rows]
    assert pq.read_table(out / "tables" / "clauses.parquet")["raw"].to_pylist() == raws
    with sqlite3.connect(out / "tables" / "hoyle.sqlite") as database:
        found = [raw for (raw,) in database.execute("SELECT raw FROM clauses ORDER BY rowid")]
    database.close()
    assert found == [raw.replace("\x00", "␀") for raw in raws]  # which SQLite cannot hold in text


def test_every_xml_of_the_book_is_well_formed_and_without_a_script(out):
    with zipfile.ZipFile(out / "epub" / "evil.epub") as book:
        for name in book.namelist():
            if name.endswith((".xhtml", ".opf", ".xml")):
                assert not list(etree.fromstring(book.read(name)).iter("{*}script")), name


def test_markdown_shows_the_text_and_runs_none_of_it(out):
    shown = MarkdownIt("commonmark").render((out / "markdown" / "evil.md").read_text(encoding="utf-8"))
    tree = html5lib.parse(shown, namespaceHTMLElements=False)
    assert not list(tree.iter("script"))
    assert not [a for a in tree.iter("a") if a.get("href", "").startswith("javascript")]
    assert "alert(1)" in "".join(tree.itertext())


def test_everything_else_still_parses(out):
    for path in [*out.rglob("*.json"), *out.rglob("*.jsonld")]:
        json.loads(path.read_text(encoding="utf-8"))
    turtle = [*out.rglob("*.ttl")]
    assert turtle
    for path in turtle:
        assert len(rdflib.Graph().parse(path, format="turtle")) > 10
    entries = (out / "citations.bib").read_text(encoding="utf-8")
    assert entries.count("{") == entries.count("}")


def test_no_file_is_written_outside_the_build(out):
    assert sorted(p.name for p in out.parent.iterdir()) == ["corpus", "out"]
    assert not [p for p in out.rglob("*") if p.is_symlink()]
