"""The indexes of the site: lists, matrices, concordance, timeline, network; downloads and figures."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from hoyle import __version__
from hoyle.document import Document
from hoyle.document.dates import years
from hoyle.outputs.site import about as site_about
from hoyle.outputs.site import lists as site_lists
from hoyle.outputs.site.document import Edition
from hoyle.outputs.site.document_pages import network
from hoyle.outputs.site.interface import strings
from hoyle.outputs.site.lists import marked
from hoyle.outputs.site.pages import Pages, size, title_html
from hoyle.outputs.site.writer import Site
from support import site as gold_site
from support.links import check_links
from support.many import repeated


def gold(name: str) -> Document:
    return gold_site.titled(name)


def test_page_of_300_clauses_weighs_less_than_a_megabyte(tmp_path):
    document = repeated(gold("whist-lexicon"), "big", 300)
    assert len(document.clauses) >= 300
    site = Site(tmp_path)
    site.add(document)
    site.close()
    assert (tmp_path / "site/doc/big/index.html").stat().st_size < 1_000_000


def test_long_lists_are_parted_and_lose_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(site_lists, "PER_PAGE", 5)
    folder = gold_site.build(tmp_path)
    pages = sorted((folder / "by/actor").glob("opponent*.html"))
    assert len(pages) > 2
    found = [
        n for path in pages for n in re.findall(r'<a class="no" href="([^"]+)"', path.read_text("utf-8"))
    ]
    with (folder / "by/actor/opponent.csv").open(encoding="utf-8-sig", newline="") as file:
        assert len(found) == len(set(found)) == len(list(csv.DictReader(file)))
    assert max(p.read_text("utf-8").count('<a class="no"') for p in folder.glob("by/*/*.html")) == 5
    check_links(folder)


def test_matrix_counts_what_its_cells_lead_to(gold_build):
    for name in ("penalty-game", "offence-game", "offence-penalty"):
        html = (gold_build / f"by/{name}.html").read_text(encoding="utf-8")
        for href, count in re.findall(r'<td><a href="([^"]+)">.*?</span> (\d+)</a>', html):
            path, _, anchor = href.partition("#")
            page = (gold_build / "by" / path).read_text(encoding="utf-8")
            part = page.split(f'id="{anchor}"')[1].split("<section")[0]
            assert part.count('<a class="no"') == int(count), (name, href)


def test_downloads_lie_in_the_site_itself(tmp_path):
    for name in ("tei/quinze.xml", "text/quinze.modern.txt", "tables/clauses.csv", "tables/.hidden"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x", encoding="utf-8")
    (tmp_path / "tei/quinze.xml").write_text("<TEI/>", encoding="utf-8")
    site = Site(tmp_path)
    site.add(gold("quinze"))
    site.close()
    page = (tmp_path / "site/doc/quinze/index.html").read_text(encoding="utf-8")
    assert 'href="../../files/tei/quinze.xml"' in page
    assert 'href="../../files/text/quinze.modern.txt"' in page
    about = (tmp_path / "site/about.html").read_text(encoding="utf-8")
    assert 'href="files/tables/clauses.csv"' in about
    assert ".hidden" not in about
    check_links(tmp_path / "site")


@pytest.mark.parametrize(
    ("date", "span"),
    [
        ("1838", (1838, 1838)),
        ("1835/1841", (1835, 1841)),
        ("190?", (1900, 1909)),
        ("18--", (1800, 1899)),
        ("1830s", (1830, 1839)),
        ("1752–1801", (1752, 1801)),
        ("c. 1850", (1850, 1850)),
        ("1817-05-21", (1817, 1817)),
        ("ca. 1810–1815", (1810, 1815)),
        ("", None),
        ("undated", None),
        ("123456", None),
    ],
)
def test_years_that_a_date_allows(date, span):
    assert years(date) == span


def test_network_draws_each_reference_between_clauses_once():
    document = gold("bridge-laws")
    edition = Edition(document, Pages(Path("unused")))
    picture = network(edition)
    inside = {(r.unit, r.target) for r in document.references if r.target}
    assert picture
    assert len(picture.arcs) == len(inside) > 0
    assert {n.id for n in picture.nodes} == {end for pair in inside for end in pair}
    assert network(Edition(Document(document.source, document.meta), Pages(Path("unused")))) is None


@pytest.mark.parametrize(
    ("text", "words", "html"),
    [
        ("a <b> revoke", "revoke", "a &lt;b&gt; <mark>revoke</mark>"),
        (
            "не даетъ масти, ренонсъ",
            "ренонсъ; не … масти",
            "<mark>не</mark> даетъ <mark>масти</mark>, <mark>ренонсъ</mark>",
        ),
        ("renonce, renoncer", "renonce", "<mark>renonce</mark>, renoncer"),
        ("nothing", "", "nothing"),
    ],
)
def test_concordance_marks_whole_words(text, words, html):
    assert marked(text, words) == html


@pytest.mark.parametrize(
    ("title", "lang", "languages"),
    [
        ("Вистъ: rules of whist", "ru-petr1708", ["ru-petr1708", "en"]),
        ("Règles du jeu de quinze", "fr", ["fr"]),
        ("Le jeu de trictrac", "fr", ["fr"]),
        ("Academie universelle des jeux", "fr", ["fr"]),
        ("Boston", "fr", ["fr"]),
        ("Boston", "ru", ["en"]),
        ("Le whist et ses lois", "ru", ["fr"]),
        ("Le jeu de quinze: rules of quinze (from an academy)", "fr", ["fr", "en"]),
        ("Quinze, in a French academy of games", "fr", ["en"]),
        ("Rules of <i>винтъ</i>", "fr", ["en", "ru", "en"]),
    ],
)
def test_titles_say_their_languages(title, lang, languages):
    html = title_html(title, lang)
    assert re.findall(r'<span lang="([^"]+)"', html) == languages
    assert re.sub(r"</?span[^>]*>", "", html) == title.replace("<", "&lt;").replace(">", "&gt;")


def test_a_concept_is_named_once_where_orthographies_agree(gold_build):
    html = (gold_build / "by/penalty/payment.html").read_text(encoding="utf-8")
    names = re.search(r'<p class="imprint">(.*?)</p>', html)[1]
    texts = re.findall(r'<span lang="[^"]+">([^<]+)</span>', names)
    assert len(texts) == len(set(texts)) >= 2


def test_a_list_leads_to_its_parts_and_tables_without_scripts(gold_build):
    html = (gold_build / "by/penalty/payment.html").read_text(encoding="utf-8")
    parts = re.search(r'<nav class="among".*?</nav>', html, re.DOTALL)[0]
    assert re.findall(r'href="payment.html#game-([^"]+)"', parts) == ["preference", "quinze"]
    assert 'href="../offence-penalty.html"' in html
    assert "<noscript>" in html


def test_sizes_as_people_read_them():
    assert [size(n) for n in (0, 999, 1000, 1_499_999, 2_000_000_000)] == [
        "0 B",
        "999 B",
        "1 KB",
        "1 MB",
        "2 GB",
    ]


class TestAbout:
    @pytest.fixture
    def about(self, tmp_path, monkeypatch):
        def build(version: str, sha256: str) -> str:
            made = site_about.Figures(
                version,
                site_about.fingerprint(),
                {"quinze": {"sha256": sha256, "machine": {"cer_raw": 6.1371}}},
            )
            monkeypatch.setattr(site_about, "figures", lambda: made)
            site = Site(tmp_path)
            site.add(gold("quinze"))
            site.close()
            return (tmp_path / "site/about.html").read_text(encoding="utf-8")

        return build

    def test_shows_what_was_measured(self, about):
        html = about(__version__, gold("quinze").source.sha256)
        assert '<td class="num">6.14</td>' in html
        assert strings("en")["measured_stale"] not in html

    def test_says_that_figures_are_old(self, about):
        assert strings("en")["measured_stale"] in about("0.0.1", gold("quinze").source.sha256)

    def test_shows_nothing_of_another_source(self, about):
        assert strings("en")["measured_none"] in about(__version__, "0" * 64)

    def test_counts_changes_by_kind(self, about):
        html = about(__version__, "")
        document = gold("quinze")
        counts = [sum(e.kind == kind for e in document.edits) for kind in ("correct", "layout", "drop")]
        row = html.split('class="sum"')[1].split("</tr>")[0]
        assert set(map(str, counts)) <= set(re.findall(r">(\d+)<", row))
