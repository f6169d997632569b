"""Settings for all tests, and what is built once a run for all of them."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from click.testing import CliRunner
from filelock import FileLock
from hypothesis import settings

from hoyle import loading
from hoyle.cli import main
from hoyle.document import Document
from hoyle.pipeline import run, stages
from support import gold
from support import site as gold_site
from support.many import repeated

# The machine decides how long an example takes, not the code; and CI must not fail by chance.
settings.register_profile("hoyle", deadline=None, derandomize=True)
settings.load_profile("hoyle")

ROOT = gold.SEEDS.parent

# A test is about what the program makes now; those of the cache name a folder of their own.
os.environ["HOYLE_BUILD_CACHE"] = "0"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Names each test that is skipped: ``-rs`` alone shows file, line and reason."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple):
        path, line, reason = report.longrepr
        report.longrepr = path, line, f"{item.name}: {reason.removeprefix('Skipped: ')}"
    return report


@pytest.fixture(scope="session")
def once(tmp_path_factory) -> Callable[[str, Callable[[Path], object]], Path]:
    """Makes a folder once a run, in whichever process asks first; the others wait for it."""
    own = tmp_path_factory.getbasetemp()
    run_folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def made(name: str, make: Callable[[Path], object]) -> Path:
        folder = run_folder / f"once-{name}"
        with FileLock(folder.with_suffix(".lock")):
            if not folder.exists():
                unfinished = tmp_path_factory.mktemp(name)
                make(unfinished)
                unfinished.rename(folder)
        return folder

    return made


@pytest.fixture(scope="session")
def corpus_build(once) -> Path:
    """``build/``, what ``hoyle build --check`` makes of the corpus, and ``stderr``, what it says."""

    def make(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(ROOT)
            told = CliRunner().invoke(main, ["build", "--check", "--out", str(folder / "build")])
        assert told.exit_code == 0, told.output
        (folder / "stderr").write_text(told.stderr, encoding="utf-8")

    return once("corpus", make)


@pytest.fixture(scope="session")
def annotated(once) -> Callable[[str, str], Document]:
    """A document of the corpus, by its id, after a named subset of the stages."""

    def make(name: str, subset: str) -> Callable[[Path], object]:
        def write(folder: Path) -> None:
            [request] = loading.requests(name, ROOT)
            document = run(loading.load(request, ROOT), stages(subset))
            (folder / "document").write_bytes(pickle.dumps(document))

        return write

    def read(name: str, subset: str = "all") -> Document:
        return pickle.loads((once(f"{name}-{subset}", make(name, subset)) / "document").read_bytes())

    return read


@pytest.fixture(scope="session")
def gold_build(once) -> Path:
    """The folder of the site of the gold editions."""
    return once("site", lambda folder: gold_site.build(folder / "build")) / "build" / "site"


@pytest.fixture(scope="session")
def long_book(once) -> Path:
    """The site of a book of 300 very long clauses, almost every word in two spellings."""

    def make(folder: Path) -> None:
        gold_site.build(folder, [repeated(gold_site.titled("patience"), "long", 300)])

    return once("long", make) / "site"
