# ruff: noqa: T201  # it prints its figures
"""Five tasks of a new reader, done in Chromium from the home page: clicks and time for each.

    python tests/benchmarks/reader_tasks.py build/site

The time is the browser's (loading, painting, answering), not a reader's: what a reader adds is
reading. Wants the site of the five sources.
"""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run"]


class Reader:
    """Counts clicks from the home page on."""

    def __init__(self, page: Page, home: str) -> None:
        self.page = page
        self.clicks = 0
        page.goto(home)
        self.began = time.perf_counter()

    def click(self, **role: str) -> None:
        """A click on the first link, button or box of that name."""
        ((kind, name),) = role.items()
        self.page.get_by_role(kind, name=name).first.click()
        self.clicks += 1

    def done(self, task: str, found: str) -> None:
        """Say what it took."""
        print(f"{task}: {self.clicks} clicks, {1000 * (time.perf_counter() - self.began):.0f} ms; {found}")


def main(site: Path) -> None:
    """Do the five tasks."""
    home = (site / "index.html").resolve().as_uri()
    with sync_playwright() as play:
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = play.chromium.launch(executable_path=chromium, args=FLAGS)
        context = browser.new_context(locale="en-GB")
        page = context.new_page()

        reader = Reader(page, home)
        reader.click(link="revoke, renounce")
        reader.done("every rule on a revoke", f"{page.locator('.hits li').count()} rules")

        reader = Reader(page, home)
        reader.click(link="Вистъ")
        reader.click(link="§ 16.")
        reader.click(button="Copy")
        reader.done("cite § 16 of the whist article", page.locator("blockquote.copy").inner_text())

        reader = Reader(page, home)
        page.locator("header.site").get_by_role("link", name="Concordance").click()
        reader.clicks += 1
        reader.click(link="exposed card")
        books = page.locator(".books > section")
        said = [books.nth(i).locator(".chip").all_inner_texts() for i in range(books.count())]
        reader.done("the penalty for an exposed card in two books", str(said))

        reader = Reader(page, home)
        reader.click(link="Quinze, articles")
        reader.click(checkbox="mark changes")
        word = page.locator(".sheet x-w").first
        word.hover()
        page.locator("#card").wait_for()
        reader.done(
            "what the OCR had for a changed word", page.locator("#card").inner_text().replace("\n", " | ")
        )

        reader = Reader(page, home)
        reader.click(link="Penalties by game")
        with page.expect_download() as started:
            reader.click(link="Download as CSV")
        lines = Path(started.value.path()).read_text(encoding="utf-8-sig").splitlines()
        reader.done("the table of penalties into a spreadsheet", f"{len(lines)} rows")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
