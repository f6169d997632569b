# ruff: noqa: T201  # it prints its figures
"""How the site bears up to 10,000 clauses: build time, size, page weight, search in Chromium.

    PYTHONPATH=tests python tests/benchmarks/site_scale.py /tmp/scale [CLAUSES]

The corpus is the gold editions over and over, as documents of some 300 clauses each, so that tags,
references and changes are as dense as in real books. Figures go into docs/site.md. Not part of CI:
it takes minutes.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from hoyle.outputs.site.writer import Site
from support.many import documents

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run"]
QUESTIONS = (
    "место",
    "мѣста",
    "auroit",
    "каждый игрок",
    "«третий игрок»",
    "карт*",
    "масти",
    "joueur",
    "прежде",
)
CLAUSES_A_DOCUMENT = 300


def main(folder: Path, wanted: int) -> None:
    """Build, weigh, search, print."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    began = time.perf_counter()
    site, clauses, count = Site(folder), 0, 0
    for document in documents(wanted, CLAUSES_A_DOCUMENT):
        site.add(document)
        clauses += len(document.clauses)
        count += 1
    made = time.perf_counter()
    site.close()
    closed = time.perf_counter()
    print(f"{count} documents, {clauses} clauses: pages {made - began:.0f} s, indexes {closed - made:.0f} s")
    _weigh(folder / "site")
    _search(folder / "site")


def _weigh(site: Path) -> None:
    files = [p for p in site.rglob("*") if p.is_file()]
    print(f"site: {len(files)} files, {sum(p.stat().st_size for p in files) / 1e6:.0f} MB")
    for name in ("doc", "by", "concordance", "search"):
        part = [p for p in (site / name).rglob("*") if p.is_file()]
        print(f"  {name}/: {len(part)} files, {sum(p.stat().st_size for p in part) / 1e6:.1f} MB")
    for name, pattern in (
        ("document page", "doc/*/index.html"),
        ("list", "by/*/*.html"),
        ("index shard", "search/t-*.js"),
    ):
        largest = max(site.glob(pattern), key=lambda p: p.stat().st_size)
        print(f"  largest {name}: {largest.relative_to(site)}, {largest.stat().st_size / 1000:.0f} KB")


def _search(site: Path) -> None:
    with sync_playwright() as play:
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = play.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page()
        largest = max(site.glob("doc/*/index.html"), key=lambda p: p.stat().st_size)
        times = []
        for _ in range(3):
            page.goto(largest.as_uri())
            times.append(page.evaluate("performance.getEntriesByType('navigation')[0].domComplete"))
        print(f"largest document page complete in {statistics.median(times):.0f} ms")
        for question in QUESTIONS:
            cold, warm = [], []
            for _ in range(3):
                page.goto((site / "search.html").as_uri())
                page.locator("#facets").wait_for()
                cold.append(_ask(page, question))
                _ask(page, "")
                warm.append(_ask(page, question))
            hits = page.locator("#status").inner_text()
            first, again = statistics.median(cold), statistics.median(warm)
            print(f"  {question}: {first:.0f} ms first, {again:.0f} ms again; {hits}")
        browser.close()


def _ask(page, question: str) -> float:
    page.locator("#q").fill(question)
    page.wait_for_function("(q) => document.getElementById('hits').dataset.for === q", arg=question)
    return float(page.locator("#hits").get_attribute("data-ms"))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10_000)
