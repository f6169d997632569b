"""A package outside the tree (tests/plugin_package), installed in a venv of its own."""

import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import hoyle
from hoyle.tei.verify import verify

PACKAGE = Path(__file__).parent.parent / "plugin_package"
OTHERS = {
    "regles.txt": "Règle 1. Le joueur doit couper.\n"
    "Règle 2. Celui qui renonce perd, suivant la règle 1, deux levées.\n",
    "pravila.txt": "§ 1. Игрокъ, сдавшій карты невѣрно, обязанъ сдать снова.\n§ 2. См. § 1.\n",
}
SKAT = (
    "Nro. 1. Der Geber muß die Karten gut miſchen.",
    "Nro. 2. Wer falſch giebt, verliert den vierten Theil des Einſatzes.",
    "Nro. 3. Eicheln ſticht Schellen; das Uebrige nach Regel 2.",
)
META = 'file = "skat.xml"\ntitle = "Skat"\nlang = "de-fraktur"\nnumbering = ["nro"]\n'
BUILD = "import sys, hoyle; print(hoyle.build(sys.argv[2:], sys.argv[1]).json())"


def run(python: Path | str, *arguments: Path | str, folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [python, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The interpreter of a venv that has the plug-in, Hoyle, and what both need."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder)
    python = folder / "bin" / "python"
    [packages] = folder.glob("lib/*/site-packages")
    lent = [Path(hoyle.__file__).parent.parent, *(path for path in sys.path if "site-packages" in str(path))]
    (packages / "lent.pth").write_text("".join(f"{path}\n" for path in lent))
    source = shutil.copytree(PACKAGE, folder / "source")
    options = ("--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check", "-q")
    run(sys.executable, "-m", "pip", "--python", python, "install", *options, source, folder=folder)
    return python


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A German text in PAGE XML, and two texts that have nothing to do with the plug-in."""
    folder = tmp_path_factory.mktemp("texts")
    lines = "".join(f"<TextLine><TextEquiv><Unicode>{s}</Unicode></TextEquiv></TextLine>" for s in SKAT)
    (folder / "skat").mkdir()
    (folder / "skat" / "meta.toml").write_text(META)
    (folder / "skat" / "skat.xml").write_text(f"<PcGts><Page>{lines}</Page></PcGts>", encoding="utf-8")
    for name, text in OTHERS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def files(folder: Path) -> dict[str, str]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def test_all_that_the_package_adds_works(python, folder):
    report = run(python, "-c", BUILD, "german", "skat", folder=folder)
    assert '"failures": []' in report
    tables = sqlite3.connect(folder / "german" / "tables" / "hoyle.sqlite")
    assert tables.execute("SELECT lang FROM documents").fetchall() == [("de-fraktur",)]
    clauses = tables.execute("SELECT number, scheme, raw FROM clauses ORDER BY number").fetchall()
    assert clauses == [(str(number), "nro", text) for number, text in enumerate(SKAT, 1)]
    references = tables.execute('SELECT unit, text, target FROM "references"').fetchall()
    assert references == [("skat.3", "Regel 2", "skat.2")]
    suits = tables.execute("SELECT value FROM findings WHERE topic = 'suit'").fetchall()
    assert suits == [("Eicheln",), ("Schellen",)]
    assert "miſchen\t1\n" in (folder / "german" / "words" / "skat.tsv").read_text(encoding="utf-8")
    assert verify(folder / "german" / "tei" / "skat.xml") == []


def test_texts_of_other_languages_stay_the_same_byte_for_byte(python, folder):
    run(python, "-c", BUILD, "with", *OTHERS, folder=folder)
    pipeline = Path(hoyle.__file__).parent.parent
    without = f"import sys; sys.path.insert(0, {str(pipeline)!r}); {BUILD}"
    run(sys.executable, "-c", without, "without", *OTHERS, folder=folder)
    with_plugin, bare = files(folder / "with"), files(folder / "without")
    assert {Path(name).parent.name for name in {*with_plugin} - {*bare}} == {"words"}
    assert {*bare} <= {*with_plugin}
    # The table of provenance names the plug-in; these hold it, or the checksums of files that do.
    holders = re.compile(r"provenance|sqlite|datapackage|crate|hoyle-build|about\.html")
    others = [name for name in bare if not holders.search(name)]
    assert [name for name in others if with_plugin[name] != bare[name]] == []


def test_an_xml_file_of_the_package_is_no_edition(python, folder):
    program = "import hoyle; print(hoyle.read('skat/skat.xml', lang='de-fraktur').text())"
    assert SKAT[0].removeprefix("Nro. ") in run(python, "-c", program, folder=folder)
