"""The wheel in an environment of its own, used from a folder outside the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile

import pytest

from support.gold import SEEDS

ROOT = SEEDS.parent
MAX_WHEEL = 60_000_000


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    [path] = out.glob("*.whl")
    return path


def test_the_wheel_carries_what_it_needs_and_no_more(wheel):
    assert wheel.stat().st_size < MAX_WHEEL
    names = zipfile.ZipFile(wheel).namelist()
    for needed in (
        "schemas/hoyle.rng",
        "schemas/vocabulary/games.tsv",
        "site/templates/",
        "languages/fr/language.toml",
    ):
        assert any(name.startswith(f"hoyle/{needed}") for name in names), needed
    assert not [n for n in names if n.startswith(("training", "tests", "seeds", "corpus"))]


def test_an_installed_wheel_builds_a_text_from_anywhere(wheel, tmp_path):
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python]  # what it compiles would never be run
    install = [*pip, "install", "-q", "--no-compile", "-c", ROOT / "constraints.txt", wheel]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    if done.returncode and not os.environ.get("CI"):
        pytest.skip(f"the package index cannot be reached: {done.stderr[-200:]}")
    assert done.returncode == 0, done.stderr
    (tmp_path / "my.txt").write_text(
        "1. Le joueur doit couper.\n2. Celui qui renonce perd deux levées.\n", encoding="utf-8"
    )
    command = [tmp_path / "venv" / "bin" / "hoyle", "build", "my.txt", "--check"]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    assert "my: fr" in made.stderr
    for name in ("tei/my.xml", "tables/hoyle.sqlite", "site/index.html"):
        assert (tmp_path / "build" / name).is_file()
