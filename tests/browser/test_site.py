"""The built site in Chromium: from a memory stick and under a sub-path of a server."""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Locator, Page, Request, expect, sync_playwright

from hoyle.orthography.search_key import fold_word, words
from support import site as gold_site

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TIMEOUT = int(os.environ.get("HOYLE_BROWSER_TIMEOUT", "60000"))
"""Milliseconds that a busy machine may take; the tests are about what happens, not how soon."""
expect.set_options(timeout=TIMEOUT)

if CHROMIUM is None and os.environ.get("CI") != "true":
    pytest.skip("no Chromium here; the site's browser tests need one", allow_module_level=True)

PAGES = {
    "home": "index.html",
    "about": "about.html",
    "search": "search.html?q=мѣсто",
    "document with headings": "doc/preference/index.html",
    "document with gaps and notes": "doc/bridge-laws/index.html",
    "document with old spelling": "doc/patience/index.html",
    "network": "doc/bridge-laws/network.html",
    "clause": "doc/whist-lexicon/12.html",
    "clause with parts": "doc/bridge-laws/45.C.html",
    "index": "by/penalty/index.html",
    "concept": "by/actor/opponent.html",
    "matrix": "by/offence-penalty.html",
    "concordance": "concordance/index.html",
    "rule": "concordance/penalty-payment.html",
    "dates": "dates.html",
}
AXED = [kind for kind in PAGES if kind != "document with headings"]


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args) -> None:
        pass


@pytest.fixture(scope="module")
def served(gold_build) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=gold_build.parent.parent)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/build/site/"
        server.shutdown()


@pytest.fixture(scope="module", params=["file", "http"])
def base(request, gold_build) -> str:
    return f"{gold_build.as_uri()}/" if request.param == "file" else request.getfixturevalue("served")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert CHROMIUM, "Chromium is missing; in CI that is a failure"
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


def _watched(page: Page) -> list[str]:
    """What goes wrong on a page from now on: scripts, loads, security policy."""
    faults: list[str] = []
    page.on("console", lambda m: faults.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda e: faults.append(str(e)))
    page.on("requestfailed", lambda r: faults.append(f"{r.url}: {r.failure}") if _missed(r) else None)
    page.on("response", lambda r: faults.append(f"{r.url}: {r.status}") if r.status >= 400 else None)
    return faults


def _missed(request: Request) -> bool:
    """Whether a load failed; one that is given up because the reader went on is no fault."""
    return request.failure != "net::ERR_ABORTED"


@pytest.fixture(scope="module")
def shared(browser) -> Iterator[tuple[Page, list[str]]]:
    """One page for all tests: opening a fresh one for each is most of what they would cost."""
    context = browser.new_context()
    context.set_default_timeout(TIMEOUT)
    page = context.new_page()
    yield page, _watched(page)
    context.close()


@pytest.fixture
def page(shared) -> Iterator[Page]:
    """A page without memory of earlier tests that must stay without errors."""
    page, faults = shared
    page.set_viewport_size({"width": 1280, "height": 900})
    yield page
    page.evaluate("localStorage.clear()")
    found = faults.copy()
    faults.clear()
    assert found == []


@pytest.fixture(scope="module")
def examined(browser) -> Iterator[Page]:
    """A page for axe, whose own messages are no faults of the site."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def plain(browser) -> Iterator[Page]:
    """A page where no script runs."""
    context = browser.new_context(java_script_enabled=False)
    context.set_default_timeout(TIMEOUT)
    yield context.new_page()
    context.close()


def press(link: Locator) -> None:
    """Follows a link, or pushes a button, on a page of a whole book.

    By keyboard, for there it may move under a pointer: clauses get their true height some frames after they
    have come near the window, and where no script runs Playwright cannot tell that they have come to rest.
    """
    link.press("Enter")


def shown(page: Page, selector: str) -> str:
    """The text seen there, once some is: a clause of a whole book is drawn when it comes near the window."""
    place = page.locator(selector)
    place.scroll_into_view_if_needed()
    expect(place).to_have_text(re.compile(r"\S"), use_inner_text=True)
    return " ".join(place.inner_text().split())


@pytest.mark.parametrize("kind", ["document with old spelling", "clause", "index"])
def test_an_address_that_is_no_valid_one_opens_the_page(page, base, kind):
    """The teardown of ``page`` finds what a script throws."""
    page.goto("about:blank")
    for place in ("#%", "#%E9", "#100%25%"):
        page.goto(base + PAGES[kind] + place)
        expect(page.locator("h1").first).to_be_visible()
        assert page.evaluate("location.hash") == place


@pytest.mark.parametrize("kind", PAGES)
def test_every_page_loads_without_a_fault_and_fits_a_phone(page, base, kind):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(base + PAGES[kind])
    assert page.locator("h1").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


RULES = {
    "light": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]},
    "dark": {"type": "rule", "values": ["color-contrast"]},  # nothing else depends on the scheme
}


@pytest.mark.parametrize("kind", AXED)
def test_axe_finds_nothing_to_complain_of(examined, gold_build, kind):
    page = examined
    page.goto(f"{gold_build.as_uri()}/{PAGES[kind]}")
    if page.locator("#marks").count():
        page.locator("#marks").check()
        page.locator("#tagged").check()
    page.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    axe = Axe()
    for scheme, rules in RULES.items():
        page.emulate_media(color_scheme=scheme)
        found = axe.run(page, options={"runOnly": rules, "resultTypes": ["violations"]})
        violations = found.response["violations"]
        assert [(v["id"], [n["target"] for n in v["nodes"]]) for v in violations] == [], scheme
    page.emulate_media(color_scheme="light")


class TestReading:
    def test_switch_shows_one_layer_at_a_time(self, page, base):
        page.goto(base + "doc/whist-lexicon/12.html")
        text = ".sheet .u .text"
        assert "третій игрокъ положитъ" in shown(page, text)
        assert "третш" not in shown(page, text)
        page.get_by_text("as scanned", exact=True).first.click()
        assert "третш игрокъ положить с в о ю" in shown(page, text)
        page.get_by_text("side by side").click()
        assert page.locator(".parallel").is_visible()
        assert "третш" in shown(page, ".parallel .raw")
        page.goto(base + "doc/patience/VI.html")
        page.get_by_text("modern", exact=True).first.click()
        assert "На основания должны" in shown(page, text)

    def test_switch_works_without_scripts(self, plain, base):
        plain.goto(base + "doc/patience/index.html")
        text = "[id='patience.VI'] .text"
        assert "На основанія" in shown(plain, text)
        plain.get_by_text("modern", exact=True).first.click()
        assert "На основания" in shown(plain, text)
        assert "основанія" not in shown(plain, text)

    def test_layer_is_remembered_from_page_to_page(self, page, base):
        page.goto(base + "doc/patience/index.html")
        page.get_by_text("modern", exact=True).first.click()
        page.goto(base + "doc/patience/VI.html")
        assert page.locator("#layer-m").is_checked()

    def test_raw_layer_is_the_source_to_the_letter(self, page, base):
        page.goto(base + "doc/quinze/51.html")
        page.get_by_text("side by side").click()
        raw = page.locator(".parallel .raw").text_content()
        document = gold_site.titled("quinze")
        clause = next(c for c in document.clauses if c.n == "51")
        assert raw == "".join(document.source.text[s.start : s.end] for s in clause.spans)

    def test_changed_words_explain_themselves_by_keyboard(self, page, base):
        page.goto(base + "doc/whist-lexicon/index.html")
        page.locator("#marks").check()
        word = page.locator("[id='whist-lexicon.12'] x-w", has_text="третій").first
        word.focus()
        card = page.locator("#card")
        assert card.is_visible()
        assert "OCR had: третш" in card.inner_text()
        assert "gold" in card.inner_text()
        assert "%" in card.inner_text()
        page.keyboard.press("Escape")
        assert card.is_hidden()

    def test_doubtful_readings_are_marked_without_being_asked(self, plain, base):
        plain.goto(base + "doc/quinze/index.html")
        style = plain.locator(".text x-w.lo").first.evaluate("e => getComputedStyle(e).textDecorationStyle")
        assert style == "dotted"

    def test_reference_leads_to_its_clause_and_previews_it(self, page, base):
        page.goto(base + "doc/whist-lexicon/index.html#whist-lexicon.17")
        link = page.locator("[id='whist-lexicon.17'] a.ref").first
        link.hover()
        page.locator("#card").wait_for(state="visible")
        assert "броситъ свои карты" in page.locator("#card").inner_text()
        press(link)
        expect(page).to_have_url(re.compile("#whist-lexicon.16$"))
        page.goto(base + "doc/whist-lexicon/16.html")
        assert "17" in shown(page, ".back .refs")

    def test_tag_leads_to_its_index_and_marks_its_words(self, page, base):
        page.goto(base + "doc/whist-lexicon/10.html")
        chip = page.locator(".tags .chip", has_text="partner").first
        chip.hover()
        number = re.search(r"k(\d+)", chip.get_attribute("class"))[1]
        words_ = page.locator(f".text .t{number}").first
        assert "товарищ" in words_.inner_text()
        assert words_.evaluate("e => getComputedStyle(e).backgroundColor") != "rgba(0, 0, 0, 0)"
        chip.click()
        assert shown(page, "h1") == "partner"
        assert page.locator(".hits a", has_text="10").count()

    def test_a_reader_can_go_through_the_book_without_scripts(self, plain, base):
        plain.goto(base + "index.html")
        plain.get_by_role("link", name="Международные правила бриджа").first.click()
        press(plain.locator("article#bridge-laws\\.45\\.C\\.1 a.no"))
        expect(plain.locator("h1")).to_have_text("Clause 45.C.1")
        assert plain.locator(".over").get_by_role("link", name="45.C").count()
        plain.locator("a[rel=next]").click()
        assert shown(plain, "h1") == "Clause 45.C.2"

    def test_another_layer_stands_beside_the_text(self, page, base):
        page.goto(base + "doc/whist-lexicon/index.html")
        page.select_option("#beside", "r")
        clause = "[id='whist-lexicon.12']"
        assert "третій игрокъ положитъ" in shown(page, f"{clause} > .text:not(.copy-of)")
        assert "третш игрокъ положить с в о ю" in shown(page, f"{clause} > .copy-of")
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
        assert len(ids) == len(set(ids))

    def test_one_clause_is_switched_alone(self, page, base):
        page.goto(base + "doc/patience/index.html")
        text, other = "[id='patience.VI'] > .text", "[id='patience.V'] > .text"
        before = shown(page, other)
        button = page.locator("[id='patience.VI'] .turn-layer")
        assert "corrected" in button.inner_text()
        press(button)
        assert "modern" in button.inner_text()
        assert "На основания" in shown(page, text)
        assert "основанія" not in shown(page, text)
        assert shown(page, other) == before
        page.get_by_text("modern", exact=True).first.click()
        press(button)
        press(button)
        assert "На основанія" in shown(page, text)

    def test_citation_names_clause_version_and_source(self, page, base):
        page.goto(base + "doc/whist-lexicon/16.html")
        chicago = page.locator("blockquote.copy").inner_text()
        assert "“Clause 16.” In " in chicago
        assert "whist-lexicon.16" in chicago
        assert ("http://" in chicago) == base.startswith("http")


@pytest.fixture(scope="module")
def long(long_book) -> Path:
    return long_book / "doc" / "long"


class TestLongBook:
    @pytest.mark.parametrize(
        ("asked", "given"),
        [
            ("index.html#long.36.VI", "index~p2.html#long.36.VI"),
            ("index~p2.html#long.2.VI", "index.html#long.2.VI"),
            ("index~p2.html#nowhere", "index.html#nowhere"),
        ],
    )
    def test_an_address_of_the_whole_book_leads_to_the_right_page(self, page, long, asked, given):
        page.goto("about:blank")  # or it would only be another place of the page of the test before
        page.goto(f"{long.as_uri()}/{asked}")
        expect(page).to_have_url(f"{long.as_uri()}/{given}")
        place = page.locator(f"[id='{given.partition('#')[2]}']")
        if place.count():
            expect(place).to_be_in_viewport()

    def test_it_is_read_from_page_to_page_without_scripts(self, plain, long):
        plain.goto((long / "index.html").as_uri())
        last = plain.locator("article.u").last.get_attribute("id")
        press(plain.locator(".pager").last.get_by_role("link"))
        expect(plain).to_have_url(re.compile("index~p2.html"))
        assert plain.locator("article.u").first.get_attribute("id") != last
        press(plain.locator("article.u").last.locator("a.no"))
        expect(plain.locator("h1")).to_contain_text("Clause")
        plain.locator(".over a").first.click()
        expect(plain).to_have_url(re.compile("index~p2.html#"))

    def test_what_is_far_from_the_window_is_not_laid_out(self, page, long):
        page.goto((long / "index.html").as_uri())
        drawn = "e => e.checkVisibility({ contentVisibilityAuto: true })"
        clauses = page.locator("article.u > .text")
        page.wait_for_function(drawn, arg=clauses.first.element_handle())
        assert not clauses.last.evaluate(drawn)
        assert page.locator(".turn-layer").count() < clauses.count() / 2


class TestWaysIn:
    def test_matrix_cell_leads_to_its_passages(self, plain, base):
        plain.goto(base + "by/penalty-game.html")
        cell = plain.locator("tbody td a").first
        count = int(cell.inner_text().split()[-1])
        cell.click()
        group = plain.locator(f"[id='{plain.url.partition('#')[2]}']")
        assert group.locator("a.no").count() == count

    def test_concordance_sets_books_side_by_side(self, plain, base):
        plain.goto(base + "concordance/index.html")
        plain.locator(".rules-shared a").first.click()
        columns = plain.locator(".books > section")
        assert columns.count() >= 2
        boxes = [columns.nth(i).bounding_box() for i in range(2)]
        assert boxes[0]["y"] == boxes[1]["y"]
        assert columns.nth(1).locator("mark").count()

    def test_timeline_is_in_order_of_time(self, plain, base):
        plain.goto(base + "dates.html")
        dates = plain.locator("tbody td:first-child").all_inner_texts()
        assert dates == sorted(dates, key=lambda d: (d == "–", d))
        starts = plain.locator("rect").evaluate_all("rects => rects.map((r) => Number(r.getAttribute('x')))")
        assert starts == sorted(starts)

    def test_network_leads_to_its_clauses(self, page, base):
        page.goto(base + "doc/bridge-laws/index.html")
        page.get_by_role("link", name="References between clauses").click()
        assert page.locator("svg .arc").count()
        page.locator("svg a").first.click()
        assert "Clause" in shown(page, "h1")

    def test_list_is_narrowed_down_in_the_search(self, page, base):
        page.goto(base + "by/actor/opponent.html")
        count = int(re.search(r"(\d+) passages", shown(page, ".tools"))[1])
        page.get_by_role("link", name="Narrow down").click()
        expect(page.locator("#status")).to_have_text(f"{count} passages found")
        page.get_by_label(re.compile("^game")).select_option(
            label=next(o for o in page.locator("option").all_inner_texts() if o.startswith("whist"))
        )
        expect(page.locator("#status")).not_to_have_text(f"{count} passages found")
        with page.expect_download() as started:
            page.locator("#take").click()
        rows = Path(started.value.path()).read_text(encoding="utf-8-sig").splitlines()
        assert len(rows) == 1 + int(page.locator("#status").inner_text().split()[0])


class TestTongues:
    @pytest.mark.parametrize(
        ("tag", "name", "documents"), [("fr", "Français", "Recherche"), ("ru", "Русский", "Поиск")]
    )
    def test_interface_speaks_another_language(self, page, base, tag, name, documents):
        page.goto(base + "doc/whist-lexicon/16.html")
        page.get_by_role("button", name=name).click()
        expect(page.locator("html")).to_have_attribute("lang", tag)
        assert documents in shown(page, "header.site")
        left = page.evaluate(ENGLISH)
        assert left == []
        assert "броситъ свои карты" in shown(page, ".sheet")

    def test_without_scripts_it_is_english(self, plain, base):
        plain.goto(base + "index.html")
        assert plain.locator(".languages").is_hidden()
        assert "Penalties" in shown(plain, "header.site")


# Words of the interface in English that are left on a page in another language.
ENGLISH = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const words = /\\b(the|of|clause|changes|by|from|number|copy|text|search|how|sure|tags|modern|scanned)\\b/i;
  while (walk.nextNode()) {
    const { data, parentElement } = walk.currentNode;
    if (words.test(data) && parentElement.closest("[lang]") === document.documentElement) found.push(data);
  }
  return found;
}"""


class TestSearch:
    def ask(self, page: Page, base: str, question: str) -> list[str]:
        page.goto(base + "search.html")
        page.locator("#facets").wait_for()
        page.locator("#q").fill(question)
        page.locator(f"#hits[data-for={question!r}]" if "'" not in question else "#hits").wait_for(
            state="attached"
        )
        return [" ".join(t.split()) for t in page.locator("#hits li p").all_inner_texts()]

    @pytest.mark.parametrize("question", ["место", "мѣсто", "мѣста", "МЕСТО", "мест*"])
    def test_any_spelling_finds_all(self, page, base, question):
        found = self.ask(page, base, question)
        assert any("пустое мѣсто" in text for text in found)
        assert any("пустыя мѣста" in text for text in found)

    @pytest.mark.parametrize("question", ["auroit", "aurait", "AURAIT"])
    def test_old_french_endings(self, page, base, question):
        assert any("aurait" in text for text in self.ask(page, base, question))

    def test_raw_readings_are_found_too(self, page, base):
        assert any("третій игрокъ положитъ" in text for text in self.ask(page, base, "третш"))

    def test_phrase_in_modern_spelling_finds_the_old_text(self, page, base):
        found = self.ask(page, base, "«третий игрок положит»")
        assert len(found) == 1
        assert "третій игрокъ положитъ" in found[0]
        assert page.locator("#hits mark").all_inner_texts() == ["третій", "игрокъ", "положитъ"]

    def test_words_of_a_phrase_must_stand_together(self, page, base):
        assert self.ask(page, base, "«игрок третий»") == []
        assert page.locator("#status").inner_text() == "Nothing found."

    def test_facet_narrows_the_hits(self, page, base):
        everywhere = len(self.ask(page, base, "карту"))
        page.get_by_label(re.compile("^penalty")).select_option(label="take the card back (1)")
        assert everywhere > 1
        expect(page.locator("#hits li")).to_have_count(1)

    def test_question_in_the_address(self, page, base):
        page.goto(base + "index.html")
        page.locator("#q").fill("ренонса")
        page.keyboard.press("Enter")
        page.locator("#hits mark").first.wait_for()
        assert page.locator("#hits mark").first.inner_text() == "ренонса"

    def test_without_scripts_it_says_so_and_leads_to_the_indexes(self, plain, base):
        plain.goto(base + "search.html")
        assert "needs JavaScript" in shown(plain, "#unscripted")
        plain.locator("#unscripted").get_by_role("link", name="Penalties").click()
        assert shown(plain, "h1") == "Penalties"


@pytest.fixture(scope="module")
def script(browser, gold_build) -> Iterator[Page]:
    """The search page, its speller at ``spell``."""
    page = browser.new_page()
    page.goto(f"{gold_build.as_uri()}/search.html")
    page.evaluate("hoyle.data.then((d) => { window.spell = speller(d); })")
    yield page
    page.close()


class TestFold:
    def test_script_folds_the_gold_texts_as_python_does(self, script):
        for document in gold_site.documents():
            text = document.source.text
            folded = script.evaluate("(t) => spell.split(t).map((w) => w.form)", text)
            assert folded == [form for _, form in words(text)]

    @settings(max_examples=200, deadline=None)
    @given(word=st.text(st.sampled_from("абиійѣёѳѵъаговыяoitnsécçœæſyz'’0\u0301\u0306\u00ad"), max_size=12))
    def test_script_folds_any_word_as_python_does(self, script, word):
        assert script.evaluate("(w) => spell.fold(w)", word) == fold_word(word)
