"""The scanned page beside the text in Chromium: it follows the reader, with the right lines lit."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

import hoyle
from support import printed, typeset

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
TIMEOUT = int(os.environ.get("HOYLE_BROWSER_TIMEOUT", "60000"))

if CHROMIUM is None and os.environ.get("CI") != "true":
    pytest.skip("no Chromium here; the site's browser tests need one", allow_module_level=True)


@pytest.fixture(scope="module")
def book(tmp_path_factory) -> str:
    """The address of the book's folder on the disk; it is built from a PDF alone."""
    folder = tmp_path_factory.mktemp("scans")
    (folder / "jeu.pdf").write_bytes(printed.pdf())
    hoyle.build([str(folder / "jeu.pdf")], folder / "build", lang="fr", root=folder)
    return Path(folder, "build", "site", "doc", "jeu").as_uri() + "/"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert CHROMIUM, "Chromium is missing; in CI that is a failure"
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser) -> Iterator[Page]:
    """A wide page, on which nothing may go wrong."""
    context = browser.new_context(viewport={"width": 1440, "height": 420})
    context.set_default_timeout(TIMEOUT)
    made = context.new_page()
    faults: list[str] = []
    made.on("console", lambda m: faults.append(m.text) if m.type in ("error", "warning") else None)
    made.on("pageerror", lambda e: faults.append(str(e)))
    made.on("requestfailed", lambda r: faults.append(r.url))
    yield made
    context.close()
    assert faults == []


def lit(page: Page) -> list[int]:
    """The lines of the page shown that are lit, counted from 0."""
    tops = page.eval_on_selector_all(".scan rect", "all => all.map(one => one.y.baseVal.value)")
    # A rectangle begins some units above its line, whose letters begin some below its top.
    return [round((top - printed.TOP) / typeset.ROW - 0.05) for top in tops]


def go_to(page: Page, clause: str) -> None:
    page.evaluate("id => document.getElementById(id).scrollIntoView({block: 'start'})", clause)


def view_box(page: Page) -> list[float]:
    return [float(n) for n in page.locator(".scan svg").get_attribute("viewBox").split()]


def test_the_page_follows_the_text_with_its_lines_lit(page, book):
    page.goto(book + "index.html")
    expect(page.locator(".scan")).to_be_visible()
    for clause, number, lines in (
        ("jeu.2", "1", [3, 4]),
        ("jeu.4", "2", [0, 1]),
        ("jeu.5", "2", [2, 3]),
        ("jeu.2", "1", [3, 4]),
    ):
        go_to(page, clause)
        expect(page.locator(".u.lit")).to_have_attribute("id", clause)
        expect(page.locator(".scan b")).to_have_text(number)
        assert lit(page) == lines
    image = page.locator(".scan image")
    expect(image).to_have_attribute("href", re.compile(r"scans/0001\.webp$"))
    drawn = page.evaluate("""async () => {
        const image = new Image();
        image.src = document.querySelector(".scan image").href.baseVal;
        await image.decode();
        return [image.naturalWidth, image.naturalHeight];
    }""")
    assert drawn == [1500, 2250]


def test_a_small_image_is_enough_until_the_page_is_made_larger(browser, book):
    context = browser.new_context(viewport={"width": 240, "height": 844})
    page = context.new_page()
    page.goto(book + "index.html")
    page.locator("#scan").check(force=True)
    image = page.locator(".scan image")
    page.locator(".scan button[value='on']").click()
    expect(image).to_have_attribute("href", "scans/0002-small.webp")
    page.locator(".scan-view").focus()
    for _ in range(4):
        page.keyboard.press("+")
    expect(image).to_have_attribute("href", "scans/0002.webp")
    context.close()


def test_a_clause_over_two_pages_lights_the_rest_of_it_where_the_page_is_turned(page, book):
    page.goto(book + "index.html")
    page.locator("[id='jeu.6'] .text").click()
    expect(page.locator(".scan b")).to_have_text("2")
    assert lit(page) == [4, 5]
    page.locator(".scan button[value='on']").click()
    expect(page.locator(".scan b")).to_have_text("3")
    assert lit(page) == [0]
    expect(page.locator(".scan button[value='on']")).to_be_disabled()


def test_keys_move_the_page_and_make_it_larger(page, book):
    page.goto(book + "index.html")
    view = page.locator(".scan-view")
    view.focus()
    before = view_box(page)
    view.press("+")
    larger = view_box(page)
    assert larger[2] < before[2]
    view.press("ArrowRight")
    view.press("ArrowDown")
    moved = view_box(page)
    assert moved[0] > larger[0]
    assert moved[1] > larger[1]
    view.press("0")
    assert view_box(page) == [0, 0, 1000, 1500]
    view.press("PageDown")
    expect(page.locator(".scan b")).to_have_text("2")
    view.press("PageUp")
    expect(page.locator(".scan b")).to_have_text("1")


def test_the_wheel_makes_the_page_larger_about_the_pointer_and_the_mouse_moves_it(page, book):
    page.goto(book + "index.html")
    view = page.locator(".scan-view")
    edge = view.bounding_box()
    before = view_box(page)
    page.mouse.move(edge["x"] + edge["width"] / 2, edge["y"] + edge["height"] / 2)
    page.mouse.wheel(0, -200)
    page.wait_for_function(
        "w => document.querySelector('.scan svg').viewBox.baseVal.width < w", arg=before[2]
    )
    larger = view_box(page)
    page.mouse.down()
    page.mouse.move(edge["x"] + edge["width"] / 2 - 80, edge["y"] + edge["height"] / 2 - 40)
    page.mouse.up()
    moved = view_box(page)
    assert moved[0] > larger[0]
    assert moved[1] > larger[1]
    assert moved[2] == pytest.approx(larger[2])


def test_the_switch_is_remembered_and_a_phone_starts_without_the_page(browser, book):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(book + "index.html")
    expect(page.locator(".scan")).to_be_hidden()
    loaded = page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    assert not [name for name in loaded if name.endswith(".webp")]
    page.locator(".scan-tick").tap()
    expect(page.locator(".scan")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.reload()
    expect(page.locator(".scan")).to_be_visible()
    context.close()


def test_a_clause_shows_its_very_lines_and_links_to_the_whole_page(page, book):
    page.goto(book + "5.html")
    strip = page.locator(".strips svg")
    expect(strip).to_have_count(1)
    _, top, _, height = (float(n) for n in strip.get_attribute("viewBox").split())
    assert printed.top(2) - 12 < top < printed.top(2) + 12
    assert printed.top(3) < top + height < printed.top(4)
    assert page.locator(".strips a").get_attribute("href") == "scans/0002.webp"
    page.goto(book + "6.html")
    expect(page.locator(".strips svg")).to_have_count(2)  # one a page


def test_a_corrected_word_shows_its_line(page, book):
    page.goto(book + "index.html")
    word = page.locator("x-w[at]")
    expect(word).to_have_count(1)
    assert word.get_attribute("at").startswith("2 ")
    assert abs(float(word.get_attribute("at").split(" ")[2]) - printed.top(3)) < 12
    page.locator("#marks").check(force=True)
    word.scroll_into_view_if_needed()
    word.hover()
    strip = page.locator(".card svg")
    expect(strip).to_be_visible()
    number, left, top, *_ = re.split("[ ,;]", word.get_attribute("at"))
    mark = strip.locator("rect").first
    assert float(mark.get_attribute("x")) == float(left) - 3
    assert float(mark.get_attribute("y")) == float(top) - 3
    assert strip.locator("image").get_attribute("href") == f"scans/000{number}.webp"


def test_without_a_script_the_pages_are_links(browser, book):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(book + "index.html")
    expect(page.locator(".scan")).to_be_hidden()
    links = page.locator(".scan-link a")
    assert [link.get_attribute("href") for link in links.all()] == [f"scans/000{n}.webp" for n in (1, 2, 3)]
    assert page.goto(book + "scans/0002.webp")
    context.close()


def test_print_is_unharmed(page, book):
    page.goto(book + "index.html")
    page.emulate_media(media="print")
    expect(page.locator(".scan")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.body).paddingRight") == "0px"


@pytest.mark.parametrize("name", ["index.html", "5.html"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser, book, name, scheme):
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    page.goto(book + name)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    context.close()
