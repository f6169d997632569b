"""Plug-ins: found by their entry points, and a clear error where one cannot be used."""

import sys
from pathlib import Path

import pytest

from hoyle import plugins
from hoyle.errors import StageError
from hoyle.numbering import SCHEMES, resolve
from hoyle.pipeline import Stage, place
from hoyle.plugins import PluginError


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of packages on the search path; nothing that is found there is kept."""
    monkeypatch.syspath_prepend(str(tmp_path))
    plugins.entries.cache_clear()
    yield tmp_path
    plugins.entries.cache_clear()


def install(site: Path, package: str, points: dict[str, dict[str, str]]) -> None:
    """Write what an installer leaves of a package: its name, version and entry points."""
    info = site / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    groups = (
        f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in names.items()) for group, names in points.items()
    )
    (info / "entry_points.txt").write_text("\n".join(groups))


def test_without_plugins_every_group_is_empty(site):
    for group in (plugins.LANGUAGES, plugins.NUMBERING, plugins.INPUTS, plugins.OUTPUTS, plugins.STAGES):
        assert plugins.entries(group) == {}


def test_entries_are_loaded_by_name_in_order(site):
    (site / "one_plugin.py").write_text("B = 'b'\nA = 'a'\n")
    install(site, "one", {"hoyle.outputs": {"b": "one_plugin:B", "a": "one_plugin:A"}})
    assert list(plugins.entries("hoyle.outputs").items()) == [("a", "a"), ("b", "b")]
    assert plugins.entries("hoyle.inputs") == {}


def test_a_plugin_is_imported_only_when_its_group_is_asked_for(site):
    (site / "idle_plugin.py").write_text("A = 1\n")
    install(site, "idle", {"hoyle.outputs": {"a": "idle_plugin:A"}})
    assert plugins.entries("hoyle.inputs") == {}
    assert "idle_plugin" not in sys.modules


def test_a_plugin_that_fails_names_its_package(site):
    (site / "broken_plugin.py").write_text("raise ImportError('no such scanner')\n")
    install(site, "broken", {"hoyle.inputs": {"scan": "broken_plugin:READER"}})
    with pytest.raises(PluginError, match=r"^broken 1\.0: plug-in 'scan' of hoyle\.inputs.*no such scanner"):
        plugins.entries("hoyle.inputs")


def test_one_name_by_two_packages_names_both(site):
    (site / "same_plugin.py").write_text("A = 1\n")
    install(site, "first", {"hoyle.outputs": {"a": "same_plugin:A"}})
    install(site, "second", {"hoyle.outputs": {"a": "same_plugin:A"}})
    with pytest.raises(PluginError, match=r"first 1\.0 and second 1\.0 both add 'a'"):
        plugins.entries("hoyle.outputs")


def test_a_name_of_hoyle_and_a_wrong_class_are_refused(site):
    (site / "wrong_plugin.py").write_text("A = 'text'\n")
    install(site, "wrong", {"hoyle.outputs": {"tei": "wrong_plugin:A"}})
    with pytest.raises(PluginError, match=r"wrong 1\.0: .*Hoyle has a 'tei' of its own"):
        plugins.additions("hoyle.outputs", str, ["tei"])
    with pytest.raises(PluginError, match="must be an object of the class int, not 'text'"):
        plugins.additions("hoyle.outputs", int)


def test_a_folder_is_a_package_or_a_path(site):
    (site / "tables" / "de_fraktur").mkdir(parents=True)
    (site / "paths_plugin.py").write_text(f"import pathlib\nHERE = pathlib.Path({str(site / 'tables')!r})\n")
    install(
        site, "paths", {"hoyle.languages": {"de-fraktur": "tables.de_fraktur", "de": "paths_plugin:HERE"}}
    )
    assert plugins.folders("hoyle.languages") == {
        "de-fraktur": site / "tables" / "de_fraktur",
        "de": site / "tables",
    }


def test_what_is_no_folder_is_refused(site):
    (site / "file_plugin.py").write_text("A = 'de'\n")
    install(site, "files", {"hoyle.languages": {"de": "file_plugin:A"}})
    with pytest.raises(PluginError, match=r"files 1\.0: .*must be a package or the pathlib\.Path"):
        plugins.folders("hoyle.languages")


def test_stages_are_placed_beside_those_they_name():
    own = [Stage(name, list, "") for name in ("a", "b")]
    added = [
        Stage("c", list, "", after="a"),
        Stage("d", list, "", before="a"),
        Stage("e", list, "", after="a"),
    ]
    assert [stage.name for stage in place(own, added)] == ["d", "a", "c", "e", "b"]


@pytest.mark.parametrize("where", [{}, {"after": "a", "before": "a"}, {"after": "nowhere"}])
def test_a_stage_that_does_not_say_where_it_runs_is_refused(where):
    with pytest.raises(StageError, match="'c' must say after= or before=, one of a"):
        place([Stage("a", list, "")], [Stage("c", list, "", **where)])


def test_a_scheme_of_a_plugin_must_be_named_by_the_text():
    assert resolve(("detect", "arabic")) == resolve(()) == tuple(SCHEMES)
    assert resolve(("roman", "detect", "letter")) == tuple(SCHEMES)
